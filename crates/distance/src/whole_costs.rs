//! The moves of a space at whole-number costs: floods through it are exact, whatever the type of costs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::rows::Rows;
use giveway_core::{Cost, NodeId, SpaceGraph};
use num_traits::ToPrimitive as _;

/// The cost that counts as one; a power of two, so that multiples of it have no rounding errors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Quantum(f64);

/// 2^`exponent`, within the range of normal numbers.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(u64::try_from(exponent.clamp(-1022, 1023) + 1023).unwrap_or(1) << 52)
}

impl Quantum {
    /// A quantum of which the largest finite cost of `space` has about 2^20; 1 for integers, unless their costs need
    /// more than 32 bits.
    pub(super) fn of_moves<S: SpaceGraph>(space: &S) -> Self {
        let costs = space.nodes().flat_map(|node| space.moves(node)).filter_map(|m| m.cost.to_f64());
        let largest = costs.filter(|cost| cost.is_finite()).fold(0.0, f64::max);
        #[allow(clippy::cast_possible_wrap)] // the exponent has 11 bits
        let exponent = (largest.to_bits() >> 52) as i64 - 1023;
        match (largest > 0.0, is_whole::<S::Cost>()) {
            (false, _) => Self(1.0),
            (true, true) => Self(power_of_two((exponent - 31).max(0))),
            (true, false) => Self(power_of_two(exponent - 20)),
        }
    }

    /// The largest number of quanta whose cost is not rounded: 24 bits fit `f32`, and 32 bits fit other types.
    pub(super) fn most<C: Cost>() -> u32 {
        let beyond = f64::from(1_u32 << 24) + 1.0;
        if C::floor(beyond).to_f64() == Some(beyond) { UNREACHED - 1 } else { (1 << 24) - 1 }
    }

    /// A better quantum where the largest distance has `farthest` of this one: coarser if the distance does not fit, or
    /// finer if much precision would be lost.
    pub(super) fn better<C: Cost>(self, farthest: u64) -> Option<Self> {
        let most = u64::from(Self::most::<C>());
        let mut shift = 0;
        while farthest >> shift > most {
            shift += 1;
        }
        if shift == 0 {
            // With room for two bits more: at a finer quantum, less is rounded down.
            while shift > -32 && farthest.max(1) << (3 - shift) <= most {
                shift -= 1;
            }
        }
        let finest = if is_whole::<C>() { 1.0 } else { f64::MIN_POSITIVE };
        let quantum = (self.0 * power_of_two(shift)).max(finest);
        (shift > 0 || (shift < -4 && quantum < self.0)).then_some(Self(quantum))
    }

    /// The largest number of quanta not above `cost`.
    fn count<C: Cost>(self, cost: C) -> u32 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates; NaN counts as zero
        let count = (cost.to_f64().unwrap_or(0.0) / self.0) as u32;
        // A number of 64 bits may have been rounded up on its way to floating point.
        if self.cost::<C>(count) > cost { count.saturating_sub(1) } else { count }
    }

    /// The cost of `count` quanta, or the largest representable cost below it.
    #[inline]
    pub(super) fn cost<C: Cost>(self, count: u32) -> C {
        C::floor(f64::from(count) * self.0)
    }
}

/// Whether costs are integers.
fn is_whole<C: Cost>() -> bool {
    C::floor(0.5).is_zero()
}

/// The mark of nodes that a flood has not reached.
pub(super) const UNREACHED: u32 = u32::MAX;

/// All moves of a space, each at the whole number of quanta that its cost has at least.
#[derive(Debug)]
pub(super) struct WholeCosts {
    out: Arcs,
    /// `None`: each move has a move back at an equal cost.
    into: Option<Arcs>,
}

/// By node, the other end of each arc, and its cost.
#[derive(PartialEq, Debug)]
struct Arcs(Rows<(u32, u32)>);

impl Arcs {
    /// From (near end, far end, cost), in any order.
    fn new(nodes: usize, mut arcs: Vec<(u32, u32, u32)>) -> Self {
        arcs.sort_unstable();
        Self(Rows::of_sorted(nodes, arcs, |(near, ..)| *near as usize).map(|(_, far, cost)| (far, cost)))
    }

    /// Per node the least cost from `start`, and the largest of these.
    fn flood(&self, start: u32) -> (Vec<u32>, u64) {
        let mut distances = vec![u64::MAX; self.0.len()];
        let mut open = BinaryHeap::new();
        distances[start as usize] = 0;
        open.push(Reverse((0, start)));
        let mut farthest = 0;
        while let Some(Reverse((distance, node))) = open.pop() {
            if distance > distances[node as usize] {
                continue;
            }
            farthest = distance;
            for (to, cost) in self.0.get(node as usize) {
                // No sum of as many costs of 32 bits as there are nodes exceeds 64 bits.
                let longer = distance + u64::from(*cost);
                if longer < distances[*to as usize] {
                    distances[*to as usize] = longer;
                    open.push(Reverse((longer, *to)));
                }
            }
        }
        let narrow = |distance| match distance {
            u64::MAX => UNREACHED,
            near => u32::try_from(near).unwrap_or(UNREACHED - 1).min(UNREACHED - 1),
        };
        (distances.into_iter().map(narrow).collect(), farthest)
    }
}

/// The distances between one node and all nodes, in quanta. Distances of more than 32 bits count as 2^32 - 2.
#[derive(Debug)]
pub(super) struct Column {
    /// From each node.
    pub(super) to: Vec<u32>,
    /// To each node; `None` if all distances are equal both ways.
    pub(super) from: Option<Vec<u32>>,
    /// The largest finite distance.
    pub(super) farthest: u64,
}

impl Column {
    /// Per node, the distance in the direction in which it is smaller.
    pub(super) fn nearer(&self) -> impl Iterator<Item = u32> + '_ {
        let from = self.from.as_ref().unwrap_or(&self.to);
        self.to.iter().zip(from).map(|(to, from)| *to.min(from))
    }
}

impl WholeCosts {
    /// The moves of `space`, each at as many `quantum`s as its cost has at least.
    pub(super) fn new<S: SpaceGraph>(space: &S, quantum: Quantum) -> Self {
        let bound = space.node_bound();
        let moves = space.nodes().flat_map(|node| space.moves(node)).filter(|m| m.to.index() < bound);
        let mut arcs: Vec<(u32, u32, u32)> = moves.map(|m| (m.from.0, m.to.0, quantum.count(m.cost))).collect();
        let out = Arcs::new(bound, arcs.clone());
        for (near, far, _) in &mut arcs {
            std::mem::swap(near, far);
        }
        let into = Some(Arcs::new(bound, arcs)).filter(|into| *into != out);
        Self { out, into }
    }

    /// The distances to and from `node`, which is below the bound.
    pub(super) fn column(&self, node: NodeId) -> Column {
        let (from, farthest) = self.out.flood(node.0);
        match self.into.as_ref().map(|into| into.flood(node.0)) {
            None => Column { to: from, from: None, farthest },
            Some((to, farther)) => Column { to, from: Some(from), farthest: farthest.max(farther) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ordered_float::OrderedFloat;

    #[test]
    fn no_number_of_quanta_costs_more_than_what_it_was_counted_from() {
        fn check<C: Cost>(quantum: f64, costs: &[C]) {
            for cost in costs {
                let count = Quantum(quantum).count(*cost);
                assert!(Quantum(quantum).cost::<C>(count) <= *cost, "{cost:?} of {quantum}");
                assert!(count == u32::MAX || Quantum(quantum).cost::<C>(count + 1) > *cost, "{cost:?} of {quantum}");
            }
        }
        check::<u32>(1.0, &[0, 1, 999, u32::MAX - 1]);
        // 2^63 - 1 becomes 2^63 as a floating-point number.
        check::<u64>(power_of_two(32), &[0, (1 << 32) - 1, (1 << 63) - 1, 1 << 63]);
        check::<OrderedFloat<f64>>(power_of_two(-20), &[0.0, 0.1, 1.0 / 3.0, 4000.7].map(OrderedFloat));
        check::<OrderedFloat<f32>>(power_of_two(-13), &[0.0, 0.1, 1.0 / 3.0, 1000.7].map(OrderedFloat));
    }

    #[test]
    fn a_quantum_suits_the_largest_distance() {
        let single = |quantum: f64, farthest| Quantum(quantum).better::<OrderedFloat<f32>>(farthest).map(|it| it.0);
        let whole = |quantum: f64, farthest| Quantum(quantum).better::<u64>(farthest).map(|it| it.0);
        assert_eq!(whole(1.0, 0), None, "no finer than whole numbers");
        assert_eq!(whole(1.0, (1 << 32) - 2), None);
        assert_eq!(whole(1.0, 1 << 32), Some(2.0));
        assert_eq!(whole(1.0, 1 << 40), Some(512.0));
        assert_eq!(single(0.5, 1 << 23), None, "24 bits");
        assert_eq!(single(0.5, 1 << 24), Some(1.0));
        assert_eq!(single(0.5, 1), Some(0.5 * power_of_two(-21)), "2^21, and room for two bits more");
    }
}
