//! The exits of the cells of a grid: where moves lead, given walls, corners and one-ways.

use giveway_core::{Gate, NodeId};

use super::{Connectivity, CornerCutting, Grid};
use crate::directions::Direction;

/// Whether a step in `direction` goes against `way`, straight or at an angle.
const fn is_against(direction: Direction, way: Direction) -> bool {
    let ((dx, dy), (way_x, way_y)) = (direction.offset(), way.offset());
    dx * way_x + dy * way_y < 0
}

impl Grid {
    /// Makes cell (x, y) a one-way in the direction `way(x, y)`: no step against the direction begins or ends there.
    /// Steps across the direction remain. `None`: the cell is no one-way. One-ways stay when walls come and go.
    ///
    /// A body on a grid, of whatever size, follows the one-way of the cell that it is on, which is its node. Vehicles
    /// that turn have moves of their own, and pass one-ways in any direction.
    ///
    /// ```
    /// use giveway_core::SpaceGraph;
    /// use giveway_spaces::{Direction, Grid};
    ///
    /// // A corridor that leads east.
    /// let grid = Grid::open(3, 1)?.with_one_ways(|x, _| (x == 1).then_some(Direction::East));
    /// let ends = |x| grid.moves(grid.node(x, 0).unwrap()).map(|m| m.to.0).collect::<Vec<_>>();
    /// assert_eq!([ends(0), ends(1), ends(2)], [vec![1], vec![2], vec![]]);
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    #[must_use]
    pub fn with_one_ways(mut self, mut way: impl FnMut(u32, u32) -> Option<Direction>) -> Self {
        let cells = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        self.one_ways = cells.map(|(x, y)| way(x, y)).collect();
        if self.one_ways.iter().all(Option::is_none) {
            self.one_ways = Vec::new();
        }
        self.survey();
        self
    }

    /// The direction of the one-way on the cell of `node`; `None`: there is none.
    pub fn one_way(&self, node: NodeId) -> Option<Direction> {
        self.one_ways.get(node.index()).copied().flatten()
    }

    fn one_way_of(&self, x: u32, y: u32) -> Option<Direction> {
        if self.one_ways.is_empty() { None } else { self.one_way(self.node(x, y)?) }
    }

    /// Whether some moves may have no move back.
    pub(super) fn is_directed(&self) -> bool {
        self.has_vacated() || !self.one_ways.is_empty()
    }

    /// Recomputes the exits of every cell.
    pub(super) fn survey(&mut self) {
        self.exits = (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| (x, y)))
            .map(|(x, y)| self.exits_of(x, y))
            .collect();
        self.tiles = vec![0; self.tiles_per_row() as usize * self.height.div_ceil(8) as usize];
        for y in 0..self.height {
            for x in 0..self.width {
                self.note_tile(x, y);
            }
        }
        self.invert_exits();
        self.journal.note_all();
    }

    /// As [`Tiles::new`] takes it.
    pub(super) fn tiles_per_row(&self) -> u32 {
        self.width / 8 + 1
    }

    /// Notes in its tile whether cell (x, y) is free.
    pub(super) fn note_tile(&mut self, x: u32, y: u32) {
        let (tile, bit) = (y / 8 * self.tiles_per_row() + x / 8, 1_u64 << (y % 8 * 8 + x % 8));
        let open = &mut self.tiles[tile as usize];
        *open = if self.gates[(y * self.width + x) as usize] == Gate::Open { *open | bit } else { *open & !bit };
    }

    pub(super) fn exits_of(&self, x: u32, y: u32) -> u8 {
        // From inside a wall that may be left, such walls count as free.
        let leaves = self.is_vacated(x, y);
        let is_free = |x: u32, y: u32| self.is_passable(x, y) || leaves && self.is_vacated(x, y);
        let free = |dx: i32, dy: i32| {
            x.checked_add_signed(dx).zip(y.checked_add_signed(dy)).is_some_and(|(x, y)| is_free(x, y))
        };
        if !free(0, 0) {
            return 0;
        }
        let here = self.one_way_of(x, y);
        let open = |direction: Direction| {
            let (dx, dy) = direction.offset();
            let there = || self.one_way_of(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if here.is_some_and(|way| is_against(direction, way)) {
                return false;
            }
            let beside = || match self.corner_cutting {
                CornerCutting::Never => free(dx, 0) && free(0, dy),
                CornerCutting::OneFree => free(dx, 0) || free(0, dy),
                CornerCutting::Always => true,
            };
            let is_open = match (direction.is_diagonal(), self.connectivity) {
                (false, _) => free(dx, dy),
                (true, Connectivity::Four) => false,
                (true, Connectivity::Eight) => free(dx, dy) && beside(),
            };
            is_open && !there().is_some_and(|way| is_against(direction, way))
        };
        Direction::ALL
            .into_iter()
            .filter(|direction| open(*direction))
            .fold(0, |exits, direction| exits | 1 << direction as u8)
    }

    /// Finds all entrances from the exits.
    pub(super) fn invert_exits(&mut self) {
        self.entrances.clear();
        if !self.is_directed() {
            return;
        }
        self.entrances.resize(self.gates.len(), 0);
        for node in (0..self.width * self.height).map(NodeId) {
            for direction in Self::directions(self.exits(node)).iter().copied() {
                let to = self.step(node, direction);
                self.entrances[to.index()] |= 1 << direction.opposite() as u8;
            }
        }
    }
}
