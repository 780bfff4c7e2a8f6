//! The open list: smaller f first; of equal f, as [`Ties`] says.

use super::groups::Groups;
use crate::cost::Cost;

/// Which of the states with equal f comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ties {
    /// The one with the larger g, then the newer one.
    Farthest,
    /// The newer one. It is nearly always as far, and nothing is sorted.
    Newest,
}

/// Keeps states of equal f together, and orders them only when their turn comes.
///
/// A search meets few values of f. Most new states have the least f and are farther than all others of that f, so they are
/// next: such a state is pushed on a stack and popped again.
#[derive(Clone, Debug)]
pub(crate) struct OpenList<C: Cost> {
    ties: Ties,
    /// The least f on the list, or the one just used up.
    f: C,
    /// (g, slot) of the states with f = `f`: the next state is the last.
    present: Vec<(C, u32)>,
    /// States with a larger f.
    later: Groups<C, (C, u32)>,
}

/// The list makes room for this many states at once.
const FEW_PRESENT: usize = 16;

impl<C: Cost> OpenList<C> {
    pub(crate) fn new() -> Self {
        Self { ties: Ties::Farthest, f: C::zero(), present: Vec::new(), later: Groups::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, f: C, g: C, slot: u32) {
        if f > self.f {
            self.later.push(f, (g, slot));
            return;
        }
        if f < self.f {
            self.step_back(f);
        }
        match self.present.last() {
            // Usually a sibling with a slightly larger g.
            Some(last) if self.ties == Ties::Farthest && *last > (g, slot) => {
                let place = self.present.partition_point(|before| *before < (g, slot));
                self.present.insert(place, (g, slot));
            }
            _ => self.present.push((g, slot)),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        if self.present.is_empty() {
            self.step_forward();
        }
        self.present.pop().map(|(_, slot)| slot)
    }

    /// Forgets everything.
    pub(crate) fn begin(&mut self, ties: Ties) {
        self.ties = ties;
        self.f = C::zero();
        self.present.clear();
        self.later.clear();
        // Small searches with fresh memory spend much time on growing it step by step.
        self.present.reserve(FEW_PRESENT);
    }

    /// How many bytes its states take, without spare room.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.present.as_slice()) + self.later.bytes()
    }

    /// Whether no state is on it.
    pub(crate) fn is_empty(&self) -> bool {
        self.present.is_empty() && self.later.least().is_none()
    }

    /// The f of the state that came last.
    #[inline]
    pub(super) fn f(&self) -> C {
        self.f
    }

    /// Makes the states with the least f the present ones.
    #[inline(never)]
    fn step_forward(&mut self) {
        let Some(f) = self.later.least() else {
            return;
        };
        self.later.take_least(&mut self.present);
        if self.ties == Ties::Farthest {
            self.present.sort_unstable();
        }
        self.f = f;
    }

    /// Makes `f` the present one although it is smaller: the heuristic is inconsistent, or consistent only up to rounding.
    #[cold]
    #[inline(never)]
    fn step_back(&mut self, f: C) {
        let before = std::mem::replace(&mut self.f, f);
        for state in self.present.drain(..) {
            self.later.push(before, state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use ordered_float::OrderedFloat;

    use super::*;

    /// Pushes and pops in an order that `choices` decide, beside a plain heap of keys.
    fn behaves_as_a_heap_of_keys<C: Cost>(ties: Ties, choices: impl Iterator<Item = u32>, cost: impl Fn(u32) -> C) {
        let mut open = OpenList::new();
        open.begin(ties);
        let mut model = BinaryHeap::<Reverse<(C, Reverse<C>, Reverse<u32>)>>::new();
        for (slot, choice) in (0..).zip(choices) {
            if slot % 5000 == 4999 {
                open.begin(ties);
                model.clear();
            }
            if choice % 5 < 2 {
                let expected = model.pop().map(|Reverse((_, _, Reverse(slot)))| slot);
                assert_eq!(open.pop(), expected, "after {slot} steps");
            } else {
                // f falls now and then; at times all values of f are used up. Where g decides first, slots repeat.
                let (f, g) = (cost((choice >> 8) % 150), cost((choice >> 20) % 16));
                let slot = if ties == Ties::Farthest { slot / 3 * 2 } else { slot };
                open.push(f, g, slot);
                let key = if ties == Ties::Farthest { g } else { C::zero() };
                model.push(Reverse((f, Reverse(key), Reverse(slot))));
            }
        }
        while let Some(Reverse((_, _, Reverse(slot)))) = model.pop() {
            assert_eq!(open.pop(), Some(slot));
        }
        assert_eq!(open.pop(), None);
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
    fn serves_in_the_order_of_the_keys() {
        for ties in [Ties::Farthest, Ties::Newest] {
            behaves_as_a_heap_of_keys(ties, choices(), |n| 586 * n);
            behaves_as_a_heap_of_keys(ties, choices(), u64::from);
            behaves_as_a_heap_of_keys(ties, choices(), |n| OrderedFloat(0.586 * f64::from(n)));
        }
    }

    #[test]
    fn serves_in_order_where_values_of_f_share_places() {
        // More values than places, and they differ in few bits.
        for ties in [Ties::Farthest, Ties::Newest] {
            behaves_as_a_heap_of_keys(ties, choices(), |n| OrderedFloat(f32::from(u16::try_from(n).unwrap()) / 4.0));
        }
    }

    #[test]
    fn ties_decide_among_equal_f() {
        for (ties, expected) in [(Ties::Farthest, [5, 1, 3, 2, 4, 0]), (Ties::Newest, [5, 3, 2, 1, 4, 0])] {
            let mut open = OpenList::<u32>::new();
            open.begin(ties);
            for (f, g, slot) in [(5, 1, 0), (4, 3, 1), (4, 2, 2), (4, 2, 3), (5, 3, 4), (3, 0, 5)] {
                open.push(f, g, slot);
            }
            let order: Vec<u32> = std::iter::from_fn(|| open.pop()).collect();
            assert_eq!(order, expected);
        }
    }
}
