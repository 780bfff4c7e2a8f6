//! The checker of shapes: which agents of a trace overlap at any time, also between ticks.
//!
//! It shares no code with footprints, stores and searches, so it finds their mistakes.

mod checker;
mod curves;
mod enclosure;
mod firsts;
mod levels;
mod near;
mod occupant;
mod passing;
mod pieces;
mod shape;
mod tree;
mod wall;
mod walls;
pub use checker::{BodyChecker, Overlap};
pub use enclosure::{Enclosure, Excursion};
pub use wall::Wall;
pub use walls::WallOverlap;
