//! Enclosures: rows worked out by hand, and a brute-force sampler that measures distances to cells.

use giveway_check::{Enclosure, Excursion};
use giveway_core::{Stretch, Trajectory};

use super::*;

/// Cells of side 1, of which some are ground. All other cells, and all beyond, are not.
struct Cells(Vec<Vec<bool>>);

impl Cells {
    fn new(rows: &[&str]) -> Self {
        Self(rows.iter().map(|row| row.bytes().map(|cell| cell == b'.').collect()).collect())
    }

    fn is_free(&self, x: i32, y: i32) -> bool {
        let at = |index: i32| usize::try_from(index).unwrap_or(usize::MAX);
        self.0.get(at(y)).and_then(|row| row.get(at(x))).copied().unwrap_or(false)
    }

    fn size(&self) -> [i32; 2] {
        [self.0[0].len(), self.0.len()].map(|cells| i32::try_from(cells).unwrap())
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> {
        let [width, height] = self.size();
        (-1..=height).flat_map(move |y| (-1..=width).map(move |x| (x, y)))
    }

    /// A polygon for each cell that is ground, and a wall for each side to a cell that is not.
    fn enclosure(&self) -> Enclosure {
        let free = || self.all().filter(|(x, y)| self.is_free(*x, *y));
        let corners =
            |(x, y): (i32, i32)| [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)].map(|(x, y)| [x as f32, y as f32]);
        let walls = free().flat_map(|cell| {
            let (x, y) = cell;
            let sides = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)];
            let closed = sides.into_iter().enumerate().filter(|(_, (x, y))| !self.is_free(*x, *y));
            closed.map(move |(side, _)| [corners(cell)[side], corners(cell)[(side + 1) % 4]]).collect::<Vec<_>>()
        });
        Enclosure::new(free().map(corners), walls)
    }

    /// How far a point is from the nearest cell that is not ground. Outside, minus the distance from the nearest cell
    /// that is ground.
    fn inside(&self, [x, y]: [f64; 2]) -> f64 {
        let distance = |(left, top): (i32, i32), far: bool| {
            // The cells at the rim stand for all beyond.
            let beyond = |at: f64, cell: i32, count: i32| {
                let low = if far && cell < 0 { f64::NEG_INFINITY } else { f64::from(cell) };
                let high = if far && cell >= count { f64::INFINITY } else { f64::from(cell + 1) };
                (low - at).max(at - high).max(0.0)
            };
            beyond(x, left, self.size()[0]).hypot(beyond(y, top, self.size()[1]))
        };
        let nearest = |free: bool| {
            let cells = self.all().filter(|(x, y)| self.is_free(*x, *y) == free);
            cells.map(|cell| distance(cell, !free)).fold(f64::INFINITY, f64::min)
        };
        let outside = nearest(true);
        if outside > 0.0 { -outside } else { nearest(false) }
    }
}

/// A room of 6 by 6 with a pillar of 2 by 2 in the middle.
fn room() -> Cells {
    Cells::new(&["......", "......", "..##..", "..##..", "......", "......"])
}

fn excursions(cells: &Cells, agents: &[TracedAgent], tolerance: f32) -> Vec<Excursion> {
    let trace = Trace::new(1, agents.to_vec());
    BodyChecker::new().tolerance(tolerance).check_enclosure(&trace, &cells.enclosure())
}

#[track_caller]
fn assert_inside(agent: &TracedAgent) {
    for tolerance in [0.0, 1e-3] {
        assert_eq!(excursions(&room(), std::slice::from_ref(agent), tolerance), []);
    }
}

#[track_caller]
fn assert_outside(agent: &TracedAgent, tick: f64, depth: f32) {
    let found = excursions(&room(), std::slice::from_ref(agent), 1e-3);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].tick - tick).abs() < 1e-5, "at {}, not {tick}", found[0].tick);
    assert!((found[0].depth - depth).abs() < 2e-4, "by {}, not {depth}", found[0].depth);
}

fn walks(body: Option<TracedBody>, way: &[[f32; 2]]) -> TracedAgent {
    let moves: Vec<TracedMove> = (0..).zip(&way[1..]).map(|(tick, to)| step(tick * 10, tick * 10 + 10, *to)).collect();
    agent(body, way[0], &moves)
}

#[test]
fn agents_may_touch_walls() {
    // Around the pillar and along the outer walls, exactly.
    assert_inside(&walks(disc(1.0), &[[1.0, 1.0], [5.0, 1.0], [5.0, 5.0], [1.0, 5.0], [1.0, 1.0]]));
    assert_inside(&walks(None, &[[2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0], [2.0, 0.0], [0.0, 0.0], [0.0, 6.0]]));
    assert_inside(&walks(square(-0.5, 0.5), &[[0.5, 0.5], [0.5, 5.5], [1.5, 5.5], [1.5, 0.5], [5.5, 0.5]]));
    // Over the tip of the pillar.
    assert_inside(&walks(None, &[[1.0, 3.0], [3.0, 1.0]]));
    let away = 0.5_f32.sqrt() / 2.0;
    assert_inside(&walks(disc(0.499), &[[1.0 - away, 3.0 - away], [3.0 - away, 1.0 - away]]));
    // It vanishes before it comes to the wall, and leaps over the pillar.
    assert_inside(&TracedAgent { vanishes: Some(4), ..walks(disc(1.0), &[[1.0, 1.0], [11.0, 1.0]]) });
    assert_inside(&agent(disc(1.0), [1.0, 3.0], &[step(3, 3, [5.0, 3.0])]));
}

#[test]
fn who_crosses_a_wall_is_outside() {
    // By a hundredth: 1.01 too far down in ten ticks.
    assert_outside(&walks(disc(1.0), &[[1.0, 1.0], [1.0, 0.99]]), 1.0, 0.01);
    assert_outside(&walks(square(-1.0, 1.0), &[[1.0, 1.0], [1.0, 0.99]]), 1.0, 0.01);
    assert_outside(&walks(None, &[[1.0, 0.0], [1.0, -0.01]]), 1.0, 0.01);
    // Into the pillar, and through it.
    assert_outside(&walks(None, &[[1.0, 3.0], [2.01, 3.0]]), 10.0 * 1.001 / 1.01, 0.01);
    assert_outside(&walks(None, &[[0.0, 3.0], [6.0, 3.0]]), 10.0 * 2.001 / 6.0, 1.0);
    assert_outside(&walks(disc(0.5), &[[0.5, 3.0], [5.5, 3.0]]), 10.0 * 1.001 / 5.0, 1.5);
    assert_outside(&walks(disc(0.5), &[[1.0, 3.0], [9.0, 3.0]]), 10.0 * 0.501 / 8.0, 1.5);
    // Far out, and what comes after does not matter.
    assert_outside(&walks(disc(0.5), &[[5.0, 1.0], [15.0, 1.0], [1.0, 1.0]]), 0.501, 9.5);
    assert_outside(&walks(None, &[[5.0, 1.0], [15.0, 1.0], [5.0, 1.0], [5.0, -40.0]]), 1.001, 9.0);
}

#[test]
fn a_tip_is_cut() {
    // A point crosses the tip of the pillar from (1.9, 2.1) to (2.1, 1.9): no, it touches it. Then deeper by 0.1 in
    // both directions.
    assert_inside(&walks(None, &[[1.9, 2.1], [2.1, 1.9]]));
    assert_outside(&walks(None, &[[1.9, 2.3], [2.3, 1.9]]), 2.5 + 10.0 * 0.001 / 0.4, 0.1);
    // A disc in two places that are fine, and the tip of the pillar between them: 0.3 is 0.424 from the way over (1.7,
    // 2) and (2, 1.7).
    let (from, to) = ([1.5, 2.2], [2.2, 1.5]);
    let away = (2.0 - 1.85) * 2.0_f32.sqrt();
    assert_inside(&walks(disc(away - 1e-3), &[from, to]));
    let found = excursions(&room(), &[walks(disc(0.3), &[from, to])], 1e-3);
    assert!((found[0].depth - (0.3 - away)).abs() < 1e-4, "{found:?} {away}");
    assert_eq!(found[0].point.map(|c| (c * 100.0).round() / 100.0), [2.0, 2.0]);
    for stands in [from, to] {
        assert_inside(&walks(disc(0.3), &[stands, stands]));
    }
}

#[test]
fn who_never_was_inside_is_outside() {
    for (body, at, depth) in [
        (None, [-3.0, 10.0], 5.0),
        (disc(0.5), [-3.0, 10.0], 5.5),
        (disc(1e-4), [3.0, 3.0], 1.0001),
        (disc(0.5), [3.0, 3.0], 1.5),
        // Larger than the pillar, and than the room: how far it would have to move from a wall.
        (disc(1.5), [3.0, 3.0], 2.5),
        (square(-0.25, 0.25), [3.0, 8.0], 2.25),
    ] {
        assert_outside(&agent(body, at, &[]), 0.0, depth);
    }
    // It appears later, or leaps there.
    let late = TracedAgent { appears: 7, ..agent(disc(0.5), [3.0, 3.0], &[]) };
    assert_outside(&late, 7.0, 1.5);
    assert_outside(&agent(disc(0.5), [1.0, 3.0], &[step(4, 4, [3.0, 3.0]), step(9, 9, [5.0, 3.0])]), 4.0, 1.5);
    assert_outside(&agent(None, [1.0, 3.0], &[step(4, 4, [3.0, 2.5]), step(9, 9, [5.0, 3.0])]), 4.0, 0.5);
    assert_inside(&agent(None, [f32::NAN; 2], &[]));
    // A disc that stands across the outer wall, with its middle inside or outside.
    assert_outside(&agent(disc(0.5), [0.25, 3.0], &[]), 0.0, 0.25);
    assert_outside(&agent(disc(0.5), [-0.25, 3.0], &[]), 0.0, 0.75);
}

#[test]
fn agents_are_named_once_by_time() {
    let agents = [
        walks(disc(0.5), &[[1.0, 1.0], [-9.0, 1.0], [1.0, 1.0], [-9.0, 1.0]]),
        walks(None, &[[1.0, 1.0], [5.0, 1.0]]),
        walks(None, &[[1.0, 1.0], [-99.0, 1.0]]),
        agent(disc(2.0), [-9.0, 0.0], &[]),
    ];
    let named = |most: usize| {
        let trace = Trace::new(1, agents.to_vec());
        let found = BodyChecker::new().at_most(most).check_enclosure(&trace, &room().enclosure());
        found.iter().map(|excursion| excursion.agent.0).collect::<Vec<_>>()
    };
    assert_eq!(named(usize::MAX), [3, 2, 0]);
    assert_eq!(named(2), [3, 2]);
    assert_eq!(named(0), []);
    let nothing = Enclosure::new(Vec::<[[f32; 2]; 3]>::new(), []);
    assert_eq!(BodyChecker::new().check_enclosure(&Trace::new(1, agents.to_vec()), &nothing).len(), 4);
    let excursion = Excursion { agent: AgentId(3), tick: 4.5, depth: 0.25, point: [0.0; 2] };
    assert_eq!(excursion.to_string(), "agent 3 is 0.25 outside from tick 4.5 on");
}

/// On a circle of radius 2 around the pillar's middle, which is 1.41 from its tips, and 3 from the outer walls.
#[test]
fn curves_are_followed() {
    use std::f32::consts::{FRAC_PI_2, TAU};
    let circle = |body, radius: f32| {
        let start = TracedPlace { heading: FRAC_PI_2, ..place([3.0 + radius, 3.0]) };
        let moves = vec![TracedMove { trajectory: Some(0), ..TracedMove::new(0, 80, start) }];
        let round = Trajectory::new(vec![Stretch { share: 1.0, length: TAU * radius, turn: TAU }]);
        let agent = TracedAgent { body, ..TracedAgent::new(start, vec![], moves) };
        let trace = Trace { trajectories: vec![round], ..Trace::new(1, vec![agent]) };
        BodyChecker::new().check_enclosure(&trace, &room().enclosure())
    };
    for (body, radius) in
        [(None, 2.0), (None, 3.0), (None, 1.415), (disc(0.58), 2.0), (disc(0.99), 2.0 + 0.41), (square(-0.3, 0.3), 2.2)]
    {
        let found = circle(body.clone(), radius);
        let fits = radius
            + match body {
                Some(TracedBody::Disc { radius, .. }) => radius,
                _ => 0.0,
            }
            <= 3.001;
        assert_eq!(found.is_empty(), fits, "{body:?} {radius}: {found:?}");
    }
    // A point enters the pillar near its tips, and comes out again; it is deepest on the diagonal.
    let found = circle(None, 1.2);
    let angle = (0.999_f64 / 1.2).acos();
    assert!((found[0].tick - 80.0 * angle / f64::from(TAU)).abs() < 1e-5, "{found:?}");
    assert!((found[0].depth - (1.0 - 1.2 * 0.5_f32.sqrt())).abs() < 2e-4, "{found:?}");
    // A disc scrapes the tips.
    let found = circle(disc(0.6), 2.0);
    assert!((found[0].depth - (0.6 - (2.0 - 2.0_f32.sqrt()))).abs() < 2e-4, "{found:?}");
}

#[test]
fn large_enclosures_take_near_linear_time() {
    let cells = Cells((0..200).map(|y| (0..200).map(|x| x % 4 != 0 || y % 4 != 0).collect()).collect());
    let mut agents: Vec<TracedAgent> = (0..100_u16)
        .map(|lane| {
            let way: Vec<[f32; 2]> =
                (0..500_u16).map(|tick| [1.5 + f32::from(tick % 190), 2.5 + f32::from(lane / 2 % 48 * 4)]).collect();
            walks(if lane % 2 == 0 { None } else { disc(0.25) }, &way)
        })
        .collect();
    let enclosure = cells.enclosure();
    let found = BodyChecker::new().check_enclosure(&Trace::new(1, agents.clone()), &enclosure);
    assert!(found.is_empty(), "{found:?}");
    agents[7].moves.push(step(6000, 6001, [4.5, 4.5]));
    agents.push(agent(disc(900.0), [9.0, 9.0], &[]));
    let found = BodyChecker::new().check_enclosure(&Trace::new(1, agents), &enclosure);
    assert_eq!(found.iter().map(|excursion| excursion.agent.0).collect::<Vec<_>>(), [100, 7]);
}

/// Where an agent without trajectories is.
fn position(agent: &TracedAgent, time: f64) -> [f64; 2] {
    let at = |place: &TracedPlace| [0, 1].map(|axis| f64::from(place.position[axis]));
    let mut here = at(&agent.start);
    for step in &agent.moves {
        let (depart, arrive, to) = (f64::from(step.depart), f64::from(step.arrive), at(&step.to));
        if time < depart {
            break;
        }
        if time < arrive {
            let part = (time - depart) / (arrive - depart);
            return [0, 1].map(|axis| here[axis] * (1.0 - part) + to[axis] * part);
        }
        here = to;
    }
    here
}

fn any_way() -> impl Strategy<Value = TracedAgent> {
    let body = prop_oneof![
        2 => Just(None),
        3 => prop::sample::select(vec![0.125_f32, 0.25, 0.375, 0.5, 0.9]).prop_map(disc),
        1 => Just(square(-0.25, 0.25)),
    ];
    // Quarters touch exactly; a bit beside them they do not.
    let side = || {
        (-2_i16..24, prop::sample::select(vec![0.0_f32, 0.0, 0.0, 0.01, -0.01, 0.1]))
            .prop_map(|(c, aside)| f32::from(c) / 4.0 + aside)
    };
    (body, [side(), side()], prop::collection::vec((0_u32..3, 0_u32..4, [side(), side()]), 0..5)).prop_map(
        |(body, start, moves)| {
            let mut now = 0;
            let moves: Vec<TracedMove> = moves
                .into_iter()
                .map(|(rest, ticks, to)| {
                    let depart = now + rest;
                    now = depart + ticks;
                    step(depart, now, to)
                })
                .collect();
            agent(body, start, &moves)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn samples_agree(
        rows in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.75), 5), 5),
        ways in prop::collection::vec(any_way(), 1..4),
        tolerance in prop::sample::select(vec![0.0_f32, 1e-3, 0.05, 0.3]),
    ) {
        const SAMPLES: u32 = 64;
        prop_assume!(rows.iter().flatten().any(|is_free| *is_free));
        let cells = Cells(rows);
        let found = excursions(&cells, &ways, tolerance);
        prop_assert!(found.is_sorted_by(|a, b| (a.tick, a.agent) < (b.tick, b.agent)));
        let (tolerance, error) = (f64::from(tolerance), 1e-3);
        for (id, way) in ways.iter().enumerate() {
            // Of a square, how deep the discs within it and around it are.
            let reaches = |time: f64| {
                let [x, y] = position(way, time);
                match &way.body {
                    None => [-cells.inside([x, y]); 2],
                    Some(TracedBody::Disc { radius, .. }) => [f64::from(*radius) - cells.inside([x, y]); 2],
                    Some(TracedBody::Polygon { .. }) => {
                        [0.25, 0.25 * 2.0_f64.sqrt()].map(|radius| radius - cells.inside([x, y]))
                    }
                }
            };
            let end = way.moves.last().map_or(0, |step| step.arrive) + 1;
            let samples = (0..end * SAMPLES).map(|sample| f64::from(sample) / f64::from(SAMPLES));
            let deep = samples.clone().find(|time| reaches(*time)[0] > tolerance + error);
            let named: Vec<&Excursion> = found.iter().filter(|excursion| excursion.agent.index() == id).collect();
            let Some(excursion) = named.first() else {
                prop_assert!(deep.is_none(), "not named: {id} {deep:?}");
                continue;
            };
            prop_assert_eq!(named.len(), 1);
            prop_assert!(deep.is_none_or(|time| excursion.tick <= time + 1e-6), "named late: {excursion:?} {deep:?}");
            let first = reaches(excursion.tick + 1e-7);
            prop_assert!(first[1] > tolerance - 1e-4, "not so deep: {excursion:?} {first:?}");
            let at = position(way, excursion.tick + 1e-7);
            if matches!(way.body, Some(TracedBody::Polygon { .. })) && cells.inside(at) > 0.0 {
                let shared = |at: f64, cell: i32| (at + 0.25).min(f64::from(cell) + 1.0) - (at - 0.25).max(f64::from(cell));
                let mut closed = cells.all().filter(|(x, y)| !cells.is_free(*x, *y));
                let is_in = closed.any(|(x, y)| shared(at[0], x).min(shared(at[1], y)) > tolerance - 1e-4);
                prop_assert!(is_in, "in no cell: {excursion:?}");
            }
            // No agent goes faster than 10 in a tick.
            let hidden = 10.0 / f64::from(SAMPLES);
            let (depth, greatest) = (f64::from(excursion.depth), samples.clone().map(|time| reaches(time)[1]).fold(first[1], f64::max));
            prop_assert!(depth >= first[0] - error && depth <= greatest + hidden, "{excursion:?} {first:?} {greatest}");
            if way.body.is_none() {
                let stretch = samples.skip_while(|time| *time < excursion.tick).map(|time| reaches(time)[0]);
                let deepest = stretch.take_while(|depth| *depth > tolerance + hidden).fold(first[0], f64::max);
                prop_assert!(depth > deepest - error, "deeper: {excursion:?} {deepest}");
            }
        }
    }

    #[test]
    fn nothing_makes_it_panic(
        polygons in prop::collection::vec(prop::collection::vec(prop::array::uniform2(any::<f32>()), 0..5), 0..5),
        walls in prop::collection::vec(prop::array::uniform2(prop::array::uniform2(any::<f32>())), 0..5),
        body in prop::option::of((prop::array::uniform2(any::<f32>()), any::<f32>())),
        start in prop::array::uniform2(any::<f32>()),
        moves in prop::collection::vec((any::<u32>(), any::<u32>(), prop::array::uniform2(any::<f32>()), any::<f32>()), 0..4),
        stretches in prop::collection::vec(prop::array::uniform3(any::<f32>()), 0..3),
        tolerance in any::<f32>(),
    ) {
        let body = body.map(|(center, radius)| TracedBody::Disc { center, radius });
        let moves = moves.into_iter().map(|(depart, arrive, to, heading)| TracedMove {
            trajectory: (heading > 0.0).then_some(0),
            ..TracedMove::new(depart, arrive, TracedPlace { heading, ..place(to) })
        });
        let agent = TracedAgent { body, ..TracedAgent::new(place(start), vec![], moves.collect()) };
        let stretches = stretches.into_iter().map(|[share, length, turn]| Stretch { share, length, turn }).collect();
        let trace = Trace { trajectories: vec![Trajectory::new(stretches)], ..Trace::new(1, vec![agent]) };
        let found = BodyChecker::new().tolerance(tolerance).check_enclosure(&trace, &Enclosure::new(polygons, walls));
        prop_assert!(found.iter().all(|excursion| excursion.tick.is_finite() && excursion.depth >= 0.0), "{found:?}");
    }
}
