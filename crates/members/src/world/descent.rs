//! Descent: a path by greedy choice of moves, where no other agent is in the way.

use std::ops::ControlFlow;

use giveway_core::{
    Asker, Claim, Cost, CostLayer, Entry, Footprint, Fuel, Heuristic, Motion, MoveIn, PathIn, ReservationStore as _,
    Scene, SpaceGraph, Step, Suspended, Tick,
};

use super::any_class::Question;
use crate::store::Store;

/// Makes `path` the path of an agent that makes the best move at each step, or stays once it is on the goal, until the
/// horizon. Adds to `expanded` the steps looked at; each burns fuel as an expansion. `false`: another agent holds part
/// of the path, or no move comes nearer, or the path costs more than the estimate at its start and the question does
/// not [descend](Question::descends) at any cost.
///
/// Candidates are the moves that come nearer to the goal. The best one has the least sum of cost and estimate at its
/// end; among equals the last, as in a search.
pub(super) fn descend<S, F, L>(
    scene: &Scene<'_, S, F, Store, L>,
    question: &Question<'_>,
    heuristic: &mut impl Heuristic<S>,
    fuel: &mut Fuel,
    expanded: &mut u64,
    path: &mut PathIn<S>,
) -> Result<bool, Suspended>
where
    S: SpaceGraph,
    F: Footprint<S>,
    L: CostLayer<S>,
{
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
    let mut steps = std::mem::take(&mut path.steps);
    steps.clear();
    *path = PathIn::<S> { steps, ..PathIn::<S>::standing(question.start, depart, question.at_end) };
    let (mut node, mut tick) = (question.start, depart);
    let whole = heuristic.estimate(space, node, fuel)?;
    let mut here = whole;
    while tick < question.horizon {
        if goals.contains(node) {
            let rest = Motion::Rest { node, ticks: question.horizon - tick };
            if !nobody_minds(&rest, tick) {
                return Ok(false);
            }
            path.push_rest(node, tick, question.horizon - tick);
            break;
        }
        fuel.burn()?;
        *expanded += 1;
        let Some(far) = here else { return Ok(false) };
        let mut best: Option<(_, _, MoveIn<S>, _)> = None;
        for m in space.moves(node) {
            let Some(duration) = footprint.duration(space, &m) else {
                continue;
            };
            let Some(left) = heuristic.estimate(space, m.to, fuel)?.filter(|left| *left < far) else {
                continue;
            };
            let cost = m.cost.plus(scene.layer.surcharge(space, &m, tick, &asker));
            if best.is_none_or(|(least, ..)| cost.plus(left) <= least) {
                best = Some((cost.plus(left), cost, m, duration));
                here = Some(left);
            }
        }
        let Some((_, cost, m, duration)) = best.filter(|(f, _, m, _)| {
            (question.descends || whole.is_some_and(|whole| path.cost.plus(*f) <= whole))
                && space.departs(m, tick)
                && nobody_minds(&Motion::Move(*m), tick)
        }) else {
            return Ok(false);
        };
        let arrive = tick.saturating_add(duration);
        path.steps.push(Step { motion: Motion::Move(m), depart: tick, arrive });
        path.cost = path.cost.plus(cost);
        (node, tick) = (m.to, arrive);
    }
    Ok(true)
}
