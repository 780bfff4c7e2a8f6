//! Curves through junctions: from one pose to another along two arcs that touch.

use std::f64::consts::PI;

use giveway_core::{Stretch, Trajectory};

/// A place in the plane, and the direction in which a vehicle leaves or enters it, of length 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Tangent {
    pub(super) at: [f64; 2],
    pub(super) along: [f64; 2],
}

/// Directions that differ by less are one.
const ALIKE: f64 = 1e-7;

/// How a vehicle gets from one pose to another.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Way {
    Straight,
    /// Along these stretches, of this length together.
    Curve(Trajectory, f64),
}

/// The way from `start` to `end` along two arcs of a circle, which may be straight lines, with equal tangents where
/// they join: a biarc with equal distances to the joint along the tangents. `None`: there is none, because both are in
/// one place, or beside each other with one direction.
pub(super) fn way(start: Tangent, end: Tangent) -> Option<Way> {
    let by = minus(end.at, start.at);
    let both = plus(start.along, end.along);
    let spread = 2.0 * (1.0 - dot(start.along, end.along));
    let distance = if spread > ALIKE {
        let slope = dot(by, both);
        ((slope * slope + spread * dot(by, by)).sqrt() - slope) / spread
    } else {
        // Equal directions: the joint is halfway.
        dot(by, by) / (4.0 * dot(by, end.along))
    };
    // Beside each other with one direction: no distance will do.
    if !distance.is_finite() || distance <= 0.0 {
        return None;
    }
    let joint: [f64; 2] = std::array::from_fn(|axis| {
        (start.at[axis] + end.at[axis] + distance * (start.along[axis] - end.along[axis])) / 2.0
    });
    let first = arc(start.along, minus(joint, start.at));
    // The second arc, driven backwards.
    let back = arc(end.along.map(|part| -part), minus(joint, end.at));
    let second = [back[0], -back[1]];
    let length = first[0] + second[0];
    if length <= 0.0 {
        return None;
    }
    if first[1].abs() < ALIKE && second[1].abs() < ALIKE {
        // There and back in one line is no way.
        return (dot(start.along, end.along) > 0.0).then_some(Way::Straight);
    }
    #[allow(clippy::cast_possible_truncation)] // as exact as trajectories
    let stretch = |[driven, turn]: [f64; 2]| Stretch {
        share: (driven / length) as f32,
        length: driven as f32,
        turn: turn as f32,
    };
    Some(Way::Curve(Trajectory::new(vec![stretch(first), stretch(second)]), length))
}

/// The length and the turn of the arc that leaves along `along` and ends `by` away.
fn arc(along: [f64; 2], by: [f64; 2]) -> [f64; 2] {
    let cross = along[0] * by[1] - along[1] * by[0];
    // Half of the turn is between the tangent and the chord.
    let half = libm::atan2(cross, dot(along, by));
    let chord = dot(by, by).sqrt();
    let stretched = if half.abs() < ALIKE { 1.0 } else { half / libm::sin(half) };
    if half.abs() >= PI - ALIKE { [0.0, 0.0] } else { [chord * stretched, 2.0 * half] }
}

fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use super::*;

    fn tangent(x: f64, y: f64, heading: f64) -> Tangent {
        Tangent { at: [x, y], along: [libm::cos(heading), libm::sin(heading)] }
    }

    #[test]
    fn curves_end_where_and_as_they_should() {
        let start = tangent(1.0, 2.0, 0.3);
        for (x, y, heading) in [
            (5.0, 4.0, 0.3 + FRAC_PI_2),
            (5.0, 0.0, 0.3 - FRAC_PI_2),
            (7.0, 5.0, 0.3),
            (0.0, 6.0, 0.3 + PI),
            (0.0, -6.0, 0.3 + PI),
            (6.0, 3.0, 1.0),
            (3.0, 8.0, 2.9),
        ] {
            let Some(Way::Curve(trajectory, length)) = way(start, tangent(x, y, heading)) else {
                panic!("no curve to {x}, {y}, {heading}");
            };
            let ([end_x, end_y], turned) = trajectory.pose([1.0, 2.0], 0.3, 1.0);
            assert!(
                (f64::from(end_x) - x).abs() < 1e-4 && (f64::from(end_y) - y).abs() < 1e-4,
                "{x}, {y}: {end_x}, {end_y}"
            );
            let off = (f64::from(turned) - heading).rem_euclid(TAU);
            assert!(off.min(TAU - off) < 1e-4, "{x}, {y}, {heading}: {turned}");
            assert!((f64::from(trajectory.length()) - length).abs() < 1e-4);
            assert!((trajectory.stretches().iter().map(|stretch| stretch.share).sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn straight_on_is_no_curve() {
        assert_eq!(way(tangent(0.0, 0.0, 0.0), tangent(3.0, 0.0, 0.0)), Some(Way::Straight));
        assert_eq!(
            way(tangent(0.0, 0.0, 0.7), tangent(3.0 * libm::cos(0.7), 3.0 * libm::sin(0.7), 0.7 + 1e-12)),
            Some(Way::Straight)
        );
        assert_eq!(way(tangent(0.0, 0.0, 0.0), tangent(0.0, 3.0, 0.0)), None);
        assert_eq!(way(tangent(1.0, 1.0, 0.0), tangent(1.0, 1.0, 2.0)), None);
    }
}
