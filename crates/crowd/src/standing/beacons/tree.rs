//! A k-d tree of places: the nearest ones first, as many as are asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use giveway_core::NodeId;

/// Nodes by their positions. Each range of the list is halved by its middle place, along the axis on which the range is
/// longest. Ranges are halved when they are first looked into.
#[derive(Debug)]
pub(super) struct Tree {
    places: Vec<([f32; 3], NodeId)>,
    /// For the middle place of each range, the axis along which the range is halved; [`WHOLE`]: it is not halved yet.
    axes: Vec<u8>,
}

/// Of a range that is not halved yet.
const WHOLE: u8 = u8::MAX;

/// How far the places around a position were listed.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    position: [f64; 3],
    /// Ranges, and how far off they are at least along each axis.
    ranges: Vec<(Range<usize>, [f64; 3])>,
    /// The squares of the distances of places and ranges. Squares are not negative, so their bits are in order. Of
    /// equals, ranges come before places.
    near: BinaryHeap<Reverse<(u64, bool, u32)>>,
}

impl Tree {
    /// The tree of `places`, whose coordinates are finite.
    pub(super) fn new(places: Vec<([f32; 3], NodeId)>) -> Self {
        Self { axes: vec![WHOLE; places.len()], places }
    }

    /// Nothing is listed yet of the places around `position`.
    pub(super) fn around(&self, position: [f32; 3]) -> Cursor {
        let ranges = vec![(0..self.places.len(), [0.0; 3])];
        Cursor { position: position.map(f64::from), ranges, near: BinaryHeap::from([Reverse((0, false, 0))]) }
    }

    /// Halves `range`. Takes time in proportion to its length.
    fn halve(&mut self, range: Range<usize>) {
        let middle = usize::midpoint(range.start, range.end);
        let (first, part) = (range.start, &mut self.places[range]);
        let length = |axis: usize| {
            let ends = part.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[least, most], (at, _)| {
                [least.min(at[axis]), most.max(at[axis])]
            });
            ends[1] - ends[0]
        };
        let lengths = [0, 1, 2].map(length);
        let longest = if lengths[1] > lengths[0] { 1 } else { 0 };
        let axis = if lengths[2] > lengths[longest] { 2 } else { longest };
        part.select_nth_unstable_by(middle - first, |(one, node), (other, than)| {
            one[axis].total_cmp(&other[axis]).then(node.cmp(than))
        });
        self.axes[middle] = [0, 1, 2][axis];
    }
}

impl Cursor {
    /// The next place of `tree`, the nearest one first, with the square of its distance; of equals the lowest node
    /// first. It must be the tree for which the cursor was made.
    pub(super) fn next(&mut self, tree: &mut Tree) -> Option<(f64, NodeId)> {
        let square = |offset: [f64; 3]| offset.iter().map(|axis| axis * axis).sum::<f64>();
        let Self { position, ranges, near } = self;
        while let Some(Reverse((bits, is_place, which))) = near.pop() {
            if is_place {
                return Some((f64::from_bits(bits), NodeId(which)));
            }
            let (range, off) = ranges[which as usize].clone();
            if range.is_empty() {
                continue;
            }
            let middle = usize::midpoint(range.start, range.end);
            if tree.axes[middle] == WHOLE {
                tree.halve(range.clone());
            }
            let (at, node) = tree.places[middle];
            let offset = [0, 1, 2].map(|axis| f64::from(at[axis]) - position[axis]);
            near.push(Reverse((square(offset).to_bits(), true, node.0)));
            let axis = usize::from(tree.axes[middle]);
            let mut beyond = off;
            beyond[axis] = offset[axis].abs();
            let (before, after) = (range.start..middle, middle + 1..range.end);
            let is_before = offset[axis] >= 0.0;
            for (part, off) in
                [(before, if is_before { off } else { beyond }), (after, if is_before { beyond } else { off })]
            {
                if !part.is_empty() {
                    #[allow(clippy::cast_possible_truncation)] // there are no more ranges than nodes
                    near.push(Reverse((square(off).to_bits(), false, ranges.len() as u32)));
                    ranges.push((part, off));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn places_come_as_if_all_were_sorted() {
        let mut random = Pcg64Mcg::new(0xBEAC_0011);
        for (count, side) in [(0, 3), (1, 3), (2, 1), (50, 4), (300, 5), (400, 60)] {
            // Many are equally near, and some at one position.
            let mut draw =
                || [0, 1, 2].map(|axis| f32::from(random.random_range(0..if axis < 2 { side } else { 2_u8 })));
            let places: Vec<_> = (0..count).map(|node| (draw(), NodeId(node))).collect();
            let mut tree = Tree::new(places.clone());
            for _ in 0..20 {
                let position = draw().map(|axis| axis * 1.5 - 1.0);
                let square = |at: [f32; 3]| {
                    at.iter()
                        .zip(position)
                        .map(|(a, b)| f64::from(*a) - f64::from(b))
                        .map(|axis| axis * axis)
                        .sum::<f64>()
                };
                let mut sorted: Vec<(f64, NodeId)> = places.iter().map(|(at, node)| (square(*at), *node)).collect();
                sorted.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
                let (mut cursor, mut listed) = (tree.around(position), Vec::new());
                while let Some(next) = cursor.next(&mut tree) {
                    // A cursor goes on in a tree into which others have looked.
                    if listed.len() == 7 {
                        assert!(tree.around(draw()).next(&mut tree).is_some());
                    }
                    listed.push(next);
                }
                assert_eq!(listed, sorted);
            }
        }
    }
}
