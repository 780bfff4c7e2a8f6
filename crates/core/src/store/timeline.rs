//! The timeline of one cell: disjoint spans in order, each with its holding.

use std::ops::ControlFlow;

use super::occupancy::{Holding, HoldingVisitor};
use crate::reservation::Rank;
use crate::vocabulary::{AgentId, Span, Tick};

/// A held span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    holding: Holding,
}

impl Piece {
    const NONE: Self = Self { span: Span::new(0, 0), holding: Holding { agent: AgentId(0), rank: Rank(0, 0) } };
}

/// Disjoint and ascending pieces; adjacent ones differ in their holding.
#[derive(Clone, Debug)]
pub(super) enum Timeline {
    /// At most one piece, as nearly always; an empty span is none.
    One(Piece),
    /// Two or more.
    Many(Vec<Piece>),
}

/// Empty lists of pieces, whose memory is used again.
pub(super) type Spare = Vec<Vec<Piece>>;

/// Lists with more memory than for this many pieces are not kept: in time all would be as large as the busiest cell's.
const MOST_KEPT: usize = 8;

impl Timeline {
    pub(super) const EMPTY: Self = Self::One(Piece::NONE);

    #[inline]
    pub(super) fn pieces(&self) -> &[Piece] {
        match self {
            Self::One(piece) if piece.span.is_empty() => &[],
            Self::One(piece) => std::slice::from_ref(piece),
            Self::Many(pieces) => pieces,
        }
    }

    /// The end of the first piece; `None`: nothing is held.
    #[inline]
    pub(super) fn first_end(&self) -> Option<Tick> {
        self.pieces().first().map(|piece| piece.span.end)
    }

    /// [Visits](super::Occupancy::visit) the pieces that end after `past`.
    #[inline]
    pub(super) fn visit(&self, span: Span, past: Tick, mut held: impl HoldingVisitor) -> ControlFlow<()> {
        let pieces = self.pieces();
        let from = span.start.max(past);
        let is_over = |piece: &Piece| piece.span.end <= from;
        // A binary search takes longer than a look at each of a few.
        let first = if pieces.len() < 8 { 0 } else { pieces.partition_point(is_over) };
        for piece in &pieces[first..] {
            if piece.span.start >= span.end {
                break;
            }
            if !is_over(piece) {
                held(piece.span.intersection(span), piece.holding)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Sets the holding of `span`; `None`: free. Forgets pieces that end by `past`.
    #[inline]
    pub(super) fn assign(&mut self, span: Span, holding: Option<Holding>, past: Tick, spare: &mut Spare) {
        if let Self::One(one) = self {
            let old = one.span;
            let covers = span.start <= old.start && old.end <= span.end;
            let touches = old.start <= span.end && span.start <= old.end;
            match holding {
                Some(holding) if old.is_empty() || old.end <= past || covers => {
                    return *one = Piece { span, holding };
                }
                Some(holding) if touches && holding == one.holding => {
                    return one.span = Span::new(old.start.min(span.start), old.end.max(span.end));
                }
                None if span.end <= old.start || old.end <= span.start => return,
                None if span.start <= old.start => return one.span.start = old.end.min(span.end),
                None if old.end <= span.end => return one.span.end = span.start,
                _ => {}
            }
        }
        self.splice(span, holding, past, spare);
    }

    /// [Assigns](Self::assign) where there are several pieces, before or after.
    fn splice(&mut self, span: Span, holding: Option<Holding>, past: Tick, spare: &mut Spare) {
        if let Self::One(one) = *self {
            let mut pieces = spare.pop().unwrap_or_default();
            pieces.push(one);
            *self = Self::Many(pieces);
        }
        let Self::Many(pieces) = self else { return };
        drop_past(pieces, past);
        // The pieces that overlap or touch the span. Nearly always they are few, and last.
        let past_it = pieces.iter().rev().take_while(|piece| piece.span.start > span.end).count();
        let met = pieces.iter().rev().skip(past_it).take_while(|piece| piece.span.end >= span.start).count();
        let (first, end) = (pieces.len() - past_it - met, pieces.len() - past_it);
        let met = &pieces[first..end];
        let left = |piece: &Piece| Piece { span: Span::new(piece.span.start, span.start), ..*piece };
        let right = |piece: &Piece| Piece { span: Span::new(span.end, piece.span.end), ..*piece };
        let mut before = met.first().map(left).filter(|left| !left.span.is_empty());
        let mut after = met.last().map(right).filter(|right| !right.span.is_empty());
        let mut assigned = holding.map(|holding| Piece { span, holding });
        // Adjacent pieces of equal holding are one.
        if let Some(assigned) = &mut assigned {
            if let Some(same) = before.take_if(|left| left.holding == assigned.holding) {
                assigned.span.start = same.span.start;
            }
            if let Some(same) = after.take_if(|right| right.holding == assigned.holding) {
                assigned.span.end = same.span.end;
            }
        }
        // In place: nearly always one piece comes, goes or changes, and `Vec::splice` takes many times as long for that.
        let mut at = first;
        for piece in [before, assigned, after].into_iter().flatten() {
            if at < end {
                pieces[at] = piece;
            } else {
                pieces.insert(at, piece);
            }
            at += 1;
        }
        if at < end {
            pieces.drain(at..end);
        }
        self.keep_few(spare);
    }

    #[inline]
    pub(super) fn forget_before(&mut self, now: Tick, spare: &mut Spare) {
        match self {
            Self::One(one) if one.span.end <= now => *self = Self::EMPTY,
            Self::One(_) => {}
            Self::Many(pieces) => {
                drop_past(pieces, now);
                self.keep_few(spare);
            }
        }
    }

    /// Gives the list back if it is not needed.
    fn keep_few(&mut self, spare: &mut Spare) {
        if let Self::Many(pieces) = self
            && pieces.len() < 2
        {
            let one = pieces.pop().unwrap_or(Piece::NONE);
            if pieces.capacity() <= MOST_KEPT {
                spare.push(std::mem::take(pieces));
            }
            *self = Self::One(one);
        }
    }
}

fn drop_past(pieces: &mut Vec<Piece>, now: Tick) {
    let gone = pieces.iter().take_while(|piece| piece.span.end <= now).count();
    if gone > 0 {
        pieces.drain(..gone);
    }
}
