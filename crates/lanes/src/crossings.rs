//! Direction maps over crossings: one number for each pair of places with a way between them.

use std::any::{Any, TypeId};
use std::cmp::Ordering;

use giveway_core::rows::Rows;
use giveway_core::{Asker, CostLayer, Embedding, Garbled, MoveIn, NodeId, Tick, WordReader, Words};

use crate::directions::{Directions, from_steps};
use crate::fingerprint::of_places;
use crate::rules::DirectionRules;

/// A direction map with a number for each crossing: a pair of places with a way between them. The number is from -1 to
/// 1, and says in which of the two directions units go.
///
/// Nodes at one position are one place, whatever their headings. So the map also suits units that turn on the spot.
///
/// Seen in the direction of a move, the number of a crossing is `v`: positive if units mostly go in this direction.
/// When a unit has made a move, `v` becomes `(1 - rate) v + rate`; `rate` is the [rate](DirectionRules::rate) of the
/// rules. As a [`CostLayer`] the map charges 0.5 `w_max` (1 - `v`) for a move; `w_max` is the
/// [weight](DirectionRules::weight) of the rules. For a blank crossing, see [`DirectionRules::blank`]. Turns on the
/// spot have no surcharge. [`Ends`](crate::Ends) and neighbours have no effect.
///
/// Planners that plan step by step need the surcharges in their distances: use
/// `PricedDistances` of `giveway-distance`, which take over the state of the map when a unit gets
/// its next goal. The map can be shared like a [`DirectionMap`](crate::DirectionMap).
///
/// ```
/// use giveway_core::{CostLayer, NodeId, SpaceGraph};
/// use giveway_lanes::{Blank, CrossingMap, DirectionRules};
/// use giveway_spaces::{Direction, Grid, Robots};
///
/// let robots = Robots::new(Grid::open(3, 1)?);
/// let map = CrossingMap::blank(&robots, DirectionRules::paper().rate(0.5).weight(4.0).blank(Blank::Free));
/// let pose = |x: u32, direction| robots.pose(NodeId(x), direction).expect("on the grid");
/// let east = robots.moves(pose(0, Direction::East)).find(|m| robots.place(m.to) == NodeId(1)).expect("a way");
/// map.moved(&robots, &east);
/// // 0.5 * 4 * (1 - 0.5) with the lane, 0.5 * 4 * (1 + 0.5) against it, and nothing where no robot has been.
/// assert_eq!(map.charge(east.from, east.to), 1.0);
/// assert_eq!(map.charge(pose(1, Direction::West), pose(0, Direction::West)), 3.0);
/// assert_eq!(map.charge(pose(1, Direction::East), pose(2, Direction::East)), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type CrossingMap = Directions<Crossings, 1>;

/// The key of a [`CrossingMap`]: numbers belong to crossings.
#[derive(Clone, PartialEq, Debug)]
pub struct Crossings {
    /// By node, its place.
    places: Vec<u32>,
    /// By place, the crossings to higher places, as pairs of places; the position among all of them is the index.
    pairs: Rows<[u32; 2]>,
}

impl Crossings {
    pub(crate) fn of<S: Embedding>(space: &S) -> Self {
        let mut nodes: Vec<_> = space.nodes().map(|node| (space.position(node).map(f32::to_bits), node)).collect();
        nodes.sort_unstable();
        let mut places = vec![u32::MAX; space.node_bound()];
        let mut count = 0;
        for here in nodes.chunk_by(|(one, _), (other, _)| one == other) {
            for (_, node) in here {
                places.get_mut(node.index()).into_iter().for_each(|place| *place = count);
            }
            count += 1;
        }
        let moves = space.nodes().flat_map(|node| space.moves(node));
        let mut pairs: Vec<[u32; 2]> = moves.filter_map(|m| Some(pair(&places, m.from, m.to)?.0)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self { places, pairs: Rows::of_sorted(count as usize, pairs, |pair| pair[0] as usize) }
    }

    /// The number of crossings.
    pub(crate) fn len(&self) -> usize {
        self.pairs.items().len()
    }

    /// The place of `node`, if it has one.
    pub(crate) fn place(&self, node: NodeId) -> Option<u32> {
        self.places.get(node.index()).copied().filter(|place| *place != u32::MAX)
    }

    /// By place, to or from how many other places there are ways.
    pub(crate) fn neighbours(&self) -> Vec<u32> {
        let count = self.places.iter().filter(|place| **place != u32::MAX).max().map_or(0, |last| last + 1);
        let mut neighbours = vec![0; count as usize];
        self.pairs.items().iter().flatten().for_each(|place| neighbours[*place as usize] += 1);
        neighbours
    }

    /// The index of the crossing between the places of two nodes, and 1 if it goes to the higher place, else -1.
    #[inline]
    pub(crate) fn find(&self, from: NodeId, to: NodeId) -> Option<(usize, f64)> {
        let (pair, sign) = pair(&self.places, from, to)?;
        // There are few for each place.
        let index = self.pairs.range(pair[0] as usize).find(|index| self.pairs.items()[*index] == pair)?;
        Some((index, sign))
    }
}

/// The places of two nodes, the lower one first, and 1 if `to` is the higher one, else -1. `None`: they are one place.
#[inline]
fn pair(places: &[u32], from: NodeId, to: NodeId) -> Option<([u32; 2], f64)> {
    let [from, to] = [*places.get(from.index())?, *places.get(to.index())?];
    if from.max(to) == u32::MAX {
        // Not a place.
        return None;
    }
    match from.cmp(&to) {
        Ordering::Less => Some(([from, to], 1.0)),
        Ordering::Equal => None,
        Ordering::Greater => Some(([to, from], -1.0)),
    }
}

impl CrossingMap {
    /// A blank map for the nodes and moves of `space`.
    pub fn blank<S: Embedding>(space: &S, rules: DirectionRules) -> Self {
        let crossings = Crossings::of(space);
        let count = crossings.len();
        Self::new(rules, crossings, (space.node_bound(), count), of_places(space))
    }

    /// Whether the map can be used in `space` in its present state: its nodes, positions and moves are equal to the
    /// nodes, positions and moves of the space for which the map was made. Takes time linear in the moves.
    pub fn fits<S: Embedding>(&self, space: &S) -> bool {
        self.fingerprint() == of_places(space)
    }

    /// How strongly units prefer to go from the place of `from` to the place of `to`, from -1 to 1; 0 if there is no
    /// crossing between the two places.
    pub fn value(&self, from: NodeId, to: NodeId) -> f64 {
        self.key.find(from, to).map_or(0.0, |(index, sign)| sign * f64::from(self.at(index)[0]))
    }

    /// The surcharge of a move, in plain steps, before rounding to the cost type.
    #[inline]
    pub fn charge(&self, from: NodeId, to: NodeId) -> f64 {
        if self.key.find(from, to).is_none() {
            return 0.0;
        }
        let value = self.value(from, to);
        2.0 * self.rules().charge(value, value == 0.0)
    }
}

impl<S: Embedding> CostLayer<S> for CrossingMap {
    #[inline]
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        from_steps(self.charge(m.from, m.to))
    }

    fn is_timeless(&self) -> bool {
        true
    }

    fn learns(&self) -> bool {
        !self.is_frozen()
    }

    fn learned(&self) -> u64 {
        self.hash()
    }

    fn write_to(&self, words: &mut Words) {
        self.write(words);
    }

    fn read_from(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.read(words)
    }

    fn part(&self, kind: TypeId) -> Option<&dyn Any> {
        (kind == TypeId::of::<Self>()).then_some(self)
    }

    fn moved(&self, _space: &S, m: &MoveIn<S>) {
        if let Some((index, sign)) = self.key.find(m.from, m.to).filter(|_| !self.is_frozen()) {
            self.turn(index, [sign], self.rules().learning_rate());
        }
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::SpaceGraph;
    use giveway_spaces::{Grid, Robots};

    use super::*;
    use crate::rules::Blank;

    const RULES: fn() -> DirectionRules = || DirectionRules::paper().rate(0.25).weight(2.0).blank(Blank::Free);

    #[test]
    fn all_headings_of_a_place_share_its_crossings_and_turns_cost_nothing() {
        let robots = Robots::new(Grid::from_ascii("...\n.#.\n...").unwrap());
        let map = CrossingMap::blank(&robots, RULES());
        assert_eq!(map.key.pairs.items().len(), 8, "a ring of eight cells");
        for m in robots.nodes().flat_map(|node| robots.moves(node)) {
            map.moved(&robots, &m);
        }
        // Each crossing was passed once in each direction: 0.25, then 0.75 * 0.25 - 0.25, or the other way round.
        for m in robots.nodes().flat_map(|node| robots.moves(node)) {
            let is_turn = robots.place(m.from) == robots.place(m.to);
            let charge = map.charge(m.from, m.to);
            let expected = if is_turn { [0.0, 0.0] } else { [1.0 - 0.0625, 1.0 + 0.0625] };
            assert!(expected.iter().any(|cost| (charge - cost).abs() < 1e-6), "{charge}");
        }
    }

    #[test]
    fn a_lane_is_cheap_along_and_dear_against_until_it_is_frozen() {
        let grid = Grid::open(4, 1).unwrap();
        let map = CrossingMap::blank(&grid, RULES());
        let [there, back] =
            [(1, 2), (2, 1)].map(|(from, to)| grid.moves(NodeId(from)).find(|m| m.to == NodeId(to)).unwrap());
        assert_eq!((map.charge(there.from, there.to), map.value(NodeId(0), NodeId(3))), (0.0, 0.0));
        for _ in 0..60 {
            map.moved(&grid, &there);
        }
        assert!(map.charge(there.from, there.to) < 1e-3 && map.charge(back.from, back.to) > 2.0 - 1e-3);
        map.freeze();
        map.moved(&grid, &back);
        assert!(map.value(there.from, there.to) > 0.999);
        assert!(map.fits(&grid) && !map.fits(&Grid::open(5, 1).unwrap()));
        assert_eq!(map.charge(NodeId(9), NodeId(3)), 0.0, "off the map");
    }
}
