//! Reservations: which agent holds which cell when, and at which rank.

use std::fmt;

use crate::vocabulary::{AgentId, CellId, Entry, Span, Tick};

/// How strongly a reservation is held: a claim overrides reservations of strictly lower rank. Ranks compare by the
/// first number, then by the second. A rank takes only 12 bytes, because stores hold very many ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(Rust, packed(4))]
pub struct Rank(pub u64, pub u32);

/// An agent that asks for reservations, and its rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// The agent. Reservations of this agent never block the claim.
    pub agent: AgentId,
    /// The rank.
    pub rank: Rank,
}

impl Claim {
    /// A claim of `agent` at the lowest rank, which overrides no other agent.
    pub const fn plain(agent: AgentId) -> Self {
        Self { agent, rank: Rank(0, 0) }
    }
}

/// The answer to the question whether a claim may have an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Probe {
    /// No other agent holds any of the entry.
    Free,
    /// The claim may have the entry. The named agent holds a part of the entry at a lower rank, and would lose that
    /// part. If there are several such agents, this is the first of them.
    Overrides(AgentId),
    /// The claim may not have the entry.
    Blocked {
        /// The agent that holds the first tick that the claim may not have.
        by: AgentId,
        /// The first later tick at which `by` does not hold the cell; [`FOREVER`](crate::FOREVER) if there is none.
        until: Tick,
    },
    /// The cell does not exist.
    OutOfBounds,
}

/// Why a store refused a commit. The store is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refused {
    /// Another agent holds part of an entry, at a rank that is not lower.
    Held {
        /// The entry.
        entry: Entry,
        /// The agent that holds it.
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

/// A point to which a store can be rolled back. The store that gave a mark knows the mark by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark(pub u64);

/// A rollback to a mark that is no longer valid. Marks end with the next [`settle`](ReservationStore::settle),
/// [`forget_before`](ReservationStore::forget_before) or [`clear`](ReservationStore::clear), and with a rollback to an
/// earlier mark. The store is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaleMark;

impl fmt::Display for StaleMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the mark is from a transaction that has ended")
    }
}

impl std::error::Error for StaleMark {}

/// A store of reservations: which agent holds which cell at which ticks, and at which rank.
///
/// A store behaves like a map from (cell, tick) to (agent, rank). Every operation is defined by its effect on that map,
/// for endless spans too. `giveway-conformance` checks an implementation against the map.
pub trait ReservationStore {
    /// Whether `claim` may have `entry`; if not, the agent that holds the entry, and until when. An empty span is free.
    fn probe(&self, entry: &Entry, claim: Claim) -> Probe;

    /// Whether `claim` may have `entry`: [`probe`](Self::probe) without the reason. The hot loop calls this method.
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        matches!(self.probe(entry, claim), Probe::Free | Probe::Overrides(_))
    }

    /// Calls `each` with every agent that blocks `claim`: the agent holds a part of `entry` at a rank that is not lower
    /// than the rank of `claim`. Stops as soon as `each` returns `false`. Returns whether `each` always returned
    /// `true`.
    ///
    /// Agents come in ascending order of the first tick that they block. An agent that blocks several parts may come
    /// several times.
    fn for_each_blocker(&self, entry: &Entry, claim: Claim, each: &mut dyn FnMut(AgentId) -> bool) -> bool {
        let mut left = *entry;
        while let Probe::Blocked { by, until } = self.probe(&left, claim) {
            if !each(by) {
                return false;
            }
            left.span.start = until;
        }
        true
    }

    /// Gives all of `entries` to `claim`. Agents of lower rank lose their reservations within the entries. Each agent
    /// that loses a reservation is appended to `evicted` once per call, in ascending order of id.
    ///
    /// # Errors
    /// Another agent holds part of an entry at a rank that is not lower, or a cell is out of bounds. Nothing changes.
    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused>;

    /// [`commit`](Self::commit) without the list of evicted agents. For claims that override no agent, such as
    /// [plain](Claim::plain) claims, and for callers that find the evicted agents by other means.
    ///
    /// # Errors
    /// As for `commit`.
    fn reserve(&mut self, claim: Claim, entries: &[Entry]) -> Result<(), Refused> {
        self.commit(claim, entries, &mut Vec::new())
    }

    /// Gives up everything that `agent` holds at tick `from` and later.
    fn release(&mut self, agent: AgentId, from: Tick);

    /// Drops all reservations before tick `now`, and ends every transaction. After this call, answers about ticks
    /// before `now` are undefined.
    fn forget_before(&mut self, now: Tick);

    /// Drops all reservations, and ends every transaction.
    fn clear(&mut self);

    /// From this tick on, every cell keeps its holder and rank for ever.
    ///
    /// The tick may be later than necessary. A search treats all later ticks as one tick: so a search for an
    /// unreachable goal ends.
    fn settled_from(&self) -> Tick;

    /// Begins a transaction, which may be nested.
    fn mark(&mut self) -> Mark;

    /// Undoes exactly the changes since [`mark`](Self::mark) returned `to`.
    ///
    /// # Errors
    /// `to` is [stale](StaleMark).
    fn rollback(&mut self, to: Mark) -> Result<(), StaleMark>;

    /// Ends all transactions and keeps their changes.
    fn settle(&mut self);

    /// This store, if it can list free spans, for searches over [safe intervals](crate::TimeModel::SafeIntervals).
    /// `None`, the default: it cannot.
    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        None
    }
}

/// A store that lists when a cell is free, for searches over safe intervals.
pub trait FreeIntervals {
    /// The first span that `claim` may have in `cell`, among the spans that end after `from`. The span is maximal, so
    /// it may start before `from`. `None` if the cell is blocked from `from` on for ever, or is out of bounds.
    fn next_free(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span>;

    /// The part of [`next_free`](Self::next_free) at `from` and later. The hot loop calls this method, because a store
    /// then need not look at ticks before `from`.
    fn free_from(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span> {
        let free = self.next_free(cell, from, claim)?;
        Some(Span::new(free.start.max(from), free.end))
    }
}
