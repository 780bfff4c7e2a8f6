//! Searches: the one space-time A*, the spatial A*, and fringe search.
//!
//! Both A* take states off an open list by smaller `f`, burn [`Fuel`](crate::Fuel) and report to an
//! [`Observer`](crate::Observer). The two differ in how they tell states apart. The spatial search keeps what it knows
//! in a flat array over nodes. The space-time search has an arena that grows with the states reached, not with map
//! times time, and a mask of ticks for each node that it touches. Of equal `f`, the space-time search takes the larger
//! `g`, then the newer state; the spatial search takes the newer state. Fringe search has no open list, and answers
//! what the spatial A* answers.

mod fringe;
mod no_path;
mod nodes_reached;
mod quanta;
mod query;
mod reached;
mod route;
mod safe_intervals;
mod scene;
mod smoothing;
mod space_time;
mod spatial;
mod tree;

pub use fringe::FringeSearch;
pub use no_path::NoPath;
pub use query::{Query, TimeModel};
pub use route::Route;
pub use scene::{Scene, SceneParts};
pub use space_time::SpaceTimeSearch;
pub use spatial::SpatialSearch;
