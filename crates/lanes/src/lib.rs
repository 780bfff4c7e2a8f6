//! Direction maps learn in which directions units move. Moves against these directions then cost more.
//!
//! Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008.

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod coherence;
mod crisscross;
mod crossings;
mod directions;
mod fingerprint;
mod moves;
mod places;
mod raster;
mod rules;
mod vector;
mod world;

pub use coherence::{Coherence, Target};
pub use crisscross::Crisscross;
pub use crossings::{CrossingMap, Crossings};
pub use directions::Directions;
pub use moves::{EdgeDirectionMap, InvalidValue, Moves};
pub use places::{DirectionMap, InvalidDirection, Places};
pub use raster::{InvalidRaster, Raster};
pub use rules::{Blank, DirectionRules, Ends};
pub use world::{InvalidCell, WorldDirectionMap};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
