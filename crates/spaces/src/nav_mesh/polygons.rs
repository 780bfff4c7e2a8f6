//! A mesh from polygons side by side.

use super::mesh::NavMesh;
use super::overlaps::overlapping;
use super::walls::walls;
use crate::space_error::{FARTHEST, SpaceError};

impl NavMesh {
    /// The mesh of `polygons`. Each polygon is a list of indices into `vertices`, in order around the polygon,
    /// clockwise or counterclockwise.
    ///
    /// Vertices in one place count as one vertex, so exports may list a vertex once for each polygon. Polygons without
    /// area are left out. If the edges of two polygons lie along each other for a part of their lengths, as between
    /// tiles of a mesh, there is no wall along this part.
    ///
    /// Positions are rounded: gaps and overlaps of polygons up to 2 * 10^-6 of the largest coordinate are closed. So a
    /// fence thinner than this is lost.
    ///
    /// Time and memory are n log n in the number of corners, if few long edges lie beside each other. In the worst
    /// case, `m` long edges beside each other take time in proportion to `m` squared.
    ///
    /// # Errors
    /// A coordinate is not finite or beyond 10^6; a polygon has fewer than three corners; a corner is not an index of
    /// `vertices`; a polygon is not convex; two polygons overlap; or no polygon has an area.
    pub fn new<P: AsRef<[u32]>>(
        vertices: Vec<[f32; 2]>,
        polygons: impl IntoIterator<Item = P>,
    ) -> Result<Self, SpaceError> {
        for (vertex, position) in vertices.iter().enumerate() {
            if position.iter().any(|coordinate| !coordinate.is_finite() || coordinate.abs() > FARTHEST) {
                return Err(SpaceError::Vertex { vertex, position: *position });
            }
        }
        let mut mesh = Self::of_vertices(vertices);
        // The numbers of the polygons that have an area.
        let mut given: Vec<usize> = Vec::new();
        for (polygon, corners) in polygons.into_iter().enumerate() {
            mesh.add(polygon, corners.as_ref())?;
            if mesh.polygons().len() > given.len() {
                given.push(polygon);
            }
        }
        mesh.measure()?;
        let walls = walls(&mesh);
        mesh.set_walls(walls);
        match overlapping(&mesh) {
            Some(polygons) => Err(SpaceError::Overlap { polygons: polygons.map(|polygon| given[polygon]) }),
            None => Ok(mesh),
        }
    }
}
