//! Solutions: what a strategy made of an instance.

use std::fmt;

use giveway_core::{AgentId, NoPath, Plan, Refused, SpaceGraph};

/// What a strategy made of an instance; `D` is what only a strategy of its kind knows of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<A, C, D = ()> {
    /// A path for every agent; those in [`unplanned`](Self::unplanned) stand at their start.
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
    pub why: Failure,
}

/// Why an agent has no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// No goal can be reached, whoever else there is.
    Unreachable,
    /// The agents planned before it left it none.
    CutOff(NoPath),
    /// The store did not give what the agent needs: at the start, two bodies overlap; later, the footprint breaks its
    /// contract.
    Refused(Refused),
    /// The time was up, or nobody had come nearer to its goal for too long.
    TimeUp,
    /// The [`Watch`](crate::Watch) stopped the strategy before its turn, or during it.
    Stopped,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("its goal cannot be reached"),
            Self::CutOff(why) => write!(f, "the agents planned before it left it no path: {why}"),
            Self::Refused(why) => write!(f, "its reservations were refused: {why}"),
            Self::TimeUp => {
                f.write_str("it was not on its goal when the time was up, or it would never have come there")
            }
            Self::Stopped => f.write_str("planning was stopped"),
        }
    }
}

impl fmt::Display for Unplanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.agent, self.why)
    }
}
