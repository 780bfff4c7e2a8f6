//! Random maps: walls anywhere, by the density, as in the benchmark's `random-32-32-20`.

use super::chance::{Chance, Density, Draw};
use super::frame::Frame;

/// At least one cell is free.
pub(super) fn random(frame: Frame, density: Density, chance: &mut Chance) -> Vec<bool> {
    let cells = frame.cells();
    let mut walls = Draw::new(density.of(cells).min(cells - 1), cells);
    (0..cells).map(|_| !walls.next(chance)).collect()
}
