//! Interval storage: a timeline per cell.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::occupancy::{Holding, HoldingVisitor, Occupancy};
use super::table::ReservationTable;
use super::timeline::{Spare, Timeline};
use crate::vocabulary::{CellId, Cells, FOREVER, Span, Tick};

/// Cells below this bound have a flat index, and words in the blocks of the window store. Cells beyond it are looked up
/// in a hash table, so that a space with a large bound takes no memory for cells it does not use.
pub(super) const MOST_FLAT: usize = 1 << 24;

/// The holdings of an [`IntervalTable`]: for each held cell, its held spans in order.
#[derive(Clone, Debug)]
pub struct Intervals {
    bound: usize,
    /// Per cell below [`MOST_FLAT`], 1 + the index of its row; 0: it has none. Zeroed memory, so that untouched pages
    /// cost nothing.
    flat: Vec<u32>,
    /// Per cell beyond `flat`, the value that `flat` would have.
    beyond: FxHashMap<CellId, u32>,
    rows: Vec<Row>,
    /// The indices of rows without a cell.
    unused: Vec<usize>,
    /// Per chunk of rows, a tick before which nothing of it is over. Endless rests are never looked at.
    dues: Vec<Tick>,
    /// Everything before is forgotten.
    past: Tick,
    spare: Spare,
}

/// The number of rows with one due.
const CHUNK: usize = 64;

/// The timeline of a cell.
#[derive(Clone, Debug)]
struct Row {
    timeline: Timeline,
    cell: CellId,
    /// Whether the row is the one of its cell; otherwise it is for reuse.
    is_used: bool,
}

/// A store of sorted spans per cell. The store can also list when a cell is free.
pub type IntervalTable = ReservationTable<Intervals>;

impl IntervalTable {
    /// An empty table for `cells`.
    pub fn new(cells: Cells) -> Self {
        ReservationTable::over(Intervals::new(cells.bound(), MOST_FLAT))
    }
}

impl Intervals {
    /// Storage for cells below `bound`, of which up to `most_flat` have a flat index.
    pub(super) fn new(bound: usize, most_flat: usize) -> Self {
        Self {
            bound,
            flat: vec![0; bound.min(most_flat)],
            beyond: FxHashMap::default(),
            rows: Vec::new(),
            unused: Vec::new(),
            dues: Vec::new(),
            past: 0,
            spare: Spare::new(),
        }
    }

    /// The index of the row of `cell`; `None`: it has none.
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

    /// Sets the index of the row of `cell`: 1 + the index, or 0 for none.
    fn set_slot(&mut self, cell: CellId, one_more: usize) {
        // There is at most one row per cell, and cell ids have 32 bits.
        let one_more = u32::try_from(one_more).unwrap_or(u32::MAX);
        if let Some(flat) = self.flat.get_mut(cell.index()) {
            *flat = one_more;
        } else if one_more == 0 {
            self.beyond.remove(&cell);
        } else {
            self.beyond.insert(cell, one_more);
        }
    }

    /// The index of a row for `cell`, which has none.
    fn make_row(&mut self, cell: CellId) -> usize {
        let row = Row { timeline: Timeline::EMPTY, cell, is_used: true };
        let slot = self.unused.pop().unwrap_or(self.rows.len());
        if slot < self.rows.len() {
            self.rows[slot] = row;
        } else {
            // There are very many rows: doubled, their memory would be mostly unused.
            if slot == self.rows.capacity() {
                self.rows.reserve_exact(slot / 8 + CHUNK);
            }
            self.rows.push(row);
            self.dues.resize(slot / CHUNK + 1, FOREVER);
        }
        self.set_slot(cell, slot + 1);
        slot
    }

    /// All that is held, in no order.
    pub(super) fn held(&self) -> impl Iterator<Item = (CellId, Span)> {
        let pieces = self.rows.iter().flat_map(|row| row.timeline.pieces().iter().map(|piece| (row.cell, piece.span)));
        pieces.filter(|(_, span)| span.end > self.past)
    }
}

impl Occupancy for Intervals {
    fn bound(&self) -> usize {
        self.bound
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, held: impl HoldingVisitor) -> ControlFlow<()> {
        match self.slot(cell).and_then(|slot| self.rows.get(slot)) {
            Some(row) => row.timeline.visit(span, self.past, held),
            None => ControlFlow::Continue(()),
        }
    }

    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>) {
        let slot = match self.slot(cell) {
            Some(slot) => slot,
            None if holding.is_none() => return,
            None => self.make_row(cell),
        };
        let timeline = &mut self.rows[slot].timeline;
        timeline.assign(span, holding, self.past, &mut self.spare);
        // An empty row is due at once.
        let end = timeline.first_end().unwrap_or(0);
        let due = &mut self.dues[slot / CHUNK];
        *due = end.min(*due);
    }

    fn forget_before(&mut self, now: Tick) {
        self.past = now.max(self.past);
        for chunk in 0..self.dues.len() {
            if self.dues[chunk] > now {
                continue;
            }
            self.dues[chunk] = FOREVER;
            for slot in chunk * CHUNK..self.rows.len().min((chunk + 1) * CHUNK) {
                let row = &mut self.rows[slot];
                row.timeline.forget_before(now, &mut self.spare);
                if let Some(end) = row.timeline.first_end() {
                    self.dues[chunk] = end.min(self.dues[chunk]);
                } else if std::mem::take(&mut row.is_used) {
                    let emptied = row.cell;
                    self.set_slot(emptied, 0);
                    self.unused.push(slot);
                }
            }
        }
        self.spare.truncate((self.rows.len() - self.unused.len()) / 4);
    }

    fn clear(&mut self) {
        for slot in 0..self.rows.len() {
            self.set_slot(self.rows[slot].cell, 0);
        }
        self.rows.clear();
        self.unused.clear();
        self.dues.clear();
        self.past = 0;
    }
}
