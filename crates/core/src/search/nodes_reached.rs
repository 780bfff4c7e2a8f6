//! What a search knows of each node that it has reached: at which ticks, and where its moves are noted.

use std::ops::Range;

use crate::graph::generation::Generation;
use crate::graph::seen::Seen;
use crate::vocabulary::{NodeId, Tick};

/// A set of (node, tick) pairs, with a place in a list of moves for each node. Its `clear` costs nothing.
///
/// A search reaches a node at few ticks, and these lie close together: nearly all of them fit into the mask of the
/// node. A table keeps the others.
///
/// The records of nodes with ids side by side lie on a page, and a search takes its pages from the front. So small
/// searches, one after the other, use memory that is still in the processor's cache, wherever on a large map they are.
#[derive(Clone, Debug)]
pub(super) struct NodesReached {
    /// By node: which of the pages has its record.
    pages: Vec<Page>,
    /// Page after page. What an earlier generation noted there counts as "not reached".
    records: Vec<Record>,
    /// The number of pages that this generation has taken.
    taken: u32,
    generation: Generation,
    /// By node and 64 ticks, a mask of these ticks.
    others: Seen<u64>,
}

/// The generation that has taken a page, and the number of the page. A tuple, because a vector of zeroed tuples is not
/// written, and is not paid for until it is touched.
type Page = (u32, u32);

/// A node that was reached.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// The stamp of its generation.
    stamp: u32,
    /// The tick of the first bit of the mask.
    first: Tick,
    /// A bit for each tick at which the node was reached.
    ticks: u64,
    /// Where its moves begin and end. Equal: they are not noted, or there are none.
    moves: [u32; 2],
}

/// The number of records on a page.
const PER_PAGE: usize = 32;

/// A mask begins this many ticks before the tick at which its node was reached first.
const BEFORE: Tick = 16;

/// Nodes from this one on have no record.
const MOST_RECORDS: usize = 1 << 24;

impl NodesReached {
    pub(super) fn new() -> Self {
        Self { pages: Vec::new(), records: Vec::new(), taken: 0, generation: Generation::FIRST, others: Seen::new() }
    }

    /// Empties the set.
    pub(super) fn clear(&mut self) {
        self.others.clear();
        self.taken = 0;
        if !self.generation.advance() {
            self.pages.fill(Page::default());
            self.records.fill(Record::default());
        }
    }

    /// Makes room for records of nodes below `bound`, in an empty set.
    pub(super) fn make_room(&mut self, bound: usize) {
        let pages = bound.min(MOST_RECORDS).div_ceil(PER_PAGE);
        if self.pages.len() < pages {
            self.pages = vec![Page::default(); pages];
        }
    }

    /// The place of the record of `node`. `None`: there is no record. `Err`: it is on a page that is not taken.
    #[inline]
    fn place(&self, node: NodeId) -> Option<Result<usize, usize>> {
        let at = node.index() / PER_PAGE;
        let (stamp, page) = *self.pages.get(at)?;
        let is_taken = stamp == self.generation.stamp();
        Some(if is_taken { Ok(page as usize * PER_PAGE + node.index() % PER_PAGE) } else { Err(at) })
    }

    /// The record of `node`, if it was reached.
    #[inline]
    fn record(&self, node: NodeId) -> Option<&Record> {
        let record = &self.records[self.place(node)?.ok()?];
        (record.stamp == self.generation.stamp()).then_some(record)
    }

    /// The record of `node`, of this generation or an earlier one; `None`: the node has none.
    #[inline]
    fn record_mut(&mut self, node: NodeId) -> Option<&mut Record> {
        let place = match self.place(node)? {
            Ok(place) => place,
            Err(at) => self.take_page(at) * PER_PAGE + node.index() % PER_PAGE,
        };
        Some(&mut self.records[place])
    }

    /// Takes the next page for the nodes at `at`. Returns its number.
    #[inline(never)]
    fn take_page(&mut self, at: usize) -> usize {
        let page = self.taken;
        self.pages[at] = (self.generation.stamp(), page);
        self.taken += 1;
        let needed = self.taken as usize * PER_PAGE;
        if self.records.len() < needed {
            self.records.resize(needed, Record::default());
        }
        page as usize
    }

    /// Whether `node` was reached at `tick`.
    #[inline(always)]
    pub(super) fn contains(&mut self, node: NodeId, tick: Tick) -> bool {
        match self.place(node) {
            Some(Err(_)) => return false,
            Some(Ok(place)) => {
                let Record { stamp, first, ticks, .. } = self.records[place];
                let after = tick.wrapping_sub(first);
                if stamp != self.generation.stamp() {
                    return false;
                }
                if after < u64::BITS {
                    return ticks >> after & 1 != 0;
                }
            }
            None => {}
        }
        self.contains_apart(node, tick)
    }

    /// Whether the table has `node` at `tick`.
    #[inline(never)]
    fn contains_apart(&mut self, node: NodeId, tick: Tick) -> bool {
        self.others.find(node, tick / u64::BITS).is_ok_and(|ticks| ticks >> (tick % u64::BITS) & 1 != 0)
    }

    /// Notes that `node` was reached at `tick`.
    #[inline(always)]
    pub(super) fn insert(&mut self, node: NodeId, tick: Tick) {
        let stamp = self.generation.stamp();
        if let Some(record) = self.record_mut(node) {
            if record.stamp != stamp {
                *record = Record { stamp, first: tick.saturating_sub(BEFORE), ..Record::default() };
            }
            let after = tick.wrapping_sub(record.first);
            if after < u64::BITS {
                record.ticks |= 1 << after;
                return;
            }
        }
        self.insert_apart(node, tick);
    }

    /// Notes in the table that `node` was reached at `tick`.
    #[inline(never)]
    fn insert_apart(&mut self, node: NodeId, tick: Tick) {
        let (block, bit) = (tick / u64::BITS, 1 << (tick % u64::BITS));
        match self.others.find(node, block) {
            Ok(ticks) => self.others.replace(node, block, ticks | bit),
            Err(vacancy) => self.others.insert(vacancy, bit),
        }
    }

    /// The place of the moves of `node`, if it has been noted and is not empty.
    #[inline]
    pub(super) fn moves(&self, node: NodeId) -> Option<Range<usize>> {
        let [begin, end] = self.record(node)?.moves;
        (begin < end).then_some(begin as usize..end as usize)
    }

    /// Notes the place of the moves of `node`, which was reached. Returns whether there was room for the note.
    #[inline]
    pub(super) fn note_moves(&mut self, node: NodeId, moves: Range<usize>) -> bool {
        let stamp = self.generation.stamp();
        let place = u32::try_from(moves.start).ok().zip(u32::try_from(moves.end).ok());
        let taken = self.place(node).and_then(Result::ok);
        let record = taken.map(|place| &mut self.records[place]).filter(|record| record.stamp == stamp);
        record.zip(place).map(|(record, (begin, end))| record.moves = [begin, end]).is_some()
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
        let [here, there, beyond] = [0, 1, 99].map(NodeId);
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
        #[allow(clippy::cast_possible_truncation)] // a small number
        let next_page = PER_PAGE as u32;
        let mut reached = NodesReached::new();
        reached.make_room(2 * PER_PAGE);
        // In the first generation, on two pages.
        for node in [0, 1, next_page] {
            reached.insert(NodeId(node), 3);
        }
        reached.generation = Generation::LAST;
        reached.clear();
        assert_eq!(reached.generation, Generation::FIRST);
        let none = |reached: &mut NodesReached, nodes: &[u32]| nodes.iter().all(|n| !reached.contains(NodeId(*n), 3));
        assert!(none(&mut reached, &[0, 1, next_page]), "pages are not taken");
        // Takes the page on which 0 and 1 were.
        reached.insert(NodeId(2), 3);
        assert!(none(&mut reached, &[0, 1, next_page]), "records are vacant");
    }
}
