//! Links: stairs, lifts, ladders, portals, jumps and ferries, added to any space.

mod link;
mod metric;
mod space;
pub use link::{Link, LinkAction};
pub use metric::ByLinks;
pub use space::Linked;
