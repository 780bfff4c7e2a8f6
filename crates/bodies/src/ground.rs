//! The ground: the raster of reservation cells that bodies of all classes share, whatever their spaces.

use giveway_core::{Cells, ConflictRule};

use giveway_spaces::{Grid, NavMesh};

use crate::body_error::BodyError;

/// The size of reservation cells, relative to the cells of the map. On a ground made by [`Ground::new`], the size is
/// relative to the cell size given there.
///
/// With finer cells, bodies can come nearer to each other, but each motion has more entries. Suppose that each cell of
/// a coarse raster consists of whole cells of a fine raster. Then the fine raster permits every motion that the coarse
/// raster permits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Granularity {
    /// One reservation cell per cell of the map.
    #[default]
    Same,
    /// Each cell of the map is divided into this number of reservation cells along x, and along y.
    Finer(u32),
    /// Each reservation cell has this number of cells of the map along x, and along y.
    Coarser(u32),
}

/// A raster of reservation cells over a rectangle of the plane, on one or several levels: the common ground of a world.
/// All bodies of a crowd must have equal grounds. The spaces of the bodies may differ: a grid, a lattice of poses, a
/// graph with positions.
///
/// ```
/// use giveway_core::ConflictRule;
/// use giveway_bodies::{Granularity, Ground};
/// use giveway_spaces::Grid;
///
/// // The ground of a map, and a ground without one: 40 by 20 units from (-5, 0) on, in cells of half a unit.
/// let ground = Ground::from_grid(&Grid::open(10, 4)?).granularity(Granularity::Finer(2));
/// assert_eq!(ground.cells().places(), 20 * 8);
/// assert_eq!(ground.cells().rule(), ConflictRule::Following);
/// let ground = Ground::new([-5.0, 0.0], [40.0, 20.0], 0.5)?;
/// assert_eq!(ground.cells().places(), 80 * 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ground {
    /// The least corner.
    origin: [f64; 2],
    /// The columns and rows of cells of side `unit`.
    base: [u32; 2],
    unit: f64,
    granularity: Granularity,
    levels: Levels,
    /// Whether the places are the cells of a grid, so that points on that grid can share them.
    is_of_grid: bool,
}

/// Ranges of heights of equal size.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Levels {
    lowest: f64,
    height: f64,
    count: u32,
}

/// Finer cells take too much time and memory.
const FINEST: u32 = 16;
/// The tables of cells met grow with the square of this number: there is one for each position of a map cell within a
/// raster cell.
const COARSEST: u32 = 64;
/// Coordinates and sizes beyond this count as mistakes.
const FARTHEST: f64 = 1e6;
/// More columns or rows make stamps of long ways too large.
const LONGEST: f64 = 65_536.0;

impl Ground {
    /// The ground of `grid`, whose reservation cells are the cells of the grid.
    pub fn from_grid(grid: &Grid) -> Self {
        Self {
            origin: [-0.5, -0.5],
            base: [grid.width(), grid.height()],
            unit: 1.0,
            granularity: Granularity::Same,
            levels: Levels { lowest: 0.0, height: 1.0, count: 1 },
            is_of_grid: true,
        }
    }

    /// The ground with its least corner at `origin`, and with the two lengths `size` along x and y, divided into square
    /// cells of side `cell`. All numbers are in world units. The last column and the last row may reach farther than
    /// `size`.
    ///
    /// Cell (x, y) of a grid or lattice is the square of side 1 around (x, y). A grid can use this ground if two
    /// conditions hold:
    /// * the ground covers the grid;
    /// * a row of 1 to 64 cells of the grid is as long as a row of whole cells of the ground.
    ///
    /// Suitable sides are 1, 0.5, 0.4, 0.75 or 2, for example. The fewer cells of the grid it takes to match whole
    /// cells of the ground, the less memory a footprint takes.
    ///
    /// # Errors
    /// A number is not finite or beyond 10^6; a length or the side of cells is not positive; or there are more than
    /// 65,536 columns or rows, or more than 2^32 - 2 cells.
    pub fn new(origin: [f32; 2], size: [f32; 2], cell: f32) -> Result<Self, BodyError> {
        let (origin, size, unit) = (origin.map(f64::from), size.map(f64::from), f64::from(cell));
        let all = || origin.into_iter().chain(size).chain([unit]);
        if all().any(|number| !number.is_finite() || number.abs() > FARTHEST) {
            return Err(BodyError::GroundFar);
        }
        if size.iter().any(|side| *side <= 0.0) || unit <= 0.0 {
            return Err(BodyError::GroundEmpty);
        }
        let unit = snapped(unit);
        // A size is known to 24 bits.
        let counts = size.map(|side| (side / unit * (1.0 - 1e-6)).ceil().max(1.0));
        if counts.iter().any(|count| *count > LONGEST) || counts[0] * counts[1] >= f64::from(u32::MAX) {
            return Err(BodyError::GroundTooLarge);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked just now
        let base = counts.map(|count| count as u32);
        let levels = Levels { lowest: 0.0, height: 1.0, count: 1 };
        Ok(Self { origin, base, unit, granularity: Granularity::Same, levels, is_of_grid: false })
    }

    /// The ground of `mesh`, in square cells of side `cell`, in world units. If there would be too many cells for their
    /// ids, the cells are larger. The raster is shifted so that its lines coincide with as many walls as possible; only
    /// walls parallel to x or y count. So two bodies in neighbouring lanes beside a wall seldom need the same cell.
    ///
    /// # Errors
    /// The side is not positive, or not finite. Or the side, the length of the ground along x or y, or a coordinate of
    /// its least corner is beyond 10^6.
    pub fn of_mesh(mesh: &NavMesh, cell: f32) -> Result<Self, BodyError> {
        if !cell.is_finite() {
            return Err(BodyError::GroundFar);
        }
        if cell <= 0.0 {
            return Err(BodyError::GroundEmpty);
        }
        let [least, most] = mesh.bounds().map(|corner| corner.map(f64::from));
        let size = [0, 1].map(|axis| most[axis] - least[axis]);
        // A column and a row more, as the first ones begin before the mesh.
        let fits =
            (size[0].max(size[1]) / (LONGEST - 2.0)).max((size[0] * size[1] / f64::from(u32::MAX - (1 << 20))).sqrt());
        #[allow(clippy::cast_possible_truncation)] // rounded once
        let cell = cell.max((fits * (1.0 + 1e-6)) as f32);
        let side = f64::from(cell);
        let origin = [0, 1].map(|axis| {
            let phase = phase(mesh, axis, side);
            // The last line before the mesh, but not too near: points that lie beside the mesh by rounding must be on
            // the ground.
            let before = (least[axis] - phase).rem_euclid(side);
            least[axis] - if before < side / 8.0 { before + side } else { before }
        });
        #[allow(clippy::cast_possible_truncation)]
        let size = [0, 1].map(|axis| (most[axis] - origin[axis] + side / 8.0) as f32);
        #[allow(clippy::cast_possible_truncation)]
        Self::new(origin.map(|at| at as f32), size, cell)
    }

    /// Sets the size of the reservation cells. The number in [`Granularity::Finer`] is from 1 to 16, and the number in
    /// [`Granularity::Coarser`] is from 1 to 64; other numbers are clamped. If there would be too many cells for their
    /// ids, the finest size that fits is used.
    #[must_use]
    pub fn granularity(self, granularity: Granularity) -> Self {
        let fits = |granularity: &Granularity| {
            let [columns, rows] = Self { granularity: *granularity, ..self }.size_in_full();
            u128::from(columns) * u128::from(rows) * u128::from(self.levels.count) < u128::from(u32::MAX)
        };
        let coarser = |from: u32| (from..=COARSEST).map(Granularity::Coarser);
        let same = || std::iter::once(Granularity::Same).chain(coarser(2));
        let fit = match granularity {
            Granularity::Finer(finer @ 2..) => {
                (2..=finer.min(FINEST)).rev().map(Granularity::Finer).chain(same()).find(fits)
            }
            Granularity::Coarser(wanted @ 2..) => coarser(wanted.min(COARSEST)).find(fits),
            _ => same().find(fits),
        };
        // What has levels fits at the granularity that it has.
        Self { granularity: fit.unwrap_or(self.granularity), ..self }
    }

    /// Divides the world into `count` levels, for floors of a house, or for a bridge above a road. The lowest level
    /// begins at the height `lowest`, and each level is `height` high, in world units. The default is one level.
    ///
    /// A body at rest is on the level of its height, which is the third coordinate of its position. Heights below all
    /// levels count as the lowest level, and heights above all levels as the highest level. A body under way is on all
    /// levels from the level of the place where the move begins to the level of the place where it ends. So levels
    /// should be higher than bodies, and boundaries should not lie where bodies stand.
    ///
    /// # Errors
    /// A number is not finite or beyond 10^6, the height is not positive, `count` is 0, or there are more than 2^32 - 2
    /// cells.
    pub fn levels(self, lowest: f32, height: f32, count: u32) -> Result<Self, BodyError> {
        let levels = Levels { lowest: lowest.into(), height: height.into(), count };
        if [levels.lowest, levels.height].iter().any(|number| !number.is_finite() || number.abs() > FARTHEST) {
            return Err(BodyError::GroundFar);
        }
        if levels.height <= 0.0 || count == 0 {
            return Err(BodyError::GroundEmpty);
        }
        let [columns, rows] = self.size().map(u64::from);
        if (columns * rows).saturating_mul(count.into()) >= u32::MAX.into() {
            return Err(BodyError::GroundTooLarge);
        }
        Ok(Self { levels, ..self })
    }

    /// One reservation cell for each raster cell, in order of level, then row. There are no crossings.
    pub fn cells(&self) -> Cells {
        let [columns, rows] = self.size();
        let cells = Cells::new(ConflictRule::Following, columns * rows * self.levels.count, 0).laid_out(self.layout());
        let is_map = self.is_of_grid && self.granularity == Granularity::Same && self.levels.count == 1;
        if is_map { cells } else { cells.apart() }
    }

    /// A number that tells grounds apart.
    fn layout(&self) -> u64 {
        let Levels { lowest, height, count } = self.levels;
        let sides = [self.origin[0], self.origin[1], self.side(), lowest, height].map(f64::to_bits);
        let counts = self.size().into_iter().chain([count]).map(u64::from);
        // FNV-1a over words, without zero, which stands for no layout.
        sides.into_iter().chain(counts).fold(0xcbf2_9ce4_8422_2325, |hash: u64, word| {
            (hash ^ word ^ word >> 32).wrapping_mul(0x0000_0100_0000_01b3)
        }) | 1
    }

    /// Whether the ground covers all cells of `grid`.
    pub(crate) fn covers(&self, grid: &Grid) -> bool {
        let [columns, rows] = self.size().map(f64::from);
        let far = [self.origin[0] + columns * self.side(), self.origin[1] + rows * self.side()];
        let last = [grid.width(), grid.height()].map(|count| f64::from(count) - 0.5);
        (0..2).all(|axis| self.origin[axis] <= -0.5 + SLACK && last[axis] <= far[axis] + SLACK)
    }

    /// The columns and rows of the raster.
    pub(super) fn size(&self) -> [u32; 2] {
        self.size_in_full().map(|side| u32::try_from(side).unwrap_or(u32::MAX))
    }

    fn size_in_full(&self) -> [u64; 2] {
        self.base.map(u64::from).map(|side| match self.granularity {
            Granularity::Same => side,
            Granularity::Finer(finer) => side * u64::from(finer),
            Granularity::Coarser(coarser) => side.div_ceil(coarser.into()),
        })
    }

    /// The least corner of the raster, in world units.
    pub(super) fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// The side of a raster cell, in world units.
    pub(super) fn side(&self) -> f64 {
        match self.granularity {
            Granularity::Same => self.unit,
            Granularity::Finer(finer) => self.unit / f64::from(finer),
            Granularity::Coarser(coarser) => self.unit * f64::from(coarser),
        }
    }

    /// The numbers of the levels that a body occupies on its way between two heights.
    pub(super) fn levels_between(&self, heights: [f64; 2]) -> std::ops::RangeInclusive<u32> {
        let Levels { lowest, height, count } = self.levels;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is clamped
        let level = |z: f64| ((z - lowest) / height).floor().clamp(0.0, f64::from(count - 1)) as u32;
        let [from, to] = heights.map(level);
        from.min(to)..=from.max(to)
    }

    /// The heights of each level, by its number.
    pub(super) fn heights(&self) -> impl Iterator<Item = (u32, [f64; 2])> {
        let Levels { lowest, height, count } = self.levels;
        let range = move |level: u32| {
            let low = if level == 0 { f64::NEG_INFINITY } else { lowest + f64::from(level) * height };
            // What only touches the next level does not meet it.
            let high = if level + 1 == count { f64::INFINITY } else { lowest + f64::from(level + 1) * height - 1e-6 };
            [low, high]
        };
        (0..count).map(move |level| (level, range(level)))
    }

    /// The heights of the level of the lower one of `heights`.
    pub(super) fn heights_around(&self, heights: [f64; 2]) -> [f64; 2] {
        let level = *self.levels_between(heights).start();
        self.heights().nth(level as usize).map_or(heights, |(_, heights)| heights)
    }

    /// Where the cells of a grid lie on this ground. `None`: they do not repeat within 64 cells.
    pub(super) fn columns_of_grid(&self) -> Option<[Alignment; 2]> {
        let side = self.side();
        let repeats = |period: &u32| {
            let cells = f64::from(*period) / side;
            cells > 0.5 && (cells - cells.round()).abs() < 1e-9 * cells
        };
        let period = (1..=COARSEST).find(repeats)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 64 x 10^6 cells
        let cells = (f64::from(period) / side).round() as u32;
        Some(self.origin.map(|origin| {
            // The middle of a map cell may lie on an edge: a little more, so that rounding does not decide.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the ground covers the grid
            let first: Vec<u32> =
                (0..period).map(|at| ((f64::from(at) - origin) / side + 1e-9).floor() as u32).collect();
            let corner = |at: u32| f64::from(first[at as usize]) * side + origin - f64::from(at);
            Alignment { period, cells, corners: (0..period).map(corner).collect(), first }
        }))
    }

    /// Whether the cells of `grid` are the cells of the ground, in equal order.
    pub(super) fn is_map(&self, grid: &Grid) -> bool {
        let is_map = self.is_of_grid && self.granularity == Granularity::Same;
        is_map && self.base == [grid.width(), grid.height()] && self.levels_between(grid.heights()) == (0..=0)
    }
}

/// Where lines of cells of this `side` lie along the most walls of `mesh` that have one coordinate on this `axis`.
fn phase(mesh: &NavMesh, axis: usize, side: f64) -> f64 {
    const BINS: usize = 64;
    let mut lengths = [0.0; BINS];
    let mut phases = [0.0; BINS];
    for [from, to] in mesh.walls().map(|wall| wall.map(|at| at.map(f64::from))) {
        if from[axis] == to[axis] {
            let phase = from[axis].rem_euclid(side);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            // a share of the bins
            let bin = ((phase / side * BINS as f64).round() as usize) % BINS;
            lengths[bin] += (to[1 - axis] - from[1 - axis]).abs();
            phases[bin] = phase;
        }
    }
    let best = (0..BINS).fold(0, |best, bin| if lengths[bin] > lengths[best] { bin } else { best });
    phases[best]
}

/// Rounding of positions.
const SLACK: f64 = 1e-6;

/// The side of a cell, as exactly as it was meant: 24 bits do not know 0.4, and the error would add up over a map.
fn snapped(side: f64) -> f64 {
    let fractions = (1..=COARSEST).map(|period| f64::from(period) / (f64::from(period) / side).round().max(1.0));
    { fractions }.find(|exact| (exact / side - 1.0).abs() < 2e-7).unwrap_or(side)
}

/// Where the columns of a grid, or its rows, lie on a raster; `period` columns later the raster looks the same.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Alignment {
    pub(super) period: u32,
    /// The raster columns in a period.
    cells: u32,
    /// The raster column of the middle of each column of the first period.
    first: Vec<u32>,
    /// The least coordinate of each of these raster columns, relative to the middle.
    pub(super) corners: Vec<f64>,
}

impl Alignment {
    /// The raster column that contains the middle of map column `at`; any column, if the map has no such column.
    #[inline]
    pub(super) fn locate(&self, at: u32) -> u32 {
        match self.period {
            1 => at.wrapping_mul(self.cells).wrapping_add(self.first[0]),
            period => (at / period).wrapping_mul(self.cells).wrapping_add(self.first[(at % period) as usize]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_cells_repeat_on_a_raster_of_another_size() {
        for (cell, period) in [(1.0, 1), (0.5, 1), (0.4, 2), (0.75, 3), (2.0, 2), (1.0 / 3.0, 1)] {
            let ground = Ground::new([-7.3, -2.0], [40.0, 30.0], cell).unwrap();
            let [across, down] = ground.columns_of_grid().unwrap();
            assert_eq!((across.period, down.period), (period, period), "{cell}");
            for at in 0..20 {
                let column = f64::from(across.locate(at)) * ground.side() - 7.3_f32 as f64;
                let middle = f64::from(at);
                assert!(column <= middle + 1e-5 && middle < column + ground.side() + 1e-5, "{cell}: {at}");
            }
        }
        assert!(Ground::new([0.0, 0.0], [9.0, 9.0], std::f32::consts::SQRT_2).unwrap().columns_of_grid().is_none());
    }

    #[test]
    fn levels_follow_heights() {
        let ground = Ground::new([0.0, 0.0], [9.0, 9.0], 1.0).unwrap().levels(-1.0, 3.0, 4).unwrap();
        assert_eq!(ground.cells().places(), 4 * 81);
        let rows = [([0.0, 0.0], 0..=0), ([2.5, 2.5], 1..=1), ([9.0, 0.0], 0..=3), ([-80.0, 80.0], 0..=3)];
        for (heights, levels) in rows {
            assert_eq!(ground.levels_between(heights), levels, "{heights:?}");
        }
        let heights: Vec<[f64; 2]> = ground.heights().map(|(_, heights)| heights).collect();
        assert_eq!((heights[1][0], heights[0][0], heights[3][1]), (2.0, f64::NEG_INFINITY, f64::INFINITY));
        assert!(heights[1][1] < 5.0 && heights[2][0] == 5.0);
        assert_eq!(ground.heights_around([0.0, 0.0]), heights[0]);
    }

    #[test]
    fn nonsense_is_refused() {
        let ground = |origin, size, cell| Ground::new([origin, 0.0], [size, 9.0], cell).unwrap_err();
        assert_eq!(ground(f32::NAN, 9.0, 1.0), BodyError::GroundFar);
        assert_eq!(ground(0.0, 0.0, 1.0), BodyError::GroundEmpty);
        assert_eq!(ground(0.0, 9.0, -1.0), BodyError::GroundEmpty);
        assert_eq!(ground(0.0, 1e6, 1e-4), BodyError::GroundTooLarge);
        assert_eq!(ground(0.0, 65_537.0, 1.0), BodyError::GroundTooLarge);
        // As fine as fits: levels take their part.
        let tall = Ground::new([0.0; 2], [60_000.0; 2], 1.0).unwrap().granularity(Granularity::Coarser(64));
        let tall = tall.levels(0.0, 1.0, 2).unwrap().granularity(Granularity::Same);
        assert_eq!((tall.granularity, tall.cells().places()), (Granularity::Coarser(2), 2 * 30_000 * 30_000));
        let square = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]];
        let mesh = NavMesh::new(square, [[0, 1, 2]]).unwrap();
        let of_mesh = |cell| Ground::of_mesh(&mesh, cell);
        assert_eq!([of_mesh(f32::NAN), of_mesh(-1.0)], [Err(BodyError::GroundFar), Err(BodyError::GroundEmpty)]);
        let ground = Ground::new([0.0, 0.0], [9.0, 9.0], 1.0).unwrap();
        assert_eq!(ground.levels(0.0, 0.0, 2), Err(BodyError::GroundEmpty));
        assert_eq!(ground.levels(0.0, 1.0, u32::MAX), Err(BodyError::GroundTooLarge));
    }
}
