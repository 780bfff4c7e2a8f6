//! Interval storage: a timeline per cell.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::occupancy::{Holding, HoldingVisitor, Occupancy};
use super::table::ReservationTable;
use super::timeline::Timeline;
use crate::vocabulary::{CellId, Cells, Span, Tick};

/// Cells below this bound have a flat index, and words in the blocks of the window store. Cells beyond it are looked up
/// in a hash table, so that a space with a large bound takes no memory for cells it does not use.
pub(super) const MOST_FLAT: usize = 1 << 24;

/// This many empty timelines are kept.
const MOST_SPARE: usize = 4096;

/// A timeline for each cell that was ever held, and an index from cell id to timeline.
#[derive(Clone, Debug)]
pub struct Intervals {
    bound: usize,
    /// Per cell below [`MOST_FLAT`], 1 + the index of its timeline; 0: it has none. Zeroed memory, so that untouched
    /// pages cost nothing.
    flat: Vec<u32>,
    /// Per cell from [`MOST_FLAT`] on, the value that `flat` would have.
    beyond: FxHashMap<CellId, u32>,
    timelines: Vec<Timeline>,
    /// The cell of each timeline.
    cells: Vec<CellId>,
    /// Empty timelines, whose memory is used again.
    spare: Vec<Timeline>,
}

/// Sorted spans per cell; it can also say when a cell is free.
pub type IntervalTable = ReservationTable<Intervals>;

impl IntervalTable {
    /// An empty table for `cells`.
    pub fn new(cells: Cells) -> Self {
        ReservationTable::over(Intervals::new(cells))
    }
}

impl Intervals {
    pub(super) fn new(cells: Cells) -> Self {
        let bound = cells.bound();
        Self {
            bound,
            flat: vec![0; bound.min(MOST_FLAT)],
            beyond: FxHashMap::default(),
            timelines: Vec::new(),
            cells: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// The index of the timeline of `cell`; `None`: it has none.
    #[inline]
    fn slot(&self, cell: CellId) -> Option<usize> {
        let one_more = match self.flat.get(cell.index()) {
            Some(one_more) => *one_more,
            None => self.beyond_flat(cell),
        };
        (one_more as usize).checked_sub(1)
    }

    #[cold]
    fn beyond_flat(&self, cell: CellId) -> u32 {
        self.beyond.get(&cell).copied().unwrap_or(0)
    }

    #[inline]
    fn timeline(&self, cell: CellId) -> Option<&Timeline> {
        self.timelines.get(self.slot(cell)?)
    }

    /// Sets the index of the timeline of `cell`: 1 + the index, or 0 for none.
    fn set_slot(&mut self, cell: CellId, one_more: usize) {
        // There is at most one timeline per cell, and cell ids have 32 bits.
        let one_more = u32::try_from(one_more).unwrap_or(u32::MAX);
        if let Some(flat) = self.flat.get_mut(cell.index()) {
            *flat = one_more;
        } else if one_more == 0 {
            self.beyond.remove(&cell);
        } else {
            self.beyond.insert(cell, one_more);
        }
    }

    /// The cells that are held, and possibly some that were.
    pub(super) fn held_cells(&self) -> &[CellId] {
        &self.cells
    }
}

impl Occupancy for Intervals {
    fn bound(&self) -> usize {
        self.bound
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, held: HoldingVisitor<'_>) -> ControlFlow<()> {
        match self.timeline(cell) {
            Some(timeline) => timeline.visit(span, held),
            None => ControlFlow::Continue(()),
        }
    }

    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>) {
        let slot = match self.slot(cell) {
            Some(slot) => slot,
            None if holding.is_none() => return,
            None => {
                self.timelines.push(self.spare.pop().unwrap_or_default());
                self.cells.push(cell);
                self.set_slot(cell, self.timelines.len());
                self.timelines.len() - 1
            }
        };
        self.timelines[slot].assign(span, holding);
    }

    fn forget_before(&mut self, now: Tick) {
        // Backwards, so that the timeline that replaces an emptied one has been visited.
        for slot in (0..self.timelines.len()).rev() {
            self.timelines[slot].forget_before(now);
            if self.timelines[slot].is_empty() {
                let mut empty = self.timelines.swap_remove(slot);
                if self.spare.len() < MOST_SPARE {
                    empty.clear();
                    self.spare.push(empty);
                }
                let emptied = self.cells.swap_remove(slot);
                self.set_slot(emptied, 0);
                if let Some(moved) = self.cells.get(slot) {
                    self.set_slot(*moved, slot + 1);
                }
            }
        }
    }

    fn clear(&mut self) {
        for cell in std::mem::take(&mut self.cells) {
            self.set_slot(cell, 0);
        }
        self.timelines.clear();
    }
}
