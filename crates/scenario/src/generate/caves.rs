//! Caves: random walls, smoothed by a cellular automaton until they look as if water had made them.
//!
//! In each round every cell becomes what most of the 3 x 3 cells around it are, itself included. Cells beyond an edge
//! count as the cells at the edge.

use super::chance::{Chance, Density};
use super::frame::Frame;
use super::parts::Parts;
use super::random::random;

/// The number of rounds of smoothing.
const ROUNDS: u32 = 5;
/// Caves of fewer cells are filled, but never the largest.
const SMALLEST: usize = 40;

/// At least one cell is free.
pub(super) fn caves(frame: Frame, density: Density, chance: &mut Chance) -> Vec<bool> {
    let mut free = random(frame, density, chance);
    for _ in 0..ROUNDS {
        let smoothed = smooth(frame, &free);
        if !smoothed.contains(&true) {
            break;
        }
        free = smoothed;
    }
    let parts = Parts::new(frame, &free);
    for part in parts.iter().skip(1).filter(|part| part.len() < SMALLEST) {
        for cell in part {
            free[*cell as usize] = false;
        }
    }
    free
}

fn smooth(frame: Frame, free: &[bool]) -> Vec<bool> {
    let width = frame.width as usize;
    let rows: Vec<&[bool]> = free.chunks(width).collect();
    let mut smoothed = Vec::with_capacity(free.len());
    // The number of free cells among three, one above the other, by column.
    let mut columns = vec![0_u8; width];
    for (y, row) in rows.iter().enumerate() {
        let above = rows[y.saturating_sub(1)];
        let below = rows.get(y + 1).unwrap_or(row);
        for (x, column) in columns.iter_mut().enumerate() {
            *column = u8::from(above[x]) + u8::from(row[x]) + u8::from(below[x]);
        }
        smoothed.extend((0..width).map(|x| {
            let right = columns.get(x + 1).unwrap_or(&columns[x]);
            columns[x.saturating_sub(1)] + columns[x] + right >= 5
        }));
    }
    smoothed
}
