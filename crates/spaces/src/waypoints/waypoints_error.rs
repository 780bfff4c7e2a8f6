//! Why there are no waypoints.

use std::fmt;

use crate::space_error::SpaceError;

/// Why waypoints cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum WaypointsError {
    /// The spacing is less than the diameter of the body, or too large.
    Spacing {
        /// The spacing.
        spacing: f32,
        /// The diameter.
        diameter: f64,
    },
    /// The body has no room at a place that was asked for.
    Place {
        /// The number of the place.
        place: usize,
        /// Its position.
        position: [f32; 2],
    },
    /// The body has no room anywhere.
    Nowhere,
    /// There would be too many waypoints.
    TooMany {
        /// The largest number possible.
        most: usize,
    },
    /// No number of ticks up to 4096 suits all bodies: one is too fast for its spacing.
    NoCommonTicks,
    /// There would be too many moves.
    Space(SpaceError),
}

impl fmt::Display for WaypointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spacing { spacing, diameter } => {
                write!(f, "expected a spacing between the diameter of the body, {diameter}, and 10^6, found {spacing}")
            }
            Self::Place { place, position: [x, y] } => {
                write!(f, "the body has no room at place {place}, which is at ({x}, {y})")
            }
            Self::Nowhere => f.write_str("the body fits nowhere on this mesh: make it smaller, or the passages wider"),
            Self::TooMany { most } => {
                write!(f, "there would be more than {most} waypoints on this mesh: choose a larger spacing")
            }
            Self::NoCommonTicks => f.write_str(
                "no number of ticks per step up to 4096 suits all of these speeds within 1 %: make them less different",
            ),
            Self::Space(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WaypointsError {}

impl From<SpaceError> for WaypointsError {
    fn from(error: SpaceError) -> Self {
        Self::Space(error)
    }
}
