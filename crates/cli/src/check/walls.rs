//! The walls of a map, as rectangles for the checker of bodies.

use std::fmt;
use std::ops::Range;

use giveway::check::{Wall, WallOverlap};
use giveway::plan::{Trace, TracedBody};
use giveway::scenario::MapFile;

/// A run of cells in a row: the first and the last column.
type Run = [i64; 2];

/// The walls of a map, and all that is off the map.
///
/// Depths are measured against each rectangle for itself, so rectangles overlap where the map is wall on both sides of
/// a border: they are runs of walls in one row, and runs of walls in two rows at once. Runs go on to the next cell off
/// the map.
pub(crate) struct MapWalls {
    size: [i64; 2],
    /// The first and the last cell of each rectangle. The walls after these are off the map.
    cells: Vec<[[i64; 2]; 2]>,
    walls: Vec<Wall>,
}

impl MapWalls {
    /// The walls of `map` for the agents of `trace`.
    pub(crate) fn new(map: &MapFile, trace: &Trace) -> Self {
        let size @ [width, height] = [map.width(), map.height()].map(i64::from);
        let is_wall = |x: i64, y: i64| match (u32::try_from(x), u32::try_from(y)) {
            (Ok(x), Ok(y)) => !map.is_passable(x, y),
            _ => true,
        };
        // Runs that are off the map add nothing.
        let on_map = |[first, last]: &Run| *first < width && *last >= 0;
        let in_two_rows = |y: i64| -> Vec<Run> {
            runs(-1..width + 1, |x| is_wall(x, y) && is_wall(x, y + 1)).into_iter().filter(on_map).collect()
        };
        let mut cells = Vec::new();
        let mut above = in_two_rows(-1);
        for y in 0..height {
            cells.extend(above.iter().map(|[first, last]| [[*first, y - 1], [*last, y]]));
            let below = in_two_rows(y);
            let in_row = runs(-1..width + 1, |x| is_wall(x, y)).into_iter().filter(on_map);
            let alone = in_row.filter(|run| !holds(&above, run) && !holds(&below, run));
            cells.extend(alone.map(|[first, last]| [[first, y], [last, y]]));
            above = below;
        }
        cells.extend(above.iter().map(|[first, last]| [[*first, height - 1], [*last, height]]));

        let mut walls: Vec<Wall> = Vec::with_capacity(cells.len() + 4);
        #[allow(clippy::cast_possible_truncation)] // only a coordinate beyond 2^23 is rounded
        let position = |cell: [i64; 2], side: f64| cell.map(|c| (c as f64 + side) as f32);
        walls.extend(cells.iter().map(|[first, last]| Wall::rectangle(position(*first, -0.5), position(*last, 0.5))));
        let [left, top] = position([0, 0], -0.5);
        let [right, bottom] = position(size, -0.5);
        let far = 4.0 * farthest(trace).max(right).max(bottom).clamp(1.0, f32::MAX / 4.0);
        walls.push(Wall::rectangle([-far, -far], [left, far]));
        walls.push(Wall::rectangle([right, -far], [far, far]));
        walls.push(Wall::rectangle([-far, -far], [far, top]));
        walls.push(Wall::rectangle([-far, bottom], [far, far]));
        Self { size, cells, walls }
    }

    pub(crate) fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// Where `overlap` is.
    pub(super) fn place(&self, overlap: &WallOverlap) -> WallPlace {
        let Some([first, last]) = self.cells.get(overlap.wall) else { return WallPlace::OffTheMap };
        // A rectangle may go on off the map, but not only there.
        #[allow(clippy::cast_possible_truncation)] // saturates
        let nearest = |axis: usize| {
            let [first, last] = [first[axis].max(0), last[axis].min(self.size[axis] - 1)];
            (overlap.point[axis].round() as i64).clamp(first, last)
        };
        WallPlace::Cell([nearest(0), nearest(1)])
    }
}

/// A cell that is a wall, or all off the map.
#[derive(Clone, Copy)]
pub(super) enum WallPlace {
    Cell([i64; 2]),
    OffTheMap,
}

impl fmt::Display for WallPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell([x, y]) => write!(f, "deep in the wall at ({x},{y})"),
            Self::OffTheMap => write!(f, "off the map"),
        }
    }
}

/// The longest runs of `columns` that are walls.
fn runs(columns: Range<i64>, is_wall: impl Fn(i64) -> bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for x in columns.filter(|x| is_wall(*x)) {
        match runs.last_mut() {
            Some([_, last]) if *last == x - 1 => *last = x,
            _ => runs.push([x, x]),
        }
    }
    runs
}

/// Whether one of `runs`, which are in order, holds all of `run`.
fn holds(runs: &[Run], [first, last]: &Run) -> bool {
    let begun = runs.partition_point(|run| run[0] <= *first);
    begun > 0 && runs[begun - 1][1] >= *last
}

/// A coordinate that no agent of `trace` reaches beyond.
fn farthest(trace: &Trace) -> f32 {
    let greatest = |numbers: &[f32]| numbers.iter().fold(0.0, |most: f32, c| most.max(c.abs()));
    let lengths = trace.trajectories.iter().map(|it| it.stretches().iter().map(|stretch| stretch.length.abs()).sum());
    let of_agents = trace.agents.iter().map(|agent| {
        let places = std::iter::once(&agent.start).chain(agent.moves.iter().map(|step| &step.to));
        let reach = agent.bodies().into_iter().map(|(_, body)| match body {
            None => 0.0,
            Some(TracedBody::Disc { center, radius }) => 2.0 * greatest(center) + radius,
            Some(TracedBody::Polygon { corners }) => 2.0 * greatest(corners.as_flattened()),
        });
        reach.fold(0.0, f32::max) + places.map(|place| greatest(&place.position[..2])).fold(0.0, f32::max)
    });
    of_agents.fold(0.0, f32::max) + lengths.fold(0.0, f32::max)
}
