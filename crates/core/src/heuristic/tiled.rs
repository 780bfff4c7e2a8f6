//! A breadth-first frontier on a grid, in tiles of 8 x 8 cells: one operation on a word moves all cells of a tile by one step.

use crate::origins::{TileOrder, Tiles};
use crate::paged::Paged;
use crate::space::NodeId;

/// The cells of one distance, tile by tile, and what has been seen so far.
#[derive(Clone, Debug)]
pub(super) struct Tiled {
    /// By tile: the cells that have been seen, and of these the ones that are seen in the step under way. Zeroed memory, so that untouched pages cost
    /// nothing.
    seen: Vec<[u64; 2]>,
    /// Whether each page of `seen` is in use.
    pages: Vec<bool>,
    /// The tiles with cells of the frontier, and these cells.
    frontier: Vec<(u32, u64)>,
    /// The tiles in which cells are seen in the step under way.
    touched: Vec<u32>,
    order: TileOrder,
    /// The number of cells in the frontier.
    cells: u64,
    /// For how many of them fuel was paid.
    pub(super) paid: u64,
    /// The bytes of the pages in use.
    page_bytes: usize,
}

/// The number of tiles in a page of memory.
const PAGE: usize = 256;

/// The westernmost column of a tile.
const WEST: u64 = 0x0101_0101_0101_0101;
const EAST: u64 = WEST << 7;

impl Tiled {
    /// The frontier of `goals`, which get the label 1 in `near`.
    pub(super) fn new(tiles: Tiles<'_>, goals: impl Iterator<Item = NodeId>, near: &mut Paged<u16>) -> Self {
        let count = tiles.open.len();
        let mut tiled = Self {
            seen: vec![[0; 2]; count],
            pages: vec![false; count.div_ceil(PAGE)],
            frontier: Vec::new(),
            touched: Vec::new(),
            order: tiles.order(),
            cells: 0,
            paid: 0,
            page_bytes: 0,
        };
        for goal in goals {
            let number = tiled.order.number(goal);
            tiled.note(number / 64, 1 << (number % 64));
        }
        tiled.turn_over(near, 1);
        // No move leads to a goal that is closed.
        for (tile, cells) in &mut tiled.frontier {
            *cells &= tiles.open[*tile as usize];
        }
        tiled
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.page_bytes + self.pages.len() + size_of_val(&self.frontier[..])
    }

    /// How cells are numbered in `near`.
    pub(super) fn order(&self) -> TileOrder {
        self.order
    }

    /// The number of cells in the frontier; 0: everything has been seen.
    pub(super) fn cells(&self) -> u64 {
        self.cells
    }

    /// The cells of the frontier.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.frontier.iter().flat_map(|(tile, cells)| self.order.nodes(*tile, *cells))
    }

    /// The cells that have been seen.
    pub(super) fn all_seen(&self) -> impl Iterator<Item = NodeId> {
        self.seen.iter().zip(0..).flat_map(|([seen, _], tile)| self.order.nodes(tile, *seen))
    }

    /// Goes one step: the cells beside the frontier that have not been seen are the new frontier, and get `label` in `near`.
    pub(super) fn step(&mut self, tiles: Tiles<'_>, near: &mut Paged<u16>, label: u16) {
        let frontier = std::mem::take(&mut self.frontier);
        let per_row = tiles.per_row as usize;
        for (tile, cells) in &frontier {
            let (tile, cells) = (*tile as usize, *cells);
            self.see(tiles, tile, (cells & !EAST) << 1 | (cells & !WEST) >> 1 | cells << 8 | cells >> 8);
            // Only cells at the edge of the tile lead out of it. Beyond the first and the last tile there is nothing.
            if cells & EAST != 0 {
                self.see(tiles, tile + 1, (cells & EAST) >> 7);
            }
            if cells & WEST != 0 {
                self.see(tiles, tile.wrapping_sub(1), (cells & WEST) << 7);
            }
            if cells >> 56 != 0 {
                self.see(tiles, tile + per_row, cells >> 56);
            }
            if cells << 56 != 0 {
                self.see(tiles, tile.wrapping_sub(per_row), cells << 56);
            }
        }
        self.frontier = frontier;
        self.turn_over(near, label);
    }

    /// Sees those of `cells` of `tile` that are open and were not seen before.
    #[inline(always)]
    fn see(&mut self, tiles: Tiles<'_>, tile: usize, cells: u64) {
        if let Some(open) = tiles.open.get(tile) {
            self.note(tile, cells & open);
        }
    }

    /// Sees those of `cells` of `tile` that were not seen before.
    #[inline(always)]
    fn note(&mut self, tile: usize, cells: u64) {
        let Some([seen, coming]) = self.seen.get_mut(tile) else { return };
        let new = cells & !*seen;
        if new != 0 {
            if *coming == 0 {
                #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
                self.touched.push(tile as u32);
            }
            *coming |= new;
        }
    }

    /// Makes the cells seen last the frontier, and labels them.
    #[inline(always)]
    fn turn_over(&mut self, near: &mut Paged<u16>, label: u16) {
        self.frontier.clear();
        (self.cells, self.paid) = (0, 0);
        for tile in self.touched.drain(..) {
            let [seen, coming] = &mut self.seen[tile as usize];
            let cells = std::mem::take(coming);
            *seen |= cells;
            self.frontier.push((tile, cells));
            // A page of labels holds whole tiles.
            let labels = near.rest_of_page(tile as usize * 64).and_then(|rest| rest.first_chunk_mut::<64>());
            let Some(labels) = labels else { continue };
            let mut left = cells;
            while left != 0 {
                labels[left.trailing_zeros() as usize % 64] = label;
                left &= left - 1;
                self.cells += 1;
            }
            let page = &mut self.pages[tile as usize / PAGE];
            if !*page {
                *page = true;
                let first = tile as usize / PAGE * PAGE;
                self.page_bytes += (self.seen.len() - first).min(PAGE) * size_of::<[u64; 2]>();
            }
        }
    }
}
