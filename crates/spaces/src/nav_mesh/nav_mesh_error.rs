//! Why a navigation mesh, or waypoints on it, cannot be made.

use std::fmt;

use super::FARTHEST;

/// Why a navigation mesh cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum NavMeshError {
    /// A coordinate of a vertex is not finite, or out of range.
    Vertex {
        /// The vertex.
        vertex: usize,
        /// Its position.
        position: [f32; 2],
    },
    /// A polygon has fewer than three corners.
    FewCorners {
        /// The polygon.
        polygon: usize,
        /// The number of its corners.
        corners: usize,
    },
    /// A corner of a polygon is no vertex.
    NoSuchVertex {
        /// The polygon.
        polygon: usize,
        /// The corner.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A polygon is not convex.
    NotConvex {
        /// The polygon.
        polygon: usize,
    },
    /// Two polygons overlap.
    Overlap {
        /// The polygons.
        polygons: [usize; 2],
    },
    /// A coordinate of a corner of the outline is not finite, or out of range.
    OutlineCorner {
        /// The corner.
        corner: usize,
        /// Its position.
        position: [f32; 2],
    },
    /// A coordinate of a corner of an obstacle is not finite, or out of range.
    ObstacleCorner {
        /// The obstacle.
        obstacle: usize,
        /// The corner.
        corner: usize,
        /// Its position.
        position: [f32; 2],
    },
    /// No polygon has an area.
    Empty,
    /// The polygons have more than 2^32 - 1 corners.
    TooLarge,
}

impl fmt::Display for NavMeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex { vertex, position: [x, y] } => {
                write!(f, "vertex {vertex} is at ({x}, {y}): expected finite coordinates up to {FARTHEST}")
            }
            Self::FewCorners { polygon, corners } => {
                write!(f, "polygon {polygon} has {corners} corners: expected at least 3")
            }
            Self::NoSuchVertex { polygon, vertex, vertices } => {
                write!(
                    f,
                    "a corner of polygon {polygon} is vertex {vertex}, and there are {vertices} vertices, from 0 on"
                )
            }
            Self::NotConvex { polygon } => write!(f, "polygon {polygon} is not convex, or crosses itself"),
            Self::Overlap { polygons: [one, other] } => write!(f, "polygons {one} and {other} overlap"),
            Self::OutlineCorner { corner, position: [x, y] } => {
                write!(
                    f,
                    "corner {corner} of the outline is at ({x}, {y}): expected finite coordinates up to {FARTHEST}"
                )
            }
            Self::ObstacleCorner { obstacle, corner, position: [x, y] } => write!(
                f,
                "corner {corner} of obstacle {obstacle} is at ({x}, {y}): expected finite coordinates up to {FARTHEST}"
            ),
            Self::Empty => f.write_str("expected at least one polygon that has an area"),
            Self::TooLarge => f.write_str("the polygons have more than 2^32 - 1 corners"),
        }
    }
}

impl std::error::Error for NavMeshError {}
