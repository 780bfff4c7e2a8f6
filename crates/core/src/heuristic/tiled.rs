//! A breadth-first frontier on a grid, in tiles of 8 x 8 cells: one operation on a word moves all cells of a tile by one step.

use crate::origins::{Tile, TileOrder, Tiles};
use crate::paged::Paged;
use crate::space::NodeId;

/// The cells of one distance, tile by tile, and what has been seen so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiled {
    /// By row and column of tiles: the cells that have been seen, and of these the ones that are seen in the step under way. Rows in which nothing was
    /// seen take no memory.
    seen: Vec<Vec<[u64; 2]>>,
    /// The tiles with cells of the frontier, and these cells.
    frontier: Vec<(Tile, u64)>,
    /// The tiles in which cells are seen in the step under way.
    touched: Vec<Tile>,
    /// The columns of the grid.
    width: u32,
    /// The number of cells in the frontier.
    cells: u64,
    /// For how many of them fuel was paid.
    pub(super) paid: u64,
    /// The bytes of the rows.
    row_bytes: usize,
}

/// The bytes that a row of tiles takes before anything is seen in it, on every platform.
const BYTES_PER_ROW: usize = 8;

/// The westernmost column of a tile.
const WEST: u64 = 0x0101_0101_0101_0101;
const EAST: u64 = WEST << 7;

impl Tiled {
    /// The frontier of `goals`, which get the label 1 in `near`.
    pub(super) fn new(tiles: Tiles<'_>, goals: impl Iterator<Item = NodeId>, near: &mut Paged<u16>) -> Self {
        let rows = tiles.rows();
        let row_bytes = rows * BYTES_PER_ROW;
        let mut tiled = Self { seen: vec![Vec::new(); rows], width: tiles.width, row_bytes, ..Self::default() };
        for goal in goals {
            let (tile, bit) = tiles.place(goal);
            tiled.note(tiles, tile, bit);
        }
        tiled.turn_over(tiles.order(), near, 1);
        // No move leads to a goal that is closed.
        for (tile, cells) in &mut tiled.frontier {
            *cells &= tiles.open_in(*tile);
        }
        tiled
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.row_bytes + size_of_val(&self.frontier[..])
    }

    /// The number of cells in the frontier; 0: everything has been seen.
    pub(super) fn cells(&self) -> u64 {
        self.cells
    }

    /// The cells of the frontier.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.frontier.iter().flat_map(|(tile, cells)| tile.nodes(self.width, *cells))
    }

    /// Calls `tell` for all cells that have been seen, with their numbers in `order`.
    pub(super) fn for_each_seen(&self, order: TileOrder, mut tell: impl FnMut(NodeId, usize)) {
        for (row, y) in self.seen.iter().zip(0..) {
            for ([seen, _], x) in row.iter().zip(0..) {
                let tile = Tile { x, y };
                tile.nodes(self.width, *seen).for_each(|node| tell(node, order.number(node)));
            }
        }
    }

    /// Goes one step: the cells beside the frontier that have not been seen are the new frontier, and get `label` in `near`, by their numbers tile by
    /// tile.
    pub(super) fn step(&mut self, tiles: Tiles<'_>, near: &mut Paged<u16>, label: u16) {
        let frontier = std::mem::take(&mut self.frontier);
        for (tile, cells) in &frontier {
            let (Tile { x, y }, cells) = (*tile, *cells);
            self.see(tiles, *tile, (cells & !EAST) << 1 | (cells & !WEST) >> 1 | cells << 8 | cells >> 8);
            // Only cells at the edge of the tile lead out of it. Beyond the first row and column there is nothing.
            if cells & EAST != 0 {
                self.see(tiles, Tile { x: x + 1, y }, (cells & EAST) >> 7);
            }
            if cells & WEST != 0 {
                self.see(tiles, Tile { x: x.wrapping_sub(1), y }, (cells & WEST) << 7);
            }
            if cells >> 56 != 0 {
                self.see(tiles, Tile { x, y: y + 1 }, cells >> 56);
            }
            if cells << 56 != 0 {
                self.see(tiles, Tile { x, y: y.wrapping_sub(1) }, cells << 56);
            }
        }
        self.frontier = frontier;
        self.turn_over(tiles.order(), near, label);
    }

    /// Sees those of `cells` of `tile` that are open and were not seen before.
    #[inline(always)]
    fn see(&mut self, tiles: Tiles<'_>, tile: Tile, cells: u64) {
        let open = cells & tiles.open_in(tile);
        if open != 0 {
            self.note(tiles, tile, open);
        }
    }

    /// Sees those of `cells` of `tile` that were not seen before.
    #[inline(always)]
    fn note(&mut self, tiles: Tiles<'_>, tile: Tile, cells: u64) {
        let Some(row) = self.seen.get_mut(tile.y as usize) else { return };
        if row.is_empty() {
            *row = vec![[0; 2]; tiles.per_row as usize];
            self.row_bytes += size_of_val(&row[..]);
        }
        if let Some([seen, coming]) = row.get_mut(tile.x as usize) {
            let new = cells & !*seen;
            if new != 0 {
                if *coming == 0 {
                    self.touched.push(tile);
                }
                *coming |= new;
            }
        }
    }

    /// Makes the cells seen last the frontier, and labels them.
    #[inline(always)]
    fn turn_over(&mut self, order: TileOrder, near: &mut Paged<u16>, label: u16) {
        self.frontier.clear();
        (self.cells, self.paid) = (0, 0);
        for tile in self.touched.drain(..) {
            // What was touched is there.
            let Some([seen, coming]) = self.seen[tile.y as usize].get_mut(tile.x as usize) else { continue };
            let cells = std::mem::take(coming);
            *seen |= cells;
            self.frontier.push((tile, cells));
            // A page holds whole tiles.
            let Some(labels) = near.rest_of_page(order.first(tile)).and_then(|rest| rest.first_chunk_mut::<64>())
            else {
                continue;
            };
            let mut left = cells;
            while left != 0 {
                labels[left.trailing_zeros() as usize % 64] = label;
                left &= left - 1;
                self.cells += 1;
            }
        }
    }
}
