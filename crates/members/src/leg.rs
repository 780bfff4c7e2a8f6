//! Legs: the motions of an agent of a crowd, without the types of its class.

mod written;

use giveway_core::{Cost, Digest, Move, MoveIn, NodeId, SpaceGraph, Tick, Ticks};

pub use written::Before;

/// One motion of an agent, a move or a rest, with the ticks at which the motion begins and ends.
///
/// Two legs are equal if their motions are equal. A leg may also know the distance from its end to the goals; this
/// distance is not compared.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// The node where the motion begins.
    pub from: NodeId,
    /// The node where the motion ends; for a rest, the node of the rest.
    pub to: NodeId,
    /// The tick at which the motion begins.
    pub depart: Tick,
    /// The tick at which the motion ends.
    pub arrive: Tick,
    /// The move's position among the moves out of `from`; [`REST`]: it is a rest; [`SHORTCUT`]: it is a shortcut.
    action: u32,
    /// A shortcut: its length. Another move: the distance from its end to the goals, in plain steps; NaN: it is not
    /// known.
    measure: f32,
}

impl PartialEq for Leg {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let motion = |leg: &Self| {
            let length = if leg.action == SHORTCUT { leg.measure.to_bits() } else { 0 };
            (leg.from, leg.to, leg.depart, leg.arrive, leg.action, length)
        };
        motion(self) == motion(other)
    }
}

impl Eq for Leg {}

const REST: u32 = u32::MAX;
const SHORTCUT: u32 = u32::MAX - 1;

/// 2^64 divided by the golden ratio, an odd number.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Leg {
    #[doc(hidden)]
    #[inline]
    pub const fn moving(from: NodeId, to: NodeId, depart: Tick, arrive: Tick, action: u32) -> Self {
        Self { from, to, depart, arrive, action, measure: f32::NAN }
    }

    /// A straight way that is none of the moves out of `from`; its `length` is the length of the moves that it
    /// replaces.
    #[doc(hidden)]
    #[inline]
    pub const fn straight(from: NodeId, to: NodeId, depart: Tick, arrive: Tick, length: f32) -> Self {
        Self { from, to, depart, arrive, action: SHORTCUT, measure: length }
    }

    #[doc(hidden)]
    #[inline]
    pub const fn resting(node: NodeId, depart: Tick, arrive: Tick) -> Self {
        Self { from: node, to: node, depart, arrive, action: REST, measure: f32::NAN }
    }

    /// This motion, begun at `depart`.
    #[doc(hidden)]
    #[inline]
    pub fn begun_at(self, depart: Tick) -> Self {
        Self { depart, arrive: depart.saturating_add(self.arrive - self.depart), ..self }
    }

    /// This motion, ended at `arrive`.
    #[doc(hidden)]
    #[inline]
    pub fn ended_at(self, arrive: Tick) -> Self {
        Self { arrive, ..self }
    }

    /// The index of the move among the [moves](giveway_core::SpaceGraph::moves) out of `from`. `None`: the motion is a
    /// rest, or a [shortcut](giveway_core::SpaceGraph::shortcut).
    #[inline]
    pub fn action(&self) -> Option<usize> {
        (self.action != REST && self.action != SHORTCUT).then_some(self.action as usize)
    }

    /// The move in `space`. `None`: it is a rest, or the space has changed and no longer has this move.
    #[doc(hidden)]
    #[inline]
    pub fn in_space<S: SpaceGraph>(&self, space: &S, ticks_per_step: Ticks) -> Option<MoveIn<S>> {
        if self.action != SHORTCUT {
            return space.moves(self.from).nth(self.action()?).filter(|m| m.to == self.to);
        }
        let Self { from, to, .. } = *self;
        let length = self.measure;
        let action = space.shortcut(from, to, 0.0..=f32::INFINITY)?;
        let ticks = self.arrive - self.depart;
        let cost = S::Cost::STEP
            .times(ticks / ticks_per_step)
            .plus(S::Cost::STEP.times(ticks % ticks_per_step).part(ticks_per_step));
        Some(Move { from, to, action, cost, length })
    }

    /// Notes the distance from the end of the move to the goals, in plain steps.
    #[doc(hidden)]
    #[inline]
    pub fn set_left(&mut self, left: f64) {
        #[allow(clippy::cast_possible_truncation)] // only what stays as it is counts
        let measure = left as f32;
        if self.action().is_some() && f64::from(measure) == left {
            self.measure = measure;
        }
    }

    /// Forgets the distance from the end of the move.
    #[doc(hidden)]
    #[inline]
    pub fn forget_left(&mut self) {
        if self.action().is_some() {
            self.measure = f32::NAN;
        }
    }

    /// The distance from the end of the move to the goals, in plain steps, if it was noted.
    #[doc(hidden)]
    #[inline]
    pub fn left(&self) -> Option<f64> {
        (self.action().is_some() && !self.measure.is_nan()).then(|| self.measure.into())
    }

    /// Adds the motion to `digest`: not what is known about the rest of the way. There are many legs, so two words have
    /// to do: the action is spread over the bits of the ticks.
    #[doc(hidden)]
    #[inline]
    pub fn feed(&self, digest: &mut Digest) {
        digest.pair(self.from.0, self.to.0);
        let ticks = u64::from(self.depart) | u64::from(self.arrive) << 32;
        digest.word(ticks ^ u64::from(self.action).wrapping_mul(SPREAD));
        if self.action == SHORTCUT {
            digest.word(self.measure.to_bits().into());
        }
    }

    /// Whether the motion is a move.
    #[inline]
    pub fn is_move(&self) -> bool {
        self.action != REST
    }

    /// Whether the motion is a [shortcut](giveway_core::SpaceGraph::shortcut): what lies on its way is not known by its
    /// ends.
    #[inline]
    pub fn is_shortcut(&self) -> bool {
        self.action == SHORTCUT
    }
}
