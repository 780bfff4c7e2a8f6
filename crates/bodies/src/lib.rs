//! Bodies for cooperative pathfinding with `giveway`: units of every size, shape and speed, and vehicles that drive along curves.
//!
//! A [`Body`] has a shape and a speed. [`Body::on`] finds where the body fits on a grid, [`Body::on_graph`] where it fits in any other space with
//! positions; each gives a space and a footprint. A [`Vehicle`] is a body with [primitives](Primitives), the curves along which it drives;
//! [`Vehicle::on`] makes the [`Lattice`] of its poses. Units of different sizes, shapes and speeds, in different spaces, can share one crowd if
//! their footprints are on one [`Ground`].

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod body;
mod clearance;
mod common_ticks;
mod error;
mod footprint;
mod ground;
mod lattice;
mod on_graph;
mod room;
mod shape;
mod sliding_disc;
mod stamp;
mod trajectory;

pub use body::Body;
pub use clearance::Clearance;
pub use common_ticks::CommonTicks;
pub use error::BodyError;
pub use footprint::BodyFootprint;
pub use ground::{Granularity, Ground, GroundError};
pub use lattice::{Headings, Lattice, Primitives, Vehicle};
pub use on_graph::{GraphClearance, GraphFootprint};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
