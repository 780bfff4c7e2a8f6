//! Enclosures, such as navigation meshes, and the agents that leave them.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;

use super::checker::{BodyChecker, LOOKS, SHORT, agent};
use super::curves::Meeting;
use super::occupant::Occupant;
use super::passing::Passing;
use super::pieces::Piece;
use super::shape::{Shape, Vector, contact, depth, length, minus, plus, turned};
use super::tree::Tree;
use super::wall::Wall;
use giveway_core::{AgentId, Trace, TracedBody};

/// The ground that agents must not leave, such as a navigation mesh: convex polygons side by side, and the walls around
/// them.
#[derive(Clone, PartialEq, Debug)]
pub struct Enclosure {
    polygons: Vec<Wall>,
    walls: Vec<Wall>,
    /// The largest coordinate of a polygon.
    farthest: f64,
}

impl Enclosure {
    /// The enclosure of `polygons` and `walls`. A polygon is given by its corners, in any order. A wall is given by its
    /// two ends: `walls` are all edges, or parts of edges, with a polygon on one side only.
    ///
    /// Polygons and walls with numbers that are not finite are left out.
    pub fn new<P: Into<Vec<[f32; 2]>>>(
        polygons: impl IntoIterator<Item = P>,
        walls: impl IntoIterator<Item = [[f32; 2]; 2]>,
    ) -> Self {
        let wall = |corners: Vec<[f32; 2]>| Wall::new(TracedBody::Polygon { corners });
        let mut farthest: f32 = 0.0;
        let polygons = polygons.into_iter().map(|corners| {
            let corners: Vec<[f32; 2]> = corners.into();
            let sides = corners.as_flattened().iter().filter(|side| side.is_finite());
            farthest = sides.fold(farthest, |far, side| far.max(side.abs()));
            wall(corners)
        });
        let polygons = polygons.collect();
        let walls = walls.into_iter().map(|ends| wall(ends.to_vec())).collect();
        Self { polygons, walls, farthest: farthest.into() }
    }
}

/// An agent that leaves an enclosure, or is partly outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Excursion {
    /// The agent.
    pub agent: AgentId,
    /// The first time at which the agent is farther outside than the tolerance, in ticks; as exact as the
    /// [`tick`](super::Overlap::tick) of an overlap.
    pub tick: f64,
    /// The greatest depth of the excursion, in world units. The excursion lasts until the agent no longer reaches
    /// across the wall that it first crossed, and its middle is inside.
    pub depth: f32,
    /// A point outside at that time: on the wall across which the agent reaches, or the middle of the agent.
    pub point: [f32; 2],
}

impl fmt::Display for Excursion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, tick, depth, .. } = self;
        write!(f, "agent {} is {depth} outside from tick {tick} on", agent.0)
    }
}

impl BodyChecker {
    /// Every agent that is outside `enclosure` in `trace`, wholly or in part. The order is by the
    /// [tick](Excursion::tick) at which the excursion begins, then by agents.
    ///
    /// For motion and limits, see [`BodyChecker`]. Agents without a body are points. Heights do not matter.
    ///
    /// **Depth.** An agent is outside if it reaches across a wall, or if its middle is outside all polygons. Depths are
    /// in world units. The depth across a wall is the least distance by which the agent would have to be moved so that
    /// it only touches this wall. If the middle of the agent is outside, the depth is a sum: the distance of the middle
    /// from the nearest polygon, plus the radius of the largest disc around the middle that lies in the agent. So for
    /// points and discs, the depth is the distance by which they reach beyond the walls. Depths up to the tolerance are
    /// allowed: an agent may touch walls, and a point may cross a wall that is at most twice the tolerance thick.
    ///
    /// **Precision.** Times are exact to 1e-6 ticks, depths to 1e-4 world units. A point counts as inside if its
    /// distance from a polygon is at most 5e-5 world units, or at most a millionth of the largest coordinate of the
    /// enclosure. For a very long excursion the search for the greatest depth is cut short, so the depth may be too
    /// small.
    ///
    /// An agent is named once. [`at_most`](Self::at_most) bounds the number of agents named. Time is near linear in the
    /// numbers of moves, walls, polygons, polygons that agents pass, and pairs of a move and a wall whose bounding
    /// boxes overlap. Memory is near linear in the numbers of moves, walls and polygons.
    ///
    /// ```
    /// use giveway_check::{BodyChecker, Enclosure};
    /// use giveway_core::{AgentId, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
    ///
    /// // A square of 4 by 4, as one polygon with four walls.
    /// let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    /// let walls = [0, 1, 2, 3].map(|corner| [corners[corner], corners[(corner + 1) % 4]]);
    /// let square = Enclosure::new([corners], walls);
    ///
    /// let place = |x: f32, y: f32| TracedPlace::new(0, [x, y, 0.0]);
    /// let to = |x: f32| TracedAgent {
    ///     body: Some(TracedBody::Disc { center: [0.0; 2], radius: 1.0 }),
    ///     ..TracedAgent::new(place(1.0, 1.0), vec![], vec![TracedMove::new(0, 8, place(x, 1.0))])
    /// };
    /// assert_eq!(BodyChecker::new().check_enclosure(&Trace::new(1, vec![to(3.0)]), &square), []);
    ///
    /// let found = BodyChecker::new().tolerance(0.0).check_enclosure(&Trace::new(1, vec![to(5.0)]), &square);
    /// assert_eq!((found.len(), found[0].agent, found[0].point), (1, AgentId(0), [4.0, 1.0]));
    /// assert!((found[0].tick - 4.0).abs() < 1e-6 && (found[0].depth - 2.0).abs() < 1e-4);
    /// ```
    pub fn check_enclosure(&self, trace: &Trace, enclosure: &Enclosure) -> Vec<Excursion> {
        if self.most == 0 {
            return Vec::new();
        }
        let across = self.wall_stretches(trace, &enclosure.walls).into_iter();
        let mut found: Vec<(Excursion, f64)> = across
            .map(|(wall, until)| {
                let (agent, tick, depth, point) = (wall.agent, wall.tick, wall.depth, wall.point);
                (Excursion { agent, tick, depth, point }, until)
            })
            .collect();
        found.sort_unstable_by_key(|(excursion, _)| excursion.agent);
        let across = found.len();
        let ground = Ground::new(enclosure, self.tolerance);
        let walls = Still::new(&enclosure.walls);
        for occupant in self.agents_of(trace) {
            let agent = agent(&occupant);
            let across = found[..across].binary_search_by_key(&agent, |(excursion, _)| excursion.agent).ok();
            // Later than that stretch of time does not matter.
            let until = across.map_or(f64::INFINITY, |index| found[index].1);
            let there =
                across.map(|index| &mut found[index]).filter(|(excursion, _)| occupant.is_there(excursion.tick));
            if let Some((excursion, _)) = there {
                // Of several walls that it reaches across at once, any may have been found.
                excursion.depth = excursion.depth.max(walls.deepest(&occupant, excursion.tick + SHORT));
            }
            let Some(outside) = ground.first_outside(agent, &occupant, until) else { continue };
            match across.map(|index| &mut found[index].0) {
                None => found.push((outside, f64::INFINITY)),
                Some(excursion) if outside.tick < excursion.tick => *excursion = outside,
                Some(excursion) => excursion.depth = excursion.depth.max(outside.depth),
            }
        }
        let mut found: Vec<Excursion> = found.into_iter().map(|(excursion, _)| excursion).collect();
        // An agent of several shapes may leave with each of them.
        found.sort_unstable_by(|a, b| a.agent.cmp(&b.agent).then(a.tick.total_cmp(&b.tick)));
        found.dedup_by_key(|excursion| excursion.agent);
        found.sort_unstable_by(|a, b| a.tick.total_cmp(&b.tick).then(a.agent.cmp(&b.agent)));
        found.truncate(self.most);
        found
    }
}

/// Polygons or walls, and where they are.
struct Still {
    occupants: Vec<Occupant>,
    tree: Tree,
}

impl Still {
    fn new(shapes: &[Wall]) -> Self {
        let occupants: Vec<Occupant> = shapes.iter().filter_map(|shape| Occupant::of_wall(shape, None)).collect();
        let bounds: Vec<[Vector; 2]> = occupants.iter().map(Occupant::bounds_at_rest).collect();
        Self { occupants, tree: Tree::new(&bounds) }
    }

    /// The greatest depth of `agent` at `time`; 0 if it meets nothing.
    fn deepest(&self, agent: &Occupant, time: f64) -> f32 {
        let Some(piece) = agent.pieces.get(agent.piece_at(time)) else { return 0.0 };
        let (now, reach) = (piece.movement(time), agent.shape.reach());
        let mut deepest: f64 = 0.0;
        self.tree.for_each_near(now.position, reach, |id| {
            let still = &self.occupants[id];
            let seen = minus(now.position, still.pieces[0].at(time));
            deepest = deepest.max(contact(&still.shape, &agent.shape, seen, now.facing).0);
            reach
        });
        #[allow(clippy::cast_possible_truncation)] // as exact as the trace
        let deepest = deepest as f32;
        deepest
    }
}

/// The polygons of an enclosure.
struct Ground {
    polygons: Still,
    tolerance: f64,
    /// How far from all polygons a point still counts as inside, and a body whose walls are checked.
    slack: [f64; 2],
    /// The number of times that may still be evaluated while agents turn.
    looks: Cell<usize>,
    /// The number of distances that may still be evaluated.
    steps: Cell<usize>,
}

/// The middle of an agent.
struct Middle<'a> {
    /// Where it is seen from the position of the agent.
    center: Vector,
    /// How far it may be from all polygons.
    room: f64,
    pieces: &'a [Piece],
}

impl Middle<'_> {
    fn at(&self, piece: &Piece, time: f64) -> Vector {
        let now = piece.movement(time);
        plus(now.position, turned(self.center, now.facing))
    }

    fn disc(&self, radius: f64) -> Shape {
        Shape::Disc { center: self.center, radius }
    }

    /// Its greatest speed.
    fn speed(&self, piece: &Piece) -> f64 {
        length(piece.velocity) + piece.spin.abs() * length(self.center)
    }
}

/// The number of distances evaluated for the depth of one excursion, beyond a few for each move, and of all; and the
/// precision of the depth.
const STEPS: usize = 2000;
const ALL_STEPS: usize = 2_000_000;
const EXACT: f64 = 1e-4;

impl Ground {
    fn new(enclosure: &Enclosure, tolerance: f64) -> Self {
        // Numbers of 32 bits have a precision of a tenth of that; the ends of edges that lie along each other have
        // less.
        let least = (enclosure.farthest * 1e-6).max(5e-5);
        Self {
            polygons: Still::new(&enclosure.polygons),
            tolerance,
            slack: [least, least.max(enclosure.farthest * 1e-5)],
            looks: Cell::new(LOOKS),
            steps: Cell::new(ALL_STEPS),
        }
    }

    /// The first excursion of the middle of an agent that begins before `until`.
    fn first_outside(&self, agent: AgentId, occupant: &Occupant, until: f64) -> Option<Excursion> {
        let (center, radius) = occupant.shape.inner_disc();
        let [least, most] = self.slack;
        // A body that is larger than the tolerance reaches across a wall before its middle does.
        let room = if radius > self.tolerance { (radius - self.tolerance).min(most) } else { self.tolerance - radius };
        let middle = Middle { center, room: room.max(least), pieces: &occupant.pieces };
        let (index, tick) = self.leaves(&middle, until + SHORT)?;
        #[allow(clippy::cast_possible_truncation)] // as exact as the trace
        let (depth, point) = (
            (radius + self.farthest(&middle, index, tick)) as f32,
            middle.at(&middle.pieces[index], tick).map(|c| c as f32),
        );
        Some(Excursion { agent, tick, depth, point })
    }

    /// The first time before `until` at which the middle is too far from all polygons, and the index of its piece.
    fn leaves(&self, middle: &Middle<'_>, until: f64) -> Option<(usize, f64)> {
        let disc = middle.disc(middle.room);
        for (index, piece) in middle.pieces.iter().enumerate() {
            let (mut now, end) = (piece.begin, piece.end.min(until));
            while now < end {
                let mut last = f64::NEG_INFINITY;
                self.polygons.tree.for_each_near(middle.at(piece, now), middle.room, |polygon| {
                    if last < end {
                        last = last.max(
                            self.stays(&self.polygons.occupants[polygon], &disc, piece, [now, end]).unwrap_or(last),
                        );
                    }
                    middle.room
                });
                if last <= now {
                    return Some((index, now));
                }
                if piece.spin != 0.0 {
                    self.looks.set(self.looks.get().saturating_sub(1));
                    if self.looks.get() == 0 {
                        break;
                    }
                }
                now = last;
            }
        }
        None
    }

    /// How long `disc` stays on `polygon`, if it is there at the begin of this span of time.
    fn stays(&self, polygon: &Occupant, disc: &Shape, piece: &Piece, [begin, end]: [f64; 2]) -> Option<f64> {
        let (shapes, pieces) = ([&polygon.shape, disc], [&polygon.pieces[0], piece]);
        match Passing::new(shapes, pieces) {
            Some(passing) => {
                let [first, last] = passing.deeper(0.0, begin, end)?;
                (first <= begin).then_some(last)
            }
            None => {
                let mut meeting = Meeting::new(shapes, pieces, 0.0, &self.looks);
                (meeting.depth(begin) > 0.0).then(|| meeting.last(begin, end))
            }
        }
    }

    /// The distance of the middle from the nearest polygon; 0 on a polygon.
    fn distance(&self, middle: &Middle<'_>, piece: &Piece, time: f64) -> f64 {
        let at = middle.at(piece, time);
        let point = Shape::Disc { center: [0.0; 2], radius: 0.0 };
        let mut nearest = f64::INFINITY;
        self.polygons.tree.for_each_near(at, nearest, |polygon| {
            let polygon = &self.polygons.occupants[polygon];
            let outside = -depth(&polygon.shape, &point, minus(at, polygon.pieces[0].at(time)));
            nearest = nearest.min(outside.max(0.0));
            nearest
        });
        nearest
    }

    /// The greatest distance of the middle from the nearest polygon, from `tick` in the piece of this index until it
    /// comes back.
    fn farthest(&self, middle: &Middle<'_>, index: usize, tick: f64) -> f64 {
        let most = STEPS.min(self.steps.get());
        // Half of them for the way back.
        let mut steps = [most / 2; 2];
        let (mut now, mut farthest) = (tick, middle.room);
        for piece in &middle.pieces[index..] {
            if piece.begin > now {
                break;
            }
            let back = self.comes_back(middle, piece, now, &mut steps[0]);
            farthest = farthest.max(self.farthest_within(middle, piece, [now, back], farthest, &mut steps[1]));
            if back < piece.end {
                break;
            }
            now = piece.end;
        }
        self.steps.set(self.steps.get() - (2 * (most / 2) - steps[0] - steps[1]));
        farthest
    }

    /// The time after `begin` at which the middle, which is outside, is no longer too far from the nearest polygon; at
    /// most the end of the piece.
    fn comes_back(&self, middle: &Middle<'_>, piece: &Piece, begin: f64, steps: &mut usize) -> f64 {
        let (speed, mut now) = (middle.speed(piece), begin);
        while now < piece.end && *steps > 0 {
            *steps -= 1;
            let beyond = self.distance(middle, piece, now) - middle.room;
            if beyond <= 0.0 && now > begin {
                return now;
            }
            now = (now + beyond.max(EXACT) / speed).max(now + SHORT);
        }
        piece.end
    }

    /// The greatest distance in a span of time, if it is more than `known`.
    fn farthest_within(
        &self,
        middle: &Middle<'_>,
        piece: &Piece,
        [begin, end]: [f64; 2],
        known: f64,
        steps: &mut usize,
    ) -> f64 {
        let speed = middle.speed(piece);
        let ends = self.distance(middle, piece, begin).max(self.distance(middle, piece, end));
        let mut farthest = known.max(ends);
        let mut left = VecDeque::from([[begin, end]]);
        while let Some([begin, end]) = left.pop_front()
            && *steps > 0
        {
            *steps -= 1;
            let time = f64::midpoint(begin, end);
            let distance = self.distance(middle, piece, time);
            farthest = farthest.max(distance);
            if distance + speed * (end - begin) / 2.0 > farthest + EXACT && begin < time && time < end {
                left.extend([[begin, time], [time, end]]);
            }
        }
        farthest
    }
}
