//! Window storage: a bit per cell and tick; the owners of the bits are kept apart.

use std::ops::ControlFlow;

use super::interval::{Intervals, MOST_FLAT};
use super::occupancy::{Holding, HoldingVisitor, Occupancy};
use super::table::ReservationTable;
use crate::vocabulary::{CellId, Cells, Span, Tick, Ticks};

const TICKS_PER_WORD: u32 = u64::BITS;
const LONGEST_HORIZON: Ticks = 1 << 20;
const MOST_SPARE: usize = 2;

/// The holdings of a [`WindowTable`]: bits over a moving horizon, in blocks of 64 ticks, with a word per cell. A block
/// takes memory once a cell is held in it. The owners of the bits, and all holdings beyond the horizon, are kept as
/// [`Intervals`].
#[derive(Debug)]
pub struct Window {
    /// The number of the first block, whose first tick is 64 times that number.
    first_block: u32,
    /// Without a block nothing is known: ask the owners.
    blocks: Vec<Option<Block>>,
    /// Past blocks for reuse: a crowd that runs for ever needs no new memory.
    spare: Vec<Block>,
    owners: Intervals,
}

impl Clone for Window {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone(), spare: Vec::new(), owners: self.owners.clone(), ..*self }
    }
}

/// A store with a bit per cell and tick over a moving horizon, 64 ticks to the word. The owners of the bits are kept
/// separately.
pub type WindowTable = ReservationTable<Window>;

impl WindowTable {
    /// An empty table for `cells`. The `horizon` is rounded up to whole words, and is at most 2^20 ticks. Answers about
    /// ticks within the horizon are fast. Answers about later ticks are correct, but slower.
    ///
    /// Takes 8 bytes per cell for each block of 64 ticks in which a cell is held, and keeps at most two past blocks for
    /// reuse. Cells with ids from 2^24 on have no bits: their answers are slower.
    pub fn new(cells: Cells, horizon: Ticks) -> Self {
        // One block more: the horizon may begin anywhere in the first block.
        let blocks = horizon.min(LONGEST_HORIZON).div_ceil(TICKS_PER_WORD) as usize + 1;
        ReservationTable::over(Window {
            first_block: 0,
            blocks: std::iter::repeat_with(|| None).take(blocks).collect(),
            spare: Vec::new(),
            owners: Intervals::new(cells.bound(), MOST_FLAT),
        })
    }
}

/// The bits of 64 ticks: a word per cell below [`MOST_FLAT`]; for other cells the owners are asked.
#[derive(Clone, Debug)]
struct Block {
    words: Box<[u64]>,
    /// The cells whose words may differ from 0, unless there are [`too_many`](Self::too_many).
    touched: Vec<u32>,
}

impl Block {
    /// A block in which nothing is held.
    fn new(cells: usize) -> Self {
        Self { words: vec![0; cells].into_boxed_slice(), touched: Vec::new() }
    }

    /// The number of touched cells from which on it takes less time to clear all words.
    fn too_many(&self) -> usize {
        self.words.len() / 8
    }

    /// Sets the bits of `mask` in the word of `cell`, if the cell has one.
    fn set(&mut self, cell: CellId, mask: u64) {
        let too_many = self.too_many();
        let Some(word) = self.words.get_mut(cell.index()) else { return };
        if *word == 0 && self.touched.len() < too_many {
            self.touched.push(cell.0);
        }
        *word |= mask;
    }

    /// Clears the bits of `mask` in the word of `cell`, if it has one.
    fn unset(&mut self, cell: CellId, mask: u64) {
        if let Some(word) = self.words.get_mut(cell.index()) {
            *word &= !mask;
        }
    }

    /// Clears all bits, in time for what was set: most cells of a large map are never held.
    fn clear(&mut self) {
        if self.touched.len() < self.too_many() {
            self.touched.iter().for_each(|cell| self.words[*cell as usize] = 0);
        } else {
            self.words.fill(0);
        }
        self.touched.clear();
    }
}

/// The bits of `span` within block `block`.
#[inline]
fn mask(span: Span, block: u32) -> u64 {
    let first = block.saturating_mul(TICKS_PER_WORD);
    let from = span.start.saturating_sub(first);
    let to = span.end.saturating_sub(first).min(TICKS_PER_WORD);
    if from >= to { 0 } else { (u64::MAX >> (TICKS_PER_WORD - (to - from))) << from }
}

/// The bits of `span`, which is not empty and lies within a block.
#[inline]
fn word_mask(span: Span) -> u64 {
    (u64::MAX >> (TICKS_PER_WORD - (span.end - span.start))) << (span.start % TICKS_PER_WORD)
}

impl Window {
    /// The blocks that `span` touches within the horizon.
    fn blocks_of(&self, span: Span) -> std::ops::Range<u32> {
        let past = self.first_block.saturating_add(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX));
        let first = (span.start / TICKS_PER_WORD).max(self.first_block);
        first..span.end.div_ceil(TICKS_PER_WORD).min(past).max(first)
    }

    /// A new block, with the bits of everything held in it so far: mostly endless rests.
    fn make_block(&mut self, block: u32) -> Block {
        let mut made = match self.spare.pop() {
            Some(mut spare) => {
                spare.clear();
                spare
            }
            None => Block::new(self.owners.bound().min(MOST_FLAT)),
        };
        let span = Span::lasting(block.saturating_mul(TICKS_PER_WORD), TICKS_PER_WORD);
        for (cell, held) in self.owners.held().filter(|(_, held)| held.overlaps(span)) {
            made.set(cell, mask(held, block));
        }
        made
    }

    /// Drops the first `count` blocks. Keeps their memory for reuse, if needed.
    fn recycle(&mut self, count: usize) {
        self.spare.extend(self.blocks[..count].iter_mut().filter_map(Option::take));
        self.spare.truncate(MOST_SPARE);
        self.blocks.rotate_left(count);
    }

    /// The position of the block that holds all of `span`; `None`: no block does.
    #[inline]
    fn block_of(&self, span: Span) -> Option<usize> {
        let block = span.start / TICKS_PER_WORD;
        let is_within = span.start < span.end && (span.end - 1) / TICKS_PER_WORD == block;
        is_within.then_some(block.wrapping_sub(self.first_block) as usize)
    }

    /// The bits of `cell` in `span`, if they are in one word; `None`: ask the owners.
    #[inline]
    fn bits(&self, cell: CellId, span: Span) -> Option<u64> {
        let Some(Some(Block { words, .. })) = self.blocks.get(self.block_of(span)?) else { return None };
        words.get(cell.index()).map(|word| word & word_mask(span))
    }
}

impl Occupancy for Window {
    fn bound(&self) -> usize {
        self.owners.bound()
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, held: impl HoldingVisitor) -> ControlFlow<()> {
        self.owners.visit(cell, span, held)
    }

    fn assign(&mut self, cell: CellId, span: Span, holding: Option<Holding>) {
        // Owners first: blocks made below then know this span.
        self.owners.assign(cell, span, holding);
        if let Some(slot) = self.block_of(span)
            && let Some(Some(made)) = self.blocks.get_mut(slot)
        {
            let mask = word_mask(span);
            return match holding {
                Some(_) => made.set(cell, mask),
                None => made.unset(cell, mask),
            };
        }
        if cell.index() >= MOST_FLAT {
            return;
        }
        for block in self.blocks_of(span) {
            let slot = (block - self.first_block) as usize;
            // An endless rest does not make blocks up to the end of the horizon.
            let wanted = holding.is_some() && !span.is_endless();
            if wanted && self.blocks[slot].is_none() {
                self.blocks[slot] = Some(self.make_block(block));
            } else if let Some(made) = &mut self.blocks[slot] {
                match holding {
                    Some(_) => made.set(cell, mask(span, block)),
                    None => made.unset(cell, mask(span, block)),
                }
            }
        }
    }

    fn forget_before(&mut self, now: Tick) {
        self.owners.forget_before(now);
        let passed = (now / TICKS_PER_WORD).saturating_sub(self.first_block);
        self.first_block += passed;
        self.recycle(self.blocks.len().min(passed as usize));
    }

    fn clear(&mut self) {
        self.owners.clear();
        self.first_block = 0;
        self.recycle(self.blocks.len());
    }

    /// Nearly every entry lies within one word of a block.
    #[inline]
    fn glance(&self, cell: CellId, span: Span) -> Option<bool> {
        self.bits(cell, span).map(|held| held != 0)
    }

    #[inline]
    fn is_free(&self, cell: CellId, span: Span) -> bool {
        let held = self.bits(cell, span);
        held.map_or_else(|| self.owners.is_free(cell, span), |held| held == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reservation::{Claim, ReservationStore};
    use crate::vocabulary::{AgentId, ConflictRule, Entry};

    #[test]
    fn blocks_that_have_passed_are_used_again_and_remember_nothing() {
        let mut table = WindowTable::new(Cells::new(ConflictRule::Swap, 4, 0), 128);
        let claim = Claim::plain(AgentId(0));
        let entry = |cell, tick| Entry { cell: CellId(cell), span: Span::tick(tick) };
        let mut seen: Vec<*const u64> = Vec::new();
        for block in 0..20 {
            let now = block * TICKS_PER_WORD;
            table.forget_before(now);
            table.reserve(claim, &[entry(block % 4, now + 5), entry(3, now + 70)]).unwrap();
            let mut bits = [0; 4];
            bits[block as usize % 4] |= 1 << 5;
            bits[3] |= if block > 0 { 1 << 6 } else { 0 };
            let words = |slot: usize| table.occupancy.blocks[slot].as_ref().map(|made| &made.words[..]);
            assert_eq!(words(0), Some(&bits[..]), "block {block}");
            assert_eq!(words(1), Some(&[0, 0, 0, 1 << 6][..]), "after block {block}");
            seen.extend(table.occupancy.blocks.iter().flatten().map(|made| made.words.as_ptr()));
            assert!(table.occupancy.spare.len() <= MOST_SPARE);
        }
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() <= 3, "{} blocks were made", seen.len());
        table.clear();
        assert_eq!(table.occupancy.spare.len(), MOST_SPARE);
        assert!(table.occupancy.blocks.iter().all(Option::is_none));
    }

    #[test]
    fn a_block_is_cleared_however_many_cells_were_held() {
        let mut block = Block::new(64);
        for cells in [1, 7, 8, 9, 64, 3] {
            for cell in (0..cells).map(CellId) {
                block.set(cell, 1);
                block.unset(cell, 1);
                block.set(cell, u64::MAX);
            }
            assert!(block.touched.len() <= 8);
            block.clear();
            assert_eq!(block.words.iter().filter(|word| **word != 0).count(), 0, "after {cells} cells");
        }
    }
}
