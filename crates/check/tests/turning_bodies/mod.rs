//! The checker of shapes, for agents that turn and drive along curves: rows worked out by hand, a sampler that follows
//! random trajectories, and nonsense.

mod nonsense;
mod rows;
mod sampled;
mod walls;

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use giveway_check::{BodyChecker, Overlap};
use giveway_core::{AgentId, Stretch, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace, Trajectory};
use proptest::prelude::*;

fn place([x, y]: [f32; 2], heading: f32) -> TracedPlace {
    TracedPlace { heading, ..TracedPlace::new(0, [x, y, 0.0]) }
}

fn step(depart: u32, arrive: u32, to: TracedPlace, trajectory: u32) -> TracedMove {
    TracedMove { trajectory: Some(trajectory), ..TracedMove::new(depart, arrive, to) }
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

fn trajectory(stretches: &[[f32; 3]]) -> Trajectory {
    Trajectory::new(
        stretches.iter().map(|[share, length, turn]| Stretch { share: *share, length: *length, turn: *turn }).collect(),
    )
}

fn trace(trajectories: &[Trajectory], agents: &[&TracedAgent]) -> Trace {
    Trace {
        trajectories: trajectories.to_vec(),
        ..Trace::new(1, agents.iter().map(|agent| (*agent).clone()).collect())
    }
}

fn check(trajectories: &[Trajectory], agents: [&TracedAgent; 2], tolerance: f32) -> Vec<Overlap> {
    BodyChecker::new().tolerance(tolerance).check(&trace(trajectories, &agents))
}

/// Checks that the two overlap from `tick` on, by `depth` if it is told, whichever is first.
#[track_caller]
fn assert_overlap(trajectories: &[Trajectory], [a, b]: [&TracedAgent; 2], tick: f64, depth: Option<f64>) {
    for agents in [[a, b], [b, a]] {
        let found = check(trajectories, agents, 0.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].agents, [AgentId(0), AgentId(1)]);
        assert!((found[0].tick - tick).abs() < 1e-5, "at {}, not {tick}", found[0].tick);
        if let Some(depth) = depth {
            assert!((f64::from(found[0].depth) - depth).abs() < 1.1e-4, "by {}, not {depth}", found[0].depth);
        }
    }
}

#[track_caller]
fn assert_apart(trajectories: &[Trajectory], [a, b]: [&TracedAgent; 2]) {
    for tolerance in [0.0, 1e-3] {
        assert_eq!(check(trajectories, [a, b], tolerance), []);
        assert_eq!(check(trajectories, [b, a], tolerance), []);
    }
}

/// A place with heading 0, worked out in more digits than it has.
#[allow(clippy::cast_possible_truncation)]
fn at(position: [f64; 2]) -> TracedPlace {
    place(position.map(|c| c as f32), 0.0)
}

/// A quarter turn, as f64.
const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

const PI_64: f64 = std::f64::consts::PI;
