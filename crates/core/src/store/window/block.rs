//! A block: the bits of 64 ticks, with a word for each cell.

use super::TICKS_PER_WORD;
use crate::store::interval::Intervals;
use crate::store::moment::{Moment, Places};
use crate::store::occupancy::{HolderId, Occupancy};
use crate::vocabulary::{CellId, Span, Tick};

/// So many words side by side are cleared in the time of one somewhere.
const SIDE_BY_SIDE: usize = 8;

/// The bits of 64 ticks: a word per cell below [`MOST_FLAT`](crate::store::interval::MOST_FLAT). For other cells the
/// owners are asked.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) words: Box<[u64]>,
    /// The cells whose words may differ from 0, unless there are [`too_many`](Self::too_many).
    touched: Vec<u32>,
    /// With too many cells: so many words from the first on are cleared.
    cleared: usize,
    /// The owners of short spans, for each tick.
    pub(super) moments: Box<[Moment; TICKS_PER_WORD as usize]>,
}

impl Block {
    /// A block in which nothing is held.
    pub(super) fn new(cells: usize) -> Self {
        let moments = Box::new(std::array::from_fn(|_| Moment::default()));
        Self { words: vec![0; cells].into_boxed_slice(), touched: Vec::new(), cleared: 0, moments }
    }

    /// The number of touched cells from which on it takes less time to clear all words.
    fn too_many(&self) -> usize {
        self.words.len() / 8
    }

    /// Sets the bits of `mask` in the word of `cell`, if the cell has one. Returns which bits of the word were set.
    #[inline]
    pub(super) fn set(&mut self, cell: CellId, mask: u64) -> u64 {
        let too_many = self.too_many();
        let Some(word) = self.words.get_mut(cell.index()) else { return 0 };
        if *word == 0 && self.touched.len() < too_many {
            self.touched.push(cell.0);
        }
        std::mem::replace(word, *word | mask)
    }

    /// Clears the bits of `mask` in the word of `cell`, if it has one. Returns which bits of the word were set.
    #[inline]
    pub(super) fn unset(&mut self, cell: CellId, mask: u64) -> u64 {
        let Some(word) = self.words.get_mut(cell.index()) else { return 0 };
        std::mem::replace(word, *word & !mask)
    }

    /// Assigns `tick`, which lies in this block, of `cell`, which has a word.
    #[inline(always)] // where it is known whether there is a holder
    pub(super) fn assign(
        &mut self,
        cell: CellId,
        tick: Tick,
        holder: Option<HolderId>,
        spans: &mut Intervals,
        spare: &mut Vec<Places>,
    ) {
        let at = tick % TICKS_PER_WORD;
        let (was_held, was_short) = match holder {
            Some(holder) => {
                let was_short = self.moments[at as usize].set(cell, holder, spare);
                (self.set(cell, 1 << at) >> at & 1 != 0, was_short)
            }
            None => {
                let was_held = self.unset(cell, 1 << at) >> at & 1 != 0;
                (was_held, was_held && self.moments[at as usize].remove(cell))
            }
        };
        if was_held && !was_short {
            spans.assign(cell, Span::tick(tick), None);
        }
    }

    /// Clears `most` words, or all that are left, in time for what was set: most cells of a large map are never held.
    /// Afterwards nothing is set before all words are cleared.
    pub(super) fn clear(&mut self, most: usize) {
        if self.touched.len() < self.too_many() {
            let left = self.touched.len().saturating_sub(most);
            self.touched.drain(left..).for_each(|cell| self.words[cell as usize] = 0);
            return;
        }
        // Words side by side are cleared in less time.
        let end = self.cleared.saturating_add(most.saturating_mul(SIDE_BY_SIDE)).min(self.words.len());
        self.words[self.cleared..end].fill(0);
        self.cleared = end;
        if end == self.words.len() {
            self.touched.clear();
            self.cleared = 0;
        }
    }

    /// Clears so many words that all are cleared once half as many ticks have passed as a block has. All at once would
    /// take a millisecond or more of one tick on a large map.
    pub(super) fn clear_a_part(&mut self) {
        self.clear(self.words.len() / (4 * TICKS_PER_WORD as usize) + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_cleared_however_many_cells_were_held_at_once_or_as_ticks_pass() {
        let at_once = |block: &mut Block| block.clear(usize::MAX);
        let in_parts = |block: &mut Block| (0..64).for_each(|_| block.clear_a_part());
        for clear in [at_once, in_parts] {
            let mut block = Block::new(1024);
            for cells in [1, 100, 127, 128, 129, 1024, 30] {
                for cell in (0..cells).map(CellId) {
                    block.set(cell, 1);
                    block.unset(cell, 1);
                    block.set(cell, u64::MAX);
                }
                assert!(block.touched.len() <= 128);
                clear(&mut block);
                assert_eq!(block.words.iter().filter(|word| **word != 0).count(), 0, "after {cells} cells");
                assert!(block.touched.is_empty());
            }
        }
    }
}
