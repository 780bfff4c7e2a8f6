//! Why a body or a ground cannot be made, or a body cannot be used.

use std::fmt;

use giveway_core::{NodeId, TooCoarse};
use giveway_spaces::SpaceError;

/// More sides, or longer ones, count as mistakes.
pub(crate) const MOST_CORNERS: usize = 64;
pub(crate) const LARGEST: f64 = 1024.0;
/// Smaller bodies would slip between the cells of a raster.
pub(crate) const SMALLEST: f64 = 1e-3;

pub(crate) fn length_within(most: f64, what: &'static str, found: f64) -> Result<f64, BodyError> {
    if (SMALLEST..=most).contains(&found) { Ok(found) } else { Err(BodyError::Length { what, found, most }) }
}

/// Why a body or a ground cannot be made, or a body cannot be used on a ground.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum BodyError {
    /// A length is below 0.001, or above `most`.
    Length {
        /// The name of the length.
        what: &'static str,
        /// The length.
        found: f64,
        /// The largest length allowed.
        most: f64,
    },
    /// The polygon has too many corners. The value is the number of corners.
    Corners(usize),
    /// The corners of the polygon lie on a line, or nearly so.
    Flat,
    /// The speed is not between 0.001 and 1000. The value is the speed.
    Speed(f64),
    /// The body fits nowhere on the map.
    FitsNowhere,
    /// The ground does not cover the map.
    OtherGround,
    /// The cells of a ground do not fit the cells of a grid. They fit if a row of 1 to 64 cells of the grid is as long
    /// as a row of whole cells of the ground.
    GroundApart {
        /// The side of a cell of the ground.
        side: f64,
    },
    /// The duration of a move is more than 1 % away from a whole number of ticks.
    TooCoarse(TooCoarse),
    /// The slowness of driving backwards is not between 0.01 and 100. The value is the slowness.
    Backwards(f64),
    /// The stretches of a primitive are invalid.
    Stretches {
        /// The number of the heading where the primitive begins.
        heading: u32,
    },
    /// A primitive does not end in the middle of a cell, or not under a heading, or it ends where it begins.
    Astray {
        /// The number of the heading where the primitive begins.
        heading: u32,
    },
    /// A heading has more than 32 primitives.
    TooManyWays {
        /// The number of the heading.
        heading: u32,
    },
    /// The trajectory of a move does not end where the move ends.
    Course {
        /// The node where the move begins.
        from: NodeId,
        /// The node where the move ends.
        to: NodeId,
    },
    /// A number that describes a ground is not finite, or beyond 10^6.
    GroundFar,
    /// The ground has no cells: a size or a number of levels is not positive.
    GroundEmpty,
    /// The ground has too many cells for 32-bit ids.
    GroundTooLarge,
    /// The body is too wide for the small cells of the ground.
    GroundFine {
        /// The width in cells.
        cells: f64,
    },
    /// The space is too large, or breaks its contract.
    Space(SpaceError),
    /// There are too many poses for 32-bit ids.
    TooManyPoses {
        /// The number of poses.
        poses: u64,
    },
    /// No number of ticks up to 4096 suits all bodies.
    NoCommonTicks,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, found, most } => {
                write!(f, "expected a {what} between {SMALLEST} and {most}, found {found}")
            }
            Self::Corners(count) => write!(f, "expected at most {MOST_CORNERS} corners, found {count}"),
            Self::Flat => f.write_str("expected the corners of an area: these lie on a line, or nearly so"),
            Self::Speed(found) => {
                write!(f, "expected a speed between 0.001 and 1000 cells in a step's time, found {found}")
            }
            Self::FitsNowhere => {
                f.write_str("the body fits nowhere on this map: make it smaller, or the passages wider")
            }
            Self::OtherGround => f.write_str(
                "the ground does not cover the map, whose cell (x, y) is the square around (x, y): make it by Ground::from_grid, or larger",
            ),
            Self::GroundApart { side } => write!(
                f,
                "ground cells of side {side} do not fit a map: expected a side of which a whole number is as long as up to 64 map cells, such \
                 as 1, 0.5, 0.4 or 2"
            ),
            Self::TooCoarse(coarse) => coarse.fmt(f),
            Self::Backwards(found) => {
                write!(f, "expected driving backwards to take between 0.01 and 100 times as long, found {found}")
            }
            Self::Stretches { heading } => write!(
                f,
                "expected up to 100 stretches out of heading {heading}, with shares above 0 that add up to 1, lengths up to 64, and up \
                 to a full turn each"
            ),
            Self::Astray { heading } => write!(
                f,
                "expected a primitive that leads from heading {heading} to another place or heading of the lattice, within 1e-4"
            ),
            Self::TooManyWays { heading } => write!(f, "expected at most 32 primitives out of heading {heading}"),
            Self::Course { from, to } => write!(
                f,
                "the trajectory of the move from node {} to node {} does not end there: expected positive shares that add up to 1, and the \
                 position and heading of node {}, within 1e-4",
                from.0, to.0, to.0
            ),
            Self::GroundFar => f.write_str("expected finite numbers up to 10^6 for a ground"),
            Self::GroundEmpty => f.write_str("expected positive sizes, and at least one level"),
            Self::GroundTooLarge => {
                f.write_str("a ground has at most 2^32 - 2 cells: make them larger, or cover less")
            }
            Self::GroundFine { cells } => {
                write!(f, "the body is {cells:.0} cells of the ground wide, more than 1024: make these cells larger")
            }
            Self::Space(error) => error.fmt(f),
            Self::TooManyPoses { poses } => {
                write!(f, "{poses} poses are more than ids can number: fewer headings, or a smaller map")
            }
            Self::NoCommonTicks => write!(
                f,
                "no number of ticks per step up to 4096 suits all of these speeds within 1 %: make them less different"
            ),
        }
    }
}

impl std::error::Error for BodyError {}

impl From<SpaceError> for BodyError {
    fn from(error: SpaceError) -> Self {
        Self::Space(error)
    }
}

impl From<TooCoarse> for BodyError {
    fn from(coarse: TooCoarse) -> Self {
        Self::TooCoarse(coarse)
    }
}
