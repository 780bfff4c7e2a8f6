//! Walls: rows worked out by hand, and a brute-force sampler.

use giveway_check::{Wall, WallOverlap};

use super::sampled::{any_agent, depth_at};
use super::*;

fn check_walls(agents: &[TracedAgent], walls: &[Wall]) -> Vec<WallOverlap> {
    BodyChecker::new().tolerance(0.0).check_walls(&Trace::new(1, agents.to_vec()), walls)
}

/// Checks that the agent is in the wall from `tick` on, by `depth`, first at `point`.
#[track_caller]
fn assert_in(agent: &TracedAgent, wall: &Wall, tick: f64, depth: f32, point: [f32; 2]) {
    let found = check_walls(std::slice::from_ref(agent), std::slice::from_ref(wall));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].agent, found[0].wall), (AgentId(0), 0));
    assert!((found[0].tick - tick).abs() < 1e-6, "at {}, not {tick}", found[0].tick);
    assert!((found[0].depth - depth).abs() < 1e-5, "by {}, not {depth}", found[0].depth);
    let near = found[0].point.iter().zip(point).all(|(c, expected)| (c - expected).abs() < 1e-5);
    assert!(near, "at {:?}, not {point:?}", found[0].point);
}

#[track_caller]
fn assert_beside(agent: &TracedAgent, wall: &Wall) {
    assert_eq!(check_walls(std::slice::from_ref(agent), std::slice::from_ref(wall)), []);
}

/// A row of three cells, with (4, 2) in the middle.
fn row() -> Wall {
    Wall::rectangle([2.5, 1.5], [5.5, 2.5])
}

#[test]
fn agents_may_touch_walls() {
    let unit = || square(-0.5, 0.5);
    assert_beside(&agent(unit(), [0.0, 1.0], &[step(0, 8, [8.0, 1.0])]), &row());
    assert_beside(&agent(unit(), [0.0, 3.0], &[step(0, 8, [8.0, 3.0])]), &row());
    assert_beside(&agent(unit(), [6.0, 0.0], &[step(0, 8, [6.0, 8.0])]), &row());
    assert_beside(&agent(disc(0.5), [0.0, 1.0], &[step(0, 8, [8.0, 1.0])]), &row());
    assert_beside(&agent(None, [0.0, 1.5], &[step(0, 8, [8.0, 1.5])]), &row());
    // A bit lower, they scrape along: from where the square meets the row, in its corner.
    assert_in(&agent(unit(), [0.0, 1.25], &[step(0, 8, [8.0, 1.25])]), &row(), 2.0, 0.25, [2.5, 1.625]);
    assert_in(&agent(None, [0.0, 1.75], &[step(0, 8, [8.0, 1.75])]), &row(), 2.5, 0.25, [2.5, 1.75]);
    assert_in(&agent(disc(0.5), [4.0, 0.0], &[step(0, 8, [4.0, 1.25])]), &row(), 6.4, 0.25, [4.0, 1.5]);
}

#[test]
fn agents_at_rest_stand_in_walls() {
    assert_in(&agent(None, [4.0, 2.25], &[]), &row(), 0.0, 0.25, [4.0, 2.25]);
    assert_in(&agent(disc(0.25), [4.0, 2.25], &[]), &row(), 0.0, 0.5, [4.0, 2.0]);
    assert_in(&agent(square(-0.5, 1.5), [5.0, 2.875], &[]), &row(), 0.0, 0.125, [5.0, 2.375]);
    // The middle of a disc goes along the edge, far from the corners.
    assert_in(&agent(disc(0.5), [3.5, 1.5], &[step(0, 8, [4.5, 1.5])]), &row(), 0.0, 0.5, [3.5, 2.0]);
    // Wider than the row: the middle of that part of the edge where it is.
    assert_in(&agent(square(-9.0, 0.0), [4.5, 1.75], &[]), &row(), 0.0, 0.25, [3.5, 1.75]);
    let appears = TracedAgent { appears: 5, ..agent(disc(0.5), [4.0, 2.25], &[step(7, 9, [4.0, 9.0])]) };
    assert_in(&appears, &row(), 5.0, 0.75, [4.0, 1.75]);
    assert_beside(&TracedAgent { vanishes: Some(0), ..agent(disc(0.5), [4.0, 2.0], &[]) }, &row());
    // A leap over the wall, and one into it.
    assert_beside(&agent(disc(0.5), [4.0, 0.0], &[step(3, 3, [4.0, 4.0])]), &row());
    assert_in(&agent(disc(0.5), [4.0, 0.0], &[step(3, 3, [4.0, 2.75])]), &row(), 3.0, 0.25, [4.0, 2.25]);
}

#[test]
fn the_corner_of_a_wall_pokes_in() {
    // A square on its tip, of half diagonal 1, passes the corner at (2.5, 1.5) on its way to (1.5, 0.5), which it
    // touches.
    let tip = || Some(TracedBody::Polygon { corners: vec![[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]] });
    assert_beside(&agent(tip(), [-2.0, 1.0], &[step(0, 4, [2.0, 1.0])]), &Wall::rectangle([2.5, 1.5], [9.0, 9.0]));
    let along = agent(tip(), [0.0, 1.1], &[step(0, 8, [8.0, 1.1])]);
    // Its side at 45 degrees meets the corner once x + 0.6 = 2.5.
    assert_in(&along, &Wall::rectangle([2.5, 1.5], [9.0, 9.0]), 1.9, 0.6, [2.5, 1.5]);
    // A wall of any shape, and a pillar: the disc meets it at 2 - 0.5 - 0.25.
    let slanted = Wall::new(TracedBody::Polygon { corners: vec![[2.0, 0.0], [4.0, 2.0], [2.0, 2.0]] });
    assert_in(&agent(None, [0.0, 1.0], &[step(0, 8, [8.0, 1.0])]), &slanted, 2.0, 0.5 / 1.207_106_8, [2.0, 1.0]);
    let pillar = Wall::new(TracedBody::Disc { center: [2.0, 0.0], radius: 0.25 });
    assert_in(&agent(disc(0.5), [0.0, 0.0], &[step(0, 2, [1.5, 0.0])]), &pillar, 5.0 / 3.0, 0.25, [1.75, 0.0]);
}

#[test]
fn agents_are_named_once_by_time() {
    let walls = [1.0, 3.0, 5.0].map(|x| Wall::rectangle([x, 0.0], [x + 1.0, 9.0]));
    let walks = |y: f32, from: f32, to: f32| agent(disc(0.25), [from, y], &[step(0, 10, [to, y])]);
    // Through all from the right, through two from the left, past them, and without end in the first.
    let agents = [walks(2.0, 10.0, 0.0), walks(4.0, 2.5, 7.5), walks(-1.0, 0.0, 9.0), walks(6.0, 1.5, 1.5)];
    let named = |most: usize| {
        let checker = BodyChecker::new().at_most(most);
        let found = checker.check_walls(&Trace::new(1, agents.to_vec()), &walls);
        assert!(found.is_sorted_by(|a, b| (a.tick, a.agent) < (b.tick, b.agent)));
        found.iter().map(|overlap| (overlap.agent.0, overlap.wall)).collect::<Vec<_>>()
    };
    assert_eq!(named(usize::MAX), [(3, 0), (1, 1), (0, 2)]);
    assert_eq!(named(2), [(3, 0), (1, 1)]);
    assert_eq!(named(1), [(3, 0)]);
    assert_eq!(named(0), []);
    assert_eq!(check_walls(&agents, &[]), []);
    assert_eq!(check_walls(&[], &walls), []);
    let overlap = WallOverlap { agent: AgentId(3), wall: 7, tick: 4.5, depth: 0.25, point: [0.0; 2] };
    assert_eq!(overlap.to_string(), "agent 3 is 0.25 deep in wall 7 from tick 4.5 on");
}

#[test]
fn walls_stand_for_themselves() {
    // Two that touch, with a point on their border; and one over it.
    let [left, right] = [Wall::rectangle([0.0, 0.0], [2.0, 9.0]), Wall::rectangle([2.0, 0.0], [4.0, 9.0])];
    let on_border = agent(None, [2.0, -3.0], &[step(0, 3, [2.0, 0.0]), step(3, 6, [2.0, 3.0])]);
    assert_eq!(check_walls(std::slice::from_ref(&on_border), &[left.clone(), right.clone()]), []);
    let over = Wall::rectangle([1.0, 0.0], [3.0, 9.0]);
    let found = check_walls(&[on_border], &[left.clone(), right.clone(), over.clone()]);
    assert_eq!((found[0].wall, found[0].tick), (2, 3.0));
    // Deep in all of them together, and in each by its half.
    let found = check_walls(&[agent(None, [1.5, 4.0], &[])], &[left, right]);
    assert!((found[0].depth - 0.5).abs() < 1e-6, "{found:?}");
    assert_eq!(check_walls(&[], &[over.clone(), over]), []);
}

#[test]
fn the_tolerance_is_of_walls_too() {
    let scrapes = agent(disc(0.5), [4.0, 0.0], &[step(0, 8, [4.0, 1.25])]);
    let found = |tolerance: f32| {
        let found =
            BodyChecker::new().tolerance(tolerance).check_walls(&Trace::new(1, vec![scrapes.clone()]), &[row()]);
        found.first().map(|overlap| (overlap.tick * 1e3).round())
    };
    assert_eq!(
        [0.0, 0.125, 0.249, 0.251, f32::INFINITY].map(found),
        [Some(6400.0), Some(7200.0), Some(7994.0), None, None]
    );
}

#[test]
fn walls_that_make_no_sense_are_not_there() {
    let stands = agent(disc(1.0), [0.0, 0.0], &[]);
    for nowhere in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_beside(&stands, &Wall::rectangle([-1.0, -1.0], [1.0, nowhere]));
        assert_beside(&stands, &Wall::new(TracedBody::Disc { center: [0.0; 2], radius: nowhere }));
    }
    assert_beside(&stands, &Wall::new(TracedBody::Disc { center: [0.0; 2], radius: -1.0 }));
    assert_beside(&stands, &Wall::new(TracedBody::Polygon { corners: vec![] }));
    // Neither do they change the numbers of others.
    let walls = [Wall::rectangle([f32::NAN; 2], [1.0; 2]), Wall::rectangle([0.0; 2], [-1.0; 2])];
    assert_eq!(check_walls(std::slice::from_ref(&stands), &walls)[0].wall, 1);
    // All beyond a line, as far as numbers reach, is as exact as a small wall.
    let beyond = Wall::rectangle([8.5, f32::MIN], [f32::MAX; 2]);
    assert_beside(&agent(disc(0.5), [0.0, 0.0], &[step(0, 8, [8.0, 0.0])]), &beyond);
    assert_in(&agent(disc(0.5), [0.0, 0.0], &[step(0, 8, [8.25, 0.0])]), &beyond, 8.0 / 8.25 * 8.0, 0.25, [8.5, 0.0]);
    assert_in(
        &agent(square(-0.5, 0.5), [0.0, 0.0], &[step(0, 8, [8.25, 0.0])]),
        &beyond,
        8.0 / 8.25 * 8.0,
        0.25,
        [8.5, 0.0],
    );
    // A wall as large as numbers are, one without extent, and a line.
    assert_eq!(check_walls(std::slice::from_ref(&stands), &[Wall::rectangle([f32::MIN; 2], [f32::MAX; 2])]).len(), 1);
    assert_in(&stands, &Wall::rectangle([0.5, 0.0], [0.5, 0.0]), 0.0, 0.5, [0.5, 0.0]);
    assert_beside(&agent(None, [0.5, 0.0], &[]), &Wall::rectangle([0.5, 0.0], [0.5, 0.0]));
    assert_in(&stands, &Wall::rectangle([0.5, -4.0], [0.5, 4.0]), 0.0, 0.5, [0.5, 0.0]);
    // Beyond the end of the line, and on it.
    assert_in(&stands, &Wall::rectangle([0.75, 0.0], [4.0, 0.0]), 0.0, 0.25, [1.0, 0.0]);
    let nowhere = agent(disc(1.0), [0.0, f32::NAN], &[]);
    assert_beside(&nowhere, &Wall::rectangle([-1.0; 2], [1.0; 2]));
}

#[test]
fn nobody_is_in_a_wall_whose_line_it_crosses() {
    // From a run on a mesh: the disc crosses the line of the wall 0.64 from its end.
    let wall = Wall::new(TracedBody::Polygon { corners: vec![[61.60591, 12.339172], [59.657715, 15.173538]] });
    let crosses = agent(disc(0.55), [59.097805, 15.277286], &[step(36, 44, [59.53138, 16.186401])]);
    assert_beside(&crosses, &wall);
    // Rounding depends on the line and the way.
    for tenths in 0..200_u16 {
        let slope = f32::from(tenths) / 10.0 + 0.037;
        let wall = Wall::new(TracedBody::Polygon { corners: vec![[7.3, 7.3 * slope], [5.1, 5.1 * slope]] });
        assert_beside(&agent(disc(0.5), [3.0, 3.0 * slope - 0.3], &[step(0, 8, [2.0, 2.0 * slope + 0.7])]), &wall);
        assert_beside(&agent(disc(0.5), [3.0, 3.0 * slope], &[]), &wall);
    }
}

#[test]
fn many_walls_take_near_linear_time() {
    // Every other cell of every other row, and 500 discs that weave between the rows; one of them goes astray at the
    // end.
    let cells = (0..300_u16).flat_map(|y| (0..300_u16).map(move |x| [f32::from(2 * x), f32::from(2 * y)]));
    let walls: Vec<Wall> = cells.map(|[x, y]| Wall::rectangle([x - 0.5, y - 0.5], [x + 0.5, y + 0.5])).collect();
    let mut agents: Vec<TracedAgent> = (0..250_u16)
        .map(|lane| {
            let y = f32::from(2 * lane + 1);
            let moves: Vec<TracedMove> =
                (0..200_u16).map(|tick| step(tick.into(), u32::from(tick) + 1, [f32::from(tick) + 1.0, y])).collect();
            agent(disc(0.5), [0.0, y], &moves)
        })
        .collect();
    assert_eq!(check_walls(&agents, &walls), []);
    agents[99].moves.push(step(300, 301, [200.0, 200.0]));
    // One that is in walls all the time, and a few that are as large as the world.
    let moves: Vec<TracedMove> =
        (0..200_u16).map(|tick| step(tick.into(), u32::from(tick) + 1, [f32::from(tick), 0.0])).collect();
    agents.push(agent(disc(0.5), [0.0, 0.0], &moves));
    agents.extend((0..3).map(|_| agent(disc(900.0), [0.0, 0.0], &moves)));
    let found = check_walls(&agents, &walls);
    assert_eq!(found.iter().map(|overlap| overlap.agent.0).collect::<Vec<_>>(), [250, 251, 252, 253, 99]);
    assert!((found[4].tick - 300.0).abs() < 1e-6, "{found:?}");
    assert_eq!(walls[found[4].wall], Wall::rectangle([199.5; 2], [200.5; 2]));
}

fn any_wall() -> impl Strategy<Value = Wall> {
    let corner = || [-4.0_f32..4.0, -4.0_f32..4.0];
    prop_oneof![
        8 => (corner(), [0.1_f32..5.0, 0.1_f32..2.0]).prop_map(|([x, y], [w, h])| Wall::rectangle([x, y], [x + w, y + h])),
        1 => (corner(), 0.1_f32..1.0).prop_map(|(center, radius)| Wall::new(TracedBody::Disc { center, radius })),
        1 => prop::collection::vec(corner(), 3..6).prop_map(|corners| Wall::new(TracedBody::Polygon { corners })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn samples_agree(
        agents in prop::collection::vec(any_agent(5, 4.0), 1..4),
        walls in prop::collection::vec(any_wall(), 1..5),
        tolerance in prop::sample::select(vec![0.0_f32, 0.05, 0.5]),
    ) {
        const SAMPLES: u32 = 50;
        let error = 2e-3;
        // The fastest agents go 12 in a tick: less deep than this, a break may hide between two samples.
        let hidden = 12.0 / f64::from(SAMPLES);
        let found = BodyChecker::new().tolerance(tolerance).check_walls(&Trace::new(1, agents.clone()), &walls);
        prop_assert!(found.is_sorted_by(|a, b| (a.tick, a.agent) < (b.tick, b.agent)));
        let tolerance = f64::from(tolerance);
        for (id, agent) in agents.iter().enumerate() {
            // A wall is an agent that stands in the origin.
            let depth = |wall: &Wall, time: f64| depth_at(agent, &super::agent(Some(wall.shape.clone()), [0.0; 2], &[]), time);
            let samples = (0..30 * SAMPLES).map(|sample| f64::from(sample) / f64::from(SAMPLES));
            let deep = samples.clone().find(|time| walls.iter().any(|wall| depth(wall, *time).is_some_and(|d| d > tolerance + error)));
            let named: Vec<&WallOverlap> = found.iter().filter(|overlap| overlap.agent.index() == id).collect();
            let Some(overlap) = named.first() else {
                prop_assert!(deep.is_none(), "{id}: {deep:?}");
                continue;
            };
            prop_assert_eq!(named.len(), 1);
            prop_assert!(deep.is_none_or(|time| time >= overlap.tick - 1e-6), "{id}: {deep:?} {overlap:?}");
            let wall = &walls[overlap.wall];
            let at_first = depth(wall, overlap.tick + 1e-7);
            prop_assert!(at_first.is_some_and(|depth| depth > tolerance - 1e-5), "{overlap:?} {at_first:?}");
            let stretch = samples.clone().skip_while(|time| *time < overlap.tick).map(|time| depth(wall, time).unwrap_or(-1.0));
            let deepest = stretch.take_while(|depth| *depth > tolerance + error + hidden).fold(at_first.unwrap_or(0.0), f64::max);
            prop_assert!(f64::from(overlap.depth) >= deepest - error, "{overlap:?} {deepest}");
            let greatest = samples.filter_map(|time| depth(wall, time)).fold(deepest, f64::max);
            prop_assert!(f64::from(overlap.depth) <= greatest + hidden + error, "{overlap:?} {greatest}");
            // If the agent comes in at that tick, the point is in both.
            if depth(wall, overlap.tick).is_some_and(|depth| depth < tolerance + error) {
                let point = super::agent(None, overlap.point, &[]);
                for other in [agent, &super::agent(Some(wall.shape.clone()), [0.0; 2], &[])] {
                    let depth = depth_at(other, &point, overlap.tick);
                    prop_assert!(depth.is_some_and(|depth| depth > -tolerance - error), "{overlap:?} {depth:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_makes_it_panic(
        corners in prop::collection::vec((prop::array::uniform2(any::<f32>()), prop::array::uniform2(any::<f32>())), 0..5),
        agents in prop::collection::vec((prop::array::uniform2(any::<f32>()), prop::array::uniform2(any::<f32>()), any::<f32>()), 0..5),
        tolerance in any::<f32>(),
        most in prop::option::of(0_usize..4),
    ) {
        let walls: Vec<Wall> = corners.into_iter().map(|(a, b)| Wall::rectangle(a, b)).collect();
        let agents = agents.into_iter().map(|(from, to, radius)| agent(disc(radius), from, &[step(1, 5, to)])).collect();
        let most = most.unwrap_or(usize::MAX);
        let found = BodyChecker::new().tolerance(tolerance).at_most(most).check_walls(&Trace::new(1, agents), &walls);
        prop_assert!(found.len() <= most);
        prop_assert!(found.iter().all(|overlap| overlap.tick.is_finite() && overlap.depth >= 0.0));
    }
}
