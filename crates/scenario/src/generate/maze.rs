//! Mazes: corridors one cell wide, by a random depth-first walk, then with some inner walls broken through.
//!
//! Junctions are the cells with even coordinates. A step of the walk opens the cell between two junctions; walls that
//! remain between two junctions are inner walls.

use rand::Rng as _;

use super::chance::{Chance, Density, Draw};
use super::frame::Frame;

pub(super) fn maze(frame: Frame, density: Density, chance: &mut Chance) -> Vec<bool> {
    let mut free = frame.filled(false);
    walk(frame, &mut free, chance);
    break_through(frame, density, &mut free, chance);
    free
}

/// Opens corridors to all junctions, without loops.
fn walk(frame: Frame, free: &mut [bool], chance: &mut Chance) {
    let mut way = vec![(0, 0)];
    free[0] = true;
    while let Some((x, y)) = way.last().copied() {
        let mut next = [(x, y); 4];
        let mut count = 0_u32;
        let neighbours = [
            (x + 2 < frame.width).then(|| (x + 2, y)),
            (y + 2 < frame.height).then(|| (x, y + 2)),
            (x >= 2).then(|| (x - 2, y)),
            (y >= 2).then(|| (x, y - 2)),
        ];
        for (x, y) in neighbours.into_iter().flatten() {
            if !free[frame.index(x, y)] {
                next[count as usize] = (x, y);
                count += 1;
            }
        }
        if count == 0 {
            way.pop();
            continue;
        }
        let (to_x, to_y) = next[chance.random_range(0..count) as usize];
        free[frame.index(u32::midpoint(x, to_x), u32::midpoint(y, to_y))] = true;
        free[frame.index(to_x, to_y)] = true;
        way.push((to_x, to_y));
    }
}

/// Opens inner walls, except for the share `density`.
fn break_through(frame: Frame, density: Density, free: &mut [bool], chance: &mut Chance) {
    let between = || {
        let inside = |line: u32, side: u32| line.is_multiple_of(2) || line + 1 < side;
        (0..frame.height)
            .flat_map(move |y| (1 - y % 2..frame.width).step_by(2).map(move |x| (x, y)))
            .filter(move |(x, y)| inside(*x, frame.width) && inside(*y, frame.height))
            .map(move |(x, y)| frame.index(x, y))
    };
    #[allow(clippy::cast_possible_truncation)] // there are fewer walls than cells
    let inner = between().filter(|cell| !free[*cell]).count() as u32;
    let mut broken = Draw::new(inner - density.of(inner), inner);
    for cell in between() {
        if !free[cell] {
            free[cell] = broken.next(chance);
        }
    }
}
