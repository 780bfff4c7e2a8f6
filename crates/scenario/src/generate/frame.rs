//! The frame of a map: its columns and rows, and the numbers of its cells.

use super::error::CannotGenerate;

/// The sides of a map; it has at least one cell, and fewer than 2^30.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Frame {
    /// # Errors
    /// There are no cells, or more than `most`.
    pub(super) fn new(width: u32, height: u32, most: u32) -> Result<Self, CannotGenerate> {
        if width == 0 || height == 0 {
            return Err(CannotGenerate::Empty);
        }
        if u64::from(width) * u64::from(height) > u64::from(most) {
            return Err(CannotGenerate::TooManyCells { width, height, most });
        }
        Ok(Self { width, height })
    }

    /// The number of cells.
    pub(super) fn cells(self) -> u32 {
        self.width * self.height
    }

    /// Cells that are all free, or all walls, row by row.
    pub(super) fn filled(self, free: bool) -> Vec<bool> {
        vec![free; self.cells() as usize]
    }

    /// The position of the cell (x, y), which is in the frame, among all cells, row by row.
    pub(super) fn index(self, x: u32, y: u32) -> usize {
        (y * self.width + x) as usize
    }
}
