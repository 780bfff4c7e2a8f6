//! Smoothing: straight ways in place of moves that bend, where no other agent is.
//!
//! A straight way takes as long as the moves that it replaces. So nothing else of the path changes, and what is
//! reserved is what is driven. A straight way replaces only moves that are hardly longer, so units keep their speed.

use std::ops::{ControlFlow, Range, RangeInclusive};

use super::query::Query;
use super::scene::SceneParts;
use crate::footprint::Footprint;
use crate::reservation::{Probe, ReservationStore};
use crate::space::SpaceGraph;
use crate::vocabulary::{Cost, Entry, FOREVER, Motion, Move, NodeId, Path, Span, Step, Tick, Ticks};

/// How many moves a straight way may replace. A move that has begun is made to its end, whatever comes. So agents that
/// plan again and again make short moves, and only where no other agent has reserved the ground for
/// [`ALONE_IN_A_WINDOW`] plain steps before and after, from its departure on.
const MOST_MOVES: usize = 8;
const MOST_MOVES_IN_A_WINDOW: usize = 3;
const ALONE_IN_A_WINDOW: Ticks = 16;

/// How much longer a straight way may take than at the speed of the moves that it replaces: at most this share and this
/// number of ticks.
const SLOWER: f64 = 0.01;
const TICKS_SLOWER: f64 = 1.0;
/// The greatest length of a straight way, as a share of the length of what it replaces. A way that is hardly shorter is
/// not worth a look at the ground.
const HARDLY_SHORTER: f32 = 0.99;

/// `path` with the [shortcuts](SpaceGraph::shortcut) of its space, the longest first, from the start on.
pub(super) fn smooth<W: SceneParts>(
    scene: &W,
    query: &Query<W::Cost>,
    mut path: Path<W::Action, W::Cost>,
) -> Path<W::Action, W::Cost> {
    let (most, alone) =
        if query.horizon == FOREVER { (MOST_MOVES, 0) } else { (MOST_MOVES_IN_A_WINDOW, ALONE_IN_A_WINDOW) };
    let alone = scene.footprint().ticks_per_step().saturating_mul(alone);
    let mut first = 0;
    while first < path.steps.len() {
        let rest = &path.steps[first..];
        let mut moves = moves_at_first(rest, most);
        while moves >= 2 {
            if let Some(step) = straightened(scene, query, alone, &rest[..moves]) {
                replace(&mut path.steps, first..first + moves, step);
                break;
            }
            moves -= 1;
        }
        first += 1;
    }
    path
}

/// How many moves come first in `steps`, one after the other; at most `most`.
fn moves_at_first<A, C>(steps: &[Step<A, C>], most: usize) -> usize {
    steps.iter().take(most).take_while(|step| matches!(step.motion, Motion::Move(_))).count()
}

/// Puts `step` in the place of the steps at `places`.
fn replace<A, C>(steps: &mut Vec<Step<A, C>>, places: Range<usize>, step: Step<A, C>) {
    steps.splice(places, [step]);
}

/// Moves that a straight way is to replace.
struct Stretch<C> {
    from: NodeId,
    to: NodeId,
    depart: Tick,
    arrive: Tick,
    cost: C,
    length: f32,
    /// The least and the greatest length that the straight way may have.
    lengths: RangeInclusive<f32>,
}

impl<C: Cost> Stretch<C> {
    /// `None`: there is no step.
    fn of<A>(steps: &[Step<A, C>]) -> Option<Self> {
        let moves = || steps.iter().filter_map(|step| if let Motion::Move(m) = &step.motion { Some(m) } else { None });
        let (begin, end) = (moves().next()?, moves().last()?);
        let length: f32 = moves().map(|m| m.length).sum();
        let (depart, arrive) = (steps.first()?.depart, steps.last()?.arrive);
        let ticks = f64::from(arrive - depart);
        #[allow(clippy::cast_possible_truncation)] // lengths have 32 bits
        let shortest = (f64::from(length) * (ticks - TICKS_SLOWER) / (ticks * (1.0 + SLOWER))) as f32;
        let cost = moves().fold(C::zero(), |sum, m| sum.plus(m.cost));
        let (from, to) = (begin.from, end.to);
        Some(Self { from, to, depart, arrive, cost, lengths: shortest..=length * HARDLY_SHORTER, length })
    }
}

/// One step in place of `steps`, if there is a straight way and no other agent is on its ground, `alone` ticks before
/// and after.
fn straightened<W: SceneParts>(
    scene: &W,
    query: &Query<W::Cost>,
    alone: Ticks,
    steps: &[Step<W::Action, W::Cost>],
) -> Option<Step<W::Action, W::Cost>> {
    let Stretch { from, to, depart, arrive, cost, length, lengths } = Stretch::of(steps)?;
    let action = scene.space().shortcut(from, to, lengths)?;
    let m = Move { from, to, action, cost, length };
    let takes_as_long = scene.footprint().duration(scene.space(), &m) == Some(arrive - depart);
    if !takes_as_long || !scene.space().departs(&m, depart) {
        return None;
    }
    let motion = Motion::Move(m);
    let is_free = scene.footprint().sweep(scene.space(), &motion, depart, &mut |Entry { cell, span }| {
        // Of the time before, stores tell only what they have not forgotten.
        let start = span.start.saturating_sub(alone).max(query.depart.min(span.start));
        let span = Span { start, end: span.end.saturating_add(alone) };
        match scene.reservations().probe(&Entry { cell, span }, query.claim) {
            Probe::Free => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    is_free.is_continue().then_some(Step { motion, depart, arrive })
}
