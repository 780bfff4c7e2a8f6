//! The transactional table over an occupancy.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::occupancy::{Holding, HoldingVisitor, Occupancy, flow};
use crate::reservation::{Claim, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, StaleMark};
use crate::vocabulary::{AgentId, CellId, Entry, FOREVER, Span, Tick};

/// A reservation store over an [`Occupancy`]. Adds lists of what each agent holds, and a log to undo changes.
#[derive(Clone, Debug)]
pub struct ReservationTable<O> {
    pub(super) occupancy: O,
    accounts: FxHashMap<AgentId, Account>,
    /// Until this tick nothing in any account is over.
    due: Tick,
    /// Everything before is forgotten.
    past: Tick,
    /// For each change since the first mark, what was there before; empty while no transaction is open.
    journal: Vec<Undo>,
    /// What agents had been given, one list after the other, for the journal.
    saved: Vec<(CellId, Span)>,
    /// The open transactions, from outer to inner.
    open: Vec<Transaction>,
    /// Each mark has its own number, so a stale mark is always recognised.
    marks: u64,
    settled_from: Tick,
    /// No agent holds anything at a lower rank.
    least_rank: Rank,
}

/// What an agent was given and has not given up. Other agents may have taken parts of it since.
#[derive(Clone, Debug, Default)]
struct Account {
    given: Vec<(CellId, Span)>,
    /// Until this tick nothing of it is over.
    due: Tick,
}

impl Account {
    /// Gives up everything from `until` on, and forgets what is over by `past`. Keeps an empty list for reuse.
    fn cut(&mut self, until: Tick, past: Tick) {
        self.given.retain_mut(|(_, span)| {
            span.end = span.end.min(until);
            !span.is_empty() && span.end > past
        });
        // An empty list is due at once.
        self.due = self.given.iter().map(|(_, span)| span.end).min().unwrap_or(0);
    }
}

/// Where a transaction began.
#[derive(Clone, Copy, Debug)]
struct Transaction {
    mark: Mark,
    journal: usize,
    settled_from: Tick,
}

/// A change to undo.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// Give `span` of `cell` back to its holder.
    Assign { cell: CellId, span: Span, before: Option<Holding> },
    /// Restore what an agent had been given: what is saved from `saved` on.
    Given { agent: AgentId, saved: usize },
    /// Cut what an agent was given to its first `before` elements.
    GivenMore { agent: AgentId, before: usize },
}

impl<O: Occupancy> ReservationTable<O> {
    /// An empty table; `occupancy` must be empty.
    pub fn over(occupancy: O) -> Self {
        Self {
            occupancy,
            accounts: FxHashMap::default(),
            due: FOREVER,
            past: 0,
            journal: Vec::new(),
            saved: Vec::new(),
            open: Vec::new(),
            marks: 0,
            settled_from: 0,
            least_rank: Rank(u64::MAX, u32::MAX),
        }
    }

    /// The held spans of `cell` within `span`, ascending, with their holders. Empty for a cell out of bounds.
    pub fn holders(&self, cell: CellId, span: Span) -> Vec<(Span, Holding)> {
        let mut holders: Vec<(Span, Holding)> = Vec::new();
        let _ = self.visit(cell, span, |piece, holding| {
            match holders.last_mut() {
                Some((last, who)) if *who == holding && last.end == piece.start => last.end = piece.end,
                _ => holders.push((piece, holding)),
            }
            ControlFlow::Continue(())
        });
        holders
    }

    #[inline]
    pub(super) fn visit(&self, cell: CellId, span: Span, held: impl HoldingVisitor) -> ControlFlow<()> {
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
            let _ = self.visit(cell, Span::lasting(begin, look), |piece, holding| {
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
        if !self.open.is_empty() {
            let journal = &mut self.journal;
            let mut note = |span, before| journal.push(Undo::Assign { cell, span, before });
            if !free {
                let _ = self.occupancy.visit(cell, span, |piece, before| {
                    note(piece, Some(before));
                    ControlFlow::Continue(())
                });
            }
            // The last to be noted is the first to be undone.
            note(span, None);
        }
        self.occupancy.assign(cell, span, holding);
    }

    fn holds_nothing(&self, agent: AgentId) -> bool {
        self.accounts.get(&agent).is_none_or(|account| account.given.is_empty())
    }

    /// Takes from `agent` what it was given after its first `kept` elements.
    fn give_back(&mut self, agent: AgentId, kept: usize) {
        if let Some(account) = self.accounts.get_mut(&agent).filter(|_| kept > 0) {
            account.given.truncate(kept);
        } else {
            self.accounts.remove(&agent);
        }
    }

    fn end_transactions(&mut self) {
        self.journal.clear();
        self.saved.clear();
        self.open.clear();
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
        let _ = self.visit(entry.cell, entry.span, |piece, holding| {
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
            Some(true) if claim.rank <= self.least_rank && self.holds_nothing(claim.agent) => false,
            _ => self.occupancy.permits(entry, claim),
        }
    }

    fn for_each_blocker(&self, entry: &Entry, claim: Claim, each: &mut dyn FnMut(AgentId) -> bool) -> bool {
        if self.occupancy.glance(entry.cell, entry.span) == Some(false) {
            return true;
        }
        let blockers = |_, holding: Holding| flow(holding.yields_to(claim) || each(holding.agent));
        self.visit(entry.cell, entry.span, blockers).is_continue()
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        let known = evicted.len();
        let account = self.accounts.entry(claim.agent).or_default();
        let given = &mut account.given;
        let given_before = given.len();
        // By a quarter at least: doubled, the memory of all lists would be mostly unused.
        if given.capacity() - given_before < entries.len() {
            given.reserve_exact(entries.len().max(given_before / 4));
        }
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
                    let _ = self.occupancy.visit(cell, span, |piece, holding| {
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
                self.give_back(claim.agent, given_before);
                return Err(refused);
            }
        }
        if !self.open.is_empty() && given.len() > given_before {
            self.journal.push(Undo::GivenMore { agent: claim.agent, before: given_before });
        }
        account.due = given[given_before..].iter().map(|(_, span)| span.end).fold(account.due, Tick::min);
        self.due = self.due.min(account.due);
        if given.is_empty() {
            self.accounts.remove(&claim.agent);
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
        let Some(account) = self.accounts.get_mut(&agent) else {
            return;
        };
        let is_open = !self.open.is_empty();
        if is_open {
            self.journal.push(Undo::Given { agent, saved: self.saved.len() });
            self.saved.extend_from_slice(&account.given);
        }
        for (cell, span) in &account.given {
            let mut left = span.intersection(Span::endless(from));
            while !left.is_empty() {
                let mut own = None;
                let _ = self.occupancy.visit(*cell, left, |piece, holding| {
                    own = Some((piece, holding)).filter(|_| holding.agent == agent);
                    flow(own.is_none())
                });
                let Some((piece, holding)) = own else { break };
                if is_open {
                    self.journal.push(Undo::Assign { cell: *cell, span: piece, before: Some(holding) });
                }
                self.occupancy.assign(*cell, piece, None);
                // If the piece had no end, the cell changes hands here for the last time.
                self.settled_from = self.settled_from.max(piece.start);
                left.start = piece.end;
            }
        }
        account.cut(from, self.past);
        self.due = self.due.min(account.due);
    }

    fn forget_before(&mut self, now: Tick) {
        self.end_transactions();
        self.occupancy.forget_before(now);
        self.past = now.max(self.past);
        if self.due > now {
            return;
        }
        self.due = FOREVER;
        self.accounts.retain(|_, account| {
            if account.due <= now {
                account.cut(FOREVER, now);
            }
            self.due = self.due.min(account.due);
            !account.given.is_empty()
        });
    }

    fn clear(&mut self) {
        self.end_transactions();
        self.occupancy.clear();
        self.accounts.clear();
        (self.due, self.past) = (FOREVER, 0);
        self.settled_from = 0;
        self.least_rank = Rank(u64::MAX, u32::MAX);
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
                Undo::Assign { cell, span, before } => self.occupancy.assign(cell, span, before),
                Undo::Given { agent, saved } => {
                    let account = self.accounts.entry(agent).or_default();
                    account.given.clear();
                    account.given.extend(self.saved.drain(saved..));
                    account.cut(FOREVER, self.past);
                    self.due = self.due.min(account.due);
                }
                Undo::GivenMore { agent, before } => self.give_back(agent, before),
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
        let before = table.accounts[&low.agent].given.clone();
        for _ in 0..100 {
            let mark = table.mark();
            table.reserve(high, &rest).unwrap();
            table.release(low.agent, 0);
            table.rollback(mark).unwrap();
            table.settle();
        }
        assert_eq!(table.accounts[&low.agent].given, before);
        assert_eq!(table.accounts.len(), 1);
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
}
