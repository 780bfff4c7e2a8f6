//! Ready-made spaces: [`Grid`], with four or eight neighbours, walls and terrain.

mod directions;
mod grid;

pub use directions::Direction;
pub use grid::{Connectivity, CornerCutting, Grid, GridError};
