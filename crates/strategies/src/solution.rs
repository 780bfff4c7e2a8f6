//! Solutions: what a strategy made of an instance.

use std::fmt;

use giveway_core::{AgentId, NoPath, Plan, Refused, SpaceGraph};

use crate::crowd::Served;

/// What a strategy made of an instance.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<A, C> {
    /// A path for every agent; those in [`unplanned`](Self::unplanned) stand at their start.
    pub plan: Plan<A, C>,
    /// The agents for whom no path was found, by id.
    pub unplanned: Vec<Unplanned>,
    /// How many states the searches expanded, in all rounds.
    pub expansions: u64,
    /// How many nodes the reverse searches expanded.
    pub reverse_expansions: u64,
    /// How often planning was begun, the last time included.
    pub rounds: u32,
    /// Of a crowd, how many ticks of its agents went by as which link of their chains had planned; of others, none.
    pub served: Served,
}

/// The solution of an instance in space `S`.
pub type SolutionIn<S> = Solution<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

impl<A, C> Solution<A, C> {
    /// Whether every agent has a path to one of its goals. Of conflicts it says nothing: [`Independent`](crate::Independent)
    /// is complete as soon as all goals can be reached. The plans of [`Cooperative`](crate::Cooperative) have none.
    pub fn is_complete(&self) -> bool {
        self.unplanned.is_empty()
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
