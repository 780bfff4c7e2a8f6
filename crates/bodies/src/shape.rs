//! Shapes: convex, around a position, and the squares of the ground that they meet on their way.

use super::trajectory::{Placement, WayPart};
use giveway_core::plane::{TOUCH, hull, length, point_to_segment, polygons_meet};

/// A convex shape in world units, relative to the position of its unit, under heading 0.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    Disc { center: [f64; 2], radius: f64 },
    Polygon(Vec<[f64; 2]>),
}

/// A square of the ground: its least coordinates and its side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Square {
    pub(super) min: [f64; 2],
    pub(super) side: f64,
}

impl Square {
    fn corners(self) -> [[f64; 2]; 4] {
        let [left, top] = self.min;
        let [right, bottom] = [left + self.side, top + self.side];
        [[left, top], [right, top], [right, bottom], [left, bottom]]
    }

    /// The distance of `point` from it; 0 inside.
    fn distance(self, point: [f64; 2]) -> f64 {
        let beyond =
            |axis: usize| (self.min[axis] - point[axis]).max(point[axis] - self.min[axis] - self.side).max(0.0);
        length([beyond(0), beyond(1)])
    }
}

impl Shape {
    /// Whether it is no larger than a map of `size`, under at least one of `headings`.
    pub(super) fn is_within(&self, size: [u32; 2], headings: &[f64]) -> bool {
        headings.iter().any(|heading| {
            let [least, most] = self.sweep(&WayPart::rest(Placement::facing(*heading))).extent();
            (0..2).all(|axis| most[axis] - least[axis] <= f64::from(size[axis]) + TOUCH)
        })
    }

    /// The farthest that it reaches from its position.
    pub(super) fn reach(&self) -> f64 {
        match self {
            Self::Disc { center, radius } => length(*center) + radius,
            Self::Polygon(corners) => corners.iter().map(|corner| length(*corner)).fold(0.0, f64::max),
        }
    }

    /// What it sweeps in a part of its way, or slightly more.
    pub(super) fn sweep(&self, part: &WayPart) -> Swept {
        match self {
            Self::Disc { center, radius } => Swept { corners: part.around(*center).collect(), round: *radius },
            Self::Polygon(corners) => {
                let corners = corners.iter().flat_map(|corner| part.around(*corner));
                Swept { corners: hull(corners.collect()), round: 0.0 }
            }
        }
    }
}

/// A swept area: everything within a distance of the hull of a few points, or a polygon.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Swept {
    corners: Vec<[f64; 2]>,
    /// The distance; 0: a polygon.
    round: f64,
}

impl Swept {
    /// The least and the greatest coordinates.
    pub(super) fn extent(&self) -> [[f64; 2]; 2] {
        let side = |pick: fn(f64, f64) -> f64, from: f64, axis: usize| {
            self.corners.iter().map(|corner| corner[axis]).fold(from, pick)
        };
        [
            [0, 1].map(|axis| side(f64::min, f64::INFINITY, axis) - self.round),
            [0, 1].map(|axis| side(f64::max, f64::NEG_INFINITY, axis) + self.round),
        ]
    }

    /// Whether it meets the inside of `square`; for round areas, `square` must not lie inside the hull of the
    /// points.
    pub(super) fn meets(&self, square: Square) -> bool {
        if self.round == 0.0 {
            return polygons_meet(&self.corners, &square.corners());
        }
        let sides = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        { sides }.any(|(a, b)| segment_meets([*a, *b], self.round, square))
    }
}

/// Whether a disc of this `radius` meets the inside of `square` on its way along a segment.
pub(super) fn segment_meets(segment: [[f64; 2]; 2], radius: f64, square: Square) -> bool {
    segment_to_square(segment, square) < radius - TOUCH
}

/// The distance of the segment between two points from `square`; 0 if they meet.
pub(super) fn segment_to_square([a, b]: [[f64; 2]; 2], square: Square) -> f64 {
    // Clips the segment to the slabs of both axes.
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (from, by) = (a[axis], b[axis] - a[axis]);
        let (low, high) = (square.min[axis] - from, square.min[axis] + square.side - from);
        if by == 0.0 {
            if low > 0.0 || high < 0.0 {
                enter = f64::INFINITY;
            }
        } else {
            let (first, last) = (low / by, high / by);
            (enter, leave) = (enter.max(first.min(last)), leave.min(first.max(last)));
        }
    }
    if enter <= leave {
        return 0.0;
    }
    let ends = [a, b].map(|end| square.distance(end));
    let corners = square.corners().map(|corner| point_to_segment(corner, [a, b]));
    ends.into_iter().chain(corners).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Square = Square { min: [-0.5, -0.5], side: 1.0 };

    fn square(side: f64) -> Shape {
        let half = side / 2.0;
        Shape::Polygon(vec![[-half, -half], [half, -half], [half, half], [-half, half]])
    }

    fn meets(shape: &Shape, way: [[f64; 2]; 2], square: Square) -> bool {
        shape
            .sweep(&WayPart { ends: way.map(|at| Placement { at, heading: 0.0 }), shares: [0.0, 1.0], turns: None })
            .meets(square)
    }

    #[test]
    fn what_only_touches_does_not_meet() {
        let (disc, tile) = (Shape::Disc { center: [0.0, 0.0], radius: 0.5 }, square(1.0));
        for shape in [&disc, &tile] {
            for (at, met) in [([0.0, 0.0], true), ([1.0, 0.0], false), ([0.99, 0.0], true), ([0.0, -1.0], false)] {
                assert_eq!(meets(shape, [at, at], UNIT), met, "{shape:?} at {at:?}");
            }
        }
        // At the corner of a square a disc fits closer than a tile.
        let corner = [0.9, 0.9];
        assert!(meets(&tile, [corner; 2], UNIT) && !meets(&disc, [corner; 2], UNIT));
    }

    #[test]
    fn a_way_is_met_between_its_ends() {
        let disc = Shape::Disc { center: [0.0, 0.0], radius: 0.3 };
        assert!(meets(&disc, [[-2.0, 0.0], [2.0, 0.0]], UNIT));
        assert!(meets(&disc, [[-2.0, 0.79], [2.0, 0.79]], UNIT));
        assert!(!meets(&disc, [[-2.0, 0.81], [2.0, 0.81]], UNIT));
        // Past a corner: at (0.5, 0.5) the line x + y = 1.4 is 0.283 away.
        assert!(meets(&disc, [[1.4, 0.0], [0.0, 1.4]], UNIT));
        assert!(!meets(&disc, [[1.45, 0.0], [0.0, 1.45]], UNIT));
        let long = Shape::Polygon(vec![[-1.0, -0.1], [1.0, -0.1], [1.0, 0.1], [-1.0, 0.1]]);
        assert!(meets(&long, [[0.0, -3.0], [0.0, 3.0]], UNIT));
        assert!(!meets(&long, [[1.6, -3.0], [1.6, 3.0]], UNIT));
    }
}
