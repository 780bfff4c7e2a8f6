//! Ready-made spaces: [`Grid`], with four or eight neighbours, walls and terrain.

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod directions;
mod grid;

pub use directions::Direction;
pub use grid::{Connectivity, CornerCutting, Grid, GridError};
