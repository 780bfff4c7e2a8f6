//! Ready-made spaces: grids of four and eight neighbours, with terrain.

mod directions;
mod grid;

pub use directions::Direction;
pub use grid::{Connectivity, CornerCutting, Grid, GridError};
