//! Convex polygons from triangles, by Hertel and Mehlhorn, 1983: an edge goes if what it divides is convex without it.

use super::snap_rounding::{GridPoint, turn};
use super::triangles::{after, twins};

/// Joins `triangles`, counterclockwise, to convex polygons by removing edges, the longest first. The number of polygons
/// is at most four times the least possible number.
pub(super) fn convex_polygons(points: &[GridPoint], triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut polygons = Polygons::new(points, triangles);
    let length = |half: usize| {
        let [a, b] = [polygons.point(half), polygons.point(polygons.next[half])];
        (b[0] - a[0]).pow(2) + (b[1] - a[1]).pow(2)
    };
    let inner = (0..polygons.from.len()).filter(|half| polygons.twin[*half].is_some_and(|twin| *half < twin));
    let mut inner: Vec<(i64, usize)> = inner.map(|half| (length(half), half)).collect();
    inner.sort_unstable_by_key(|(length, half)| (-length, *half));
    for (_, half) in inner {
        polygons.join(half);
    }
    polygons.rings()
}

/// Polygons side by side, as half edges, which were half edges of triangles.
struct Polygons<'a> {
    points: &'a [GridPoint],
    /// The point where each half edge begins.
    from: Vec<u32>,
    next: Vec<usize>,
    previous: Vec<usize>,
    twin: Vec<Option<usize>>,
    gone: Vec<bool>,
}

impl<'a> Polygons<'a> {
    fn new(points: &'a [GridPoint], triangles: &[[u32; 3]]) -> Self {
        let halves = 3 * triangles.len();
        Self {
            points,
            from: triangles.as_flattened().to_vec(),
            next: (0..halves).map(|half| after(half, 1)).collect(),
            previous: (0..halves).map(|half| after(half, 2)).collect(),
            twin: twins(triangles),
            gone: vec![false; halves],
        }
    }

    fn point(&self, half: usize) -> GridPoint {
        self.points[self.from[half] as usize]
    }

    /// Whether the corner between half edge `half` and half edge `then` bends to the left, or not at all.
    fn is_convex(&self, half: usize, then: usize) -> bool {
        turn(self.point(half), self.point(then), self.point(self.next[then])) >= 0
    }

    /// Removes the edge of `half`, and edges that go on from it between the same two polygons, if both ends stay
    /// convex.
    fn join(&mut self, half: usize) {
        if self.gone[half] {
            return;
        }
        let Some(mut twin) = self.twin[half] else { return };
        let mut first = half;
        while self.twin[self.previous[first]] == Some(self.next[twin]) {
            (first, twin) = (self.previous[first], self.next[twin]);
        }
        let mut shared = vec![(first, twin)];
        while self.twin[self.next[first]] == Some(self.previous[twin]) {
            (first, twin) = (self.next[first], self.previous[twin]);
            shared.push((first, twin));
        }
        let ((begin, begin_twin), (end, end_twin)) = (shared[0], (first, twin));
        let corners = [(self.previous[begin], self.next[begin_twin]), (self.previous[end_twin], self.next[end])];
        if corners.iter().all(|(before, after)| self.is_convex(*before, *after)) {
            for (before, after) in corners {
                self.next[before] = after;
                self.previous[after] = before;
            }
            for half in shared.into_iter().flat_map(|(half, twin)| [half, twin]) {
                self.gone[half] = true;
            }
        }
    }

    fn rings(&self) -> Vec<Vec<u32>> {
        let mut seen = self.gone.clone();
        let mut rings = Vec::new();
        for first in 0..seen.len() {
            let mut ring = Vec::new();
            let mut half = first;
            while !seen[half] {
                seen[half] = true;
                ring.push(self.from[half]);
                half = self.next[half];
            }
            if !ring.is_empty() {
                rings.push(ring);
            }
        }
        rings
    }
}
