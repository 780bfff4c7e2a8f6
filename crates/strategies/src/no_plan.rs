//! Why an agent has no plan: one list for all strategies.

use std::fmt;

use giveway_core::{NoPath, Refused, Suspended};

/// Why an agent has no plan, or no new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPlan {
    /// Its goals cannot be reached, whoever else there is.
    Unreachable,
    /// Others leave it no way: those planned before it, or whose reservations it must respect.
    Blocked,
    /// No path arrives by the tick that was given as the latest.
    TooLate,
    /// The time was up, or nobody had come nearer to its goal for too long, and it was not on its goal.
    TimeUp,
    /// The budget of the tick was gone before an answer was found.
    OutOfBudget,
    /// Distances take as much memory as they may, and its own are not known yet.
    OutOfMemory,
    /// The [`Watch`](crate::Watch) stopped the strategy before its turn, or during it.
    Stopped,
    /// The store did not give what the agent needs: at the start, two bodies overlap; later, the footprint breaks its
    /// contract.
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
            Self::Blocked => "others leave it no way",
            Self::TooLate => "no path arrives in time",
            Self::TimeUp => "it was not on its goal when the time was up, or it would never have come there",
            Self::OutOfBudget => "the budget was gone",
            Self::OutOfMemory => "distances take as much memory as they may",
            Self::Stopped => "planning was stopped",
            Self::Refused(why) => return write!(f, "its reservations were refused: {why}"),
        })
    }
}
