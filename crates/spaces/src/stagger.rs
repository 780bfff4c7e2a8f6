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

    /// By how many halves of a cell row or column `number` is shifted, as seen from row or column 0: -1, 0 or 1.
    pub fn halves(self, number: u32) -> i32 {
        match self {
            _ if number.is_multiple_of(2) => 0,
            Self::OddRows | Self::OddColumns => 1,
            Self::EvenRows | Self::EvenColumns => -1,
        }
    }

    /// The axial coordinates of the hexagon in column `x` and row `y`; that of (0, 0) is (0, 0). Hexagons in rows stand
    /// on a corner (pointy), hexagons in columns on a side (flat). Both coordinates should be below 2^29.
    pub fn axial(self, [x, y]: [u32; 2]) -> [i32; 2] {
        let [column, row] = [x, y].map(u32::cast_signed);
        let before = |number: i32| {
            let odd = number.rem_euclid(2);
            match self {
                Self::OddRows | Self::OddColumns => (number - odd) / 2,
                Self::EvenRows | Self::EvenColumns => (number + odd) / 2,
            }
        };
        if self.is_of_rows() { [column - before(row), row] } else { [column, row - before(column)] }
    }
}
