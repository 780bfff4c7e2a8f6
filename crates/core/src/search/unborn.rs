//! Children that wait for their turn: a search makes states of them when their f is due, and of most of them never.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::groups::{RECENT, place};
use super::tree::State;
use crate::cost::Cost;

/// Children by f. Children of equal f keep the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct Unborn<A, C: Cost> {
    /// Groups of children: their f, and the first link of the group. Several groups may have equal f: the one that began first comes first.
    groups: BinaryHeap<Reverse<(C, u32)>>,
    links: Vec<Link<A, C>>,
    /// The first of the links that are vacant.
    vacant: u32,
    /// By a hash of f, the group last added to.
    recent: [Recent<C>; RECENT],
    /// How many children have come.
    count: u32,
}

/// A state that may be. The store has not been asked about the way there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<A, C> {
    pub(super) state: State<A, C>,
    /// The surcharge of its move is part of g.
    pub(super) charged: bool,
    /// How many children came before it, at first.
    number: u32,
}

impl<A, C> Child<A, C> {
    /// The child as `state`, whose g has the surcharge.
    #[inline]
    pub(super) fn charged(self, state: State<A, C>) -> Self {
        Self { state, charged: true, ..self }
    }
}

#[derive(Clone, Copy, Debug)]
struct Link<A, C> {
    child: Child<A, C>,
    next: u32,
}

/// The f of a group, and its first and its last link.
#[derive(Clone, Copy, Debug)]
struct Recent<C> {
    f: C,
    ends: [u32; 2],
}

/// No link.
const NONE: u32 = u32::MAX;

impl<A: Copy, C: Cost> Unborn<A, C> {
    pub(super) fn new() -> Self {
        Self {
            groups: BinaryHeap::new(),
            links: Vec::new(),
            vacant: NONE,
            recent: [Recent { f: C::zero(), ends: [NONE; 2] }; RECENT],
            count: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.links.clear();
        self.vacant = NONE;
        self.recent = [Recent { f: C::zero(), ends: [NONE; 2] }; RECENT];
        self.count = 0;
    }

    /// A child without its surcharge, the next one in order.
    #[inline]
    pub(super) fn number(&mut self, state: State<A, C>) -> Child<A, C> {
        self.count = self.count.wrapping_add(1);
        Child { state, charged: false, number: self.count }
    }

    /// Keeps `child` until `f` is due. False: there are too many.
    #[inline]
    pub(super) fn push(&mut self, f: C, child: Child<A, C>) -> bool {
        let Some(link) = self.keep(child) else { return false };
        let recent = &mut self.recent[place(f)];
        if recent.ends[1] != NONE && recent.f == f {
            self.links[recent.ends[1] as usize].next = link;
            recent.ends[1] = link;
        } else {
            *recent = Recent { f, ends: [link; 2] };
            self.groups.push(Reverse((f, link)));
        }
        true
    }

    #[inline]
    fn keep(&mut self, child: Child<A, C>) -> Option<u32> {
        let kept = Link { child, next: NONE };
        if self.vacant == NONE {
            let link = u32::try_from(self.links.len()).ok().filter(|link| *link != NONE)?;
            self.links.push(kept);
            return Some(link);
        }
        let link = self.vacant;
        let place = &mut self.links[link as usize];
        self.vacant = place.next;
        *place = kept;
        Some(link)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Moves the children of the least f to `due`, in order.
    pub(super) fn take_least(&mut self, due: &mut Vec<Child<A, C>>) {
        let Some(&Reverse((f, _))) = self.groups.peek() else { return };
        while let Some(Reverse((_, first))) = self.groups.peek().copied().filter(|group| group.0.0 == f) {
            self.groups.pop();
            let mut next = first;
            while next != NONE {
                let link = &mut self.links[next as usize];
                due.push(link.child);
                let following = std::mem::replace(&mut link.next, self.vacant);
                self.vacant = next;
                next = following;
            }
        }
        // Nearly always they are.
        if !due.is_sorted_by_key(|child| child.number) {
            due.sort_unstable_by_key(|child| child.number);
        }
        let recent = &mut self.recent[place(f)];
        if recent.f == f {
            recent.ends = [NONE; 2];
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::space::NodeId;

    fn state(g: u32) -> State<(), u32> {
        State { node: NodeId(0), tick: 0, parent: 0, closed: false, action: None, g, h: 0 }
    }

    #[test]
    fn children_come_by_f_and_then_in_the_order_in_which_they_came() {
        let mut unborn = Unborn::new();
        let mut model: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut due: Vec<Child<(), u32>> = Vec::new();
        let mut random = 1_u64;
        for number in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let choice = u32::try_from(random >> 33).unwrap();
            if choice.is_multiple_of(7) {
                unborn.take_least(&mut due);
                let expected = model.pop_first();
                let found: Vec<u32> = due.drain(..).map(|child| child.state.g).collect();
                assert_eq!(found, expected.map(|(_, children)| children).unwrap_or_default());
            } else {
                // More values of f than are remembered, so that some begin several groups.
                let f = 100 * (choice >> 8 & 127);
                let child = unborn.number(state(number));
                assert!(unborn.push(f, child));
                model.entry(f).or_default().push(number);
            }
            assert_eq!(unborn.is_empty(), model.is_empty());
            if number % 5000 == 4999 {
                unborn.clear();
                model.clear();
            }
        }
    }

    #[test]
    fn a_charged_child_keeps_its_place_among_its_equals() {
        let mut unborn = Unborn::new();
        let [first, second, third] = [1, 2, 3].map(|g| unborn.number(state(g)));
        for (f, child) in [(9, third), (5, first), (9, second.charged(state(4)))] {
            assert!(unborn.push(f, child));
        }
        let mut due = Vec::new();
        unborn.take_least(&mut due);
        unborn.take_least(&mut due);
        let found: Vec<(u32, bool)> = due.iter().map(|child| (child.state.g, child.charged)).collect();
        assert_eq!(found, [(1, false), (4, true), (3, false)]);
    }
}
