//! The eight directions of a square grid.

/// A step of a square grid. `y` grows downwards, as in map files, so north is towards smaller `y`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// (0, -1)
    North,
    /// (1, 0)
    East,
    /// (0, 1)
    South,
    /// (-1, 0)
    West,
    /// (1, -1)
    NorthEast,
    /// (1, 1)
    SouthEast,
    /// (-1, 1)
    SouthWest,
    /// (-1, -1)
    NorthWest,
}

impl Direction {
    /// All directions, in the order in which a grid gives its moves: the straight directions clockwise from north, then
    /// the diagonal directions clockwise from north-east.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
        Self::NorthWest,
    ];

    /// The step as (dx, dy).
    #[inline]
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
            Self::NorthEast => (1, -1),
            Self::SouthEast => (1, 1),
            Self::SouthWest => (-1, 1),
            Self::NorthWest => (-1, -1),
        }
    }

    /// Whether a step in this direction changes both coordinates.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The opposite direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        // Among the four straight and among the four diagonal directions, the opposite is two further on.
        Self::ALL[(self as usize & 4) | ((self as usize + 2) & 3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_undoes_the_step() {
        for direction in Direction::ALL {
            let ((dx, dy), (back_x, back_y)) = (direction.offset(), direction.opposite().offset());
            assert_eq!((dx + back_x, dy + back_y), (0, 0), "{direction:?}");
            assert_eq!(direction.is_diagonal(), dx != 0 && dy != 0);
        }
    }
}
