//! Walls: which cells of a ground are closed to a class.

use giveway_core::paged::Paged;
use giveway_core::{Area, Change};

use crate::ground::Ground;

/// What a cell of the ground is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Wall {
    #[default]
    None,
    /// A wall that bodies inside may leave.
    Vacated,
    Closed,
}

/// The first and the last columns and rows of a part of the ground.
pub(super) type Corners = [[u32; 2]; 2];

/// The walls on a ground. They take memory where there are some.
#[derive(Clone, Debug)]
pub(super) struct Walls {
    ground: Ground,
    cells: Paged<Wall>,
    /// The number of cells that are walls.
    count: usize,
}

impl Walls {
    /// No walls.
    pub(super) fn on(ground: Ground) -> Self {
        Self { ground, cells: Paged::new(), count: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What the cell of this id is.
    #[inline]
    pub(super) fn get(&self, cell: u32) -> Wall {
        self.cells.get(cell as usize)
    }

    /// Whether there is a wall between `corners`, on one of `levels`.
    pub(super) fn are_between(&self, [least, most]: Corners, levels: std::ops::RangeInclusive<u32>) -> bool {
        let [columns, rows] = self.ground.size();
        let mut cells = levels.flat_map(|level| {
            (least[1]..=most[1]).flat_map(move |row| {
                let first = (level * rows + row) * columns;
                (least[0]..=most[0]).map(move |column| first + column)
            })
        });
        !self.is_empty() && cells.any(|cell| self.get(cell) != Wall::None)
    }

    /// Makes the cell of this id what `new` says. Returns whether that is a change.
    pub(super) fn set(&mut self, cell: u32, new: Wall) -> bool {
        if self.is_empty() && new != Wall::None {
            self.cells.reset(self.ground.cells().bound());
        }
        let old = self.get(cell);
        if old == new {
            return false;
        }
        if let Some(wall) = self.cells.get_mut(cell as usize) {
            *wall = new;
            self.count += usize::from(old == Wall::None);
            self.count -= usize::from(new == Wall::None);
        }
        true
    }

    /// Applies `change`, unless it is one of surfaces, to the cells that `area` covers. Returns the corners of the cells that have changed.
    pub(super) fn change(&mut self, area: &Area, change: Change) -> Option<Corners> {
        if self.is_empty() && matches!(change, Change::Open | Change::Seal) {
            return None;
        }
        let ground = self.ground;
        let size = ground.size();
        let [columns, rows] = size;
        let mut changed: Option<Corners> = None;
        for (level, heights) in ground.heights() {
            area.for_each_square(heights, ground.origin(), ground.side(), size, |column, row| {
                let cell = (level * rows + row) * columns + column;
                let new = match (change, self.get(cell)) {
                    (Change::Close, _) | (Change::Seal, Wall::Vacated) => Wall::Closed,
                    (Change::Vacate, Wall::None) => Wall::Vacated,
                    (Change::Open, _) => Wall::None,
                    (_, wall) => wall,
                };
                if self.set(cell, new) {
                    let [least, most] = changed.unwrap_or([[column, row]; 2]);
                    changed =
                        Some([[least[0].min(column), least[1].min(row)], [most[0].max(column), most[1].max(row)]]);
                }
            });
        }
        changed
    }

    /// Whether `area` covers the cell of this id.
    pub(super) fn is_covered(&self, cell: u32, area: &Area) -> bool {
        let (origin, side, [columns, rows]) = (self.ground.origin(), self.ground.side(), self.ground.size());
        let [column, row] = [cell % columns, cell / columns % rows].map(f64::from);
        let corner = [origin[0] + column * side, origin[1] + row * side];
        let heights = self.ground.heights().nth((cell / (columns * rows)) as usize);
        let mut covered = false;
        if let Some((_, heights)) = heights {
            area.for_each_square(heights, corner, side, [1, 1], |_, _| covered = true);
        }
        covered
    }
}
