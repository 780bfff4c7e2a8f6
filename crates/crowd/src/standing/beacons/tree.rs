//! A k-d tree of places: the nearest ones first, as many as are asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::NodeId;

/// Nodes by their positions. Each range of the list is halved by its middle place, along the axis on which the range is
/// longest.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    places: Vec<([f32; 3], NodeId)>,
    /// For each place that halves a range, the axis along which.
    axes: Vec<u8>,
}

impl Tree {
    /// The tree of `places`, whose coordinates are finite. Takes time n log n.
    pub(super) fn new(mut places: Vec<([f32; 3], NodeId)>) -> Self {
        let mut axes = vec![0; places.len()];
        let mut ranges = vec![(0, places.len())];
        while let Some((first, end)) = ranges.pop() {
            if end - first < 2 {
                continue;
            }
            let middle = usize::midpoint(first, end);
            let part = &mut places[first..end];
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
            axes[middle] = [0, 1, 2][axis];
            ranges.extend([(first, middle), (middle + 1, end)]);
        }
        Self { places, axes }
    }

    /// All places, the nearest to `position` first, with the squares of their distances; of equals the lowest node
    /// first.
    pub(super) fn outward(&self, position: [f32; 3]) -> impl Iterator<Item = (f64, NodeId)> {
        let position = position.map(f64::from);
        let square = |offset: [f64; 3]| offset.iter().map(|axis| axis * axis).sum::<f64>();
        // Ranges, and how far off they are at least along each axis.
        let mut ranges = vec![(0..self.places.len(), [0.0; 3])];
        // Squares are not negative, so their bits are in order. Of equals, ranges come before places.
        let mut near = BinaryHeap::from([Reverse((0_u64, false, 0_u32))]);
        std::iter::from_fn(move || {
            while let Some(Reverse((bits, is_place, which))) = near.pop() {
                if is_place {
                    return Some((f64::from_bits(bits), NodeId(which)));
                }
                let (range, off) = ranges[which as usize].clone();
                let middle = usize::midpoint(range.start, range.end);
                let Some((at, node)) = self.places.get(middle).filter(|_| !range.is_empty()) else { continue };
                let offset = [0, 1, 2].map(|axis| f64::from(at[axis]) - position[axis]);
                near.push(Reverse((square(offset).to_bits(), true, node.0)));
                let axis = usize::from(self.axes[middle]);
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
        })
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
            let tree = Tree::new(places.clone());
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
                assert_eq!(tree.outward(position).collect::<Vec<_>>(), sorted);
            }
        }
    }
}
