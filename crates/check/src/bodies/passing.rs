//! Two shapes while neither turns: when formulas give the times of an overlap.

use std::borrow::Cow;

use super::pieces::Piece;
use super::shape::{Shape, Vector, depth, minus, times_deeper, turned_back};

/// Two shapes while neither turns, in the frame of the first.
pub(super) struct Passing<'a> {
    shapes: (&'a Shape, Cow<'a, Shape>),
    pieces: [&'a Piece; 2],
    velocity: Vector,
}

impl<'a> Passing<'a> {
    /// `None` if one of the shapes turns, or drives along an arc.
    pub(super) fn new([a, b]: [&'a Shape; 2], [p, q]: [&'a Piece; 2]) -> Option<Self> {
        if p.spin != 0.0 || q.spin != 0.0 {
            return None;
        }
        let shape =
            if p.facing == q.facing { Cow::Borrowed(b) } else { Cow::Owned(b.turned(turned_back(q.facing, p.facing))) };
        let velocity = turned_back(minus(q.velocity, p.velocity), p.facing);
        Some(Self { shapes: (a, shape), pieces: [p, q], velocity })
    }

    /// The position of the second shape, seen from the first.
    fn seen(&self, time: f64) -> Vector {
        let [p, q] = self.pieces;
        turned_back(minus(q.at(time), p.at(time)), p.facing)
    }

    pub(super) fn depth(&self, time: f64) -> f64 {
        depth(self.shapes.0, &self.shapes.1, self.seen(time))
    }

    /// The times between `begin` and `end` at which the shapes are deeper than the tolerance.
    pub(super) fn deeper(&self, tolerance: f64, begin: f64, end: f64) -> Option<[f64; 2]> {
        let (a, b) = (self.shapes.0, self.shapes.1.as_ref());
        let [first, last] = times_deeper(a, b, self.seen(begin), self.velocity, tolerance)?;
        // Both ends stay exact if the overlap began before or goes on after them.
        let first = if first <= 0.0 { begin } else { begin + first };
        let last = if last >= end - begin { end } else { begin + last };
        (first < last && first < end && last > begin).then_some([first, last])
    }
}

/// The greatest value of a concave function between two times: a golden section search.
pub(super) fn greatest(function: impl Fn(f64) -> f64, begin: f64, end: f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (begin, end);
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_a, mut at_b) = (function(a), function(b));
    let mut best = function(begin).max(function(end)).max(at_a).max(at_b);
    for _ in 0..80 {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + ratio * (high - low);
            at_b = function(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - ratio * (high - low);
            at_a = function(a);
        }
        best = best.max(at_a).max(at_b);
    }
    best
}
