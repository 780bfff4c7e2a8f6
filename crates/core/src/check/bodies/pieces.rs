//! What an agent did, as pieces of straight motion.

use super::shape::{Vector, minus, plus, times};
use crate::trace::TracedAgent;

/// After every tick.
const NEVER: f64 = u32::MAX as f64 + 1.0;

/// A time in which an agent moves straight on at one speed, or rests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Piece {
    pub(super) begin: f64,
    pub(super) end: f64,
    /// When it is at `from`; not always a time of the piece.
    origin: f64,
    from: Vector,
    pub(super) velocity: Vector,
}

impl Piece {
    pub(super) fn at(&self, time: f64) -> Vector {
        plus(self.from, times(self.velocity, time - self.origin))
    }
}

/// The pieces of one agent, in order of time. No two of them are at one time.
pub(super) fn pieces_of(traced: &TracedAgent) -> Vec<Piece> {
    let last = traced.vanishes.map_or(NEVER, f64::from);
    let mut pieces = Vec::with_capacity(2 * traced.moves.len() + 1);
    let mut push = |piece: Piece| {
        let piece = Piece { end: piece.end.min(last), ..piece };
        let is_somewhere = piece.from.iter().chain(&piece.velocity).all(|c| c.is_finite());
        if piece.begin < piece.end && is_somewhere {
            pieces.push(piece);
        }
    };
    let rest = |from, begin, end| Piece { begin, end, origin: begin, from, velocity: [0.0; 2] };
    let plane = |[x, y, _]: [f32; 3]| [x, y].map(f64::from);

    let (mut at, mut now) = (plane(traced.start.position), f64::from(traced.appears));
    for step in &traced.moves {
        let (depart, to) = (f64::from(step.depart), plane(step.to.position));
        let arrive = f64::from(step.arrive).max(depart);
        push(rest(at, now, depart));
        now = now.max(depart);
        if depart < arrive {
            let velocity = times(minus(to, at), (arrive - depart).recip());
            push(Piece { begin: now, end: arrive, origin: depart, from: at, velocity });
        }
        (at, now) = (to, now.max(arrive));
    }
    push(rest(at, now, NEVER));
    pieces
}
