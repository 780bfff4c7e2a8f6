//! Currents: places that are so narrow that units which meet there cannot pass each other, and where all are to go in
//! one direction, if there is another way for the others.
//!
//! Against a current a way costs more, in distances and in searches. So units with a way against a current take the other
//! way, where that is not too far.

mod guide;

use std::fmt;
use std::sync::Arc;

use giveway_core::heuristic::HeuristicSource;
use giveway_core::{
    Asker, Copies, Cost as _, CostLayer, Digest, Fuel, Garbled, Goals, Heuristic, MoveIn, NodeId, SpaceGraph,
    Suspended, Tick, WordReader, Words,
};
use giveway_distance::PricedDistances;
use giveway_strategies::thousandth_steps;

pub use guide::Guide;

/// The surcharge of a way through the middle of a current, straight against it, in plain steps.
const AGAINST: f64 = 1024.0;

/// The surcharge while it is being found out whether there is another way. It is so high that also an agent that is
/// almost through counts as going against the current.
const IN_TRIAL: f64 = 65_536.0;

/// Distances at the price of currents are tables of the whole space. Spaces of more nodes have none.
const MOST_NODES: usize = 1 << 18;

/// The tables of a class take about this much memory, in bytes. Goals beyond that have none.
const MOST_BYTES: usize = 1 << 27;

/// A ball in the world, and the direction in which units are to go there. Lengths are in world units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Current {
    /// The middle of the ball.
    pub at: [f32; 3],
    /// A vector of length 1.
    pub direction: [f32; 3],
    /// How far it reaches from the middle: across the narrow place, and two steps farther.
    pub radius: f32,
}

impl Current {
    /// A current in the other direction.
    pub fn turned(self) -> Self {
        Self { direction: self.direction.map(|part| -part), ..self }
    }

    /// Which part of the surcharge a straight move from one position to another has.
    #[inline]
    fn charge(&self, from: [f32; 3], to: [f32; 3]) -> f64 {
        let along: f32 = (0..3).map(|axis| (to[axis] - from[axis]) * self.direction[axis]).sum();
        let middle = [0, 1, 2].map(|axis| (from[axis] + to[axis]) / 2.0);
        let is_inside = squared(middle, self.at) <= self.radius * self.radius;
        if along < 0.0 && is_inside { f64::from(-along / (2.0 * self.radius)) } else { 0.0 }
    }

    /// Adds the current to `digest`.
    pub fn feed(&self, digest: &mut Digest) {
        let numbers = self.at.into_iter().chain(self.direction).chain([self.radius]);
        numbers.for_each(|number| digest.number(number.into()));
    }

    /// Appends the current to `words`.
    pub fn write_to(&self, words: &mut Words) {
        let numbers = self.at.into_iter().chain(self.direction).chain([self.radius]);
        numbers.for_each(|number| words.number(number.into()));
    }

    /// Reads a current.
    pub fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let vector = |words: &mut WordReader<'_>| Ok([words.number_32()?, words.number_32()?, words.number_32()?]);
        let current = Self { at: vector(words)?, direction: vector(words)?, radius: words.number_32()? };
        let is_finite = current.at.iter().chain(&current.direction).all(|number| number.is_finite());
        let is_possible = is_finite && current.radius.is_finite() && current.radius > 0.0;
        if is_possible { Ok(current) } else { Err(Garbled::new("a current")) }
    }
}

/// The square of the distance of two positions.
pub fn squared(one: [f32; 3], other: [f32; 3]) -> f32 {
    (0..3).map(|axis| (one[axis] - other[axis]) * (one[axis] - other[axis])).sum()
}

/// What a space with positions charges against currents; nothing, if there are none.
pub struct Charges<S>(Option<Charged<S>>);

struct Charged<S> {
    currents: Arc<[Current]>,
    position: Position<S>,
    /// The surcharge of a way straight against a current, in plain steps.
    against: f64,
}

/// Where a node of a space is in the world.
type Position<S> = fn(&S, NodeId) -> [f32; 3];

impl<S> Charges<S> {
    /// These charges if `is_priced`, and none if not.
    #[inline]
    pub fn only_if(self, is_priced: bool) -> Self {
        if is_priced { self } else { Self(None) }
    }

    /// The surcharge of a move, in plain steps.
    #[inline]
    fn steps(&self, space: &S, from: NodeId, to: NodeId) -> f64 {
        let Some(Charged { currents, position, against }) = &self.0 else { return 0.0 };
        let [from, to] = [from, to].map(|node| position(space, node));
        currents.iter().map(|current| current.charge(from, to) * against).sum()
    }
}

impl<S> Clone for Charges<S> {
    fn clone(&self) -> Self {
        let copy = |charged: &Charged<S>| Charged { currents: Arc::clone(&charged.currents), ..*charged };
        Self(self.0.as_ref().map(copy))
    }
}

impl<S> fmt::Debug for Charges<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Charges").field(&self.0.as_ref().map(|charged| &charged.currents)).finish()
    }
}

impl<S: SpaceGraph> CostLayer<S> for Charges<S> {
    #[inline]
    fn surcharge(&self, space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        let steps = self.steps(space, m.from, m.to);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is finite and not negative
        let thousandths = (steps * 1000.0).round() as u64;
        thousandth_steps(thousandths)
    }

    fn is_timeless(&self) -> bool {
        true
    }

    fn learns(&self) -> bool {
        false
    }
}

/// Distances at the price of currents.
struct Priced<S: SpaceGraph> {
    currents: Arc<[Current]>,
    charges: Charges<S>,
    distances: PricedDistances<S, Charges<S>>,
}

impl<S: SpaceGraph> Priced<S> {
    fn new(currents: &Arc<[Current]>, position: Position<S>, against: f64) -> Self {
        let charges = Charges(Some(Charged { currents: Arc::clone(currents), position, against }));
        let distances = PricedDistances::tables(charges.clone()).keep_at_most(MOST_BYTES);
        Self { currents: Arc::clone(currents), charges, distances }
    }
}

impl<S: SpaceGraph> Clone for Priced<S> {
    fn clone(&self) -> Self {
        let Self { currents, charges, distances } = self;
        Self { currents: Arc::clone(currents), charges: charges.clone(), distances: distances.clone() }
    }
}

/// The heuristics of a class, and distances at the price of currents for the goals that are asked for while there are
/// any.
pub(super) struct Guides<S: SpaceGraph, H> {
    own: H,
    position: Option<Position<S>>,
    priced: Option<Priced<S>>,
    /// What has been found out so far of a current that there may be.
    trial: Option<Priced<S>>,
    /// The revision of the space for which there are prices.
    revision: u64,
    /// How often the currents have changed.
    changes: u64,
    /// The nodes that were expanded for distances that are gone.
    expanded: u64,
}

impl<S: SpaceGraph, H> Guides<S, H> {
    pub(super) fn new(own: H, position: Option<Position<S>>) -> Self {
        Self { own, position, priced: None, trial: None, revision: 0, changes: 0, expanded: 0 }
    }

    /// The heuristics of the class.
    pub(super) fn own(&self) -> &H {
        &self.own
    }

    /// These guides, with `own` as the heuristics of the class.
    pub(super) fn copied(&self, own: H) -> Self {
        let (priced, trial) = (self.priced.clone(), self.trial.clone());
        Self { own, priced, trial, ..*self }
    }

    /// Distances at the price of `currents`: so much straight `against` one of them. `None`: there are none, or the class
    /// has none.
    fn at_the_price(&self, space: &S, currents: &Arc<[Current]>, against: f64) -> Option<Priced<S>> {
        let are_priced = !currents.is_empty() && space.node_bound() <= MOST_NODES;
        Some(Priced::new(currents, self.position.filter(|_| are_priced)?, against))
    }

    /// Changes the currents. The tables at their price are found anew.
    pub(super) fn set(&mut self, space: &S, currents: &Arc<[Current]>) {
        self.expanded = self.expanded_for_prices();
        (self.priced, self.trial) = (self.at_the_price(space, currents, AGAINST), None);
        self.changes = self.changes.wrapping_add(1);
    }

    /// The nodes that were expanded so far for distances at the price of currents.
    fn expanded_for_prices(&self) -> u64 {
        let kept = self.priced.iter().chain(&self.trial);
        self.expanded + kept.map(|priced| priced.distances.reverse_expanded()).sum::<u64>()
    }

    /// What searches are charged whose guide [is priced](Guide::is_priced).
    #[inline]
    pub(super) fn charges(&self) -> Charges<S> {
        self.priced.as_ref().map_or(Charges(None), |priced| priced.charges.clone())
    }
}

impl<S: SpaceGraph, H: HeuristicSource<S>> Guides<S, H> {
    /// The distance from `node` to `goals`, and what it would be if there were `currents` alone. `None`: the class has
    /// no such distances. What was found out is kept until the next question about other currents.
    pub(super) fn tried(
        &mut self,
        space: &S,
        currents: &Arc<[Current]>,
        (goals, node): (&Goals, NodeId),
        fuel: &mut Fuel,
    ) -> Result<Option<[Option<S::Cost>; 2]>, Suspended> {
        if self.trial.as_ref().is_none_or(|trial| trial.currents != *currents) {
            self.end_trial();
            self.trial = self.at_the_price(space, currents, IN_TRIAL);
        }
        let own = self.own.heuristic(space, goals, node).estimate(space, node, fuel)?;
        let Some(trial) = &mut self.trial else { return Ok(None) };
        let priced = trial.distances.heuristic(space, goals, node).estimate(space, node, fuel)?;
        self.end_trial();
        Ok(Some([own, priced]))
    }

    /// Finds distances at the price of the currents if the way from `node` to `goals` leads against one of them within so
    /// many moves.
    pub(super) fn heed(
        &mut self,
        space: &S,
        (goals, node): (&Goals, NodeId),
        moves: usize,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        self.keep_up(space);
        let Some(priced) = &mut self.priced else { return Ok(()) };
        let mut distances = priced.distances.heuristic(space, goals, node);
        if distances.estimate(space, node, &mut Fuel::none()).is_ok() {
            return Ok(());
        }
        let mut own = self.own.heuristic(space, goals, node);
        if leads_against(space, &priced.charges, &mut own, node, (moves, fuel))? {
            distances.estimate(space, node, fuel)?;
        }
        Ok(())
    }

    /// Forgets distances at the price of currents in a space of an earlier revision.
    #[inline]
    fn keep_up(&mut self, space: &S) {
        if let Some(priced) = &mut self.priced
            && self.revision != space.revision()
        {
            priced.distances.forget();
            self.revision = space.revision();
        }
    }

    fn end_trial(&mut self) {
        self.expanded += self.trial.take().map_or(0, |trial| trial.distances.reverse_expanded());
    }
}

impl<S: SpaceGraph, H: HeuristicSource<S>> HeuristicSource<S> for Guides<S, H> {
    type Heuristic<'a>
        = Guide<'a, S, H>
    where
        Self: 'a;

    #[inline]
    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Guide<'a, S, H> {
        self.keep_up(space);
        let Self { own, priced, .. } = self;
        let own = own.heuristic(space, goals, origin);
        let Some(priced) = priced else { return Guide::own(own) };
        Guide::either(own, priced.distances.heuristic(space, goals, origin))
    }

    fn forget(&mut self) {
        self.own.forget();
        (self.priced, self.trial) = (None, None);
    }

    fn prepare(&mut self, space: &S, asks: &[(&Goals, NodeId)]) {
        self.own.prepare(space, asks);
    }

    #[inline]
    fn touch(&self, goals: &Goals, origin: NodeId) -> bool {
        self.own.touch(goals, origin)
    }

    #[inline]
    fn epoch(&mut self, space: &S, goals: &Goals, origin: NodeId) -> u64 {
        let own = self.own.epoch(space, goals, origin);
        let Some(priced) = &mut self.priced else { return own };
        let known = priced.distances.heuristic(space, goals, origin).estimate(space, origin, &mut Fuel::none());
        if known.is_ok() { u64::MAX - self.changes } else { own }
    }

    fn begin_tick(&mut self, work: u64) {
        self.own.begin_tick(work);
    }

    fn end_tick(&mut self, space: &S, asks: &mut dyn Iterator<Item = (&Goals, NodeId)>, fuel: &mut Fuel) {
        self.own.end_tick(space, asks, fuel);
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.own.renew(space, goals, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        self.own.revision(space, goals)
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.own.keep_only(needed);
        self.priced.iter_mut().for_each(|priced| priced.distances.keep_only(needed));
    }

    fn release(&mut self, goals: &Goals) {
        self.own.release(goals);
        self.priced.iter_mut().for_each(|priced| priced.distances.release(goals));
    }

    fn write_to(&self, space: &S, words: &mut Words) {
        self.own.write_to(space, words);
        [self.revision, self.changes, self.expanded].into_iter().for_each(|number| words.word(number));
        for priced in [&self.priced, &self.trial] {
            words.flag(priced.is_some());
            let Some(Priced { currents, distances, .. }) = priced else { continue };
            words.size(currents.len());
            currents.iter().for_each(|current| current.write_to(words));
            distances.write_to(space, words);
        }
    }

    fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.own.read_from(space, words)?;
        (self.revision, self.changes, self.expanded) = (words.word()?, words.word()?, words.tally()?);
        let mut read = |against| -> Result<Option<Priced<S>>, Garbled> {
            if !words.flag()? {
                return Ok(None);
            }
            let count = words.count()?;
            let currents: Result<Arc<[Current]>, Garbled> = (0..count).map(|_| Current::read_from(words)).collect();
            let mut priced = self.at_the_price(space, &currents?, against).ok_or(Garbled::new("currents"))?;
            priced.distances.read_from(space, words)?;
            Ok(Some(priced))
        };
        let (priced, trial) = (read(AGAINST)?, read(IN_TRIAL)?);
        (self.priced, self.trial) = (priced, trial);
        Ok(())
    }

    fn detach(&mut self, copies: &mut Copies) {
        self.own.detach(copies);
    }

    fn bytes(&self) -> usize {
        self.own.bytes() + self.priced.iter().chain(&self.trial).map(|priced| priced.distances.bytes()).sum::<usize>()
    }

    fn reverse_expanded(&self) -> u64 {
        self.own.reverse_expanded() + self.expanded_for_prices()
    }
}

/// Whether the way from `node`, by the distances of `guide` that are known, has a charge within so many moves. Each of
/// them costs a unit of work.
fn leads_against<S: SpaceGraph>(
    space: &S,
    charges: &Charges<S>,
    guide: &mut impl Heuristic<S>,
    mut node: NodeId,
    (moves, fuel): (usize, &mut Fuel),
) -> Result<bool, Suspended> {
    let mut left = |node| guide.estimate(space, node, &mut Fuel::none()).ok().flatten();
    let Some(mut here) = left(node) else { return Ok(false) };
    for _ in 0..moves {
        fuel.burn()?;
        let known = space.moves(node).filter_map(|m| Some((left(m.to)?, m)));
        let nearest = known.filter(|(left, _)| *left < here).min_by_key(|(left, m)| m.cost.plus(*left));
        let Some((left, m)) = nearest else { return Ok(false) };
        if charges.steps(space, node, m.to) > 0.0 {
            return Ok(true);
        }
        (node, here) = (m.to, left);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use giveway_core::heuristic::Zero;
    use giveway_distance::TrueDistances;
    use giveway_spaces::Grid;

    use super::*;

    const UP: Current = Current { at: [4.0, 1.0, 0.0], direction: [-1.0, 0.0, 0.0], radius: 2.0 };

    #[test]
    fn moves_against_a_current_are_charged() {
        let charge = |from: [f32; 2], to: [f32; 2]| UP.charge([from[0], from[1], 0.0], [to[0], to[1], 0.0]);
        assert_eq!(charge([3.0, 1.0], [4.0, 1.0]), 0.25, "a quarter of the way through the middle");
        assert_eq!(charge([4.0, 1.0], [3.0, 1.0]), 0.0, "along it");
        assert_eq!(charge([4.0, 1.0], [4.0, 2.0]), 0.0, "across it");
        assert_eq!(charge([3.0, 4.0], [4.0, 4.0]), 0.0, "beside it");
    }

    /// Two corridors of one cell, in rows 1 and 7, through a wall from x = 2 to x = 6.
    fn two_corridors() -> Grid {
        Grid::from_fn(9, 9, |x, y| !(2..=6).contains(&x) || y == 1 || y == 7).unwrap()
    }

    fn guides(grid: &Grid) -> Guides<Grid, TrueDistances<Grid, Zero>> {
        let position: Position<Grid> = |grid, node| giveway_core::Embedding::position(grid, node);
        let mut guides = Guides::new(TrueDistances::tables(), Some(position));
        // What is known of the class's own distances.
        let goals = Goals::one(grid.node(8, 1).unwrap());
        let start = grid.node(0, 1).unwrap();
        guides.own.heuristic(grid, &goals, start).estimate(grid, start, &mut Fuel::unlimited()).unwrap();
        guides
    }

    #[test]
    fn the_detour_around_a_current_is_the_other_corridor() {
        let grid = two_corridors();
        let [left, right] = [0, 8].map(|x| grid.node(x, 1).unwrap());
        let tried = |from, to| {
            let mut guides = guides(&grid);
            let goals = Goals::one(to);
            let tried = guides.tried(&grid, &[UP].into(), (&goals, from), &mut Fuel::unlimited());
            tried.unwrap().unwrap().map(|cost| cost.unwrap() / 1000)
        };
        assert_eq!(tried(left, right), [8, 20], "against it");
        assert_eq!(tried(right, left), [8, 8], "along it");
    }

    #[test]
    fn only_who_would_go_against_a_current_goes_by_other_distances() {
        let grid = two_corridors();
        let start = grid.node(0, 1).unwrap();
        let heeded = |to: NodeId, moves| {
            let mut guides = guides(&grid);
            guides.set(&grid, &[UP].into());
            let goals = Goals::one(to);
            guides.own.heuristic(&grid, &goals, start).estimate(&grid, start, &mut Fuel::unlimited()).unwrap();
            guides.heed(&grid, (&goals, start), moves, &mut Fuel::unlimited()).unwrap();
            let left = guides.heuristic(&grid, &goals, start).estimate(&grid, start, &mut Fuel::none());
            left.unwrap().unwrap() / 1000
        };
        assert_eq!(heeded(grid.node(8, 1).unwrap(), 32), 20);
        assert_eq!(heeded(grid.node(8, 1).unwrap(), 2), 8, "it is far from the current");
        assert_eq!(heeded(grid.node(8, 7).unwrap(), 32), 14, "it takes the other corridor");
    }
}
