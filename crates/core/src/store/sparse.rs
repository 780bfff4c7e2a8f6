//! Sparse storage: a hash map by cell and tick.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::occupancy::{Holding, HoldingVisitor, Occupancy};
use super::table::ReservationTable;
use super::timeline::Timeline;
use crate::vocabulary::cells::{CellId, Cells};
use crate::vocabulary::time::{Span, Tick};

/// One entry per cell and tick, as in Silver's article. Long and endless rests are kept apart as spans.
#[derive(Clone, Debug)]
pub struct Sparse {
    bound: usize,
    ticks: FxHashMap<(CellId, Tick), Holding>,
    /// Per tick, the cells with an entry.
    cells_at: BTreeMap<Tick, Vec<CellId>>,
    rests: FxHashMap<CellId, Timeline>,
}

/// Longer spans than this are kept as spans.
const LONGEST_BY_TICK: u32 = 256;

/// Silver's table: a hash map by cell and tick; endless rests are kept apart. Its memory does not depend on the map.
pub type SparseTable = ReservationTable<Sparse>;

impl SparseTable {
    /// An empty table for `cells`.
    pub fn new(cells: Cells) -> Self {
        ReservationTable::over(Sparse {
            bound: cells.bound(),
            ticks: FxHashMap::default(),
            cells_at: BTreeMap::new(),
            rests: FxHashMap::default(),
        })
    }

    /// The number of (cell, tick) entries stored, without rests of more than 256 ticks.
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
    fn visit_ticks(&self, cell: CellId, span: Span, held: HoldingVisitor<'_>) -> ControlFlow<()> {
        let mut look = |tick| match self.ticks.get(&(cell, tick)) {
            Some(holding) => held(Span::tick(tick), *holding),
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
        self.bound
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, held: HoldingVisitor<'_>) -> ControlFlow<()> {
        let Some(rests) = self.rests.get(&cell) else {
            return self.visit_ticks(cell, span, held);
        };
        // Both kinds exist: ticks lie in the gaps between rests and never overlap them.
        let mut from = span.start;
        rests.visit(span, &mut |piece, holding| {
            self.visit_ticks(cell, Span::new(from, piece.start), held)?;
            from = piece.end;
            held(piece, holding)
        })?;
        self.visit_ticks(cell, Span::new(from, span.end), held)
    }

    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>) {
        let by_tick = Self::by_tick(span);
        let as_rest = holding.filter(|_| !by_tick);
        if as_rest.is_some() || self.rests.contains_key(&cell) {
            let rests = self.rests.entry(cell).or_default();
            rests.assign(span, as_rest);
            if rests.is_empty() {
                self.rests.remove(&cell);
            }
        }
        if by_tick {
            for tick in span.start..span.end {
                match holding {
                    Some(holding) => {
                        if self.ticks.insert((cell, tick), holding).is_none() {
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
        self.rests.retain(|_, rests| {
            rests.forget_before(now);
            !rests.is_empty()
        });
    }

    fn clear(&mut self) {
        self.ticks.clear();
        self.cells_at.clear();
        self.rests.clear();
    }
}
