//! Occupancies: ways to store which agent holds which cell when.

use std::ops::ControlFlow;

use crate::reservation::{Claim, Rank};
use crate::vocabulary::{AgentId, CellId, Span, Tick};

/// An agent that holds something, and its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holding {
    /// The agent.
    pub agent: AgentId,
    /// Its rank.
    pub rank: Rank,
}

impl Holding {
    pub(super) fn yields_to(self, claim: Claim) -> bool {
        self.agent == claim.agent || self.rank < claim.rank
    }
}

/// A number that stands for a [`Holding`] for as long as something is held so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HolderId(pub(super) u32);

impl HolderId {
    /// The id at position `index`. There are fewer than 2^31: more do not fit into memory.
    pub(super) fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A callback for each held span; it may break off.
pub trait HolderVisitor: FnMut(Span, HolderId) -> ControlFlow<()> {}

impl<F: FnMut(Span, HolderId) -> ControlFlow<()>> HolderVisitor for F {}

/// A way to store who holds what; this is what differs between stores. [`ReservationTable`](super::ReservationTable)
/// knows which agents and ranks the holders are, and adds commits, releases and transactions.
///
/// Behaves like a map from (cell, tick) to [`HolderId`]. Its callers never pass cells out of bounds or empty spans.
pub trait Occupancy {
    /// One more than the largest cell id.
    fn bound(&self) -> usize;

    /// Calls `held` for the held spans within `span`, ascending and clipped to `span`, until it breaks off. Adjacent
    /// spans of one holder may come as one or as several.
    fn visit(&self, cell: CellId, span: Span, held: impl FnMut(Span, HolderId) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Sets the holder of `cell` for `span`; `None`: free.
    fn assign(&mut self, cell: CellId, span: Span, holder: Option<HolderId>);

    /// May drop everything before `now`.
    fn forget_before(&mut self, now: Tick);

    /// Drops everything.
    fn clear(&mut self);

    /// Whether nothing of `cell` is held in `span`. Override it if there is a faster way than `visit`.
    #[inline]
    fn is_free(&self, cell: CellId, span: Span) -> bool {
        self.visit(cell, span, |_, _| ControlFlow::Break(())).is_continue()
    }

    /// Reads what `visit` and `assign` are going to read first, so that it is near in memory by then. Many such reads at
    /// once take hardly longer than one. The answer means nothing. By default it reads nothing.
    #[inline]
    fn touch(&self, _cell: CellId, _span: Span) -> u32 {
        0
    }

    /// Whether something of `cell` is held in `span`, if that is known at a glance, without a look at the holders.
    /// `None`, the default: it is not known at a glance.
    ///
    /// Unlike the other methods, this method is asked about any cell and span: `None` for cells out of bounds and for
    /// empty spans.
    #[inline]
    fn glance(&self, _cell: CellId, _span: Span) -> Option<bool> {
        None
    }
}

pub(super) fn flow(go_on: bool) -> ControlFlow<()> {
    if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}
