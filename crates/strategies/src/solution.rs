//! Solutions: what a strategy made of an instance.

use std::fmt;

use giveway_core::{AgentId, Plan, SpaceGraph};

use crate::no_plan::NoPlan;

/// What a strategy made of an instance; `D` is what only a strategy of its kind knows of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<A, C, D = ()> {
    /// A path for every agent. Those in [`unplanned`](Self::unplanned) stand at their start; of a crowd, their paths end where they have come to.
    pub plan: Plan<A, C>,
    /// The agents for whom no path was found, by id.
    pub unplanned: Vec<Unplanned>,
    /// How many states the searches expanded, in all rounds.
    pub expansions: u64,
    /// How many nodes the reverse searches expanded.
    pub reverse_expansions: u64,
    /// What only a strategy of this kind knows.
    pub details: D,
}

/// What only [`Cooperative`](crate::Cooperative) planning knows of its solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CooperativeDetails {
    /// How often planning was begun, the last time included.
    pub rounds: u32,
}

/// The solution of an instance in space `S`.
pub type SolutionIn<S, D = ()> = Solution<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost, D>;

impl<A, C, D> Solution<A, C, D> {
    /// Whether every agent has a path to one of its goals. Of conflicts it says nothing: [`Independent`](crate::Independent)
    /// is complete as soon as all goals can be reached. The plans of [`Cooperative`](crate::Cooperative) have none.
    pub fn is_complete(&self) -> bool {
        self.unplanned.is_empty()
    }

    /// The same with other details.
    pub fn map_details<E>(self, map: impl FnOnce(D) -> E) -> Solution<A, C, E> {
        let Self { plan, unplanned, expansions, reverse_expansions, details } = self;
        Solution { plan, unplanned, expansions, reverse_expansions, details: map(details) }
    }
}

/// An agent without a path, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unplanned {
    /// Which.
    pub agent: AgentId,
    /// Why.
    pub why: NoPlan,
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.agent, self.why)
    }
}
