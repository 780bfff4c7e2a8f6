//! The open list of the spatial A*: smaller f first, then the newer state.

use super::groups::Groups;
use super::ring::Ring;
use crate::cost::Cost;

/// Open nodes. Most of those that come have the least f, and are the next to go: they are pushed on a stack and popped again.
///
/// Among nodes of equal f the larger g would need fewer expansions, by one or two in a hundred, but its order takes longer than they do.
#[derive(Clone, Debug)]
pub(super) struct Frontier<C: Cost> {
    /// The least f, or the one just used up.
    f: C,
    /// The nodes with f = `f`; the next one is the last.
    present: Vec<u32>,
    /// Nodes with a larger f that is whole and near.
    near: Ring,
    /// All other nodes with a larger f. Where some have the same f as nodes in `near`, they came before these.
    far: Groups<C, u32>,
}

impl<C: Cost> Frontier<C> {
    pub(super) fn new() -> Self {
        Self { f: C::zero(), present: Vec::new(), near: Ring::new(), far: Groups::new() }
    }

    /// Forgets everything, and begins with `node`.
    pub(super) fn begin(&mut self, f: C, node: u32) {
        self.f = f;
        self.present.clear();
        self.near.clear();
        self.near.advance(f);
        self.far.clear();
        self.present.push(node);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, f: C, node: u32) {
        if f > self.f {
            if !self.near.push(f, node) {
                self.push_far(f, node);
            }
            return;
        }
        if f < self.f {
            self.step_back(f);
        }
        self.present.push(node);
    }

    #[inline(never)]
    fn push_far(&mut self, f: C, node: u32) {
        self.far.push(f, node);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        if self.present.is_empty() {
            self.step_forward();
        }
        self.present.pop()
    }

    /// Makes the nodes with the least f the present ones.
    #[inline(never)]
    fn step_forward(&mut self) {
        let (near, far) = (self.near.least::<C>(), self.far.least());
        let Some(f) = near.into_iter().chain(far).min() else {
            return;
        };
        self.f = f;
        if far == Some(f) {
            self.far.take_least(&mut self.present);
        }
        if near == Some(f) {
            self.near.take_least(&mut self.present);
        }
        self.near.advance(f);
    }

    /// Makes `f` the present one although it is smaller: the heuristic is inconsistent, or consistent only up to rounding.
    #[cold]
    #[inline(never)]
    fn step_back(&mut self, f: C) {
        let before = std::mem::replace(&mut self.f, f);
        for node in self.present.drain(..) {
            self.far.push(before, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use ordered_float::OrderedFloat;

    use super::*;

    /// Pushes and pops in an order that `choices` decide, beside a plain heap.
    fn behaves_as_a_heap<C: Cost>(cost: impl Fn(u32) -> C) {
        let mut frontier = Frontier::new();
        let mut model = BinaryHeap::new();
        for (number, choice) in (0..).zip(choices()) {
            if number % 5000 == 0 {
                // A search begins anew, at times far from zero.
                frontier.begin(cost(number / 50), number);
                model.clear();
                model.push((Reverse(cost(number / 50)), number));
            } else if choice % 5 < 2 {
                assert_eq!(frontier.pop(), model.pop().map(|(_, node)| node), "after {number} steps");
            } else {
                // f falls now and then; at times all values of f are used up.
                let f = cost((choice >> 8) % 150 + number % 5000 / 100);
                frontier.push(f, number);
                model.push((Reverse(f), number));
            }
        }
        while let Some((_, node)) = model.pop() {
            assert_eq!(frontier.pop(), Some(node));
        }
        assert_eq!(frontier.pop(), None);
    }

    /// A linear congruential generator: its high bits are random enough.
    fn choices() -> impl Iterator<Item = u32> {
        std::iter::successors(Some(1_u64), |state| {
            Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        })
        .map(|state| u32::try_from(state >> 32).unwrap())
        .take(40_000)
    }

    #[test]
    fn smaller_f_comes_first_and_then_the_newer() {
        // Near, partly far, and almost always far.
        behaves_as_a_heap(|n| n);
        behaves_as_a_heap(|n| 37 * n);
        behaves_as_a_heap(|n| 5000 * n);
        behaves_as_a_heap(|n| u64::from(n) * 100);
        // The last 32-bit values, and values beyond them.
        behaves_as_a_heap(|n| u32::MAX - 7 * n);
        behaves_as_a_heap(|n| u64::from(u32::MAX) - 1000 + 20 * u64::from(n));
    }

    #[test]
    fn whole_and_broken_numbers_stay_in_order() {
        behaves_as_a_heap(|n| OrderedFloat(0.586 * f64::from(n)));
        behaves_as_a_heap(|n| OrderedFloat(0.25 * f64::from(n)));
        behaves_as_a_heap(|n| OrderedFloat(f32::from(u16::try_from(n).unwrap()) * 64.5));
    }
}
