//! Searches: the one space-time A*, the spatial A*, and fringe search.
//!
//! Both A* take states off an open list by smaller `f`, burn [`Fuel`](crate::Fuel) and report to an [`Observer`](crate::Observer). They
//! differ in how they tell states apart: the spatial search keeps what it knows in a flat array over nodes; the space-time search has an arena
//! that grows with the states reached, not with map times time, and a mask of ticks for each node that it touches. Of equal `f`, the space-time search takes the larger `g`, then
//! the newer state; the spatial search takes the newer one. Fringe search has no open list, and answers what the spatial A* answers.

mod fringe;
mod nodes_reached;
mod quanta;
mod query;
mod reached;
mod route;
mod safe_intervals;
mod smoothing;
mod space_time;
mod spatial;
mod tree;

pub use fringe::FringeSearch;
pub use query::{Query, Scene, TimeModel};
pub use route::Route;
pub use space_time::SpaceTimeSearch;
pub use spatial::SpatialSearch;

use std::fmt;

use crate::vocabulary::fuel::Suspended;

/// Why a search returned no path: there is none, or the search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPath {
    /// Every reachable state was expanded: there is no path, and more time or fuel will not help.
    Exhausted,
    /// States were left out: they were beyond the last permitted tick, or too many to number. A path may exist there.
    LimitReached,
    /// Not known yet: the search stopped early and can be continued.
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
