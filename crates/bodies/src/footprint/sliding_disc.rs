//! Discs that slide straight on, or rest: the squares that they meet, found at once instead of part by part.

use super::stamp::Print;
use crate::shape::{Square, segment_meets};
use crate::trajectory::{Placement, Stroke};
use giveway_core::plane::{TOUCH, length};

/// The width of the border between two parts, in parts.
const UNSURE: f64 = 1e-6;

/// A disc on a straight way, in as many equal parts as [`parts`](crate::trajectory::parts) makes.
pub(crate) struct SlidingDisc {
    start: Placement,
    center: [f64; 2],
    radius: f64,
    /// `None`: it rests.
    way: Option<Stroke>,
    parts: f64,
    ends: [[f64; 2]; 2],
}

impl SlidingDisc {
    /// A disc of this `center` and `radius` on its `way` from `start`. `None`: the way is not one straight slide.
    pub(crate) fn new(
        (center, radius): ([f64; 2], f64),
        start: Placement,
        way: &[Stroke],
        longest: f64,
    ) -> Option<Self> {
        let (way, goes) = match way {
            [] => (None, 0.0),
            [Stroke::Slide(by)] => (Some(Stroke::Slide(*by)), length(*by)),
            _ => return None,
        };
        let parts = (goes / longest).ceil().max(1.0);
        let mut disc = Self { start, center, radius, way, parts, ends: [[0.0; 2]; 2] };
        disc.ends = [disc.at(0.0), disc.at(parts)];
        Some(disc)
    }

    /// The middle of the disc after `parts` parts.
    fn at(&self, parts: f64) -> [f64; 2] {
        let share = self.share(parts);
        self.way.map_or(self.start, |stroke| self.start.after(&stroke, share)).place(self.center)
    }

    fn share(&self, parts: f64) -> f64 {
        if parts == self.parts { 1.0 } else { parts / self.parts }
    }

    fn meets(&self, part: f64, square: Square) -> bool {
        segment_meets([self.at(part), self.at(part + 1.0)], self.radius, square)
    }

    /// The squares of side `side` that it meets, in rows; `corner` is the least corner of one of them.
    pub(crate) fn prints(&self, side: f64, corner: [f64; 2]) -> Vec<Print> {
        let [a, b] = self.ends;
        #[allow(clippy::cast_possible_truncation)] // bodies are smaller than maps
        let range = |axis: usize| {
            let number = |at: f64| ((at - corner[axis]) / side).floor() as i32;
            number(a[axis].min(b[axis]) - self.radius)..=number(a[axis].max(b[axis]) + self.radius)
        };
        let mut prints = Vec::new();
        for row in range(1) {
            for column in range(0) {
                let min = [corner[0] + f64::from(column) * side, corner[1] + f64::from(row) * side];
                if let Some([first, last]) = self.parts_in(Square { min, side }) {
                    prints.push(Print { column, row, begin: self.share(first), end: self.share(last + 1.0) });
                }
            }
        }
        prints
    }

    /// The first and the last part in which `square` is met.
    fn parts_in(&self, square: Square) -> Option<[f64; 2]> {
        let [enter, leave] = self.shares_in(square)?;
        let in_parts = [enter, leave].map(|share| share * self.parts);
        let [mut first, mut last] = in_parts.map(|at| at.floor().clamp(0.0, self.parts - 1.0));
        // Where a part ends just there, rounding may be off by one: the parts say for themselves.
        let [starts_before, goes_on] = [in_parts[0] < -UNSURE, in_parts[1] > self.parts + UNSURE];
        let is_sure = |at: f64, part: f64| UNSURE < at - part && at - part < 1.0 - UNSURE;
        if !(starts_before || is_sure(in_parts[0], first)) || !(goes_on || is_sure(in_parts[1], last)) {
            first = (first - 1.0).max(0.0);
            last = (last + 1.0).min(self.parts - 1.0);
            while first <= last && !self.meets(first, square) {
                first += 1.0;
            }
            while first <= last && !self.meets(last, square) {
                last -= 1.0;
            }
        }
        (first <= last).then_some([first, last])
    }

    /// The shares of the way between which the disc meets `square`: between which the middle is in the square with a
    /// border as wide as the radius, rounded at its corners. The border is two rectangles and four discs.
    fn shares_in(&self, square: Square) -> Option<[f64; 2]> {
        let [a, b] = self.ends;
        let by = [b[0] - a[0], b[1] - a[1]];
        // What only touches does not meet.
        let radius = self.radius - TOUCH;
        let far = [square.min[0] + square.side, square.min[1] + square.side];
        // On the line on which the way lies, before and after it, too.
        let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
        for wide in 0..2 {
            let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
            for axis in 0..2 {
                let border = if axis == wide { radius } else { 0.0 };
                let (low, high) = (square.min[axis] - border - a[axis], far[axis] + border - a[axis]);
                if by[axis] == 0.0 {
                    if low > 0.0 || high < 0.0 {
                        last = f64::NEG_INFINITY;
                    }
                } else {
                    let shares = [low / by[axis], high / by[axis]];
                    (first, last) = (first.max(shares[0].min(shares[1])), last.min(shares[0].max(shares[1])));
                }
            }
            if first <= last {
                (enter, leave) = (enter.min(first), leave.max(last));
            }
        }
        let square_of_way = by[0] * by[0] + by[1] * by[1];
        for corner in [square.min, [far[0], square.min[1]], far, [square.min[0], far[1]]] {
            let away = [corner[0] - a[0], corner[1] - a[1]];
            let along = away[0] * by[0] + away[1] * by[1];
            let beyond = away[0] * away[0] + away[1] * away[1] - radius * radius;
            if square_of_way == 0.0 {
                if beyond <= 0.0 {
                    (enter, leave) = (f64::NEG_INFINITY, f64::INFINITY);
                }
                continue;
            }
            let under_root = along * along - square_of_way * beyond;
            if under_root >= 0.0 {
                let root = under_root.sqrt();
                enter = enter.min((along - root) / square_of_way);
                leave = leave.max((along + root) / square_of_way);
            }
        }
        (enter <= leave && leave >= 0.0 && enter <= 1.0).then_some([enter, leave])
    }
}
