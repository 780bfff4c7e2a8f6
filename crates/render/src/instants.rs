//! Instants: the times between which an agent moves and turns evenly.

use std::f64::consts::TAU;

use giveway_core::{Span, Tick, TracedAgent, Trajectory};

use crate::placement::{Placement, between, trajectory};
use crate::plane::plane;

/// The ticks of all of `pauses`.
pub(crate) fn ticks_of(pauses: &[Span]) -> Tick {
    // A trace that was made by hand may have any.
    let add = |sum: Tick, pause: &Span| sum.saturating_add(pause.end.saturating_sub(pause.start));
    pauses.iter().fold(0, add)
}

/// The placements of `agent` when it sets out, turns, stops, or changes its speed, and often enough along curves.
/// Between two placements the agent moves and turns evenly. Headings continue from one placement to the next, even
/// beyond a full turn, so that no agent spins back.
pub(crate) fn instants(trajectories: &[Trajectory], agent: &TracedAgent) -> Vec<(f64, Placement)> {
    let mut instants = vec![(0.0, Placement::of(&agent.start))];
    let mut from = &agent.start;
    for traced in &agent.moves {
        let (last_tick, last) = instants[instants.len() - 1];
        let pauses = agent.pauses_of(traced);
        let paused = ticks_of(pauses);
        let [depart, arrive] = [traced.depart, traced.arrive.saturating_sub(paused)].map(f64::from);
        if depart > last_tick {
            instants.push((depart, last));
        }
        // A move with pauses is looked at on its own, as if it had none.
        let mut on_time = vec![(depart, last)];
        let seen = if pauses.is_empty() { &mut instants } else { &mut on_time };
        // The full turns since headings were counted.
        let rounds = last.heading - Placement::of(from).heading;
        let on_the_way = between(trajectories, from, traced);
        for (progress, placement) in on_the_way {
            push(
                seen,
                (depart + (arrive - depart) * progress, Placement { heading: placement.heading + rounds, ..placement }),
            );
        }
        let stands = seen[seen.len() - 1].1;
        if trajectory(trajectories, traced).is_some_and(Trajectory::is_jump) {
            push(seen, (arrive, stands));
        }
        let before = stands.heading;
        let heading = nearest(Placement::of(&traced.to).heading, before);
        // On a straight way an agent keeps its heading until the end.
        if trajectory(trajectories, traced).is_none() && arrive > depart && heading != before {
            push(seen, (arrive, Placement { at: plane(&traced.to), heading: before }));
        }
        push(seen, (arrive, Placement { at: plane(&traced.to), heading }));
        if !pauses.is_empty() {
            instants.extend(with_pauses(&on_time, pauses).into_iter().skip(1));
        }
        from = &traced.to;
    }
    instants
}

/// The instants of a move that stands still during `pauses`, from the instants without them.
fn with_pauses(on_time: &[(f64, Placement)], pauses: &[Span]) -> Vec<(f64, Placement)> {
    let mut late = 0.0;
    let mut pauses = pauses.iter().map(|pause| [pause.start, pause.end].map(f64::from)).peekable();
    let mut instants: Vec<(f64, Placement)> = Vec::with_capacity(on_time.len());
    for (index, (tick, placement)) in on_time.iter().enumerate() {
        while let Some([begin, end]) = pauses.next_if(|[begin, _]| begin - late <= *tick) {
            let (before, from) = on_time[index.saturating_sub(1)];
            let share = if *tick > before { (begin - late - before) / (tick - before) } else { 1.0 };
            let between = |from: f64, to: f64| from + (to - from) * share;
            let at = [0, 1].map(|axis| between(from.at[axis], placement.at[axis]));
            let stands = Placement { at, heading: between(from.heading, placement.heading) };
            instants.extend([(begin, stands), (end, stands)]);
            late += end - begin;
        }
        instants.push((tick + late, *placement));
    }
    instants
}

/// Adds `next`; it replaces the last instant if that instant lies evenly on the way to `next`.
fn push(instants: &mut Vec<(f64, Placement)>, next: (f64, Placement)) {
    if let [.., before, between] = instants[..]
        && evenly(before, between, next)
    {
        instants.pop();
    }
    instants.push(next);
}

/// `heading`, plus or minus full turns, so that it is nearest to `before`.
fn nearest(heading: f64, before: f64) -> f64 {
    heading + ((before - heading) / TAU).round() * TAU
}

/// Whether an even motion from `a` to `c` is at `b` in between.
fn evenly((start, a): (f64, Placement), (middle, b): (f64, Placement), (end, c): (f64, Placement)) -> bool {
    let share = (middle - start) / if end > start { end - start } else { 1.0 };
    let on_the_way = |a: f64, b: f64, c: f64| (a + (c - a) * share - b).abs() < 1e-6;
    (0..2).all(|axis| on_the_way(a.at[axis], b.at[axis], c.at[axis])) && on_the_way(a.heading, b.heading, c.heading)
}

#[cfg(test)]
mod tests {
    use giveway_core::{Stretch, TracedMove, TracedPlace};

    use super::*;

    #[test]
    fn only_turns_stops_and_changes_of_speed_are_instants() {
        let place = |x: f32, y: f32| TracedPlace::new(0, [x, y, 0.0]);
        let go = |depart, arrive, x, y| TracedMove::new(depart, arrive, place(x, y));
        let moves =
            vec![go(0, 1, 1.0, 0.0), go(1, 2, 2.0, 0.0), go(4, 5, 3.0, 0.0), go(5, 7, 4.0, 0.0), go(7, 8, 4.0, 1.0)];
        let agent = TracedAgent::new(place(0.0, 0.0), vec![], moves);
        let expected = [
            (0.0, [0.0, 0.0]),
            (2.0, [2.0, 0.0]),
            (4.0, [2.0, 0.0]),
            (5.0, [3.0, 0.0]),
            (7.0, [4.0, 0.0]),
            (8.0, [4.0, 1.0]),
        ];
        assert_eq!(instants(&[], &agent), expected.map(|(tick, at)| (tick, Placement { at, heading: 0.0 })));
    }

    #[test]
    fn who_stands_still_on_its_way_goes_on_later() {
        let place = |x: f32| TracedPlace::new(0, [x, 0.0, 0.0]);
        let moves = vec![TracedMove::new(0, 2, place(2.0)), TracedMove::new(2, 9, place(4.0))];
        let pauses = vec![Span::new(3, 7), Span::new(8, 9)];
        let agent = TracedAgent { pauses, ..TracedAgent::new(place(0.0), vec![], moves) };
        let at = |tick, x| (tick, Placement { at: [x, 0.0], heading: 0.0 });
        let expected =
            [at(0.0, 0.0), at(2.0, 2.0), at(3.0, 3.0), at(7.0, 3.0), at(8.0, 4.0), at(9.0, 4.0), at(9.0, 4.0)];
        assert_eq!(instants(&[], &agent), expected);
    }

    #[test]
    fn headings_go_on_beyond_a_turn_and_change_at_the_end_of_ways_straight_on() {
        use std::f32::consts::{FRAC_PI_2, PI};

        let place = |x: f32, heading: f32| TracedPlace { heading, ..TracedPlace::new(0, [x, 0.0, 0.0]) };
        let trajectories = [Trajectory::new(vec![Stretch { share: 1.0, length: 0.0, turn: PI }])];
        let spin = |depart, to| TracedMove { trajectory: Some(0), ..TracedMove::new(depart, depart + 2, to) };
        let moves = vec![
            spin(0, place(0.0, 1.5 * PI)),
            spin(2, place(0.0, FRAC_PI_2)),
            spin(4, place(0.0, 1.5 * PI)),
            // Straight on, and at the end told to face along x: a quarter of a turn on, not three quarters back.
            TracedMove::new(6, 8, place(1.0, 0.0)),
        ];
        let agent = TracedAgent::new(place(0.0, FRAC_PI_2), vec![], moves);
        let found: Vec<(f64, f64, f64)> = instants(&trajectories, &agent)
            .into_iter()
            .map(|(tick, placement)| (tick, placement.at[0], (placement.heading.to_degrees() * 1e3).round() / 1e3))
            .collect();
        assert_eq!(found, [(0.0, 0.0, 90.0), (6.0, 0.0, 630.0), (8.0, 1.0, 630.0), (8.0, 1.0, 720.0)]);
    }
}
