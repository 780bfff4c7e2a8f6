//! A breadth-first frontier on a grid, in tiles of 8 x 8 cells: one operation on a word moves all cells of a tile by one step.

use crate::origins::Tiles;
use crate::paged::Paged;
use crate::space::NodeId;

/// The cells of one distance, tile by tile, and what has been seen so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiled {
    /// By tile: the cells that have been seen, and of these the ones that are seen in the step under way.
    seen: Vec<[u64; 2]>,
    /// The tiles with cells of the frontier, and these cells.
    frontier: Vec<(u32, u64)>,
    /// The tiles in which cells are seen in the step under way.
    touched: Vec<u32>,
    /// The columns of the grid, and the tiles in a row of tiles.
    shape: [u32; 2],
    /// The number of cells in the frontier.
    cells: u64,
    /// For how many of them fuel was paid.
    pub(super) paid: u64,
}

/// The westernmost column of a tile.
const WEST: u64 = 0x0101_0101_0101_0101;
const EAST: u64 = WEST << 7;

impl Tiled {
    /// The frontier of `goals`, whose ids are those of cells.
    pub(super) fn new(tiles: Tiles<'_>, goals: &[NodeId]) -> Self {
        let shape = [tiles.width, tiles.per_row];
        let mut tiled = Self { seen: vec![[0; 2]; tiles.open.len()], shape, ..Self::default() };
        for goal in goals {
            let (tile, bit) = tiles.place(*goal);
            tiled.see(tiles, tile, bit);
        }
        tiled.turn_over(tiles, |_| {});
        tiled
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.seen[..]) + size_of_val(&self.frontier[..])
    }

    /// The number of cells in the frontier; 0: everything has been seen.
    pub(super) fn cells(&self) -> u64 {
        self.cells
    }

    /// The cells of the frontier.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let [width, per_row] = self.shape;
        let tiles = Tiles { width, per_row, open: &[] };
        self.frontier.iter().flat_map(move |(tile, cells)| tiles.cells(*tile, *cells))
    }

    /// Goes one step: the cells beside the frontier that have not been seen are the new frontier, and get `label` in `near`.
    pub(super) fn step(&mut self, tiles: Tiles<'_>, near: &mut Paged<u16>, label: u16) {
        let frontier = std::mem::take(&mut self.frontier);
        for (tile, cells) in &frontier {
            let (tile, cells) = (*tile, *cells);
            self.see(tiles, tile, (cells & !EAST) << 1 | (cells & !WEST) >> 1 | cells << 8 | cells >> 8);
            // Only cells at the edge of the tile lead out of it.
            if cells & EAST != 0 {
                self.see(tiles, tile + 1, (cells & EAST) >> 7);
            }
            if cells & WEST != 0 {
                self.see(tiles, tile.wrapping_sub(1), (cells & WEST) << 7);
            }
            if cells >> 56 != 0 {
                self.see(tiles, tile + tiles.per_row, cells >> 56);
            }
            if cells << 56 != 0 {
                self.see(tiles, tile.wrapping_sub(tiles.per_row), cells << 56);
            }
        }
        self.frontier = frontier;
        self.turn_over(tiles, |node| {
            if let Some(known) = near.get_mut(node.index()) {
                *known = label;
            }
        });
    }

    /// Sees those of `cells` of `tile` that are open and were not seen before.
    #[inline(always)]
    fn see(&mut self, tiles: Tiles<'_>, tile: u32, cells: u64) {
        let (Some([seen, coming]), Some(open)) = (self.seen.get_mut(tile as usize), tiles.open.get(tile as usize))
        else {
            return;
        };
        let new = cells & open & !*seen;
        if new != 0 {
            if *coming == 0 {
                self.touched.push(tile);
            }
            *coming |= new;
        }
    }

    /// Makes the cells seen last the frontier, and tells them.
    #[inline(always)]
    fn turn_over(&mut self, tiles: Tiles<'_>, mut tell: impl FnMut(NodeId)) {
        self.frontier.clear();
        (self.cells, self.paid) = (0, 0);
        for tile in self.touched.drain(..) {
            let [seen, coming] = &mut self.seen[tile as usize];
            let cells = std::mem::take(coming);
            *seen |= cells;
            self.frontier.push((tile, cells));
            for node in tiles.cells(tile, cells) {
                self.cells += 1;
                tell(node);
            }
        }
    }
}
