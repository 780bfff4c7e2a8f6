//! The transactional table over an occupancy.

use std::ops::ControlFlow;

use super::accounts::{Accounts, Slot};
use super::occupancy::{HolderId, HolderVisitor, Holding, Occupancy, flow};
use crate::reservation::{Claim, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, StaleMark};
use crate::vocabulary::{AgentId, CellId, Entry, FOREVER, Span, Tick};

/// A reservation store over an [`Occupancy`]. The table adds a list of the reservations of each agent, and a log by
/// which changes can be undone.
#[derive(Clone, Debug)]
pub struct ReservationTable<O> {
    pub(super) occupancy: O,
    pub(super) accounts: Accounts,
    /// For each change since the first mark, what was there before; empty while no transaction is open.
    journal: Vec<Undo>,
    /// What agents had been given, one list after the other, for the journal.
    saved: Vec<(CellId, Span)>,
    /// The open transactions, from outer to inner.
    open: Vec<Transaction>,
    /// Each mark has its own number, so a stale mark is always recognised.
    pub(super) marks: u64,
    pub(super) settled_from: Tick,
}

/// Where a transaction began.
#[derive(Clone, Copy, Debug)]
struct Transaction {
    mark: Mark,
    journal: usize,
    settled_from: Tick,
}

/// Entries that may be committed.
struct Checked {
    /// Whether nobody holds part of any of them.
    all_free: bool,
    /// The end of the last one.
    until: Tick,
    /// From this tick on none of them begins or ends.
    settled_from: Tick,
}

/// A change to undo.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// Give `span` of `cell` back to its holder.
    Held { cell: CellId, span: Span, by: HolderId },
    /// Free `span` of `cell`.
    Free { cell: CellId, span: Span },
    /// Restore what an agent had been given: what is saved from `saved` on.
    Given { slot: Slot, saved: usize },
    /// Cut what an agent was given to its first `before` elements. `free`: also free the others, which nobody held
    /// before.
    GivenMore { slot: Slot, before: usize, free: bool },
}

impl<O: Occupancy> ReservationTable<O> {
    /// An empty table that stores reservations in `occupancy`, which must be empty.
    pub fn over(occupancy: O) -> Self {
        Self {
            occupancy,
            accounts: Accounts::default(),
            journal: Vec::new(),
            saved: Vec::new(),
            open: Vec::new(),
            marks: 0,
            settled_from: 0,
        }
    }

    /// The spans within `span` in which `cell` is held, in ascending order, each with its holder. Empty for a cell out
    /// of bounds.
    pub fn holders(&self, cell: CellId, span: Span) -> Vec<(Span, Holding)> {
        let mut holders: Vec<(Span, Holding)> = Vec::new();
        self.for_each_holder(cell, span, |piece, holding| match holders.last_mut() {
            Some((last, who)) if *who == holding && last.end == piece.start => last.end = piece.end,
            _ => holders.push((piece, holding)),
        });
        holders
    }

    /// Calls `each` for the spans within `span` in which `cell` is held, in ascending order, with their holders. A span
    /// of one holder may come in several adjacent pieces. Does nothing for a cell out of bounds.
    pub fn for_each_holder(&self, cell: CellId, span: Span, mut each: impl FnMut(Span, Holding)) {
        let _ = self.visit(cell, span, |piece, holder| {
            each(piece, self.accounts.holding(holder));
            ControlFlow::Continue(())
        });
    }

    /// Reads what the next reservation of `agent` needs from memory. The answer means nothing. A caller that will soon
    /// reserve for several agents calls this method for all of them first, so that the processor need not wait for one
    /// read after the other.
    pub fn touch(&self, agent: AgentId) -> u32 {
        self.accounts.touch(agent)
    }

    /// The spans that `agent` holds from tick `from` on, each with its cell and its rank. They are in ascending order
    /// of cells, and then of ticks.
    pub fn held_by(&self, agent: AgentId, from: Tick) -> Vec<(Entry, Rank)> {
        let Some(slot) = self.accounts.find(agent) else { return Vec::new() };
        let mut given = self.accounts.given(slot).to_vec();
        given.sort_unstable_by_key(|(cell, span)| (*cell, span.start));
        let mut held: Vec<(Entry, Rank)> = Vec::new();
        let mut next = (CellId(0), from);
        for (cell, span) in given {
            // All that an agent holds, it was given; some of it several times.
            let seen_until = if next.0 == cell { next.1 } else { from };
            let left = Span::new(span.start.max(seen_until), span.end);
            next = (cell, left.end.max(seen_until));
            self.for_each_holder(cell, left, |piece, holding| match held.last_mut() {
                _ if holding.agent != agent => {}
                Some((last, rank)) if *rank == holding.rank && last.cell == cell && last.span.end == piece.start => {
                    last.span.end = piece.end;
                }
                _ => held.push((Entry { cell, span: piece }, holding.rank)),
            });
        }
        held
    }

    #[inline]
    pub(super) fn visit(&self, cell: CellId, span: Span, held: impl HolderVisitor) -> ControlFlow<()> {
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
            let _ = self.visit(cell, Span::lasting(begin, look), |piece, holder| {
                let goes_on = piece.start == until && self.accounts.holding(holder).agent == agent;
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

    /// Whether `claim` may have `entry`, which is not known to be free.
    #[inline(never)]
    fn permits_held(&self, entry: &Entry, claim: Claim) -> bool {
        entry.cell.index() < self.occupancy.bound()
            && self.visit(entry.cell, entry.span, |_, holder| flow(self.yields(holder, claim))).is_continue()
    }

    /// Whether what `holder` holds yields to `claim`.
    #[inline]
    pub(super) fn yields(&self, holder: HolderId, claim: Claim) -> bool {
        self.accounts.yields(holder, claim)
    }

    /// Gives `span` of `cell` to `holder`, and notes the holders before in the journal.
    fn give(&mut self, cell: CellId, span: Span, holder: HolderId) {
        if !self.open.is_empty() {
            let journal = &mut self.journal;
            let _ = self.occupancy.visit(cell, span, |piece, by| {
                journal.push(Undo::Held { cell, span: piece, by });
                ControlFlow::Continue(())
            });
            // The last to be noted is the first to be undone.
            journal.push(Undo::Free { cell, span });
        }
        self.occupancy.assign(cell, span, Some(holder));
    }

    /// Notes what `slot` was given, as it is now, in the journal.
    fn save_given(&mut self, slot: Slot) {
        if !self.open.is_empty() {
            self.journal.push(Undo::Given { slot, saved: self.saved.len() });
            self.saved.extend_from_slice(self.accounts.given(slot));
        }
    }

    /// The end of the last of `entries`, if a glance tells that nobody holds any of them.
    #[inline]
    fn all_free(&self, entries: &[Entry]) -> Option<Tick> {
        let (mut until, mut touched) = (0, 0);
        for Entry { cell, span } in entries {
            touched ^= self.occupancy.touch(*cell, *span);
            if self.occupancy.glance(*cell, *span) != Some(false) {
                return None;
            }
            until = until.max(span.end);
        }
        std::hint::black_box(touched);
        Some(until).filter(|until| *until != FOREVER)
    }

    /// Whether `claim` may have all of `entries`; the agents that would lose something are appended to `evicted`, and
    /// the entries that the agent does not hold already to what it was given.
    fn check(
        &mut self,
        claim: Claim,
        slot: Slot,
        entries: &[Entry],
        evicted: &mut Vec<AgentId>,
    ) -> Result<Checked, Refused> {
        // Nearly always.
        if let Some(until) = self.all_free(entries) {
            self.accounts.given_mut(slot).extend(entries.iter().map(|Entry { cell, span }| (*cell, *span)));
            return Ok(Checked { all_free: true, until, settled_from: until });
        }
        let mut given = std::mem::take(self.accounts.given_mut(slot));
        let before = given.len();
        let mut checked = Checked { all_free: true, until: 0, settled_from: 0 };
        let mut refused = None;
        for entry in entries {
            let Entry { cell, span } = *entry;
            let change = if span.is_endless() { span.start } else { span.end };
            if cell.index() >= self.occupancy.bound() {
                refused = Some(Refused::OutOfBounds { cell });
                break;
            } else if span.is_empty() {
                continue;
            } else if self.occupancy.is_free(cell, span) {
                given.push((cell, span));
            } else {
                checked.all_free = false;
                let mut own = 0;
                let _ = self.occupancy.visit(cell, span, |piece, holder| {
                    let holding = self.accounts.holding(holder);
                    if holding.agent == claim.agent {
                        own += piece.end - piece.start;
                    } else if holding.rank < claim.rank {
                        evicted.push(holding.agent);
                    } else {
                        refused = Some(Refused::Held { entry: *entry, by: holding.agent });
                    }
                    flow(refused.is_none())
                });
                if refused.is_some() {
                    break;
                }
                // What the agent holds, it was given before.
                if own < span.end - span.start {
                    given.push((cell, span));
                }
            }
            checked.until = checked.until.max(span.end);
            checked.settled_from = checked.settled_from.max(change);
        }
        if refused.is_some() {
            given.truncate(before);
        }
        *self.accounts.given_mut(slot) = given;
        refused.map_or(Ok(checked), Err)
    }

    fn end_transactions(&mut self) {
        self.journal.clear();
        self.saved.clear();
        self.open.clear();
        while let Some(slot) = self.accounts.next_long() {
            self.recount(slot);
        }
    }

    /// Finds which holder ids of `slot` are of use.
    #[cold]
    fn recount(&mut self, slot: Slot) {
        self.accounts.recount(slot);
        for at in 0..self.accounts.given(slot).len() {
            let (cell, span) = self.accounts.given(slot)[at];
            let accounts = &mut self.accounts;
            let _ = self.occupancy.visit(cell, span, |piece, holder| {
                accounts.hold(holder, piece.end);
                ControlFlow::Continue(())
            });
        }
        self.accounts.drop_unused(slot);
    }
}

impl<O: Occupancy> ReservationStore for ReservationTable<O> {
    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        if entry.cell.index() >= self.occupancy.bound() {
            return Probe::OutOfBounds;
        }
        if self.occupancy.glance(entry.cell, entry.span) == Some(false) {
            return Probe::Free;
        }
        let mut overridden = None;
        let mut blocker = None;
        let _ = self.visit(entry.cell, entry.span, |piece, holder| {
            let holding = self.accounts.holding(holder);
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

    #[inline(always)] // into searches: nearly all they ask for is free
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        self.occupancy.glance(entry.cell, entry.span) == Some(false) || self.permits_held(entry, claim)
    }

    fn for_each_blocker(&self, entry: &Entry, claim: Claim, each: &mut dyn FnMut(AgentId) -> bool) -> bool {
        if self.occupancy.glance(entry.cell, entry.span) == Some(false) {
            return true;
        }
        let blockers = |_, holder| {
            let holding = self.accounts.holding(holder);
            flow(holding.yields_to(claim) || each(holding.agent))
        };
        self.visit(entry.cell, entry.span, blockers).is_continue()
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        let known = evicted.len();
        let slot = self.accounts.open(claim.agent);
        if self.accounts.is_full(slot, entries.len()) {
            self.save_given(slot);
            self.accounts.make_room(slot, entries.len());
        }
        let given_before = self.accounts.given(slot).len();
        let Checked { all_free, until, settled_from } =
            self.check(claim, slot, entries, evicted).inspect_err(|_| evicted.truncate(known))?;
        if !self.open.is_empty() && self.accounts.given(slot).len() > given_before {
            self.journal.push(Undo::GivenMore { slot, before: given_before, free: all_free });
        }
        if !all_free && evicted.len() > known + 1 {
            let mut losers = evicted.split_off(known);
            losers.sort_unstable();
            losers.dedup();
            evicted.append(&mut losers);
        }
        self.settled_from = self.settled_from.max(settled_from);
        let holder = self.accounts.id(slot, claim.rank, until);
        for Entry { cell, span } in entries.iter().filter(|entry| !entry.span.is_empty()) {
            if all_free {
                self.occupancy.assign(*cell, *span, Some(holder));
            } else {
                self.give(*cell, *span, holder);
            }
        }
        Ok(())
    }

    fn release(&mut self, agent: AgentId, from: Tick) {
        let Some(slot) = self.accounts.find(agent) else {
            return;
        };
        self.save_given(slot);
        let is_open = !self.open.is_empty();
        let given = std::mem::take(self.accounts.given_mut(slot));
        let left = given.iter().filter(|(_, span)| span.end > from);
        let touched = left.fold(0, |sum, (cell, span)| sum ^ self.occupancy.touch(*cell, *span));
        std::hint::black_box(touched);
        let Self { occupancy, accounts, journal, settled_from, .. } = self;
        for (cell, span) in &given {
            let left = span.intersection(Span::endless(from));
            if left.is_empty() {
                continue;
            }
            let is_own = |holder| accounts.holding(holder).agent == agent;
            occupancy.give_up(*cell, left, is_own, |piece, by| {
                if is_open {
                    journal.push(Undo::Held { cell: *cell, span: piece, by });
                }
                // If the piece had no end, the cell changes hands here for the last time.
                *settled_from = (*settled_from).max(piece.start);
            });
        }
        *self.accounts.given_mut(slot) = given;
        self.accounts.cut(slot, from);
    }

    fn forget_before(&mut self, now: Tick) {
        self.end_transactions();
        self.occupancy.forget_before(now);
        self.accounts.forget_before(now);
    }

    fn clear(&mut self) {
        self.end_transactions();
        self.occupancy.clear();
        self.accounts.clear();
        self.settled_from = 0;
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
        for at in (begin.journal..self.journal.len()).rev() {
            match self.journal[at] {
                Undo::Held { cell, span, by } => {
                    self.occupancy.assign(cell, span, Some(by));
                    self.accounts.hold(by, span.end);
                }
                Undo::Free { cell, span } => self.occupancy.assign(cell, span, None),
                Undo::Given { slot, saved } => {
                    let given = self.accounts.given_mut(slot);
                    given.clear();
                    given.extend(self.saved.drain(saved..));
                }
                Undo::GivenMore { slot, before, free } => {
                    let given = self.accounts.given_mut(slot).drain(before..);
                    given.filter(|_| free).for_each(|(cell, span)| self.occupancy.assign(cell, span, None));
                }
            }
        }
        self.journal.truncate(begin.journal);
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
    use crate::vocabulary::{Cells, ConflictRule};

    #[test]
    fn what_is_tried_and_taken_back_leaves_nothing_behind() {
        let mut table = IntervalTable::new(Cells::new(ConflictRule::Swap, 2, 0));
        let rest = [Entry { cell: CellId(0), span: Span::endless(0) }];
        let (low, high) = (Claim::plain(AgentId(0)), Claim { agent: AgentId(1), rank: Rank(1, 0) });
        table.reserve(low, &rest).unwrap();
        let given =
            |table: &IntervalTable| table.accounts.find(low.agent).map(|slot| table.accounts.given(slot).to_vec());
        let before = given(&table);
        for _ in 0..100 {
            let mark = table.mark();
            table.reserve(high, &rest).unwrap();
            table.release(low.agent, 0);
            table.rollback(mark).unwrap();
            table.settle();
        }
        assert_eq!(given(&table), before);
        assert!(table.journal.is_empty() && table.saved.is_empty());
        assert_eq!(
            table.holders(CellId(0), Span::endless(0)),
            [(Span::endless(0), Holding { agent: low.agent, rank: low.rank })]
        );
    }

    #[test]
    fn what_has_passed_takes_no_time_and_no_room() {
        let mut table = IntervalTable::new(Cells::new(ConflictRule::Swap, 1000, 0));
        let entries: Vec<Entry> = (0..1000).map(|cell| Entry { cell: CellId(cell), span: Span::tick(cell) }).collect();
        table.reserve(Claim::plain(AgentId(0)), &entries).unwrap();
        table.forget_before(990);
        assert_eq!(table.occupancy.held().count(), 10);
        assert_eq!(table.probe(&entries[995], Claim::plain(AgentId(1))), Probe::Blocked { by: AgentId(0), until: 996 });
    }

    #[test]
    fn ranks_and_agents_that_hold_nothing_any_more_take_no_room() {
        let mut table = IntervalTable::new(Cells::new(ConflictRule::Swap, 8, 0));
        let rest = |cell| [Entry { cell: CellId(cell), span: Span::endless(0) }];
        let firm = Claim { agent: AgentId(1), rank: Rank(7, 7) };
        table.reserve(firm, &rest(1)).unwrap();
        // Always at another rank, without release.
        for round in 0..2000 {
            let claim = Claim { agent: AgentId(0), rank: Rank(round, 0) };
            let mark = (round % 3 > 0).then(|| table.mark());
            table.reserve(claim, &rest(0)).unwrap();
            if let Some(mark) = mark.filter(|_| round % 3 == 1) {
                table.rollback(mark).unwrap();
            }
            table.settle();
            let by = if round % 3 == 1 { Rank(round - 1, 0) } else { claim.rank };
            let held = |agent, rank| [(Span::endless(0), Holding { agent, rank })];
            assert_eq!(table.holders(CellId(0), Span::endless(0)), held(AgentId(0), by), "round {round}");
            assert_eq!(table.holders(CellId(1), Span::endless(0)), held(firm.agent, firm.rank));
        }
        assert!(table.accounts.sizes().1 < 100, "{:?}", table.accounts.sizes());
        // Always another agent, at another rank, while time goes on.
        for now in 1..2000 {
            let claim = Claim { agent: AgentId(now + 1), rank: Rank(u64::from(now), 0) };
            table.reserve(claim, &[Entry { cell: CellId(2 + now % 6), span: Span::lasting(now, 3) }]).unwrap();
            table.forget_before(now);
        }
        let (accounts, ids) = table.accounts.sizes();
        assert!(accounts < 100 && ids < 200, "{accounts} accounts, {ids} ids");
    }
}
