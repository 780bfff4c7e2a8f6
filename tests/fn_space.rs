//! Spaces from closures.

use giveway_core::{Agent, Embedding, Footprint, NodeId, Point, SpaceGraph};
use giveway_spaces::{FnSpace, SpaceError};
use giveway_strategies::{Hca, Instance};
use ordered_float::OrderedFloat;

fn ring(n: u32) -> FnSpace {
    FnSpace::new(n, |node| [((node + 1) % n, 1000), ((node + n - 1) % n, 1000)]).unwrap()
}

#[test]
fn moves_are_those_that_the_closure_lists_in_its_order() {
    let space = FnSpace::new(4, |node| match node {
        0 => vec![(3, 7), (1, 2), (3, 5)],
        1 => vec![(1, 9), (0, 2)],
        _ => Vec::new(),
    })
    .unwrap();
    let moves = |node| space.moves(NodeId(node)).map(|m| (m.action, m.to.0, m.cost, m.length));
    assert_eq!(moves(0).collect::<Vec<_>>(), [(0, 3, 7, 1.0), (1, 1, 2, 1.0), (2, 3, 5, 1.0)]);
    // The move from 1 to itself is left out; the others keep their places in the list.
    assert_eq!(moves(1).collect::<Vec<_>>(), [(1, 0, 2, 1.0)]);
    assert_eq!(space.facts().uniform_cost, None);
    giveway_conformance::space_graph(&space).unwrap();
}

#[test]
fn a_uniform_cost_is_found() {
    assert_eq!(ring(5).facts().uniform_cost, Some(1000));
    giveway_conformance::space_graph(&ring(5)).unwrap();
}

#[test]
fn everyone_goes_round_a_ring() {
    let space = ring(6);
    let point = Point::swap_rule(&space);
    let agents = (0..6).map(|node| Agent::new(NodeId(node), NodeId((node + 2) % 6))).collect();
    let instance = Instance::new(&space, &point, agents).unwrap();
    let solution = Hca::hca_star().solve(&instance);
    assert!(solution.is_complete());
    assert_eq!(solution.plan.sum_of_costs(), 12);
}

#[test]
fn lengths_become_durations() {
    let space = ring(6).with_lengths(|m| if m.from.0 == 0 { 2.5 } else { 1.0 }).unwrap();
    let point = Point::timed(&space, 2).unwrap();
    let durations: Vec<_> =
        (0..6).filter_map(|node| space.moves(NodeId(node)).next()).map(|m| point.duration(&space, &m)).collect();
    assert_eq!(durations, [5, 2, 2, 2, 2, 2].map(Some));
    giveway_conformance::footprint(&space, &point).unwrap();
}

#[test]
fn with_positions_it_is_an_embedding() {
    #[allow(clippy::cast_precision_loss)]
    let space = ring(6).with_positions(|node| [node as f32, 1.0, 0.0]).unwrap();
    assert_eq!(space.position(NodeId(4)), [4.0, 1.0, 0.0]);
    assert_eq!(space.position(NodeId(6)), [0.0; 3]);
    giveway_conformance::embedding(&space).unwrap();
}

#[test]
fn costs_of_any_type_will_do() {
    let space = FnSpace::priced(3, |node| [((node + 1) % 3, OrderedFloat(0.5_f32))]).unwrap();
    assert_eq!(space.facts().uniform_cost, Some(OrderedFloat(0.5)));
    giveway_conformance::space_graph(&space).unwrap();
}

#[test]
fn what_makes_no_sense_is_refused() {
    let outside = FnSpace::new(3, |node| [(node + 1, 1000)]);
    assert_eq!(outside.unwrap_err().to_string(), "a move leads from node 2 to node 3, which does not exist");
    let negative = FnSpace::priced(3, |node| [((node + 1) % 3, OrderedFloat(-0.5))]);
    assert_eq!(negative.err(), Some(SpaceError::Cost { from: NodeId(0), to: NodeId(1), cost: -0.5 }));
    let backwards = ring(3).with_lengths(|_| -1.0);
    assert_eq!(
        backwards.unwrap_err().to_string(),
        "the move from node 0 to node 1 has length -1: lengths must be finite and not negative"
    );
    let nowhere = ring(3).with_positions(|_| [f32::NAN, 0.0, 0.0]);
    assert_eq!(nowhere.unwrap_err().to_string(), "node 0 is at [NaN, 0.0, 0.0]: positions must be finite");
}

#[test]
fn a_space_may_be_empty() {
    let space = FnSpace::new(0, |_| []).unwrap();
    assert_eq!(space.node_bound(), 0);
    assert!(!space.contains(NodeId(0)));
    giveway_conformance::space_graph(&space).unwrap();
}
