//! The course of a motion, as straight parts.

use crate::space::{Embedding, MoveIn};
use crate::vocabulary::NodeId;

/// A point in space.
pub(super) type Point3 = [f64; 3];

/// A part of a course: at constant speed from one point to another, between two shares of the time of the whole.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Part {
    pub(super) shares: [f64; 2],
    pub(super) ends: [Point3; 2],
}

/// Where a unit is during a motion; if there are several moves between two nodes, all of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Course {
    pub(super) parts: Vec<Part>,
    /// How far the parts may lie from the true course.
    pub(super) inexact: f64,
}

/// Arcs are followed as exactly as this, in radii of units.
const EXACT: f64 = 1e-3;

/// An arc has no more parts than this.
const MOST_PARTS: f64 = 4096.0;

/// What is farther away, in world units, counts as a mistake.
const FARTHEST: f64 = 1e9;

impl Course {
    /// Adds standing on `node`.
    pub(super) fn rest<S: Embedding>(&mut self, space: &S, node: NodeId) {
        let at = space.position(node).map(f64::from);
        self.parts.push(Part { shares: [0.0, 1.0], ends: [at, at] });
    }

    /// Adds the way of `m`, for units of `radius`.
    pub(super) fn add<S: Embedding>(&mut self, space: &S, m: &MoveIn<S>, radius: f64) {
        let [from, to] = [m.from, m.to].map(|node| space.position(node).map(f64::from));
        let Some(trajectory) = space.trajectory(m) else {
            self.parts.push(Part { shares: [0.0, 1.0], ends: [from, to] });
            return;
        };
        if trajectory.is_jump() {
            self.parts.extend([from, to].map(|at| Part { shares: [0.0, 1.0], ends: [at, at] }));
            return;
        }
        let heading = space.heading(m.from);
        let [x, y, _] = space.position(m.from);
        let exact = EXACT * radius;
        let mut shares = vec![0.0];
        for stretch in trajectory.stretches() {
            let [share, length, turn] = [stretch.share, stretch.length, stretch.turn].map(|n| f64::from(n).abs());
            // The middle of a chord is about a quarter of the arc's length times half its turn away from the arc.
            let parts = (length * turn / (8.0 * exact)).sqrt().ceil().clamp(1.0, MOST_PARTS);
            let parts = if parts.is_finite() { parts } else { 1.0 };
            let begin = shares[shares.len() - 1];
            let mut part = 1.0;
            while part <= parts {
                shares.push((begin + share * part / parts).min(1.0));
                part += 1.0;
            }
            self.inexact = self.inexact.max(length * turn / (8.0 * parts * parts));
        }
        let at = |share: f64| {
            #[allow(clippy::cast_possible_truncation)] // as exact as trajectories
            let ([x, y], _) = trajectory.pose([x, y], heading, share as f32);
            [f64::from(x), f64::from(y), from[2] + (to[2] - from[2]) * share]
        };
        let last = shares.len() - 1;
        let points: Vec<Point3> = (0..=last).map(|n| if n == last { to } else { at(shares[n]) }).collect();
        for n in 0..last {
            self.parts.push(Part { shares: [shares[n], shares[n + 1]], ends: [points[n], points[n + 1]] });
        }
    }

    /// Whether all of it is somewhere, and not absurdly far away.
    pub(super) fn is_finite(&self) -> bool {
        let far = |coordinate: &f64| coordinate.abs() <= FARTHEST;
        self.inexact <= FARTHEST && self.parts.iter().all(|part| part.ends.as_flattened().iter().all(far))
    }

    /// The square of the least distance between units on two courses; if `together`, at equal shares of both.
    pub(super) fn square_apart(&self, other: &Self, together: bool) -> f64 {
        let pairs = self.parts.iter().flat_map(|a| other.parts.iter().map(move |b| (a, b)));
        let squares = pairs.map(|(a, b)| if together { square_in_step(a, b) } else { square_between(a.ends, b.ends) });
        squares.fold(f64::INFINITY, f64::min)
    }
}

fn minus(a: Point3, b: Point3) -> Point3 {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn dot(a: Point3, b: Point3) -> f64 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

fn along([from, to]: [Point3; 2], share: f64) -> Point3 {
    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share)
}

/// The square of the least distance between two units at equal shares of their courses; infinite if the parts have no
/// share in common.
fn square_in_step(a: &Part, b: &Part) -> f64 {
    let (begin, end) = (a.shares[0].max(b.shares[0]), a.shares[1].min(b.shares[1]));
    if begin > end {
        return f64::INFINITY;
    }
    let at = |part: &Part, share: f64| {
        let lasts = part.shares[1] - part.shares[0];
        along(part.ends, if lasts > 0.0 { (share - part.shares[0]) / lasts } else { 0.0 })
    };
    let [first, last] = [begin, end].map(|share| minus(at(a, share), at(b, share)));
    square_to_origin([first, last])
}

/// The square of the least distance between the origin and a line segment.
fn square_to_origin(ends: [Point3; 2]) -> f64 {
    let by = minus(ends[1], ends[0]);
    let length = dot(by, by);
    let share = if length > 0.0 { (-dot(ends[0], by) / length).clamp(0.0, 1.0) } else { 0.0 };
    let nearest = along(ends, share);
    dot(nearest, nearest)
}

/// The square of the least distance between two line segments. Ericson, "Real-Time Collision Detection", 2005, section
/// 5.1.9, tells the cases. Here it is the least of five distances: of each end from the other segment, and between the
/// lines where they are nearest, if that is within both segments.
fn square_between(a: [Point3; 2], b: [Point3; 2]) -> f64 {
    let from_end = |end: Point3, of: [Point3; 2]| square_to_origin([minus(of[0], end), minus(of[1], end)]);
    let ends = from_end(a[0], b).min(from_end(a[1], b)).min(from_end(b[0], a)).min(from_end(b[1], a));
    let (u, v, w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(a[0], b[0]));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let spread = uu * vv - uv * uv;
    if spread <= 0.0 {
        return ends;
    }
    let (on_a, on_b) = ((uv * vw - vv * uw) / spread, (uu * vw - uv * uw) / spread);
    if !(0.0..=1.0).contains(&on_a) || !(0.0..=1.0).contains(&on_b) {
        return ends;
    }
    let apart = minus(along(a, on_a), along(b, on_b));
    ends.min(dot(apart, apart))
}
