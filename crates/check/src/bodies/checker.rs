//! The checker of shapes: which agents of a trace overlap at any time, also between ticks.

use std::cell::Cell;
use std::fmt;

use super::curves::Meeting;
use super::firsts::{Firsts, Once};
use super::levels::Levels;
use super::near::{Bounds, NearPairs};
use super::occupant::{Occupant, PiecePart, parts_of};
use super::passing::{Passing, greatest};
use super::pieces::stretches_at_most;
use giveway_core::{AgentId, Span, Trace};

/// Finds all pairs of agents whose shapes overlap in a [`Trace`].
///
/// **Motion.** Time is continuous: even a very short overlap between two ticks is found. Between moves an agent rests
/// with the heading of its place. The shape of an agent turns with its heading.
///
/// On a move without a [trajectory](Trace::trajectories), the agent goes straight, at constant speed, and keeps the
/// heading with which it set out. On a move with a trajectory, the agent drives along the stretches of the trajectory,
/// each at constant speed, from the place and the heading where the move began. From the arrival on, the agent has the
/// place and the heading of the move's end, even if the trajectory led elsewhere.
///
/// During a [pause](giveway_core::TracedAgent::pauses) of a move, the agent stands still; the ticks of the pauses do
/// not count to the time of the move. A pause counts if it lies within a move, after the pause before it.
///
/// An agent is in the world from the tick at which it appears up to, not including, the tick at which it vanishes, or
/// for ever. After a leap, the agent is in its new place from the tick of the leap on. From the tick of a change of
/// shape on, the agent has its new shape.
///
/// Heights, the third coordinates, are ignored unless [`levels`](Self::levels) are set. An agent without a body is a
/// point. A point overlaps the bodies that contain it; two points never overlap.
///
/// **Depth.** The depth of an overlap is the least distance, in world units, by which one of the two agents would have
/// to be moved so that they only touch. Overlaps no deeper than the tolerance do not count: positions in a trace are
/// rounded, and shapes may touch as they pass each other. A pair is named once, for the first unbroken period of time
/// during which its overlap is deeper than the tolerance. A change of the shape of an agent ends this period.
///
/// **Precision.** While neither of two agents turns or drives along an arc, formulas give the times of an overlap,
/// apart from rounding. Otherwise intervals of time are halved, and bounds on the speed of approach bound the depth in
/// each interval. Halving ends when the depth is known to a tenth of the tolerance (at least 1e-5, and at most 1e-4
/// world units), or when the interval is 2e-7 ticks long; its middle then stands for the whole interval. So an overlap
/// may be missed, or may begin late, if it exceeds the tolerance by no more than this error, or is shorter than 2e-7
/// ticks. A break between two overlaps may be missed, too. The time at which an overlap begins is exact to 1e-6 ticks,
/// and its depth to 1e-4 world units.
///
/// **Ill-formed traces.** Any trace may be checked. Corners of a polygon may come in any order; the polygon is their
/// convex hull.
///
/// Numbers that are not finite make an agent absent, that is, the agent does not overlap anybody. If the number belongs
/// to a body, the agent is absent while it has this body; a body with a negative radius or without corners has the same
/// effect. If the number belongs to a position, the agent is absent while it is at this position, during the moves from
/// this position, and during the moves to this position that have no trajectory. If the number belongs to a heading,
/// the agent is absent while it has this heading. If the number belongs to a stretch of a trajectory, the agent is
/// absent while it drives along this trajectory.
///
/// If two moves of an agent overlap in time, the second move counts only from the end of the first move on. A move that
/// ends before it begins is a leap. If a move has the index of a trajectory that does not exist, the move has no
/// trajectory. A stretch whose share is 0 or less is a leap to its end. If shares add up to less than 1 (by more than
/// 1e-6), the agent stands at the end of the trajectory for the rest of the move; if they add up to more, the
/// trajectory is cut off at the arrival.
///
/// **Complexity.** Let n be the number of agents, moves, and stretches that the moves drive along. Let k be the number
/// of pairs of moves or rests whose bounding boxes overlap at one time. Time is near linear in n + k, and memory is
/// near linear in n plus the number of pairs named. The number of ticks does not matter. Long moves count as several
/// moves.
///
/// **Limits.** A trace can make many moves drive along one long trajectory. Count the stretches of each trajectory once
/// for each move that drives along it. If this sum is larger than the number of stretches in the trace plus a hundred
/// for each move, agents are absent while they drive along trajectories of more than a hundred stretches.
///
/// While agents turn, the number of moments that are evaluated is limited, too: some ten thousand for a pair of moves;
/// and for all pairs together, some hundred for each move, plus some million. So if an agent turns thousands of times
/// in one move, few of its headings are evaluated, and an overlap may be missed.
///
/// ```
/// use giveway_check::BodyChecker;
/// use giveway_core::{AgentId, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
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
/// use giveway_check::BodyChecker;
/// use giveway_core::{Stretch, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace, Trajectory};
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
    pub(super) tolerance: f64,
    pub(super) most: usize,
    pub(super) levels: Option<Levels>,
    pub(super) during: Span,
}

/// Two agents whose shapes overlap.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Overlap {
    /// The agents, the smaller id first.
    pub agents: [AgentId; 2],
    /// The first time at which the overlap is deeper than the tolerance, in ticks. Within the first million ticks, this
    /// time is exact to a millionth of a tick.
    pub tick: f64,
    /// The greatest depth, in world units, between this time and the end of the overlap.
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
        Self { tolerance: 1e-3, most: usize::MAX, levels: None, during: Span::endless(0) }
    }

    /// Sets the tolerance, in world units: only overlaps deeper than `tolerance` count. Negative numbers and NaN count
    /// as 0.
    #[must_use]
    pub fn tolerance(self, tolerance: f32) -> Self {
        Self { tolerance: f64::from(tolerance).max(0.0), ..self }
    }

    /// Names at most `most` pairs: the pairs whose overlaps begin earliest. If several overlaps begin at exactly one
    /// time, the choice among them is not specified, but it is always the same choice.
    ///
    /// With many agents in one place, the number of pairs grows with the square of the number of agents. Set this bound
    /// for traces from untrusted sources. Time and memory are then near linear in the number of moves, the number of
    /// pairs named, and the number of pairs of moves that come near each other before the last overlap named.
    #[must_use]
    pub fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Divides the world into levels by height: two agents overlap only while they share a level. Without levels,
    /// heights are ignored.
    ///
    /// There are `count` levels. Level i holds the heights from `lowest + i * height` up to, not including, the bottom
    /// of the next level. Heights below `lowest` are on level 0, and heights above the last level are on the last
    /// level. An agent at rest is on the level of its place. During a move, an agent is on every level from the level
    /// of the place where the move begins to the level of the place where it ends. A leap takes no time, so the agent
    /// passes no levels. If a height is not finite, the agent is absent, as for any other coordinate.
    ///
    /// Positions are rounded, so agents should not stand at the border between two levels. For example, let `lowest` be
    /// half of `height` below the lowest floor. If `count` is 0, `height` is not above 0, or one of the numbers is not
    /// finite, there are no levels.
    ///
    /// ```
    /// use giveway_check::BodyChecker;
    /// use giveway_core::{Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
    ///
    /// let place = |x: f32, z: f32| TracedPlace::new(0, [x, 0.0, z]);
    /// let agent = |start, moves| TracedAgent {
    ///     body: Some(TracedBody::Disc { center: [0.0; 2], radius: 0.5 }),
    ///     ..TracedAgent::new(start, vec![], moves)
    /// };
    /// // One stands under a bridge, another goes over it; a third comes down a ramp.
    /// let under = || agent(place(4.0, 0.0), vec![]);
    /// let over = agent(place(0.0, 3.0), vec![TracedMove::new(0, 8, place(8.0, 3.0))]);
    /// let down = agent(place(0.0, 3.0), vec![TracedMove::new(0, 8, place(8.0, 0.0))]);
    ///
    /// let checker = BodyChecker::new().levels(-1.5, 3.0, 2);
    /// assert_eq!(checker.check(&Trace::new(1, vec![under(), over])), []);
    /// assert_eq!(checker.check(&Trace::new(1, vec![under(), down])).len(), 1);
    /// ```
    #[must_use]
    pub fn levels(self, lowest: f32, height: f32, count: u32) -> Self {
        Self { levels: Levels::new(lowest, height, count), ..self }
    }

    /// Checks only the time of `span`, from its start up to, not including, its end: as if all agents appeared at the
    /// start of the span, and vanished at its end.
    ///
    /// So a long trace can be checked in pieces, one span after the other. A piece needs all moves that begin in its
    /// span. For each agent, the piece also needs the place of the agent when the span begins, or the move that is then
    /// under way. If two agents overlap across the border of two spans, both pieces name the pair; in the second piece,
    /// the overlap begins with the span.
    #[must_use]
    pub fn during(self, span: Span) -> Self {
        Self { during: span, ..self }
    }

    /// Every pair of agents that overlaps in `trace`, ordered by the [tick](Overlap::tick) at which the overlap begins,
    /// then by agents.
    pub fn check(&self, trace: &Trace) -> Vec<Overlap> {
        if self.most == 0 {
            return Vec::new();
        }
        let bodies: Vec<Occupant> = self.agents_of(trace).collect();
        if bodies.iter().all(|body| body.shape.is_point()) {
            return Vec::new();
        }
        let search = Search::new(self, &bodies);
        let (points, wide): (Vec<usize>, Vec<usize>) = search.parts_by(|body| bodies[body].shape.is_point());
        let found = search.first_overlaps(Once::Pair, |near| {
            near.within(&wide);
            near.between(&wide, &points);
        });
        let overlaps = found.into_iter().map(|(tick, pair)| {
            #[allow(clippy::cast_possible_truncation)] // as exact as the trace
            let depth = search.deepest(pair.map(|body| &bodies[body]), tick)[0] as f32;
            Overlap { agents: pair.map(|body| agent(&bodies[body])), tick, depth }
        });
        overlaps.collect()
    }

    /// The agents of `trace` that have a shape at some time, by number, and then by time.
    pub(super) fn agents_of(&self, trace: &Trace) -> impl Iterator<Item = Occupant> {
        let most = stretches_at_most(trace);
        let agents = trace.agents.iter().enumerate();
        agents.flat_map(move |numbered| Occupant::of_agent(numbered, trace, most, self))
    }
}

#[allow(clippy::cast_possible_truncation)] // 2^32 agents do not fit into memory
pub(super) fn agent(occupant: &Occupant) -> AgentId {
    AgentId(occupant.owner as u32)
}

/// A search for the overlaps of some occupants.
pub(super) struct Search<'a> {
    checker: &'a BodyChecker,
    occupants: &'a [Occupant],
    parts: Vec<PiecePart>,
    /// The number of times that may still be evaluated.
    looks: Cell<usize>,
}

impl<'a> Search<'a> {
    pub(super) fn new(checker: &'a BodyChecker, occupants: &'a [Occupant]) -> Self {
        let parts = parts_of(occupants);
        let looks = Cell::new(LOOKS + LOOKS_PER_PART * parts.len());
        Self { checker, occupants, parts, looks }
    }

    /// The parts of the occupants that are `chosen`, and all others.
    pub(super) fn parts_by(&self, chosen: impl Fn(usize) -> bool) -> (Vec<usize>, Vec<usize>) {
        (0..self.parts.len()).partition(|part| chosen(self.parts[*part].body))
    }

    /// The first overlaps of the pairs that `asked` asks for, ordered by time. The smaller index in a pair is the
    /// first.
    pub(super) fn first_overlaps(
        &self,
        once: Once,
        asked: impl FnOnce(&mut NearPairs<&mut dyn FnMut(usize, usize) -> f64>),
    ) -> Vec<(f64, [usize; 2])> {
        let bounds: Vec<Bounds> = self.parts.iter().map(|part| part.bounds).collect();
        let owners = self.occupants.iter().map(|occupant| occupant.owner).collect();
        let mut firsts = Firsts::new(self.checker.most, owners, once);
        let mut test = |a: usize, b: usize| {
            let [mut a, mut b] = [&self.parts[a], &self.parts[b]];
            if a.body > b.body {
                (a, b) = (b, a);
            }
            if a.body != b.body {
                let begin = a.bounds.low[2].max(b.bounds.low[2]);
                let end = a.bounds.high[2].min(b.bounds.high[2]).min(firsts.end_of(b.body));
                if begin < end
                    && let Some(tick) = self.first([a, b], begin, end)
                {
                    firsts.push(tick, [a.body, b.body]);
                }
            }
            firsts.end
        };
        asked(&mut NearPairs::new(&bounds, &mut test));
        firsts.into_sorted()
    }

    /// The first time between `begin` and `end`, within one piece of each occupant, at which the pair is deeper than
    /// the tolerance.
    fn first(&self, parts: [&PiecePart; 2], begin: f64, end: f64) -> Option<f64> {
        let tolerance = self.checker.tolerance;
        let [a, b] = parts.map(|part| &self.occupants[part.body]);
        let pieces = [&a.pieces[parts[0].piece], &b.pieces[parts[1].piece]];
        if !pieces[0].shares_a_level(pieces[1]) {
            return None;
        }
        match Passing::new([&a.shape, &b.shape], pieces) {
            Some(passing) => passing.deeper(tolerance, begin, end).map(|[first, _]| first),
            None => Meeting::new([&a.shape, &b.shape], pieces, tolerance, &self.looks).first(begin, end),
        }
    }

    /// The greatest depth of the pair in the stretch of time that begins at `tick`, and the end of that stretch.
    pub(super) fn deepest(&self, [a, b]: [&Occupant; 2], tick: f64) -> [f64; 2] {
        let tolerance = self.checker.tolerance;
        let (mut i, mut j) = (a.piece_at(tick), b.piece_at(tick));
        let mut deepest: f64 = 0.0;
        let mut now = tick;
        while let (Some(p), Some(q)) = (a.pieces.get(i), b.pieces.get(j)) {
            let begin = p.begin.max(q.begin).max(tick);
            let end = p.end.min(q.end);
            if begin > now || !p.shares_a_level(q) {
                break;
            }
            let last = if let Some(passing) = Passing::new([&a.shape, &b.shape], [p, q]) {
                // At exactly the first time, rounding may decide otherwise.
                let stretch = passing.deeper(tolerance, begin, end);
                let Some([first, last]) = stretch.or((begin <= tick).then_some([tick, tick])) else { break };
                if first > begin + SHORT {
                    break;
                }
                deepest = deepest.max(greatest(|time| passing.depth(time), first, last));
                last
            } else {
                let mut meeting = Meeting::new([&a.shape, &b.shape], [p, q], tolerance, &self.looks);
                // As above: where pieces meet, rounding may decide otherwise.
                let deep = |time: f64| meeting.depth(time) > tolerance;
                if begin > tick && !deep(begin) && !deep(begin + SHORT) {
                    break;
                }
                let last = meeting.last(begin, end);
                deepest = deepest.max(meeting.deepest(begin, last));
                last
            };
            now = last;
            if last < end - SHORT {
                break;
            }
            now = end;
            i += usize::from(p.end <= end);
            j += usize::from(q.end <= end);
        }
        [deepest, now]
    }
}

/// The number of times evaluated beyond formulas, while agents turn: in all, and in addition for each part of the
/// motion.
pub(super) const LOOKS: usize = 4_000_000;
pub(super) const LOOKS_PER_PART: usize = 200;

/// Times closer than this, in ticks, count as one.
pub(super) const SHORT: f64 = 1e-7;
