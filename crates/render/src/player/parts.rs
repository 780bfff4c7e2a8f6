//! Parts: moves that stand still on their way as several moves with rests between.

use std::borrow::Cow;

use giveway_core::{Span, Stretch, Trace, TracedAgent, TracedMove, TracedPlace, Trajectories, Trajectory};

use crate::instants::ticks_of;

/// The node of a place between nodes.
const BETWEEN: u32 = u32::MAX;

/// `trace` without pauses: each move that has some is one move up to each of them, and one after the last.
pub(super) fn in_parts(trace: &Trace) -> Cow<'_, Trace> {
    if trace.agents.iter().all(|agent| agent.pauses.is_empty()) {
        return Cow::Borrowed(trace);
    }
    let mut trajectories = Trajectories::default();
    let agents = trace.agents.iter().map(|agent| {
        let mut from = agent.start;
        let mut moves = Vec::with_capacity(agent.moves.len() + agent.pauses.len());
        for step in &agent.moves {
            let known = step.trajectory.and_then(|number| trace.trajectories.get(number as usize));
            parts(&from, step, agent.pauses_of(step), known, |mut part, driven| {
                part.trajectory = trajectories.number(driven);
                moves.push(part);
            });
            from = step.to;
        }
        TracedAgent { moves, pauses: Vec::new(), ..agent.clone() }
    });
    let agents = agents.collect();
    Cow::Owned(Trace { trajectories: trajectories.into_list(), agents, ..trace.clone() })
}

/// Calls `each` for the parts of `step`, which begins at `from`, with their trajectories.
fn parts(
    from: &TracedPlace,
    step: &TracedMove,
    pauses: &[Span],
    known: Option<&Trajectory>,
    mut each: impl FnMut(TracedMove, Option<&Trajectory>),
) {
    let ticks = f64::from(step.arrive.saturating_sub(step.depart).saturating_sub(ticks_of(pauses)).max(1));
    let (mut depart, mut done, mut elapsed) = (step.depart, 0.0_f64, 0);
    for pause in pauses {
        elapsed = pause.start.saturating_sub(depart).saturating_add(elapsed);
        let share = f64::from(elapsed) / ticks;
        if pause.start > depart {
            let driven = known.map(|trajectory| part_of(trajectory, done, share));
            each(TracedMove::new(depart, pause.start, place_at(from, step, known, share)), driven.as_ref());
        }
        (depart, done) = (pause.end, share);
    }
    if depart < step.arrive || pauses.is_empty() {
        let driven =
            known.map(|trajectory| if pauses.is_empty() { trajectory.clone() } else { part_of(trajectory, done, 1.0) });
        each(TracedMove { depart, ..*step }, driven.as_ref());
    } else {
        // It stands still at its end: then it is there.
        each(TracedMove { depart: step.arrive, ..*step }, None);
    }
}

/// Where the agent is after the share `share` of `step`, which begins at `from`.
#[allow(clippy::cast_possible_truncation)] // for pictures
fn place_at(from: &TracedPlace, step: &TracedMove, known: Option<&Trajectory>, share: f64) -> TracedPlace {
    let share = share as f32;
    let [x, y, z] = [0, 1, 2].map(|axis| from.position[axis] + (step.to.position[axis] - from.position[axis]) * share);
    let ([x, y], heading) = match known {
        Some(trajectory) => trajectory.pose([from.position[0], from.position[1]], from.heading, share),
        None => ([x, y], from.heading),
    };
    TracedPlace { node: BETWEEN, position: [x, y, z], heading }
}

/// The part of `trajectory` between two shares of its time.
#[allow(clippy::cast_possible_truncation)] // for pictures
fn part_of(trajectory: &Trajectory, begin: f64, end: f64) -> Trajectory {
    let mut before = 0.0;
    let mut stretches = Vec::new();
    for Stretch { share, length, turn } in trajectory.stretches().iter().copied() {
        let after = before + f64::from(share);
        let part = (after.min(end) - before.max(begin)).max(0.0);
        if part > 0.0 && share > 0.0 {
            let of_it = (part / f64::from(share)) as f32;
            let share = (part / (end - begin)) as f32;
            stretches.push(Stretch { share, length: length * of_it, turn: turn * of_it });
        }
        before = after;
    }
    Trajectory::new(stretches)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;
    use crate::instants::instants;

    /// Where and under which heading `agent` is at `tick`.
    fn seen(trajectories: &[Trajectory], agent: &TracedAgent, tick: f64) -> [f64; 3] {
        let instants = instants(trajectories, agent);
        let after = instants.partition_point(|(at, _)| *at <= tick).clamp(1, instants.len() - 1);
        let ((begin, from), (end, to)) = (instants[after - 1], instants[after]);
        let share = if end > begin { ((tick - begin) / (end - begin)).min(1.0) } else { 1.0 };
        let [from, to] = [from, to].map(|placement| [placement.at[0], placement.at[1], placement.heading]);
        [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share)
    }

    #[test]
    fn parts_show_what_moves_with_pauses_show() {
        let place = |x: f32, y: f32, heading: f32| TracedPlace { heading, ..TracedPlace::new(1, [x, y, 0.0]) };
        let curve = Trajectory::new(vec![
            Stretch { share: 0.25, length: 1.0, turn: 0.0 },
            Stretch { share: 0.75, length: 2.0 * FRAC_PI_2, turn: FRAC_PI_2 },
        ]);
        let moves = vec![
            TracedMove::new(0, 7, place(4.0, 0.0, 0.0)),
            TracedMove { trajectory: Some(0), ..TracedMove::new(7, 30, place(7.0, 2.0, FRAC_PI_2)) },
            TracedMove::new(31, 35, place(7.0, 4.0, FRAC_PI_2)),
        ];
        let pauses = vec![Span::new(2, 5), Span::new(9, 12), Span::new(20, 28), Span::new(33, 35)];
        let agent = TracedAgent { pauses, ..TracedAgent::new(place(0.0, 0.0, 0.0), vec![], moves) };
        let trace = Trace { trajectories: vec![curve], ..Trace::new(1, vec![agent]) };
        let parted = in_parts(&trace);
        let [whole, parts] = [&trace.agents[0], &parted.agents[0]];
        assert!(parts.pauses.is_empty() && parts.moves.len() == 7, "{:?}", parts.moves);
        for tick in (0..360).map(|tick| f64::from(tick) / 10.0) {
            let expected = seen(&trace.trajectories, whole, tick);
            let found = seen(&parted.trajectories, parts, tick);
            assert!(
                expected.iter().zip(found).all(|(one, other)| (one - other).abs() < 0.02),
                "{tick}: {expected:?} {found:?}"
            );
        }
    }
}
