//! Blocks: lists of held spans in one arena.

use super::occupancy::HolderId;
use crate::vocabulary::{CellId, Span};

/// A held span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    pub(super) holder: HolderId,
}

/// How a piece is stored: start, end, holder. By default nothing is held.
pub(super) type Stored = [u32; 3];

impl Piece {
    /// Takes no room in a list.
    pub(super) const NONE: Self = Self { span: Span::new(0, 0), holder: HolderId(0) };

    #[inline]
    pub(super) fn stored(self) -> Stored {
        [self.span.start, self.span.end, self.holder.0]
    }
}

impl From<Stored> for Piece {
    #[inline]
    fn from([start, end, holder]: Stored) -> Self {
        Self { span: Span::new(start, end), holder: HolderId(holder) }
    }
}

/// Lists of the pieces of cells. Each list lies in a block of an arena, and blocks are used again: a crowd that runs
/// for ever needs no new memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    /// A block of size s has 2^s lines. In place of its first piece it has its length, its size and its cell.
    lines: Vec<[Stored; LINE]>,
    /// For each size, the first lines of the blocks without a list.
    unused: Vec<Vec<u32>>,
    /// The number of lines with a list.
    used: usize,
}

/// The pieces of a line: about as many as a line of the cache has.
const LINE: usize = 5;

/// A block: the position of its first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block(pub(super) u32);

impl Block {
    #[inline]
    fn head(self) -> usize {
        self.0 as usize * LINE
    }
}

impl Blocks {
    /// The number of lines with a list.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// The pieces of `block`.
    #[inline]
    pub(super) fn pieces(&self, block: Block) -> &[Stored] {
        let stored = self.lines.as_flattened();
        let first = block.head() + 1;
        &stored[first..first + stored[block.head()][0] as usize]
    }

    /// A block for `cell` with a list of `piece`.
    pub(super) fn make(&mut self, cell: CellId, piece: Piece) -> Block {
        let block = self.make_sized(0);
        let stored = self.lines.as_flattened_mut();
        stored[block.head()] = [1, 0, cell.0];
        stored[block.head() + 1] = piece.stored();
        block
    }

    /// A block of 2^`size` lines, whose list is not yet set.
    fn make_sized(&mut self, size: usize) -> Block {
        self.used += 1 << size;
        if let Some(line) = self.unused.get_mut(size).and_then(Vec::pop) {
            return Block(line);
        }
        let line = self.lines.len();
        let end = line + (1 << size);
        if end > self.lines.capacity() {
            // There are very many: doubled, their memory would be mostly unused.
            self.lines.reserve_exact(end - line + line / 8);
        }
        self.lines.resize(end, [[0; 3]; LINE]);
        // More than 2^31 lines do not fit into memory.
        Block(u32::try_from(line).unwrap_or(u32::MAX))
    }

    /// Gives up `block` and its list.
    pub(super) fn drop(&mut self, block: Block) {
        let head = &mut self.lines.as_flattened_mut()[block.head()];
        let size = head[1] as usize;
        head[0] = 0;
        self.used -= 1 << size;
        if self.unused.len() <= size {
            self.unused.resize(size + 1, Vec::new());
        }
        self.unused[size].push(block.0);
    }

    /// Replaces the pieces from `first` up to `end` of the list of `block` by `news`. The list may move to another
    /// block, which is returned.
    pub(super) fn splice(&mut self, block: Block, (first, end): (usize, usize), news: &[Piece]) -> Block {
        let [len, size, cell] = self.lines.as_flattened()[block.head()];
        let (len, size) = (len as usize, size as usize);
        let new_len = len - (end - first) + news.len();
        let room = |size: usize| (LINE << size) - 1;
        let mut at = block;
        if new_len > room(size) {
            at = self.move_to(block, size + 1);
        } else if size > 0 && new_len < room(size - 1) / 2 && first == end {
            // Only where the list grows again: not to and fro.
            at = self.move_to(block, size - 1);
        }
        let stored = self.lines.as_flattened_mut();
        let from = at.head() + 1;
        stored.copy_within(from + end..from + len, from + first + news.len());
        for (place, piece) in stored[from + first..].iter_mut().zip(news) {
            *place = piece.stored();
        }
        stored[at.head()] = [u32::try_from(new_len).unwrap_or(u32::MAX), stored[at.head()][1], cell];
        at
    }

    /// Moves a list to a block of another size.
    fn move_to(&mut self, block: Block, size: usize) -> Block {
        let at = self.make_sized(size);
        let stored = self.lines.as_flattened_mut();
        let [len, _, cell] = stored[block.head()];
        stored.copy_within(block.head() + 1..block.head() + 1 + len as usize, at.head() + 1);
        stored[at.head()] = [len, u32::try_from(size).unwrap_or(u32::MAX), cell];
        self.drop(block);
        at
    }

    /// All blocks with a list, and the cells of the lists.
    pub(super) fn every(&self) -> impl Iterator<Item = (Block, CellId)> {
        let mut line = 0;
        let blocks = std::iter::from_fn(move || {
            let [head, ..] = self.lines.get(line)?;
            let block = Block(u32::try_from(line).unwrap_or(u32::MAX));
            line += 1 << head[1];
            Some((block, *head))
        });
        blocks.filter(|(_, [len, ..])| *len > 0).map(|(block, [_, _, cell])| (block, CellId(cell)))
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
