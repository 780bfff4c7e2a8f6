//! Occupancies: ways to store which agent holds which cell when.

use std::ops::ControlFlow;

use crate::reservation::{Claim, Rank};
use crate::vocabulary::{AgentId, CellId, Entry, Span, Tick};

/// The agent that holds a cell at a tick, and its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holding {
    /// The agent.
    pub agent: AgentId,
    /// The rank at which the agent holds the cell.
    pub rank: Rank,
}

impl Holding {
    pub(super) fn yields_to(self, claim: Claim) -> bool {
        self.agent == claim.agent || self.rank < claim.rank
    }
}

/// A callback for each held span. The callback may break off.
pub trait HoldingVisitor: FnMut(Span, Holding) -> ControlFlow<()> {}

impl<F: FnMut(Span, Holding) -> ControlFlow<()>> HoldingVisitor for F {}

/// A data structure for holdings. [`ReservationTable`](super::ReservationTable) makes a store of it, with commits,
/// releases and transactions. The stores of this crate differ only in their data structures.
///
/// Behaves like a map from (cell, tick) to [`Holding`]. Callers pass only cells below the bound, and spans that are not
/// empty.
pub trait Occupancy {
    /// One more than the largest cell id.
    fn bound(&self) -> usize;

    /// Calls `held` for the held spans within `span`, ascending and clipped to `span`, until `held` breaks off.
    /// Adjacent spans of equal holdings may come as one span or as several spans.
    fn visit(&self, cell: CellId, span: Span, held: impl FnMut(Span, Holding) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Sets the holding of `cell` for `span`; `None`: free.
    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>);

    /// Allows the structure to drop all holdings before tick `now`.
    fn forget_before(&mut self, now: Tick);

    /// Drops all holdings.
    fn clear(&mut self);

    /// Whether no tick of `span` is held in `cell`. Override this method if there is a faster way than `visit`.
    #[inline]
    fn is_free(&self, cell: CellId, span: Span) -> bool {
        self.visit(cell, span, |_, _| ControlFlow::Break(())).is_continue()
    }

    /// Whether some tick of `span` is held in `cell`, if the structure can tell without a look at the holders. `None`,
    /// the default: it cannot tell.
    ///
    /// Unlike the other methods, this method is asked about any cell and span: `None` for cells out of bounds and for
    /// empty spans.
    #[inline]
    fn glance(&self, _cell: CellId, _span: Span) -> Option<bool> {
        None
    }

    /// Whether `claim` may have `entry`. Override this method if there is a faster way than `visit`.
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
