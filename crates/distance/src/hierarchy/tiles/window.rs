//! Windows: exact distances on a strip of tiles, to the goals or to the far end of the strip.

mod written;

use std::sync::Arc;

use giveway_core::origins::Tiles;

use crate::hierarchy::division::take_units;
use crate::hierarchy::way::{FARTHER, Last};
use crate::tile_search::{bits_of_numbers, see_beside};

/// The distances of a strip. Nodes are given by 64 * board + bit.
///
/// Clones share the boards and their labels, and cost little.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Window {
    /// The boards of the strip, ascending. A board with labels that are far apart comes several times.
    boards: Arc<[u32]>,
    /// The labels of each board, in the order of `boards`.
    labels: Arc<[Labels]>,
    /// The approximate number of steps from the end of the strip to the goals.
    beyond: u32,
    /// Whether the distances lead to goals.
    pub(in super::super) is_last: bool,
}

/// The labels of one board, in a cache line of 64 bytes. A label is the number of steps from a node to the end of the
/// strip.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(align(64))]
struct Labels {
    /// A bit for each node that has a label.
    seen: u64,
    /// The least of the labels.
    first: u64,
    /// Each label less the first one, in binary: word i has bit i of each node's difference.
    more: [u64; BITS],
}

const BITS: usize = 6;

/// Labels that exceed the first label by `MOST` or more are with the labels of the board's next entry.
const MOST: u64 = 1 << BITS;

/// The bits of each difference.
const DIFFERENCES: [[u64; BITS]; 1 << BITS] = bits_of_numbers();

impl Window {
    /// The steps from the node with this `number` to the end of the strip; `None`: it is not on the strip.
    #[inline(always)] // into the one question of searches
    pub(in super::super) fn steps_to_end(&self, number: usize, last: &Last) -> Option<u32> {
        #[allow(clippy::cast_possible_truncation)] // there are fewer boards than nodes
        let (board, bit) = ((number / 64) as u32, number % 64);
        let mut at = last.find(board, &self.boards);
        // Mostly a board has one entry.
        while self.boards.get(at) == Some(&board) {
            let labels = &self.labels[at];
            if labels.seen >> bit & 1 == 1 {
                let more = labels.more.iter().rev().fold(0, |number, word| number << 1 | (word >> bit & 1));
                #[allow(clippy::cast_possible_truncation)] // steps on a strip
                return Some((labels.first + more) as u32);
            }
            at += 1;
        }
        None
    }

    /// The approximate number of steps from the node with this `number` to a goal; `None`: the node is not on the
    /// strip.
    #[inline]
    pub(in super::super) fn steps(&self, number: usize, last: &Last) -> Option<u32> {
        Some(self.steps_to_end(number, last)? + self.beyond)
    }

    /// Whether any of `boards` is on the strip.
    pub(super) fn has_any(&self, mut boards: impl Iterator<Item = u32>) -> bool {
        boards.any(|board| self.boards.binary_search(&board).is_ok())
    }

    pub(in super::super) fn bytes(&self) -> usize {
        size_of_val(&*self.boards) + size_of_val(&*self.labels)
    }
}

/// Finds windows, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowSearch {
    /// By tile: the open cells of the strip, elsewhere zeros.
    open: Vec<u64>,
    strip: Vec<u32>,
    /// By board: what has been seen, and what is seen now. Elsewhere zeros.
    seen: Vec<[u64; 2]>,
    /// By board, one more than its place in `found`. Elsewhere zeros.
    places: Vec<u32>,
    found: Vec<(u32, Labels)>,
    /// The boards of `found`, sorted, and where they are there.
    order: Vec<(u32, usize)>,
    frontier: Vec<(u32, u64)>,
    coming: Vec<u32>,
    /// The number of frontier boards not yet paid for.
    passed: u64,
}

impl WindowSearch {
    /// Adds `tile` and the tiles around it to the strip.
    pub(super) fn allow_around(&mut self, tile: u32, tiles: Tiles<'_>) {
        self.open.resize(tiles.open().len(), 0);
        let (tile, per_row) = (i64::from(tile), i64::from(tiles.per_row()));
        for row in [-per_row, 0, per_row] {
            for beside in [-1, 0, 1] {
                let Some(other) = usize::try_from(tile + row + beside).ok().filter(|other| *other < self.open.len())
                else {
                    continue;
                };
                if self.open[other] == 0 && tiles.open()[other] != 0 {
                    self.open[other] = tiles.open()[other];
                    #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
                    self.strip.push(other as u32);
                }
            }
        }
    }

    /// Adds `nodes` of `board` to the end of the strip; none, if there is no such board.
    pub(super) fn end_on(&mut self, board: u32, nodes: u64, tiles: Tiles<'_>) {
        self.seen.resize(tiles.boards(), [0; 2]);
        let Some([_, coming]) = self.seen.get_mut(board as usize) else { return };
        let nodes = nodes & tiles.with_open(&self.open).open_on(board);
        if nodes != 0 && *coming == 0 {
            self.coming.push(board);
        }
        *coming |= nodes;
    }

    /// The window of the strip, up to [`FARTHER`] steps beyond the node with the number `origin`. `beyond` is the
    /// number of steps from the end of the strip to the goals; `None`: the strip ends at goals. Returns `None` if no
    /// way leads from `origin` to the end. Clears the strip.
    pub(super) fn find(&mut self, origin: usize, beyond: Option<u32>, tiles: Tiles<'_>) -> Option<Window> {
        self.places.resize(tiles.boards(), 0);
        self.turn_over(self.coming.len(), 0);
        let mut last = None;
        for label in 1.. {
            if last.is_none() && self.seen.get(origin / 64).is_some_and(|[seen, _]| seen >> (origin % 64) & 1 == 1) {
                last = Some(label + FARTHER);
            }
            if self.frontier.is_empty() || Some(label) == last {
                break;
            }
            self.passed += self.frontier.len() as u64;
            let strip = tiles.with_open(&self.open);
            let count = see_beside(&self.frontier, &mut self.seen, &mut self.coming, strip);
            self.turn_over(count, u64::from(label));
        }
        let window = last.map(|_| {
            self.order.clear();
            self.order.extend(self.found.iter().zip(0..).map(|((board, _), at)| (*board, at)));
            self.order.sort_unstable();
            Window {
                boards: self.order.iter().map(|(board, _)| *board).collect(),
                labels: self.order.iter().map(|(_, at)| self.found[*at].1).collect(),
                beyond: beyond.unwrap_or(0),
                is_last: beyond.is_none(),
            }
        });
        self.clear();
        window
    }

    /// A search of its own, which goes on with the work that is not paid for yet.
    pub(super) fn fresh(&self) -> Self {
        Self { passed: self.passed, ..Self::default() }
    }

    /// The work since the last call, in units.
    pub(super) fn take_work(&mut self, is_large: bool) -> u64 {
        take_units(&mut self.passed, is_large)
    }

    fn clear(&mut self) {
        for (board, _) in self.found.drain(..) {
            self.seen[board as usize] = [0; 2];
            self.places[board as usize] = 0;
        }
        self.strip.drain(..).for_each(|tile| self.open[tile as usize] = 0);
        self.frontier.clear();
        self.coming.clear();
    }

    /// Labels the nodes seen last, and makes them the frontier. They are on the first `count` boards of `coming`.
    fn turn_over(&mut self, count: usize, label: u64) {
        let Self { seen, places, found, frontier, coming, .. } = self;
        frontier.clear();
        frontier.extend(coming[..count].iter().map(|board| {
            let [seen, coming] = &mut seen[*board as usize];
            let nodes = std::mem::take(coming);
            *seen |= nodes;
            let place = &mut places[*board as usize];
            let labels = match found.get_mut((*place as usize).wrapping_sub(1)) {
                Some((_, labels)) if label - labels.first < MOST => labels,
                _ => {
                    found.push((*board, Labels { first: label, ..Labels::default() }));
                    #[allow(clippy::cast_possible_truncation)] // there are fewer boards than nodes
                    {
                        *place = found.len() as u32;
                    }
                    &mut found[*place as usize - 1].1
                }
            };
            labels.seen |= nodes;
            for (word, bits) in labels.more.iter_mut().zip(DIFFERENCES[((label - labels.first) % MOST) as usize]) {
                *word |= nodes & bits;
            }
            (*board, nodes)
        }));
    }
}
