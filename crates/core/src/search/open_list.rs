//! The open list: smaller f first, then larger g, then the newer state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::Cost;

/// Keeps states of equal f together, and sorts them only when their turn comes.
///
/// A search meets few values of f. Most new states have the least f and a larger g than all others of that f, so they are
/// next: such a state is pushed on a stack and popped again. The heap orders values of f, not states.
#[derive(Clone, Debug)]
pub(crate) struct OpenList<C: Cost> {
    /// The least f on the list, or the one just used up.
    f: C,
    /// (g, slot) of the states with f = `f`, ascending: the next state is the last.
    present: Vec<(C, u32)>,
    /// Groups of states with a larger f: their f, and the first link of the group. Several groups may have equal f.
    later: BinaryHeap<Reverse<(C, u32)>>,
    /// The links of all groups since the list was cleared, including groups that have become the present one.
    links: Vec<GroupLink<C>>,
    /// By a hash of f, the first link of the group last added to.
    recent: [(C, u32); RECENT],
}

/// A state in a group, and the next link. The first link stays; after it the newest comes first.
#[derive(Clone, Copy, Debug)]
struct GroupLink<C> {
    g: C,
    slot: u32,
    next: u32,
}

/// No link.
const NONE: u32 = u32::MAX;

/// The list makes room for this many states at once.
pub(super) const FEW: usize = 64;
const FEW_PRESENT: usize = FEW / 4;

const RECENT_BITS: u32 = 6;
pub(super) const RECENT: usize = 1 << RECENT_BITS;

impl<C: Cost> OpenList<C> {
    pub(crate) fn new() -> Self {
        Self {
            f: C::zero(),
            present: Vec::new(),
            later: BinaryHeap::new(),
            links: Vec::new(),
            recent: [(C::zero(), NONE); RECENT],
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, f: C, g: C, slot: u32) {
        if f > self.f {
            self.push_later(f, g, slot);
            return;
        }
        if f < self.f {
            self.step_back(f);
        }
        match self.present.last() {
            // Usually a sibling with a slightly larger g.
            Some(last) if *last > (g, slot) => {
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

    pub(crate) fn clear(&mut self) {
        self.f = C::zero();
        self.present.clear();
        self.later.clear();
        self.links.clear();
        // Small searches with fresh memory spend much time on growing it step by step.
        self.present.reserve(FEW_PRESENT);
        self.links.reserve(FEW);
        self.recent = [(C::zero(), NONE); RECENT];
    }

    /// How many bytes its states take, without spare room.
    pub(crate) fn bytes(&self) -> usize {
        (self.present.len() + self.later.len()) * size_of::<(C, u32)>() + self.links.len() * size_of::<GroupLink<C>>()
    }

    /// Whether no state is on it.
    pub(crate) fn is_empty(&self) -> bool {
        self.present.is_empty() && self.later.is_empty()
    }

    /// The f of the state that came last.
    #[inline]
    pub(super) fn f(&self) -> C {
        self.f
    }

    #[inline]
    fn push_later(&mut self, f: C, g: C, slot: u32) {
        // There are no more links than generated states, and slots have 32 bits.
        let link = u32::try_from(self.links.len()).unwrap_or(NONE);
        let recent = &mut self.recent[place(f)];
        let next = if recent.1 != NONE && recent.0 == f {
            std::mem::replace(&mut self.links[recent.1 as usize].next, link)
        } else {
            *recent = (f, link);
            self.later.push(Reverse((f, link)));
            NONE
        };
        self.links.push(GroupLink { g, slot, next });
    }

    /// Makes the group with the least f the present one.
    #[inline(never)]
    fn step_forward(&mut self) {
        let Some(Reverse((f, _))) = self.later.peek().copied() else {
            return;
        };
        while let Some(Reverse((_, first))) = self.later.peek().copied().filter(|group| group.0.0 == f) {
            self.later.pop();
            let mut next = first;
            while next != NONE {
                let link = self.links[next as usize];
                self.present.push((link.g, link.slot));
                next = link.next;
            }
        }
        self.present.sort_unstable();
        self.f = f;
        let recent = &mut self.recent[place(f)];
        if recent.0 == f {
            recent.1 = NONE;
        }
    }

    /// Makes `f` the present one although it is smaller: the heuristic is inconsistent, or consistent only up to rounding.
    #[cold]
    #[inline(never)]
    fn step_back(&mut self, f: C) {
        let before = std::mem::replace(&mut self.f, f);
        while let Some((g, slot)) = self.present.pop() {
            self.push_later(before, g, slot);
        }
    }
}

/// The index in `recent` for `f`. Equal values have equal indices; different values should have different ones.
#[inline]
pub(super) fn place<C: Cost>(f: C) -> usize {
    // Where a plain step costs more than one, whole numbers tell costs apart and are cheaper.
    let bits = if C::STEP.to_u64() > Some(1) { f.to_u64().unwrap_or(0) } else { f.to_f64().unwrap_or(0.0).to_bits() };
    // Fibonacci hashing; the high bits are the mixed ones.
    #[allow(clippy::cast_possible_truncation)] // the shift leaves a few bits
    {
        (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - RECENT_BITS)) as usize
    }
}

#[cfg(test)]
mod tests {
    use ordered_float::OrderedFloat;

    use super::*;

    /// Pushes and pops in an order that `choices` decide, beside a plain heap of keys.
    fn behaves_as_a_heap_of_keys<C: Cost>(choices: impl Iterator<Item = u32>, cost: impl Fn(u32) -> C) {
        let mut open = OpenList::new();
        let mut model = BinaryHeap::<Reverse<(C, Reverse<C>, Reverse<u32>)>>::new();
        for (slot, choice) in (0..).zip(choices) {
            if slot % 5000 == 4999 {
                open.clear();
                model.clear();
            }
            if choice % 5 < 2 {
                let expected = model.pop().map(|Reverse((_, _, Reverse(slot)))| slot);
                assert_eq!(open.pop(), expected, "after {slot} steps");
            } else {
                // Slots repeat; f falls now and then; at times all values of f are used up.
                let (f, g, slot) = (cost((choice >> 8) % 150), cost((choice >> 20) % 16), slot / 3 * 2);
                open.push(f, g, slot);
                model.push(Reverse((f, Reverse(g), Reverse(slot))));
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
        behaves_as_a_heap_of_keys(choices(), |n| 586 * n);
        behaves_as_a_heap_of_keys(choices(), u64::from);
        behaves_as_a_heap_of_keys(choices(), |n| OrderedFloat(0.586 * f64::from(n)));
    }

    #[test]
    fn serves_in_order_where_values_of_f_share_places() {
        // More values than places, and they differ in few bits.
        behaves_as_a_heap_of_keys(choices(), |n| OrderedFloat(f32::from(u16::try_from(n).unwrap()) / 4.0));
    }

    #[test]
    fn of_equal_f_the_farthest_comes_first_and_then_the_newest() {
        let mut open = OpenList::<u32>::new();
        for (f, g, slot) in [(5, 1, 0), (4, 1, 1), (4, 2, 2), (4, 2, 3), (5, 3, 4), (3, 0, 5)] {
            open.push(f, g, slot);
        }
        let order: Vec<u32> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(order, [5, 3, 2, 1, 4, 0]);
    }
}
