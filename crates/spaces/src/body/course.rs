//! Poses, and the ways from one to another, as exact as they are computed. Sines are those of `libm`, which are the same on every
//! platform.

use std::f64::consts::PI;

use super::shape::length;

/// A part of a way, driven evenly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Stroke {
    /// Straight to another place, whatever the heading.
    Slide([f64; 2]),
    /// So far along the heading, less than 0 being backwards, while the heading grows by `turn`, in radians from x towards y.
    Drive {
        length: f64,
        turn: f64,
        /// For how many world units of driving it counts.
        counts: f64,
    },
}

impl Stroke {
    /// For how many world units of driving it counts.
    pub(crate) fn counts(&self) -> f64 {
        match self {
            Self::Slide(by) => length(*by),
            Self::Drive { counts, .. } => *counts,
        }
    }
}

/// Where a unit is, and where it faces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pose {
    pub(crate) at: [f64; 2],
    pub(crate) heading: f64,
}

impl Pose {
    /// At the origin.
    pub(crate) fn facing(heading: f64) -> Self {
        Self { at: [0.0, 0.0], heading }
    }

    /// The pose after a share of `stroke`.
    pub(crate) fn after(self, stroke: &Stroke, share: f64) -> Self {
        let (by, turn) = match *stroke {
            Stroke::Slide(by) => (by.map(|side| side * share), 0.0),
            Stroke::Drive { length, turn: 0.0, .. } => {
                let (sin, cos) = (libm::sin(self.heading), libm::cos(self.heading));
                ([length * share * cos, length * share * sin], 0.0)
            }
            Stroke::Drive { length, turn, .. } => {
                let (radius, end) = (length / turn, self.heading + turn * share);
                let (sine, cosine) =
                    (libm::sin(end) - libm::sin(self.heading), libm::cos(self.heading) - libm::cos(end));
                ([radius * sine, radius * cosine], turn * share)
            }
        };
        Self { at: [self.at[0] + by[0], self.at[1] + by[1]], heading: self.heading + turn }
    }

    /// Where `point` of what has this pose is.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.heading == 0.0 {
            return [self.at[0] + x, self.at[1] + y];
        }
        let (sin, cos) = (libm::sin(self.heading), libm::cos(self.heading));
        [self.at[0] + x * cos - y * sin, self.at[1] + x * sin + y * cos]
    }
}

/// Stretches of time on the way of something that reaches `radius` far from its position: the poses at both ends, from which share
/// of the time to which, and how far points of it come off the straight line between their places at both ends.
pub(super) fn parts(
    start: Pose,
    way: &[Stroke],
    radius: f64,
    longest: f64,
) -> impl Iterator<Item = ([Pose; 2], [f64; 2], f64)> {
    let total: f64 = way.iter().map(Stroke::counts).sum();
    let (mut pose, mut begin) = (start, 0.0);
    way.iter().flat_map(move |stroke| {
        let (goes, turn) = match *stroke {
            Stroke::Slide(by) => (length(by), 0.0),
            Stroke::Drive { length, turn, .. } => (length.abs(), turn.abs()),
        };
        let count = (goes / longest).ceil().max((turn / WIDEST).ceil()).max(1.0);
        let (from, since, lasts) = (pose, begin, stroke.counts() / total);
        // All points go round one center.
        let reach = if turn == 0.0 { 0.0 } else { radius + goes / turn };
        let bulge = reach * (1.0 - libm::cos(turn / count / 2.0));
        (pose, begin) = (from.after(stroke, 1.0), since + lasts);
        let share = move |part: f64| if part == count { 1.0 } else { part / count };
        std::iter::successors(Some(0.0), move |part| Some(part + 1.0)).take_while(move |part| *part < count).map(
            move |part| {
                let shares = [share(part), share(part + 1.0)];
                (shares.map(|share| from.after(stroke, share)), shares.map(|share| since + lasts * share), bulge)
            },
        )
    })
}

/// Turns are looked at in parts that are no wider than this.
const WIDEST: f64 = PI / 64.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_a_circle_leads_round_the_corner() {
        let quarter = Stroke::Drive { length: 3.0 * PI, turn: PI / 2.0, counts: 3.0 * PI };
        let end = Pose::facing(0.0).after(&quarter, 1.0);
        assert!((end.at[0] - 6.0).abs() < 1e-12 && (end.at[1] - 6.0).abs() < 1e-12, "{end:?}");
        let half = Pose::facing(0.0).after(&quarter, 0.5);
        assert!((half.at[0] - 6.0 * (PI / 4.0).sin()).abs() < 1e-12, "{half:?}");
        let back = Stroke::Drive { length: -2.0, turn: 0.0, counts: 2.0 };
        assert!((Pose::facing(PI).after(&back, 1.0).at[0] - 2.0).abs() < 1e-12);
        let spin = Stroke::Drive { length: 0.0, turn: -1.0, counts: 1.0 };
        assert_eq!(Pose::facing(0.5).after(&spin, 1.0), Pose { at: [0.0, 0.0], heading: -0.5 });
    }

    #[test]
    fn parts_follow_each_other_and_hold_everything() {
        let way = [
            Stroke::Drive { length: 1.0, turn: 0.0, counts: 1.0 },
            Stroke::Drive { length: -2.0, turn: 1.2, counts: 2.0 },
            Stroke::Drive { length: 0.0, turn: -0.7, counts: 1.0 },
        ];
        let corner = [1.5, -0.4];
        let all: Vec<_> = parts(Pose::facing(0.3), &way, 1.6, 0.125).collect();
        assert_eq!((all[0].1[0], all[all.len() - 1].1[1]), (0.0, 1.0));
        assert!(all.windows(2).all(|pair| pair[0].1[1] == pair[1].1[0]));
        let mut farthest: f64 = 0.0;
        let mut start = Pose::facing(0.3);
        for stroke in &way {
            for step in 0..=1000 {
                let [x, y] = start.after(stroke, f64::from(step) / 1000.0).place(corner);
                // Not farther from the chord of some part than it bulges.
                let off = |([a, b], _, bulge): &([Pose; 2], [f64; 2], f64)| {
                    let ([ax, ay], [bx, by]) = (a.place(corner), b.place(corner));
                    let (ux, uy) = (bx - ax, by - ay);
                    let share = (((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)).clamp(0.0, 1.0);
                    let (dx, dy) = (x - ax - ux * share, y - ay - uy * share);
                    (dx * dx + dy * dy).sqrt() - bulge
                };
                farthest = all.iter().map(off).fold(f64::INFINITY, f64::min).max(farthest);
            }
            start = start.after(stroke, 1.0);
        }
        assert!(farthest < 1e-12, "{farthest}");
    }
}
