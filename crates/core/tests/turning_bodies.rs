//! The checker of shapes, for agents that turn and drive along curves: rows worked out by hand, a sampler that follows
//! random courses, and nonsense.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use giveway_core::{
    AgentId, BodyChecker, Course, Overlap, Stretch, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace,
};
use proptest::prelude::*;

fn place([x, y]: [f32; 2], heading: f32) -> TracedPlace {
    TracedPlace { heading, ..TracedPlace::new(0, [x, y, 0.0]) }
}

fn step(depart: u32, arrive: u32, to: TracedPlace, course: u32) -> TracedMove {
    TracedMove { course: Some(course), ..TracedMove::new(depart, arrive, to) }
}

fn agent(body: Option<TracedBody>, start: TracedPlace, moves: &[TracedMove]) -> TracedAgent {
    TracedAgent { body, ..TracedAgent::new(start, vec![], moves.to_vec()) }
}

fn disc(radius: f32) -> Option<TracedBody> {
    Some(TracedBody::Disc { center: [0.0; 2], radius })
}

/// A rectangle around its position, `length` along the heading.
fn rectangle(length: f32, width: f32) -> Option<TracedBody> {
    let [x, y] = [length / 2.0, width / 2.0];
    Some(TracedBody::Polygon { corners: vec![[-x, -y], [x, -y], [x, y], [-x, y]] })
}

fn course(stretches: &[[f32; 3]]) -> Course {
    Course::new(stretches.iter().map(|[share, length, turn]| Stretch { share: *share, length: *length, turn: *turn }).collect())
}

fn trace(courses: &[Course], agents: &[&TracedAgent]) -> Trace {
    Trace { courses: courses.to_vec(), ..Trace::new(1, agents.iter().map(|agent| (*agent).clone()).collect()) }
}

fn check(courses: &[Course], agents: [&TracedAgent; 2], tolerance: f32) -> Vec<Overlap> {
    BodyChecker::new().tolerance(tolerance).check(&trace(courses, &agents))
}

/// Checks that the two overlap from `tick` on by `depth`, whichever is first.
#[track_caller]
fn assert_overlap(courses: &[Course], [a, b]: [&TracedAgent; 2], tick: f64, depth: f32) {
    for agents in [[a, b], [b, a]] {
        let found = check(courses, agents, 0.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].agents, [AgentId(0), AgentId(1)]);
        assert!((found[0].tick - tick).abs() < 1e-5, "at {}, not {tick}", found[0].tick);
        assert!((found[0].depth - depth).abs() < 2e-4, "by {}, not {depth}", found[0].depth);
    }
}

#[track_caller]
fn assert_apart(courses: &[Course], [a, b]: [&TracedAgent; 2]) {
    assert_eq!(check(courses, [a, b], 1e-5), []);
    assert_eq!(check(courses, [b, a], 1e-5), []);
}

#[test]
fn a_plank_turns_on_the_spot() {
    let quarter = [course(&[[1.0, 0.0, FRAC_PI_2]])];
    let plank = agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &[step(2, 12, place([0.0; 2], FRAC_PI_2), 0)]);
    let wide = 0.5_f64;
    for distance in [1.3_f32, 1.5] {
        // At the angle a the long side, half a unit off, is y cos a = 0.5 + r below the disc's middle at (0, y).
        let radius = 0.3_f64;
        let angle = ((wide + radius) / f64::from(distance)).acos();
        // As it turns counter-clockwise, what meets the disc at (0, y) is the side's end, at x = 1.5, that rises.
        let still = agent(disc(0.3), place([0.0, distance], 0.0), &[]);
        // The middle in the frame of the plank: (y sin a, y cos a). The side ends at 1.5, so the side is met first.
        assert!(f64::from(distance) * angle.sin() < 1.5);
        assert_overlap(&quarter, [&plank, &still], 2.0 + 10.0 * angle / std::f64::consts::FRAC_PI_2, 1.8 - distance.max(1.0).min(1.8) + depth_along(distance));
    }
    // The corner sweeps as far as sqrt(1.5^2 + 0.5^2); at 45 degrees it does not come by, at atan(1 / 3) more it does.
    let sweep = 2.5_f64.sqrt();
    let at = |distance: f64, angle: f64| {
        #[allow(clippy::cast_possible_truncation)] // exact enough
        let [x, y] = [distance * angle.cos(), distance * angle.sin()].map(|c| c as f32);
        agent(disc(0.25), place([x, y], 0.0), &[])
    };
    assert_apart(&quarter, [&plank, &at(sweep + 0.2501, 1.0)]);
    assert_eq!(check(&quarter, [&plank, &at(sweep + 0.249, 1.0)], 0.0).len(), 1);
    // Turned the other way round, it does not come there.
    let back = [course(&[[1.0, 0.0, -FRAC_PI_2]])];
    assert_apart(&back, [&agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &plank.moves), &at(sweep, 0.9)]);
}

/// A plank of 3 by 1 in upright position has its short end at 1.5: what is nearest there is the short end.
fn depth_along(_: f32) -> f32 {
    0.0
}
