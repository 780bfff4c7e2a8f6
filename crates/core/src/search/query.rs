//! What a search is asked, and in which world.

use crate::cost::Cost;
use crate::goals::Goals;
use crate::path::AtEnd;
use crate::reservation::Claim;
use crate::space::NodeId;
use crate::time::{FOREVER, Tick};

/// The world in which an agent searches: where it can go, what it occupies, who is in the way, what actions cost.
#[derive(Debug)]
pub struct Scene<'a, S, F, R, L> {
    /// The places and moves.
    pub space: &'a S,
    /// What the agent occupies.
    pub footprint: &'a F,
    /// Who holds which cell when.
    pub reservations: &'a R,
    /// What actions cost beyond the space's own costs.
    pub layer: &'a L,
}

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct Query<C> {
    /// Who asks, and at which rank.
    pub claim: Claim,
    /// Where the agent is.
    pub start: NodeId,
    /// When it may set out.
    pub depart: Tick,
    /// Where it wants to be.
    pub goals: Goals,
    /// What it does there: whether it must be able to stay for ever.
    pub at_end: AtEnd,
    /// The last tick at which an action may end; [`FOREVER`] if there is no limit.
    pub latest: Tick,
    /// How far to look ahead: the path ends with the first action that ends at this tick or later, wherever that is;
    /// [`FOREVER`], the default: on a goal, whenever that is.
    ///
    /// With a horizon, a path costs what its actions cost and the [estimate](crate::Heuristic::estimate) at its end: as if a
    /// last action, from there to the goals, were part of it (Silver's terminal node). Pausing on a goal costs nothing.
    pub horizon: Tick,
    /// What waiting costs for as long as a plain step takes, which is
    /// [`ticks_per_step`](crate::Footprint::ticks_per_step) ticks. [`Cost::STEP`] by default.
    pub wait_cost: C,
    /// Until when the agent must make way for somebody who comes where it rests; layers are
    /// [told](crate::Asker::yields_until). 0 by default.
    pub yields_until: Tick,
    /// How the search waits. [`TimeModel::Quanta`] by default.
    pub time: TimeModel,
}

/// How a search waits: which departures it considers.
///
/// Both find a cheapest path, each among the waits that it considers. With a
/// [wait quantum](crate::Footprint::wait_quantum) of one tick these are the same, and so are the costs, but for the rounding
/// of waits: a wait of part of a step costs a whole number of units. With a longer quantum safe intervals find paths that
/// cost as much or less.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TimeModel {
    /// It waits for one [wait quantum](crate::Footprint::wait_quantum) at a time. Work grows with the ticks that are waited.
    #[default]
    Quanta,
    /// It waits for as long as it takes until a move can be made: Phillips & Likhachev, "SIPP: Safe Interval Path Planning
    /// for Dynamic Environments", ICRA 2011. Work grows with how often places change hands, and not with ticks.
    ///
    /// A path leaves at the first tick at which a move can be made, and once more for every later
    /// span of ticks for which its target is free. That presumes that waiting costs the same everywhere and at all times,
    /// that the same holds for surcharges, and that a store can tell when a cell is free. Where that is not so, the search falls
    /// back to quanta: with a [horizon](Query::horizon), as all searches of a crowd have one; with a layer that is not
    /// [timeless](crate::CostLayer::is_timeless); over a store without
    /// [free intervals](crate::ReservationStore::free_intervals).
    SafeIntervals,
}

impl<C: Cost> Query<C> {
    /// From `start` at tick 0 to `goals`, to stay there, without a limit on time and without a horizon.
    pub fn new(claim: Claim, start: NodeId, goals: Goals) -> Self {
        Self {
            claim,
            start,
            depart: 0,
            goals,
            at_end: AtEnd::Stay,
            latest: FOREVER,
            horizon: FOREVER,
            wait_cost: C::STEP,
            yields_until: 0,
            time: TimeModel::default(),
        }
    }

    /// Whether an agent on `node` at `tick` may end its path there, if it is at liberty to stay.
    #[inline]
    pub(super) fn ends(&self, node: NodeId, tick: Tick) -> bool {
        if self.horizon == FOREVER { self.goals.contains(node) } else { tick >= self.horizon }
    }
}
