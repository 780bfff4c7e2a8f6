//! Which polygons a point may be in.

use giveway_core::rows::Rows;

use super::mesh::NavMesh;
use crate::segments::Buckets;

/// The polygons of a mesh in the buckets of a grid.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Finder {
    buckets: Buckets,
    /// By bucket, its polygons.
    polygons: Rows<u32>,
}

impl Finder {
    /// Finds nothing.
    pub(super) fn blank() -> Self {
        Self { buckets: Buckets::new(&[], 0), polygons: Rows::new() }
    }

    /// Takes time in proportion to the polygons, and to the buckets that they cover.
    pub(super) fn new(mesh: &NavMesh) -> Self {
        let bounds = mesh.bounds.map(|corner| corner.map(f64::from));
        let buckets = Buckets::new(&bounds, mesh.polygons().len());
        let mut placed: Vec<[u32; 2]> = Vec::new();
        for (number, corners) in (0..).zip(mesh.polygons()) {
            let at = |place: usize| mesh.vertices[corners[place % corners.len()] as usize].map(f64::from);
            // Polygons are convex: in each row, what lies between their edges.
            let edges = (0..corners.len()).flat_map(|place| buckets.rows([at(place), at(place + 1)], 0.0));
            let mut rows: Vec<(usize, [usize; 2])> = edges.collect();
            rows.sort_unstable();
            for row in rows.chunk_by(|(one, _), (other, _)| one == other) {
                let first = row.iter().map(|(_, [first, _])| *first).min().unwrap_or(0);
                let last = row.iter().map(|(_, [_, last])| *last).max().unwrap_or(0);
                let bucket = |column| u32::try_from(buckets.bucket([column, row[0].0])).unwrap_or(u32::MAX);
                placed.extend((first..=last).map(|column| [bucket(column), number]));
            }
        }
        let polygons = buckets.fill(placed);
        Self { buckets, polygons }
    }

    /// The numbers of the polygons in each bucket, ascending.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.polygons.iter()
    }

    /// The numbers of the polygons that `point` may be in, if it is in any.
    pub(super) fn near(&self, point: [f64; 2]) -> &[u32] {
        self.polygons.get(self.buckets.bucket(self.buckets.place(point)))
    }
}
