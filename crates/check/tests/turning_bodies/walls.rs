//! Walls and agents that turn.

use giveway_check::{Wall, WallOverlap};

use super::sampled::{any_pair, depth_at, fastest};
use super::*;

fn check_walls(trajectories: &[Trajectory], agent: &TracedAgent, walls: &[Wall], tolerance: f32) -> Vec<WallOverlap> {
    BodyChecker::new().tolerance(tolerance).check_walls(&trace(trajectories, &[agent]), walls)
}

/// Checks that the agent is in the wall from `tick` on, by `depth`, first at `point`.
#[track_caller]
fn assert_in(trajectories: &[Trajectory], agent: &TracedAgent, wall: &Wall, tick: f64, depth: f64, point: [f64; 2]) {
    let found = check_walls(trajectories, agent, std::slice::from_ref(wall), 0.0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].tick - tick).abs() < 1e-5, "at {}, not {tick}", found[0].tick);
    assert!((f64::from(found[0].depth) - depth).abs() < 1.1e-4, "by {}, not {depth}", found[0].depth);
    let near = found[0].point.iter().zip(point).all(|(c, expected)| (f64::from(*c) - expected).abs() < 1e-3);
    assert!(near, "at {:?}, not {point:?}", found[0].point);
}

#[track_caller]
fn assert_beside(trajectories: &[Trajectory], agent: &TracedAgent, wall: &Wall) {
    for tolerance in [0.0, 1e-3] {
        assert_eq!(check_walls(trajectories, agent, std::slice::from_ref(wall), tolerance), []);
    }
}

#[test]
fn a_plank_turns_next_to_a_wall() {
    // Its corner, 2.5.sqrt() from its middle, rises above its long side by 1.081.
    let quarter = [trajectory(&[[1.0, 0.0, FRAC_PI_2]])];
    let plank =
        |y: f32| agent(rectangle(3.0, 1.0), place([6.0, y], 0.0), &[step(2, 12, place([6.0, y], FRAC_PI_2), 0)]);
    let corner = 2.5_f64.sqrt();
    let wall = Wall::rectangle([0.0, 5.0], [20.0, 6.0]);
    assert_beside(&quarter, &plank(3.418), &wall);
    // The corner comes to the height of the wall, and is highest over the middle of the plank.
    let angle = (1.5 / corner).asin() - 0.5_f64.atan2(1.5);
    let at = 6.0 + corner * (angle + 0.5_f64.atan2(1.5)).cos();
    assert_in(&quarter, &plank(3.5), &wall, 2.0 + 10.0 * angle / QUARTER, corner - 1.5, [at, 5.0]);
    let beyond = Wall::rectangle([f32::MIN, 5.0], [f32::MAX; 2]);
    assert_in(&quarter, &plank(3.5), &beyond, 2.0 + 10.0 * angle / QUARTER, corner - 1.5, [at, 5.0]);
    assert_beside(&quarter, &plank(3.418), &beyond);
    // The wall begins to the right of where the corner comes that high.
    assert_beside(&quarter, &plank(3.5), &Wall::rectangle([7.0, 5.0], [20.0, 6.0]));
}

#[test]
fn a_car_rounds_a_corner() {
    // A plank of 2 by 1 on a circle of radius 2 around (0, 2): its inner side is 1.5 from there, its outer corners
    // sqrt(2.5^2 + 1).
    let arc = [trajectory(&[[1.0, PI, FRAC_PI_2]])];
    let car = agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &[step(0, 10, place([2.0, 2.0], FRAC_PI_2), 0)]);
    let corner = 7.25_f64.sqrt();
    assert_beside(&arc, &car, &Wall::rectangle([-9.0, 2.0 - 1.06], [1.06, 9.0]));
    // The corner of the wall is at 1.52 from the middle of the circle, at an angle of 0.8.
    let (sin, cos) = 0.8_f64.sin_cos();
    #[allow(clippy::cast_possible_truncation)]
    let tip = [(1.52 * sin) as f32, (2.0 - 1.52 * cos) as f32];
    let found = check_walls(&arc, &car, &[Wall::rectangle([-9.0, tip[1]], [tip[0], 9.0])], 0.0);
    assert!((f64::from(found[0].depth) - 0.02).abs() < 1.1e-4, "{found:?}");
    assert!(found[0].point.iter().zip(tip).all(|(c, tip)| (c - tip).abs() < 1e-3), "{found:?}");
    // A wall to the right, from before its outer corner passes.
    assert_beside(&arc, &car, &Wall::rectangle([2.6927, -9.0], [9.0, 9.0]));
    let right = Wall::rectangle([2.6, -9.0], [9.0, 9.0]);
    let angle = (2.6 / corner).asin() - 1.0_f64.atan2(2.5);
    let height = 2.0 - corner * (angle + 1.0_f64.atan2(2.5)).cos();
    assert_in(&arc, &car, &right, 10.0 * angle / QUARTER, corner - 2.6, [2.6, height]);
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(400) })]
    #[test]
    fn samples_agree(
        (trajectories, agents) in any_pair(4.0),
        walls in prop::collection::vec(([-5.0_f32..5.0, -5.0_f32..5.0], [0.1_f32..5.0, 0.1_f32..2.0]), 1..4),
        tolerance in prop::sample::select(vec![0.0_f32, 1e-3, 0.05, 0.3]),
    ) {
        let walls: Vec<Wall> = walls.iter().map(|([x, y], [w, h])| Wall::rectangle([*x, *y], [x + w, y + h])).collect();
        // A wall is an agent that stands in the origin.
        let stands: Vec<TracedAgent> = walls.iter().map(|wall| agent(Some(wall.shape.clone()), place([0.0; 2], 0.0), &[])).collect();
        let checker = BodyChecker::new().tolerance(tolerance);
        let found = checker.check_walls(&trace(&trajectories, &[&agents[0], &agents[1]]), &walls);
        let tolerance = f64::from(tolerance);
        for (id, agent) in agents.iter().enumerate() {
            let depth = |wall: usize, time: f64| depth_at(&trajectories, [agent, &stands[wall]], time).unwrap_or(f64::NEG_INFINITY);
            let end = agent.moves.last().map_or(0, |step| step.arrive) + 1;
            let samples = (0..60 * end).map(|sample| f64::from(sample) / 60.0);
            let deep = samples.clone().find(|time| (0..walls.len()).any(|wall| depth(wall, *time) > tolerance + 1e-3));
            let named: Vec<&WallOverlap> = found.iter().filter(|overlap| overlap.agent.index() == id).collect();
            let Some(overlap) = named.first() else {
                prop_assert!(deep.is_none(), "not named: {id} {deep:?}");
                continue;
            };
            prop_assert_eq!(named.len(), 1);
            prop_assert!(deep.is_none_or(|time| overlap.tick <= time), "named late: {overlap:?} {deep:?}");
            let speed = fastest(&trajectories, agent);
            let error = 1e-5 + 2e-6 * speed;
            let first = depth(overlap.wall, overlap.tick + 1e-7);
            prop_assert!(first > tolerance - error, "not so deep: {overlap:?} {first}");
            let stretch = samples.clone().skip_while(|time| *time < overlap.tick).map(|time| depth(overlap.wall, time));
            let deepest = stretch.take_while(|depth| *depth > tolerance + 1e-3).fold(first, f64::max);
            let greatest = samples.map(|time| depth(overlap.wall, time)).fold(deepest, f64::max);
            let named = f64::from(overlap.depth);
            // Between two samples there may be a break, which ends the stretch.
            prop_assert!(named >= first - 1.1e-4, "deeper: {overlap:?} {deepest}");
            prop_assert!(named <= greatest + speed / 60.0 + 1e-3, "not that deep: {overlap:?} {greatest}");
        }
    }
}
