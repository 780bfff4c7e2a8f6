//! Crossing patterns: lanes that alternate from row to row and from column to column.

use std::collections::BTreeMap;

use giveway_core::{Asker, CostLayer, Embedding, MoveIn, NodeId, Tick};

use crate::crossings::Crossings;
use crate::directions::from_steps;
use crate::rules::in_steps;

/// Lanes that alternate, for dense crowds on grids: one row leads east and the next one west, one column south and the
/// next one north. A move against its lane costs a surcharge. Nothing is forbidden, and nothing is learned.
///
/// Nodes at one position are one place, whatever their headings. So the pattern also suits units that turn on the spot.
/// A place is narrow if ways join it to at most two other places, like a place in an aisle: units that meet there
/// cannot pass each other. A move against its lane between two narrow places has a surcharge of its own, which should
/// be larger than the surcharge elsewhere. Moves that are not parallel to an axis have no surcharge, and turns on the
/// spot have none.
///
/// Planners that plan step by step need the surcharges in their distances: use
/// `PricedDistances` of `giveway-distance`.
///
/// The source is Cohen, Uras & Koenig, "Feasibility Study: Using Highways for Bounded-Suboptimal Multi-Agent Path
/// Finding", SoCS 2015, with the crisscross pattern. The paper multiplies the costs of moves off its highways.
///
/// ```
/// use giveway_core::NodeId;
/// use giveway_lanes::Crisscross;
/// use giveway_spaces::Grid;
///
/// // Three rows of three cells, numbered from 0 to 8.
/// let grid = Grid::open(3, 3)?;
/// let lanes = Crisscross::new(&grid, 1.0, 3.0);
/// assert_eq!(lanes.charge(NodeId(1), NodeId(2)), 0.0, "row 0 leads east");
/// assert_eq!(lanes.charge(NodeId(2), NodeId(1)), 1.0);
/// assert_eq!(lanes.charge(NodeId(4), NodeId(5)), 1.0, "row 1 leads west");
/// assert_eq!(lanes.charge(NodeId(1), NodeId(4)), 1.0, "column 1 leads north");
///
/// let aisle = Grid::open(4, 1)?;
/// assert_eq!(Crisscross::new(&aisle, 1.0, 3.0).charge(NodeId(2), NodeId(1)), 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Crisscross {
    crossings: Crossings,
    /// By crossing, the surcharge in plain steps of the move against the lane. Positive: the lane leads to the higher
    /// place.
    lanes: Vec<f32>,
}

impl Crisscross {
    /// The pattern for the nodes and moves of `space`. A move against its lane costs `narrow` plain steps between two
    /// narrow places, and `open` plain steps elsewhere. Both surcharges are clamped to the range from 0 to
    /// [1,000,000](crate::DirectionRules::HEAVIEST); NaN counts as 0.
    ///
    /// A row is the set of all moves along x at one y. More precisely, two moves along x are in one row if their y,
    /// divided by the length of the move and rounded down, is equal. A row is an aisle if at least a quarter of its
    /// ways join two narrow places. Aisles are numbered from 0 by ascending y. All other rows are numbered from 0 in
    /// the same way, without the aisles. A row with an even number leads to larger x. Columns follow the same rules,
    /// with x and y exchanged. So aisles alternate, whatever the width of the shelves between them.
    ///
    /// Takes time n log n for n moves.
    pub fn new<S: Embedding>(space: &S, open: f32, narrow: f32) -> Self {
        let [open, narrow] = [open, narrow].map(in_steps);
        let crossings = Crossings::of(space);
        let neighbours = crossings.neighbours();
        let is_narrow = |node| crossings.place(node).is_some_and(|place| neighbours[place as usize] <= 2);
        let mut sections = vec![None; crossings.len()];
        for m in space.nodes().flat_map(|node| space.moves(node)) {
            let lane = lane(space.position(m.from), space.position(m.to));
            if let (Some((lane, grows)), Some((index, sign))) = (lane, crossings.find(m.from, m.to)) {
                let is_narrow = is_narrow(m.from) && is_narrow(m.to);
                sections[index] = Some(Section { lane, is_narrow, grows: grows == (sign > 0.0) });
            }
        }
        let mut lanes: BTreeMap<Lane, [usize; 2]> = BTreeMap::new();
        for Section { lane, is_narrow, .. } in sections.iter().flatten() {
            let [narrow, all] = lanes.entry(*lane).or_default();
            (*narrow, *all) = (*narrow + usize::from(*is_narrow), *all + 1);
        }
        let (aisles, others): (Vec<_>, Vec<_>) = lanes.iter().partition(|(_, [narrow, all])| narrow * 4 >= *all);
        let numbers: BTreeMap<Lane, usize> = [aisles, others].into_iter().flat_map(numbered).collect();
        let surcharge = |Section { lane, is_narrow, grows }: Section| {
            let number = numbers.get(&lane).copied().unwrap_or(0);
            let steps = if is_narrow { narrow } else { open };
            if grows == (number % 2 == 0) { steps } else { -steps }
        };
        let lanes = sections.iter().map(|section| section.map_or(0.0, surcharge)).collect();
        Self { crossings, lanes }
    }

    /// The surcharge of a move between the places of two nodes, in plain steps, before rounding to the cost type; 0 if
    /// there is no way between the two places.
    #[inline]
    pub fn charge(&self, from: NodeId, to: NodeId) -> f64 {
        let crossing = self.crossings.find(from, to);
        crossing.map_or(0.0, |(index, sign)| (-sign * f64::from(self.lanes[index])).max(0.0))
    }
}

impl<S: Embedding> CostLayer<S> for Crisscross {
    #[inline]
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        from_steps(self.charge(m.from, m.to))
    }

    fn is_timeless(&self) -> bool {
        true
    }
}

/// A row (axis 0) or a column (axis 1), and how far from the axis it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Lane {
    axis: usize,
    line: i64,
}

/// A crossing as a section of a lane.
#[derive(Clone, Copy, Debug)]
struct Section {
    lane: Lane,
    is_narrow: bool,
    /// Whether the coordinate along the lane grows towards the higher place.
    grows: bool,
}

/// The lane of a move from one position to another, and whether the coordinate along it grows. `None`: it has no lane.
fn lane(from: [f32; 3], to: [f32; 3]) -> Option<(Lane, bool)> {
    let way: [f32; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
    let length = way.iter().fold(0.0, |longest: f32, part| longest.max(part.abs()));
    let axis = way.iter().position(|part| part.abs() == length).filter(|axis| *axis < 2 && length > 0.0)?;
    let is_parallel = (0..3).all(|other| other == axis || way[other].abs() <= length * 1e-3);
    #[allow(clippy::cast_possible_truncation)] // saturates; so far out, lanes are one
    // Positions are mostly whole or half lengths; a quarter more keeps rounding errors away from both.
    let line = (from[1 - axis] / length + 0.25).floor() as i64;
    is_parallel.then_some((Lane { axis, line }, way[axis] > 0.0))
}

/// Lanes in ascending order, counted along each axis.
fn numbered(lanes: Vec<(&Lane, &[usize; 2])>) -> impl Iterator<Item = (Lane, usize)> {
    let rows = lanes.iter().filter(|(lane, _)| lane.axis == 0).count();
    lanes.into_iter().enumerate().map(move |(index, (lane, _))| (*lane, index - lane.axis * rows))
}

#[cfg(test)]
mod tests {
    use giveway_core::SpaceGraph;
    use giveway_spaces::{Connectivity, Grid, Robots};

    use super::*;

    #[test]
    fn rows_and_columns_alternate() {
        let grid = Grid::open(3, 3).unwrap();
        let lanes = Crisscross::new(&grid, 2.0, 5.0);
        let dear = |node| {
            let dear = grid.moves(node).filter(|m| lanes.charge(m.from, m.to) == 2.0);
            let mut letters: Vec<_> = dear.map(|m| format!("{:?}", m.action).remove(0)).collect();
            letters.sort_unstable();
            letters.into_iter().collect::<String>()
        };
        // By cell, the directions that are dear. A corner has two ways, but the cells beside it have three.
        let expected = ["", "SW", "W", "EN", "ES", "N", "N", "W", "NW"];
        assert_eq!(grid.nodes().map(dear).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn each_crossing_costs_in_one_direction() {
        let grid = Grid::from_ascii("....\n.##.\n....").unwrap();
        let lanes = Crisscross::new(&grid, 2.0, 5.0);
        for m in grid.nodes().flat_map(|node| grid.moves(node)) {
            let mut both = [lanes.charge(m.from, m.to), lanes.charge(m.to, m.from)];
            both.sort_by(f64::total_cmp);
            assert_eq!(both, [0.0, 5.0], "a ring one wide is narrow: {m:?}");
        }
    }

    #[test]
    fn aisles_alternate_whatever_lies_between_them() {
        let grid = Grid::from_ascii(".@@@.@.\n.@@@.@.\n.@@@.@.\n.@@@.@.\n").unwrap();
        let lanes = Crisscross::new(&grid, 2.0, 5.0);
        let upwards = [0, 4, 6].map(|x| lanes.charge(NodeId(7 + x), NodeId(x)));
        assert_eq!(upwards, [5.0, 0.0, 5.0]);
    }

    #[test]
    fn rows_of_cells_of_any_size_are_rows() {
        struct Small(Grid);
        impl SpaceGraph for Small {
            type Action = giveway_spaces::Direction;
            type Cost = u32;
            fn node_bound(&self) -> usize {
                self.0.node_bound()
            }
            fn moves(&self, from: NodeId) -> impl Iterator<Item = MoveIn<Self>> {
                self.0.moves(from)
            }
        }
        impl Embedding for Small {
            fn position(&self, node: NodeId) -> [f32; 3] {
                let [x, y, z] = self.0.position(node);
                [0.7 + x * 0.1, 0.3 + y * 0.1, z]
            }
        }
        let grid = Grid::open(12, 12).unwrap();
        let lanes = Crisscross::new(&Small(grid.clone()), 2.0, 5.0);
        // In each row, moves to the east all cost something, or none of them does.
        for y in 0..12 {
            let dear = (0..11).filter(|x| lanes.charge(NodeId(y * 12 + x), NodeId(y * 12 + x + 1)) > 0.0).count();
            assert!(dear == 0 || dear == 11, "row {y}: {dear}");
        }
    }

    #[test]
    fn headings_share_lanes_and_turns_and_diagonals_are_free() {
        let grid = Grid::open(3, 3).unwrap();
        let robots = Robots::new(grid.clone());
        let [cells, poses] = [Crisscross::new(&grid, 2.0, 5.0), Crisscross::new(&robots, 2.0, 5.0)];
        for m in robots.nodes().flat_map(|node| robots.moves(node)) {
            assert_eq!(poses.charge(m.from, m.to), cells.charge(robots.place(m.from), robots.place(m.to)));
        }
        let grid = grid.with_connectivity(Connectivity::Eight);
        let lanes = Crisscross::new(&grid, 2.0, 5.0);
        assert_eq!([lanes.charge(NodeId(0), NodeId(4)), lanes.charge(NodeId(4), NodeId(0))], [0.0, 0.0]);
    }

    #[test]
    fn weights_out_of_range_are_clamped() {
        let grid = Grid::open(4, 1).unwrap();
        let charge = |narrow| Crisscross::new(&grid, 0.0, narrow).charge(NodeId(1), NodeId(0));
        assert_eq!([charge(f32::NAN), charge(-1.0), charge(f32::INFINITY)], [0.0, 0.0, 1_000_000.0]);
        assert_eq!(Crisscross::new(&grid, 1.0, 1.0).charge(NodeId(9), NodeId(0)), 0.0, "off the map");
    }
}
