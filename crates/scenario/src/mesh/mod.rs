//! Navigation meshes: the `.mesh` format of Polyanya.

mod edges;
mod parse;

use std::cmp::Ordering;
use std::fmt;

use giveway_spaces::NavMesh;

use crate::file_methods::file_methods;
use crate::kind::FileKind;
use edges::Edges;

/// A navigation mesh in the format of Polyanya (Cui, Harabor, Grastien: "Compromise-free Pathfinding on a Navigation
/// Mesh", 2017).
///
/// The file is `mesh`, the version (1 or 2), the numbers of vertices and of polygons, the vertices and the polygons. A
/// vertex is x, y, the number of polygons around it, and the indices of these polygons. A polygon is the number of its
/// corners, the indices of the corners' vertices counterclockwise, and for each edge the index of the polygon on the
/// other side. In version 2 the first of these polygons is beyond the edge from the last corner to the first one; in
/// version 1, beyond the edge from the first corner to the second one. -1 stands for no polygon. Numbers are separated
/// by any white space.
///
/// Only the corners of the polygons decide how polygons are connected: two polygons that share an edge are neighbours,
/// even if the file has -1 for this edge; see [`NavMesh`]. If the file names a polygon on the other side of an edge,
/// that polygon must have the edge. For the list of polygons around a vertex, only the range of the indices is checked.
#[derive(Clone, PartialEq, Debug)]
pub struct MeshFile {
    mesh: NavMesh,
}

impl MeshFile {
    file_methods! {
        /// Parses a mesh of version 1 or 2; `file` is its name in errors.
        ///
        /// Takes time and memory in proportion to n log n, where n is the length of the contents.
        ///
        /// # Errors
        /// `contents` is not a mesh; an index is out of range; a polygon is named on the other side of an edge that it
        /// does not have; or [`NavMesh::new`] refuses the vertices or the polygons.
        parse: FileKind::Mesh, |contents, file| Ok(Self { mesh: parse::mesh(contents, file)? }); write
    }

    /// A file with `mesh`.
    pub fn new(mesh: NavMesh) -> Self {
        Self { mesh }
    }

    /// The mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The mesh, by value.
    pub fn into_mesh(self) -> NavMesh {
        self.mesh
    }
}

/// The contents of a `.mesh` file of version 2, a line for each vertex and polygon. Beyond an edge of which a polygon
/// has only a part, there is -1. A vertex of no polygon has -1 around it.
impl fmt::Display for MeshFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (vertices, polygons) = (self.mesh.vertices(), self.mesh.polygons());
        writeln!(f, "mesh\n2\n{} {}", vertices.len(), polygons.len())?;
        let edges = Edges::new(vertices, self.mesh.polygons());
        let mut all: Vec<Corner> = (0..).zip(polygons).flat_map(|(polygon, ring)| corners(polygon, ring)).collect();
        all.sort_unstable_by(|a, b| a.vertex.cmp(&b.vertex).then_with(|| a.turn(b, vertices)));
        let mut around = all.chunk_by(|a, b| a.vertex == b.vertex).peekable();
        for (vertex, [x, y]) in (0_u32..).zip(vertices) {
            let ring = around.next_if(|ring| ring[0].vertex == vertex).unwrap_or_default();
            let mut named = Vec::with_capacity(ring.len() + 1);
            for (corner, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                named.push(i64::from(corner.polygon));
                let is_closed = edges.is_one([vertex, corner.before], [vertex, next.after]);
                named.extend((!is_closed).then_some(-1));
            }
            if named.is_empty() {
                named.push(-1);
            }
            write!(f, "{x} {y} {}", named.len())?;
            named.iter().try_for_each(|polygon| write!(f, " {polygon}"))?;
            writeln!(f)?;
        }
        for (polygon, ring) in (0_u32..).zip(self.mesh.polygons()) {
            write!(f, "{}", ring.len())?;
            ring.iter().try_for_each(|vertex| write!(f, " {vertex}"))?;
            for corner in corners(polygon, ring) {
                match edges.beyond(polygon, [corner.before, corner.vertex]) {
                    Some(other) => write!(f, " {other}")?,
                    None => write!(f, " -1")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A corner of a polygon.
struct Corner {
    polygon: u32,
    vertex: u32,
    /// The corner before it and the corner after it, counterclockwise.
    before: u32,
    after: u32,
}

/// The corners of the polygon of this index.
fn corners(polygon: u32, ring: &[u32]) -> impl Iterator<Item = Corner> {
    let shifted = |by: usize| ring.iter().cycle().skip(by).copied();
    ring.iter()
        .zip(shifted(ring.len().saturating_sub(1)))
        .zip(shifted(1))
        .map(move |((vertex, before), after)| Corner { polygon, vertex: *vertex, before, after })
}

impl Corner {
    /// Which of two corners comes first around their vertex, counterclockwise from the direction of x.
    fn turn(&self, other: &Self, vertices: &[[f32; 2]]) -> Ordering {
        let way = |corner: &Self| {
            let [from, to] = [corner.vertex, corner.after].map(|vertex| vertices[vertex as usize].map(f64::from));
            [to[0] - from[0], to[1] - from[1]]
        };
        let (one, two) = (way(self), way(other));
        let is_below = |[x, y]: [f64; 2]| y < 0.0 || (y == 0.0 && x < 0.0);
        let turns = one[0] * two[1] - one[1] * two[0];
        is_below(one).cmp(&is_below(two)).then(0.0_f64.total_cmp(&(turns + 0.0))).then(self.polygon.cmp(&other.polygon))
    }
}
