//! States that wait, in groups of equal f.

mod written;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::Cost;

/// States by f. A heap orders the groups, not the states.
#[derive(Clone, Debug)]
pub(crate) struct Groups<C: Cost, T> {
    /// The f of each group, and its first link. Several groups may have equal f: the one that began first comes first.
    groups: BinaryHeap<Reverse<(C, u32)>>,
    /// The links of all groups since everything was forgotten, including groups that have been taken.
    links: Vec<Link<T>>,
    /// By a hash of f, the first link of the group last added to.
    recent: [(C, u32); RECENT],
}

/// A state in a group, and the next link. The first link stays; after it the newest comes first.
#[derive(Clone, Copy, Debug)]
struct Link<T> {
    state: T,
    next: u32,
}

/// No link.
const NONE: u32 = u32::MAX;

/// There is room for this many states at once.
const FEW: usize = 64;

const RECENT_BITS: u32 = 6;
pub(crate) const RECENT: usize = 1 << RECENT_BITS;

impl<C: Cost, T: Copy> Groups<C, T> {
    pub(crate) fn new() -> Self {
        Self { groups: BinaryHeap::new(), links: Vec::new(), recent: [(C::zero(), NONE); RECENT] }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        if !self.links.is_empty() {
            self.groups.clear();
            self.links.clear();
            self.recent = [(C::zero(), NONE); RECENT];
        }
    }

    /// How many bytes its states take, without spare room.
    pub(crate) fn bytes(&self) -> usize {
        self.groups.len() * size_of::<(C, u32)>() + self.links.len() * size_of::<Link<T>>()
    }

    /// The least f.
    #[inline]
    pub(crate) fn least(&self) -> Option<C> {
        self.groups.peek().map(|Reverse((f, _))| *f)
    }

    #[inline]
    pub(crate) fn push(&mut self, f: C, state: T) {
        // A search does not get as far as 2^32 links: they and its states take over 100 GiB.
        let link = u32::try_from(self.links.len()).unwrap_or(NONE);
        let recent = &mut self.recent[place(f)];
        let next = if recent.1 != NONE && recent.0 == f {
            std::mem::replace(&mut self.links[recent.1 as usize].next, link)
        } else {
            if self.links.is_empty() {
                // Small searches with fresh memory spend much time on growing it step by step.
                self.links.reserve(FEW);
            }
            *recent = (f, link);
            self.groups.push(Reverse((f, link)));
            NONE
        };
        self.links.push(Link { state, next });
    }

    /// Takes all states with the least f, and appends them to `states`, in the order in which they came.
    pub(crate) fn take_least(&mut self, states: &mut Vec<T>) {
        let Some(f) = self.least() else {
            return;
        };
        while let Some(Reverse((_, first))) = self.groups.peek().copied().filter(|group| group.0.0 == f) {
            self.groups.pop();
            let Link { state, mut next } = self.links[first as usize];
            states.push(state);
            let newest = states.len();
            while next != NONE {
                let link = self.links[next as usize];
                states.push(link.state);
                next = link.next;
            }
            states[newest..].reverse();
        }
        let recent = &mut self.recent[place(f)];
        if recent.0 == f {
            recent.1 = NONE;
        }
    }
}

/// The index in a table of recent groups for `f`. Equal values have equal indices; different values should have
/// different ones.
#[inline]
pub(crate) fn place<C: Cost>(f: C) -> usize {
    // Where a plain step costs more than one, whole numbers tell costs apart and are cheaper.
    let bits = if C::STEP.to_u64() > Some(1) { f.to_u64().unwrap_or(0) } else { f.to_f64().unwrap_or(0.0).to_bits() };
    // Fibonacci hashing; the high bits are the mixed ones.
    #[allow(clippy::cast_possible_truncation)] // the shift leaves a few bits
    {
        (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - RECENT_BITS)) as usize
    }
}
