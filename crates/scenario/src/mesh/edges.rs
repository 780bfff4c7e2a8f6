//! The edges of polygons, to look up by their ends.

/// The edges of polygons, by the positions of their ends: vertices in one place are one.
pub(super) struct Edges {
    /// A number for the position of each vertex.
    places: Vec<u32>,
    /// The two places of each edge, the smaller first, and its polygon; in order.
    edges: Vec<([u32; 2], u32)>,
}

impl Edges {
    /// The edges of `polygons`, whose corners are indices of `vertices`.
    pub(super) fn new<'a>(vertices: &[[f32; 2]], polygons: impl Iterator<Item = &'a [u32]>) -> Self {
        // Bits tell positions apart; zero has one sign.
        let key = |[x, y]: [f32; 2]| [(x + 0.0).to_bits(), (y + 0.0).to_bits()];
        let mut keys: Vec<[u32; 2]> = vertices.iter().map(|position| key(*position)).collect();
        keys.sort_unstable();
        keys.dedup();
        let place = |position: &[f32; 2]| u32::try_from(keys.partition_point(|other| *other < key(*position)));
        let places: Vec<u32> = vertices.iter().map(|position| place(position).unwrap_or(u32::MAX)).collect();
        drop(keys);
        let mut all = Self { places, edges: Vec::new() };
        for (polygon, ring) in (0..).zip(polygons) {
            let ends = ring.iter().zip(ring.iter().cycle().skip(1));
            let edges: Vec<_> = ends.map(|(from, to)| (all.key([*from, *to]), polygon)).collect();
            all.edges.extend(edges);
        }
        all.edges.sort_unstable();
        all
    }

    /// Whether two edges between vertices, either way round, are in one place.
    pub(super) fn is_one(&self, one: [u32; 2], other: [u32; 2]) -> bool {
        self.key(one) == self.key(other)
    }

    /// Whether `polygon` has the edge between two vertices, either way round.
    pub(super) fn has(&self, polygon: u32, ends: [u32; 2]) -> bool {
        self.edges.binary_search(&(self.key(ends), polygon)).is_ok()
    }

    /// The first polygon other than `polygon` that has the edge between two vertices.
    pub(super) fn beyond(&self, polygon: u32, ends: [u32; 2]) -> Option<u32> {
        let key = self.key(ends);
        let first = self.edges.partition_point(|edge| *edge < (key, 0));
        let same = self.edges[first..].iter().take_while(|(other, _)| *other == key);
        same.map(|(_, other)| *other).find(|other| *other != polygon)
    }

    fn key(&self, ends: [u32; 2]) -> [u32; 2] {
        let mut key = ends.map(|vertex| self.places[vertex as usize]);
        key.sort_unstable();
        key
    }
}
