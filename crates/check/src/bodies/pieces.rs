//! The motion of an agent, as pieces of constant speed and turn.

use super::levels::Levels;
use super::shape::{Vector, minus, plus, times, turned};
use giveway_core::{Stretch, Trace, TracedAgent, TracedMove, TracedPlace};

/// Later than every tick.
const NEVER: f64 = u32::MAX as f64 + 1.0;

/// The direction of heading 0, along x.
const ALONG_X: Vector = [1.0, 0.0];

/// Shares of a trajectory that add up to 1 within this error count as adding up to 1.
const ROUNDED: f64 = 1e-6;

/// This many stretches of a trajectory are always used.
const MANY: usize = 100;

/// A time in which an agent rests, or moves at constant speed: straight on, along an arc of a circle, or turning on the
/// spot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Piece {
    pub(super) begin: f64,
    pub(super) end: f64,
    /// The time at which it is at `from`; it may lie outside the piece.
    origin: f64,
    from: Vector,
    /// At the origin.
    pub(super) velocity: Vector,
    /// Its heading at the origin, as a vector of length 1.
    pub(super) facing: Vector,
    /// By how much its heading, and the direction of its velocity, grow per tick.
    pub(super) spin: f64,
    /// The lowest and the highest level.
    levels: [f64; 2],
}

/// The place and motion of an agent at one time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Movement {
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    pub(super) facing: Vector,
}

impl Piece {
    /// Rests at `from` for ever, with heading 0.
    pub(super) fn always(from: Vector, levels: [f64; 2]) -> Self {
        Self { begin: 0.0, end: NEVER, origin: 0.0, from, velocity: [0.0; 2], facing: ALONG_X, spin: 0.0, levels }
    }

    /// The part of the piece between `begin` and `end`. The part keeps heading 0 for a `round` body, which looks equal
    /// under every heading.
    pub(super) fn part(&self, begin: f64, end: f64, round: bool) -> Self {
        let stands = self.velocity == [0.0; 2];
        Self {
            begin: self.begin.max(begin),
            end: self.end.min(end),
            facing: if round { ALONG_X } else { self.facing },
            spin: if round && stands { 0.0 } else { self.spin },
            ..*self
        }
    }

    /// Stands from `begin` to `end` where the piece is at `time`.
    fn standing(&self, time: f64, begin: f64, end: f64) -> Self {
        let Movement { position, facing, .. } = self.movement(time);
        Self { begin, end, origin: begin, from: position, velocity: [0.0; 2], facing, spin: 0.0, ..*self }
    }

    pub(super) fn shares_a_level(&self, other: &Self) -> bool {
        self.levels[0] <= other.levels[1] && other.levels[0] <= self.levels[1]
    }

    pub(super) fn at(&self, time: f64) -> Vector {
        if self.spin == 0.0 {
            plus(self.from, times(self.velocity, time - self.origin))
        } else {
            self.movement(time).position
        }
    }

    pub(super) fn movement(&self, time: f64) -> Movement {
        let since = time - self.origin;
        // The direction of an arc's chord is halfway between the directions at its ends.
        let half = self.spin * since / 2.0;
        let (sin, cos) = libm::sincos(half);
        let chord = if half.abs() < 1e-9 { 1.0 } else { sin / half };
        let middle = turned(self.velocity, [cos, sin]);
        let whole = [cos * cos - sin * sin, 2.0 * sin * cos];
        Movement {
            position: plus(self.from, times(middle, since * chord)),
            velocity: turned(self.velocity, whole),
            facing: turned(self.facing, whole),
        }
    }
}

/// How many stretches of one trajectory are used: all, unless moves refer to long trajectories again and again.
pub(super) fn stretches_at_most(trace: &Trace) -> usize {
    let moves = || trace.agents.iter().flat_map(|agent| &agent.moves);
    let driven = moves().filter_map(|step| stretches(trace, step)).map(<[Stretch]>::len);
    let driven = driven.fold(0, usize::saturating_add);
    let listed: usize = trace.trajectories.iter().map(|trajectory| trajectory.stretches().len()).sum();
    if driven <= listed.saturating_add(moves().count().saturating_mul(MANY)) { usize::MAX } else { MANY }
}

/// The pauses of `traced` within the move `step`, as times. Pauses that are out of order do not count, and neither do
/// those that reach beyond the move.
fn pauses<'a>(traced: &'a TracedAgent, step: &TracedMove) -> impl Iterator<Item = [f64; 2]> + use<'a> {
    let (depart, arrive) = (step.depart, step.arrive);
    let mut before = depart;
    let first = traced.pauses.partition_point(|pause| pause.end <= depart);
    let near = traced.pauses[first..].iter().take_while(move |pause| pause.start <= arrive);
    near.filter_map(move |pause| {
        let counts = before <= pause.start && pause.start < pause.end && pause.end <= arrive;
        counts.then(|| {
            before = pause.end;
            [pause.start, pause.end].map(f64::from)
        })
    })
}

/// Pushes `piece`, of a move without its `pauses`, as it is with them: it stands still during each, and goes on later.
fn push_late(piece: Piece, pauses: &[[f64; 2]], push: &mut impl FnMut(Piece)) {
    // By how much later it is so far, and the time without pauses up to which the piece was pushed.
    let (mut late, mut done) = (0.0, f64::NEG_INFINITY);
    let later = |late: f64, begin: f64, end: f64| Piece {
        begin: piece.begin.max(begin) + late,
        end: piece.end.min(end) + late,
        origin: piece.origin + late,
        ..piece
    };
    for [begin, end] in pauses {
        // The time of the pause, without the pauses before.
        let at = begin - late;
        push(later(late, done, at));
        if piece.begin <= at && at < piece.end {
            push(piece.standing(at, *begin, *end));
        }
        done = at;
        late += end - begin;
    }
    push(later(late, done, f64::INFINITY));
}

/// Pushes the `pauses` of a move that begin when the move is through, after its `last` piece, which ends with the move:
/// it stands where the piece ends. What is before `now` is left out.
fn push_at_end(last: Piece, pauses: &[[f64; 2]], now: f64, push: &mut impl FnMut(Piece)) {
    let mut late = 0.0;
    for [begin, end] in pauses {
        if begin - late >= last.end {
            push(last.standing(last.end, begin.max(now), *end));
        }
        late += end - begin;
    }
}

/// The stretches of `step`; `None`: it goes straight on.
fn stretches<'a>(trace: &'a Trace, step: &TracedMove) -> Option<&'a [Stretch]> {
    let trajectory = usize::try_from(step.trajectory?).ok()?;
    trace.trajectories.get(trajectory).map(|trajectory| trajectory.stretches())
}

/// The pieces of one agent, in order of time, without overlaps. An agent is absent during a move along more than `most`
/// stretches.
pub(super) fn pieces_of(traced: &TracedAgent, trace: &Trace, most: usize, levels: Option<&Levels>) -> Vec<Piece> {
    let last = traced.vanishes.map_or(NEVER, f64::from);
    let mut pieces = Vec::with_capacity(2 * traced.moves.len() + 1);
    let mut push_piece = |piece: Piece| {
        let piece = Piece { end: piece.end.min(last), ..piece };
        let numbers = [piece.from, piece.velocity, piece.facing, piece.levels];
        let is_somewhere = numbers.as_flattened().iter().chain([&piece.spin]).all(|c| c.is_finite());
        if piece.begin < piece.end && is_somewhere {
            pieces.push(piece);
        }
    };
    let place = |place: &TracedPlace| {
        let [x, y, height] = place.position;
        let level = levels.map_or(0.0, |levels| levels.of(height));
        ([x, y].map(f64::from), f64::from(place.heading), level)
    };
    let straight = |from, heading, velocity, begin, end, origin, levels| Piece {
        begin,
        end,
        origin,
        from,
        velocity,
        facing: facing(heading),
        spin: 0.0,
        levels,
    };

    let ((mut at, mut heading, mut level), mut now) = (place(&traced.start), f64::from(traced.appears));
    for step in &traced.moves {
        let (depart, (to, to_heading, to_level)) = (f64::from(step.depart), place(&step.to));
        let arrive = f64::from(step.arrive).max(depart);
        push_piece(straight(at, heading, [0.0; 2], now, depart, now, [level; 2]));
        now = now.max(depart);
        let pauses: Vec<[f64; 2]> = pauses(traced, step).collect();
        let paused: f64 = pauses.iter().map(|[begin, end]| end - begin).sum();
        let (arrive_late, arrive) = (arrive, arrive - paused);
        let mut last = None;
        let mut push = |piece: Piece| {
            last = Some(piece);
            if pauses.is_empty() { push_piece(piece) } else { push_late(piece, &pauses, &mut push_piece) }
        };
        if arrive <= depart {
            // A move that is nothing but pauses stands where it begins.
            push(straight(at, heading, [0.0; 2], now, depart, depart, [level; 2]));
        } else {
            // A level that is not a number stays in the pair: the agent is nowhere.
            let levels = if level <= to_level { [level, to_level] } else { [to_level, level] };
            if let Some(stretches) = stretches(trace, step) {
                // On a jump it stands, and is then elsewhere.
                let levels = if stretches.is_empty() { [level; 2] } else { levels };
                let numbers = |stretch: &Stretch| [stretch.share, stretch.length, stretch.turn].map(f64::from);
                let finite = || stretches.iter().all(|stretch| numbers(stretch).iter().all(|c| c.is_finite()));
                if stretches.len() <= most && finite() {
                    drive((at, heading), stretches.iter().map(numbers), [now, depart, arrive], levels, &mut push);
                }
            } else {
                let velocity = times(minus(to, at), (arrive - depart).recip());
                push(straight(at, heading, velocity, now, arrive, depart, levels));
            }
        }
        if let Some(last) = last {
            push_at_end(last, &pauses, now, &mut push_piece);
        }
        (at, heading, level, now) = (to, to_heading, to_level, now.max(arrive_late));
    }
    push_piece(straight(at, heading, [0.0; 2], now, NEVER, now, [level; 2]));
    pieces
}

/// The pieces after `now` of a move along stretches, each given as share, length and turn, from `depart` to `arrive`.
fn drive(
    (mut at, mut heading): (Vector, f64),
    stretches: impl Iterator<Item = [f64; 3]> + Clone,
    [now, depart, arrive]: [f64; 3],
    levels: [f64; 2],
    push: &mut impl FnMut(Piece),
) {
    let total: f64 = stretches.clone().map(|[share, ..]| share.max(0.0)).sum();
    let scale = if (total - 1.0).abs() <= ROUNDED { total.recip() } else { 1.0 };
    let mut done: f64 = 0.0;
    for [share, length, turn] in stretches {
        let begin = depart + (arrive - depart) * done;
        if begin >= arrive {
            return;
        }
        done += share.max(0.0) * scale;
        let whole = if done > 1.0 - 1e-12 && done < 1.0 + 1e-12 { arrive } else { depart + (arrive - depart) * done };
        let ticks = whole - begin;
        let piece = Piece {
            begin: now.max(begin),
            end: whole.min(arrive),
            origin: begin,
            from: at,
            velocity: times(facing(heading), length / ticks),
            facing: facing(heading),
            spin: turn / ticks,
            levels,
        };
        if ticks > 0.0 {
            push(piece);
        }
        // The end of the stretch, however short its time.
        at =
            Piece { origin: 0.0, velocity: times(facing(heading), length), spin: turn, ..piece }.movement(1.0).position;
        heading += turn;
        if whole >= arrive {
            return;
        }
    }
    let begin = depart + (arrive - depart) * done;
    let stands = Piece {
        begin: now.max(begin),
        end: arrive,
        origin: begin,
        from: at,
        velocity: [0.0; 2],
        facing: facing(heading),
        spin: 0.0,
        levels,
    };
    push(stands);
}

/// The direction of a heading; exact for heading 0.
fn facing(heading: f64) -> Vector {
    let (sin, cos) = libm::sincos(heading);
    [cos, sin]
}
