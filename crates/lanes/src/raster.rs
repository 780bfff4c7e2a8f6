//! A raster of the plane, on one or several levels: the cells to which the vectors of a map for the whole world belong.

use std::fmt;

use giveway_core::Digest;

/// A raster of square cells over a rectangle of the plane, on one or several levels: the key of a
/// [`WorldDirectionMap`](crate::WorldDirectionMap).
///
/// The cells of a raster for lanes are about as large as a usual step of the units: with smaller cells, units on other
/// spaces miss the cells of a lane, and with larger ones, two lanes share a cell.
///
/// Cells are numbered by level, then by row, then by column.
///
/// ```
/// use giveway_lanes::Raster;
///
/// // The cells of a grid of 40 x 20 places, on two floors.
/// let raster = Raster::new([-0.5, -0.5], [40.0, 20.0], 1.0)?.levels(-1.5, 3.0, 2)?;
/// assert_eq!(raster.cells(), 2 * 40 * 20);
/// assert_eq!(raster.cell_at([3.2, 1.0, 0.0]), Some(40 + 3));
/// assert_eq!(raster.cell_at([3.2, 1.0, 3.0]), Some(800 + 40 + 3));
/// assert_eq!(raster.cell_at([40.0, 1.0, 0.0]), None);
/// # Ok::<(), giveway_lanes::InvalidRaster>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Raster {
    /// By axis, where the first cell begins.
    least: [f64; 3],
    /// By axis, how long a cell is.
    sides: [f64; 3],
    /// By axis, the number of cells.
    counts: [u32; 3],
}

/// A cell as column, row and level. It may lie beside the raster.
pub(crate) type Place = [i64; 3];

/// Coordinates and sizes beyond this count as mistakes.
const FARTHEST: f32 = 1e6;
/// The most columns, rows and levels.
const LONGEST: u32 = 65_536;
/// The most cells. A map takes 12 bytes for each.
const MOST: u64 = 1 << 26;

/// Why there is no such raster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InvalidRaster {
    /// A number is not finite, or is beyond 10^6.
    Far,
    /// A length, a side or a count is not positive.
    Empty,
    /// There are more than 65,536 columns, rows or levels, or more than 2^26 cells.
    TooLarge,
}

impl fmt::Display for InvalidRaster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Far => "expected a raster within 10^6 world units of the origin",
            Self::Empty => "expected a raster of positive size, with cells of positive size",
            Self::TooLarge => "expected a raster of at most 65,536 columns, rows and levels, and at most 2^26 cells",
        })
    }
}

impl std::error::Error for InvalidRaster {}

impl Raster {
    /// The raster with its least corner at `origin`, and with the two lengths `size` along x and y, in square cells of
    /// side `cell`. All numbers are in world units. The last column and the last row may reach farther than `size`.
    /// There is one level, of all heights.
    ///
    /// Cell (x, y) of a grid is the square of side 1 around (x, y): for the cells of a grid, begin at (-0.5, -0.5).
    ///
    /// # Errors
    /// See [`InvalidRaster`].
    pub fn new(origin: [f32; 2], size: [f32; 2], cell: f32) -> Result<Self, InvalidRaster> {
        check(&[origin[0], origin[1], size[0], size[1], cell])?;
        let cell_side = f64::from(cell);
        // A size is known to 24 bits.
        let count = |size: f32| (f64::from(size) / cell_side * (1.0 - 1e-6)).ceil().max(1.0);
        if size.iter().any(|side| *side <= 0.0) || cell <= 0.0 {
            return Err(InvalidRaster::Empty);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        let [columns, rows] = size.map(|side| count(side) as u32);
        Self {
            least: [origin[0].into(), origin[1].into(), 0.0],
            sides: [cell_side, cell_side, 1.0],
            counts: [columns, rows, 1],
        }
        .checked()
    }

    /// Divides the world into `count` levels, for the floors of a house. The lowest level begins at the height
    /// `lowest`, and each level is `height` high. Heights below all levels count as the lowest level, and heights above
    /// all levels as the highest one.
    ///
    /// # Errors
    /// See [`InvalidRaster`].
    pub fn levels(self, lowest: f32, height: f32, count: u32) -> Result<Self, InvalidRaster> {
        check(&[lowest, height])?;
        if height <= 0.0 || count == 0 {
            return Err(InvalidRaster::Empty);
        }
        let ([x, y, _], [cell, _, _], [columns, rows, _]) = (self.least, self.sides, self.counts);
        Self { least: [x, y, lowest.into()], sides: [cell, cell, height.into()], counts: [columns, rows, count] }
            .checked()
    }

    fn checked(self) -> Result<Self, InvalidRaster> {
        let cells = self.counts.into_iter().fold(1, |product: u64, count| product.saturating_mul(count.into()));
        if cells > MOST || self.counts.iter().any(|count| *count > LONGEST) {
            Err(InvalidRaster::TooLarge)
        } else {
            Ok(self)
        }
    }

    /// The number of cells.
    pub fn cells(&self) -> u32 {
        self.counts.into_iter().product()
    }

    /// The number of the cell at `position`. `None`: the position is beside the raster, or not finite.
    pub fn cell_at(&self, position: [f32; 3]) -> Option<u32> {
        let place = position.into_iter().all(f32::is_finite).then(|| self.place(position))?;
        u32::try_from(self.index(place)?).ok()
    }

    /// The cell at `position`, which may lie beside the raster.
    #[inline]
    pub(crate) fn place(&self, position: [f32; 3]) -> Place {
        #[allow(clippy::cast_possible_truncation)] // saturates
        let [column, row, level] =
            [0, 1, 2].map(|axis| ((f64::from(position[axis]) - self.least[axis]) / self.sides[axis]).floor() as i64);
        [column, row, level.clamp(0, i64::from(self.counts[2]) - 1)]
    }

    /// The number of a cell; `None`: it is beside the raster.
    #[inline]
    pub(crate) fn index(&self, place: Place) -> Option<usize> {
        let [columns, rows, _] = self.counts.map(i64::from);
        let [column, row, level] = place;
        let is_inside = (0..columns).contains(&column) && (0..rows).contains(&row);
        // There are at most 2^26 cells.
        is_inside.then(|| usize::try_from((level * rows + row) * columns + column).ok()).flatten()
    }

    /// Calls `each` for the steps from cell to cell along the straight line between two cells: each is a pair of
    /// neighbours. There is none from a cell to itself. A line to a cell beside the raster is one step.
    #[inline]
    pub(crate) fn for_each_step(&self, from: Place, to: Place, mut each: impl FnMut(Place, Place)) {
        let apart = [0, 1, 2].map(|axis| to[axis].saturating_sub(from[axis]));
        let steps = apart.into_iter().map(i64::unsigned_abs).fold(0, u64::max);
        if steps == 0 {
            return;
        }
        let is_inside = self.index(from).is_some() && self.index(to).is_some();
        let Some(steps) = i64::try_from(steps).ok().filter(|steps| *steps > 1 && is_inside) else {
            return each(from, to);
        };
        // The nearest cells to the line, by whole numbers: they are equal on the way back.
        let at = |step: i64| {
            [0, 1, 2].map(|axis| (2 * (from[axis] * steps + apart[axis] * step) + steps).div_euclid(2 * steps))
        };
        let mut last = from;
        for step in 1..=steps {
            let next = at(step);
            each(last, next);
            last = next;
        }
    }

    /// A number that tells rasters apart.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut digest = Digest::new();
        self.least.into_iter().chain(self.sides).for_each(|number| digest.number(number));
        self.counts.into_iter().for_each(|count| digest.word(count.into()));
        digest.finish()
    }
}

/// Checks that all `numbers` can be coordinates.
fn check(numbers: &[f32]) -> Result<(), InvalidRaster> {
    let is_near = |number: &f32| number.abs() <= FARTHEST;
    if numbers.iter().all(is_near) { Ok(()) } else { Err(InvalidRaster::Far) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        let raster = |origin, size, cell| Raster::new([origin, 0.0], [size, 9.0], cell).unwrap_err();
        assert_eq!(raster(f32::NAN, 9.0, 1.0), InvalidRaster::Far);
        assert_eq!(raster(0.0, f32::INFINITY, 1.0), InvalidRaster::Far);
        assert_eq!(raster(0.0, 0.0, 1.0), InvalidRaster::Empty);
        assert_eq!(raster(0.0, 9.0, -1.0), InvalidRaster::Empty);
        assert_eq!(raster(0.0, 9.0, 0.0), InvalidRaster::Empty);
        assert_eq!(raster(0.0, 65_537.0, 1.0), InvalidRaster::TooLarge);
        assert_eq!(Raster::new([0.0; 2], [60_000.0; 2], 1.0), Err(InvalidRaster::TooLarge));
        let raster = Raster::new([0.0; 2], [9.0; 2], 1.0).unwrap();
        assert_eq!(raster.levels(0.0, 0.0, 2), Err(InvalidRaster::Empty));
        assert_eq!(raster.levels(0.0, 1.0, 0), Err(InvalidRaster::Empty));
        assert_eq!(raster.levels(f32::NAN, 1.0, 2), Err(InvalidRaster::Far));
        assert_eq!(raster.levels(0.0, 1.0, u32::MAX), Err(InvalidRaster::TooLarge));
    }

    #[test]
    fn positions_have_cells() {
        let raster = Raster::new([-1.0, 2.0], [3.0, 1.0], 0.5).unwrap().levels(10.0, 4.0, 3).unwrap();
        assert_eq!(raster.counts, [6, 2, 3]);
        for (position, cell) in [
            ([-1.0, 2.0, 10.0], Some(0)),
            ([1.99, 2.0, 10.0], Some(5)),
            ([2.0, 2.0, 10.0], None),
            ([-1.01, 2.0, 10.0], None),
            ([-1.0, 2.5, 10.0], Some(6)),
            ([-1.0, 2.0, 14.0], Some(12)),
            ([-1.0, 2.0, -900.0], Some(0)),
            ([-1.0, 2.0, 900.0], Some(24)),
            ([f32::NAN, 2.0, 10.0], None),
            ([-1.0, 2.0, f32::INFINITY], None),
            ([f32::MAX, f32::MIN, f32::MAX], None),
        ] {
            assert_eq!(raster.cell_at(position), cell, "{position:?}");
        }
    }

    /// Each step leads to a neighbour, and the way back meets the same cells.
    #[test]
    fn lines_go_from_cell_to_cell() {
        let raster = Raster::new([0.0; 2], [9.0; 2], 1.0).unwrap().levels(0.0, 1.0, 3).unwrap();
        let steps = |from: Place, to: Place| {
            let mut steps = Vec::new();
            raster.for_each_step(from, to, |one, other| steps.push((one, other)));
            steps
        };
        let all = || (0..81).map(|at| [at % 9, at / 9, (at * 7) % 3]);
        for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
            let there = steps(from, to);
            let far = [0, 1, 2].map(|axis| (to[axis] - from[axis]).abs()).into_iter().max().unwrap();
            assert_eq!(there.len(), usize::try_from(far).unwrap(), "{from:?} to {to:?}");
            let mut at = from;
            for (one, other) in &there {
                assert_eq!(*one, at);
                assert!((0..3).all(|axis| (other[axis] - one[axis]).abs() <= 1), "{from:?} to {to:?}");
                at = *other;
            }
            assert_eq!(at, if there.is_empty() { from } else { to });
            let back: Vec<_> = steps(to, from).into_iter().rev().map(|(one, other)| (other, one)).collect();
            assert_eq!(there, back, "{from:?} to {to:?}");
        }
        assert_eq!(steps([0, 0, 0], [900, 0, 0]), [([0, 0, 0], [900, 0, 0])], "beside the raster");
        let extremes = [i64::MIN, i64::MAX].map(|side| [side; 3]);
        assert_eq!(steps(extremes[0], extremes[1]).len(), 1);
    }
}
