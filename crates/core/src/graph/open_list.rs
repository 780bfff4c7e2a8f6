//! The open list: smaller f first; of equal f, as [`Ties`] says.

mod written;

use super::groups::Groups;
use super::ring::Ring;
use crate::vocabulary::Cost;

/// Which of the states with equal f comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The largest: for (g, slot), the one with the larger g, then the newer one.
    Farthest,
    /// The one that came last, whatever its g: nothing is put in order.
    Newest,
}

/// Keeps states of equal f together, and orders them only when their turn comes.
///
/// A search meets few values of f. Most new states have the least f, and a new state is usually the farthest of the new
/// ones: it is pushed on a stack of their own and popped again.
#[derive(Clone, Debug)]
pub struct OpenList<C: Cost, T> {
    ties: Ties,
    /// The least f on the list, or the one just used up.
    f: C,
    /// The states that had f = `f` when the turn of `f` came; the last one is popped next. Where the newest comes
    /// first, also the states that came since.
    present: Vec<T>,
    /// How many of the present states, from the first on, are not in order yet. The states after them are in order, and
    /// are popped before them. Most searches end before all states are in order.
    unsorted: usize,
    /// The number of states put in order last.
    sorted: usize,
    /// The other states with f = `f`, which came since, in order.
    fresh: Vec<T>,
    /// States with a larger f that is whole and near; `None`: they are in `far`, too.
    near: Option<Box<Ring<T>>>,
    /// All other states with a larger f. States with an f that is also in `near` came before the states in `near`.
    far: Groups<C, T>,
}

/// The least number of states that are put in order at once, if there are as many.
const FEW_SORTED: usize = 8;

/// How many times as many states are put in order each time.
const MORE: usize = 16;

/// The list makes room for this many states at once.
const FEW_PRESENT: usize = 16;

impl<C: Cost, T: Copy + Ord> OpenList<C, T> {
    /// A list for one search after the other: fast, and with 16 KiB besides its states.
    pub fn new(ties: Ties) -> Self {
        Self { near: Some(Box::new(Ring::new())), ..Self::small(ties) }
    }

    /// A list of which there are many.
    pub fn small(ties: Ties) -> Self {
        Self {
            ties,
            f: C::zero(),
            present: Vec::new(),
            unsorted: 0,
            sorted: 0,
            fresh: Vec::new(),
            near: None,
            far: Groups::new(),
        }
    }

    /// Gives back memory beyond that for about `states` states. The list must be empty.
    pub(crate) fn give_back_memory(&mut self, states: usize) {
        self.present.shrink_to(states);
        self.fresh.shrink_to(states);
        if let Some(near) = &mut self.near {
            near.give_back_memory(states);
        }
    }

    /// Puts `state` on the list.
    #[inline(always)]
    pub fn push(&mut self, f: C, state: T) {
        if f > self.f {
            if !self.near.as_mut().is_some_and(|near| near.push(f, state)) {
                self.push_far(f, state);
            }
            return;
        }
        if f < self.f {
            self.step_back(f);
        }
        if self.ties == Ties::Newest {
            return self.present.push(state);
        }
        match self.fresh.last() {
            // Usually a sibling that is slightly farther.
            Some(last) if *last > state => {
                let place = self.fresh.partition_point(|before| *before < state);
                self.fresh.insert(place, state);
            }
            _ => self.fresh.push(state),
        }
    }

    #[inline(never)]
    fn push_far(&mut self, f: C, state: T) {
        self.far.push(f, state);
    }

    /// Takes the state that comes first off the list.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.present.len() == self.unsorted {
            if self.present.is_empty() && self.fresh.is_empty() {
                self.step_forward();
            }
            if self.unsorted > 0 {
                self.sort_some();
            }
        }
        match (self.fresh.last(), self.present.last()) {
            (None, _) => self.present.pop(),
            (Some(fresh), Some(present)) if fresh < present => self.present.pop(),
            _ => self.fresh.pop(),
        }
    }

    /// Forgets everything. The states to come have at least `f`.
    pub fn begin(&mut self, f: C) {
        self.f = f;
        self.present.clear();
        self.unsorted = 0;
        self.fresh.clear();
        if let Some(near) = &mut self.near {
            near.clear();
            near.advance(f);
        }
        self.far.clear();
        // Small searches with fresh memory spend much time on growing it step by step.
        self.present.reserve(FEW_PRESENT);
        if self.ties == Ties::Farthest {
            self.fresh.reserve(FEW_PRESENT);
        }
    }

    /// How many bytes the states of a small list take, without spare room.
    pub fn bytes(&self) -> usize {
        size_of_val(self.present.as_slice()) + size_of_val(self.fresh.as_slice()) + self.far.bytes()
    }

    /// Whether no state is on it.
    pub fn is_empty(&self) -> bool {
        self.present.is_empty() && self.fresh.is_empty() && self.least().is_none()
    }

    /// The f of the state that was popped last.
    #[inline]
    pub fn f(&self) -> C {
        self.f
    }

    /// The least f beyond the present one.
    fn least(&self) -> Option<C> {
        let near = self.near.as_ref().and_then(|near| near.least());
        near.into_iter().chain(self.far.least()).min()
    }

    /// Makes the states with the least f the present ones.
    #[inline(never)]
    fn step_forward(&mut self) {
        let Some(f) = self.least() else {
            return;
        };
        self.f = f;
        if self.far.least() == Some(f) {
            self.far.take_least(&mut self.present);
        }
        if let Some(near) = &mut self.near {
            if near.least() == Some(f) {
                near.take_least(&mut self.present);
            }
            near.advance(f);
        }
        if self.ties == Ties::Farthest {
            (self.unsorted, self.sorted) = (self.present.len(), 0);
        }
    }

    /// When no state is in order, puts the states that are popped next in order. Each call puts [`MORE`] times as many
    /// states in order as the call before, or all.
    #[inline(never)]
    fn sort_some(&mut self) {
        self.sorted = (self.sorted * MORE).max(FEW_SORTED).min(self.unsorted);
        let first = self.unsorted - self.sorted;
        if first > 0 {
            self.present.select_nth_unstable(first);
        }
        self.present[first..].sort_unstable();
        self.unsorted = first;
    }

    /// Makes `f` the present one although it is smaller: the heuristic is inconsistent, or consistent only up to
    /// rounding.
    #[cold]
    #[inline(never)]
    fn step_back(&mut self, f: C) {
        let before = std::mem::replace(&mut self.f, f);
        self.unsorted = 0;
        for state in self.present.drain(..).chain(self.fresh.drain(..)) {
            self.far.push(before, state);
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
        for values in [150, 2] {
            for is_small in [true, false] {
                let list = |ties| if is_small { OpenList::small(ties) } else { OpenList::new(ties) };
                // g falls and rises, and states repeat.
                behaves_as_one_heap(list(Ties::Farthest), values, &cost, |choice, number| {
                    (cost((choice >> 20) % 40), number / 3 * 2)
                });
            }
            for open in [OpenList::small(Ties::Newest), OpenList::new(Ties::Newest)] {
                behaves_as_one_heap(open, values, &cost, |_, number| number);
            }
        }
    }

    fn behaves_as_one_heap<C: Cost, T: Copy + Ord + std::fmt::Debug>(
        mut open: OpenList<C, T>,
        values: u32,
        cost: impl Fn(u32) -> C,
        state: impl Fn(u32, u32) -> T,
    ) {
        let mut model = BinaryHeap::new();
        for (number, choice) in (0..).zip(choices()) {
            if number % 5000 == 0 {
                // A search begins anew, at times far from zero.
                open.begin(cost(number / 50));
                model.clear();
            } else if choice % 5 < 2 {
                assert_eq!(open.pop(), model.pop().map(|(_, state)| state), "after {number} steps");
            } else {
                // f falls now and then; at times all values of f are used up.
                let f = cost((choice >> 8) % values + number % 5000 / 100);
                let state = state(choice, number);
                open.push(f, state);
                model.push((Reverse(f), state));
            }
        }
        while let Some((_, state)) = model.pop() {
            assert_eq!(open.pop(), Some(state));
        }
        assert_eq!(open.pop(), None);
        assert!(open.is_empty());
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
    fn whole_costs_come_in_order() {
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
        // More values than places in a table, and they differ in few bits.
        behaves_as_a_heap(|n| OrderedFloat(f32::from(u16::try_from(n).unwrap()) / 4.0));
        behaves_as_a_heap(|n| OrderedFloat(f32::from(u16::try_from(n).unwrap()) * 64.5));
    }

    #[test]
    fn whole_costs_that_are_near_go_into_the_ring() {
        let mut open = OpenList::<u32, u32>::new(Ties::Newest);
        open.begin(100_000);
        for ahead in [0, 1, 1000, 2000, 4095] {
            open.push(100_000 + ahead, 0);
        }
        assert_eq!(open.far.least(), None);
        open.push(104_096, 0);
        assert_eq!(open.far.least(), Some(104_096));
    }

    #[test]
    fn ties_decide_among_equal_f() {
        for (ties, expected) in [(Ties::Farthest, [5, 1, 3, 2, 4, 0]), (Ties::Newest, [5, 3, 2, 1, 4, 0])] {
            let mut open = OpenList::<u32, (u32, u32)>::new(ties);
            for (f, g, slot) in [(5, 1, 0), (4, 3, 1), (4, 2, 2), (4, 2, 3), (5, 3, 4), (3, 0, 5)] {
                open.push(f, (g, slot));
            }
            let order: Vec<u32> = std::iter::from_fn(|| open.pop().map(|(_, slot)| slot)).collect();
            assert_eq!(order, expected);
        }
    }
}
