//! The transactional table over an occupancy.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::occupancy::{Holding, HoldingVisitor, Occupancy, flow};
use crate::reservation::{Claim, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, StaleMark};
use crate::vocabulary::{AgentId, CellId, Entry, FOREVER, Span, Tick};

/// A reservation store over an [`Occupancy`]: knows what each agent holds, and can undo changes.
#[derive(Clone, Debug)]
pub struct ReservationTable<O> {
    pub(super) occupancy: O,
    /// What each agent was given and has not given up. Other agents may have taken parts of it since.
    given: FxHashMap<AgentId, Vec<(CellId, Span)>>,
    /// For each change since the first mark, what was there before; empty while no transaction is open.
    journal: Vec<Undo>,
    /// The open transactions, from outer to inner.
    open: Vec<Transaction>,
    /// Each mark has its own number, so a stale mark is always recognised.
    marks: u64,
    settled_from: Tick,
    /// No agent holds anything at a lower rank.
    least_rank: Rank,
}

/// A change to undo.
#[derive(Clone, Copy, Debug)]
struct Transaction {
    mark: Mark,
    journal: usize,
    settled_from: Tick,
}

#[derive(Clone, Debug)]
enum Undo {
    /// Give `span` of `cell` back to its holder.
    Assign { cell: CellId, span: Span, before: Option<Holding> },
    /// Restore what an agent had been given.
    Given { agent: AgentId, before: Vec<(CellId, Span)> },
    /// Cut what an agent was given to its first `before` elements.
    GivenMore { agent: AgentId, before: usize },
}

impl<O: Occupancy> ReservationTable<O> {
    /// An empty table; `occupancy` must be empty.
    pub fn over(occupancy: O) -> Self {
        Self {
            occupancy,
            given: FxHashMap::default(),
            journal: Vec::new(),
            open: Vec::new(),
            marks: 0,
            settled_from: 0,
            least_rank: Rank(u64::MAX),
        }
    }

    /// The held spans of `cell` within `span`, ascending, with their holders. Out of bounds: none.
    pub fn holders(&self, cell: CellId, span: Span) -> Vec<(Span, Holding)> {
        let mut holders: Vec<(Span, Holding)> = Vec::new();
        let _ = self.visit(cell, span, &mut |piece, holding| {
            match holders.last_mut() {
                Some((last, who)) if *who == holding && last.end == piece.start => last.end = piece.end,
                _ => holders.push((piece, holding)),
            }
            ControlFlow::Continue(())
        });
        holders
    }

    pub(super) fn visit(&self, cell: CellId, span: Span, held: HoldingVisitor<'_>) -> ControlFlow<()> {
        if cell.index() >= self.occupancy.bound() || span.is_empty() {
            return ControlFlow::Continue(());
        }
        self.occupancy.visit(cell, span, held)
    }

    /// The first tick from `from` on at which `agent` does not hold `cell` at any rank.
    fn held_until(&self, cell: CellId, agent: AgentId, from: Tick) -> Tick {
        let mut until = from;
        // Looks ahead a little at first, then farther: often the answer is near.
        let mut look = 64_u32;
        loop {
            let begin = until;
            let _ = self.visit(cell, Span::lasting(begin, look), &mut |piece, holding| {
                let goes_on = piece.start == until && holding.agent == agent;
                if goes_on {
                    until = piece.end;
                }
                flow(goes_on)
            });
            if until == begin || until == FOREVER {
                return until;
            }
            look = look.saturating_mul(2);
        }
    }

    /// Assigns, and notes the old holdings in the journal; with `free` there are none.
    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>, free: bool) {
        if !self.open.is_empty() && (free || self.occupancy.is_free(cell, span)) {
            self.journal.push(Undo::Assign { cell, span, before: None });
        } else if !self.open.is_empty() {
            let mut from = span.start;
            let journal = &mut self.journal;
            let _ = self.occupancy.visit(cell, span, &mut |piece, before| {
                if from < piece.start {
                    journal.push(Undo::Assign { cell, span: Span::new(from, piece.start), before: None });
                }
                journal.push(Undo::Assign { cell, span: piece, before: Some(before) });
                from = piece.end;
                ControlFlow::Continue(())
            });
            if from < span.end {
                journal.push(Undo::Assign { cell, span: Span::new(from, span.end), before: None });
            }
        }
        self.occupancy.assign(cell, span, holding);
    }

    fn end_transactions(&mut self) {
        self.journal.clear();
        self.open.clear();
    }
}

impl<O: Occupancy> ReservationStore for ReservationTable<O> {
    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        if entry.cell.index() >= self.occupancy.bound() {
            return Probe::OutOfBounds;
        }
        let mut overridden = None;
        let mut blocker = None;
        let _ = self.visit(entry.cell, entry.span, &mut |piece, holding| {
            if !holding.yields_to(claim) {
                blocker = Some((holding.agent, piece.end));
            } else if holding.agent != claim.agent {
                overridden.get_or_insert(holding.agent);
            }
            flow(blocker.is_none())
        });
        match (blocker, overridden) {
            (Some((by, end)), _) => Probe::Blocked { by, until: self.held_until(entry.cell, by, end) },
            (None, Some(agent)) => Probe::Overrides(agent),
            (None, None) => Probe::Free,
        }
    }

    #[inline]
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        match self.occupancy.glance(entry.cell, entry.span) {
            Some(false) => true,
            // An agent without reservations, to which no agent has to yield. The list of an agent's reservations is
            // near in memory if the agent asks again and again; the holders of a cell are not.
            Some(true) if claim.rank <= self.least_rank && !self.given.contains_key(&claim.agent) => false,
            _ => self.occupancy.permits(entry, claim),
        }
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        let known = evicted.len();
        let given = self.given.entry(claim.agent).or_default();
        let given_before = given.len();
        given.reserve(entries.len());
        let mut all_free = true;
        for entry in entries {
            let Entry { cell, span } = *entry;
            let mut refused = None;
            if cell.index() >= self.occupancy.bound() {
                refused = Some(Refused::OutOfBounds { cell });
            } else if !span.is_empty() {
                let mut own = 0;
                if !self.occupancy.is_free(cell, span) {
                    all_free = false;
                    let _ = self.occupancy.visit(cell, span, &mut |piece, holding| {
                        if holding.agent == claim.agent {
                            own += piece.end - piece.start;
                        } else if holding.rank < claim.rank {
                            evicted.push(holding.agent);
                        } else {
                            refused = Some(Refused::Held { entry: *entry, by: holding.agent });
                        }
                        flow(refused.is_none())
                    });
                }
                // What the agent holds, it was given before.
                if own < span.end - span.start {
                    given.push((cell, span));
                }
            }
            if let Some(refused) = refused {
                evicted.truncate(known);
                given.truncate(given_before);
                if given.is_empty() {
                    self.given.remove(&claim.agent);
                }
                return Err(refused);
            }
        }
        if !self.open.is_empty() && given.len() > given_before {
            self.journal.push(Undo::GivenMore { agent: claim.agent, before: given_before });
        }
        if given.is_empty() {
            self.given.remove(&claim.agent);
        }
        let mut losers = evicted.split_off(known);
        losers.sort_unstable();
        losers.dedup();
        evicted.append(&mut losers);

        let holding = Holding { agent: claim.agent, rank: claim.rank };
        self.least_rank = self.least_rank.min(claim.rank);
        for entry in entries.iter().filter(|entry| !entry.span.is_empty()) {
            self.assign(entry.cell, entry.span, Some(holding), all_free);
            let change = if entry.span.is_endless() { entry.span.start } else { entry.span.end };
            self.settled_from = self.settled_from.max(change);
        }
        Ok(())
    }

    fn release(&mut self, agent: AgentId, from: Tick) {
        let Some(given) = self.given.remove(&agent) else {
            return;
        };
        let is_open = !self.open.is_empty();
        let mut own = Vec::new();
        for (cell, span) in &given {
            let span = span.intersection(Span::endless(from));
            let _ = self.visit(*cell, span, &mut |piece, holding| {
                if holding.agent == agent {
                    own.push((piece, holding));
                }
                ControlFlow::Continue(())
            });
            for (piece, holding) in own.drain(..) {
                if is_open {
                    self.journal.push(Undo::Assign { cell: *cell, span: piece, before: Some(holding) });
                }
                self.occupancy.assign(*cell, piece, None);
                // If the piece had no end, the cell changes hands here for the last time.
                self.settled_from = self.settled_from.max(piece.start);
            }
        }
        let kept: Vec<(CellId, Span)> = given
            .iter()
            .map(|(cell, span)| (*cell, Span::new(span.start, span.end.min(from))))
            .filter(|(_, span)| !span.is_empty())
            .collect();
        if !kept.is_empty() {
            self.given.insert(agent, kept);
        }
        if is_open {
            self.journal.push(Undo::Given { agent, before: given });
        }
    }

    fn forget_before(&mut self, now: Tick) {
        self.end_transactions();
        self.occupancy.forget_before(now);
        self.given.retain(|_, given| {
            given.retain(|(_, span)| span.end > now);
            !given.is_empty()
        });
    }

    fn clear(&mut self) {
        self.end_transactions();
        self.occupancy.clear();
        self.given.clear();
        self.settled_from = 0;
        self.least_rank = Rank(u64::MAX);
    }

    fn settled_from(&self) -> Tick {
        self.settled_from
    }

    fn mark(&mut self) -> Mark {
        self.marks += 1;
        let mark = Mark(self.marks);
        self.open.push(Transaction { mark, journal: self.journal.len(), settled_from: self.settled_from });
        mark
    }

    fn rollback(&mut self, to: Mark) -> Result<(), StaleMark> {
        let position = self.open.iter().rposition(|transaction| transaction.mark == to).ok_or(StaleMark)?;
        self.open.truncate(position + 1);
        let begin = self.open[position];
        for undo in self.journal.drain(begin.journal..).rev() {
            match undo {
                Undo::Assign { cell, span, before } => self.occupancy.assign(cell, span, before),
                Undo::Given { agent, before } => {
                    self.given.insert(agent, before);
                }
                Undo::GivenMore { agent, before: 0 } => {
                    self.given.remove(&agent);
                }
                Undo::GivenMore { agent, before } => {
                    if let Some(given) = self.given.get_mut(&agent) {
                        given.truncate(before);
                    }
                }
            }
        }
        self.settled_from = begin.settled_from;
        Ok(())
    }

    fn settle(&mut self) {
        self.end_transactions();
    }

    #[inline]
    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::interval::IntervalTable;
    use crate::store::sparse::SparseTable;
    use crate::store::window::WindowTable;
    use crate::vocabulary::{Cells, ConflictRule};

    #[test]
    fn what_is_tried_and_taken_back_leaves_nothing_behind() {
        let mut table = IntervalTable::new(Cells::new(ConflictRule::Swap, 2, 0));
        let rest = [Entry { cell: CellId(0), span: Span::endless(0) }];
        let (low, high) = (Claim::plain(AgentId(0)), Claim { agent: AgentId(1), rank: Rank(1) });
        table.reserve(low, &rest).unwrap();
        let before = format!("{:?}", table.given);
        for _ in 0..100 {
            let mark = table.mark();
            table.reserve(high, &rest).unwrap();
            table.release(low.agent, 0);
            table.rollback(mark).unwrap();
            table.settle();
        }
        assert_eq!(format!("{:?}", table.given), before);
        assert!(table.journal.is_empty());
        assert_eq!(
            table.holders(CellId(0), Span::endless(0)),
            [(Span::endless(0), Holding { agent: low.agent, rank: low.rank })]
        );
    }

    #[test]
    fn free_spans_are_found_from_near_where_they_are_asked_for() {
        fn check(mut table: impl ReservationStore + FreeIntervals) {
            let held = |span| Entry { cell: CellId(0), span };
            let entries =
                [Span::new(10, 20), Span::new(5000, 5010), Span::new(5010, 5020), Span::endless(9000)].map(held);
            let mine = [held(Span::new(100, 200))];
            let (claim, other) = (Claim::plain(AgentId(0)), Claim::plain(AgentId(1)));
            table.reserve(other, &entries).unwrap();
            table.reserve(claim, &mine).unwrap();
            let rows = [
                (0, Some(Span::new(0, 10))),
                (10, Some(Span::new(20, 5000))),
                (19, Some(Span::new(20, 5000))),
                (20, Some(Span::new(20, 5000))),
                (4999, Some(Span::new(20, 5000))),
                (5000, Some(Span::new(5020, 9000))),
                (5015, Some(Span::new(5020, 9000))),
                (8999, Some(Span::new(5020, 9000))),
                (9000, None),
            ];
            for (from, free) in rows {
                assert_eq!(table.next_free(CellId(0), from, claim), free, "from {from}");
            }
            assert_eq!(table.next_free(CellId(1), 1_000_000, claim), Some(Span::endless(0)));
            assert_eq!(table.next_free(CellId(0), FOREVER - 1, other), Some(Span::endless(200)));
        }
        let cells = Cells::new(ConflictRule::Swap, 2, 0);
        check(SparseTable::new(cells));
        check(WindowTable::new(cells, 64));
        check(IntervalTable::new(cells));
    }

    #[test]
    fn what_has_passed_takes_no_time_and_no_room() {
        let mut table = IntervalTable::new(Cells::new(ConflictRule::Swap, 1000, 0));
        let entries: Vec<Entry> = (0..1000).map(|cell| Entry { cell: CellId(cell), span: Span::tick(cell) }).collect();
        table.reserve(Claim::plain(AgentId(0)), &entries).unwrap();
        table.forget_before(990);
        assert_eq!(table.occupancy.held_cells().len(), 10);
        assert_eq!(table.probe(&entries[995], Claim::plain(AgentId(1))), Probe::Blocked { by: AgentId(0), until: 996 });
    }
}
