//! The ground: the raster of reservation cells that bodies of all classes share.

use giveway_core::{Cells, ConflictRule};

use crate::grid::Grid;

/// The size of reservation cells, relative to the cells of the map.
///
/// With finer cells bodies can come nearer to each other, but each motion has more entries. A raster that is coarser by a whole multiple
/// never permits more than the finer one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Granularity {
    /// One reservation cell per cell of the map.
    #[default]
    Same,
    /// This number of reservation cells to each side of a cell of the map.
    Finer(u32),
    /// This number of map cells to each side of a reservation cell.
    Coarser(u32),
}

/// The raster of reservation cells over a grid. All classes of a crowd must have equal grounds.
///
/// ```
/// use giveway_core::ConflictRule;
/// use giveway_spaces::{Granularity, Grid, Ground};
///
/// let grid = Grid::open(10, 4)?;
/// let ground = Ground::from_grid(&grid).granularity(Granularity::Finer(2));
/// assert_eq!(ground.cells().places(), 20 * 8);
/// assert_eq!(ground.cells().rule(), ConflictRule::Following);
/// # Ok::<(), giveway_spaces::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ground {
    width: u32,
    height: u32,
    granularity: Granularity,
}

/// Finer cells take too much time and memory.
const FINEST: u32 = 16;
/// The tables of cells met grow with the square of this number: there is one for each position of a map cell within a raster cell.
const COARSEST: u32 = 64;

impl Ground {
    /// The ground of `grid`; its reservation cells are the cells of the grid.
    pub fn from_grid(grid: &Grid) -> Self {
        Self { width: grid.width(), height: grid.height(), granularity: Granularity::Same }
    }

    /// Sets the size of the reservation cells: up to 16 to a side of a map cell, or up to 64 map cells to a side. Numbers out of range are
    /// clamped, 0 to 1. If the ids of cells would not fit, the finest size that fits is used.
    #[must_use]
    pub fn granularity(self, granularity: Granularity) -> Self {
        let places = |finer: u32| u64::from(self.width) * u64::from(self.height) * u64::from(finer).pow(2);
        let granularity = match granularity {
            Granularity::Same => Granularity::Same,
            Granularity::Finer(finer) => {
                let room = (2..=finer.min(FINEST)).rev().find(|finer| places(*finer) < u64::from(u32::MAX));
                room.map_or(Granularity::Same, Granularity::Finer)
            }
            Granularity::Coarser(0 | 1) => Granularity::Same,
            Granularity::Coarser(coarser) => Granularity::Coarser(coarser.min(COARSEST)),
        };
        Self { granularity, ..self }
    }

    /// The reservation cells: a place for each raster cell, row by row.
    pub fn cells(&self) -> Cells {
        let [columns, rows] = self.size();
        let granularity = match self.granularity {
            Granularity::Same => 1,
            Granularity::Finer(finer) => u64::from(finer),
            Granularity::Coarser(coarser) => u64::from(coarser) << 8,
        };
        Cells::new(ConflictRule::Following, columns * rows, 0).laid_out(u64::from(columns) << 32 | granularity)
    }

    pub(crate) fn is_of(&self, grid: &Grid) -> bool {
        (self.width, self.height) == (grid.width(), grid.height())
    }

    /// The columns and rows of the raster.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.width, self.height].map(|side| match self.granularity {
            Granularity::Same => side,
            Granularity::Finer(finer) => side * finer,
            Granularity::Coarser(coarser) => side.div_ceil(coarser),
        })
    }

    /// The side of a raster cell, in world units.
    pub(super) fn side(&self) -> f64 {
        match self.granularity {
            Granularity::Same => 1.0,
            Granularity::Finer(finer) => 1.0 / f64::from(finer),
            Granularity::Coarser(coarser) => f64::from(coarser),
        }
    }

    /// The number of positions, on each axis, of a map cell within a raster cell.
    pub(super) fn phases(&self) -> u32 {
        match self.granularity {
            Granularity::Coarser(coarser) => coarser,
            _ => 1,
        }
    }

    /// The raster column or row that contains the middle of map column or row `at`.
    #[inline]
    pub(super) fn locate(&self, at: u32) -> u32 {
        match self.granularity {
            Granularity::Same => at,
            Granularity::Finer(finer) => at * finer + finer / 2,
            Granularity::Coarser(coarser) => at / coarser,
        }
    }

    /// The least coordinate of the raster cell that contains the middle of map column or row `at`, relative to that middle.
    pub(super) fn corner(&self, at: u32) -> f64 {
        f64::from(self.locate(at)) * self.side() - 0.5 - f64::from(at)
    }
}
