//! Geometry of the plane: lengths, distances and convex polygons, in world units. A polygon is the list of its corners.
//!
//! Shared by the crates of this library, and no part of its promises. The checker has geometry of its own.

/// The tolerance of tests for overlaps, in world units. Shapes meet only if their overlap is deeper than this.
pub const TOUCH: f64 = 1e-6;

/// The length of a vector.
pub fn length([x, y]: [f64; 2]) -> f64 {
    // Not `hypot`: its results differ between platforms.
    (x * x + y * y).sqrt()
}

/// The distance of `point` from the line segment between `a` and `b`.
pub fn point_to_segment(point: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let (way, to) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let squared = way[0] * way[0] + way[1] * way[1];
    let share = if squared > 0.0 { ((to[0] * way[0] + to[1] * way[1]) / squared).clamp(0.0, 1.0) } else { 0.0 };
    length([to[0] - way[0] * share, to[1] - way[1] * share])
}

/// The convex hull of `points`, by Andrew's monotone chain.
pub fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turns = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turns(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

/// The least width of a convex polygon; 0 if `hull` has no inside.
pub fn width(hull: &[[f64; 2]]) -> f64 {
    if hull.len() < 3 {
        return 0.0;
    }
    let across = |(a, b): (&[f64; 2], &[f64; 2])| {
        let (along, side) = ([b[0] - a[0], b[1] - a[1]], length([b[0] - a[0], b[1] - a[1]]));
        let off = hull.iter().map(|c| along[0] * (c[1] - a[1]) - along[1] * (c[0] - a[0]));
        off.map(f64::abs).fold(0.0, f64::max) / side
    };
    hull.iter().zip(hull.iter().cycle().skip(1)).map(across).fold(f64::INFINITY, f64::min)
}

/// Whether the insides of two convex polygons meet. The insides meet if no line along an edge of one of the polygons
/// separates the two polygons.
pub fn polygons_meet(one: &[[f64; 2]], two: &[[f64; 2]]) -> bool {
    let parts = |a: [f64; 2], b: [f64; 2]| {
        let normal = [b[1] - a[1], a[0] - b[0]];
        let length = length(normal);
        if length == 0.0 {
            return false;
        }
        let range = |polygon: &[[f64; 2]]| {
            let along = polygon.iter().map(|corner| (corner[0] * normal[0] + corner[1] * normal[1]) / length);
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), side| (low.min(side), high.max(side)))
        };
        let ((low, high), (other_low, other_high)) = (range(one), range(two));
        high.min(other_high) - low.max(other_low) <= TOUCH
    };
    let edges = |polygon: &[[f64; 2]]| {
        (0..polygon.len()).map(|index| (polygon[index], polygon[(index + 1) % polygon.len()])).collect::<Vec<_>>()
    };
    !edges(one).into_iter().chain(edges(two)).any(|(a, b)| parts(a, b))
}
