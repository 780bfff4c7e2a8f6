//! Reports: what happened in a tick, and which agent waits for which. Why an agent waits is found in `waiting.rs`.

use giveway_core::{AgentId, Entry, NodeId, Tick};

use crate::chain::Served;
use giveway_strategies::NoPlan;

/// The events of one tick.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The tick that has passed; motions began at it.
    pub tick: Tick,
    /// Agents with a new plan, in the order in which they planned. An agent that repairs routes counts if it has a new
    /// route.
    pub planned: Vec<AgentId>,
    /// Agents that looked for a plan and found none, with the reason. They keep what is left of their old plan, and try
    /// again at the next tick.
    pub failed: Vec<(AgentId, NoPlan)>,
    /// Agents that did not get to plan because budget or memory was used up. They plan first at the next tick.
    pub postponed: Vec<AgentId>,
    /// The postponed agents that do not know their way yet because distances have reached their [memory
    /// bound](giveway_core::heuristic::TrueDistances::keep_at_most). They go on, in the order of their turns, as memory
    /// becomes free: when other agents arrive, or have known their way for 32 steps and come no nearer.
    pub out_of_memory: Vec<AgentId>,
    /// Agents with a new plan because a higher rank overrode their reservations.
    pub overridden: Vec<AgentId>,
    /// Agents that planned once above all others, because they found no plan otherwise.
    pub promoted: Vec<AgentId>,
    /// Agents that move because they push, or are pushed; see [`Planner::Pibt`](super::Planner::Pibt).
    pub pushed: Vec<AgentId>,
    /// The work of the step planner: the operations that it tested, and a sixteenth of those that it compared; see
    /// [`Planner::Step`](super::Planner::Step).
    pub operations: u64,
    /// Agents that took another operation of the step planner so that another agent could have its own. An agent counts
    /// as often as this happens.
    pub inheritances: u64,
    /// Agents that were planned together, one list for each knot; see [`Planner::Lacam`](super::Planner::Lacam).
    pub knots: Vec<Vec<AgentId>>,
    /// Overrides that were rolled back because the overridden agents could not make way.
    pub rolled_back: u32,
    /// Agents that the execution guard stopped: they were about to move, and another agent unexpectedly stays in their
    /// way.
    pub stopped: Vec<AgentId>,
    /// Agents that stand on their goal for the first time since they were sent there.
    pub arrived: Vec<AgentId>,
    /// Agents that can never reach their goal, even alone. Each loses its order, and stands by where it is, or nearby.
    /// If there is no free place to stand by, the agent keeps its order, and is listed again.
    pub unreachable: Vec<AgentId>,
    /// Agents that are stuck since this tick: see [`Stuck`]. A stuck agent is listed once, until it is
    /// [free](Self::freed) again.
    pub stuck: Vec<Stuck>,
    /// Agents that were stuck, and are free again: they have come nearer to their goals than ever since their order, or
    /// have arrived, or have no order or another one.
    pub freed: Vec<AgentId>,
    /// Agents that began a move.
    pub moves: usize,
    /// Searches in space and time, and for routes in space. Searches of rolled-back overrides are included.
    pub searches: u32,
    /// States, or nodes, that these searches expanded.
    pub expansions: u64,
    /// Nodes that reverse searches expanded.
    pub reverse_expansions: u64,
    /// Units of work: at most the [budget](super::Budget) of the tick.
    pub work: u64,
    /// Pairs of agents that overlap because of [`SoftRests`](super::SoftRests); 0 without them.
    pub overlaps: usize,
    /// Agents executing a plan, counted by the planner that made it.
    pub served: Served,
}

/// An agent under way that has come no nearer to its goals for [long](crate::CrowdSettings::stuck_after), and the agents
/// that are in its way.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stuck {
    /// The agent that is stuck.
    pub agent: AgentId,
    /// The tick since which it has come no nearer than ever since its order.
    pub since: Tick,
    /// The agents that would have to go, in ascending order: without them, the agent could come eight plain steps nearer
    /// than ever, or to its goals, even if all others stayed where they are. No other set has fewer agents; for units
    /// that occupy several cells, no agent is named in vain. Empty: no agent is in the way, or the way past the others leads over more than 1024 places.
    pub by: Vec<AgentId>,
}

/// An agent that [waits](crate::Crowd::waiting), and the agent that holds the reservation it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// The agent that waits.
    pub agent: AgentId,
    /// The node to which it would like to go.
    pub to: NodeId,
    /// The reservation that the agent needs for that move, and may not have.
    pub entry: Entry,
    /// The agent that holds the reservation.
    pub by: AgentId,
    /// The end of that hold, by present plans; [`FOREVER`](giveway_core::FOREVER): it has no end.
    pub until: Tick,
}

/// The reason why an agent waits: a chain of agents, each waiting for the next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Explanation {
    /// Each agent waits for the next one. Empty: the agent does not wait.
    pub chain: Vec<Waiting>,
    /// The part of the chain that is a cycle, if there is one: its agents wait for each other.
    pub cycle: Option<std::ops::Range<usize>>,
}
