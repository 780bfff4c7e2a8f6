//! Which straight ways cross each other, decided without rounding.

use std::cmp::Ordering;

use giveway_core::NodeId;

/// Two nodes and the straight line between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct StraightWay {
    /// The nodes, the smaller id first.
    pub(super) nodes: [NodeId; 2],
    /// Their positions.
    pub(super) ends: [[f32; 3]; 2],
}

impl StraightWay {
    /// The least and the largest coordinate on `axis`.
    fn range(&self, axis: usize) -> [f32; 2] {
        let [a, b] = self.ends.map(|end| end.get(axis).copied().unwrap_or(0.0));
        [a.min(b), a.max(b)]
    }

    fn is_finite(&self) -> bool {
        self.ends.as_flattened().iter().all(|c| c.is_finite())
    }

    /// Whether the two ways, seen along the third axis, share one point that is an end of neither, and their heights
    /// on that axis overlap: a way over a bridge does not cross the way under it.
    fn crosses(&self, other: &Self) -> bool {
        let inside = |[low, high]: [f32; 2], c| low < c && c < high;
        let meets = |axis| {
            let (mine, others) = (self.range(axis), other.range(axis));
            let (begin, end) = (mine[0].max(others[0]), mine[1].min(others[1]));
            // Ways that share one coordinate only, an end of each, touch at most.
            begin < end || begin == end && (axis == 2 || inside(mine, begin) || inside(others, begin))
        };
        let parts = |way: &Self, [c, d]: [[f32; 3]; 2]| {
            let [a, b] = way.ends;
            let side = turn(a, b, c);
            side != Ordering::Equal && turn(a, b, d) == side.reverse()
        };
        (0..3).all(meets) && parts(self, other.ends) && parts(other, self.ends)
    }
}

/// Calls `found` once for each two of `ways` that cross. Ways without finite positions cross nothing.
///
/// The plane is cut into strips as wide as the mean way that has a width, so there are about as many parts of ways as
/// ways. Each strip is swept once. An end of a way belongs to no crossing: a way that ends where a strip begins has no
/// part in that strip.
pub(super) fn crossing_ways(ways: &[StraightWay], mut found: impl FnMut(&StraightWay, &StraightWay)) {
    let ways = || ways.iter().filter(|way| way.is_finite());
    let mut left = f64::INFINITY;
    let mut width = 0.0;
    let mut count = 0.0;
    for way in ways() {
        let [low, high] = way.range(0).map(f64::from);
        left = left.min(low);
        if low < high {
            width += high - low;
            count += 1.0;
        }
    }
    let width = if width > 0.0 { width / count } else { 1.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, which keeps the order
    let strip = |x: f32| ((f64::from(x) - left) / width) as u64;

    let mut parts: Vec<Part> = Vec::new();
    for way in ways() {
        let ([low, high], [lowest, highest]) = (way.range(0), way.range(1));
        let strips = strip(low)..=strip(high.next_down().max(low));
        parts.extend(strips.map(|strip| Part {
            key: (u128::from(strip) << 32) | u128::from(ordered(lowest)),
            highest,
            way,
        }));
    }
    parts.sort_unstable_by_key(|part| part.key);

    let mut reached: Vec<&Part> = Vec::new();
    for parts in parts.chunk_by(|a, b| a.key >> 32 == b.key >> 32) {
        reached.clear();
        for part in parts {
            let [lowest, _] = part.way.range(1);
            reached.retain(|other| other.highest > lowest);
            for other in &reached {
                // Of the strips that two ways share, the first one reports.
                let shared_from = strip(part.way.range(0)[0].max(other.way.range(0)[0]));
                if u128::from(shared_from) == part.key >> 32 && part.way.crosses(other.way) {
                    found(part.way, other.way);
                }
            }
            reached.push(part);
        }
    }
}

/// The part of a way in one strip.
struct Part<'a> {
    /// The number of the strip, then the least coordinate of the way on the second axis.
    key: u128,
    /// The largest coordinate on that axis.
    highest: f32,
    way: &'a StraightWay,
}

/// A number that is ordered as `c` is among finite numbers.
fn ordered(c: f32) -> u32 {
    // Both zeros are one number.
    let bits = (c + 0.0).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// The side of the line from `a` to `b` on which `c` lies, seen along the third axis; `Equal`: on the line.
fn turn([ax, ay, _]: [f32; 3], [bx, by, _]: [f32; 3], [cx, cy, _]: [f32; 3]) -> Ordering {
    // 24 bits times 24 bits fit into 53 bits, so no product is rounded.
    let product = |p: f32, q: f32| f64::from(p) * f64::from(q);
    sign_of_sum([
        product(ax, by),
        -product(ax, cy),
        -product(cx, by),
        -product(ay, bx),
        product(ay, cx),
        product(cy, bx),
    ])
}

/// The exact sign of the sum of `terms`: Shewchuk, Adaptive Precision Floating-Point Arithmetic (Discrete &
/// Computational Geometry, 1997), figure 6, Grow-Expansion.
fn sign_of_sum(terms: [f64; 6]) -> Ordering {
    // Parts that do not overlap, in order of size; their sum is the exact sum of the terms so far.
    let mut parts = [0.0; 6];
    for (count, term) in terms.into_iter().enumerate() {
        let mut sum = term;
        for part in &mut parts[..count] {
            (sum, *part) = sum_and_error(sum, *part);
        }
        parts[count] = sum;
    }
    let largest = parts.iter().rev().find(|part| **part != 0.0);
    largest.map_or(Ordering::Equal, |part| part.total_cmp(&0.0))
}

/// The rounded sum, and the rounding error: Knuth's Two-Sum.
fn sum_and_error(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_in_sum = sum - a;
    let a_in_sum = sum - b_in_sum;
    (sum, (a - a_in_sum) + (b - b_in_sum))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn way(id: u32, from: [f32; 3], to: [f32; 3]) -> StraightWay {
        StraightWay { nodes: [NodeId(id), NodeId(id + 1)], ends: [from, to] }
    }

    #[test]
    fn only_ways_that_pass_through_each_other_cross() {
        let diagonal = way(0, [0.0, 0.0, 0.0], [1.0, 1.0, 0.0]);
        let rows = [
            ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], true),
            ([0.5, 0.0, 0.0], [0.5, 9.0, 0.0], true),
            ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], false), // share an end
            ([0.5, 0.5, 0.0], [1.0, 0.0, 0.0], false), // ends on the way
            ([0.0, 0.0, 0.0], [1.0, 1.0, 0.0], false), // the same way
            ([0.2, 0.2, 0.0], [2.0, 2.0, 0.0], false), // along the same line
            ([0.6, 0.4, 0.0], [9.0, 0.4, 0.0], false), // the lines would meet
            ([1.0, 0.0, 5.0], [0.0, 1.0, 5.0], false), // a bridge
            ([1.0, 0.0, 5.0], [0.0, 1.0, -5.0], true),
        ];
        for (from, to, expected) in rows {
            let other = way(2, from, to);
            assert_eq!(diagonal.crosses(&other), expected, "{from:?} {to:?}");
            assert_eq!(other.crosses(&diagonal), expected, "{from:?} {to:?}");
        }
    }

    #[test]
    fn ways_to_nowhere_cross_nothing() {
        let diagonals = [way(0, [0.0, 0.0, 0.0], [1.0, 1.0, 0.0]), way(2, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])];
        for nowhere in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for axis in 0..3 {
                let [mut from, to] = diagonals[1].ends;
                from[axis] = nowhere;
                let mut pairs = 0;
                crossing_ways(&[diagonals[0], way(4, from, to), diagonals[1]], |_, _| pairs += 1);
                assert_eq!(pairs, 1, "{from:?}");
            }
        }
    }

    #[test]
    fn a_point_next_to_a_line_is_not_on_it() {
        let x = 1e-12_f32;
        for (a, b) in [(0.0, 1e30), (0.5, 12.0)].map(|(a, b)| ([a, a, 0.0], [b, b, 0.0])) {
            assert_eq!(turn(a, b, [x, x, 0.0]), Ordering::Equal);
            assert_eq!(turn(a, b, [x, x.next_up(), 0.0]), Ordering::Greater);
            assert_eq!(turn(a, b, [x.next_up(), x, 0.0]), Ordering::Less);
        }
    }

    proptest! {
        /// Coordinates of few bits, so that integers decide the question too.
        #[test]
        fn strips_find_what_all_pairs_find(
            ends in prop::collection::vec(prop::array::uniform2(prop::array::uniform2(-9_i16..9)), 0..40),
            scale in prop::sample::select(vec![1.0_f32, 0.1, 1e-30, 3e37]),
        ) {
            let ways: Vec<StraightWay> = ends
                .iter()
                .zip((0..).step_by(2))
                .map(|(ends, id)| {
                    let [from, to] = ends.map(|[x, y]| [f32::from(x) * scale, f32::from(y) * scale, 0.0]);
                    way(id, from, to)
                })
                .collect();
            let turn = |a: [i16; 2], b: [i16; 2], c: [i16; 2]| {
                let [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map(|p| p.map(i32::from));
                ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).signum()
            };
            let mut expected = Vec::new();
            for (i, [a, b]) in ends.iter().enumerate() {
                for (j, [c, d]) in ends.iter().enumerate().skip(i + 1) {
                    if turn(*a, *b, *c) * turn(*a, *b, *d) < 0 && turn(*c, *d, *a) * turn(*c, *d, *b) < 0 {
                        expected.push([2 * i, 2 * j]);
                    }
                }
            }
            let mut found = Vec::new();
            crossing_ways(&ways, |a, b| {
                let mut pair = [a.nodes[0].index(), b.nodes[0].index()];
                pair.sort_unstable();
                found.push(pair);
            });
            found.sort_unstable();
            if scale == 1.0 {
                prop_assert_eq!(found, expected);
            } else {
                // Rounding of the coordinates may bend straight ways; no way may be named twice, and nothing may
                // panic.
                prop_assert!(found.is_sorted_by(|a, b| a < b));
            }
        }
    }
}
