//! Triangles side by side, as half edges: triangle `t` has the half edges `3 * t` to `3 * t + 2`, and half edge `h`
//! begins in corner number `h`.

/// The half edge after `half` in its triangle, or `by` of them after it.
pub(super) fn after(half: usize, by: usize) -> usize {
    half - half % 3 + (half + by) % 3
}

/// The half edge on the other side of each, if there is a triangle.
pub(super) fn twins(triangles: &[[u32; 3]]) -> Vec<Option<usize>> {
    let from = triangles.as_flattened();
    let mut by_ends: Vec<([u32; 2], usize)> =
        (0..from.len()).map(|half| ([from[half], from[after(half, 1)]], half)).collect();
    by_ends.sort_unstable();
    let twin = |half: usize| {
        let ends = [from[after(half, 1)], from[half]];
        let place = by_ends.binary_search_by_key(&ends, |(ends, _)| *ends);
        place.ok().map(|place| by_ends[place].1)
    };
    (0..from.len()).map(twin).collect()
}

/// A part of a polygon's border between two points, the smaller first; and the polygon.
pub(super) type Border = ([u32; 2], usize);

/// Of `triangles`, which fill a convex area, the triangles inside of polygon 0 and outside of all other polygons, by
/// the even-odd rule. `borders` are in order. There are `polygons` polygons.
///
/// Takes time in proportion to triangles and borders, up to a logarithm.
pub(super) fn inside(triangles: &[[u32; 3]], borders: &[Border], polygons: usize) -> Vec<[u32; 3]> {
    let (from, twin) = (triangles.as_flattened(), twins(triangles));
    let mut sides = Sides { borders, is_in: vec![false; polygons], count: 0 };
    let mut seen = vec![false; triangles.len()];
    let mut inside = Vec::new();
    // From triangle to triangle over half edges, and back again, so that few polygons change at a time.
    let outer = (0..from.len()).find(|half| twin[*half].is_none());
    let mut steps: Vec<(usize, bool)> = outer.map(|half| (half, true)).into_iter().collect();
    while let Some((half, enters)) = steps.pop() {
        let triangle = half / 3;
        if enters && seen[triangle] {
            continue;
        }
        sides.cross([from[half], from[after(half, 1)]]);
        if enters {
            seen[triangle] = true;
            if sides.is_ground() {
                inside.push(triangle);
            }
            steps.push((half, false));
            let others = [1, 2].into_iter().filter_map(|by| twin[after(half, by)]);
            steps.extend(others.filter(|twin| !seen[twin / 3]).map(|twin| (twin, true)));
        }
    }
    inside.sort_unstable();
    inside.into_iter().map(|triangle| triangles[triangle]).collect()
}

/// Which polygons a triangle is in.
struct Sides<'a> {
    borders: &'a [Border],
    is_in: Vec<bool>,
    /// How many it is in.
    count: usize,
}

impl Sides<'_> {
    /// Goes over the edge between two points.
    fn cross(&mut self, mut ends: [u32; 2]) {
        ends.sort_unstable();
        let first = self.borders.partition_point(|(border, _)| *border < ends);
        for (_, polygon) in self.borders[first..].iter().take_while(|(border, _)| *border == ends) {
            let is_in = &mut self.is_in[*polygon];
            *is_in = !*is_in;
            if *is_in { self.count += 1 } else { self.count -= 1 }
        }
    }

    fn is_ground(&self) -> bool {
        self.count == 1 && self.is_in[0]
    }
}
