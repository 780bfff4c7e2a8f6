//! A breadth-first search on a grid, in tiles of 8 x 8 cells: one operation on a word moves all cells of a tile by one step, or labels them.

use super::frontier::Frontier;
use crate::origins::{TileOrder, Tiles};
use crate::paged::Paged;
use crate::space::NodeId;

/// The cells of one distance, tile by tile, and the distances of all cells that have been seen.
#[derive(Clone, Debug)]
pub(super) struct Tiled {
    /// By tile.
    records: Paged<Record, 16>,
    /// The number of tiles.
    count: usize,
    /// The tiles with cells of the frontier, and these cells.
    frontier: Vec<(u32, u64)>,
    /// The tiles in which cells are seen in the step under way.
    coming: Frontier<u32>,
    order: TileOrder,
    /// The number of cells in the frontier.
    cells: u64,
    /// For how many of them fuel was paid.
    pub(super) paid: u64,
    /// The labels of cells that are seen long after the first ones of their tile, as behind a long wall; without room until there is one.
    late: Paged<u16>,
}

/// A tile, in words of a bit per cell unless said otherwise.
///
/// * [`SEEN`]: the cells that have been seen.
/// * [`COMING`]: the cells that are seen in the step under way.
/// * [`FIRST`]: the first label in the tile, a number.
/// * From [`BEHIND`] on, the bits of a number for each cell that has been seen: its label less the first one, or [`LATE`].
type Record = [u64; 8];

const SEEN: usize = 0;
const COMING: usize = 1;
const FIRST: usize = 2;
const BEHIND: usize = 3;

/// In place of the number for cells whose labels are in [`Tiled::late`].
const LATE: u16 = 31;

/// For each number up to [`LATE`], its bits, each as a word of equal bits.
const BITS: [[u64; 8 - BEHIND]; LATE as usize + 1] = {
    let mut bits = [[0; 8 - BEHIND]; LATE as usize + 1];
    let mut place = 0;
    while place < bits.len() * (8 - BEHIND) {
        let (number, bit) = (place / (8 - BEHIND), place % (8 - BEHIND));
        bits[number][bit] = (number as u64 >> bit & 1).wrapping_neg();
        place += 1;
    }
    bits
};

/// The westernmost column of a tile.
const WEST: u64 = 0x0101_0101_0101_0101;
const EAST: u64 = WEST << 7;

impl Tiled {
    /// The frontier of `goals`, which get the label 1.
    pub(super) fn new(tiles: Tiles<'_>, goals: impl Iterator<Item = NodeId>) -> Self {
        let count = tiles.open.len();
        let mut tiled = Self {
            records: Paged::new(),
            count,
            frontier: Vec::new(),
            coming: Frontier::new(),
            order: tiles.order(),
            cells: 0,
            paid: 0,
            late: Paged::new(),
        };
        tiled.records.reset(count);
        for goal in goals {
            let number = tiled.order.number(goal);
            tiled.coming.make_room(1, 0);
            tiled.note(number / 64, 1 << (number % 64));
        }
        tiled.turn_over(1);
        // No move leads to a goal that is closed.
        for (tile, cells) in &mut tiled.frontier {
            *cells &= tiles.open[*tile as usize];
        }
        tiled
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.records.bytes() + size_of_val(&self.frontier[..]) + self.late.bytes()
    }

    /// How many bytes it takes at most in a space of nodes below `bound`, with at most twice as many cells in its tiles.
    #[cfg(feature = "rayon")]
    pub(super) const fn most_bytes(bound: usize) -> usize {
        let tiles = (2 * bound).div_ceil(64);
        let lists = tiles * size_of::<(u32, u64)>();
        Paged::<Record, 16>::most_bytes(tiles) + lists + Paged::<u16>::most_bytes(2 * bound)
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
        (0..).take(self.count).flat_map(|tile| self.order.nodes(tile, self.records.get(tile as usize)[SEEN]))
    }

    /// The label of a cell; 0: it was not seen.
    #[inline(always)]
    pub(super) fn label(&self, cell: NodeId) -> u16 {
        let number = self.order.number(cell);
        let Some(record) = self.records.find(number / 64) else { return 0 };
        let bit = |word: usize| record[word] >> (number % 64) & 1;
        if bit(SEEN) == 0 {
            return 0;
        }
        let behind = (BEHIND..record.len()).rev().fold(0, |number, word| number << 1 | bit(word));
        if behind == u64::from(LATE) {
            return self.late.get(number);
        }
        #[allow(clippy::cast_possible_truncation)] // a label
        {
            (record[FIRST] + behind) as u16
        }
    }

    /// Goes one step: the cells beside the frontier that have not been seen are the new frontier, and get `label`.
    pub(super) fn step(&mut self, tiles: Tiles<'_>, label: u16) {
        let frontier = std::mem::take(&mut self.frontier);
        let per_row = tiles.per_row as usize;
        for (tile, cells) in &frontier {
            let (tile, cells) = (*tile as usize, *cells);
            // Five tiles are written, changed or not: which of them change is hard to predict. Beyond the first and the last tile there is nothing.
            self.coming.make_room(5, 0);
            self.see(tiles, tile, (cells & !EAST) << 1 | (cells & !WEST) >> 1 | cells << 8 | cells >> 8);
            self.see(tiles, tile + 1, (cells & EAST) >> 7);
            self.see(tiles, tile.wrapping_sub(1), (cells & WEST) << 7);
            self.see(tiles, tile + per_row, cells >> 56);
            self.see(tiles, tile.wrapping_sub(per_row), cells << 56);
        }
        self.frontier = frontier;
        self.turn_over(label);
    }

    /// Sees those of `cells` of `tile` that are open and were not seen before.
    #[inline(always)]
    fn see(&mut self, tiles: Tiles<'_>, tile: usize, cells: u64) {
        if let Some(open) = tiles.open.get(tile) {
            self.note(tile, cells & open);
        }
    }

    /// Sees those of `cells` of `tile` that were not seen before. There must be room for a tile.
    #[inline(always)]
    fn note(&mut self, tile: usize, cells: u64) {
        let Some(record) = self.records.get_mut(tile) else { return };
        let new = cells & !record[SEEN];
        let is_first = record[COMING] == 0 && new != 0;
        record[COMING] |= new;
        #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
        self.coming.offer(tile as u32, is_first);
    }

    /// Makes the cells seen last the frontier, and labels them.
    #[inline(always)]
    fn turn_over(&mut self, label: u16) {
        self.frontier.clear();
        (self.cells, self.paid) = (0, 0);
        for tile in self.coming.nodes() {
            let Some(record) = self.records.get_mut(*tile as usize) else { continue };
            let cells = std::mem::take(&mut record[COMING]);
            record[SEEN] |= cells;
            self.frontier.push((*tile, cells));
            self.cells += u64::from(cells.count_ones());
            if record[FIRST] == 0 {
                record[FIRST] = u64::from(label);
            }
            let behind = u64::from(label).wrapping_sub(record[FIRST]).min(u64::from(LATE));
            for (word, bits) in record[BEHIND..].iter_mut().zip(BITS[behind as usize]) {
                *word |= cells & bits;
            }
            if behind == u64::from(LATE) {
                label_late(&mut self.late, self.count, (*tile, cells), label);
            }
        }
        self.coming.clear();
    }
}

/// Notes the `label` of `cells` of a tile, one of so many.
#[cold]
#[inline(never)]
fn label_late(late: &mut Paged<u16>, tiles: usize, (tile, cells): (u32, u64), label: u16) {
    if late.bytes() == 0 {
        late.reset(tiles * 64);
    }
    for bit in (0..64).filter(|bit| cells >> bit & 1 == 1) {
        if let Some(late) = late.get_mut(tile as usize * 64 + bit) {
            *late = label;
        }
    }
}
