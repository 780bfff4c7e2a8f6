//! Interval storage: a timeline per cell.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::blocks::{Block, Blocks, Piece, Stored};
use super::occupancy::{HolderId, HolderVisitor, Occupancy};
use super::table::ReservationTable;
use crate::paged::Paged;
use crate::vocabulary::{CellId, Cells, FOREVER, Span, Tick};

/// Cells below this bound have a head in a page, and words in the blocks of the window store. Cells beyond it are
/// looked up in a hash table, so that a space with a large bound takes no memory for cells it does not use.
pub(super) const MOST_FLAT: usize = 1 << 24;

/// The storage of an [`IntervalTable`]: for each cell a timeline, which is a list of the spans in which the cell is
/// held, in ascending order. Spans of one cell do not overlap. Two adjacent spans have different holders.
///
/// Each cell takes 12 bytes once one of 64 cells with ids side by side has been held, and each 64 cells take 16 more.
/// There is room for one span: nearly always a cell is held once, or not at all. A cell with several spans has a list
/// in addition. Spans that are over give their memory back when the cell is asked for again, or when many such spans
/// have gathered; pages in which all is over, when there are half as many more pages as were needed before.
#[derive(Clone, Debug)]
pub struct Intervals {
    bound: usize,
    /// The heads of cells below [`MOST_FLAT`]. A page takes memory once one of its cells is held; in a window store most
    /// edges never are.
    heads: Paged<Stored, GROUP_SIZE>,
    /// What is held in each [`GROUP_SIZE`] of heads side by side.
    groups: Vec<Group>,
    /// The heads of other cells.
    beyond: FxHashMap<CellId, Stored>,
    /// The lists of cells with two pieces or more.
    blocks: Blocks,
    /// Everything before is forgotten.
    past: Tick,
    /// With this many lines of lists, and heads beyond, it is time to look which are over.
    due: usize,
    /// With this many pages of heads it is time, too.
    pages_due: usize,
}

/// What there is to know of heads side by side without a look at them: nothing is held in most parts of a large map.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// How many of the heads never end.
    endless: u32,
    /// All others end at this tick, or before.
    end: Tick,
}

/// So many heads side by side are a group, and a page: a few lines of the processor's cache.
const GROUP_SIZE: usize = 64;

impl Group {
    const EMPTY: Self = Self { endless: 0, end: 0 };

    /// The end of one of the heads changes.
    #[inline]
    fn change(&mut self, from: Tick, to: Tick) {
        self.endless = self.endless - u32::from(from == FOREVER) + u32::from(to == FOREVER);
        if to != FOREVER {
            self.end = self.end.max(to);
        }
    }

    #[inline]
    fn is_over(self, past: Tick) -> bool {
        self.endless == 0 && self.end <= past
    }
}

/// With fewer lines and heads than this it is not worth while to look which are over.
const FEW: usize = 256;

/// While less than one in `FEW_PAGES` of all pages takes memory, it is not worth while to look which are over.
const FEW_PAGES: usize = 32;

/// What there is to know of the timeline of a cell without a look at its list.
#[derive(Clone, Copy)]
enum Timeline {
    /// At most one piece; an empty span is none.
    One(Piece),
    /// The span of the head goes from the start of the first piece to the end of the last.
    Many(Block),
}

/// The bit of a head that tells a block from a holder: there are fewer than 2^31 of each.
const IS_BLOCK: u32 = 1 << 31;

impl Timeline {
    const EMPTY: Stored = [0; 3];

    #[inline]
    fn of([start, end, what]: Stored) -> Self {
        if what & IS_BLOCK == 0 {
            Self::One(Piece::from([start, end, what]))
        } else {
            Self::Many(Block(what & !IS_BLOCK))
        }
    }
}

/// A store with a sorted list of held spans for each cell. The store has [free
/// intervals](crate::ReservationStore::free_intervals).
pub type IntervalTable = ReservationTable<Intervals>;

impl IntervalTable {
    /// An empty table for `cells`.
    pub fn new(cells: Cells) -> Self {
        ReservationTable::over(Intervals::new(cells.bound(), MOST_FLAT))
    }
}

impl Intervals {
    /// Storage for cells below `bound`, of which up to `most_flat`, rounded up to whole pages, have a head in a page.
    pub(super) fn new(bound: usize, most_flat: usize) -> Self {
        let mut heads = Paged::new();
        heads.reset(bound.min(most_flat));
        Self {
            bound,
            groups: vec![Group::EMPTY; heads.room() / GROUP_SIZE],
            heads,
            beyond: FxHashMap::default(),
            blocks: Blocks::default(),
            past: 0,
            due: 0,
            pages_due: 0,
        }
    }

    #[inline]
    fn head(&self, cell: CellId) -> Stored {
        match self.heads.find(cell.index()) {
            Some(head) => *head,
            None if self.is_flat(cell) => Timeline::EMPTY,
            None => self.head_beyond(cell),
        }
    }

    #[inline]
    fn is_flat(&self, cell: CellId) -> bool {
        cell.index() < self.heads.room()
    }

    #[cold]
    fn head_beyond(&self, cell: CellId) -> Stored {
        self.beyond.get(&cell).copied().unwrap_or(Timeline::EMPTY)
    }

    /// All that is held, in no order.
    pub(super) fn held(&self) -> impl Iterator<Item = (CellId, Piece)> {
        let left = self.groups.iter().zip((0..).step_by(GROUP_SIZE)).filter(|(group, _)| !group.is_over(self.past));
        let flat = left.flat_map(|(_, first)| {
            let heads = self.heads.page(first).iter();
            #[allow(clippy::cast_possible_truncation)] // below `MOST_FLAT`
            let cells = (first as u32..).map(CellId);
            cells.zip(heads)
        });
        let every = flat.chain(self.beyond.iter().map(|(cell, head)| (*cell, head)));
        every.flat_map(move |(cell, head)| pieces(&self.blocks, head, self.past).map(move |piece| (cell, piece)))
    }

    /// Forgets the lists, the pages of heads, and the heads beyond that are over.
    #[cold]
    fn drop_past(&mut self) {
        let every: Vec<(Block, CellId)> = self.blocks.every().collect();
        for (block, cell) in every {
            let head = match self.heads.get_mut(cell.index()) {
                Some(head) => Some(head),
                None => self.beyond.get_mut(&cell),
            };
            if let Some(head) = head {
                *head = without_past(&mut self.blocks, block, self.past);
            }
        }
        self.heads.retain_pages(|page| {
            let is_over = self.groups[page].is_over(self.past);
            if is_over {
                self.groups[page] = Group::EMPTY;
            }
            !is_over
        });
        self.beyond.retain(|_, [_, end, _]| *end > self.past);
    }
}

/// The pieces of the timeline with `head` that are not over.
#[inline]
fn pieces<'a>(blocks: &'a Blocks, head: &'a Stored, past: Tick) -> impl Iterator<Item = Piece> + use<'a> {
    // Most cells hold nothing, and a head knows that of its whole list.
    let stored = match Timeline::of(*head) {
        _ if head[1] <= past => &[],
        Timeline::One(_) => std::slice::from_ref(head),
        Timeline::Many(block) => blocks.pieces(block),
    };
    stored.iter().map(|stored| Piece::from(*stored)).filter(move |piece| piece.span.end > past)
}

/// Forgets what is over in the list of `block`. Returns the head of what is left.
fn without_past(blocks: &mut Blocks, block: Block, past: Tick) -> Stored {
    let gone = blocks.pieces(block).iter().take_while(|[_, end, _]| *end <= past).count();
    let block = if gone > 0 { blocks.splice(block, (0, gone), &[]) } else { block };
    head_of(blocks, block)
}

/// The head of the list of `block`, which is given up if the head has room for all of it.
fn head_of(blocks: &mut Blocks, block: Block) -> Stored {
    match *blocks.pieces(block) {
        [[start, ..], .., [_, end, _]] => [start, end, block.0 | IS_BLOCK],
        [] => {
            blocks.drop(block);
            Timeline::EMPTY
        }
        [one] => {
            blocks.drop(block);
            one
        }
    }
}

impl Occupancy for Intervals {
    fn bound(&self) -> usize {
        self.bound
    }

    #[inline]
    fn visit(&self, cell: CellId, span: Span, mut held: impl HolderVisitor) -> ControlFlow<()> {
        let from = span.start.max(self.past);
        let head = self.head(cell);
        if head[1] <= from || span.end <= head[0] {
            return ControlFlow::Continue(());
        }
        let block = match Timeline::of(head) {
            Timeline::One(piece) => return held(piece.span.intersection(span), piece.holder),
            Timeline::Many(block) => block,
        };
        let pieces = self.blocks.pieces(block);
        let is_over = |[_, end, _]: &Stored| *end <= from;
        // A binary search takes longer than a look at each of a few.
        let first = if pieces.len() < 8 { 0 } else { pieces.partition_point(is_over) };
        for stored in &pieces[first..] {
            let piece = Piece::from(*stored);
            if piece.span.start >= span.end {
                break;
            }
            if piece.span.end > from {
                held(piece.span.intersection(span), piece.holder)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn for_each_held(&self, mut each: impl FnMut(CellId, Span, HolderId)) {
        self.held().for_each(|(cell, Piece { span, holder })| each(cell, span, holder));
    }

    #[inline]
    fn assign(&mut self, cell: CellId, span: Span, holder: Option<HolderId>) {
        if holder.is_none() && self.is_flat(cell) && self.heads.find(cell.index()).is_none() {
            return;
        }
        let head = match self.heads.get_mut(cell.index()) {
            Some(head) => head,
            None if holder.is_some() => self.beyond.entry(cell).or_insert(Timeline::EMPTY),
            None => match self.beyond.get_mut(&cell) {
                Some(head) => head,
                None => return,
            },
        };
        let old = Span::new(head[0], head[1]);
        let covers = span.start <= old.start && old.end <= span.end || old.end <= self.past;
        let is_beside = span.end <= old.start || old.end <= span.start;
        match (Timeline::of(*head), holder) {
            (_, None) if is_beside => {}
            (Timeline::One(_), Some(holder)) if covers || old.is_empty() => *head = Piece { span, holder }.stored(),
            (Timeline::One(one), Some(holder))
                if one.holder == holder && old.start <= span.end && span.start <= old.end =>
            {
                [head[0], head[1]] = [old.start.min(span.start), old.end.max(span.end)];
            }
            (Timeline::One(_), None) if covers => *head = Timeline::EMPTY,
            (Timeline::One(_), None) if span.start <= old.start => head[0] = span.end,
            (Timeline::One(_), None) if old.end <= span.end => head[1] = span.start,
            (Timeline::One(one), _) => {
                let block = self.blocks.make(cell, one);
                *head = splice(&mut self.blocks, block, span, holder, self.past);
            }
            (Timeline::Many(block), _) => *head = splice(&mut self.blocks, block, span, holder, self.past),
        }
        let end = head[1];
        if self.is_flat(cell) {
            self.groups[cell.index() / GROUP_SIZE].change(old.end, end);
        }
    }

    fn forget_before(&mut self, now: Tick) {
        self.past = now.max(self.past);
        let fewest_pages = (self.groups.len() / FEW_PAGES).max(FEW);
        if self.blocks.used() + self.beyond.len() >= self.due.max(FEW)
            || self.heads.used_pages() >= self.pages_due.max(fewest_pages)
        {
            self.drop_past();
            self.due = 2 * (self.blocks.used() + self.beyond.len());
            self.pages_due = self.heads.used_pages() * 3 / 2;
        }
    }

    fn clear(&mut self) {
        self.heads.reset(self.heads.room());
        self.groups.fill(Group::EMPTY);
        self.beyond.clear();
        self.blocks.clear();
        self.past = 0;
        self.due = 0;
        self.pages_due = 0;
    }
}

/// Sets the holder of `span` in the list of `block`; `None`: free. Forgets what is over. Returns the head of the list.
fn splice(blocks: &mut Blocks, block: Block, span: Span, holder: Option<HolderId>, past: Tick) -> Stored {
    let pieces = blocks.pieces(block);
    let over = pieces.iter().take_while(|[_, end, _]| *end <= past).count();
    // The pieces that overlap or touch the span. Nearly always they are few, and last.
    let pieces = &pieces[over..];
    let past_it = pieces.iter().rev().take_while(|[start, ..]| *start > span.end).count();
    let met = pieces.iter().rev().skip(past_it).take_while(|[_, end, _]| *end >= span.start).count();
    let (first, end) = (pieces.len() - past_it - met, pieces.len() - past_it);
    let met = &pieces[first..end];
    let left = |stored: &Stored| Piece { span: Span::new(stored[0], span.start), ..Piece::from(*stored) };
    let right = |stored: &Stored| Piece { span: Span::new(span.end, stored[1]), ..Piece::from(*stored) };
    let mut before = met.first().map(left).filter(|left| !left.span.is_empty());
    let mut after = met.last().map(right).filter(|right| !right.span.is_empty());
    let mut assigned = holder.map(|holder| Piece { span, holder });
    // Adjacent pieces of one holder are one.
    if let Some(assigned) = &mut assigned {
        if let Some(same) = before.take_if(|left| left.holder == assigned.holder) {
            assigned.span.start = same.span.start;
        }
        if let Some(same) = after.take_if(|right| right.holder == assigned.holder) {
            assigned.span.end = same.span.end;
        }
    }
    let mut news = [Piece::NONE; 3];
    let mut count = 0;
    for piece in [before, assigned, after].into_iter().flatten() {
        news[count] = piece;
        count += 1;
    }
    let (first, end) = (if first > 0 { over + first } else { 0 }, over + end);
    let block = blocks.splice(block, (first, end), &news[..count]);
    let block = if first > 0 && over > 0 { blocks.splice(block, (0, over), &[]) } else { block };
    head_of(blocks, block)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells with flat heads, and others.
    #[test]
    fn lists_that_are_over_and_never_looked_at_again_give_their_memory_back() {
        let mut storage = Intervals::new(20_000, 10_000);
        for now in (0..).step_by(10).take(2000) {
            storage.forget_before(now);
            // Five cells that are not looked at again for long.
            for cell in (0..5).map(|cell| CellId((now / 2 + cell) * 7 % 20_000)) {
                for (start, holder) in (0..12).map(|start| (now + start, start % 2)) {
                    storage.assign(cell, Span::tick(start), Some(HolderId(holder)));
                }
                assert_eq!(storage.held().filter(|(held, _)| *held == cell).count(), 12);
            }
            assert!(storage.blocks.used() + storage.beyond.len() < 2 * FEW, "{now}");
        }
        storage.forget_before(1_000_000);
        assert_eq!(storage.held().count(), 0);
    }

    #[test]
    fn pages_in_which_all_is_over_give_their_memory_back() {
        // Ten cells at a time are held, each for a while, and by two in turn: all over the map, one after the other.
        let cells = 1 << 20;
        let mut storage = Intervals::new(cells, cells);
        let mut most = 0;
        for now in 0..20_000 {
            storage.forget_before(now);
            let cell = CellId(now * 64 * 7 % (1 << 20) + now % 64);
            storage.assign(cell, Span::new(now, now + 5), Some(HolderId(1)));
            storage.assign(cell, Span::new(now + 5, now + 10), Some(HolderId(2)));
            assert_eq!(storage.held().map(|(_, piece)| piece.span.end - piece.span.start.max(now)).sum::<u32>(), {
                (1..=10).rev().take(now as usize + 1).sum::<u32>()
            });
            most = most.max(storage.heads.used_pages());
        }
        assert!(most <= cells / GROUP_SIZE / FEW_PAGES, "{most}");
        // What is held for ever stays.
        for cell in (0..20_000).map(|number| CellId(number * 50)) {
            storage.assign(cell, Span::endless(20_000), Some(HolderId(1)));
        }
        storage.forget_before(1 << 20);
        assert_eq!((storage.held().count(), storage.heads.used_pages()), (20_000, 15_625));
    }

    #[test]
    fn pages_take_memory_when_a_cell_in_them_is_held() {
        // Cells up to 1023 are in pages; there are cells beyond.
        let mut storage = Intervals::new(2000, 1000);
        let empty = storage.heads.bytes();
        (0..2000).map(CellId).for_each(|cell| storage.assign(cell, Span::new(3, 9), None));
        assert_eq!((storage.heads.bytes(), storage.beyond.len()), (empty, 0));
        let held: Vec<(CellId, Span)> =
            [0, 999, 1010, 1023, 1024, 1999].map(|cell| (CellId(cell), Span::new(cell % 7, 20))).into();
        held.iter().for_each(|(cell, span)| storage.assign(*cell, *span, Some(HolderId(cell.0 % 5))));
        let page = GROUP_SIZE * size_of::<Stored>();
        assert_eq!((storage.heads.bytes(), storage.beyond.len()), (empty + 2 * page, 2));
        let mut found: Vec<(CellId, Span)> = storage.held().map(|(cell, piece)| (cell, piece.span)).collect();
        found.sort_unstable_by_key(|(cell, _)| *cell);
        assert_eq!(found, held);
        for (cell, span) in held {
            let mut seen = None;
            let _ = storage.visit(cell, Span::new(0, 99), |piece, holder| {
                seen = Some((piece, holder));
                ControlFlow::Continue(())
            });
            assert_eq!(seen, Some((span, HolderId(cell.0 % 5))), "{cell:?}");
            storage.assign(cell, Span::new(0, 99), None);
        }
        assert_eq!(storage.held().count(), 0);
        storage.clear();
        assert_eq!(storage.heads.bytes(), empty);
    }
}
