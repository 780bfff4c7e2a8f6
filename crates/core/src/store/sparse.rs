//! Sparse storage: a hash map by cell and tick.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::interval::Intervals;
use super::occupancy::{HolderId, HolderVisitor, Occupancy};
use super::table::ReservationTable;
use crate::vocabulary::{CellId, Cells, Span, Tick};

/// The holdings of a [`SparseTable`]: one entry for each held cell and tick, as in Silver's article. Long and endless
/// rests are kept as spans instead.
#[derive(Clone, Debug)]
pub struct Sparse {
    ticks: FxHashMap<(CellId, Tick), HolderId>,
    /// Per tick, the cells with an entry.
    cells_at: BTreeMap<Tick, Vec<CellId>>,
    rests: Intervals,
}

/// Longer spans than this are kept as spans.
const LONGEST_BY_TICK: u32 = 256;

/// Silver's table: a hash map by cell and tick. Long and endless rests are kept as spans instead. The memory of the
/// table does not depend on the size of the map.
pub type SparseTable = ReservationTable<Sparse>;

impl SparseTable {
    /// An empty table for `cells`.
    pub fn new(cells: Cells) -> Self {
        ReservationTable::over(Sparse {
            ticks: FxHashMap::default(),
            cells_at: BTreeMap::new(),
            rests: Intervals::new(cells.bound(), 0),
        })
    }

    /// The number of (cell, tick) entries in the hash map. Rests of more than 256 ticks are not in the hash map.
    pub fn entries(&self) -> usize {
        self.occupancy.ticks.len()
    }
}

impl Sparse {
    fn by_tick(span: Span) -> bool {
        span.end - span.start <= LONGEST_BY_TICK
    }

    /// Removes an entry, in time linear in the number of cells held at `tick`.
    fn remove(&mut self, cell: CellId, tick: Tick) {
        if self.ticks.remove(&(cell, tick)).is_none() {
            return;
        }
        if let Some(cells) = self.cells_at.get_mut(&tick) {
            cells.retain(|other| *other != cell);
            if cells.is_empty() {
                self.cells_at.remove(&tick);
            }
        }
    }

    /// Calls `held` for the ticks of `span` with an entry of their own.
    fn visit_ticks(&self, cell: CellId, span: Span, mut held: impl HolderVisitor) -> ControlFlow<()> {
        let mut look = |tick| match self.ticks.get(&(cell, tick)) {
            Some(holder) => held(Span::tick(tick), *holder),
            None => ControlFlow::Continue(()),
        };
        if Self::by_tick(span) {
            (span.start..span.end).try_for_each(look)
        } else {
            self.cells_at.range(span.start..span.end).try_for_each(|(tick, _)| look(*tick))
        }
    }
}

impl Occupancy for Sparse {
    fn bound(&self) -> usize {
        self.rests.bound()
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, mut held: impl HolderVisitor) -> ControlFlow<()> {
        // Ticks lie in the gaps between rests and never overlap them.
        let mut from = span.start;
        self.rests.visit(cell, span, |piece, holder| {
            self.visit_ticks(cell, Span::new(from, piece.start), &mut held)?;
            from = piece.end;
            held(piece, holder)
        })?;
        self.visit_ticks(cell, Span::new(from, span.end), held)
    }

    fn for_each_held(&self, mut each: impl FnMut(CellId, Span, HolderId)) {
        for (tick, cells) in &self.cells_at {
            let held = cells.iter().filter_map(|cell| Some((*cell, *self.ticks.get(&(*cell, *tick))?)));
            held.for_each(|(cell, holder)| each(cell, Span::tick(*tick), holder));
        }
        self.rests.for_each_held(each);
    }

    fn assign(&mut self, cell: CellId, span: Span, holder: Option<HolderId>) {
        let by_tick = Self::by_tick(span);
        self.rests.assign(cell, span, holder.filter(|_| !by_tick));
        if by_tick {
            for tick in span.start..span.end {
                match holder {
                    Some(holder) => {
                        if self.ticks.insert((cell, tick), holder).is_none() {
                            self.cells_at.entry(tick).or_default().push(cell);
                        }
                    }
                    None => self.remove(cell, tick),
                }
            }
        } else {
            let held = self.cells_at.range(span.start..span.end).map(|(tick, _)| *tick);
            let ticks: Vec<Tick> = held.filter(|tick| self.ticks.contains_key(&(cell, *tick))).collect();
            ticks.into_iter().for_each(|tick| self.remove(cell, tick));
        }
    }

    fn forget_before(&mut self, now: Tick) {
        let kept = self.cells_at.split_off(&now);
        for (tick, cells) in std::mem::replace(&mut self.cells_at, kept) {
            for cell in cells {
                self.ticks.remove(&(cell, tick));
            }
        }
        self.rests.forget_before(now);
    }

    fn clear(&mut self) {
        self.ticks.clear();
        self.cells_at.clear();
        self.rests.clear();
    }
}
