//! Fronts: the marks that show the heading of an agent.

use giveway_core::TracedBody;

use crate::markup::Number;
use crate::placement::Placement;
use crate::plane::point;

/// A triangle that points to the front, under heading 0, in world units around the agent's position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Front {
    /// Its tip.
    pub(crate) tip: [f64; 2],
    /// Its length.
    pub(crate) size: f64,
}

/// The width of the triangle to either side, relative to its length.
const HALF_WIDTH: f64 = 0.4;

impl Front {
    /// The mark of a body: just behind the middle of its front edge.
    pub(crate) fn of(body: &TracedBody) -> Self {
        let point = |[x, y]: [f32; 2]| point([x, y, 0.0]);
        match body {
            TracedBody::Disc { center, radius } => {
                let [reach, _] = point([*radius, 0.0]);
                Self::within(point(*center), reach, reach)
            }
            TracedBody::Polygon { corners } => {
                let corners: Vec<[f64; 2]> = corners.iter().map(|corner| point(*corner)).collect();
                let count = corners.len().max(1) as f64;
                let middle = [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f64>() / count);
                let sides = corners.iter().zip(corners.iter().cycle().skip(1));
                let ahead = sides.filter_map(|(a, b)| crossing(*a, *b, middle[1])).fold(middle[0], f64::max);
                let beside =
                    |sign: f64| corners.iter().map(|corner| (corner[1] - middle[1]) * sign).fold(0.0, f64::max);
                Self::within(middle, ahead - middle[0], beside(1.0).min(beside(-1.0)))
            }
        }
    }

    /// The mark of a point that is drawn as a disc of `radius`: outside the disc.
    pub(crate) fn of_point(radius: f64) -> Self {
        Self { tip: [1.5 * radius, 0.0], size: 0.6 * radius }
    }

    /// The mark of a goal that is drawn as a square, for places of size `pitch`: outside the square.
    pub(crate) fn of_goal(pitch: f64) -> Self {
        Self { tip: [0.62 * pitch, 0.0], size: 0.18 * pitch }
    }

    fn within(middle: [f64; 2], ahead: f64, beside: f64) -> Self {
        Self { tip: [middle[0] + 0.92 * ahead, middle[1]], size: (0.4 * ahead).min(1.3 * beside) }
    }

    /// The triangle in `placement`, as SVG path data; `pixel` maps points of the world to pixels.
    pub(crate) fn path(&self, placement: Placement, pixel: impl Fn([f64; 2]) -> [f64; 2]) -> String {
        let Self { tip: [x, y], size } = *self;
        let corners = [[x, y], [x - size, y - HALF_WIDTH * size], [x - size, y + HALF_WIDTH * size]];
        let [a, b, c] = corners.map(|corner| pixel(placement.place(corner)).map(|side| Number(side, 2)));
        format!("M{} {}L{} {}L{} {}z", a[0], a[1], b[0], b[1], c[0], c[1])
    }
}

/// The point of the line from `a` to `b` at height `y`.
fn crossing(a: [f64; 2], b: [f64; 2], y: f64) -> Option<f64> {
    let ([from, to], rise) = ([a[1] - y, b[1] - y], b[1] - a[1]);
    if from * to > 0.0 {
        return None;
    }
    Some(if rise == 0.0 { a[0].max(b[0]) } else { a[0] - (b[0] - a[0]) * from / rise })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_at_the_front_of_bodies() {
        let near = |front: Front, [x, y, size]: [f64; 3]| {
            let found = [front.tip[0], front.tip[1], front.size];
            found.iter().zip([x, y, size]).all(|(found, expected)| (found - expected).abs() < 1e-6)
        };
        let rectangle = |back: f32, front: f32, half: f32| TracedBody::Polygon {
            corners: vec![[back, -half], [front, -half], [front, half], [back, half]],
        };
        // With the position at its middle, and with the position near its rear.
        assert!(near(Front::of(&rectangle(-1.0, 1.0, 0.5)), [0.92, 0.0, 0.4]));
        assert!(near(Front::of(&rectangle(-0.5, 2.5, 0.5)), [1.0 + 0.92 * 1.5, 0.0, 0.6]));
        // A thin body has a small mark.
        assert!(near(Front::of(&rectangle(-1.0, 1.0, 0.1)), [0.92, 0.0, 0.13]));
        assert!(near(Front::of(&TracedBody::Disc { center: [0.5, 0.25], radius: 1.0 }), [1.42, 0.25, 0.4]));
        for corners in [vec![], vec![[1.0, 1.0]], vec![[f32::NAN, f32::MAX], [f32::INFINITY, f32::MIN]]] {
            let front = Front::of(&TracedBody::Polygon { corners });
            let drawn = front.path(Placement { at: [0.0; 2], heading: 1.0 }, |at| at);
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }

    #[test]
    fn marks_turn_with_the_agent() {
        let placement = Placement { at: [10.0, 20.0], heading: std::f64::consts::FRAC_PI_2 };
        let path = Front { tip: [1.0, 0.0], size: 0.5 }.path(placement, |at| at);
        assert_eq!(path, "M10 21L10.2 20.5L9.8 20.5z");
    }
}
