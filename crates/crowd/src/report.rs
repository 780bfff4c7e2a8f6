//! Reports: what happened in a tick, and which agent waits for which. Why an agent waits is found in `reason`.

use giveway_core::{AgentId, Entry, NodeId, Tick};

use crate::news::News;
use giveway_members::chain::Served;
use giveway_strategies::NoPlan;

/// The events of one tick.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The tick that has passed: the tick at which the motions in this report began.
    pub tick: Tick,
    /// Agents with a new plan, in the order in which they planned. An agent of
    /// [`Planner::LocalRepair`](super::Planner::LocalRepair) counts if it has a new route.
    pub planned: Vec<AgentId>,
    /// Agents that searched for a plan and found no plan, with the reason. Such an agent keeps the rest of its old
    /// plan, and tries again at the next tick.
    pub failed: Vec<(AgentId, NoPlan)>,
    /// Agents that could not plan at their turn. There are three reasons: the budget was used up; distances have
    /// reached their memory bound; or searches for windows have taken [too much work in vain](super::Budget) at this
    /// tick. At the next tick these agents plan first.
    pub postponed: Vec<AgentId>,
    /// The postponed agents that do not know their way yet because distances have reached their [memory
    /// bound](giveway_distance::TrueDistances::keep_at_most). These agents go on, in the order of their turns,
    /// when memory becomes free. Memory becomes free when another agent arrives, or when another agent has known its
    /// way for 32 steps and has come no nearer to its goal.
    pub out_of_memory: Vec<AgentId>,
    /// Agents with a new plan because an agent of higher rank took some of their reservations.
    pub overridden: Vec<AgentId>,
    /// Agents that planned once at a rank above all other agents, because they had found no plan at their own rank.
    pub promoted: Vec<AgentId>,
    /// Agents that move because they push, or are pushed; see [`Planner::Pibt`](super::Planner::Pibt).
    pub pushed: Vec<AgentId>,
    /// The work of the step planner: the number of operations that it tested, plus a sixteenth of the number of
    /// operations that it compared; see [`Planner::Step`](super::Planner::Step).
    pub operations: u64,
    /// How often an agent took another operation of the step planner, because an agent of higher rank needed the place.
    pub inheritances: u64,
    /// Agents that were planned together, one list for each knot; see [`Planner::Lacam`](super::Planner::Lacam).
    pub knots: Vec<Vec<AgentId>>,
    /// The number of overrides that were rolled back because the overridden agents could not make way.
    pub rolled_back: u32,
    /// Agents that the execution guard stopped before a planned move, because another agent unexpectedly stays in the
    /// way.
    pub stopped: Vec<AgentId>,
    /// Agents whose moves under way take a tick longer, in ascending order. The first kind are agents that [report
    /// their moves](super::Crowd::set_reports_moves): the planned end of the move has come, but the game has not said
    /// that the move is done. The second kind are agents that would have run into an agent of the first kind.
    pub held: Vec<AgentId>,
    /// Agents that have reached their goal for the first time since their last order. On a [queue](crate::Crowd::queue)
    /// or a [patrol](crate::Crowd::patrol), each goal counts. An agent that [follows](crate::Crowd::follow) a target
    /// never arrives, unless it follows [once](crate::Follow::once).
    pub arrived: Vec<AgentId>,
    /// News of standing orders, in ascending order of agents. A standing order goes on without another call: for
    /// example, to follow a target, or to patrol.
    pub news: Vec<(AgentId, News)>,
    /// Agents that can never reach their goal, even alone. Such an agent loses its order, and stands by at its place or
    /// nearby. If there is no free place to stand by, the agent keeps its order, and is listed again at later ticks.
    pub unreachable: Vec<AgentId>,
    /// Agents that were found to be stuck at this tick: see [`Stuck`]. A stuck agent is not listed again before it has
    /// been [freed](Self::freed).
    pub stuck: Vec<Stuck>,
    /// Agents that were stuck, and are stuck no longer. Such an agent has come nearer to its goals than ever before
    /// since its order; or it has arrived; or it has lost its order or got another order.
    pub freed: Vec<AgentId>,
    /// The number of agents that began a move.
    pub moves: usize,
    /// The number of searches, in space and time or in space alone, including searches for overrides that were rolled
    /// back.
    pub searches: u32,
    /// The number of states or nodes that the [searches](Self::searches) expanded.
    pub expansions: u64,
    /// The number of nodes that reverse searches expanded.
    pub reverse_expansions: u64,
    /// The work of the tick, in the units of a [budget](super::Budget). The work is at most the budget of the tick.
    pub work: u64,
    /// The number of pairs of agents that overlap because of [`SoftRests`](super::SoftRests).
    pub overlaps: usize,
    /// The number of agents executing a plan, counted by the planner that made the plan.
    pub served: Served,
}

/// What the last tick had no budget and no memory for. Only explanations read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastTick {
    pub(crate) postponed: Vec<AgentId>,
    pub(crate) out_of_memory: Vec<AgentId>,
}

impl LastTick {
    /// Keeps what `report` says.
    pub(crate) fn note(&mut self, report: &Report) {
        self.postponed.clone_from(&report.postponed);
        self.out_of_memory.clone_from(&report.out_of_memory);
    }
}

/// An agent that is under way and has come no nearer to its goals for a [long time](crate::CrowdSettings::stuck_after),
/// with the agents that are in its way.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stuck {
    /// The agent that is stuck.
    pub agent: AgentId,
    /// The tick at which the agent last came nearer to its goals than ever before since its order, or last stood on one
    /// of its goals. If neither has happened, this is the tick of the order.
    pub since: Tick,
    /// The agents that are in the way, in ascending order. If these agents were gone, the stuck agent could reach its
    /// goals, or come eight plain steps nearer to them than ever before, even if all other agents stayed where they
    /// are.
    ///
    /// For units that occupy one cell, no smaller set of agents has this property. For units that occupy several cells,
    /// a smaller set may exist, but no agent can be left out of this set. The set may be larger than necessary in two
    /// cases: the searches for it together have looked at 512 places, or the [budget](crate::Budget) of the tick is too
    /// small for them. Then the set names the agents on the way past the fewest agents, or straight ahead if no such way
    /// was found.
    ///
    /// The set is empty in two cases: no agent is in the way; or the search straight ahead has looked at 1024 places
    /// without a result.
    pub by: Vec<AgentId>,
}

/// An agent that [waits](crate::Crowd::waiting), and the agent for which it waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// The agent that waits.
    pub agent: AgentId,
    /// The node to which the agent would like to go, at its next move or farther on.
    pub to: NodeId,
    /// A reservation that the agent needs for the move to that node, and that the other agent holds.
    pub entry: Entry,
    /// The agent that holds the reservation.
    pub by: AgentId,
    /// The tick until which the other agent is in the way, by present plans. [`FOREVER`](giveway_core::FOREVER): no end
    /// is planned.
    pub until: Tick,
}

/// Why an agent does not move at the next tick. If several reasons hold, the reason is the one that stands first in the
/// list of variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The agent is [held](crate::Crowd::hold), where it stands or on its way.
    Held {
        /// The tick until which it is held.
        until: Tick,
    },
    /// The agent moves: a move is under way, or begins at the next tick.
    Moves,
    /// The agent stands on one of its goals, or is a bystander, or is an [outsider](crate::Crowd::predict).
    Rests,
    /// The agent does not know its way, because distances have reached their [memory
    /// bound](giveway_distance::TrueDistances::keep_at_most).
    OutOfMemory,
    /// The agent does not know its way yet: no tick has gone by since its order, or the budgets since then were too
    /// small.
    WayUnknown,
    /// No way leads to its goals, even if all other agents were gone. The reason is also given if the plan that the
    /// agent would make alone takes more than 65,536 units of work.
    NoWay,
    /// The agent goes along a [path of its own](crate::Crowd::send_along), and a move of this path is not possible in
    /// the space as it is now: a node is closed, or units may not enter an area that is [vacated](crate::Crowd::vacate),
    /// or the move has another duration than before. The agent goes on when all moves of its path are possible again.
    PathClosed {
        /// The node to which the first such move leads.
        to: NodeId,
    },
    /// The last tick had no work left for the agent: the [budget](super::Budget) was used up, or windows had taken too
    /// much work in vain.
    OutOfBudget,
    /// The agent stays because its plan says so. If the agent planned now, it would move: the agents that were in its
    /// way have gone, or go elsewhere by now. At tick `until` the agent moves, or plans anew.
    AsPlanned {
        /// The tick at which the agent moves or plans anew. This tick is the next one to begin, or a later one.
        until: Tick,
    },
    /// No move may begin now, because moves begin only at [certain ticks](giveway_core::SpaceGraph::departs).
    Timetable,
    /// Other agents are in the way. The explanation [names](Explanation::by) these agents.
    InTheWay,
}

/// Why an agent does not go on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Explanation {
    /// The reason. `None`: there is no such agent.
    pub reason: Option<Reason>,
    /// The agents in the way, in ascending order. The set is empty for every reason except [`Reason::InTheWay`].
    ///
    /// If the agents of the set were gone, the agent would begin to move now, even if all other agents did what they
    /// have planned. No agent can be left out of this set. There are two exceptions:
    /// * The agent goes along a [path of its own](crate::Crowd::send_along). Then the set is the first agent that is in
    ///   the way.
    /// * The agent would not move even without all agents that hold a part of its way. Then the set is all these
    ///   agents.
    pub by: Vec<AgentId>,
    /// A chain of agents that wait for each other. In each link, one agent waits for another agent in its way. In the
    /// first link, the agent in question waits. The agent that is in the way in one link is the agent that waits in the
    /// next link. The chain is empty if no agent is in the way. The chain has at most 256 links.
    pub chain: Vec<Waiting>,
    /// The indices of a cycle in the chain, if there is a cycle: these agents wait for each other.
    pub cycle: Option<std::ops::Range<usize>>,
}
