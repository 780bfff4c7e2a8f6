//! Why a search returned no path.

use std::fmt;

use crate::vocabulary::Suspended;

/// Why a search returned no path: there is no path, or the search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPath {
    /// Every reachable state was expanded: there is no path, and more time or fuel will not help.
    Exhausted,
    /// Some states were not searched: they lie beyond the last permitted tick, or there are too many states to number.
    /// A path through such states may exist.
    LimitReached,
    /// Not known yet: the search stopped early, because fuel or memory ran out.
    Suspended(Suspended),
}

impl fmt::Display for NoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted => f.write_str("there is no path"),
            Self::LimitReached => f.write_str("no path was found within the permitted ticks"),
            Self::Suspended(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for NoPath {}

impl From<Suspended> for NoPath {
    fn from(why: Suspended) -> Self {
        Self::Suspended(why)
    }
}
