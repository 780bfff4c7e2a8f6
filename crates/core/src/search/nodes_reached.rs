//! What a search knows of each node that it has reached: at which ticks, and where its moves are noted.

use std::ops::Range;

use crate::graph::generation::Generation;
use crate::graph::seen::Seen;
use crate::vocabulary::{NodeId, Tick};

/// A set of (node, tick) pairs, with a place in a list of moves for each node. Its `clear` costs nothing.
///
/// A search reaches a node at few ticks, and these lie close together: nearly all of them fit into the mask of the
/// node. A table keeps the others.
#[derive(Clone, Debug)]
pub(super) struct NodesReached {
    /// By node. Zeroed memory is "not reached"; untouched pages are never paid for.
    records: Vec<Record>,
    generation: Generation,
    /// By node and 64 ticks, a mask of these ticks.
    others: Seen<u64>,
}

/// A node that was reached: the stamp of its generation, the tick of the first bit of the mask, the mask with a bit for
/// each tick at which the node was reached, and where its moves begin and end (equal: they are not noted, or there are
/// none). A tuple, because a vector of zeroed tuples is not written.
type Record = (u32, Tick, u64, [u32; 2]);

/// A mask begins this many ticks before the tick at which its node was reached first.
const BEFORE: Tick = 16;

/// Nodes from this one on have no record.
const MOST_RECORDS: usize = 1 << 24;

impl NodesReached {
    pub(super) fn new() -> Self {
        Self { records: Vec::new(), generation: Generation::FIRST, others: Seen::new() }
    }

    /// Empties the set.
    pub(super) fn clear(&mut self) {
        self.others.clear();
        if !self.generation.advance() {
            self.records.fill(Record::default());
        }
    }

    /// Makes room for records of nodes below `bound`, in an empty set.
    pub(super) fn make_room(&mut self, bound: usize) {
        let bound = bound.min(MOST_RECORDS);
        if self.records.len() < bound {
            self.records = vec![Record::default(); bound];
        }
    }

    /// Whether `node` was reached at `tick`.
    #[inline]
    pub(super) fn contains(&mut self, node: NodeId, tick: Tick) -> bool {
        match self.records.get(node.index()) {
            Some((stamp, ..)) if *stamp != self.generation.stamp() => false,
            Some((_, first, ticks, _)) if tick.wrapping_sub(*first) < u64::BITS => {
                ticks >> tick.wrapping_sub(*first) & 1 != 0
            }
            _ => self.others.find(node, tick / u64::BITS).is_ok_and(|ticks| ticks >> (tick % u64::BITS) & 1 != 0),
        }
    }

    /// Notes that `node` was reached at `tick`.
    #[inline]
    pub(super) fn insert(&mut self, node: NodeId, tick: Tick) {
        if let Some(record) = self.records.get_mut(node.index()) {
            if record.0 != self.generation.stamp() {
                *record = (self.generation.stamp(), tick.saturating_sub(BEFORE), 0, [0; 2]);
            }
            let (_, first, ticks, _) = record;
            let after = tick.wrapping_sub(*first);
            if after < u64::BITS {
                *ticks |= 1 << after;
                return;
            }
        }
        let (block, bit) = (tick / u64::BITS, 1 << (tick % u64::BITS));
        match self.others.find(node, block) {
            Ok(ticks) => self.others.replace(node, block, ticks | bit),
            Err(vacancy) => self.others.insert(vacancy, bit),
        }
    }

    /// The place of the moves of `node`, if it has been noted and is not empty.
    #[inline]
    pub(super) fn moves(&self, node: NodeId) -> Option<Range<usize>> {
        let (.., [begin, end]) =
            *self.records.get(node.index()).filter(|record| record.0 == self.generation.stamp())?;
        (begin < end).then_some(begin as usize..end as usize)
    }

    /// Notes the place of the moves of `node`, which was reached. Returns whether there was room for the note.
    pub(super) fn note_moves(&mut self, node: NodeId, moves: Range<usize>) -> bool {
        let place = u32::try_from(moves.start).ok().zip(u32::try_from(moves.end).ok());
        let record = self.records.get_mut(node.index()).filter(|record| record.0 == self.generation.stamp());
        record.zip(place).map(|((.., moves), (begin, end))| *moves = [begin, end]).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn holds_what_was_put_in_and_nothing_after_a_clear() {
        let mut reached = NodesReached::new();
        let mut state = 1_u64;
        for round in 0..20 {
            reached.make_room(round * 3);
            let mut model = BTreeSet::new();
            for _ in 0..400 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (node, tick) = (NodeId((state >> 40) as u32 % 40), (state >> 50) as u32 % 300);
                assert_eq!(reached.contains(node, tick), model.contains(&(node, tick)), "round {round}");
                if state >> 63 == 0 {
                    reached.insert(node, tick);
                    model.insert((node, tick));
                }
            }
            reached.clear();
        }
    }

    #[test]
    fn knows_where_moves_are_until_a_clear() {
        let mut reached = NodesReached::new();
        reached.make_room(2);
        let [here, there, beyond] = [0, 1, 2].map(NodeId);
        assert!(!reached.note_moves(here, 0..3), "not reached");
        for node in [here, there, beyond] {
            reached.insert(node, 7);
        }
        assert!(reached.note_moves(here, 4..7) && reached.note_moves(there, 7..7) && !reached.note_moves(beyond, 7..9));
        assert_eq!([here, there, beyond].map(|node| reached.moves(node)), [Some(4..7), None, None]);
        assert!(!reached.note_moves(here, 0..usize::MAX), "places have 32 bits");
        reached.insert(here, 8);
        assert_eq!(reached.moves(here), Some(4..7));
        reached.clear();
        assert!(reached.moves(here).is_none() && !reached.contains(here, 7));
        reached.insert(here, 7);
        assert_eq!(reached.moves(here), None, "of another search");
    }

    #[test]
    fn generations_begin_anew() {
        let mut reached = NodesReached::new();
        reached.make_room(2);
        reached.insert(NodeId(0), 3);
        reached.generation = Generation::LAST;
        reached.insert(NodeId(1), 3);
        reached.clear();
        assert!(![0, 1].map(NodeId).into_iter().any(|node| reached.contains(node, 3)));
    }
}
