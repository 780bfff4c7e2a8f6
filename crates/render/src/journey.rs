//! Journeys: one agent's arrivals, waits and ways, for pictures.

use giveway_core::{FOREVER, Tick, Trace, TracedAgent, TracedMove, TracedPlace, Trajectory};

use crate::placement::{between, trajectory};
use crate::plane::plane;

/// The tick at which `agent` arrives for good at one of its goals; `None` if it ends elsewhere.
pub(crate) fn arrival(agent: &TracedAgent) -> Option<Tick> {
    let end = agent.moves.last().map_or(&agent.start, |traced| &traced.to);
    let at_end = agent.goals.iter().any(|goal| goal.node == end.node);
    at_end.then(|| agent.moves.last().map_or(0, |traced| traced.arrive))
}

/// The tick at which the trace ends.
pub(crate) fn last_tick(trace: &Trace) -> Tick {
    let lasts = trace.agents.iter().flat_map(|agent| {
        let (moved, told) = (agent.moves.last().map(|last| last.arrive), agent.orders.last().map(|last| last.tick));
        [moved, told, agent.vanishes, Some(agent.appears)]
    });
    lasts.flatten().chain(trace.until).max().unwrap_or(0)
}

/// Whether `trace` holds more than a plan could: agents appear, vanish, or get orders.
pub(crate) fn is_live(trace: &Trace) -> bool {
    trace.agents.iter().any(|agent| agent.appears > 0 || agent.vanishes.is_some() || !agent.orders.is_empty())
}

/// The orders of `agent` in turn: the first tick and the end of each, and its goals. An order that is replaced at once
/// is left out.
pub(crate) fn errands(agent: &TracedAgent) -> impl Iterator<Item = (Tick, Tick, &[TracedPlace])> {
    let begins = std::iter::once(agent.appears).chain(agent.orders.iter().map(|order| order.tick));
    let ends = agent.orders.iter().map(|order| order.tick).chain([agent.vanishes.unwrap_or(FOREVER)]);
    let goals = std::iter::once(&agent.goals).chain(agent.orders.iter().map(|order| &order.goals));
    let told = begins.zip(ends).zip(goals).map(|((begin, end), goals)| (begin, end, goals.as_slice()));
    told.filter(|(begin, end, _)| begin < end)
}

/// The stops of `agent`: the tick of arrival, the tick of departure, and the node. The first stop is at the start. A
/// move that ends when the agent vanishes or is put elsewhere was cut short, and does not count.
fn stops(agent: &TracedAgent) -> Vec<(Tick, Tick, u32)> {
    let begins = std::iter::once((agent.appears, agent.start.node));
    let begins = begins.chain(agent.moves.iter().map(|traced| (traced.arrive, traced.to.node)));
    let ends = agent.moves.iter().map(|traced| traced.depart).chain([agent.vanishes.unwrap_or(FOREVER)]);
    let goes_on = |index: usize| agent.moves.get(index).is_some_and(|next| next.arrive > next.depart);
    let stops = begins.zip(ends).enumerate().filter(|(index, ((begin, _), end))| begin < end || goes_on(*index));
    stops.map(|(_, ((begin, node), end))| (begin, end, node)).collect()
}

/// The first arrival of `agent` at a goal of each order that it fulfilled.
pub(crate) fn arrivals(agent: &TracedAgent) -> Vec<Tick> {
    let stops = stops(agent);
    let first = |(begin, end, goals): (Tick, Tick, &[TracedPlace])| {
        // The stop at which it gets the order, and all stops until the next order.
        let from = stops.partition_point(|stop| stop.0 <= begin).saturating_sub(1);
        let there = stops[from..].iter().take_while(|stop| stop.0 <= end);
        let mut there = there.filter(|stop| stop.1 >= begin && goals.iter().any(|goal| goal.node == stop.2));
        there.next().map(|stop| stop.0.max(begin))
    };
    errands(agent).filter_map(first).collect()
}

/// The rests of `agent` on a goal of its present order: the first tick and the end of each.
pub(crate) fn stays(agent: &TracedAgent) -> Vec<(Tick, Tick)> {
    let stops = stops(agent);
    let mut stays: Vec<(Tick, Tick)> = Vec::new();
    for (begin, end, goals) in errands(agent) {
        let from = stops.partition_point(|stop| stop.0 <= begin).saturating_sub(1);
        let during = stops[from..].iter().take_while(|stop| stop.0 < end);
        let home = during.filter(|stop| goals.iter().any(|goal| goal.node == stop.2));
        stays.extend(home.map(|stop| (stop.0.max(begin), stop.1.min(end))).filter(|(begin, end)| begin < end));
    }
    stays
}

/// A point of a way, as it is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Corner {
    pub(crate) at: [f64; 2],
    /// Whether the corner is part of a curve, and drawn as it is; other corners may be rounded.
    pub(crate) curved: bool,
}

/// The points where a way begins, turns and ends, and enough points of its curves; points on straight parts are left
/// out.
pub(crate) fn corners(trajectories: &[Trajectory], start: &TracedPlace, moves: &[TracedMove]) -> Vec<Corner> {
    let mut corners = vec![Corner { at: plane(start), curved: false }];
    let mut from = start;
    for traced in moves {
        let curved = trajectory(trajectories, traced).is_some();
        if let Some(last) = corners.last_mut().filter(|_| curved) {
            last.curved = true;
        }
        let on_the_way = between(trajectories, from, traced).into_iter().map(|(_, placement)| placement.at);
        for at in on_the_way.chain([plane(&traced.to)]) {
            if let [.., before, last] = corners[..]
                && straight_on(before.at, last.at, at)
            {
                corners.pop();
            }
            if corners.last().is_none_or(|last| last.at != at) {
                corners.push(Corner { at, curved });
            }
        }
        from = &traced.to;
    }
    corners
}

/// The ways of `agent` between leaps: the start of each, and its moves.
pub(crate) fn ways(agent: &TracedAgent) -> Vec<(&TracedPlace, &[TracedMove])> {
    let mut ways = Vec::new();
    let (mut start, mut begun) = (&agent.start, 0);
    for (index, traced) in agent.moves.iter().enumerate().filter(|(_, traced)| traced.arrive == traced.depart) {
        ways.push((start, &agent.moves[begun..index]));
        (start, begun) = (&traced.to, index + 1);
    }
    ways.push((start, &agent.moves[begun..]));
    ways
}

/// The places where `agent` rests before it goes on, in order, and the duration of each rest.
pub(crate) fn waits(agent: &TracedAgent) -> impl Iterator<Item = ([f64; 2], Tick)> {
    let departs = agent.moves.iter().map(|traced| traced.depart);
    let arrived = std::iter::once((agent.appears, &agent.start))
        .chain(agent.moves.iter().map(|traced| (traced.arrive, &traced.to)));
    let rests = arrived.zip(departs).map(|((arrive, place), depart)| (plane(place), depart.saturating_sub(arrive)));
    rests.filter(|(_, ticks)| *ticks > 0)
}

/// Whether `b` lies on the way from `a` to `c`.
fn straight_on(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
    let (cross, dot) = (u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
    dot > 0.0 && cross.abs() <= 1e-9 * dot
}

#[cfg(test)]
mod tests {
    use giveway_core::TracedOrder;

    use super::*;

    fn place(node: u32) -> TracedPlace {
        TracedPlace::new(node, [0.0; 3])
    }

    fn agent(start: u32, moves: &[(Tick, Tick, u32)], goals: &[u32], orders: &[(Tick, &[u32])]) -> TracedAgent {
        let places = |nodes: &[u32]| nodes.iter().map(|node| place(*node)).collect::<Vec<_>>();
        let moves = moves.iter().map(|(depart, arrive, to)| TracedMove::new(*depart, *arrive, place(*to)));
        let mut agent = TracedAgent::new(place(start), places(goals), moves.collect());
        agent.orders = orders.iter().map(|(tick, goals)| TracedOrder { tick: *tick, goals: places(goals) }).collect();
        agent
    }

    #[test]
    fn arrivals_and_stays_are_those_of_the_orders_in_force() {
        let walk = [(0, 1, 1), (1, 2, 2), (2, 3, 1), (5, 6, 2)];
        type Row = (TracedAgent, &'static [Tick], &'static [(Tick, Tick)]);
        let rows: [Row; 7] = [
            (agent(0, &walk, &[2], &[]), &[2], &[(6, FOREVER)]),
            // It is sent on at the moment of its arrival.
            (agent(0, &walk, &[2], &[(2, &[1])]), &[2, 3], &[(3, 5)]),
            // It is sent to where it is.
            (agent(0, &walk, &[1], &[(4, &[1, 2])]), &[1, 4], &[(3, 4), (4, 5), (6, FOREVER)]),
            (agent(0, &walk, &[], &[(9, &[])]), &[], &[]),
            // Replaced before it could matter.
            (agent(0, &walk, &[0], &[(0, &[7])]), &[], &[]),
            // A move that is cut short because the agent is put elsewhere does not arrive.
            (agent(0, &[(0, 2, 1), (2, 2, 5)], &[1], &[]), &[], &[]),
            (agent(0, &[(0, 2, 1), (2, 2, 5)], &[5], &[]), &[2], &[(2, FOREVER)]),
        ];
        for (row, (agent, expected, rests)) in rows.into_iter().enumerate() {
            assert_eq!((arrivals(&agent).as_slice(), stays(&agent).as_slice()), (expected, rests), "row {row}");
        }
        let mut leaves = agent(0, &[(0, 2, 1)], &[1], &[]);
        leaves.vanishes = Some(2);
        assert_eq!((arrivals(&leaves), stays(&leaves)), (vec![], vec![]));
    }
}
