//! What a body meets on the raster of a ground as it rests and moves in a space with positions.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex};

use giveway_core::plane::{TOUCH, length};
use giveway_core::{Area, Embedding, MoveIn, NodeId, Trajectory};

use crate::footprint::stamp::{Print, longest_part, stamp};
use crate::ground::Ground;
use crate::shape::{Shape, Square, segment_to_square};
use crate::trajectory::{Placement, Stroke};
use crate::walls::{Corners, overlap};

/// A shape on a ground.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub(crate) shape: Arc<Shape>,
    pub(crate) ground: Ground,
    /// The farthest that the shape reaches from its position.
    reach: f64,
    recurring: Arc<Recurring>,
}

/// The squares met on ways that recur: in a regular space, many places lie alike on the raster, and many moves are
/// alike.
#[derive(Debug, Default)]
struct Recurring(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    prints: HashMap<Alike, Arc<[Print]>>,
    /// How many prints there are in all.
    count: usize,
}

/// Ways with equal values meet alike squares. As bits: where the begin lies in its square, and where the end lies from
/// the begin.
type Alike = [u64; 4];

/// No more ways than this are remembered: the first ones. A regular space has few.
const MOST_RECURRING: usize = 4096;
/// No more prints than this are remembered in all; each takes 24 bytes.
const MOST_PRINTS: usize = 1 << 20;
/// The place of a begin in its square is rounded to this part of a world unit, far less than what counts as touching.
const FINE: f64 = 1.0 / 4_294_967_296.0;

impl Recurring {
    /// The answer of `stamp` for ways that are `alike`.
    fn get(&self, alike: Alike, stamp: impl FnOnce() -> Vec<Print>) -> Arc<[Print]> {
        let lock = || self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = lock().prints.get(&alike) {
            return Arc::clone(known);
        }
        let prints: Arc<[Print]> = stamp().into();
        let mut known = lock();
        if known.prints.len() < MOST_RECURRING && known.count + prints.len() <= MOST_PRINTS {
            known.count += prints.len();
            known.prints.insert(alike, Arc::clone(&prints));
        }
        prints
    }
}

/// A motion in the plane, and the heights between which it lies.
pub(crate) struct Course {
    from: [f64; 2],
    heading: f64,
    strokes: Vec<Stroke>,
    heights: [f64; 2],
    /// How far the way may lie from the straight line between its ends.
    strays: f64,
    to: [f64; 2],
    /// For a jump, the heading at its end: the unit needs both ends, and nothing between them.
    jumps: Option<f64>,
}

/// How exactly trajectories end where their moves end: in world units and radians, and as a share of coordinates and
/// lengths, which are known to 24 bits.
const EXACT: f64 = 1e-4;
const EXACT_PART: f64 = 1e-6;
/// How exactly the shares of a trajectory add up to 1.
const WHOLE: f64 = 1e-6;
/// Longer trajectories, and more stretches, count as mistakes.
const LONGEST: f64 = 1e6;
const MOST_STRETCHES: usize = 100;
/// What touches a square, to this part of its side, may meet it or not.
const TOUCHING: f64 = 1e-3;
/// Parts of turns are stamped a little larger than they are.
const AROUND: f64 = 1.0004;

impl Course {
    /// Standing on `node`.
    pub(crate) fn rest<S: Embedding>(space: &S, node: NodeId) -> Self {
        let [x, y, z] = space.position(node).map(f64::from);
        let heading = f64::from(space.heading(node));
        Self { from: [x, y], to: [x, y], heading, strokes: Vec::new(), heights: [z, z], strays: 0.0, jumps: None }
    }

    /// The move `m`. `None`: its trajectory does not lead to the place where the move ends.
    pub(crate) fn of<S: Embedding>(space: &S, m: &MoveIn<S>) -> Option<Self> {
        let (from, to) = (space.position(m.from), space.position(m.to));
        Self::between([from, to], [space.heading(m.from), space.heading(m.to)], space.trajectory(m))
    }

    /// The move between two positions, with these headings there.
    fn between(positions: [[f32; 3]; 2], headings: [f32; 2], trajectory: Option<&Trajectory>) -> Option<Self> {
        let [from, to] = positions.map(|position| position.map(f64::from));
        let [start, end] = [from, to].map(|[x, y, _]| [x, y]);
        let [heading, arrives] = headings.map(f64::from);
        let heights = [from[2], to[2]];
        let Some(trajectory) = trajectory else {
            let by = [end[0] - start[0], end[1] - start[1]];
            // A move that only climbs takes its time, too.
            let strokes = if by == [0.0, 0.0] { Vec::new() } else { vec![Stroke::Slide(by)] };
            return Some(Self { from: start, to: end, heading, strokes, heights, strays: 0.0, jumps: None });
        };
        if trajectory.is_jump() {
            let (strokes, jumps) = (Vec::new(), Some(arrives));
            return Some(Self { from: start, to: end, heading, strokes, heights, strays: 0.0, jumps });
        }
        let strokes: Vec<Stroke> = trajectory
            .stretches()
            .iter()
            .map(|stretch| {
                let [length, turn, counts] = [stretch.length, stretch.turn, stretch.share].map(f64::from);
                Stroke::Drive { length, turn, counts }
            })
            .collect();
        let share: f64 = strokes.iter().map(Stroke::counts).sum();
        let sane = |stroke: &Stroke| match *stroke {
            Stroke::Drive { length, turn, counts } => counts > 0.0 && length.abs() <= LONGEST && turn.abs() <= TAU,
            Stroke::Slide(_) => true,
        };
        if (share - 1.0).abs() > WHOLE || strokes.len() > MOST_STRETCHES || !strokes.iter().all(sane) {
            return None;
        }
        let begin = Placement { at: start, heading };
        let last = strokes.iter().fold(begin, |placement, stroke| placement.after(stroke, 1.0));
        let off = (last.heading - arrives).rem_euclid(TAU);
        let strays = f64::from(trajectory.length());
        let far = start.into_iter().chain(end).map(f64::abs).fold(strays, f64::max);
        let exact = EXACT.max(far * EXACT_PART);
        let is_there = (0..2).all(|axis| (last.at[axis] - end[axis]).abs() <= exact) && off.min(TAU - off) <= EXACT;
        is_there.then_some(Self { from: start, to: end, heading, strokes, heights, strays, jumps: None })
    }

    /// The two ends of a jump, as rests.
    fn ends(&self) -> Option<[Self; 2]> {
        let heading = self.jumps?;
        let rest = |at, heading, height| Self {
            from: at,
            to: at,
            heading,
            strokes: Vec::new(),
            heights: [height; 2],
            strays: 0.0,
            jumps: None,
        };
        Some([rest(self.from, self.heading, self.heights[0]), rest(self.to, heading, self.heights[1])])
    }

    fn is_finite(&self) -> bool {
        let numbers = self.from.into_iter().chain(self.to).chain(self.heights).chain([self.heading]);
        numbers.into_iter().all(f64::is_finite)
    }
}

impl Survey {
    pub(crate) fn new(shape: Arc<Shape>, ground: Ground) -> Self {
        let reach = shape.reach() * AROUND;
        Self { shape, ground, reach, recurring: Arc::default() }
    }

    /// How many cells of the ground the body is wide, or a little more.
    pub(crate) fn cells_across(&self) -> f64 {
        2.0 * self.reach / self.ground.side()
    }

    /// Calls `each` with the id of every cell that is met on `course`, level by level, and with the shares of its time
    /// between which it is met. Returns whether the whole way is on the ground; otherwise `each` is not called.
    pub(crate) fn cells(&self, course: &Course, each: &mut dyn FnMut(u32, &Print)) -> bool {
        match course.ends() {
            None => self.cells_on_the_way(course, each),
            Some(ends) => {
                let mut cells: Vec<(u32, Print)> = Vec::new();
                let mut collect = |cell: u32, print: &Print| cells.push((cell, *print));
                let on_ground = ends.iter().all(|end| self.cells_on_the_way(end, &mut collect));
                cells.sort_unstable_by_key(|(cell, _)| *cell);
                cells.dedup_by_key(|(cell, _)| *cell);
                if on_ground {
                    cells.iter().for_each(|(cell, print)| each(*cell, print));
                }
                on_ground
            }
        }
    }

    /// [`cells`](Self::cells) of a course that is no jump.
    fn cells_on_the_way(&self, course: &Course, each: &mut dyn FnMut(u32, &Print)) -> bool {
        let (origin, side, [columns, rows]) = (self.ground.origin(), self.ground.side(), self.ground.size());
        // Both positions are on the ground, or next to it: ways are not stamped that are longer than that.
        if !course.is_finite() || !self.is_beside(course.from) || !self.is_beside(course.to) {
            return false;
        }
        let at = [0, 1].map(|axis| ((course.from[axis] - origin[axis]) / side).floor());
        let corner = [0, 1].map(|axis| at[axis] * side + origin[axis] - course.from[axis]);
        let start = Placement { at: [0.0, 0.0], heading: course.heading };
        let raster = [side, longest_part(side)];
        let prints: Arc<[Print]> = match course.strokes[..] {
            // Straight on or at rest, without a heading: only the begin in its square and the way count.
            [] | [Stroke::Slide(_)] if course.heading == 0.0 => {
                let by = if let [Stroke::Slide(by)] = course.strokes[..] { by } else { [0.0, 0.0] };
                let corner = corner.map(|side| (side / FINE).round() * FINE);
                let alike = [corner[0], corner[1], by[0], by[1]].map(|number| (number + 0.0).to_bits());
                self.recurring.get(alike, || stamp(&self.shape, start, &course.strokes, raster, corner))
            }
            _ => stamp(&self.shape, start, &course.strokes, raster, corner).into(),
        };
        #[allow(clippy::cast_possible_truncation)] // checked just now
        let [column, row] = at.map(|number| number as i64);
        let place = |print: &Print| {
            let number = |first: i64, by: i32, count: u32| {
                u32::try_from(first + i64::from(by)).ok().filter(|number| *number < count)
            };
            Some(number(row, print.row, rows)? * columns + number(column, print.column, columns)?)
        };
        let Some(cells) = prints.iter().map(place).collect::<Option<Vec<u32>>>() else { return false };
        for level in self.ground.levels_between(course.heights) {
            for (print, cell) in prints.iter().zip(&cells) {
                each(level * columns * rows + cell, print);
            }
        }
        true
    }

    /// Whether a body at `position` may be on the ground.
    fn is_beside(&self, position: [f64; 2]) -> bool {
        let (origin, side, size) = (self.ground.origin(), self.ground.side(), self.ground.size());
        let within = |axis: usize| {
            let end = origin[axis] + f64::from(size[axis]) * side;
            origin[axis] - self.reach <= position[axis] && position[axis] <= end + self.reach
        };
        within(0) && within(1)
    }

    /// The first and the last columns and rows that `course` can meet: all that it meets lies between. `None`: nothing
    /// of it is on the ground.
    pub(crate) fn bounds(&self, course: &Course) -> Option<[[u32; 2]; 2]> {
        if !course.is_finite() {
            return None;
        }
        let (origin, side, size) = (self.ground.origin(), self.ground.side(), self.ground.size());
        let far = self.reach + course.strays;
        let range = |axis: usize| {
            let number = |coordinate: f64| ((coordinate - origin[axis]) / side).floor();
            let low = number(course.from[axis].min(course.to[axis]) - far);
            let high = number(course.from[axis].max(course.to[axis]) + far);
            let last = f64::from(size[axis] - 1);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is clamped
            let clamped = [low, high].map(|number| number.clamp(0.0, last) as u32);
            (high >= 0.0 && low <= last).then_some(clamped)
        };
        let (columns, rows) = (range(0)?, range(1)?);
        Some([[columns[0], rows[0]], [columns[1], rows[1]]])
    }

    /// Whether all of `course` lies on the ground, judged by its bounds alone: `false` may mean that it does.
    pub(crate) fn is_well_within(&self, course: &Course) -> bool {
        let (origin, side, size) = (self.ground.origin(), self.ground.side(), self.ground.size());
        let far = self.reach + course.strays;
        let within = |axis: usize| {
            let end = origin[axis] + f64::from(size[axis]) * side;
            [course.from[axis], course.to[axis]].iter().all(|at| origin[axis] <= at - far && at + far <= end)
        };
        course.is_finite() && within(0) && within(1)
    }

    /// Whether the body may meet a cell on `course` that `area` meets, too, judged by their bounding boxes.
    pub(crate) fn is_near(&self, course: &Course, area: &Area) -> bool {
        // Both meet one cell: they are no farther from each other than the cell is wide.
        let far = self.reach + course.strays + self.ground.side();
        let corner = |pick: fn(f64, f64) -> f64| [0, 1].map(|axis| pick(course.from[axis], course.to[axis]));
        area.is_near(corner(f64::min).map(|low| low - far), corner(f64::max).map(|high| high + far))
    }

    /// Whether the body meets the square of this column and row on `course`. `None`: only its [cells](Self::cells) tell.
    pub(crate) fn meets(&self, course: &Course, [column, row]: [u32; 2]) -> Option<bool> {
        let Shape::Disc { center: [x, y], radius } = *self.shape else { return None };
        let is_straight = course.jumps.is_none() && matches!(course.strokes[..], [] | [Stroke::Slide(_)]);
        if !is_straight || x != 0.0 || y != 0.0 || !course.is_finite() {
            return None;
        }
        let (origin, side) = (self.ground.origin(), self.ground.side());
        let min = [origin[0] + f64::from(column) * side, origin[1] + f64::from(row) * side];
        let off = segment_to_square([course.from, course.to], Square { min, side }) - radius;
        (off.abs() > self.close()).then_some(off < 0.0)
    }

    /// Whether all that the body meets on the move `m` lies outside the columns and rows of `corners`. `false` may mean
    /// that, too.
    pub(crate) fn is_apart<S: Embedding>(&self, space: &S, m: &MoveIn<S>, corners: Corners) -> bool {
        if space.trajectory(m).is_some() {
            return Course::of(space, m)
                .is_some_and(|course| !self.bounds(&course).is_some_and(|it| overlap(it, corners)));
        }
        // A disc around the body goes straight on, and does not touch the rectangle between the corners.
        let [from, to] = [m.from, m.to].map(|node| space.position(node).map(f64::from));
        let by = [to[0] - from[0], to[1] - from[1]];
        let (origin, side, [least, most]) = (self.ground.origin(), self.ground.side(), corners);
        let half = [0, 1].map(|axis| f64::from(most[axis] - least[axis] + 1) * side / 2.0);
        let center = [0, 1].map(|axis| origin[axis] + f64::from(least[axis]) * side + half[axis] - from[axis]);
        let far = self.reach + self.close();
        let is_beyond = |axis: usize| {
            center[axis] + half[axis] + far < by[axis].min(0.0) || by[axis].max(0.0) + far < center[axis] - half[axis]
        };
        let off = center[1] * by[0] - center[0] * by[1];
        let is_beside = || off.abs() > half[0] * by[1].abs() + half[1] * by[0].abs() + far * length(by);
        is_beyond(0) || is_beyond(1) || is_beside()
    }

    /// What is nearer than this may meet or not, depending on how it is looked at.
    fn close(&self) -> f64 {
        self.ground.side() * TOUCHING + 2.0 * TOUCH
    }

    /// The levels on which `course` lies.
    pub(crate) fn levels(&self, course: &Course) -> std::ops::RangeInclusive<u32> {
        self.ground.levels_between(course.heights)
    }
}
