//! Why an agent has no plan: one list for all strategies.

use std::fmt;

use giveway_core::{NoPath, Refused, Suspended};

/// The reason why an agent has no plan, or no new plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPlan {
    /// The agent's goals cannot be reached, even without other agents.
    Unreachable,
    /// Other agents leave the agent no path: agents that planned before it, or agents whose reservations it must
    /// respect.
    Blocked,
    /// No path arrives by the given latest tick.
    TooLate,
    /// The agent was not on its goal when the crowd was given up. A crowd is given up at its latest tick, or when no
    /// agent comes nearer to its goal any more.
    TimeUp,
    /// The budget of the tick was used up before an answer was found.
    OutOfBudget,
    /// Distances have reached their memory bound, and the distances of the agent are not known yet.
    OutOfMemory,
    /// The [`Watch`](crate::Watch) stopped the strategy before the agent's turn, or during it.
    Stopped,
    /// The store refused a reservation of the agent. If that happens at the start, two bodies overlap; if it happens
    /// later, the footprint breaks its contract.
    Refused(Refused),
}

impl From<Suspended> for NoPlan {
    fn from(why: Suspended) -> Self {
        match why {
            Suspended::OutOfFuel => Self::OutOfBudget,
            Suspended::OutOfMemory => Self::OutOfMemory,
        }
    }
}

impl From<NoPath> for NoPlan {
    fn from(why: NoPath) -> Self {
        match why {
            NoPath::LimitReached => Self::TooLate,
            NoPath::Suspended(why) => why.into(),
            _ => Self::Blocked,
        }
    }
}

impl fmt::Display for NoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "its goal cannot be reached",
            Self::Blocked => "other agents block its way",
            Self::TooLate => "no path arrives in time",
            Self::TimeUp => "the crowd was given up before it reached its goal",
            Self::OutOfBudget => "the budget of the tick was used up",
            Self::OutOfMemory => "distances have reached their memory bound",
            Self::Stopped => "planning was stopped",
            Self::Refused(why) => return write!(f, "its reservations were refused: {why}"),
        })
    }
}
