//! Window storage: a bit per cell and tick; the owners of the bits are kept apart.

mod block;

use std::ops::ControlFlow;

use self::block::Block;
use super::interval::{Intervals, MOST_FLAT};
use super::moment::Places;
use super::occupancy::{HolderId, HolderVisitor, Occupancy, give_up_pieces};
use super::table::ReservationTable;
use crate::vocabulary::{CellId, Cells, FOREVER, Span, Tick, Ticks};

const TICKS_PER_WORD: u32 = u64::BITS;
const LONGEST_HORIZON: Ticks = 1 << 20;
const MOST_SPARE: usize = 2;

/// The storage of a [`WindowTable`]. A bit for each cell and tick, up to a horizon that moves with time, says whether
/// the cell is held at the tick. The bits lie in blocks of 64 ticks, with one word for each cell. A block takes memory
/// once something in it is held. The holders of spans of up to 2 ticks are stored for each tick. The holders of longer
/// spans, and of all spans beyond the horizon, are stored as [`Intervals`].
#[derive(Debug)]
pub struct Window {
    /// The number of the first block, whose first tick is 64 times that number.
    first_block: u32,
    /// Without a block nothing is known: ask the owners.
    blocks: Vec<Option<Block>>,
    /// Past blocks for reuse: a crowd that runs for ever needs no new memory.
    spare: Vec<Block>,
    /// Everything before is forgotten.
    past: Tick,
    /// The memory of past moments, for reuse.
    spare_places: Vec<Places>,
    /// The owners of long spans. No tick of a cell has an owner here and in its moment.
    spans: Intervals,
}

impl Clone for Window {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            spare: Vec::new(),
            spare_places: Vec::new(),
            spans: self.spans.clone(),
            ..*self
        }
    }
}

/// Spans of up to this many ticks are kept by tick.
const LONGEST_BY_TICK: Ticks = 2;

/// A store with a bit for each cell and tick, up to a horizon that moves with time: one test of a word says whether a
/// cell is held during a span of ticks. The store keeps the holders apart from the bits.
pub type WindowTable = ReservationTable<Window>;

impl WindowTable {
    /// An empty table for `cells`. Answers about the next `horizon` ticks are fast; answers about later ticks are
    /// correct, but slower. The horizon is rounded up to a multiple of 64 ticks, and is at most 2^20 ticks.
    ///
    /// Takes memory for three things:
    /// * for each 64 cells with ids side by side, 16 bytes, and 768 more once one of them has been held for long;
    /// * for each block of 64 ticks of the horizon in which something is held, 8 bytes per cell;
    /// * for each tick of a span of at most 2 ticks, about 16 bytes, and up to 128 where memory of busier ticks is used
    ///   again.
    ///
    /// Keeps at most two past blocks for reuse. Cells with ids of 2^24 or more take memory only while they are held,
    /// and answers about them are slower.
    pub fn new(cells: Cells, horizon: Ticks) -> Self {
        // One block more: the horizon may begin anywhere in the first block.
        let blocks = horizon.min(LONGEST_HORIZON).div_ceil(TICKS_PER_WORD) as usize + 1;
        ReservationTable::over(Window {
            first_block: 0,
            blocks: std::iter::repeat_with(|| None).take(blocks).collect(),
            spare: Vec::new(),
            past: 0,
            spare_places: Vec::new(),
            spans: Intervals::new(cells.bound(), MOST_FLAT),
        })
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
                spare.clear(usize::MAX);
                spare
            }
            None => Block::new(self.spans.bound().min(MOST_FLAT)),
        };
        let span = Span::lasting(block.saturating_mul(TICKS_PER_WORD), TICKS_PER_WORD);
        // Not by a `for` loop: what goes through many cells at once is much faster.
        self.spans.held().filter(|(_, held)| held.span.overlaps(span)).for_each(|(cell, held)| {
            made.set(cell, mask(held.span, block));
        });
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

impl Window {
    /// The first tick after the last block. Moments serve the ticks from the past up to here.
    fn horizon(&self) -> Tick {
        let blocks = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        self.first_block.saturating_add(blocks).saturating_mul(TICKS_PER_WORD)
    }

    /// The block of `tick`, if there is one.
    #[inline]
    fn block_at(&self, tick: Tick) -> Option<&Block> {
        self.blocks.get((tick / TICKS_PER_WORD).wrapping_sub(self.first_block) as usize)?.as_ref()
    }

    /// Forgets the moments of the ticks from the past up to `now`. Keeps their memory for reuse.
    fn recycle_moments(&mut self, now: Tick) {
        for tick in self.past..now.min(self.horizon()) {
            let slot = (tick / TICKS_PER_WORD - self.first_block) as usize;
            if let Some(block) = &mut self.blocks[slot] {
                block.moments[(tick % TICKS_PER_WORD) as usize].clear(&mut self.spare_places);
            }
        }
    }

    /// Visits spans of either kind, in one word or in several.
    fn visit_all(&self, cell: CellId, span: Span, held: &mut impl HolderVisitor) -> ControlFlow<()> {
        // The ticks with an owner of their own lie in the gaps between spans.
        let mut from = span.start;
        self.spans.visit(cell, span, |piece, holder| {
            self.visit_ticks(cell, Span::new(from, piece.start), held)?;
            from = piece.end;
            held(piece, holder)
        })?;
        self.visit_ticks(cell, Span::new(from, span.end), held)
    }

    /// Visits the ticks of `span` with an owner of their own.
    fn visit_ticks(&self, cell: CellId, span: Span, held: &mut impl HolderVisitor) -> ControlFlow<()> {
        if span.is_empty() {
            return ControlFlow::Continue(());
        }
        for block in self.blocks_of(span) {
            let Some(made) = &self.blocks[(block - self.first_block) as usize] else { continue };
            let mut bits = made.words.get(cell.index()).map_or(0, |word| word & mask(span, block));
            while bits != 0 {
                let at = bits.trailing_zeros();
                if let Some(holder) = made.moments[at as usize].get(cell) {
                    held(Span::tick(block * TICKS_PER_WORD + at), holder)?;
                }
                bits &= bits - 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// The first part of `span` in which a long span holds `cell`, and its holder.
    fn long_at(&self, cell: CellId, span: Span) -> Option<(Span, HolderId)> {
        let mut found = None;
        let _ = self.spans.visit(cell, span, |piece, holder| {
            found = Some((piece, holder));
            ControlFlow::Break(())
        });
        found
    }

    /// Assigns any span.
    #[inline(never)]
    fn assign_any(&mut self, cell: CellId, span: Span, holder: Option<HolderId>) {
        // What is over is not noted: the moments of these ticks serve others.
        let span = Span::new(span.start.max(self.past), span.end);
        if span.is_empty() {
            return;
        }
        let is_short = span.end - span.start <= LONGEST_BY_TICK && cell.index() < MOST_FLAT;
        if !is_short || span.end > self.horizon() {
            return self.assign_long(cell, span, holder);
        }
        match self.block_of(span) {
            Some(slot) => self.assign_short(cell, span, holder, slot),
            None => {
                let middle = span.end - span.end % TICKS_PER_WORD;
                self.assign(cell, Span::new(span.start, middle), holder);
                self.assign(cell, Span::new(middle, span.end), holder);
            }
        }
    }

    /// Assigns a short span within block `slot`, which may have to be made.
    fn assign_short(&mut self, cell: CellId, span: Span, holder: Option<HolderId>, slot: usize) {
        if self.blocks[slot].is_none() {
            if holder.is_none() {
                return self.spans.assign(cell, span, None);
            }
            #[allow(clippy::cast_possible_truncation)] // there are fewer blocks than ticks
            let block = self.first_block + slot as u32;
            self.blocks[slot] = Some(self.make_block(block));
        }
        let Self { blocks, spans, spare_places, .. } = self;
        if let Some(block) = &mut blocks[slot] {
            (span.start..span.end).for_each(|tick| block.assign(cell, tick, holder, spans, spare_places));
        }
    }

    /// Assigns a span that is long, or not within the horizon, or of a cell without words.
    fn assign_long(&mut self, cell: CellId, span: Span, holder: Option<HolderId>) {
        for block in self.blocks_of(span) {
            let Some(made) = &mut self.blocks[(block - self.first_block) as usize] else { continue };
            let mut bits = made.words.get(cell.index()).map_or(0, |word| word & mask(span, block));
            while bits != 0 {
                made.moments[bits.trailing_zeros() as usize].remove(cell);
                bits &= bits - 1;
            }
        }
        // Owners first: blocks made below then know this span.
        self.spans.assign(cell, span, holder);
        if cell.index() >= MOST_FLAT {
            return;
        }
        for block in self.blocks_of(span) {
            let slot = (block - self.first_block) as usize;
            // An endless rest does not make blocks up to the end of the horizon.
            let wanted = holder.is_some() && !span.is_endless();
            if wanted && self.blocks[slot].is_none() {
                self.blocks[slot] = Some(self.make_block(block));
            } else if let Some(made) = &mut self.blocks[slot] {
                match holder {
                    Some(_) => made.set(cell, mask(span, block)),
                    None => made.unset(cell, mask(span, block)),
                };
            }
        }
    }
}

impl Occupancy for Window {
    fn bound(&self) -> usize {
        self.spans.bound()
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, mut held: impl HolderVisitor) -> ControlFlow<()> {
        let (Some(mut bits), Some(block)) = (self.bits(cell, span), self.block_at(span.start)) else {
            return self.visit_all(cell, span, &mut held);
        };
        if bits != 0 && span.start < self.past {
            return self.visit_all(cell, span, &mut held);
        }
        let first = span.start - span.start % TICKS_PER_WORD;
        while bits != 0 {
            let at = bits.trailing_zeros();
            let owner = block.moments[at as usize % block.moments.len()].get(cell);
            if let Some(holder) = owner {
                held(Span::tick(first + at), holder)?;
                bits &= bits - 1;
            } else if let Some((piece, holder)) = self.long_at(cell, Span::new(first + at, span.end)) {
                held(piece, holder)?;
                bits &= !(word_mask(piece) | 1 << at);
            } else {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Continue(())
    }

    fn for_each_held(&self, mut each: impl FnMut(CellId, Span, HolderId)) {
        for (block, made) in (self.first_block..).zip(&self.blocks) {
            let moments = made.iter().flat_map(|made| made.moments.iter());
            // Moments of the past are empty.
            // The moments end the iteration: after the last one there may be no tick.
            for (moment, tick) in moments.zip(block.saturating_mul(TICKS_PER_WORD)..) {
                moment.held().for_each(|(cell, holder)| each(cell, Span::tick(tick), holder));
            }
        }
        self.spans.for_each_held(each);
    }

    /// Nearly every span is a tick, in a block that was made.
    #[inline(always)] // where it is known whether there is a holder
    fn assign(&mut self, cell: CellId, span: Span, holder: Option<HolderId>) {
        let is_tick = span.end.wrapping_sub(span.start) == 1 && span.start >= self.past;
        let slot = (span.start / TICKS_PER_WORD).wrapping_sub(self.first_block) as usize;
        let Self { blocks, spans, spare_places, .. } = self;
        match blocks.get_mut(slot) {
            Some(Some(block)) if is_tick && cell.index() < block.words.len() => {
                block.assign(cell, span.start, holder, spans, spare_places);
            }
            _ => self.assign_any(cell, span, holder),
        }
    }

    fn forget_before(&mut self, now: Tick) {
        self.spans.forget_before(now);
        self.recycle_moments(now);
        self.past = now.max(self.past);
        let passed = (now / TICKS_PER_WORD).saturating_sub(self.first_block);
        self.first_block += passed;
        self.recycle(self.blocks.len().min(passed as usize));
        self.spare.iter_mut().for_each(Block::clear_a_part);
    }

    fn clear(&mut self) {
        self.spans.clear();
        self.recycle_moments(FOREVER);
        (self.first_block, self.past) = (0, 0);
        self.recycle(self.blocks.len());
    }

    #[inline]
    fn give_up(
        &mut self,
        cell: CellId,
        span: Span,
        is_own: impl Fn(HolderId) -> bool,
        mut given_up: impl FnMut(Span, HolderId),
    ) {
        let slot = self.block_of(span).filter(|_| span.start >= self.past && span.end - span.start == 1);
        if let Some(slot) = slot
            && let Some(Some(block)) = self.blocks.get_mut(slot)
            && let Some(word) = block.words.get_mut(cell.index())
        {
            let bit = word_mask(span);
            if *word & bit == 0 {
                return;
            }
            let moment = &mut block.moments[(span.start % TICKS_PER_WORD) as usize];
            if let Some((place, holder)) = moment.place_of(cell) {
                if is_own(holder) {
                    *word &= !bit;
                    moment.vacate(place);
                    given_up(span, holder);
                }
                return;
            }
        }
        give_up_pieces(self, cell, span, is_own, given_up);
    }

    #[inline]
    fn touch(&self, cell: CellId, span: Span) -> u32 {
        let Some(block) = self.block_at(span.start) else { return 0 };
        let word = block.words.get(cell.index()).copied().unwrap_or(0);
        let owner = block.moments[(span.start % TICKS_PER_WORD) as usize].touch(cell);
        #[allow(clippy::cast_possible_truncation)] // the answer means nothing
        let word = word as u32;
        word ^ owner
    }

    /// Nearly every entry lies within one word of a block.
    #[inline]
    fn glance(&self, cell: CellId, span: Span) -> Option<bool> {
        self.bits(cell, span).map(|held| held != 0)
    }

    #[inline]
    fn is_free(&self, cell: CellId, span: Span) -> bool {
        let held = self.bits(cell, span);
        held.map_or_else(|| self.visit(cell, span, |_, _| ControlFlow::Break(())).is_continue(), |held| held == 0)
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
}
