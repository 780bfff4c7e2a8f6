//! Which (node, tick) pairs a search has reached: per node, a mask of ticks.

use super::seen::Seen;
use crate::space::NodeId;
use crate::time::Tick;

/// A set of (node, tick) pairs whose `clear` costs nothing.
///
/// A search reaches a node at few ticks, and these lie close together: nearly all of them fit into the mask of the node. A table keeps the others.
#[derive(Clone, Debug)]
pub(super) struct TicksSeen {
    /// By node. Zeroed memory is "not reached"; untouched pages are never paid for.
    masks: Vec<Mask>,
    /// Never 0. Masks of an older generation are empty.
    generation: u32,
    others: Seen,
}

/// The ticks from `first` on at which a node was reached.
#[derive(Clone, Copy, Debug, Default)]
struct Mask {
    generation: u32,
    first: Tick,
    bits: u64,
}

/// A mask begins so many ticks before the tick at which its node was reached first.
const BEFORE: Tick = 16;

/// Nodes from this one on have no mask.
const MOST_MASKS: usize = 1 << 24;

impl TicksSeen {
    pub(super) fn new() -> Self {
        Self { masks: Vec::new(), generation: 1, others: Seen::new() }
    }

    /// Empties the set.
    pub(super) fn clear(&mut self) {
        self.others.clear();
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.masks.fill(Mask::default());
            1
        });
    }

    /// Makes room for masks of nodes below `bound`, in an empty set.
    pub(super) fn make_room(&mut self, bound: usize) {
        let bound = bound.min(MOST_MASKS);
        if self.masks.len() < bound {
            self.masks = vec![Mask::default(); bound];
        }
    }

    /// Whether `node` was reached at `tick`.
    #[inline]
    pub(super) fn contains(&mut self, node: NodeId, tick: Tick) -> bool {
        match self.masks.get(node.index()) {
            Some(mask) if mask.generation != self.generation => false,
            Some(mask) if tick.wrapping_sub(mask.first) < u64::BITS => {
                mask.bits >> tick.wrapping_sub(mask.first) & 1 != 0
            }
            _ => self.others.find(node, tick).is_ok(),
        }
    }

    /// Notes that `node` was reached at `tick`.
    #[inline]
    pub(super) fn insert(&mut self, node: NodeId, tick: Tick) {
        if let Some(mask) = self.masks.get_mut(node.index()) {
            if mask.generation != self.generation {
                *mask = Mask { generation: self.generation, first: tick.saturating_sub(BEFORE), bits: 0 };
            }
            let after = tick.wrapping_sub(mask.first);
            if after < u64::BITS {
                mask.bits |= 1 << after;
                return;
            }
        }
        if let Err(vacancy) = self.others.find(node, tick) {
            self.others.insert(vacancy, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn holds_what_was_put_in_and_nothing_after_a_clear() {
        let mut ticks_seen = TicksSeen::new();
        let mut state = 1_u64;
        for round in 0..20 {
            ticks_seen.make_room(round * 3);
            let mut model = BTreeSet::new();
            for _ in 0..400 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (node, tick) = (NodeId((state >> 40) as u32 % 40), (state >> 50) as u32 % 300);
                assert_eq!(ticks_seen.contains(node, tick), model.contains(&(node, tick)), "round {round}");
                if state >> 63 == 0 {
                    ticks_seen.insert(node, tick);
                    model.insert((node, tick));
                }
            }
            ticks_seen.clear();
        }
    }
}
