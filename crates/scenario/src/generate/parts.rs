//! The connected parts of a map: within a part every cell can be reached from every other by straight steps.

use std::cmp::Reverse;

use super::frame::Frame;

/// The free cells of a map, part by part, the largest first; among equals the part whose first cell comes first.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The cells, part by part.
    cells: Vec<u32>,
    parts: Vec<Part>,
}

/// The range of a part's cells.
#[derive(Clone, Copy, Debug)]
struct Part {
    begin: u32,
    end: u32,
}

impl Parts {
    /// The parts of the map with these `free` cells.
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

    /// The number of free cells.
    #[allow(clippy::cast_possible_truncation)] // there are fewer than 2^30
    pub(super) fn cells(&self) -> u32 {
        self.cells.len() as u32
    }

    /// The number of parts.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The cells of the largest part; 0 if there is none.
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
