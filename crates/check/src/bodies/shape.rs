//! The depth of two convex shapes, and when they overlap, while one passes the other on a straight line.
//!
//! Both questions are about one point, the position of the second shape seen from the first, and one convex region, the
//! positions at which the two overlap. The depth is the distance from the point to the region's edge. The depth is
//! therefore a concave function of the position, and the times at which it exceeds a value are one interval.

use giveway_core::TracedBody;

pub(super) type Vector = [f64; 2];

/// A convex shape around the position of its agent.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    Disc { center: Vector, radius: f64 },
    Polygon(Vec<Edge>),
}

/// One edge of a polygon.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Edge {
    /// Where it begins; it ends where the next edge begins.
    corner: Vector,
    /// The direction from its begin to its end, of length 1.
    along: Vector,
    length: f64,
}

impl Edge {
    /// The direction out of the polygon, of length 1.
    fn normal(&self) -> Vector {
        [self.along[1], -self.along[0]]
    }

    /// The distance by which `point` is outside the edge's line.
    fn outside(&self, point: Vector) -> f64 {
        dot(self.normal(), minus(point, self.corner))
    }
    /// The vector from the nearest point of the edge to `point`.
    fn way_to(&self, point: Vector) -> Vector {
        let seen = minus(point, self.corner);
        let along = dot(self.along, seen).clamp(0.0, self.length);
        minus(seen, times(self.along, along))
    }
}

impl Shape {
    /// The shape of `body`, or a point if there is no body. `None` if the body is not finite, has a negative radius, or
    /// has no corners.
    pub(super) fn of(body: Option<&TracedBody>) -> Option<Self> {
        match body {
            None => Some(Self::Disc { center: [0.0; 2], radius: 0.0 }),
            Some(TracedBody::Disc { center, radius }) => {
                let is_there = radius.is_finite() && *radius >= 0.0 && center.iter().all(|c| c.is_finite());
                is_there.then(|| Self::Disc { center: center.map(f64::from), radius: f64::from(*radius) })
            }
            Some(TracedBody::Polygon { corners }) => {
                let is_there = corners.as_flattened().iter().all(|c| c.is_finite());
                if is_there { Self::polygon(corners) } else { None }
            }
        }
    }

    fn polygon(corners: &[[f32; 2]]) -> Option<Self> {
        let corners = hull(corners);
        let edges: Vec<Edge> = corners
            .iter()
            .zip(corners.iter().cycle().skip(1))
            .filter_map(|(corner, next)| {
                let way = minus(*next, *corner);
                let length = length(way);
                (length > 0.0).then(|| Edge { corner: *corner, along: times(way, length.recip()), length })
            })
            .collect();
        if edges.is_empty() {
            corners.first().map(|center| Self::Disc { center: *center, radius: 0.0 })
        } else {
            Some(Self::Polygon(edges))
        }
    }

    pub(super) fn is_point(&self) -> bool {
        matches!(self, Self::Disc { radius, .. } if *radius == 0.0)
    }

    /// Whether it looks equal under every heading.
    pub(super) fn is_round(&self) -> bool {
        matches!(self, Self::Disc { center: [0.0, 0.0], .. })
    }

    /// The least and the largest coordinates when turned towards `facing`.
    pub(super) fn bounds(&self, facing: Vector) -> [Vector; 2] {
        match self {
            Self::Disc { center, radius } => {
                let [x, y] = turned(*center, facing);
                [[x - radius, y - radius], [x + radius, y + radius]]
            }
            Self::Polygon(edges) => {
                let none = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
                edges
                    .iter()
                    .map(|edge| turned(edge.corner, facing))
                    .fold(none, |[[l, b], [r, t]], [x, y]| [[l.min(x), b.min(y)], [r.max(x), t.max(y)]])
            }
        }
    }

    /// The shape turned towards `facing`.
    pub(super) fn turned(&self, facing: Vector) -> Self {
        match self {
            Self::Disc { center, radius } => Self::Disc { center: turned(*center, facing), radius: *radius },
            Self::Polygon(edges) => {
                let edge = |edge: &Edge| Edge {
                    corner: turned(edge.corner, facing),
                    along: turned(edge.along, facing),
                    length: edge.length,
                };
                Self::Polygon(edges.iter().map(edge).collect())
            }
        }
    }

    /// The shape moved `by` a vector.
    pub(super) fn moved(&self, by: Vector) -> Self {
        match self {
            Self::Disc { center, radius } => Self::Disc { center: plus(*center, by), radius: *radius },
            Self::Polygon(edges) => {
                Self::Polygon(edges.iter().map(|edge| Edge { corner: plus(edge.corner, by), ..*edge }).collect())
            }
        }
    }

    /// The points of the shape that reach farthest in the direction `out`: from where to where they lie in the
    /// direction `along`, at right angles to `out`. Both directions have length 1.
    pub(super) fn face(&self, out: Vector, along: Vector) -> [f64; 2] {
        match self {
            Self::Disc { center, .. } => [dot(along, *center); 2],
            Self::Polygon(edges) => {
                let farthest = self.support(out) - 1e-6;
                let ends = edges.iter().filter(|edge| dot(out, edge.corner) >= farthest);
                ends.map(|edge| dot(along, edge.corner))
                    .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, largest], c| [least.min(c), largest.max(c)])
            }
        }
    }

    /// Its middle, and the radius of the largest disc around it that the shape contains.
    pub(super) fn inner_disc(&self) -> (Vector, f64) {
        match self {
            Self::Disc { center, radius } => (*center, *radius),
            Self::Polygon(edges) => {
                #[allow(clippy::cast_precision_loss)] // a polygon has far fewer edges than 2^52
                let part = (edges.len() as f64).recip();
                let middle = edges.iter().fold([0.0; 2], |sum, edge| plus(sum, times(edge.corner, part)));
                let inside = edges.iter().map(|edge| -edge.outside(middle)).fold(f64::INFINITY, f64::min);
                (middle, inside.max(0.0))
            }
        }
    }

    pub(super) fn corners(&self) -> usize {
        match self {
            Self::Disc { .. } => 1,
            Self::Polygon(edges) => edges.len(),
        }
    }

    /// The greatest distance of its points from its position.
    pub(super) fn reach(&self) -> f64 {
        match self {
            Self::Disc { center, radius } => length(*center) + radius,
            Self::Polygon(_) => self.lever(),
        }
    }

    /// By how much the shape changes at most when it turns, per radian. For a disc, only the middle moves.
    pub(super) fn lever(&self) -> f64 {
        match self {
            Self::Disc { center, .. } => length(*center),
            Self::Polygon(edges) => edges.iter().map(|edge| length(edge.corner)).fold(0.0, f64::max),
        }
    }

    /// How far it reaches in a direction. For a polygon, any vector; for a disc, a vector of length 1 plus its change
    /// by a turn.
    pub(super) fn support(&self, direction: Vector) -> f64 {
        match self {
            Self::Disc { center, radius } => dot(direction, *center) + radius,
            Self::Polygon(edges) => {
                edges.iter().map(|edge| dot(direction, edge.corner)).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }
}

/// The [`depth`] of `a` and `b`, if `b` is at `seen` from `a` and turned towards `facing`; and the direction from `a`
/// to `b`, of length 1, that decides it.
pub(super) fn contact(a: &Shape, b: &Shape, seen: Vector, facing: Vector) -> (f64, Vector) {
    match (a, b) {
        (Shape::Disc { center: a, radius: r }, Shape::Disc { center: b, radius: s }) => {
            let way = minus(plus(seen, turned(*b, facing)), *a);
            (r + s - length(way), direction(way))
        }
        (Shape::Disc { .. }, Shape::Polygon(_)) => {
            let (depth, normal) = contact(b, a, turned_back(times(seen, -1.0), facing), [facing[0], -facing[1]]);
            (depth, times(turned(normal, facing), -1.0))
        }
        (Shape::Polygon(edges), Shape::Disc { center, radius }) => {
            let center = plus(seen, turned(*center, facing));
            let farthest = |best: (f64, Vector), edge: &Edge| {
                let outside = edge.outside(center);
                if outside > best.0 { (outside, edge.normal()) } else { best }
            };
            let (outside, normal) = edges.iter().fold((f64::NEG_INFINITY, ALONG_X), farthest);
            if outside < 0.0 && has_area(edges) {
                return (radius - outside, normal);
            }
            let nearest = |best: (f64, Vector), edge: &Edge| {
                let way = edge.way_to(center);
                let distance = length(way);
                if distance < best.0 { (distance, way) } else { best }
            };
            let (distance, way) = edges.iter().fold((f64::INFINITY, ALONG_X), nearest);
            // On the line of an edge, the middle is on the edge, or beyond the end of a polygon without area.
            (radius - distance, if distance > 0.0 { direction(way) } else { normal })
        }
        (Shape::Polygon(first), Shape::Polygon(second)) => {
            let back = turned_back(times(seen, -1.0), facing);
            let mut best = (f64::INFINITY, ALONG_X);
            for edge in first {
                let normal = edge.normal();
                let reach = b.support(times(turned_back(normal, facing), -1.0));
                let depth = dot(normal, edge.corner) + reach - dot(normal, seen);
                if depth < best.0 {
                    best = (depth, normal);
                }
            }
            for edge in second {
                let normal = edge.normal();
                let away = times(turned(normal, facing), -1.0);
                let depth = dot(normal, edge.corner) + a.support(away) - dot(normal, back);
                if depth < best.0 {
                    best = (depth, away);
                }
            }
            best
        }
    }
}

const ALONG_X: Vector = [1.0, 0.0];

/// The direction of a vector; any direction if the vector is 0.
fn direction(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { times(a, length.recip()) } else { ALONG_X }
}

/// The corners of the convex hull, counter-clockwise: Andrew's monotone chain.
fn hull(corners: &[[f32; 2]]) -> Vec<Vector> {
    // Adding zero turns -0 into 0.
    let mut sorted: Vec<Vector> = corners.iter().map(|corner| corner.map(|c| f64::from(c) + 0.0)).collect();
    sorted.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 2 {
        return sorted;
    }
    let half = |corners: &mut dyn Iterator<Item = &Vector>| {
        let mut chain: Vec<Vector> = Vec::new();
        for corner in corners {
            while let [.., a, b] = chain[..]
                && cross(minus(b, a), minus(*corner, a)) <= 0.0
            {
                chain.pop();
            }
            chain.push(*corner);
        }
        // The last corner begins the other half.
        chain.pop();
        chain
    };
    let mut all = half(&mut sorted.iter());
    all.extend(half(&mut sorted.iter().rev()));
    all
}

/// The depth of `a` and `b` if `b` is at `seen` from `a`: the least distance to move one of them until they only touch.
/// Not above 0 if they do not overlap.
pub(super) fn depth(a: &Shape, b: &Shape, seen: Vector) -> f64 {
    contact(a, b, seen, ALONG_X).0
}

/// The two times between which `a` and `b` are deeper than `tolerance`, which is not negative. At time 0, `b` is at
/// `seen` from `a`; `velocity` is its motion relative to `a` per unit of time.
pub(super) fn times_deeper(a: &Shape, b: &Shape, seen: Vector, velocity: Vector, tolerance: f64) -> Option<[f64; 2]> {
    if velocity == [0.0; 2] {
        return (depth(a, b, seen) > tolerance).then_some(ALWAYS);
    }
    match (a, b) {
        (Shape::Disc { center: a, radius: r }, Shape::Disc { center: b, radius: s }) => {
            times_in_disc(minus(plus(seen, *b), *a), velocity, r + s - tolerance)
        }
        (Shape::Disc { .. }, Shape::Polygon(_)) => {
            times_deeper(b, a, minus([0.0; 2], seen), minus([0.0; 2], velocity), tolerance)
        }
        (Shape::Polygon(edges), Shape::Disc { center, radius }) => {
            let center = plus(seen, *center);
            let inside = |room: f64| {
                if !has_area(edges) {
                    return None;
                }
                let sides = edges.iter().map(|edge| (room - edge.outside(center), -dot(edge.normal(), velocity)));
                times_positive(sides)
            };
            let room = radius - tolerance;
            if room <= 0.0 {
                return inside(room);
            }
            // The polygon, the strips along its edges, and the discs around its corners form a convex region.
            let parts = edges.iter().flat_map(|edge| {
                let seen = minus(center, edge.corner);
                let (off, off_by) = (edge.outside(center), dot(edge.normal(), velocity));
                let (along, along_by) = (dot(edge.along, seen), dot(edge.along, velocity));
                // On both sides of the edge: along the edge itself, neither the inside nor the outside has a time.
                let strip =
                    [(room + off, off_by), (room - off, -off_by), (along, along_by), (edge.length - along, -along_by)];
                [times_in_disc(seen, velocity, room), times_positive(strip)]
            });
            let parts = parts.chain([inside(0.0)]).flatten();
            parts.reduce(|[begin, end], [other_begin, other_end]| [begin.min(other_begin), end.max(other_end)])
        }
        (Shape::Polygon(a), Shape::Polygon(b)) => times_positive(
            sides(a, b).map(|(normal, reach)| (reach - tolerance - dot(normal, seen), -dot(normal, velocity))),
        ),
    }
}

/// A polygon without area has two edges along one line. Rounding may put a point of that line between them, however far
/// from their ends.
fn has_area(edges: &[Edge]) -> bool {
    edges.len() > 2
}

const ALWAYS: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// The sides of the region of positions at which `b`, seen from `a`, overlaps `a`: their directions and distances.
fn sides<'a>(a: &'a [Edge], b: &'a [Edge]) -> impl Iterator<Item = (Vector, f64)> + 'a {
    // How far the second shape reaches against the direction of an edge of the first.
    let reach = |edge: &Edge, other: &[Edge]| {
        let normal = edge.normal();
        let least = other.iter().map(|edge| dot(normal, edge.corner)).fold(f64::INFINITY, f64::min);
        dot(normal, edge.corner) - least
    };
    let of_a = a.iter().map(move |edge| (edge.normal(), reach(edge, b)));
    of_a.chain(b.iter().map(move |edge| (minus([0.0; 2], edge.normal()), reach(edge, a))))
}

/// When all linear functions, each given by its value at time 0 and its slope, are positive.
fn times_positive(functions: impl IntoIterator<Item = (f64, f64)>) -> Option<[f64; 2]> {
    let [mut begin, mut end] = ALWAYS;
    for (value, slope) in functions {
        if slope > 0.0 {
            begin = begin.max(-value / slope);
        } else if slope < 0.0 {
            end = end.min(-value / slope);
        } else if value <= 0.0 {
            return None;
        }
    }
    (begin < end).then_some([begin, end])
}

/// When a moving point that is at `seen` at time 0 is in the disc of `radius` around the origin.
fn times_in_disc(seen: Vector, velocity: Vector, radius: f64) -> Option<[f64; 2]> {
    let speed = length(velocity);
    let direction = times(velocity, speed.recip());
    let aside = cross(seen, direction).abs();
    let half = ((radius - aside) * (radius + aside)).sqrt();
    let middle = -dot(seen, direction);
    // False if `half` is NaN.
    (radius > aside && half > 0.0).then(|| [(middle - half) / speed, (middle + half) / speed])
}

pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn times(a: Vector, by: f64) -> Vector {
    a.map(|c| c * by)
}

/// A vector rotated by the rotation that takes x to `facing`, which has length 1.
pub(super) fn turned([x, y]: Vector, [cos, sin]: Vector) -> Vector {
    [x * cos - y * sin, x * sin + y * cos]
}

/// A vector rotated by the rotation that takes `facing`, which has length 1, to x.
pub(super) fn turned_back([x, y]: Vector, [cos, sin]: Vector) -> Vector {
    [x * cos + y * sin, y * cos - x * sin]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: Vector, b: Vector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}
