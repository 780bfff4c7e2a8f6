//! The place and heading of a unit, and its ways from there, in full precision. Sines come from `libm`, and are equal
//! on every platform.

use std::f64::consts::PI;

use giveway_core::plane::length;

/// A part of a way, at constant speed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Stroke {
    /// Straight to another place, under any heading.
    Slide([f64; 2]),
    /// A distance along the heading, negative for backwards, while the heading grows by `turn`, in radians from x
    /// towards y.
    Drive {
        length: f64,
        turn: f64,
        /// The world units of driving for which it counts.
        counts: f64,
    },
}

impl Stroke {
    /// The world units of driving for which it counts.
    pub(crate) fn counts(&self) -> f64 {
        match self {
            Self::Slide(by) => length(*by),
            Self::Drive { counts, .. } => *counts,
        }
    }
}

/// The place and heading of a unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Placement {
    pub(crate) at: [f64; 2],
    pub(crate) heading: f64,
}

impl Placement {
    /// At the origin, under `heading`.
    pub(crate) fn facing(heading: f64) -> Self {
        Self { at: [0.0, 0.0], heading }
    }

    /// The placement after a share of `stroke`.
    pub(crate) fn after(self, stroke: &Stroke, share: f64) -> Self {
        let (by, turn) = match *stroke {
            Stroke::Slide(by) => (by.map(|side| side * share), 0.0),
            Stroke::Drive { length, turn, .. } => {
                // The direction of an arc's chord is halfway between the headings at its ends. The sine of the half
                // turn, however small, avoids cancellation.
                let (length, half) = (length * share, turn * share / 2.0);
                let chord = if half.abs() < 1e-9 { length } else { length * libm::sin(half) / half };
                let middle = self.heading + half;
                ([chord * libm::cos(middle), chord * libm::sin(middle)], turn * share)
            }
        };
        Self { at: [self.at[0] + by[0], self.at[1] + by[1]], heading: self.heading + turn }
    }

    /// The position of `point` of a unit with this placement.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.heading == 0.0 {
            return [self.at[0] + x, self.at[1] + y];
        }
        let (sin, cos) = (libm::sin(self.heading), libm::cos(self.heading));
        [self.at[0] + x * cos - y * sin, self.at[1] + x * sin + y * cos]
    }
}

/// A part of a way that is small enough to be replaced by the hull of its two ends and of where the tangents there
/// meet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct WayPart {
    pub(super) ends: [Placement; 2],
    /// The shares of the whole time at which it begins and ends.
    pub(super) shares: [f64; 2],
    /// The center of its turn, and the angle.
    pub(super) turns: Option<([f64; 2], f64)>,
}

impl WayPart {
    /// Standing still.
    pub(super) fn rest(placement: Placement) -> Self {
        Self { ends: [placement; 2], shares: [0.0, 1.0], turns: None }
    }

    /// Points whose hull contains the way of `point` of the unit: its positions at both ends, and, in a turn, where the
    /// tangents there meet.
    pub(super) fn around(&self, point: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
        let ends = self.ends.map(|placement| placement.place(point));
        let apex = self.turns.map(|([x, y], turn)| {
            let middle = [0, 1].map(|axis| (ends[0][axis] + ends[1][axis]) / 2.0);
            let cosine = libm::cos(turn / 2.0);
            [x + (middle[0] - x) / (cosine * cosine), y + (middle[1] - y) / (cosine * cosine)]
        });
        ends.into_iter().chain(apex)
    }
}

/// The parts of a way from `start`, none of which is longer than `longest`.
pub(super) fn parts(start: Placement, way: &[Stroke], longest: f64) -> impl Iterator<Item = WayPart> {
    let total: f64 = way.iter().map(Stroke::counts).sum();
    let (mut placement, mut begin) = (start, 0.0);
    way.iter().flat_map(move |stroke| {
        let (goes, turn) = match *stroke {
            Stroke::Slide(by) => (length(by), 0.0),
            Stroke::Drive { length, turn, .. } => (length, turn),
        };
        let count = (goes.abs() / longest).ceil().max((turn.abs() / WIDEST).ceil()).max(1.0);
        let (from, since, lasts) = (placement, begin, stroke.counts() / total);
        // A turn too small to have a center counts as straight.
        let center = (turn.abs() > 1e-9).then(|| {
            let radius = goes / turn;
            [from.at[0] - radius * libm::sin(from.heading), from.at[1] + radius * libm::cos(from.heading)]
        });
        (placement, begin) = (from.after(stroke, 1.0), since + lasts);
        let share = move |part: f64| if part == count { 1.0 } else { part / count };
        std::iter::successors(Some(0.0), move |part| Some(part + 1.0)).take_while(move |part| *part < count).map(
            move |part| {
                let shares = [share(part), share(part + 1.0)];
                WayPart {
                    ends: shares.map(|share| from.after(stroke, share)),
                    shares: shares.map(|share| since + lasts * share),
                    turns: center.map(|center| (center, turn / count)),
                }
            },
        )
    })
}

/// Turns are divided into parts no wider than this.
const WIDEST: f64 = PI / 64.0;

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    #[test]
    fn a_quarter_of_a_circle_leads_round_the_corner() {
        let quarter = Stroke::Drive { length: 3.0 * PI, turn: PI / 2.0, counts: 3.0 * PI };
        let end = Placement::facing(0.0).after(&quarter, 1.0);
        assert_abs_diff_eq!(end.at[..], [6.0; 2][..], epsilon = 1e-12);
        let half = Placement::facing(0.0).after(&quarter, 0.5);
        assert_abs_diff_eq!(half.at[0], 6.0 * (PI / 4.0).sin(), epsilon = 1e-12);
        let back = Stroke::Drive { length: -2.0, turn: 0.0, counts: 2.0 };
        assert_abs_diff_eq!(Placement::facing(PI).after(&back, 1.0).at[0], 2.0, epsilon = 1e-12);
        let spin = Stroke::Drive { length: 0.0, turn: -1.0, counts: 1.0 };
        assert_eq!(Placement::facing(0.5).after(&spin, 1.0), Placement { at: [0.0, 0.0], heading: -0.5 });
    }

    #[test]
    fn parts_follow_each_other_and_hold_everything() {
        let way = [
            Stroke::Drive { length: 1.0, turn: 0.0, counts: 1.0 },
            Stroke::Drive { length: -2.0, turn: 1.2, counts: 2.0 },
            Stroke::Drive { length: 0.0, turn: -0.7, counts: 1.0 },
        ];
        let all: Vec<WayPart> = parts(Placement::facing(0.3), &way, 0.125).collect();
        assert_eq!((all[0].shares[0], all[all.len() - 1].shares[1]), (0.0, 1.0));
        assert!(all.windows(2).all(|pair| pair[0].shares[1] == pair[1].shares[0]));
        let mut start = Placement::facing(0.3);
        let counts = [1.0, 2.0, 1.0];
        let mut since = 0.0;
        for (stroke, counts) in way.iter().zip(counts) {
            for step in 0..=1000 {
                let share = f64::from(step) / 1000.0;
                let time = since + counts / 4.0 * share;
                let part = all.iter().find(|part| time <= part.shares[1] + 1e-12).unwrap();
                for corner in [[1.5, -0.4], [0.0, 0.0], [-0.7, 2.0]] {
                    // Within the triangle: on one side of all three lines, up to rounding.
                    let point = start.after(stroke, share).place(corner);
                    let around: Vec<[f64; 2]> = part.around(corner).collect();
                    let cross = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
                        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
                    };
                    let sides: Vec<f64> =
                        (0..around.len()).map(|i| cross(around[i], around[(i + 1) % around.len()], point)).collect();
                    let inside = sides.iter().all(|side| *side > -1e-12) || sides.iter().all(|side| *side < 1e-12);
                    assert!(inside, "{corner:?} at {time}: {sides:?}");
                }
            }
            start = start.after(stroke, 1.0);
            since += counts / 4.0;
        }
    }
}
