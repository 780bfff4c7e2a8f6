//! Solutions: the result of a strategy for an instance.

use std::fmt;

use giveway_core::{AgentId, Plan, SpaceGraph};

use crate::no_plan::NoPlan;

/// The result of a strategy for an instance. `D` holds details that depend on the strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<A, C, D = ()> {
    /// A path for every agent. An agent in [`unplanned`](Self::unplanned) stands at its start. If the solution comes
    /// from a crowd, the path of such an agent ends where the agent was when the crowd was given up.
    pub plan: Plan<A, C>,
    /// The agents without a path to a goal, by id.
    pub unplanned: Vec<Unplanned>,
    /// The number of states that the searches expanded, in all rounds.
    pub expansions: u64,
    /// The number of nodes that the reverse searches expanded.
    pub reverse_expansions: u64,
    /// Details that depend on the strategy.
    pub details: D,
}

/// Details of a solution by [`Cooperative`](crate::Cooperative) planning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CooperativeDetails {
    /// The number of rounds of planning, the last one included.
    pub rounds: u32,
}

/// The solution of an instance in space `S`.
pub type SolutionIn<S, D = ()> = Solution<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost, D>;

impl<A, C, D> Solution<A, C, D> {
    /// Whether every agent has a path to one of its goals. A complete plan can still have conflicts: plans of
    /// [`Cooperative`](crate::Cooperative) have none, but plans of [`Independent`](crate::Independent) may have
    /// conflicts.
    pub fn is_complete(&self) -> bool {
        self.unplanned.is_empty()
    }

    /// Replaces the details by the result of `map` for the details.
    pub fn map_details<E>(self, map: impl FnOnce(D) -> E) -> Solution<A, C, E> {
        let Self { plan, unplanned, expansions, reverse_expansions, details } = self;
        Solution { plan, unplanned, expansions, reverse_expansions, details: map(details) }
    }
}

/// An agent without a path, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unplanned {
    /// The agent.
    pub agent: AgentId,
    /// The reason.
    pub why: NoPlan,
}

impl Unplanned {
    /// The agents that have `failed`, by id.
    pub(crate) fn of(failed: &[Option<NoPlan>]) -> Vec<Self> {
        let agents = (0..).map(AgentId);
        agents.zip(failed).filter_map(|(agent, why)| Some(Self { agent, why: (*why)? })).collect()
    }

    /// Puts `unplanned` in order of ids.
    pub(crate) fn sort(unplanned: &mut [Self]) {
        unplanned.sort_unstable_by_key(|unplanned| unplanned.agent);
    }
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.agent, self.why)
    }
}
