//! Bodies for cooperative pathfinding with `giveway`: units of every size, shape and speed, and vehicles that drive
//! along curves.
//!
//! A [`Body`] has a shape and a speed. [`Body::on`] finds where the body fits on a grid, or in any other space with
//! positions, and gives a space and a footprint. A [`Vehicle`] is a body with [primitives](Primitives), the curves
//! along which it drives; [`Vehicle::on`] makes the [`Lattice`] of its poses. Units of different sizes, shapes and
//! speeds, in different spaces, can share one crowd if their footprints are on one [`Ground`].

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod body;
mod body_error;
mod body_in;
mod clearance;
mod common_ticks;
mod fit;
mod footprint;
mod graph_clearance;
mod ground;
mod lattice;
mod nearby;
mod shape;
mod survey;
mod trajectory;
mod walls;

pub use body::Body;
pub use body_error::BodyError;
pub use body_in::BodyIn;
pub use clearance::Clearance;
pub use common_ticks::CommonTicks;
pub use footprint::{BodyFootprint, Stamped};
pub use graph_clearance::GraphClearance;
pub use ground::{Granularity, Ground};
pub use lattice::{Headings, Lattice, Primitives, Vehicle};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
