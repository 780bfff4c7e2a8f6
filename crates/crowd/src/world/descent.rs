//! Descent: a path of moves that all come nearer to the goal, where no other agent is in the way.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use giveway_core::{
    Asker, AtEnd, Claim, Cost, CostLayer, Entry, Footprint, Fuel, Heuristic, Motion, MoveIn, NodeId, PathIn,
    ReservationStore as _, Scene, SpaceGraph, Step, Suspended, Tick, Ticks,
};

use super::any_class::{Descends, Question};
use crate::store::Store;

/// Looks for descents, one after the other.
pub(crate) struct Descent<S: SpaceGraph> {
    /// The last descent.
    path: PathIn<S>,
    /// The moves that may be made instead, the next one last.
    choices: Vec<Choice<S>>,
}

/// A move that may be made.
struct Choice<S: SpaceGraph> {
    m: MoveIn<S>,
    duration: Ticks,
    cost: S::Cost,
    /// The estimate at the end of the move.
    left: S::Cost,
    /// The number of steps before it, the tick when they end, and what they cost.
    after: (usize, Tick, S::Cost),
}

/// If others are in the way of this many moves, the space-time search does better.
const MOST_REFUSED: u32 = 32;

impl<S: SpaceGraph> Descent<S> {
    pub(crate) fn new() -> Self {
        Self { path: PathIn::<S>::standing(NodeId(0), 0, AtEnd::Stay), choices: Vec::new() }
    }

    /// The path of an agent that comes nearer to the goal with each move, or stays once it is on the goal, until the
    /// horizon. Adds to `expanded` the steps looked at; each burns fuel as an expansion. `None`: none was found.
    ///
    /// The best move has the least sum of cost and estimate at its end; among equals the last, as in a search. Unless
    /// the question [descends](Question::descends) at any cost, the path costs no more than the estimate at its start.
    /// If it descends around others, and another agent is in the way of the best move, the next best one is tried, and
    /// then the moves that were left out at earlier steps, from the last step back.
    pub(crate) fn find<F, L>(
        &mut self,
        scene: &Scene<'_, S, F, Store, L>,
        question: &Question<'_>,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        expanded: &mut u64,
    ) -> Result<Option<&PathIn<S>>, Suspended>
    where
        F: Footprint<S>,
        L: CostLayer<S>,
    {
        let Self { path, choices } = self;
        let Scene { space, footprint, reservations, .. } = scene;
        let Question { claim, goals, depart, yields_until, .. } = *question;
        let asker = Asker { claim, goals, depart, yields_until };
        let nobody_minds = |motion: &Motion<S::Action, S::Cost>, depart: Tick| {
            let free = footprint.sweep(space, motion, depart, &mut |entry: Entry| {
                let free = reservations.permits(&entry, Claim::plain(claim.agent));
                if free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            free.is_continue()
        };
        choices.clear();
        let mut steps = std::mem::take(&mut path.steps);
        steps.clear();
        *path = PathIn::<S> { steps, ..PathIn::<S>::standing(question.start, depart, question.at_end) };
        let (mut node, mut tick) = (question.start, depart);
        let Some(whole) = heuristic.estimate(space, node, fuel)? else { return Ok(None) };
        let mut here = whole;
        let mut refused = 0;
        while tick < question.horizon {
            if goals.contains(node) {
                let rest = Motion::Rest { node, ticks: question.horizon - tick };
                if !nobody_minds(&rest, tick) {
                    return Ok(None);
                }
                path.push_rest(node, tick, question.horizon - tick);
                break;
            }
            fuel.burn()?;
            *expanded += 1;
            let before = choices.len();
            let after = (path.steps.len(), tick, path.cost);
            for m in space.moves(node) {
                let Some(duration) = footprint.duration(space, &m) else {
                    continue;
                };
                let Some(left) = heuristic.estimate(space, m.to, fuel)?.filter(|left| *left < here) else {
                    continue;
                };
                let cost = m.cost.plus(scene.layer.surcharge(space, &m, tick, &asker));
                if question.descends == Descends::AtAnyCost || path.cost.plus(cost).plus(left) <= whole {
                    choices.push(Choice { m, duration, cost, left, after });
                }
            }
            let sum = |choice: &Choice<S>| choice.cost.plus(choice.left);
            choices[before..].sort_by_key(|choice| Reverse(sum(choice)));
            if question.descends != Descends::Around && choices.len() > before {
                choices.drain(before..choices.len() - 1);
            }
            loop {
                let Some(Choice { m, duration, cost, left, after }) = choices.pop() else { return Ok(None) };
                (path.cost, tick) = (after.2, after.1);
                path.steps.truncate(after.0);
                if space.departs(&m, tick) && nobody_minds(&Motion::Move(m), tick) {
                    let arrive = tick.saturating_add(duration);
                    path.steps.push(Step { motion: Motion::Move(m), depart: tick, arrive });
                    path.cost = path.cost.plus(cost);
                    (node, tick, here) = (m.to, arrive, left);
                    break;
                }
                refused += 1;
                if refused == MOST_REFUSED {
                    return Ok(None);
                }
            }
        }
        Ok(Some(path))
    }
}
