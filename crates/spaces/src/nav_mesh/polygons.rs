//! A mesh from polygons side by side.

use super::mesh::NavMesh;
use super::overlaps::overlapping;
use super::walls::walls;
use crate::space_error::{FARTHEST, SpaceError};

impl NavMesh {
    /// The mesh of `polygons`, each a list of indices into `vertices`, in order around the polygon, either way round.
    ///
    /// Vertices in one place count as one, so that exports may list a vertex once for each polygon. Polygons without
    /// area are left out. Where the edge of one polygon lies along a part of an edge of another, as between tiles of a
    /// mesh, there is no wall along this part. Positions are rounded, so a gap or an overlap of two polygons counts as
    /// none up to 2 * 10^-6 of the largest coordinate: a thinner fence is lost.
    ///
    /// Takes time and memory in proportion to the corners, up to a logarithm, unless many long edges lie beside each
    /// other: `n` such edges take time in proportion to `n` squared at worst.
    ///
    /// # Errors
    /// A coordinate is not finite or beyond 10^6; a polygon has fewer than three corners, a corner that is no vertex,
    /// or is not convex; two polygons overlap; or no polygon has an area.
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
