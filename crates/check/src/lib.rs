//! Independent checkers: of plans and traces by conflict rules, and of bodies in continuous time.
//!
//! The checkers share no code with stores, footprints and searches, so they find mistakes there. From `giveway-core`
//! they use only the vocabulary (agents, paths, plans, traces) and the moves of a space. A test reads their imports.

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod bodies;
mod by_number;
mod checker;
mod conflicts;
mod geometry;
mod recorded;
mod violation;

pub use bodies::{BodyChecker, Enclosure, Excursion, Overlap, Wall, WallOverlap};
pub use checker::Checker;
pub use violation::Violation;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
