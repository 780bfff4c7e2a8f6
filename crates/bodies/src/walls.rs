//! Walls: which cells of a ground are closed to a class.

use giveway_core::paged::Paged;
use giveway_core::{Area, Change, Gate};

use crate::ground::Ground;

/// The first and the last columns and rows of a part of the ground.
pub(crate) type Corners = [[u32; 2]; 2];

/// Whether two parts of the ground have a column and a row in common.
pub(crate) fn overlap(one: Corners, other: Corners) -> bool {
    (0..2).all(|axis| one[0][axis] <= other[1][axis] && other[0][axis] <= one[1][axis])
}

/// The walls on a ground. They take memory where there are some.
#[derive(Clone, Debug)]
pub(crate) struct Walls {
    ground: Ground,
    gates: Paged<Gate>,
    /// The number of cells that are walls.
    count: usize,
}

impl Walls {
    /// No walls.
    pub(crate) fn on(ground: Ground) -> Self {
        Self { ground, gates: Paged::new(), count: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether bodies may be on the cell of this id.
    #[inline]
    pub(crate) fn get(&self, cell: u32) -> Gate {
        self.gates.get(cell as usize)
    }

    /// The column and the row of each wall between `corners`, on one of `levels`, and its gate.
    pub(crate) fn between(
        &self,
        [least, most]: Corners,
        levels: std::ops::RangeInclusive<u32>,
    ) -> impl Iterator<Item = ([u32; 2], Gate)> {
        let [columns, rows] = self.ground.size();
        let levels = (!self.is_empty()).then_some(levels);
        let cells = levels.into_iter().flatten().flat_map(move |level| {
            (least[1]..=most[1]).flat_map(move |row| {
                let first = (level * rows + row) * columns;
                (least[0]..=most[0]).map(move |column| ([column, row], first + column))
            })
        });
        cells.map(|(place, cell)| (place, self.get(cell))).filter(|(_, gate)| *gate != Gate::Open)
    }

    /// Applies `change` to the cell of this id. Returns whether that is a change.
    pub(crate) fn turn(&mut self, cell: u32, change: Change) -> bool {
        let old = self.get(cell);
        let new = old.after(change);
        if old == new {
            return false;
        }
        // All gates are open again where there were walls.
        if self.is_empty() && self.gates.get_mut(cell as usize).is_none() {
            self.gates.reset(self.ground.cells().bound());
        }
        if let Some(gate) = self.gates.get_mut(cell as usize) {
            *gate = new;
            self.count += usize::from(old == Gate::Open);
            self.count -= usize::from(new == Gate::Open);
        }
        true
    }

    /// Applies `change`, unless it is one of surfaces, to the cells that `area` covers. Returns the corners of the
    /// cells that have changed.
    pub(crate) fn change(&mut self, area: &Area, change: Change) -> Option<Corners> {
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
                if self.turn(cell, change) {
                    let [least, most] = changed.unwrap_or([[column, row]; 2]);
                    changed =
                        Some([[least[0].min(column), least[1].min(row)], [most[0].max(column), most[1].max(row)]]);
                }
            });
        }
        changed
    }

    /// Whether `area` covers the cell of this id.
    pub(crate) fn is_covered(&self, cell: u32, area: &Area) -> bool {
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
