//! Reservations: who holds which cell when, at which rank.

use std::fmt;

use crate::cells::CellId;
use crate::footprint::Entry;
use crate::time::{Span, Tick};

/// An agent of a crowd or an instance: its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AgentId(pub u32);

impl AgentId {
    /// The id as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent {}", self.0)
    }
}

/// How strongly a reservation is held: a claim overrides reservations of strictly lower rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rank(pub u64);

/// Who asks, and at which rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// Who asks. An agent's own reservations never stand in its way.
    pub agent: AgentId,
    /// At which rank.
    pub rank: Rank,
}

impl Claim {
    /// A claim of `agent` at the lowest rank, which overrides nobody.
    pub const fn plain(agent: AgentId) -> Self {
        Self { agent, rank: Rank(0) }
    }
}

/// What a store answers when asked whether an entry may be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Probe {
    /// Nobody else holds any of it.
    Free,
    /// It may be had, at the expense of this agent (the first, if several), which holds part of it at a lower rank.
    Overrides(AgentId),
    /// It may not be had.
    Blocked {
        /// Who holds the first tick of it that may not be had.
        by: AgentId,
        /// The first tick after that at which `by` does not hold the cell; [`FOREVER`](crate::FOREVER) if there is none.
        until: Tick,
    },
    /// There is no such cell.
    OutOfBounds,
}

/// A store refused to commit a plan; it is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refused {
    /// An entry is held by another agent at a rank that is not lower.
    Held {
        /// The entry.
        entry: Entry,
        /// Who holds it.
        by: AgentId,
    },
    /// An entry names a cell that the store does not have.
    OutOfBounds {
        /// The cell.
        cell: CellId,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held { entry, by } => {
                write!(f, "cell {} is held by {by} within ticks {}..{}", entry.cell.0, entry.span.start, entry.span.end)
            }
            Self::OutOfBounds { cell } => write!(f, "cell {} is not among the cells of this store", cell.0),
        }
    }
}

impl std::error::Error for Refused {}

/// A rollback to a mark that was taken before the last [`settle`](ReservationStore::settle),
/// [`forget_before`](ReservationStore::forget_before) or [`clear`](ReservationStore::clear), or that has been rolled
/// back over. The store is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaleMark;

impl fmt::Display for StaleMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the mark is from a transaction that has ended")
    }
}

impl std::error::Error for StaleMark {}

/// Who holds which cell when, at which rank.
///
/// A store behaves as if it were a map from (cell, tick) to (agent, rank): every operation is defined by what it does
/// to that map, for endless spans too. [`conformance`](crate::conformance) checks an implementation against it.
pub trait ReservationStore {
    /// A point to which the store can be rolled back.
    type Mark: Copy;

    /// Whether `claim` may have `entry`, and if not, who holds it until when. An empty span is free.
    fn probe(&self, entry: &Entry, claim: Claim) -> Probe;

    /// Whether `claim` may have `entry`: [`probe`](Self::probe) without the reason. This is the hot loop's question.
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        matches!(self.probe(entry, claim), Probe::Free | Probe::Overrides(_))
    }

    /// Gives all of `entries` to `claim`. What another agent held of them at a lower rank is lost to it, and that agent
    /// is appended to `evicted`: once per call, in ascending order of id, and exactly those that lost something.
    ///
    /// # Errors
    /// Another agent holds part of an entry at a rank that is not lower, or a cell is out of bounds. Nothing changes.
    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused>;

    /// [`commit`](Self::commit), where nobody is told who lost something. That does for claims that override nobody, as
    /// [plain](Claim::plain) ones do, and where those who are overridden are found by other means.
    ///
    /// # Errors
    /// As for `commit`.
    fn reserve(&mut self, claim: Claim, entries: &[Entry]) -> Result<(), Refused> {
        self.commit(claim, entries, &mut Vec::new())
    }

    /// Gives up all that `agent` holds at tick `from` and later.
    fn release(&mut self, agent: AgentId, from: Tick);

    /// Drops what lies before `now`, and ends every transaction. Probes and commits of ticks before `now` have no
    /// defined answer any more.
    fn forget_before(&mut self, now: Tick);

    /// Drops everything, and ends every transaction.
    fn clear(&mut self);

    /// A tick from which on every cell is held by the same agent at the same rank for ever, or by nobody.
    ///
    /// It may be later than need be. A search treats all times from here on as one, which is what makes an unreachable
    /// goal an answer instead of an endless search.
    fn settled_from(&self) -> Tick;

    /// Begins a transaction, or a transaction within one.
    fn mark(&mut self) -> Self::Mark;

    /// Undoes everything since `to` was taken, exactly.
    ///
    /// # Errors
    /// `to` is stale.
    fn rollback(&mut self, to: Self::Mark) -> Result<(), StaleMark>;

    /// Ends all transactions, keeping what they did.
    fn settle(&mut self);

    /// This store as one that can say when a cell is free, which a search over
    /// [safe intervals](crate::TimeModel::SafeIntervals) asks. `None`, the default: it cannot.
    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        None
    }
}

/// A store that can say when a cell is free: what a search over safe intervals needs.
pub trait FreeIntervals {
    /// The first maximal span of ticks that `claim` may have in `cell`, among those that end after `from`. Its start may
    /// lie before `from`. `None` if the cell is blocked from `from` on for ever, or is out of bounds.
    fn next_free(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span>;

    /// The part of [`next_free`](Self::next_free) that does not lie before `from`. This is the hot loop's question: a store
    /// need not look back.
    fn free_from(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span> {
        let free = self.next_free(cell, from, claim)?;
        Some(Span::new(free.start.max(from), free.end))
    }
}
