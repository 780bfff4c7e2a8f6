//! The checker of shapes: which agents of a trace overlap at any time, also between ticks.
//!
//! It shares no code with footprints, stores and searches, so it finds their mistakes.

mod curves;
mod near;
mod pieces;
mod shape;

use std::borrow::Cow;
use std::cell::Cell;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt;

use crate::reservation::AgentId;
use crate::trace::{Trace, TracedAgent};
use curves::Meeting;
use near::{Bounds, NearPairs};
use pieces::{Piece, pieces_of, stretches_at_most};
use shape::{Shape, Vector, depth, length, minus, plus, times_deeper, turned_back};

/// Names all pairs of agents whose [shapes](crate::TracedBody) overlap in a [`Trace`].
///
/// **Motion.** Time is continuous: an overlap between two ticks is found, however short. Before and after a move an agent rests
/// with the heading of its place, and its shape turns with its heading. On a move without a [trajectory](Trace::trajectories)
/// the agent goes straight at constant speed from departure to arrival, and keeps the heading with which it set out. On a move
/// with a trajectory it drives along the stretches, each at constant speed, from the place and heading where the move began.
/// From the arrival on it is where the move ends, with the heading there, wherever the trajectory led. An agent is there from
/// the tick at which it appears up to, not including, the tick at which it vanishes, or for ever. After a leap it is in its new
/// place from the tick of the leap on. Heights, the third coordinate, are ignored. An agent without a body is a point: it
/// overlaps the bodies that it is inside, and no other point.
///
/// **Depth.** The depth of an overlap is the least distance by which one of the two agents would have to be moved until they
/// only touch. Depths up to the tolerance, in world units, are no overlap: positions in a trace are rounded, and shapes may pass
/// each other wall to wall. A pair is named once, for the first unbroken stretch of time during which it is deeper than the
/// tolerance.
///
/// **Precision.** While neither of two agents turns or drives along an arc, formulas give the times of an overlap, up to
/// rounding. Otherwise bounds on the speed of approach are evaluated on shorter and shorter intervals of time, until they give
/// the depth to a tenth of the tolerance (no less than 1e-5, and no more than 1e-4 world units), or the interval is 2e-7 ticks
/// long; its middle then stands for the interval. An overlap that exceeds the tolerance by no more than this error may therefore
/// be missed, or begin late; a break between two overlaps may be missed too. The first time is exact to 1e-6 ticks, the depth to
/// 1e-4 world units.
///
/// **Ill-formed traces.** Any trace may be checked. Corners of a polygon may come in any order; the polygon is their convex
/// hull. An agent is absent while any of its data is not finite: always, for a body (also with a negative radius or without
/// corners); for a position, while the agent is there or on its way to or from it; for a heading, while the agent has it; for a
/// stretch, while the agent drives along the trajectory. A move that begins before the move before it has ended is seen from
/// that end on. A move that ends before it begins is a leap. An index of a trajectory that does not exist counts as none. A
/// stretch whose share is 0 or less is a leap to its end. If shares add up to less than 1 (by more than 1e-6), the agent stands
/// at the end of the trajectory for the rest of the move; if they add up to more, the trajectory is cut off at the arrival.
///
/// **Complexity.** Let n be the number of moves, stretches that they drive along, and agents, and k the number of pairs of moves
/// or rests of bodies whose bounding boxes overlap while both last. Time is near linear in n + k, memory near linear in n and
/// the pairs named, whatever the number of ticks. Long moves count as several.
///
/// **Limits.** If moves drive along more than a hundred stretches each, on average and beyond the stretches that the trace
/// lists, an agent is absent while it drives along a trajectory of more than a hundred. A pair of moves of which one turns is
/// evaluated at some ten thousand times at most; all pairs together at some hundred times for each move, plus some million. So
/// if an agent turns thousands of times in a move, or faster, few of its headings are evaluated, and an overlap may be missed.
///
/// ```
/// use giveway_core::{AgentId, BodyChecker, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
///
/// let place = |x: f32, y: f32| TracedPlace::new(0, [x, y, 0.0]);
/// let disc = || Some(TracedBody::Disc { center: [0.0, 0.0], radius: 0.5 });
/// let stays = TracedAgent { body: disc(), ..TracedAgent::new(place(4.0, 0.0), vec![], vec![]) };
/// let comes = |y| TracedAgent {
///     body: disc(),
///     ..TracedAgent::new(place(0.0, y), vec![], vec![TracedMove::new(0, 8, place(8.0, y))])
/// };
///
/// // It passes with no room to spare.
/// assert_eq!(BodyChecker::new().check(&Trace::new(1, vec![stays.clone(), comes(1.0)])), []);
///
/// let overlaps = BodyChecker::new().tolerance(0.0).check(&Trace::new(1, vec![stays, comes(0.6)]));
/// assert_eq!(overlaps.len(), 1);
/// assert_eq!(overlaps[0].agents, [AgentId(0), AgentId(1)]);
/// assert!((overlaps[0].tick - 3.2).abs() < 1e-6);
/// assert!((overlaps[0].depth - 0.4).abs() < 1e-6);
/// ```
///
/// A car of 4 by 2 turns a quarter circle of radius 3 to the left, past a point in the middle of that circle:
///
/// ```
/// use giveway_core::{BodyChecker, Trajectory, Stretch, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
/// use std::f32::consts::FRAC_PI_2;
///
/// let car = TracedBody::Polygon { corners: vec![[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0], [-2.0, 1.0]] };
/// let arrives = TracedPlace { heading: FRAC_PI_2, ..TracedPlace::new(1, [3.0, 3.0, 0.0]) };
/// let drives = TracedAgent {
///     body: Some(car),
///     ..TracedAgent::new(
///         TracedPlace::new(0, [0.0; 3]),
///         vec![],
///         vec![TracedMove { trajectory: Some(0), ..TracedMove::new(0, 8, arrives) }],
///     )
/// };
/// let post = |radius| TracedAgent {
///     body: Some(TracedBody::Disc { center: [0.0; 2], radius }),
///     ..TracedAgent::new(TracedPlace::new(2, [0.0, 3.0, 0.0]), vec![], vec![])
/// };
/// let quarter = Trajectory::new(vec![Stretch { share: 1.0, length: 3.0 * FRAC_PI_2, turn: FRAC_PI_2 }]);
/// let trace = |radius| Trace { trajectories: vec![quarter.clone()], ..Trace::new(1, vec![drives.clone(), post(radius)]) };
/// // Its side is 2 away from there all the time.
/// assert_eq!(BodyChecker::new().check(&trace(2.0)), []);
/// assert_eq!(BodyChecker::new().check(&trace(2.1)).len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct BodyChecker {
    tolerance: f64,
    most: usize,
}

/// Two agents whose shapes overlap.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Overlap {
    /// The agents, the smaller id first.
    pub agents: [AgentId; 2],
    /// The first time at which the overlap is deeper than the tolerance, in ticks. In the first million ticks, exact to less
    /// than a millionth of a tick.
    pub tick: f64,
    /// The greatest depth from then on until the depth no longer exceeds the tolerance.
    pub depth: f32,
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agents: [a, b], tick, depth } = self;
        write!(f, "agent {} and agent {} overlap by {depth} from tick {tick} on", a.0, b.0)
    }
}

impl Default for BodyChecker {
    fn default() -> Self {
        Self::new()
    }
}

impl BodyChecker {
    /// A checker with a tolerance of a thousandth of a world unit.
    pub fn new() -> Self {
        Self { tolerance: 1e-3, most: usize::MAX }
    }

    /// Sets the tolerance: names pairs deeper than `tolerance`. Negative numbers and NaN count as 0.
    #[must_use]
    pub fn tolerance(self, tolerance: f32) -> Self {
        Self { tolerance: f64::from(tolerance).max(0.0), ..self }
    }

    /// Names no more than `most` pairs, the earliest ones. Which pairs of those that begin at exactly one time is not specified,
    /// but always the same.
    ///
    /// With many agents in one place, the number of pairs grows with the square of the number of agents. Set this bound for
    /// traces from untrusted sources; time and memory are then near linear in the moves, the pairs named, and the pairs of moves
    /// that come near each other before the last overlap named.
    #[must_use]
    pub fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Every pair of agents that overlaps in `trace`, ordered by first time, then by agents.
    pub fn check(&self, trace: &Trace) -> Vec<Overlap> {
        if self.most == 0 {
            return Vec::new();
        }
        let most = stretches_at_most(trace);
        let agents = trace.agents.iter().zip((0..=u32::MAX).map(AgentId));
        let bodies: Vec<Occupant> =
            agents.filter_map(|(traced, agent)| Occupant::of(traced, agent, trace, most)).collect();
        if bodies.iter().all(|body| body.shape.is_point()) {
            return Vec::new();
        }
        let parts = parts_of(&bodies);
        let bounds: Vec<Bounds> = parts.iter().map(|part| part.bounds).collect();
        let mut firsts = Firsts { found: Vec::new(), room: 0, most: self.most, end: f64::INFINITY };
        let looks = Cell::new(LOOKS + LOOKS_PER_PART * parts.len());
        let mut latest = f64::INFINITY;
        let mut near = NearPairs::new(&bounds, |a, b| {
            let (a, b) = (&parts[a], &parts[b]);
            if a.body != b.body {
                let begin = a.bounds.low[2].max(b.bounds.low[2]);
                let end = a.bounds.high[2].min(b.bounds.high[2]);
                let pair = [&bodies[a.body], &bodies[b.body]];
                if let Some(tick) = self.first(pair, [a.piece, b.piece], begin, end.min(latest), &looks) {
                    firsts.push(tick, [a.body.min(b.body), a.body.max(b.body)]);
                }
            }
            latest = firsts.end;
            latest
        });
        let (points, wide): (Vec<usize>, Vec<usize>) =
            (0..parts.len()).partition(|part| bodies[parts[*part].body].shape.is_point());
        near.within(&wide);
        near.between(&wide, &points);

        firsts.settle();
        firsts.found.sort_unstable_by(Firsts::by_tick);
        firsts.found.truncate(self.most);
        let overlaps = firsts.found.into_iter().map(|(tick, pair)| {
            let [a, b] = pair.map(|body| &bodies[body]);
            #[allow(clippy::cast_possible_truncation)] // as exact as the trace
            let depth = self.deepest([a, b], tick, &looks) as f32;
            Overlap { agents: [a.agent, b.agent], tick, depth }
        });
        overlaps.collect()
    }

    /// The first time between `begin` and `end`, within one piece of each agent, at which the pair is deeper than the tolerance.
    fn first(
        &self,
        [a, b]: [&Occupant; 2],
        pieces: [usize; 2],
        begin: f64,
        end: f64,
        looks: &Cell<usize>,
    ) -> Option<f64> {
        let pieces = [&a.pieces[pieces[0]], &b.pieces[pieces[1]]];
        match Passing::new([&a.shape, &b.shape], pieces) {
            Some(passing) => passing.deeper(self.tolerance, begin, end).map(|[first, _]| first),
            None => Meeting::new([&a.shape, &b.shape], pieces, self.tolerance, looks).first(begin, end),
        }
    }

    /// The greatest depth of the pair in the stretch of time that begins at `tick`.
    fn deepest(&self, [a, b]: [&Occupant; 2], tick: f64, looks: &Cell<usize>) -> f64 {
        let at = |body: &Occupant| body.pieces.partition_point(|piece| piece.end <= tick);
        let (mut i, mut j) = (at(a), at(b));
        let mut deepest: f64 = 0.0;
        let mut now = tick;
        while let (Some(p), Some(q)) = (a.pieces.get(i), b.pieces.get(j)) {
            let begin = p.begin.max(q.begin).max(tick);
            let end = p.end.min(q.end);
            if begin > now {
                break;
            }
            let last = if let Some(passing) = Passing::new([&a.shape, &b.shape], [p, q]) {
                // At exactly the first time, rounding may decide otherwise.
                let stretch = passing.deeper(self.tolerance, begin, end);
                let Some([first, last]) = stretch.or((begin <= tick).then_some([tick, tick])) else { break };
                if first > begin + SHORT {
                    break;
                }
                deepest = deepest.max(greatest(|time| passing.depth(time), first, last));
                last
            } else {
                let mut meeting = Meeting::new([&a.shape, &b.shape], [p, q], self.tolerance, looks);
                // As above: where pieces meet, rounding may decide otherwise.
                let deep = |time: f64| meeting.depth(time) > self.tolerance;
                if begin > tick && !deep(begin) && !deep(begin + SHORT) {
                    break;
                }
                let last = meeting.last(begin, end);
                deepest = deepest.max(meeting.deepest(begin, last));
                last
            };
            if last < end - SHORT {
                break;
            }
            now = end;
            i += usize::from(p.end <= end);
            j += usize::from(q.end <= end);
        }
        deepest
    }
}

/// Two shapes while neither turns, in the frame of the first.
struct Passing<'a> {
    shapes: (&'a Shape, Cow<'a, Shape>),
    pieces: [&'a Piece; 2],
    velocity: Vector,
}

impl<'a> Passing<'a> {
    /// `None` if one of the shapes turns, or drives along an arc.
    fn new([a, b]: [&'a Shape; 2], [p, q]: [&'a Piece; 2]) -> Option<Self> {
        if p.spin != 0.0 || q.spin != 0.0 {
            return None;
        }
        let shape =
            if p.facing == q.facing { Cow::Borrowed(b) } else { Cow::Owned(b.turned(turned_back(q.facing, p.facing))) };
        let velocity = turned_back(minus(q.velocity, p.velocity), p.facing);
        Some(Self { shapes: (a, shape), pieces: [p, q], velocity })
    }

    /// The position of the second shape, seen from the first.
    fn seen(&self, time: f64) -> Vector {
        let [p, q] = self.pieces;
        turned_back(minus(q.at(time), p.at(time)), p.facing)
    }

    fn depth(&self, time: f64) -> f64 {
        depth(self.shapes.0, &self.shapes.1, self.seen(time))
    }

    /// The times between `begin` and `end` at which the shapes are deeper than the tolerance.
    fn deeper(&self, tolerance: f64, begin: f64, end: f64) -> Option<[f64; 2]> {
        let (a, b) = (self.shapes.0, self.shapes.1.as_ref());
        let [first, last] = times_deeper(a, b, self.seen(begin), self.velocity, tolerance)?;
        // Both ends stay exact if the overlap began before or goes on after them.
        let first = if first <= 0.0 { begin } else { begin + first };
        let last = if last >= end - begin { end } else { begin + last };
        (first < last && first < end && last > begin).then_some([first, last])
    }
}

/// The number of times evaluated beyond formulas, while agents turn: in all, and in addition for each part of the motion.
const LOOKS: usize = 4_000_000;
const LOOKS_PER_PART: usize = 200;

/// Times closer than this, in ticks, count as one.
const SHORT: f64 = 1e-7;

/// The greatest value of a concave function between two times: a golden section search.
fn greatest(function: impl Fn(f64) -> f64, begin: f64, end: f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (begin, end);
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_a, mut at_b) = (function(a), function(b));
    let mut best = function(begin).max(function(end)).max(at_a).max(at_b);
    for _ in 0..80 {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + ratio * (high - low);
            at_b = function(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - ratio * (high - low);
            at_a = function(a);
        }
        best = best.max(at_a).max(at_b);
    }
    best
}

/// An agent that is there at some time.
struct Occupant {
    agent: AgentId,
    shape: Shape,
    pieces: Vec<Piece>,
}

impl Occupant {
    fn of(traced: &TracedAgent, agent: AgentId, trace: &Trace, most: usize) -> Option<Self> {
        let shape = Shape::of(traced.body.as_ref())?;
        let pieces = pieces_of(traced, trace, shape.is_round(), most);
        Some(Self { agent, shape, pieces })
    }

    /// The box that the body covers from `begin` to `end`, in a part of `piece`.
    fn bounds(&self, piece: &Piece, begin: f64, end: f64) -> Bounds {
        let [from, to] = [piece.at(begin), piece.at(end)];
        let [least, largest] = if piece.spin == 0.0 {
            self.shape.bounds(piece.facing)
        } else {
            // The distance of the arc from its chord, and the radius of the shape under any heading.
            let radius = length(piece.velocity) / piece.spin.abs();
            let half = (piece.spin * (end - begin) / 2.0).abs();
            let aside = 2.0 * radius * if half < FRAC_PI_2 { libm::sin(half / 2.0).powi(2) } else { 1.0 };
            let around = self.shape.reach() + aside;
            [[-around; 2], [around; 2]]
        };
        let low = plus([from[0].min(to[0]), from[1].min(to[1])], least);
        let high = plus([from[0].max(to[0]), from[1].max(to[1])], largest);
        Bounds { low: [low[0], low[1], begin], high: [high[0], high[1], end] }
    }
}

/// A part of a piece of the motion of a body.
struct PiecePart {
    body: usize,
    piece: usize,
    bounds: Bounds,
}

/// The pieces of all bodies. Pieces longer than the mean are divided, so that boxes are not much larger than what they cover.
/// There are at most twice as many parts as pieces.
fn parts_of(bodies: &[Occupant]) -> Vec<PiecePart> {
    let way = |piece: &Piece| {
        if piece.spin != 0.0 {
            // An agent that drives round and round covers the circle all the time.
            let (speed, ticks, spin) = (length(piece.velocity), piece.end - piece.begin, piece.spin.abs());
            return if spin * ticks <= TAU { speed * ticks } else { 4.0 * speed / spin };
        }
        let [x, y] = minus(piece.at(piece.end), piece.at(piece.begin));
        x.abs().max(y.abs())
    };
    let (mut extent, mut count) = (0.0, 0.0);
    for body in bodies {
        let [least, largest] = body.shape.bounds([1.0, 0.0]);
        let [width, height] = minus(largest, least);
        for piece in &body.pieces {
            extent += way(piece) + width.max(height);
            count += 1.0;
        }
    }
    let mean = extent / count;
    let mut parts = Vec::new();
    for (body_index, body) in bodies.iter().enumerate() {
        for (piece_index, piece) in body.pieces.iter().enumerate() {
            // 0 / 0 is NaN, which is 0 as an integer.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, and cannot be large
            let divided = ((way(piece) / mean).ceil() as u32).max(1);
            let time = |part: u32| {
                if part == divided {
                    piece.end
                } else {
                    piece.begin + (piece.end - piece.begin) * (f64::from(part) / f64::from(divided))
                }
            };
            parts.extend((0..divided).map(|part| PiecePart {
                body: body_index,
                piece: piece_index,
                bounds: body.bounds(piece, time(part), time(part + 1)),
            }));
        }
    }
    parts
}

/// The first overlaps of pairs.
struct Firsts {
    found: Vec<(f64, [usize; 2])>,
    /// How many there may be until duplicates are removed.
    room: usize,
    most: usize,
    /// Overlaps at this time or later do not matter.
    end: f64,
}

impl Firsts {
    fn push(&mut self, tick: f64, pair: [usize; 2]) {
        if tick < self.end {
            self.found.push((tick, pair));
            if self.found.len() > self.room {
                self.settle();
                self.room = 1000 + 2 * self.found.len();
            }
        }
    }

    fn by_tick(a: &(f64, [usize; 2]), b: &(f64, [usize; 2])) -> std::cmp::Ordering {
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    }

    /// Keeps each pair once, and no more pairs than matter.
    fn settle(&mut self) {
        self.found.sort_unstable_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)));
        self.found.dedup_by_key(|(_, pair)| *pair);
        if self.found.len() >= self.most {
            self.found.sort_unstable_by(Self::by_tick);
            self.found.truncate(self.most);
            self.end = self.found.last().map_or(self.end, |(tick, _)| *tick);
        }
    }
}
