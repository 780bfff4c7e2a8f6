//! Offset coordinates: rows or columns of which every other one is shifted by half a cell.

/// Which rows or columns of a map are shifted by half a cell, towards larger coordinates. Rows count from 0, the top
/// row; columns from 0, the left column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stagger {
    /// Rows 1, 3, 5 and so on, to the right.
    OddRows,
    /// Rows 0, 2, 4 and so on, to the right.
    EvenRows,
    /// Columns 1, 3, 5 and so on, downwards.
    OddColumns,
    /// Columns 0, 2, 4 and so on, downwards.
    EvenColumns,
}

impl Stagger {
    /// Whether rows are shifted, and not columns.
    pub fn is_of_rows(self) -> bool {
        matches!(self, Self::OddRows | Self::EvenRows)
    }

    /// The stagger that shifts the other rows or columns.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::OddRows => Self::EvenRows,
            Self::EvenRows => Self::OddRows,
            Self::OddColumns => Self::EvenColumns,
            Self::EvenColumns => Self::OddColumns,
        }
    }

    /// The shift of row or column `number` relative to row or column 0, in halves of a cell: -1, 0 or 1.
    pub fn halves(self, number: u32) -> i32 {
        match self {
            _ if number.is_multiple_of(2) => 0,
            Self::OddRows | Self::OddColumns => 1,
            Self::EvenRows | Self::EvenColumns => -1,
        }
    }

    /// The axial coordinates of the hexagon in column `x` and row `y`. The hexagon in column 0 and row 0 has the axial
    /// coordinates (0, 0). If rows are shifted, hexagons stand on a corner (pointy). If columns are shifted, hexagons
    /// stand on a side (flat). Coordinates above `i32::MAX` count as `i32::MAX`.
    pub fn axial(self, [x, y]: [u32; 2]) -> [i32; 2] {
        let [column, row] = [x, y].map(i64::from);
        let before = |number: i64| {
            let odd = number % 2;
            match self {
                Self::OddRows | Self::OddColumns => (number - odd) / 2,
                Self::EvenRows | Self::EvenColumns => (number + odd) / 2,
            }
        };
        let axial = if self.is_of_rows() { [column - before(row), row] } else { [column, row - before(column)] };
        // Not below `i32::MIN`, since at most half of a coordinate is subtracted.
        axial.map(|number| i32::try_from(number).unwrap_or(i32::MAX))
    }
}
