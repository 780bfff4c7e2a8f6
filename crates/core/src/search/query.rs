//! Queries: what a search is asked.

use crate::reservation::Claim;
use crate::vocabulary::{AtEnd, Cost, FOREVER, Goals, NodeId, Tick};

/// A question to a search.
#[derive(Clone, Debug)]
pub struct Query<C> {
    /// The agent that asks, and its rank.
    pub claim: Claim,
    /// Where the agent is.
    pub start: NodeId,
    /// The first tick at which the agent may set out.
    pub depart: Tick,
    /// Where the agent wants to be.
    pub goals: Goals,
    /// What the agent does at its goal. With [`AtEnd::Stay`] the path ends only where the agent can stay for ever.
    pub at_end: AtEnd,
    /// The last tick at which an action may end; [`FOREVER`] if there is no limit.
    pub latest: Tick,
    /// How far to look ahead. The path ends with the first action that ends at this tick or later, on a goal or not.
    /// [`FOREVER`], the default: there is no horizon, and the path ends on a goal.
    ///
    /// With a horizon, the cost of a path includes the [estimate](crate::Heuristic::estimate) at its end, as if a last
    /// action led from there to the goals (Silver's terminal node). Pausing on a goal costs nothing.
    pub horizon: Tick,
    /// Whether a path with a horizon may also end before the horizon, on a goal; with [`AtEnd::Stay`] only where the
    /// agent can stay for ever. `false` by default.
    pub ends_on_goal: bool,
    /// The cost of waiting for as long as a plain step takes: [`ticks_per_step`](crate::Footprint::ticks_per_step)
    /// ticks. [`Cost::STEP`] by default.
    pub wait_cost: C,
    /// Until this tick the agent must make way, while it rests, for agents that come to its place. The search only
    /// [passes the tick on](crate::Asker::yields_until) to layers. 0 by default.
    pub yields_until: Tick,
    /// How the search waits. [`TimeModel::Quanta`] by default.
    pub time: TimeModel,
}

/// How a search waits: which departures it considers.
///
/// A search finds a path that is cheapest among the paths whose departures its model considers. With a [wait
/// quantum](crate::Footprint::wait_quantum) of one tick, both models find paths of equal cost, except for rounding:
/// with integer costs, the cost of a wait that is shorter than a step is rounded. With a longer quantum, paths by safe
/// intervals are as cheap or cheaper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TimeModel {
    /// The agent waits for one [wait quantum](crate::Footprint::wait_quantum) at a time. Work grows with the ticks
    /// waited.
    #[default]
    Quanta,
    /// The agent waits until a move can be made: Phillips & Likhachev, "SIPP: Safe Interval Path Planning for Dynamic
    /// Environments", ICRA 2011. Work grows with the number of reservations of each place, not with ticks.
    ///
    /// For each span of ticks in which the target of a move is free, the search considers one departure: the first tick
    /// at which the move can be made. The model requires that waits and surcharges cost equally much at all times, that
    /// waits cost equally much everywhere, and that the store lists when cells are free. In these cases the search
    /// waits by quanta instead:
    /// * the query has a [horizon](Query::horizon), as all searches of a crowd have;
    /// * the layer is not [timeless](crate::CostLayer::is_timeless);
    /// * some moves of the space may begin [only at certain ticks](crate::SpaceGraph::departs);
    /// * the store has no [free intervals](crate::ReservationStore::free_intervals).
    SafeIntervals,
}

impl<C: Cost> Query<C> {
    /// A query for a path that begins at `start` at tick 0. The agent stays at its goal. There is no last tick, and no
    /// horizon.
    pub fn new(claim: Claim, start: NodeId, goals: Goals) -> Self {
        Self {
            claim,
            start,
            depart: 0,
            goals,
            at_end: AtEnd::Stay,
            latest: FOREVER,
            horizon: FOREVER,
            ends_on_goal: false,
            wait_cost: C::STEP,
            yields_until: 0,
            time: TimeModel::default(),
        }
    }

    /// Whether an agent on `node` at `tick` may end its path there, if it can stay.
    #[inline]
    pub(super) fn ends(&self, node: NodeId, tick: Tick) -> bool {
        tick >= self.horizon || (self.ends_on_goal || self.horizon == FOREVER) && self.goals.contains(node)
    }
}
