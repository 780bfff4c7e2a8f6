//! Motion primitives: the driving moves that a vehicle has at every place, as data.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use giveway_core::{Stretch, Trajectory};

use crate::body_error::{BodyError, length_within};
use crate::fit::Way;
use crate::trajectory::{Placement, Stroke};

/// The headings of a vehicle on a lattice. Each heading is the direction from one cell of the grid to another cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Headings {
    /// The four directions of the axes.
    Four,
    /// The directions of the axes and the diagonals.
    #[default]
    Eight,
    /// The eight directions of `Eight`, and the eight directions between them: (2, 1), (1, 2) and so on.
    Sixteen,
}

impl Headings {
    /// The number of headings.
    pub fn count(self) -> u32 {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// The direction of heading number `heading`, in cells. Heading 0 is along x, and numbers grow from x towards y. A
    /// number beyond the last heading counts modulo the number of headings.
    pub fn direction(self, heading: u32) -> [i32; 2] {
        const FIRST: [[i32; 2]; 4] = [[1, 0], [2, 1], [1, 1], [1, 2]];
        let quarter = self.count() / 4;
        let [mut x, mut y] = FIRST[(heading % quarter) as usize * (4 / quarter as usize)];
        for _ in 0..heading / quarter % 4 {
            (x, y) = (-y, x);
        }
        [x, y]
    }

    /// The angle of heading number `heading`, in radians from x towards y, from 0 up to, not including, a full turn.
    pub(crate) fn angle(self, heading: u32) -> f64 {
        let quarter = self.count() / 4;
        let within = heading % quarter * (4 / quarter);
        let [x, y] = [[1.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]][within as usize];
        let within = if within == 2 { FRAC_PI_4 } else { libm::atan2(y, x) };
        f64::from(heading / quarter % 4) * FRAC_PI_2 + within
    }

    /// The next heading, towards y or away from it.
    fn beside(self, heading: u32, towards: bool) -> u32 {
        let count = self.count();
        if towards { (heading + 1) % count } else { (heading + count - 1) % count }
    }
}

/// The motion primitives of a vehicle: the moves that it can make at every place of a lattice. A primitive begins in
/// the middle of a cell, under a heading, and ends in the middle of a cell, under a heading.
///
/// Primitives are generated, or [given](Self::with) one by one:
///
/// ```
/// use giveway_bodies::{Headings, Primitives};
///
/// // Forwards, by arcs of at least two cells' radius to the next heading, and backwards at twice the time and cost.
/// let car = Primitives::straight(Headings::Eight, 1)?.arcs(2.0)?.reversing(2.0)?;
/// // For each of eight headings: straight on, two arcs, and the same backwards.
/// assert_eq!(car.len(), 8 * 6);
/// // A tank turns on the spot: a full turn takes as long as driving six cells.
/// let tank = Primitives::straight(Headings::Eight, 1)?.pivoting(6.0)?;
/// assert_eq!(tank.len(), 8 * 3);
/// # Ok::<(), giveway_bodies::BodyError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Primitives {
    headings: Headings,
    ways: Vec<Way>,
}

/// How far beside its target a primitive may end, since it is given in `f32`.
const ASTRAY: f64 = 1e-4;
/// The most ways out of one heading; each has a bit.
const MOST_WAYS: usize = 32;
/// Primitives with more stretches, or longer ways in cells, count as mistakes.
const MOST_STRETCHES: usize = 100;
const LONGEST: f64 = 64.0;

impl Primitives {
    /// Straight moves, one along each heading. The displacement is `step` times the [direction](Headings::direction) of
    /// the heading.
    ///
    /// # Errors
    /// The step is 0, or more than 64.
    pub fn straight(headings: Headings, step: u32) -> Result<Self, BodyError> {
        let cells = length_within(LONGEST, "step", f64::from(step))?;
        let mut primitives = Self { headings, ways: Vec::new() };
        for heading in 0..headings.count() {
            let [x, y] = headings.direction(heading).map(|side| f64::from(side) * cells);
            let length = (x * x + y * y).sqrt();
            primitives.push(heading, vec![Stroke::Drive { length, turn: 0.0, counts: length }])?;
        }
        Ok(primitives)
    }

    /// For each heading, adds an arc to the next heading on either side. The radius of an arc is `radius` cells, or a
    /// little more. A primitive has a straight stretch before or after its arc only if that is needed to end in the
    /// middle of a cell.
    ///
    /// # Errors
    /// The radius is below 0.001 or above 64 cells, or there are more than 32 primitives for a heading.
    pub fn arcs(mut self, radius: f32) -> Result<Self, BodyError> {
        let radius = length_within(LONGEST, "radius", radius.into())?;
        for heading in 0..self.headings.count() {
            for towards in [true, false] {
                let strokes = self.arc(heading, self.headings.beside(heading, towards), radius);
                self.push(heading, strokes)?;
            }
        }
        Ok(self)
    }

    /// Adds the reverse of every primitive added so far; call this method last. Driving backwards takes `slowness`
    /// times as long and costs `slowness` times as much.
    ///
    /// # Errors
    /// The slowness is not between 0.01 and 100, or there are more than 32 primitives for a heading.
    pub fn reversing(mut self, slowness: f32) -> Result<Self, BodyError> {
        let slowness = f64::from(slowness);
        if !(0.01..=100.0).contains(&slowness) {
            return Err(BodyError::Backwards(slowness));
        }
        for way in self.ways.clone() {
            let back = way.strokes.iter().rev().map(|stroke| match *stroke {
                Stroke::Drive { length, turn, counts } => {
                    Stroke::Drive { length: -length, turn: -turn, counts: counts * slowness }
                }
                Stroke::Slide(by) => Stroke::Slide(by.map(|side| -side)),
            });
            // A reversed turn on the spot is a turn that exists already.
            if way.by != [0, 0] {
                self.push(way.to, back.collect())?;
            }
        }
        Ok(self)
    }

    /// For each heading, adds turns on the spot to the next heading on either side. A full turn takes as long as
    /// driving `length` world units, and costs as much as that.
    ///
    /// # Errors
    /// The length is below 0.001 or above 64 world units, or there are more than 32 primitives for a heading.
    pub fn pivoting(mut self, length: f32) -> Result<Self, BodyError> {
        let full = length_within(LONGEST, "length for a full turn", length.into())?;
        for heading in 0..self.headings.count() {
            for towards in [true, false] {
                let turn = self.turn(heading, self.headings.beside(heading, towards));
                self.push(heading, vec![Stroke::Drive { length: 0.0, turn, counts: full * turn.abs() / TAU }])?;
            }
        }
        Ok(self)
    }

    /// Adds one primitive: `trajectory`, driven from heading number `heading`. The primitive takes as long as driving
    /// `length` world units, and costs as much as that.
    ///
    /// # Errors
    /// * The end of the trajectory is more than 1e-4 world units from the middle of a cell, or more than 1e-4 radians
    ///   from a heading.
    /// * The trajectory ends in the cell where it begins, with the heading with which it begins.
    /// * A number is not finite, a share is negative, or the sum of all shares differs from 1 by more than a
    ///   thousandth.
    /// * The share of a stretch is 0, although the stretch has a length or a turn. A stretch goes farther than 64 world
    ///   units, or turns by more than a full turn. There are more than 100 stretches.
    /// * `length` is not between 0.001 and 64.
    /// * The heading does not exist, or it already has 32 primitives.
    pub fn with(mut self, heading: u32, trajectory: &Trajectory, length: f32) -> Result<Self, BodyError> {
        let counts = length_within(LONGEST, "length", length.into())?;
        let total: f64 = trajectory.stretches().iter().map(|stretch| f64::from(stretch.share)).sum();
        let stroke = |stretch: &Stretch| {
            let [share, length, turn] = [stretch.share, stretch.length, stretch.turn].map(f64::from);
            // A unit cannot move in no time.
            let takes = share.is_finite() && (share > 0.0 || (share == 0.0 && length == 0.0 && turn == 0.0));
            let known = takes && length.abs() <= LONGEST && turn.abs() <= TAU;
            known.then_some(Stroke::Drive { length, turn, counts: share / total * counts })
        };
        let strokes: Option<Vec<Stroke>> = trajectory.stretches().iter().map(stroke).collect();
        let known = (total - 1.0).abs() <= 1e-3
            && trajectory.stretches().len() <= MOST_STRETCHES
            && heading < self.headings.count();
        let strokes = strokes.filter(|_| known);
        self.push(heading, strokes.ok_or(BodyError::Stretches { heading })?)?;
        Ok(self)
    }

    /// The number of primitives, for all headings together.
    #[allow(clippy::len_without_is_empty)] // there always are some
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    /// The headings of the vehicle.
    pub fn headings(&self) -> Headings {
        self.headings
    }

    pub(super) fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The turn between two headings, the shorter way round.
    fn turn(&self, from: u32, to: u32) -> f64 {
        let turn = self.headings.angle(to) - self.headings.angle(from);
        if turn > TAU / 2.0 {
            turn - TAU
        } else if turn <= -TAU / 2.0 {
            turn + TAU
        } else {
            turn
        }
    }

    /// The shortest way from one heading to another by one arc of at least `radius`.
    fn arc(&self, from: u32, to: u32, radius: f64) -> Vec<Stroke> {
        let turn = self.turn(from, to);
        let [u, v] = [from, to].map(|heading| {
            let angle = self.headings.angle(heading);
            [libm::cos(angle), libm::sin(angle)]
        });
        // The way follows two legs of a corner; the arc cuts the corner, and begins and ends `radius * tangent` from
        // it.
        let tangent = libm::tan(turn.abs() / 2.0);
        let cross = u[0] * v[1] - u[1] * v[0];
        let best = |legs: [f64; 2]| {
            let shorter = legs[0].min(legs[1]);
            let [before, after] = legs.map(|leg| leg - shorter);
            let arc = shorter / tangent * turn.abs();
            (before + arc + after, [before, arc, after])
        };
        #[allow(clippy::cast_possible_truncation)] // at most some hundred cells
        let far = (4.0 * radius * tangent).ceil() as i32 + 6;
        let ends = (-far..=far).flat_map(|y| (-far..=far).map(move |x| [f64::from(x), f64::from(y)]));
        let legs = ends.map(|[x, y]| [(x * v[1] - y * v[0]) / cross, (u[0] * y - u[1] * x) / cross]);
        let wide = legs.filter(|legs| legs.iter().all(|leg| *leg >= (radius * tangent - 1e-9).max(1e-9)));
        let shortest = wide.map(best).reduce(|best, other| if other.0 < best.0 - 1e-9 { other } else { best });
        let [before, arc, after] = shortest.map_or([0.0; 3], |(_, lengths)| lengths);
        let strokes = [(before, 0.0), (arc, turn), (after, 0.0)].map(|(length, turn)| Stroke::Drive {
            length,
            turn,
            counts: length,
        });
        strokes.into_iter().filter(|stroke| stroke.counts() > 1e-9).collect()
    }

    /// Adds the way of `strokes`, if it ends at a valid place.
    fn push(&mut self, heading: u32, strokes: Vec<Stroke>) -> Result<(), BodyError> {
        let start = Placement::facing(self.headings.angle(heading));
        let end = strokes.iter().fold(start, |placement, stroke| placement.after(stroke, 1.0));
        let by = end.at.map(f64::round);
        let beside = |to: &u32| {
            let off = (end.heading - self.headings.angle(*to)) / TAU;
            (off - off.round()).abs() * TAU <= ASTRAY
        };
        let to = (0..self.headings.count()).find(beside);
        let near = (0..2).all(|axis| (end.at[axis] - by[axis]).abs() <= ASTRAY);
        let Some(to) = to.filter(|to| near && (*to != heading || by != [0.0, 0.0])) else {
            return Err(BodyError::Astray { heading });
        };
        if self.ways.iter().filter(|way| way.from == heading).count() == MOST_WAYS {
            return Err(BodyError::TooManyWays { heading });
        }
        #[allow(clippy::cast_possible_truncation)] // near the origin
        self.ways.push(Way { from: heading, to, by: by.map(|side| side as i32), strokes });
        Ok(())
    }
}

/// The public trajectory of `strokes`.
#[allow(clippy::cast_possible_truncation)] // as exact as positions
pub(super) fn trajectory_of(strokes: &[Stroke]) -> Trajectory {
    let total: f64 = strokes.iter().map(Stroke::counts).sum();
    let stretch = |stroke: &Stroke| match *stroke {
        Stroke::Drive { length, turn, counts } => {
            Some(Stretch { share: (counts / total) as f32, length: length as f32, turn: turn as f32 })
        }
        Stroke::Slide(_) => None,
    };
    Trajectory::new(strokes.iter().filter_map(stretch).collect())
}
