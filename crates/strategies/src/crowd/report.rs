//! Reports: the types in which a crowd tells what happened in a tick, and who waits for whom. Why an agent waits is found in `waiting.rs`.

use giveway_core::{AgentId, Entry, NodeId, Tick};

use super::chain::Served;
use crate::no_plan::NoPlan;

/// What happened in one tick.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The tick that has passed: motions began at it.
    pub tick: Tick,
    /// Who has a new plan, in the order in which they planned; of those that repair routes, who has a new route.
    pub planned: Vec<AgentId>,
    /// Who looked for a plan and found none, and why; they keep what is left of their old one, and try again at the next
    /// tick.
    pub failed: Vec<(AgentId, NoPlan)>,
    /// Whose turn did not come because the budget was gone, or memory; they are the first at the next tick.
    pub postponed: Vec<AgentId>,
    /// Of the postponed, those that do not know their way yet because distances take as much memory as
    /// [they may](giveway_core::heuristic::TrueDistances::keep_at_most). They go on, in the order in which their turns came, as others arrive, or have
    /// known their way for 32 steps and come no nearer.
    pub out_of_memory: Vec<AgentId>,
    /// Whose reservations were overridden by somebody of higher rank, and who have a new plan for it.
    pub overridden: Vec<AgentId>,
    /// Who was put above all others for one plan, because it found none otherwise.
    pub promoted: Vec<AgentId>,
    /// Who makes a move because it pushes, or is pushed; see [`Planner::Pibt`](super::Planner::Pibt).
    pub pushed: Vec<AgentId>,
    /// Who has been planned together, each knot for itself; see [`Planner::Lacam`](super::Planner::Lacam).
    pub knots: Vec<Vec<AgentId>>,
    /// How often an override was taken back because its owners could not make way.
    pub rolled_back: u32,
    /// Whom the execution guard stopped: they were about to move, and somebody stays in their way who should not have.
    pub stopped: Vec<AgentId>,
    /// Who would like to go on and stays, and for whom.
    pub waiting: Vec<Waiting>,
    /// Who has come to stand on its goal for the first time since it was sent there.
    pub arrived: Vec<AgentId>,
    /// Who can never reach its goal, whoever else there is. Its order is dropped: it stands by where it is, or nearby. Where
    /// there is no free place to stand by it keeps its order, and is named again.
    pub unreachable: Vec<AgentId>,
    /// How many agents began a move.
    pub moves: usize,
    /// How many searches there were, in space and time or for routes in space, overrides that were taken back included.
    pub searches: u32,
    /// How many states, or nodes, they expanded.
    pub expansions: u64,
    /// How many nodes reverse searches expanded.
    pub reverse_expansions: u64,
    /// How many pairs of agents overlap because of [`SoftRests`](super::SoftRests); 0 without.
    pub overlaps: usize,
    /// By whose plans the agents do what they do.
    pub served: Served,
}

/// An agent that would like to go on, and who holds the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// Who waits.
    pub agent: AgentId,
    /// Where it would like to go.
    pub to: NodeId,
    /// What it would need for that and may not have.
    pub entry: Entry,
    /// Who holds it.
    pub by: AgentId,
    /// Until when, as things are planned now; [`FOREVER`](giveway_core::FOREVER): for good.
    pub until: Tick,
}

/// Why an agent waits: it waits for somebody, who waits for somebody, and so on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Explanation {
    /// Each waits for the next one. Empty: the agent does not wait for anybody.
    pub chain: Vec<Waiting>,
    /// The part of the chain that goes round in a circle, if it does: its members wait for each other.
    pub cycle: Option<std::ops::Range<usize>>,
}
