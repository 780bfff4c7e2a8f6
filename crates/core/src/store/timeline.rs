//! The timeline of one cell: disjoint spans in order, each with its holding.

use std::ops::ControlFlow;

use super::occupancy::{Holding, HoldingVisitor};
use crate::vocabulary::time::{Span, Tick};

#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    /// Disjoint and ascending; adjacent pieces differ in their holding.
    pieces: Vec<(Span, Holding)>,
}

impl Timeline {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The pieces that overlap `span`.
    fn overlapping(&self, span: Span) -> std::ops::Range<usize> {
        let first = self.pieces.partition_point(|(piece, _)| piece.end <= span.start);
        // Nearly always none or one.
        let count = self.pieces[first..].iter().take_while(|(piece, _)| piece.start < span.end).count();
        first..first + count
    }

    #[inline]
    pub(super) fn visit(&self, span: Span, held: HoldingVisitor<'_>) -> ControlFlow<()> {
        let first = self.pieces.partition_point(|(piece, _)| piece.end <= span.start);
        self.pieces[first..]
            .iter()
            .take_while(|(piece, _)| piece.start < span.end)
            .try_for_each(|(piece, holding)| held(piece.intersection(span), *holding))
    }

    /// Forgets all pieces, and keeps their memory.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
    }

    #[inline]
    pub(super) fn assign(&mut self, span: Span, holding: Option<Holding>) {
        // Plans are made for the future: most pieces come last.
        let last = self.pieces.last_mut().filter(|(last, _)| last.end > span.start);
        if last.is_some() {
            return self.splice(span, holding);
        }
        let Some(holding) = holding else { return };
        match self.pieces.last_mut() {
            Some((last, who)) if last.end == span.start && *who == holding => last.end = span.end,
            _ => self.pieces.push((span, holding)),
        }
    }

    /// [Assigns](Self::assign) where there may be pieces.
    fn splice(&mut self, span: Span, holding: Option<Holding>) {
        // A move that is given up is often a piece of its own.
        if holding.is_none()
            && let Some(whole) = self.pieces.iter().rposition(|(piece, _)| *piece == span)
        {
            self.pieces.remove(whole);
            return;
        }
        let Span { mut start, mut end } = span;
        let mut range = self.overlapping(span);
        let mut before = None;
        let mut after = None;
        if let Some(&(piece, who)) = self.pieces.get(range.start).filter(|_| !range.is_empty()) {
            before = Some((Span::new(piece.start, start), who)).filter(|(left, _)| !left.is_empty());
        }
        if let Some(&(piece, who)) = self.pieces[range.clone()].last() {
            after = Some((Span::new(end, piece.end), who)).filter(|(left, _)| !left.is_empty());
        }
        // Merge adjacent pieces of equal holding.
        if let Some(holding) = holding {
            match before {
                Some((left, who)) if who == holding => {
                    start = left.start;
                    before = None;
                }
                None if range.start > 0
                    && self.pieces[range.start - 1].0.end == start
                    && self.pieces[range.start - 1].1 == holding =>
                {
                    range.start -= 1;
                    start = self.pieces[range.start].0.start;
                }
                _ => {}
            }
            match after {
                Some((right, who)) if who == holding => {
                    end = right.end;
                    after = None;
                }
                None if range.end < self.pieces.len()
                    && self.pieces[range.end].0.start == end
                    && self.pieces[range.end].1 == holding =>
                {
                    end = self.pieces[range.end].0.end;
                    range.end += 1;
                }
                _ => {}
            }
        }
        let assigned = holding.map(|holding| (Span::new(start, end), holding));
        // In place: nearly always one piece comes, goes or changes, and `splice` takes many times as long for that.
        let mut at = range.start;
        for piece in [before, assigned, after].into_iter().flatten() {
            if at < range.end {
                self.pieces[at] = piece;
            } else {
                self.pieces.insert(at, piece);
            }
            at += 1;
        }
        if at < range.end {
            self.pieces.drain(at..range.end);
        }
    }

    pub(super) fn forget_before(&mut self, now: Tick) {
        let gone = self.pieces.partition_point(|(piece, _)| piece.end <= now);
        self.pieces.drain(..gone);
    }
}
