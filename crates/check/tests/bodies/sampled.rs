//! Random agents against a brute-force sampler, and planted overlaps.

use super::*;

/// Across all lines through two corners, both ways.
fn normals(body: Option<&TracedBody>) -> Vec<[f64; 2]> {
    let Some(TracedBody::Polygon { corners }) = body else { return Vec::new() };
    let lines = corners.iter().flat_map(|a| corners.iter().map(|b| [b[0] - a[0], b[1] - a[1]].map(f64::from)));
    let normals = lines.map(|[x, y]| [-y / x.hypot(y), x / x.hypot(y)]);
    normals.filter(|[x, _]| !x.is_nan()).collect()
}

/// How deep the two are in each other, or a very little more: the least of many directions.
fn depth(a: Option<&TracedBody>, b: Option<&TracedBody>, [x, y]: [f64; 2]) -> f64 {
    let reach = |body: Option<&TracedBody>, [x, y]: [f64; 2]| match body {
        None => 0.0,
        Some(TracedBody::Disc { center: [p, q], radius }) => x * f64::from(*p) + y * f64::from(*q) + f64::from(*radius),
        Some(TracedBody::Polygon { corners }) => {
            corners.iter().map(|[p, q]| x * f64::from(*p) + y * f64::from(*q)).fold(f64::NEG_INFINITY, f64::max)
        }
    };
    let around = (0..400).map(|turn| (f64::from(turn) * std::f64::consts::TAU / 400.0).sin_cos().into());
    let directions = around.chain(normals(a)).chain(normals(b));
    let depths = directions.map(|[p, q]| reach(a, [p, q]) + reach(b, [-p, -q]) - (x * p + y * q));
    depths.fold(f64::INFINITY, f64::min)
}

/// Where a sensible agent is at `time`.
fn position(agent: &TracedAgent, time: f64) -> Option<[f64; 2]> {
    if time < agent.appears.into() || agent.vanishes.is_some_and(|tick| time >= tick.into()) {
        return None;
    }
    let plane = |place: TracedPlace| [place.position[0], place.position[1]].map(f64::from);
    let mut at = plane(agent.start);
    for step in &agent.moves {
        if time < step.depart.into() {
            break;
        }
        let to = plane(step.to);
        if time < step.arrive.into() {
            let done = (time - f64::from(step.depart)) / f64::from(step.arrive - step.depart);
            return Some([at[0] + (to[0] - at[0]) * done, at[1] + (to[1] - at[1]) * done]);
        }
        at = to;
    }
    Some(at)
}

pub(super) fn depth_at(a: &TracedAgent, b: &TracedAgent, time: f64) -> Option<f64> {
    let ([p, q], [r, s]) = (position(a, time)?, position(b, time)?);
    Some(depth(a.body.as_ref(), b.body.as_ref(), [r - p, s - q]))
}

fn any_body() -> impl Strategy<Value = Option<TracedBody>> {
    let corner = || [-1.0_f32..1.0, -1.0_f32..1.0];
    let size = prop::sample::select(vec![0.3_f32, 1.0, 1.0, 3.0]);
    prop_oneof![
        1 => Just(None),
        4 => (corner(), 0.05_f32..1.5).prop_map(|(center, radius)| Some(TracedBody::Disc { center, radius })),
        6 => (prop::collection::vec(corner(), 3..8), size).prop_map(|(corners, size)| {
            Some(TracedBody::Polygon { corners: corners.into_iter().map(|corner| corner.map(|c| c * size)).collect() })
        }),
        2 => Just(square(-0.5, 0.5)),
    ]
}

/// An agent that makes `moves` moves, of 0 to 3 ticks, with pauses of 0 to 2, in a field as wide as `field`.
pub(super) fn any_agent(moves: usize, field: f32) -> impl Strategy<Value = TracedAgent> {
    let there = move || [-field..field, -field..field];
    let moves = prop::collection::vec((0..3_u32, 0..4_u32, there()), 0..=moves);
    (any_body(), there(), 0..3_u32, moves, prop::option::weighted(0.3, 3..20_u32)).prop_map(
        |(body, start, appears, moves, vanishes)| {
            let mut now = appears;
            let moves: Vec<TracedMove> = moves
                .into_iter()
                .map(|(pause, ticks, to)| {
                    let depart = now + pause;
                    now = depart + ticks;
                    step(depart, now, to)
                })
                .collect();
            TracedAgent { appears, vanishes, ..agent(body, start, &moves) }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn samples_agree(agents in prop::collection::vec(any_agent(5, 4.0), 2..6), tolerance in prop::sample::select(vec![0.0_f32, 0.05, 0.5])) {
        const SAMPLES: u32 = 50;
        let error = 2e-3;
        // The fastest agents go 12 in a tick each: less deep than this, a break may hide between two samples.
        let hidden = 24.0 / f64::from(SAMPLES);
        let found = BodyChecker::new().tolerance(tolerance).check(&Trace::new(1, agents.clone()));
        prop_assert!(found.is_sorted_by(|a, b| (a.tick, a.agents) < (b.tick, b.agents)));
        let tolerance = f64::from(tolerance);
        for (i, a) in agents.iter().enumerate() {
            for (j, b) in agents.iter().enumerate().skip(i + 1) {
                if a.body.is_none() && b.body.is_none() {
                    continue;
                }
                let named: Vec<&Overlap> = found.iter().filter(|o| o.agents.map(|id| id.index()) == [i, j]).collect();
                let samples: Vec<(f64, f64)> = (0..30 * SAMPLES)
                    .map(|sample| f64::from(sample) / f64::from(SAMPLES))
                    .filter_map(|time| Some((time, depth_at(a, b, time)?)))
                    .collect();
                let deep = samples.iter().find(|(_, depth)| *depth > tolerance + error);
                let Some(overlap) = named.first() else {
                    prop_assert!(deep.is_none(), "{i} {j}: {deep:?}");
                    continue;
                };
                prop_assert_eq!(named.len(), 1);
                prop_assert!(deep.is_none_or(|(time, _)| *time >= overlap.tick - 1e-6), "{i} {j}: {deep:?} {overlap:?}");
                let at_first = depth_at(a, b, overlap.tick + 1e-7);
                prop_assert!(at_first.is_some_and(|depth| depth > tolerance - 1e-5), "{overlap:?} {at_first:?}");
                // What is deep without a break from the first time on.
                let stretch: Vec<f64> = samples
                    .iter()
                    .skip_while(|(time, _)| *time < overlap.tick)
                    .map(|(_, depth)| *depth)
                    .take_while(|depth| *depth > tolerance + error + hidden)
                    .collect();
                let deepest = stretch.iter().copied().fold(at_first.unwrap_or(0.0), f64::max);
                prop_assert!(f64::from(overlap.depth) > tolerance - 1e-6);
                prop_assert!(f64::from(overlap.depth) >= deepest - error, "{overlap:?} {deepest}");
                let greatest = samples.iter().map(|(_, depth)| *depth).fold(deepest, f64::max);
                prop_assert!(f64::from(overlap.depth) <= greatest + hidden + error, "{overlap:?} {greatest}");
            }
        }
    }
}

/// A point of a body, as a mean of its corners by `weights`.
fn inside(body: Option<&TracedBody>, weights: [f32; 8]) -> [f32; 2] {
    match body {
        None => [0.0; 2],
        Some(TracedBody::Disc { center: [x, y], radius }) => {
            let (sin, cos) = (weights[0] * 6.3).sin_cos();
            let r = radius * weights[1];
            [x + r * cos, y + r * sin]
        }
        Some(TracedBody::Polygon { corners }) => {
            let sum: f32 = corners.iter().zip(weights).map(|(_, weight)| weight).sum();
            let mean =
                |axis: usize| corners.iter().zip(weights).map(|(corner, weight)| corner[axis] * weight / sum).sum();
            [mean(0), mean(1)]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(2000) })]
    #[test]
    fn planted_overlaps_are_found(
        a in any_agent(4, 300.0),
        b in any_agent(4, 300.0),
        time in 2.0_f64..14.0,
        weights in prop::array::uniform2(prop::array::uniform8(0.01_f32..1.0)),
    ) {
        let (Some([p, q]), Some([r, s])) = (position(&a, time), position(&b, time)) else {
            return Err(TestCaseError::reject("not there"));
        };
        // The second is moved as a whole, so that the two have a point in common.
        let [on_a, on_b] = [(&a, weights[0]), (&b, weights[1])].map(|(agent, weights)| inside(agent.body.as_ref(), weights).map(f64::from));
        let shift = [p + on_a[0] - r - on_b[0], q + on_a[1] - s - on_b[1]];
        let mut b = b;
        let places = std::iter::once(&mut b.start).chain(b.moves.iter_mut().map(|step| &mut step.to));
        for place in places {
            for (c, shift) in place.position.iter_mut().zip(shift) {
                #[allow(clippy::cast_possible_truncation)] // its rounding is small against the depth
                let shift = shift as f32;
                *c += shift;
            }
        }
        let planted = depth_at(&a, &b, time).filter(|depth| *depth > 2e-3);
        prop_assume!(planted.is_some());
        for agents in [[&a, &b], [&b, &a]] {
            let found = BodyChecker::new().check(&Trace::new(1, agents.map(Clone::clone).to_vec()));
            prop_assert_eq!(found.len(), 1);
            prop_assert!(found[0].tick <= time);
        }
    }

    #[test]
    fn nothing_makes_it_panic(
        agents in prop::collection::vec(
            (
                prop::option::of((prop::collection::vec(prop::array::uniform2(any::<f32>()), 0..5), any::<f32>(), any::<bool>())),
                prop::array::uniform3(any::<f32>()),
                prop::collection::vec((any::<u32>(), any::<u32>(), prop::array::uniform3(any::<f32>())), 0..4),
                prop::option::of(any::<u32>()),
            ),
            0..6,
        ),
        tolerance in any::<f32>(),
        most in prop::option::of(0_usize..4),
    ) {
        let at = |position| TracedPlace::new(0, position);
        let agents = agents.into_iter().map(|(body, start, moves, vanishes)| TracedAgent {
            vanishes,
            body: body.map(|(corners, radius, round)| match corners.first() {
                Some(center) if round => TracedBody::Disc { center: *center, radius },
                _ => TracedBody::Polygon { corners },
            }),
            ..TracedAgent::new(at(start), vec![], moves.into_iter().map(|(depart, arrive, to)| TracedMove::new(depart, arrive, at(to))).collect())
        });
        let found = BodyChecker::new().tolerance(tolerance).at_most(most.unwrap_or(usize::MAX)).check(&Trace::new(1, agents.collect()));
        prop_assert!(found.iter().all(|overlap| overlap.tick.is_finite() && overlap.depth >= 0.0));
    }
}
