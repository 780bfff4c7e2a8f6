//! The checker of shapes: rows worked out by hand, a brute-force sampler, planted overlaps, and nonsense.

mod changes;
mod enclosure;
mod levels;
mod pauses;
mod pieces;
mod rows;
mod sampled;
mod walls;

use giveway_check::{BodyChecker, Overlap};
use giveway_core::{AgentId, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace};
use proptest::prelude::*;

fn place([x, y]: [f32; 2]) -> TracedPlace {
    TracedPlace::new(0, [x, y, 0.0])
}

fn step(depart: u32, arrive: u32, to: [f32; 2]) -> TracedMove {
    TracedMove::new(depart, arrive, place(to))
}

fn agent(body: Option<TracedBody>, start: [f32; 2], moves: &[TracedMove]) -> TracedAgent {
    TracedAgent { body, ..TracedAgent::new(place(start), vec![], moves.to_vec()) }
}

fn disc(radius: f32) -> Option<TracedBody> {
    Some(TracedBody::Disc { center: [0.0; 2], radius })
}

/// The square from `low` to `high` on both axes.
fn square(low: f32, high: f32) -> Option<TracedBody> {
    Some(TracedBody::Polygon { corners: vec![[low, low], [high, low], [high, high], [low, high]] })
}

fn check(agents: &[TracedAgent]) -> Vec<Overlap> {
    BodyChecker::new().tolerance(0.0).check(&Trace::new(1, agents.to_vec()))
}

/// Checks that the two overlap from `tick` on by `depth`, whichever is first.
#[track_caller]
fn assert_overlap(a: &TracedAgent, b: &TracedAgent, tick: f64, depth: f32) {
    for agents in [[a, b], [b, a]] {
        let found = check(&agents.map(Clone::clone));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].agents, [AgentId(0), AgentId(1)]);
        assert!((found[0].tick - tick).abs() < 1e-6, "at {}, not {tick}", found[0].tick);
        assert!((found[0].depth - depth).abs() < 1e-5, "by {}, not {depth}", found[0].depth);
    }
}

#[track_caller]
fn assert_apart(a: &TracedAgent, b: &TracedAgent) {
    assert_eq!(check(&[a.clone(), b.clone()]), []);
    assert_eq!(check(&[b.clone(), a.clone()]), []);
}
