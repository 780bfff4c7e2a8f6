//! When robots of a problem keep to lanes.

use std::sync::Arc;

use anyhow::Result;
use giveway::direction::Crisscross;
use giveway::heuristic::{PricedDistances, TrueDistances, Zero};
use giveway::spaces::{Embedding, Grid};
use giveway::strategies::{Class, ClassId, Crowd};
use giveway::{Footprint, SpaceGraph};

/// The surcharges of [`Crisscross`] lanes, in plain steps.
///
/// They were chosen on random maps, rooms, caves, open fields, mazes and warehouses, for most errands where aisles are
/// crowded and few fewer elsewhere. The book has figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Lanes {
    open: f32,
    narrow: f32,
}

impl Lanes {
    /// For robots that do not turn.
    const LIGHT: Self = Self { open: 0.5, narrow: 2.0 };
    /// For robots that turn: they take longer to get out of each other's way.
    const MEDIUM: Self = Self { open: 1.0, narrow: 3.0 };
    /// For robots that turn on a dense map.
    const HEAVY: Self = Self { open: 2.0, narrow: 4.0 };

    /// The lanes for `robots` robots on `grid`. A cell has `poses` poses.
    pub(super) fn of(grid: &Grid, robots: usize, poses: usize) -> Self {
        match (poses, 2 * cells(grid) <= 7 * robots) {
            (1, _) => Self::LIGHT,
            (_, true) => Self::HEAVY,
            (_, false) => Self::MEDIUM,
        }
    }

    /// [Lanes](Self::of), unless distances at their prices would take more than half of the memory for distances, or so
    /// much of the `budget` per tick that robots make fewer errands than without.
    pub(super) fn if_cheap(grid: &Grid, robots: usize, poses: usize, budget: Option<u64>) -> Option<Self> {
        /// The memory of distances for each pose, in bytes, including the distances to former goals.
        const BYTES: usize = 12;
        let lanes = Self::of(grid, robots, poses);
        let work_of_a_robot = if lanes == Self::MEDIUM { 30 } else { 10 };
        let is_short = budget.is_some_and(|budget| budget < work_of_a_robot * robots as u64);
        let is_large = robots * cells(grid) * poses > TrueDistances::<Grid, Zero>::DEFAULT_BYTES / 2 / BYTES;
        (!is_short && !is_large).then_some(lanes)
    }
}

/// The number of free cells.
fn cells(grid: &Grid) -> usize {
    grid.nodes().filter(|cell| grid.contains(*cell)).count()
}

/// Adds the class of robots in `space` that keep to `lanes`.
pub(super) fn add_class<'a, S, F>(
    crowd: &mut Crowd<'a>,
    space: &'a S,
    footprint: F,
    lanes: Option<Lanes>,
) -> Result<ClassId>
where
    S: Embedding<Action: Send + Sync, Cost: Send + Sync> + Send + Sync + 'static,
    F: Footprint<S> + Send + Sync + 'a,
{
    let class = Class::new(space, footprint);
    let Some(Lanes { open, narrow }) = lanes else { return Ok(crowd.add_class(class)?) };
    let lanes = Arc::new(Crisscross::new(space, open, narrow));
    Ok(crowd.add_class(class.heuristics(PricedDistances::tables(Arc::clone(&lanes))).layer(lanes))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_where_they_pay() {
        let small = Grid::open(30, 30).unwrap();
        let large = Grid::open(300, 300).unwrap();
        for (grid, robots, poses, budget, lanes) in [
            (&small, 100, 4, None, Some(Lanes::MEDIUM)),
            (&small, 257, 4, None, Some(Lanes::MEDIUM)),
            (&small, 258, 4, None, Some(Lanes::HEAVY)),
            (&small, 258, 1, None, Some(Lanes::LIGHT)),
            (&small, 100, 4, Some(3000), Some(Lanes::MEDIUM)),
            (&small, 100, 4, Some(2999), None),
            (&small, 258, 4, Some(2580), Some(Lanes::HEAVY)),
            (&small, 258, 1, Some(2579), None),
            (&large, 100, 4, None, Some(Lanes::MEDIUM)),
            (&large, 200, 4, None, None),
            (&large, 200, 1, None, Some(Lanes::LIGHT)),
        ] {
            assert_eq!(
                Lanes::if_cheap(grid, robots, poses, budget),
                lanes,
                "{robots} robots, {poses} poses, {budget:?}"
            );
        }
    }
}
