//! Why a hexagonal grid cannot be made.

use std::fmt;

use super::{FARTHEST, MOST_HEXES};

/// Why a hexagonal grid cannot be made. A hex is told by its axial coordinates x and y.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum HexGridError {
    /// The grid would have no hexes.
    Empty,
    /// The grid would have more than 2^30 - 1 hexes.
    TooLarge {
        /// The number of hexes.
        hexes: usize,
    },
    /// The scale or the origin of the layout is out of range.
    Layout {
        /// The scale of the layout.
        scale: [f32; 2],
        /// The origin of the layout.
        origin: [f32; 2],
    },
    /// A hex is too far from the origin for its position to be exact.
    Far {
        /// The hex.
        hex: [i32; 2],
    },
    /// The weight of a hex is zero or too large.
    Weight {
        /// The hex.
        hex: [i32; 2],
        /// The weight.
        weight: u32,
    },
    /// The slowness of a hex is out of range.
    Slowness {
        /// The hex.
        hex: [i32; 2],
        /// The slowness.
        slowness: f32,
    },
}

impl fmt::Display for HexGridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a grid needs at least one hex"),
            Self::TooLarge { hexes } => {
                write!(f, "a grid of {hexes} hexes is too large: at most {MOST_HEXES} hexes fit")
            }
            Self::Layout { scale, origin } => write!(
                f,
                "expected a layout with a scale between 0.001 and 10^6 and an origin at most 10^6 away, found the scale {scale:?} and the origin \
                 {origin:?}"
            ),
            Self::Far { hex: [x, y] } => {
                write!(f, "hex ({x}, {y}) is farther from the origin than {FARTHEST} times the scale of the layout")
            }
            Self::Weight { hex: [x, y], weight } => {
                write!(f, "the weight {weight} of hex ({x}, {y}) is not between 1 and 1000")
            }
            Self::Slowness { hex: [x, y], slowness } => {
                write!(f, "the slowness {slowness} of hex ({x}, {y}) is not between 0.01 and 100")
            }
        }
    }
}

impl std::error::Error for HexGridError {}
