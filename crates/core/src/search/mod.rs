//! Searches: the one space-time A*, and its spatial sibling.
//!
//! Both keep their states in an arena, take them off the same open list (smaller `f`, then larger `g`, then the newer state),
//! burn the same [`Fuel`](crate::Fuel) and show themselves to the same [`Observer`](crate::Observer). They are kept
//! apart by what tells states apart: the spatial one needs a flat array over nodes, the space-time one a table
//! that grows with what is reached and not with map times time.

mod flood;
mod open_list;
mod quanta;
mod query;
mod route;
mod safe_intervals;
mod seen;
mod space_time;
mod spatial;
mod tree;

pub(crate) use flood::Flood;
pub use query::{Query, Scene, TimeModel};
pub use route::Route;
pub use space_time::SpaceTimeSearch;
pub use spatial::SpatialSearch;

use std::fmt;

use crate::fuel::Suspended;

/// Why a search returned no path. "There is none" is not "we stopped looking".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPath {
    /// Every state that can be reached was expanded: there is no path, and more time or fuel will not help.
    Exhausted,
    /// States beyond the last permitted tick were not looked at; a path may exist there.
    LimitReached,
    /// It is not known yet: the search stopped half-way and can be continued.
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
