//! Free intervals: when nothing keeps an agent off a cell.

use std::ops::ControlFlow;

use super::occupancy::Occupancy;
use super::table::ReservationTable;
use crate::reservation::{Claim, FreeIntervals};
use crate::vocabulary::{CellId, FOREVER, Span, Tick};

impl<O: Occupancy> ReservationTable<O> {
    /// The first tick from which on, until `before`, nothing keeps `claim` off `cell`; `before` if there is none.
    fn free_since(&self, cell: CellId, before: Tick, claim: Claim) -> Tick {
        // Looks back a little at first, then farther: often the answer is near.
        let mut look = 64_u32;
        loop {
            let begin = before.saturating_sub(look);
            let mut since = begin;
            let _ = self.visit(cell, Span::new(begin, before), |piece, holder| {
                if !self.yields(holder, claim) {
                    since = piece.end;
                }
                ControlFlow::Continue(())
            });
            if since > begin || begin == 0 {
                return since;
            }
            look = look.saturating_mul(2);
        }
    }
}

impl<O: Occupancy> FreeIntervals for ReservationTable<O> {
    fn next_free(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span> {
        let free = self.free_from(cell, from, claim)?;
        // If the cell is free at `from`, it may have been free before.
        Some(if free.start == from { Span::new(self.free_since(cell, from, claim), free.end) } else { free })
    }

    fn free_from(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span> {
        if cell.index() >= self.occupancy.bound() || from == FOREVER {
            return None;
        }
        let mut free = Span::endless(from);
        let _ = self.visit(cell, Span::endless(from), |piece, holder| {
            if self.yields(holder, claim) {
                return ControlFlow::Continue(());
            }
            if piece.start > free.start {
                free.end = piece.start;
                return ControlFlow::Break(());
            }
            free.start = piece.end;
            ControlFlow::Continue(())
        });
        (!free.is_empty()).then_some(free)
    }
}
