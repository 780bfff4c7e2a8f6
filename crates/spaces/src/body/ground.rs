//! The ground: the raster of reservation cells on which bodies of all classes stand.

use giveway_core::{Cells, ConflictRule};

use crate::grid::Grid;

/// How large reservation cells are, compared with the cells of the map.
///
/// Finer cells let bodies come nearer to each other, and cost more entries for each motion; coarser ones the other way round.
/// A coarser raster, by a whole multiple, never permits more than a finer one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Granularity {
    /// As large as the cells of the map.
    #[default]
    Same,
    /// So many to each side of a cell of the map.
    Finer(u32),
    /// So many cells of the map to each side of one of them.
    Coarser(u32),
}

/// The raster of reservation cells over a grid. All classes of a crowd need the same one.
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

/// Finer cells than these take time and memory out of proportion.
const FINEST: u32 = 16;
/// There is a table of what is met for each way in which a cell of the map may lie in one of the raster: for the square of this many.
const COARSEST: u32 = 64;

impl Ground {
    /// The ground of `grid`, whose reservation cells are its cells.
    pub fn from_grid(grid: &Grid) -> Self {
        Self { width: grid.width(), height: grid.height(), granularity: Granularity::Same }
    }

    /// The same with larger or smaller cells: up to 16 to a side of a cell of the map, or 64 cells of the map to a side. More than that is
    /// taken for that, 0 for 1; and what would leave no room for the ids of cells for the largest that does.
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

    /// The reservation cells: a place for each cell of the raster, row by row.
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

    /// Columns and rows of the raster.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.width, self.height].map(|side| match self.granularity {
            Granularity::Same => side,
            Granularity::Finer(finer) => side * finer,
            Granularity::Coarser(coarser) => side.div_ceil(coarser),
        })
    }

    /// How long a side of a raster's cell is in world units.
    pub(super) fn side(&self) -> f64 {
        match self.granularity {
            Granularity::Same => 1.0,
            Granularity::Finer(finer) => 1.0 / f64::from(finer),
            Granularity::Coarser(coarser) => f64::from(coarser),
        }
    }

    /// In how many ways, for each axis, a cell of the map may lie in one of the raster.
    pub(super) fn phases(&self) -> u32 {
        match self.granularity {
            Granularity::Coarser(coarser) => coarser,
            _ => 1,
        }
    }

    /// The raster's cell, as column or row, in which the middle of the map's cell `at` lies.
    #[inline]
    pub(super) fn locate(&self, at: u32) -> u32 {
        match self.granularity {
            Granularity::Same => at,
            Granularity::Finer(finer) => at * finer + finer / 2,
            Granularity::Coarser(coarser) => at / coarser,
        }
    }

    /// Where the raster's cell in which the middle of the map's cell `at` lies has its least coordinate, seen from there.
    pub(super) fn corner(&self, at: u32) -> f64 {
        f64::from(self.locate(at)) * self.side() - 0.5 - f64::from(at)
    }
}
