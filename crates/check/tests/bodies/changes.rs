//! Agents whose shapes change: rows worked out by hand.

use giveway_check::{Enclosure, Wall};
use giveway_core::TracedChange;

use super::*;

/// `agent` with other shapes from these ticks on.
fn changing(agent: TracedAgent, changes: &[(u32, Option<TracedBody>)]) -> TracedAgent {
    let changes = changes.iter().map(|(tick, body)| TracedChange { tick: *tick, body: body.clone() }).collect();
    TracedAgent { changes, ..agent }
}

#[test]
fn a_shape_counts_from_its_tick_on() {
    let post = agent(disc(0.5), [2.0, 0.0], &[]);
    let at_rest = |changes: &[(u32, Option<TracedBody>)]| changing(agent(disc(0.5), [0.0, 0.0], &[]), changes);
    assert_apart(&post, &at_rest(&[]));
    assert_overlap(&post, &at_rest(&[(7, disc(1.75))]), 7.0, 0.25);
    assert_overlap(&post, &at_rest(&[(7, disc(1.5)), (9, square(-2.0, 2.0))]), 9.0, 0.5);
    // In the middle of a move: it is 1.5 away from tick 4 on, and then nearer.
    let comes = |changes: &[(u32, Option<TracedBody>)]| {
        changing(agent(disc(0.5), [0.0, 0.0], &[step(2, 8, [1.5, 0.0])]), changes)
    };
    assert_overlap(&post, &comes(&[]), 6.0, 0.5);
    assert_overlap(&post, &comes(&[(4, disc(1.0))]), 4.0, 1.0);
    // It becomes a point when it comes to touch, and is none when it is large.
    assert_apart(&post, &comes(&[(6, None)]));
    assert_apart(&post, &at_rest(&[(3, disc(9.0)), (3, disc(1.0))]));
    assert_overlap(&post, &at_rest(&[(5, disc(1.0)), (3, disc(9.0))]), 5.0, 7.5);
    // Not before it is there, nor after.
    let there = TracedAgent { appears: 4, vanishes: Some(6), ..at_rest(&[(2, disc(3.0)), (6, disc(5.0))]) };
    assert_overlap(&post, &there, 4.0, 1.5);
    assert_apart(&post, &TracedAgent { vanishes: Some(6), ..at_rest(&[(6, disc(5.0))]) });
}

/// Each change ends a stretch of time, and begins none that is named again.
#[test]
fn agents_of_several_shapes_are_named_once() {
    let post = agent(disc(0.5), [2.0, 0.0], &[]);
    let breathes: Vec<_> = (1..40).map(|tick| (tick, disc(if tick % 2 == 0 { 1.0 } else { 1.75 }))).collect();
    let breathes = changing(agent(disc(0.5), [0.0, 0.0], &[]), &breathes);
    assert_overlap(&post, &breathes, 1.0, 0.25);
    let late = changing(agent(disc(0.1), [4.0, 3.0], &[]), &[(30, disc(3.3))]);
    let trace = Trace::new(1, vec![post, breathes.clone(), late]);
    let found = BodyChecker::new().tolerance(0.0).check(&trace);
    let told = |found: &[Overlap]| found.iter().map(|it| (it.agents.map(|id| id.0), it.tick)).collect::<Vec<_>>();
    assert_eq!(told(&found), [([0, 1], 1.0), ([0, 2], 30.0), ([1, 2], 31.0)]);
    assert_eq!(told(&BodyChecker::new().tolerance(0.0).at_most(2).check(&trace)), [([0, 1], 1.0), ([0, 2], 30.0)]);

    let wall = Wall::rectangle([1.5, -1.0], [2.5, 1.0]);
    let walled = BodyChecker::new().tolerance(0.0).check_walls(&Trace::new(1, vec![breathes.clone()]), &[wall]);
    assert_eq!((walled.len(), walled[0].agent, walled[0].tick), (1, AgentId(0), 1.0));
    assert!((walled[0].depth - 0.25).abs() < 1e-5);

    // A room whose right wall is 1.5 away.
    let corners = [[-9.0, -9.0], [1.5, -9.0], [1.5, 9.0], [-9.0, 9.0]];
    let walls = [0, 1, 2, 3].map(|corner| [corners[corner], corners[(corner + 1) % 4]]);
    let left = BodyChecker::new()
        .tolerance(0.0)
        .check_enclosure(&Trace::new(1, vec![breathes]), &Enclosure::new([corners], walls));
    assert_eq!((left.len(), left[0].agent, left[0].tick), (1, AgentId(0), 1.0));
    assert!((left[0].depth - 0.25).abs() < 1e-4, "{left:?}");
}
