//! Journeys: what pictures tell of one agent.

use giveway_core::{Tick, Trace, TracedAgent};

use crate::extent::plane;

/// The tick at which `agent` arrives for good at one of its goals; `None` if it ends elsewhere.
pub(crate) fn arrival(agent: &TracedAgent) -> Option<Tick> {
    let end = agent.moves.last().map_or(&agent.start, |traced| &traced.to);
    let at_end = agent.goals.iter().any(|goal| goal.node == end.node);
    at_end.then(|| agent.moves.last().map_or(0, |traced| traced.arrive))
}

/// The tick at which the last move of all ends.
pub(crate) fn last_tick(trace: &Trace) -> Tick {
    let ends = trace.agents.iter().flat_map(|agent| agent.moves.last());
    ends.map(|traced| traced.arrive).max().unwrap_or(0)
}

/// Where `agent` starts, turns and ends: places on the way straight on are left out.
pub(crate) fn corners(agent: &TracedAgent) -> Vec<[f64; 2]> {
    let mut corners = vec![plane(&agent.start)];
    for traced in &agent.moves {
        let to = plane(&traced.to);
        if let [.., before, last] = corners[..]
            && straight_on(before, last, to)
        {
            corners.pop();
        }
        if corners.last() != Some(&to) {
            corners.push(to);
        }
    }
    corners
}

/// Where `agent` rests before it goes on, in order, with how long.
pub(crate) fn waits(agent: &TracedAgent) -> impl Iterator<Item = ([f64; 2], Tick)> {
    let departs = agent.moves.iter().map(|traced| traced.depart);
    let arrived =
        std::iter::once((0, &agent.start)).chain(agent.moves.iter().map(|traced| (traced.arrive, &traced.to)));
    let rests = arrived.zip(departs).map(|((arrive, place), depart)| (plane(place), depart.saturating_sub(arrive)));
    rests.filter(|(_, ticks)| *ticks > 0)
}

/// Whether `b` lies on the way from `a` to `c`.
fn straight_on(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
    let (cross, dot) = (u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
    dot > 0.0 && cross.abs() <= 1e-9 * dot
}
