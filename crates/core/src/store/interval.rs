//! Interval storage: a timeline per cell.

use std::ops::ControlFlow;

use super::timeline::Timeline;
use super::{Holding, HoldingVisitor, IntervalTable, Occupancy, ReservationTable};
use crate::cells::{CellId, Cells};
use crate::time::{Span, Tick};

/// A timeline for each cell that was ever held, found through a flat index.
#[derive(Clone, Debug)]
pub struct Intervals {
    /// Per cell, one more than the index of its timeline; 0: it has none. Zeroed, so that untouched pages cost nothing.
    index: Vec<u32>,
    timelines: Vec<Timeline>,
    /// Whose timeline each is.
    cells: Vec<CellId>,
}

impl IntervalTable {
    /// An empty table for `cells`.
    pub fn new(cells: Cells) -> Self {
        ReservationTable::over(Intervals::new(cells))
    }
}

impl Intervals {
    pub(super) fn new(cells: Cells) -> Self {
        Self { index: vec![0; cells.bound()], timelines: Vec::new(), cells: Vec::new() }
    }

    #[inline]
    fn timeline(&self, cell: CellId) -> Option<&Timeline> {
        let slot = *self.index.get(cell.index())?;
        self.timelines.get((slot as usize).wrapping_sub(1))
    }

    /// The cells that are held, and perhaps some that were.
    pub(super) fn held_cells(&self) -> &[CellId] {
        &self.cells
    }
}

impl Occupancy for Intervals {
    fn bound(&self) -> usize {
        self.index.len()
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, held: HoldingVisitor<'_>) -> ControlFlow<()> {
        match self.timeline(cell) {
            Some(timeline) => timeline.visit(span, held),
            None => ControlFlow::Continue(()),
        }
    }

    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>) {
        let slot = &mut self.index[cell.index()];
        if *slot == 0 {
            if holding.is_none() {
                return;
            }
            self.timelines.push(Timeline::default());
            self.cells.push(cell);
            // At most one timeline per cell, and cells are numbered in 32 bits.
            *slot = u32::try_from(self.timelines.len()).unwrap_or(u32::MAX);
        }
        self.timelines[*slot as usize - 1].assign(span, holding);
    }

    fn forget_before(&mut self, now: Tick) {
        // Backwards, so that what takes the place of an emptied timeline has been looked at.
        for slot in (0..self.timelines.len()).rev() {
            self.timelines[slot].forget_before(now);
            if self.timelines[slot].is_empty() {
                self.timelines.swap_remove(slot);
                self.index[self.cells.swap_remove(slot).index()] = 0;
                if let Some(moved) = self.cells.get(slot) {
                    self.index[moved.index()] = u32::try_from(slot + 1).unwrap_or(u32::MAX);
                }
            }
        }
    }

    fn clear(&mut self) {
        for cell in self.cells.drain(..) {
            self.index[cell.index()] = 0;
        }
        self.timelines.clear();
    }
}
