//! Occupancies: ways to store which agent holds which cell when.

use std::ops::ControlFlow;

use crate::reservation::{Claim, Rank};
use crate::vocabulary::{AgentId, CellId, Span, Tick};

/// An agent that holds a cell, and the rank at which the agent holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holding {
    /// The agent.
    pub agent: AgentId,
    /// The rank.
    pub rank: Rank,
}

impl Holding {
    pub(super) fn yields_to(self, claim: Claim) -> bool {
        self.agent == claim.agent || self.rank < claim.rank
    }
}

/// The number of a [`Holding`], which is an agent and a rank. The number is valid for as long as the agent holds a cell
/// at this rank.
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

/// A callback for each held span and its holder. If it returns [`ControlFlow::Break`], no more spans come.
pub trait HolderVisitor: FnMut(Span, HolderId) -> ControlFlow<()> {}

impl<F: FnMut(Span, HolderId) -> ControlFlow<()>> HolderVisitor for F {}

/// The storage of a [`ReservationTable`](super::ReservationTable): which holder has which cell at which ticks. The
/// three ready-made stores differ only in their storage. The table knows the agent and the rank of each holder, and
/// adds commits, releases and transactions.
///
/// An occupancy behaves like a map from (cell, tick) to [`HolderId`]. Only in calls of
/// [`glance`](Self::glance) and [`touch`](Self::touch) may a cell be out of bounds, or a span empty.
pub trait Occupancy {
    /// One more than the largest cell id.
    fn bound(&self) -> usize;

    /// Calls `held` for each span within `span` in which `cell` is held, in ascending order, until `held` breaks off.
    /// Held spans that reach beyond `span` are clipped to it. Adjacent spans of one holder may come as one span or as
    /// several spans.
    fn visit(&self, cell: CellId, span: Span, held: impl FnMut(Span, HolderId) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Calls `each` for every span in which a cell is held, with the cell and the holder. The order is not specified.
    /// Spans that are forgotten are left out, but a span may begin in the forgotten past.
    fn for_each_held(&self, each: impl FnMut(CellId, Span, HolderId));

    /// Sets the holder of `cell` for `span`, in place of the holders before. `None`: the cell becomes free.
    fn assign(&mut self, cell: CellId, span: Span, holder: Option<HolderId>);

    /// Makes `cell` free at the ticks of `span` at which its holder is one that `is_own` names. Calls `given_up` for
    /// each span that becomes free, in ascending order, with its holder. The default calls `visit` and `assign`;
    /// override the default if there is a faster way.
    #[inline]
    fn give_up(
        &mut self,
        cell: CellId,
        span: Span,
        is_own: impl Fn(HolderId) -> bool,
        given_up: impl FnMut(Span, HolderId),
    ) {
        give_up_pieces(self, cell, span, is_own, given_up);
    }

    /// Permits the occupancy to forget all ticks before `now`.
    fn forget_before(&mut self, now: Tick);

    /// Makes all cells free at all ticks.
    fn clear(&mut self);

    /// Whether `cell` is free during all of `span`. The default calls `visit`; override the default if there is a
    /// faster way.
    #[inline]
    fn is_free(&self, cell: CellId, span: Span) -> bool {
        self.visit(cell, span, |_, _| ControlFlow::Break(())).is_continue()
    }

    /// Reads the memory that `visit` or `assign` will read first for `cell` and `span`, so that the processor has this
    /// memory in its cache by then. Many such reads at once take hardly longer than one read. The result means nothing.
    /// The default reads nothing.
    #[inline]
    fn touch(&self, _cell: CellId, _span: Span) -> u32 {
        0
    }

    /// A quick answer to the question whether `cell` is held at any tick of `span`, without a look at the holders.
    /// `None`, the default: there is no quick answer.
    ///
    /// This method must accept any cell and any span. For a cell out of bounds and for an empty span it returns `None`.
    #[inline]
    fn glance(&self, _cell: CellId, _span: Span) -> Option<bool> {
        None
    }
}

pub(super) fn flow(go_on: bool) -> ControlFlow<()> {
    if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// What [`Occupancy::give_up`] does by default.
pub(super) fn give_up_pieces(
    occupancy: &mut (impl Occupancy + ?Sized),
    cell: CellId,
    span: Span,
    is_own: impl Fn(HolderId) -> bool,
    mut given_up: impl FnMut(Span, HolderId),
) {
    let mut left = span;
    while !left.is_empty() {
        let mut own = None;
        let _ = occupancy.visit(cell, left, |piece, holder| {
            own = Some((piece, holder)).filter(|_| is_own(holder));
            flow(own.is_none())
        });
        let Some((piece, by)) = own else { break };
        occupancy.assign(cell, piece, None);
        given_up(piece, by);
        left.start = piece.end;
    }
}
