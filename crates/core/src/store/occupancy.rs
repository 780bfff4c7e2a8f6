//! Occupancies: ways to store which agent holds which cell when.

use std::ops::ControlFlow;

use crate::reservation::{Claim, Rank};
use crate::vocabulary::{AgentId, CellId, Entry, Span, Tick};

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

/// A callback for each held span; it may break off.
pub trait HoldingVisitor: FnMut(Span, Holding) -> ControlFlow<()> {}

impl<F: FnMut(Span, Holding) -> ControlFlow<()>> HoldingVisitor for F {}

/// A way to store holdings; this is what differs between stores. [`ReservationTable`](super::ReservationTable) adds
/// commits, releases and transactions.
///
/// Behaves like a map from (cell, tick) to [`Holding`]. Its callers never pass cells out of bounds or empty spans.
pub trait Occupancy {
    /// One more than the largest cell id.
    fn bound(&self) -> usize;

    /// Calls `held` for the held spans within `span`, ascending and clipped to `span`, until it breaks off. Adjacent
    /// spans of equal holdings may come as one or as several.
    fn visit(&self, cell: CellId, span: Span, held: impl FnMut(Span, Holding) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Sets the holding of `cell` for `span`; `None`: free.
    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>);

    /// May drop everything before `now`.
    fn forget_before(&mut self, now: Tick);

    /// Drops everything.
    fn clear(&mut self);

    /// Whether nothing of `cell` is held in `span`. Override it if there is a faster way than `visit`.
    #[inline]
    fn is_free(&self, cell: CellId, span: Span) -> bool {
        self.visit(cell, span, |_, _| ControlFlow::Break(())).is_continue()
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

    /// Whether `claim` may have `entry`. Override it if there is a faster way than `visit`.
    #[inline]
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        let permitted = |_, holding: Holding| flow(holding.yields_to(claim));
        entry.cell.index() < self.bound()
            && (entry.span.is_empty() || self.visit(entry.cell, entry.span, permitted).is_continue())
    }
}

pub(super) fn flow(go_on: bool) -> ControlFlow<()> {
    if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}
