//! The connected parts of a map: in each one can go from everywhere to everywhere, by straight steps.

use std::cmp::Reverse;

use super::frame::Frame;

/// The free cells of a map, part by part, the largest first; of equal parts the one whose first cell comes first.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// All cells of a part stand together.
    cells: Vec<u32>,
    parts: Vec<Part>,
}

/// Which of the cells are a part's.
#[derive(Clone, Copy, Debug)]
struct Part {
    begin: u32,
    end: u32,
}

impl Parts {
    /// The parts of the map of which `free` says which cells are free.
    pub(super) fn new(frame: Frame, free: &[bool]) -> Self {
        let mut unseen = free.to_vec();
        let mut cells = Vec::with_capacity(free.iter().filter(|free| **free).count());
        let mut parts = Vec::new();
        let width = frame.width;
        for first in 0..frame.cells() {
            let begin = cells.len();
            let mut next = begin;
            meet(first, &mut unseen, &mut cells);
            while let Some(cell) = cells.get(next).copied() {
                next += 1;
                let x = cell % width;
                let neighbours = [
                    (x + 1 < width).then_some(cell + 1),
                    Some(cell + width),
                    x.checked_sub(1).map(|_| cell - 1),
                    cell.checked_sub(width),
                ];
                for neighbour in neighbours.into_iter().flatten() {
                    meet(neighbour, &mut unseen, &mut cells);
                }
            }
            if next > begin {
                #[allow(clippy::cast_possible_truncation)] // there are fewer cells than 2^30
                parts.push(Part { begin: begin as u32, end: next as u32 });
            }
        }
        parts.sort_by_key(|part| Reverse(part.end - part.begin));
        Self { cells, parts }
    }

    /// The cells of each part.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.parts.iter().map(|part| &self.cells[part.begin as usize..part.end as usize])
    }

    /// How many free cells there are.
    #[allow(clippy::cast_possible_truncation)] // there are fewer than 2^30
    pub(super) fn cells(&self) -> u32 {
        self.cells.len() as u32
    }

    /// How many parts there are.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// How many cells the largest part has; 0 if there is none.
    pub(super) fn largest(&self) -> u32 {
        self.parts.first().map_or(0, |part| part.end - part.begin)
    }
}

/// Adds `cell` to `cells`, unless it was seen, is a wall, or is below the last row.
fn meet(cell: u32, unseen: &mut [bool], cells: &mut Vec<u32>) {
    if let Some(unseen) = unseen.get_mut(cell as usize)
        && std::mem::take(unseen)
    {
        cells.push(cell);
    }
}
