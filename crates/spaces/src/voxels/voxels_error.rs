//! Why there is no such space of voxels.

use std::fmt;

/// Why there is no such space of voxels.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum VoxelsError {
    /// A side of the box, or the height of a unit, is zero.
    Empty,
    /// There are more cells, or more cells and steps, than 32-bit ids.
    TooLarge {
        /// The numbers of cells along x, y and z.
        size: [u32; 3],
    },
    /// The weight of a place is zero or too large.
    Weight {
        /// The cell.
        cell: [u32; 3],
        /// The weight.
        weight: u32,
    },
    /// The slowness of a place is out of range.
    Slowness {
        /// The cell.
        cell: [u32; 3],
        /// The slowness.
        slowness: f32,
    },
}

impl fmt::Display for VoxelsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("expected at least one cell along each side, and units at least one cell high"),
            Self::TooLarge { size: [x, y, z] } => {
                write!(f, "a box of {x} x {y} x {z} cells is too large for 32-bit ids of cells and steps")
            }
            Self::Weight { cell: [x, y, z], weight } => {
                write!(f, "the weight {weight} of cell ({x}, {y}, {z}) is not between 1 and 1000")
            }
            Self::Slowness { cell: [x, y, z], slowness } => {
                write!(f, "the slowness {slowness} of cell ({x}, {y}, {z}) is not between 0.01 and 100")
            }
        }
    }
}

impl std::error::Error for VoxelsError {}
