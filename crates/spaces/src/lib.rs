//! Ready-made spaces: [`Grid`], with four or eight neighbours, walls and terrain; [`GraphSpace`], any graph of petgraph;
//! [`FnSpace`], from a closure. And ready-made footprints: [`Body`], units of any size, shape and speed on a grid; [`Vehicle`], those that
//! have headings and drive along curves, on a [`Lattice`].

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod adjacency;
mod body;
mod directions;
mod fn_space;
mod graph_space;
mod grid;
mod lattice;
mod space_error;

pub use adjacency::Positions;
pub use body::{Body, BodyError, BodyFootprint, Clearance, Granularity, Ground};
pub use directions::Direction;
pub use fn_space::FnSpace;
pub use graph_space::GraphSpace;
pub use grid::{Connectivity, CornerCutting, Grid, GridError};
pub use lattice::{Headings, Lattice, Primitives, Vehicle};
pub use space_error::SpaceError;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
