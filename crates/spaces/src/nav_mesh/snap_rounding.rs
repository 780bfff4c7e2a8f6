//! Snap rounding: segments that cross become chains on a grid of whole numbers, and no two of them cross. Exact, by
//! Guibas and Marimont, 1998.
//!
//! The square around a grid point is hot if a segment ends or crosses another one in it. Each segment becomes the chain
//! of the grid points whose hot squares it passes. So it moves by less than the side of a square. Squares are half
//! open: they cover the plane, each point once.

use crate::segments::Segments;

/// A point of the grid. Coordinates are at most 2^25 from 0, so that products of them fit.
pub(super) type GridPoint = [i64; 2];

/// Each of `segments` as the points of its chain, both of its ends included. Chains meet in their points only, or a
/// point of one lies on another; parts of chains may be equal.
///
/// Takes time in proportion to segments and crossings, up to a logarithm, if segments are short; a long segment takes
/// longer.
pub(super) fn snap_rounded(segments: &[[GridPoint; 2]]) -> Vec<Vec<GridPoint>> {
    let by_place = Segments::new(segments.iter().map(|ends| ends.map(exact)).collect());
    let mut hot: Vec<GridPoint> = segments.as_flattened().to_vec();
    for (number, segment) in segments.iter().enumerate() {
        by_place.for_each_near(segment.map(exact), 1.0, |other, _| {
            if number < other {
                hot.extend(crossing(*segment, segments[other]));
            }
        });
    }
    hot.sort_unstable();
    hot.dedup();
    let hot_by_place = Segments::new(hot.iter().map(|point| [exact(*point); 2]).collect());
    let chain = |segment: &[GridPoint; 2]| {
        let mut chain = Vec::new();
        hot_by_place.for_each_near(segment.map(exact), 1.0, |number, _| {
            if passes(*segment, hot[number]) {
                chain.push(hot[number]);
            }
        });
        // A segment goes one way along each axis. So it meets the squares column by column, and row by row in a column.
        let way = [0, 1].map(|axis| (segment[1][axis] - segment[0][axis]).signum());
        chain.sort_unstable_by_key(|point| [way[0] * point[0], way[1] * point[1]]);
        chain.dedup();
        chain
    };
    segments.iter().map(chain).collect()
}

#[allow(clippy::cast_precision_loss)] // of fewer bits
pub(super) fn exact(point: GridPoint) -> [f64; 2] {
    point.map(|side| side as f64)
}

fn between(from: GridPoint, to: GridPoint) -> [i64; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

fn cross(a: [i64; 2], b: [i64; 2]) -> i64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Twice the area of the triangle, positive if it goes round counterclockwise where y grows upwards.
pub(super) fn turn(a: GridPoint, b: GridPoint, c: GridPoint) -> i64 {
    cross(between(a, b), between(b, c))
}

/// The grid point in whose square two segments meet, unless they are parallel.
fn crossing([a, b]: [GridPoint; 2], [c, d]: [GridPoint; 2]) -> Option<GridPoint> {
    let (along, by, apart) = (between(a, b), between(c, d), between(a, c));
    let sine = cross(along, by);
    let (share, other) = (cross(apart, by) * sine.signum(), cross(apart, along) * sine.signum());
    let sine = sine.abs();
    let meet = sine != 0 && (0..=sine).contains(&share) && (0..=sine).contains(&other);
    meet.then(|| {
        [0, 1].map(|axis| {
            let doubled = 2 * i128::from(along[axis]) * i128::from(share) + i128::from(sine);
            let steps = doubled.div_euclid(2 * i128::from(sine));
            a[axis] + i64::try_from(steps).unwrap_or(along[axis])
        })
    })
}

/// A bound on the share of a segment, as a fraction with a positive denominator; and whether the bound itself is still
/// inside.
#[derive(Clone, Copy)]
struct Bound {
    share: [i64; 2],
    closed: bool,
}

/// Whether `segment` meets the square around `point`, which its upper sides do not belong to.
fn passes([a, b]: [GridPoint; 2], point: GridPoint) -> bool {
    let bound = |share, closed| Bound { share, closed };
    let (mut from, mut until) = ([bound([0, 1], true); 3], [bound([1, 1], true); 3]);
    for axis in 0..2 {
        // In half units, so that sides of squares are whole.
        let (along, low, high) =
            (2 * (b[axis] - a[axis]), 2 * (point[axis] - a[axis]) - 1, 2 * (point[axis] - a[axis]) + 1);
        if along > 0 {
            (from[axis], until[axis]) = (bound([low, along], true), bound([high, along], false));
        } else if along < 0 {
            (from[axis], until[axis]) = (bound([-high, -along], false), bound([-low, -along], true));
        } else if !(low <= 0 && 0 < high) {
            return false;
        }
    }
    from.iter().all(|from| {
        until.iter().all(|until| {
            let (begin, end) = (from.share[0] * until.share[1], until.share[0] * from.share[1]);
            begin < end || begin == end && from.closed && until.closed
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Segments and their chains.
    type Case = (&'static [[GridPoint; 2]], &'static [&'static [GridPoint]]);

    #[test]
    fn segments_become_chains_over_hot_squares() {
        // Crossing in a grid point, crossing beside one, a touch, an overlap, a corner that a segment passes near by, a
        // point.
        let cases: [Case; 6] = [
            (&[[[0, 0], [4, 4]], [[0, 4], [4, 0]]], &[&[[0, 0], [2, 2], [4, 4]], &[[0, 4], [2, 2], [4, 0]]]),
            (&[[[0, 0], [3, 3]], [[0, 3], [3, 0]]], &[&[[0, 0], [2, 2], [3, 3]], &[[0, 3], [2, 2], [3, 0]]]),
            (&[[[0, 0], [4, 0]], [[2, 0], [2, 5]]], &[&[[0, 0], [2, 0], [4, 0]], &[[2, 0], [2, 5]]]),
            (&[[[0, 0], [4, 0]], [[6, 0], [2, 0]]], &[&[[0, 0], [2, 0], [4, 0]], &[[6, 0], [4, 0], [2, 0]]]),
            (&[[[0, 0], [9, 1]], [[2, 0], [2, -5]]], &[&[[0, 0], [2, 0], [9, 1]], &[[2, 0], [2, -5]]]),
            (&[[[1, 1], [1, 1]]], &[&[[1, 1]]]),
        ];
        for (segments, expected) in cases {
            assert_eq!(snap_rounded(segments), expected, "{segments:?}");
        }
    }

    const FARTHEST: i64 = 1 << 25;

    fn segments() -> impl Strategy<Value = Vec<[GridPoint; 2]>> {
        // Few places, so that much of it is degenerate; and long ones.
        let side =
            prop_oneof![-4_i64..5, -40_i64..40, prop_oneof![Just(-FARTHEST), Just(FARTHEST), Just(FARTHEST - 1)]];
        let point = [side.clone(), side];
        prop::collection::vec([point.clone(), point], 1..24)
    }

    proptest! {
        #[test]
        fn chains_do_not_cross(segments in segments()) {
            let chains = snap_rounded(&segments);
            let parts: Vec<[GridPoint; 2]> =
                chains.iter().flat_map(|chain| chain.windows(2).map(|ends| [ends[0], ends[1]])).collect();
            for (chain, segment) in chains.iter().zip(&segments) {
                prop_assert_eq!([chain[0], chain[chain.len() - 1]], *segment);
            }
            for [a, b] in &parts {
                for [c, d] in &parts {
                    let one = turn(*a, *b, *c).signum() * turn(*a, *b, *d).signum();
                    let other = turn(*c, *d, *a).signum() * turn(*c, *d, *b).signum();
                    prop_assert!(one >= 0 || other >= 0, "{:?} crosses {:?}", [a, b], [c, d]);
                }
            }
        }
    }
}
