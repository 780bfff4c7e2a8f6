//! A breadth-first search on a grid, in tiles of 8 x 8 cells: one operation on a word moves all cells of a tile by one
//! step, or labels them.

mod written;

use giveway_core::NodeId;
use giveway_core::origins::{HEADING_BITS, TileOrder, Tiles};
use giveway_core::paged::Paged;

/// The nodes of one distance, board by board, and the distances of all nodes that have been seen. A board is a tile, or
/// a tile under one of four headings.
#[derive(Clone, Debug)]
pub(super) struct Tiled {
    /// By board: the cells that have been seen before the step under way, and the cells that are seen in this step.
    /// Zeroed memory, so that untouched pages cost nothing.
    seen: Vec<[u64; 2]>,
    /// By board.
    labels: Paged<Labels, 8>,
    /// The boards with cells of the frontier, and these cells.
    frontier: Vec<(u32, u64)>,
    /// The boards on which cells are seen in the step under way, and room for more.
    coming: Vec<u32>,
    order: TileOrder,
    /// The number of cells in the frontier.
    cells: u64,
    /// For how many of them fuel was paid.
    pub(super) paid: u64,
    /// The labels of cells that are seen long after the first ones of their tile, as behind a long wall; without room
    /// until there is one.
    late: Paged<u16>,
}

/// The labels of a board.
///
/// * [`FIRST`]: the first label on the board.
/// * From [`BEHIND`] on, the bits of a number for each cell, in words of a bit per cell: its label less the first one,
///   or [`LATE`].
type Labels = [u64; 6];

const FIRST: usize = 0;
const BEHIND: usize = 1;

/// The number of these words.
const WORDS: usize = size_of::<Labels>() / size_of::<u64>() - BEHIND;

/// In place of the number for cells whose labels are in [`Tiled::late`].
const LATE: u16 = 31;

const BITS: [[u64; WORDS]; LATE as usize + 1] = bits_of_numbers();

/// For each number below `NUMBERS`, its last `WORDS` bits, each as a word of equal bits.
pub(super) const fn bits_of_numbers<const WORDS: usize, const NUMBERS: usize>() -> [[u64; WORDS]; NUMBERS] {
    let mut bits = [[0; WORDS]; NUMBERS];
    let mut place = 0;
    while place < NUMBERS * WORDS {
        let (number, bit) = (place / WORDS, place % WORDS);
        bits[number][bit] = (number as u64 >> bit & 1).wrapping_neg();
        place += 1;
    }
    bits
}

/// The westernmost column of a tile.
pub(super) const WEST: u64 = 0x0101_0101_0101_0101;
pub(super) const EAST: u64 = WEST << 7;

impl Tiled {
    /// The frontier of `goals`, which get the label 1.
    pub(super) fn new(tiles: Tiles<'_>, goals: impl Iterator<Item = NodeId>) -> Self {
        let count = tiles.boards();
        let mut tiled = Self {
            seen: vec![[0; 2]; count],
            labels: Paged::new(),
            frontier: Vec::new(),
            coming: Vec::new(),
            order: tiles.order(),
            cells: 0,
            paid: 0,
            late: Paged::new(),
        };
        tiled.labels.reset(count);
        for goal in goals {
            let number = tiled.order.number(goal);
            let Some([_, coming]) = tiled.seen.get_mut(number / 64) else { continue };
            if *coming == 0 {
                #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
                tiled.coming.push((number / 64) as u32);
            }
            *coming |= 1 << (number % 64);
        }
        tiled.turn_over(tiled.coming.len(), 1);
        // No move leads to a goal that is closed.
        for (tile, cells) in &mut tiled.frontier {
            *cells &= tiles.open_on(*tile);
        }
        tiled
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let lists = size_of_val(&self.frontier[..]) + size_of_val(&self.coming[..]);
        self.labels.bytes() + Self::seen_bytes(self.labels.bytes()) + lists + self.late.bytes()
    }

    /// The bytes of `seen` that are in use, if the labels in use take `labels` bytes: both are for about equally many
    /// tiles.
    #[inline]
    const fn seen_bytes(labels: usize) -> usize {
        labels / size_of::<Labels>() * size_of::<[u64; 2]>()
    }

    /// How many bytes it takes at most in a space of nodes below `bound`, with at most twice as many cells in its
    /// tiles.
    #[cfg(feature = "rayon")]
    pub(super) const fn most_bytes(bound: usize) -> usize {
        let tiles = (2 * bound).div_ceil(64);
        let labels = Paged::<Labels, 8>::most_bytes(tiles);
        let lists = tiles * size_of::<(u32, u64)>() + (tiles + 1) * size_of::<u32>();
        labels + Self::seen_bytes(labels) + lists + Paged::<u16>::most_bytes(2 * bound)
    }

    /// The number of cells in the frontier; 0: everything has been seen.
    pub(super) fn cells(&self) -> u64 {
        self.cells
    }

    /// Whether its boards are those of `tiles`.
    #[inline]
    pub(super) fn is_in(&self, tiles: Tiles<'_>) -> bool {
        (tiles.order(), tiles.boards()) == (self.order, self.seen.len())
    }

    /// The cells of the frontier.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.frontier.iter().flat_map(|(tile, cells)| self.order.nodes(*tile, *cells))
    }

    /// The cells that have been seen.
    pub(super) fn all_seen(&self) -> impl Iterator<Item = NodeId> {
        self.seen.iter().zip(0..).flat_map(|([seen, _], tile)| self.order.nodes(tile, *seen))
    }

    /// The label of a cell; 0: it was not seen.
    #[inline(always)]
    pub(super) fn label(&self, cell: NodeId) -> u16 {
        let number = self.order.number(cell);
        let seen = self.seen.get(number / 64).map_or(0, |[seen, _]| *seen);
        if seen >> (number % 64) & 1 == 0 {
            return 0;
        }
        let Some(labels) = self.labels.find(number / 64) else { return 0 };
        let bit = |word: &u64| word >> (number % 64) & 1;
        let behind = labels[BEHIND..].iter().rev().fold(0, |number, word| number << 1 | bit(word));
        if behind == u64::from(LATE) {
            return self.late.get(number);
        }
        #[allow(clippy::cast_possible_truncation)] // a label
        {
            (labels[FIRST] + behind) as u16
        }
    }

    /// Sets the label of a cell that is not in the frontier; 0: it was not seen. Returns whether there is such a cell.
    pub(super) fn set_label(&mut self, cell: NodeId, label: u16) -> bool {
        let (tile, bit) = (self.order.number(cell) / 64, 1 << (self.order.number(cell) % 64));
        let tiles = self.seen.len();
        let Some([seen, _]) = self.seen.get_mut(tile) else { return false };
        *seen &= !bit;
        let others = *seen;
        if label == 0 {
            return true;
        }
        *seen |= bit;
        #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
        let number = tile as u32;
        let first = self.labels.find(tile).map_or(0, |labels| labels[FIRST]);
        if others == 0 || u64::from(label) < first {
            // All labels of a tile are counted from the first one.
            let known: Vec<(NodeId, u16)> =
                self.order.nodes(number, others).map(|other| (other, self.label(other))).collect();
            let Some(labels) = self.labels.get_mut(tile) else { return false };
            *labels = Labels::default();
            labels[FIRST] = label.into();
            return known.into_iter().all(|(other, known)| self.set_label(other, known));
        }
        let Some(labels) = self.labels.get_mut(tile) else { return false };
        #[allow(clippy::cast_possible_truncation)] // at most `LATE`
        let behind = (u64::from(label) - first).min(u64::from(LATE)) as usize;
        for (word, bits) in labels[BEHIND..].iter_mut().zip(BITS[behind]) {
            *word = *word & !bit | bits & bit;
        }
        if behind == usize::from(LATE) {
            label_late(&mut self.late, tiles, (number, bit), label);
        }
        true
    }

    /// Goes one step: the cells beside the frontier that have not been seen are the new frontier, and get `label`.
    pub(super) fn step(&mut self, tiles: Tiles<'_>, label: u16) {
        let count = see_beside(&self.frontier, &mut self.seen, &mut self.coming, tiles);
        self.turn_over(count, label);
        if count == 0 {
            // Everything is known: free the lists.
            (self.frontier, self.coming) = (Vec::new(), Vec::new());
        }
    }

    /// Makes the cells seen last, in `count` tiles, the frontier, and labels them.
    #[inline(always)]
    fn turn_over(&mut self, count: usize, label: u16) {
        self.frontier.clear();
        self.frontier.reserve(count);
        (self.cells, self.paid) = (0, 0);
        for tile in &self.coming[..count] {
            let [seen, coming] = &mut self.seen[*tile as usize];
            let cells = std::mem::take(coming);
            *seen |= cells;
            self.frontier.push((*tile, cells));
            self.cells += u64::from(cells.count_ones());
            let Some(labels) = self.labels.get_mut(*tile as usize) else { continue };
            if labels[FIRST] == 0 {
                labels[FIRST] = u64::from(label);
            }
            #[allow(clippy::cast_possible_truncation)] // at most `LATE`
            let behind = u64::from(label).wrapping_sub(labels[FIRST]).min(u64::from(LATE)) as usize;
            for (word, bits) in labels[BEHIND..].iter_mut().zip(BITS[behind]) {
                *word |= cells & bits;
            }
            if behind == usize::from(LATE) {
                label_late(&mut self.late, self.seen.len(), (*tile, cells), label);
            }
        }
    }
}

/// Sees the nodes from which one move leads to the `frontier`, unless they have been seen before: the second words of
/// `seen`, by board. Lists the boards where there are such nodes as the first of `coming`, and returns how many.
pub(super) fn see_beside(
    frontier: &[(u32, u64)],
    seen: &mut [[u64; 2]],
    coming: &mut Vec<u32>,
    tiles: Tiles<'_>,
) -> usize {
    // From each board, cells of at most five boards are seen. What comes last is written even if it is not new.
    let room = (frontier.len() * 5).min(seen.len()) + 1;
    if coming.len() < room {
        coming.resize(room, 0);
    }
    if tiles.are_poses() { see_poses(frontier, seen, coming, tiles) } else { see_cells(frontier, seen, coming, tiles) }
}

/// What can be seen from here on. The ids of nodes have `BITS` bits for the heading.
fn sight<'a, const BITS: u32>(seen: &'a mut [[u64; 2]], coming: &'a mut [u32], tiles: Tiles<'a>) -> Sight<'a, BITS> {
    // Slices of one length, so that one test of a bound is enough.
    let bound = (seen.len() >> BITS).min(tiles.open().len());
    Sight { open: &tiles.open()[..bound], seen: &mut seen[..bound << BITS], coming, count: 0 }
}

/// Sees the poses from which one move leads to the frontier. Returns on how many boards.
fn see_poses(frontier: &[(u32, u64)], seen: &mut [[u64; 2]], coming: &mut [u32], tiles: Tiles<'_>) -> usize {
    let mut sight = sight::<HEADING_BITS>(seen, coming, tiles);
    let per_row = tiles.per_row() as usize;
    for (board, cells) in frontier {
        let (tile, heading, cells) = ((board >> HEADING_BITS) as usize, board & 3, *cells);
        // Steps east, south, west and north begin behind the cells where they end.
        let (inside, beyond, neighbour) = match heading {
            0 => ((cells & !WEST) >> 1, (cells & WEST) << 7, tile.wrapping_sub(1)),
            1 => (cells >> 8, cells << 56, tile.wrapping_sub(per_row)),
            2 => ((cells & !EAST) << 1, (cells & EAST) >> 7, tile + 1),
            _ => (cells << 8, cells >> 56, tile + per_row),
        };
        let on = |tile: usize, heading: u32| (tile << HEADING_BITS) + (heading & 3) as usize;
        sight.see(on(tile, heading), inside);
        if beyond != 0 {
            sight.see(on(neighbour, heading), beyond);
        }
        sight.see(on(tile, heading + 1), cells);
        sight.see(on(tile, heading + 3), cells);
    }
    sight.count
}

/// Sees the cells beside the frontier. Returns in how many tiles.
fn see_cells(frontier: &[(u32, u64)], seen: &mut [[u64; 2]], coming: &mut [u32], tiles: Tiles<'_>) -> usize {
    let mut sight = sight::<0>(seen, coming, tiles);
    let per_row = tiles.per_row() as usize;
    for (tile, cells) in frontier {
        let (tile, cells) = (*tile as usize, *cells);
        sight.see(tile, (cells & !EAST) << 1 | (cells & !WEST) >> 1 | cells << 8 | cells >> 8);
        // Only cells at the edge of the tile lead out of it. Beyond the first and the last tile there is nothing.
        if cells & EAST != 0 {
            sight.see(tile + 1, (cells & EAST) >> 7);
        }
        if cells & WEST != 0 {
            sight.see(tile.wrapping_sub(1), (cells & WEST) << 7);
        }
        if cells >> 56 != 0 {
            sight.see(tile + per_row, cells >> 56);
        }
        if cells << 56 != 0 {
            sight.see(tile.wrapping_sub(per_row), cells << 56);
        }
    }
    sight.count
}

/// What changes in a step.
struct Sight<'a, const BITS: u32> {
    /// By tile.
    open: &'a [u64],
    /// By board.
    seen: &'a mut [[u64; 2]],
    /// The boards on which cells are seen, and room for more.
    coming: &'a mut [u32],
    /// The number of these boards.
    count: usize,
}

impl<const BITS: u32> Sight<'_, BITS> {
    /// Sees the `cells` of `board` that are open and were not seen before. There must be room for a board.
    ///
    /// No branch depends on the cells: which tiles change is hard to predict, and a wrong prediction costs as much as
    /// several tiles.
    #[inline(always)]
    fn see(&mut self, board: usize, cells: u64) {
        if board >= self.open.len() << BITS {
            return;
        }
        let (open, [seen, coming]) = (self.open[board >> BITS], &mut self.seen[board]);
        let new = cells & open & !*seen;
        let is_first = (*coming == 0) & (new != 0);
        *coming |= new;
        if let Some(place) = self.coming.get_mut(self.count) {
            #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
            {
                *place = board as u32;
            }
            self.count += usize::from(is_first);
        }
    }
}

/// Notes the `label` of `cells` of `tile`; there are `tiles` tiles.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// The number of tiles in a row, and by tile the open cells, of a grid of `width` x `height` cells with walls where
    /// `is_wall` says so.
    fn open_cells(width: u32, height: u32, is_wall: impl Fn(u32, u32) -> bool) -> (u32, Vec<u64>) {
        let per_row = width / 8 + 1;
        let mut open = vec![0_u64; (per_row * height.div_ceil(8)) as usize];
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|(x, y)| !is_wall(*x, *y)) {
            open[(y / 8 * per_row + x / 8) as usize] |= 1 << (y % 8 * 8 + x % 8);
        }
        (per_row, open)
    }

    /// Whether a search from `goal` gives each node its `expected` label, step by step.
    fn check(tiles: Tiles<'_>, goal: u32, expected: &[u16]) -> Tiled {
        let mut tiled = Tiled::new(tiles, std::iter::once(NodeId(goal)));
        let mut label = 1;
        while tiled.cells() > 0 {
            let found: Vec<u16> = NodeId::below(expected.len()).map(|node| tiled.label(node)).collect();
            let so_far: Vec<u16> = expected.iter().map(|known| if *known <= label { *known } else { 0 }).collect();
            assert_eq!(found, so_far, "after {label} steps");
            label += 1;
            tiled.step(tiles, label);
        }
        assert_eq!(tiled.all_seen().count(), expected.iter().filter(|known| **known > 0).count());
        assert!(label > *expected.iter().max().unwrap());
        tiled
    }

    /// Compares the labels with the labels of a plain breadth-first search from cell 0.
    fn labelled(width: u32, height: u32, is_wall: impl Fn(u32, u32) -> bool) {
        let (per_row, open) = open_cells(width, height, &is_wall);
        let mut expected = vec![0_u16; (width * height) as usize];
        let mut queue = VecDeque::from([(0, 0, 1)]);
        while let Some((x, y, label)) = queue.pop_front() {
            let known = &mut expected[(y * width + x) as usize];
            if is_wall(x, y) || *known > 0 {
                continue;
            }
            *known = label;
            let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            queue.extend(beside.into_iter().filter(|(x, y)| *x < width && *y < height).map(|(x, y)| (x, y, label + 1)));
        }
        let tiles = Tiles::new(width, per_row, &open);
        check(tiles, 0, &expected);
    }

    /// As `labelled`, for poses: a step forward, or a turn by 90 degrees.
    fn labelled_poses(width: u32, height: u32, goal: u32, is_wall: impl Fn(u32, u32) -> bool) {
        let (per_row, open) = open_cells(width, height, &is_wall);
        let mut expected = vec![0_u16; (width * height * 4) as usize];
        let mut queue = VecDeque::from([(goal / 4 % width, goal / 4 / width, goal % 4, 1)]);
        while let Some((x, y, heading, label)) = queue.pop_front() {
            let known = &mut expected[((y * width + x) * 4 + heading) as usize];
            if is_wall(x, y) || *known > 0 {
                continue;
            }
            *known = label;
            // East, south, west, north.
            let behind = [(x.wrapping_sub(1), y), (x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1)][heading as usize];
            if behind.0 < width && behind.1 < height {
                queue.push_back((behind.0, behind.1, heading, label + 1));
            }
            queue.extend([1, 3].map(|turn| (x, y, (heading + turn) % 4, label + 1)));
        }
        let tiles = Tiles::new(width, per_row, &open).poses();
        for node in 0..width * height * 4 {
            let origins = tiles.origins(NodeId(node)).count();
            assert!(if is_wall(node / 4 % width, node / 4 / width) { origins == 0 } else { (2..4).contains(&origins) });
        }
        let mut tiled = check(tiles, goal, &expected);
        let all: Vec<NodeId> = tiled.all_seen().collect();
        assert!(all.iter().all(|pose| tiled.set_label(*pose, 7) && tiled.label(*pose) == 7));
    }

    #[test]
    fn labels_of_poses_are_those_of_a_plain_search() {
        for goal in 0..4 {
            labelled_poses(21, 19, goal, |_, _| false);
            labelled_poses(16, 17, (5 * 16 + 7) * 4 + goal, |x, y| (x * 7 + y * 5) % 4 == 3);
            labelled_poses(7, 64, goal, |x, y| x == 2 && y + 1 < 64 || x == 4 && y > 0);
            labelled_poses(31, 31, goal, |x, y| y % 2 == 1 && (if y % 4 == 1 { x + 1 < 31 } else { x > 0 }));
        }
    }

    #[test]
    fn labels_are_those_of_a_plain_search() {
        labelled(21, 19, |_, _| false);
        // Tiles with cells that are seen 29, 30, 31 and 32 steps after their first ones, and much later.
        for height in [12, 13, 14, 15, 16, 17, 18, 19, 20, 64, 400] {
            labelled(7, height, |x, y| x == 2 && y + 1 < height || x == 4 && y > 0);
        }
        // Corridors to and fro.
        labelled(31, 31, |x, y| y % 2 == 1 && (if y % 4 == 1 { x + 1 < 31 } else { x > 0 }));
    }
}
