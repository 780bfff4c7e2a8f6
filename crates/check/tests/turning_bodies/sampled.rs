//! Random pairs, against a sampler that knows nothing of the checker.

use super::*;

/// Where an agent is at `time`, and its heading: along the circle of each stretch.
fn pose(trajectories: &[Trajectory], agent: &TracedAgent, time: f64) -> Option<([f64; 2], f64)> {
    if time < agent.appears.into() || agent.vanishes.is_some_and(|tick| time >= tick.into()) {
        return None;
    }
    let known = |place: TracedPlace| ([place.position[0], place.position[1]].map(f64::from), f64::from(place.heading));
    let (mut here, mut heading) = known(agent.start);
    for step in &agent.moves {
        if time < step.depart.into() {
            break;
        }
        if time < step.arrive.into() {
            let progress = (time - f64::from(step.depart)) / f64::from(step.arrive - step.depart);
            let Some(trajectory) = step.trajectory else {
                let (to, _) = known(step.to);
                return Some(([0, 1].map(|axis| here[axis] * (1.0 - progress) + to[axis] * progress), heading));
            };
            return Some(along(&trajectories[trajectory as usize], here, heading, progress));
        }
        (here, heading) = known(step.to);
    }
    Some((here, heading))
}

/// The position and heading of an agent that has driven a part of a trajectory.
fn along(trajectory: &Trajectory, [mut x, mut y]: [f64; 2], mut heading: f64, progress: f64) -> ([f64; 2], f64) {
    let mut left = progress;
    for stretch in trajectory.stretches() {
        let [share, length, turn] = [stretch.share, stretch.length, stretch.turn].map(f64::from);
        let part = if share > 0.0 { (left / share).clamp(0.0, 1.0) } else { f64::from(u8::from(left >= 0.0)) };
        let end = heading + turn * part;
        if turn == 0.0 {
            x += length * part * heading.cos();
            y += length * part * heading.sin();
        } else {
            let radius = length / turn;
            x += radius * (end.sin() - heading.sin());
            y -= radius * (end.cos() - heading.cos());
        }
        heading = end;
        left -= share.max(0.0);
        if left < 0.0 {
            break;
        }
    }
    ([x, y], heading)
}

/// The corners of a body in the world, a disc's middle, and how far it reaches around them.
fn placed(body: Option<&TracedBody>, ([x, y], heading): ([f64; 2], f64)) -> (Vec<[f64; 2]>, f64) {
    let (sin, cos) = heading.sin_cos();
    let world = |[p, q]: [f64; 2]| [x + p * cos - q * sin, y + p * sin + q * cos];
    match body {
        None => (vec![[x, y]], 0.0),
        Some(TracedBody::Disc { center, radius }) => (vec![world(center.map(f64::from))], f64::from(*radius)),
        Some(TracedBody::Polygon { corners }) => (corners.iter().map(|c| world(c.map(f64::from))).collect(), 0.0),
    }
}

/// How deep two bodies are in each other: the least over all lines through two corners, of one or of both.
fn depth(a: &(Vec<[f64; 2]>, f64), b: &(Vec<[f64; 2]>, f64)) -> f64 {
    let mut least = f64::INFINITY;
    let mut along = |[x, y]: [f64; 2]| {
        let long = x.hypot(y);
        if long > 1e-9 {
            let most = |corners: &[[f64; 2]], sign: f64| {
                corners.iter().map(|[p, q]| sign * (p * x + q * y) / long).fold(f64::NEG_INFINITY, f64::max)
            };
            let [one, other] = [1.0, -1.0].map(|sign| most(&a.0, sign) + most(&b.0, -sign));
            least = least.min(one + a.1 + b.1).min(other + a.1 + b.1);
        }
    };
    for corners in [&a.0, &b.0] {
        for (i, [p, q]) in corners.iter().enumerate() {
            corners[i + 1..].iter().for_each(|[r, s]| along([s - q, p - r]));
        }
    }
    if a.1 + b.1 > 0.0 {
        for [p, q] in &a.0 {
            b.0.iter().for_each(|[r, s]| along([r - p, s - q]));
        }
    }
    least
}

pub(super) fn depth_at(trajectories: &[Trajectory], [a, b]: [&TracedAgent; 2], time: f64) -> Option<f64> {
    let [p, q] =
        [placed(a.body.as_ref(), pose(trajectories, a, time)?), placed(b.body.as_ref(), pose(trajectories, b, time)?)];
    Some(depth(&p, &q))
}

/// How fast the points of an agent move, at most.
pub(super) fn fastest(trajectories: &[Trajectory], agent: &TracedAgent) -> f64 {
    let (corners, around) = placed(agent.body.as_ref(), ([0.0; 2], 0.0));
    let reach = corners.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max) + around;
    let mut here = agent.start;
    let mut most: f64 = 0.0;
    for step in &agent.moves {
        let ticks = f64::from(step.arrive.saturating_sub(step.depart).max(1));
        let way = [0, 1].map(|axis| f64::from(step.to.position[axis] - here.position[axis]));
        most = most.max(way[0].hypot(way[1]) / ticks);
        if let Some(trajectory) = step.trajectory {
            for Stretch { share, length, turn } in trajectories[trajectory as usize].stretches() {
                most =
                    most.max((f64::from(length.abs()) + reach * f64::from(turn.abs())) / (f64::from(*share) * ticks));
            }
        }
        here = step.to;
    }
    most
}

fn any_body() -> impl Strategy<Value = Option<TracedBody>> {
    let corner = || [-1.0_f32..1.0, -1.0_f32..1.0];
    prop_oneof![
        1 => Just(None),
        2 => (corner(), 0.05_f32..1.0).prop_map(|(center, radius)| Some(TracedBody::Disc { center, radius })),
        1 => (0.05_f32..1.0).prop_map(disc),
        4 => (0.2_f32..4.0, 0.2_f32..1.5).prop_map(|(length, width)| rectangle(length, width)),
        3 => prop::collection::vec(corner(), 3..6).prop_map(|corners| Some(TracedBody::Polygon { corners })),
    ]
}

/// Trajectories of one to three stretches: straight on, curved, or on the spot, forwards and backwards.
fn any_trajectories() -> impl Strategy<Value = Vec<Trajectory>> {
    let length = || prop_oneof![1 => Just(0.0_f32), 4 => -2.0_f32..4.0];
    let turn = || prop_oneof![1 => Just(0.0_f32), 1 => Just(FRAC_PI_2), 4 => -3.0_f32..3.0, 1 => -9.0_f32..9.0];
    let stretches = prop::collection::vec((0.2_f32..1.0, length(), turn()), 1..4);
    let one = stretches.prop_map(|stretches| {
        let sum: f32 = stretches.iter().map(|(share, ..)| share).sum();
        trajectory(&stretches.iter().map(|(share, length, turn)| [share / sum, *length, *turn]).collect::<Vec<_>>())
    });
    prop::collection::vec(one, 4)
}

type Drive = (u32, u32, Option<u32>, [f32; 2], f32, bool);

/// An agent that drives along some of `trajectories`: most moves end where the trajectory does, others anywhere.
fn driver(trajectories: &[Trajectory], body: Option<TracedBody>, start: TracedPlace, drives: &[Drive]) -> TracedAgent {
    let (mut here, mut now) = (start, 0);
    let moves: Vec<TracedMove> = drives
        .iter()
        .map(|(pause, ticks, trajectory, to, heading, leaps)| {
            let depart = now + pause;
            now = depart + ticks;
            let mut to = place(*to, *heading);
            if let (Some(trajectory), false) = (trajectory, leaps) {
                let position = [here.position[0], here.position[1]].map(f64::from);
                let (position, heading) =
                    along(&trajectories[*trajectory as usize], position, f64::from(here.heading), 1.0);
                #[allow(clippy::cast_possible_truncation)] // as places are
                let rounded = place(position.map(|c| c as f32), heading as f32);
                to = rounded;
            }
            here = to;
            TracedMove { trajectory: *trajectory, ..TracedMove::new(depart, now, to) }
        })
        .collect();
    agent(body, start, &moves)
}

pub(super) fn any_pair(field: f32) -> impl Strategy<Value = (Vec<Trajectory>, [TracedAgent; 2])> {
    let there = move || [-field..field, -field..field];
    let heading = || prop_oneof![1 => Just(0.0_f32), 1 => Just(FRAC_PI_4), 4 => -4.0_f32..4.0];
    let trajectory = prop::option::weighted(0.8, 0..4_u32);
    let drive = (0..2_u32, 1..5_u32, trajectory, there(), heading(), prop::bool::weighted(0.1));
    let one = move || (any_body(), there(), heading(), prop::collection::vec(drive.clone(), 0..4));
    (any_trajectories(), [one(), one()]).prop_map(|(trajectories, agents)| {
        let agents =
            agents.map(|(body, start, heading, drives)| driver(&trajectories, body, place(start, heading), &drives));
        (trajectories, agents)
    })
}

/// Checks that the checker tells what a sampler sees of `agents`.
fn agrees(trajectories: &[Trajectory], agents: [&TracedAgent; 2], tolerance: f32) -> Result<bool, TestCaseError> {
    let found = check(trajectories, agents, tolerance);
    let tolerance = f64::from(tolerance);
    let at = |time: f64| depth_at(trajectories, agents, time);
    let end = agents.iter().flat_map(|agent| &agent.moves).map(|step| step.arrive).max().unwrap_or(0) + 1;
    let deep = (0..60 * end)
        .map(|sample| f64::from(sample) / 60.0)
        .find(|time| at(*time).is_some_and(|d| d > tolerance + 1e-3));
    let Some(overlap) = found.first() else {
        prop_assert!(deep.is_none(), "not named: {deep:?} {:?}", deep.map(at));
        return Ok(false);
    };
    prop_assert!(deep.is_none_or(|time| overlap.tick <= time), "named late: {overlap:?} {deep:?}");
    // It is as deep as that, where it is said to be so.
    let speed = fastest(trajectories, agents[0]) + fastest(trajectories, agents[1]);
    let error = 1e-5 + 2e-6 * speed;
    let first = at(overlap.tick + 1e-7).unwrap_or(f64::NEG_INFINITY);
    prop_assert!(first > tolerance - error, "not so deep: {overlap:?} {first}");
    // Along the stretch, in steps that no gap hides in.
    let (mut time, mut deepest, mut deepest_at, mut unbroken) = (overlap.tick + 1e-7, first, overlap.tick, true);
    let mut certain = first;
    while time < f64::from(end) {
        let Some(depth) = at(time) else { break };
        unbroken &= depth > tolerance - error || time < overlap.tick + 1e-6;
        if depth < tolerance - 2e-4 - error {
            break;
        }
        if depth <= tolerance {
            unbroken = false;
        }
        if depth > deepest {
            (deepest, deepest_at) = (depth, time);
        }
        if unbroken {
            certain = certain.max(depth);
        }
        // Fast ones part and meet again within few ticks, so the shortest step is one of way, not of time.
        let shortest = (2e-4 / speed.max(1e-3)).min(2e-4);
        let next = time + ((depth - tolerance).min(0.02) / speed.max(1e-3)).clamp(shortest, 0.01);
        // A heading may leap at a whole tick: then nothing after the tick tells of what was deepest just before it.
        let before = next.floor() - 1e-9;
        if let Some(depth) = at(before).filter(|depth| before > time && *depth > deepest) {
            (deepest, deepest_at) = (depth, before);
        }
        time = next;
    }
    let named = f64::from(overlap.depth);
    prop_assert!(named >= certain - 1.1e-4, "deeper: {overlap:?} {certain}");
    for sample in -500..=500 {
        let depth = at(deepest_at + f64::from(sample) * 2e-5).unwrap_or(deepest);
        deepest = deepest.max(depth);
    }
    prop_assert!(named <= deepest + 0.01 + 1e-4 * speed, "not that deep: {overlap:?} {deepest}");
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(3000) })]
    #[test]
    fn samples_agree(
        (trajectories, [a, b]) in any_pair(4.0),
        tolerance in prop::sample::select(vec![0.0_f32, 1e-3, 0.05, 0.3]),
    ) {
        if a.body.is_some() || b.body.is_some() {
            agrees(&trajectories, [&a, &b], tolerance)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1000) })]
    #[test]
    fn planted_overlaps_are_found(
        (trajectories, [a, b]) in any_pair(200.0),
        time in 0.0_f64..10.0,
        apart in 0.9_f64..1.01,
    ) {
        // The second is moved as a whole so that the two only just touch, or nearly do: from the right.
        let [Some(p), Some(q)] = [&a, &b].map(|agent| pose(&trajectories, agent, time)) else { panic!("always there") };
        let [(first, around), (second, other)] = [placed(a.body.as_ref(), p), placed(b.body.as_ref(), q)];
        let right = first.iter().fold([f64::NEG_INFINITY; 2], |best, corner| if corner[0] > best[0] { *corner } else { best });
        let left = second.iter().fold([f64::INFINITY; 2], |best, corner| if corner[0] < best[0] { *corner } else { best });
        #[allow(clippy::cast_possible_truncation)] // its rounding is small against the depth
        let shift = [right[0] - left[0] + (around + other) * apart - (1.0 - apart), right[1] - left[1]].map(|c| c as f32);
        let mut b = b;
        for place in std::iter::once(&mut b.start).chain(b.moves.iter_mut().map(|step| &mut step.to)) {
            place.position[0] += shift[0];
            place.position[1] += shift[1];
        }
        prop_assume!(a.body.is_some() || b.body.is_some());
        for agents in [[&a, &b], [&b, &a]] {
            let found = agrees(&trajectories, agents, 1e-3)?;
            prop_assert!(found || depth_at(&trajectories, agents, time).is_none_or(|depth| depth <= 2e-3));
        }
    }

    #[test]
    fn nothing_makes_it_panic(
        trajectories in prop::collection::vec(prop::collection::vec(prop::array::uniform3(any::<f32>()), 0..5), 0..4),
        agents in prop::collection::vec(
            (
                prop::array::uniform2(any::<f32>()),
                prop::collection::vec((0..99_u32, any::<u32>(), [any::<f32>(), any::<f32>()], any::<f32>(), 0..5_u32), 0..4),
            ),
            0..5,
        ),
        tolerance in any::<f32>(),
    ) {
        let trajectories: Vec<Trajectory> = trajectories.iter().map(|stretches| trajectory(stretches)).collect();
        let agents: Vec<TracedAgent> = agents
            .into_iter()
            .map(|(start, moves)| {
                let moves: Vec<TracedMove> =
                    moves.into_iter().map(|(depart, arrive, to, heading, trajectory)| step(depart, arrive, place(to, heading), trajectory)).collect();
                agent(rectangle(3.0, 1.0), place(start, 1.0), &moves)
            })
            .collect();
        let trace = Trace { trajectories, ..Trace::new(1, agents) };
        let found = BodyChecker::new().tolerance(tolerance).check(&trace);
        prop_assert!(found.iter().all(|overlap| overlap.tick.is_finite() && overlap.depth >= 0.0));
    }
}
