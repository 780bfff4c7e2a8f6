//! The moves of a grid, and where they cross others.

use giveway_core::{Move, NodeId};

use super::Grid;
use crate::directions::Direction;

/// The moves out of a node. Any of them is found at once.
pub(super) struct Moves<'g> {
    pub(super) grid: &'g Grid,
    pub(super) from: NodeId,
    pub(super) directions: std::slice::Iter<'static, Direction>,
}

impl Moves<'_> {
    #[inline]
    fn in_direction(&self, action: Direction) -> Move<Direction, u32> {
        self.grid.make_move(self.from, self.grid.step(self.from, action), action)
    }
}

impl Iterator for Moves<'_> {
    type Item = Move<Direction, u32>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.directions.next().map(|action| self.in_direction(*action))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.directions.nth(n).map(|action| self.in_direction(*action))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.directions.size_hint()
    }
}

/// The crossing of a step in one direction.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    /// Whether the cell that has the crossing is counted from the end of the move, and not from its beginning.
    pub(super) at_end: bool,
    /// By how many columns that cell is to the left of there.
    pub(super) left: u32,
    /// Which of the crossings of that cell it is.
    pub(super) kind: u32,
}

/// By direction.
pub(super) static CROSSINGS: [Crossing; 8] = {
    let mut crossings = [Crossing { at_end: false, left: 0, kind: 2 }; 8];
    let mut at = 0;
    while at < 8 {
        let direction = Direction::ALL[at];
        let (x, y) = direction.offset();
        // The cell with the smaller row, or in one row with the smaller column, has the crossing.
        let at_end = y < 0 || y == 0 && x < 0;
        let is_diagonal = direction.is_diagonal();
        crossings[at] = Crossing {
            at_end,
            // The upper cell of a diagonal down to the left is on the right.
            left: if is_diagonal && x != y { 1 } else { 0 },
            kind: if is_diagonal {
                2
            } else if y == 0 {
                0
            } else {
                1
            },
        };
        at += 1;
    }
    crossings
};
