//! Why a grid cannot be made.

use std::fmt;

use super::MOST_CELLS;

/// Why a grid cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum GridError {
    /// The grid would have no cells.
    Empty,
    /// The grid would have more than 2^30 - 1 cells.
    TooLarge {
        /// The columns asked for.
        width: u32,
        /// The rows asked for.
        height: u32,
    },
    /// A row of a picture and the first row differ in length.
    Ragged {
        /// The line of the picture, from 1.
        line: usize,
        /// The number of cells in the line.
        found: usize,
        /// The number of cells in the first row.
        expected: usize,
    },
    /// The weight of a free cell is zero or too large.
    Weight {
        /// The column.
        x: u32,
        /// The row.
        y: u32,
        /// The weight.
        weight: u32,
    },
    /// The height of the cells is infinite or not a number.
    Height(f32),
    /// The slowness of a free cell is out of range.
    Slowness {
        /// The column.
        x: u32,
        /// The row.
        y: u32,
        /// The slowness.
        slowness: f32,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a grid needs at least one row and one column"),
            Self::TooLarge { width, height } => {
                write!(f, "a grid of {width} x {height} cells is too large: at most {MOST_CELLS} cells fit")
            }
            Self::Ragged { line, found, expected } => {
                write!(f, "line {line} of the picture has {found} cells, the first row has {expected}")
            }
            Self::Weight { x, y, weight } => {
                write!(f, "the weight {weight} of cell ({x}, {y}) is not between 1 and 1000")
            }
            Self::Height(height) => write!(f, "a grid cannot be at height {height}: expected a finite number"),
            Self::Slowness { x, y, slowness } => {
                write!(f, "the slowness {slowness} of cell ({x}, {y}) is not between 0.01 and 100")
            }
        }
    }
}

impl std::error::Error for GridError {}
