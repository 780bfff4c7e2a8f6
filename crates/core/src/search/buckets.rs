//! Buckets: an open list by f alone, the newest state first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::Cost;

/// States by f. Of equal f the newest comes first, which is nearly always one that is farthest on its way.
///
/// A search meets few values of f, and most states are pushed with the least f and popped next. The heap orders values of f, not states, and nothing is
/// sorted.
#[derive(Clone, Debug)]
pub(super) struct Buckets<C: Cost> {
    /// The least f, or the one just used up.
    f: C,
    /// The newest link of that f.
    head: u32,
    /// The other values of f, and the number of the bucket of each. Several buckets may have equal f.
    later: BinaryHeap<Reverse<(C, u32)>>,
    /// By number, the newest link of each bucket.
    heads: Vec<u32>,
    links: Vec<Link>,
    /// The first of the links that are vacant.
    vacant: u32,
    /// By a hash of f, the bucket last added to.
    recent: [(C, u32); RECENT],
}

#[derive(Clone, Copy, Debug)]
struct Link {
    slot: u32,
    next: u32,
}

/// No link, or no bucket.
const NONE: u32 = u32::MAX;

const RECENT_BITS: u32 = 6;
const RECENT: usize = 1 << RECENT_BITS;

impl<C: Cost> Buckets<C> {
    pub(super) fn new() -> Self {
        Self {
            f: C::zero(),
            head: NONE,
            later: BinaryHeap::new(),
            heads: Vec::new(),
            links: Vec::new(),
            vacant: NONE,
            recent: [(C::zero(), NONE); RECENT],
        }
    }

    pub(super) fn clear(&mut self) {
        (self.f, self.head, self.vacant) = (C::zero(), NONE, NONE);
        self.later.clear();
        self.heads.clear();
        self.links.clear();
        self.recent = [(C::zero(), NONE); RECENT];
    }

    #[inline]
    pub(super) fn push(&mut self, f: C, slot: u32) {
        if f < self.f {
            self.step_back(f);
        }
        let link = self.take_link(slot);
        let head = if f == self.f {
            &mut self.head
        } else {
            let bucket = self.bucket(f);
            &mut self.heads[bucket]
        };
        self.links[link as usize].next = std::mem::replace(head, link);
    }

    /// The next state, and its f.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, C)> {
        while self.head == NONE {
            let Reverse((f, bucket)) = self.later.pop()?;
            let recent = &mut self.recent[place(f)];
            if recent.1 == bucket {
                recent.1 = NONE;
            }
            (self.f, self.head) = (f, self.heads[bucket as usize]);
        }
        let (link, vacant) = (self.head, self.vacant);
        let taken = &mut self.links[link as usize];
        self.head = std::mem::replace(&mut taken.next, vacant);
        self.vacant = link;
        Some((taken.slot, self.f))
    }

    #[inline]
    fn take_link(&mut self, slot: u32) -> u32 {
        if let Some(vacant) = self.links.get_mut(self.vacant as usize) {
            vacant.slot = slot;
            return std::mem::replace(&mut self.vacant, vacant.next);
        }
        self.links.push(Link { slot, next: NONE });
        // Each state is on the list at most three times, and has a number of 31 bits.
        (self.links.len() - 1) as u32
    }

    /// The index in `heads` of the bucket of `f`.
    #[inline]
    fn bucket(&mut self, f: C) -> usize {
        let recent = &mut self.recent[place(f)];
        if recent.1 == NONE || recent.0 != f {
            *recent = (f, self.heads.len() as u32);
            self.later.push(Reverse(*recent));
            self.heads.push(NONE);
        }
        recent.1 as usize
    }

    /// Makes `f` the least one although it is smaller: the heuristic is inconsistent, or consistent only up to rounding.
    #[cold]
    #[inline(never)]
    fn step_back(&mut self, f: C) {
        let (before, head) = (std::mem::replace(&mut self.f, f), std::mem::replace(&mut self.head, NONE));
        if head != NONE {
            self.later.push(Reverse((before, self.heads.len() as u32)));
            self.heads.push(head);
        }
    }
}

/// The index in `recent` for `f`. Equal values have equal indices; different values should have different ones.
#[inline]
fn place<C: Cost>(f: C) -> usize {
    // Where a plain step costs more than one, whole numbers tell costs apart and are cheaper.
    let bits = if C::STEP.to_u64() > Some(1) { f.to_u64().unwrap_or(0) } else { f.to_f64().unwrap_or(0.0).to_bits() };
    // Fibonacci hashing; the high bits are the mixed ones.
    #[allow(clippy::cast_possible_truncation)] // the shift leaves a few bits
    {
        (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - RECENT_BITS)) as usize
    }
}
