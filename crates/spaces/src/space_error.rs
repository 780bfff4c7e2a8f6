//! Why a space cannot be made.

use std::fmt;

use giveway_core::NodeId;

/// More cells or hexes would leave no room for the crossings in 32-bit ids.
pub(crate) const MOST_CELLS: u64 = u32::MAX as u64 / 4;
/// Hexes farther from the origin than this, times the scale of the layout, have no exact positions.
pub(crate) const FARTHEST_HEX: f64 = 262_144.0;
/// Coordinates of meshes beyond this count as mistakes.
pub(crate) const FARTHEST: f32 = 1e6;

/// A cell, by its coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellAt {
    /// A cell of a grid.
    Grid([u32; 2]),
    /// A hex, by its axial coordinates.
    Hex([i32; 2]),
    /// A cell of three dimensions.
    Voxel([u32; 3]),
}

impl fmt::Display for CellAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid([x, y]) => write!(f, "cell ({x}, {y})"),
            Self::Hex([x, y]) => write!(f, "hex ({x}, {y})"),
            Self::Voxel([x, y, z]) => write!(f, "cell ({x}, {y}, {z})"),
        }
    }
}

/// Why a space cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SpaceError {
    /// The space would have no places.
    Empty {
        /// A text that says what the space needs.
        needs: &'static str,
    },
    /// A grid would have more than 2^30 - 1 cells.
    GridTooLarge {
        /// The columns asked for.
        width: u32,
        /// The rows asked for.
        height: u32,
    },
    /// A hexagonal grid would have more than 2^30 - 1 hexes.
    TooManyHexes {
        /// The number of hexes.
        hexes: usize,
    },
    /// A box of voxels has too many cells, or too many cells and steps, for 32-bit ids.
    BoxTooLarge {
        /// The numbers of cells along x, y and z.
        size: [u32; 3],
    },
    /// Floors have more than 2^30 - 1 cells.
    FloorsTooLarge {
        /// The number of cells on all floors together.
        cells: u64,
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
        /// The cell.
        at: CellAt,
        /// The weight.
        weight: u32,
    },
    /// The slowness of a free cell is out of range.
    Slowness {
        /// The cell.
        at: CellAt,
        /// The slowness.
        slowness: f32,
    },
    /// The height of a grid is infinite or not a number.
    Height(f32),
    /// Two floors are at one height.
    SameHeight {
        /// The numbers of the two floors, from 0.
        floors: [usize; 2],
        /// The height of both.
        height: f32,
    },
    /// The scale or the origin of a layout of hexes is out of range.
    Layout {
        /// The scale of the layout.
        scale: [f32; 2],
        /// The origin of the layout.
        origin: [f32; 2],
    },
    /// A hex is too far from the origin for its position to be exact.
    FarHex {
        /// The hex, by its axial coordinates.
        hex: [i32; 2],
    },
    /// A coordinate of a vertex of a mesh is not finite, or out of range.
    Vertex {
        /// The vertex.
        vertex: usize,
        /// Its position.
        position: [f32; 2],
    },
    /// A polygon of a mesh has fewer than three corners.
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
    /// A coordinate of a corner of an outline is not finite, or out of range.
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
    /// The polygons of a mesh have more than 2^32 - 1 corners.
    TooManyCorners,
    /// The spacing of waypoints is less than the diameter of the body, or too large.
    Spacing {
        /// The spacing.
        spacing: f32,
        /// The diameter.
        diameter: f64,
    },
    /// The body has no room at one of the places that must have a waypoint.
    NoRoom {
        /// The number of the place.
        place: usize,
        /// Its position.
        position: [f32; 2],
    },
    /// The body has no room anywhere on the mesh.
    Nowhere,
    /// There would be too many waypoints.
    TooManyWaypoints {
        /// The largest number possible.
        most: usize,
    },
    /// A node id does not fit 32 bits.
    TooManyNodes {
        /// One more than the largest node id.
        bound: usize,
    },
    /// There are more than 2^32 - 1 moves.
    TooManyMoves,
    /// More places can be reached than expected.
    Explored {
        /// The largest number of places expected.
        most: usize,
    },
    /// A move leads to a node that does not exist.
    NoSuchNode {
        /// The node where the move begins.
        from: NodeId,
        /// The node where the move would end.
        to: NodeId,
    },
    /// A cost is negative, infinite or not a number.
    Cost {
        /// The node where the move begins.
        from: NodeId,
        /// The node where the move ends.
        to: NodeId,
        /// The cost.
        cost: f64,
    },
    /// A length is negative, infinite or not a number.
    Length {
        /// The node where the move begins.
        from: NodeId,
        /// The node where the move ends.
        to: NodeId,
        /// The length.
        length: f32,
    },
    /// A position is infinite or not a number.
    Position {
        /// The node.
        node: NodeId,
        /// The position.
        position: [f32; 3],
    },
    /// A link begins where it ends, or has too many places.
    Link {
        /// The node where the link begins.
        from: NodeId,
        /// The node where the link ends.
        to: NodeId,
        /// The number of places on the link.
        places: u32,
        /// The largest number of places that is possible.
        most: u32,
    },
    /// Two lanes meet at a junction, and no curve leads from one lane to the other: they lie on each other, or side by
    /// side.
    Junction {
        /// The junction.
        node: NodeId,
    },
    /// A road is too short for its setbacks, or so long that it cannot be divided into places.
    Road {
        /// The node where the road begins.
        from: NodeId,
        /// The node where the road ends.
        to: NodeId,
        /// The length of the road in the plane.
        length: f32,
        /// The distance between the ends of lanes and a junction.
        setback: f32,
    },
    /// The common period of the timetables of all links is too long.
    Period {
        /// The longest period that is possible, in ticks.
        longest: u32,
    },
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { needs } => f.write_str(needs),
            Self::GridTooLarge { width, height } => {
                write!(f, "a grid of {width} x {height} cells is too large: at most {MOST_CELLS} cells fit")
            }
            Self::TooManyHexes { hexes } => {
                write!(f, "a grid of {hexes} hexes is too large: at most {MOST_CELLS} hexes fit")
            }
            Self::BoxTooLarge { size: [x, y, z] } => {
                write!(f, "a box of {x} x {y} x {z} cells is too large for 32-bit ids of cells and steps")
            }
            Self::FloorsTooLarge { cells } => {
                write!(f, "floors of {cells} cells are too large: at most {MOST_CELLS} cells fit")
            }
            Self::Ragged { line, found, expected } => {
                write!(f, "line {line} of the picture has {found} cells, the first row has {expected}")
            }
            Self::Weight { at, weight } => write!(f, "the weight {weight} of {at} is not between 1 and 1000"),
            Self::Slowness { at, slowness } => {
                write!(f, "the slowness {slowness} of {at} is not between 0.01 and 100")
            }
            Self::Height(height) => write!(f, "a grid cannot be at height {height}: expected a finite number"),
            Self::SameHeight { floors: [lower, upper], height } => {
                write!(f, "floors {lower} and {upper} are both at height {height}: put each at a height of its own")
            }
            Self::Layout { scale, origin } => write!(
                f,
                "expected a layout with a scale between 0.001 and 10^6 and an origin at most 10^6 away, found the scale {scale:?} and the origin \
                 {origin:?}"
            ),
            Self::FarHex { hex: [x, y] } => {
                write!(f, "hex ({x}, {y}) is farther from the origin than {FARTHEST_HEX} times the scale of the layout")
            }
            Self::Vertex { vertex, position: [x, y] } => {
                write!(f, "vertex {vertex} is at ({x}, {y}): expected finite coordinates up to {FARTHEST}")
            }
            Self::FewCorners { polygon, corners } => {
                write!(f, "polygon {polygon} has {corners} corners: expected at least 3")
            }
            Self::NoSuchVertex { polygon, vertex, vertices } => write!(
                f,
                "a corner of polygon {polygon} is vertex {vertex}, and there are {vertices} vertices, from 0 on"
            ),
            Self::NotConvex { polygon } => write!(f, "polygon {polygon} is not convex, or crosses itself"),
            Self::Overlap { polygons: [one, other] } => write!(f, "polygons {one} and {other} overlap"),
            Self::OutlineCorner { corner, position: [x, y] } => write!(
                f,
                "corner {corner} of the outline is at ({x}, {y}): expected finite coordinates up to {FARTHEST}"
            ),
            Self::ObstacleCorner { obstacle, corner, position: [x, y] } => write!(
                f,
                "corner {corner} of obstacle {obstacle} is at ({x}, {y}): expected finite coordinates up to {FARTHEST}"
            ),
            Self::TooManyCorners => f.write_str("the polygons have more than 2^32 - 1 corners"),
            Self::Spacing { spacing, diameter } => {
                write!(f, "expected a spacing between the diameter of the body, {diameter}, and 10^6, found {spacing}")
            }
            Self::NoRoom { place, position: [x, y] } => {
                write!(f, "the body has no room at place {place}, which is at ({x}, {y})")
            }
            Self::Nowhere => f.write_str("the body fits nowhere on this mesh: make it smaller, or the passages wider"),
            Self::TooManyWaypoints { most } => {
                write!(f, "there would be more than {most} waypoints on this mesh: choose a larger spacing")
            }
            Self::TooManyNodes { bound } => {
                let largest = bound.saturating_sub(1);
                write!(f, "node ids go up to {largest}, and the largest that fits is {}", u32::MAX - 1)
            }
            Self::TooManyMoves => write!(f, "there are more than {} moves", u32::MAX),
            Self::Explored { most } => {
                write!(
                    f,
                    "more than {most} places can be reached: give a larger bound, or leave out moves that lead away"
                )
            }
            Self::NoSuchNode { from, to } => {
                write!(f, "a move leads from node {} to node {}, which does not exist", from.0, to.0)
            }
            Self::Cost { from, to, cost } => write!(
                f,
                "the move from node {} to node {} costs {cost}: costs must be finite and not negative",
                from.0, to.0
            ),
            Self::Length { from, to, length } => write!(
                f,
                "the move from node {} to node {} has length {length}: lengths must be finite and not negative",
                from.0, to.0
            ),
            Self::Position { node, position } => {
                write!(f, "node {} is at {position:?}: positions must be finite", node.0)
            }
            Self::Link { from, to, places, most } => write!(
                f,
                "the link from node {} to node {} has {places} places: a link leads from one node to another, and has at most {most} places",
                from.0, to.0
            ),
            Self::Junction { node } => write!(
                f,
                "no curve leads from a lane through the junction at node {}: give lanes a width, and a larger setback",
                node.0
            ),
            Self::Road { from, to, length, setback } => write!(
                f,
                "the road from node {} to node {} is {length} long: it must be longer than two setbacks of {setback}, and hold at most a \
                 million places",
                from.0, to.0
            ),
            Self::Period { longest } => {
                write!(
                    f,
                    "all timetables together repeat only after more than {longest} ticks: choose periods with common divisors"
                )
            }
        }
    }
}

impl std::error::Error for SpaceError {}
