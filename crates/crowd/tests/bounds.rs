//! Spaces that claim more nodes or crossings than they have: a clear error, or no memory for what is only claimed.

use giveway_core::heuristic::{ByMetric, Zero};
use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{Agent, Facts, Footprint, Move, NodeId, Point, SpaceGraph, TooManyCells};
use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings};
use giveway_strategies::{Cooperative, Instance, InstanceError};

/// A ring of eight places, driven both ways. The crossing between each two is the last that its bound permits, or near
/// it.
#[derive(Clone, Copy, Debug)]
struct Claims {
    nodes: usize,
    crossings: usize,
}

impl SpaceGraph for Claims {
    type Action = i32;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.nodes
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
        let there = move |action: i32| NodeId((from.0 + 8).wrapping_add_signed(action) % 8);
        let ways = if from.0 < 8 { &[1, -1][..] } else { &[] };
        ways.iter().map(move |&action| Move { from, to: there(action), action, cost: 1000, length: 1.0 })
    }

    fn contains(&self, node: NodeId) -> bool {
        node.0 < 8
    }

    fn crossing(&self, m: &Move<i32, u32>) -> Option<u32> {
        let lower = if m.action == 1 { m.from } else { m.to };
        u32::try_from(self.crossings).ok()?.checked_sub(1 + lower.0)
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { crossing_bound: self.crossings, ..Facts::NONE }
    }
}

/// Two that exchange their places: one by the short way, the other all round.
fn agents() -> Vec<Agent> {
    [(0, 2), (2, 0)].map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).to_vec()
}

#[cfg(target_pointer_width = "64")]
#[test]
fn bounds_that_cannot_be_numbered_are_named() {
    let most = u32::MAX as usize;
    for (nodes, crossings) in [
        (8, usize::MAX),
        (8, most),
        (8, most - 7),
        (usize::MAX, 0),
        (usize::MAX, 8),
        (usize::MAX, usize::MAX),
        (most + 1, 0),
        (most, 8),
    ] {
        let space = Claims { nodes, crossings };
        let expected = TooManyCells { node_bound: nodes, crossing_bound: crossings };
        for point in [Point::swap_rule(&space), Point::following_rule(&space), Point::timed(&space, 3).unwrap()] {
            let refused = Instance::new(&space, &point, agents()).unwrap_err();
            assert_eq!(refused, InstanceError::TooManyCells(expected));
            let mut crowd = Crowd::new(CrowdSettings::new());
            assert_eq!(crowd.add_class(Class::bare(space, point)), Err(CrowdError::TooManyCells(expected)));
        }
        let text = expected.to_string();
        assert!(text.contains(&format!("node_bound() is {nodes} and facts().crossing_bound is {crossings}")), "{text}");
    }
}

#[test]
fn what_is_only_claimed_takes_no_memory() {
    // With a word for each cell, a store would take 32 GB.
    let space = Claims { nodes: 8, crossings: u32::MAX as usize - 8 };
    let unit = Point::swap_rule(&space);
    let instance = Instance::new(&space, &unit, agents()).unwrap();
    let cells = unit.cells(&space);
    let mut ca = Cooperative::new(ByMetric(Zero));
    let solutions = [
        ca.solve(&instance),
        ca.solve_on(&instance, &mut SparseTable::new(cells)),
        ca.solve_on(&instance, &mut IntervalTable::new(cells)),
        ca.solve_on(&instance, &mut WindowTable::new(cells, 1000)),
    ];
    for solution in &solutions {
        assert!(solution.is_complete());
        assert_eq!(solution.plan.sum_of_costs(), 2 + 6);
        assert_eq!(solution.plan, solutions[0].plan);
    }
    arrive(Crowd::new(CrowdSettings::new()), space);
    arrive(Crowd::new_on(CrowdSettings::new(), |cells, _| SparseTable::new(cells)), space);
    arrive(Crowd::new_on(CrowdSettings::new(), |cells, _| IntervalTable::new(cells)), space);
    arrive(Crowd::new_on(CrowdSettings::new(), WindowTable::new), space);
}

fn arrive(mut crowd: Crowd<'_>, space: Claims) {
    let class = crowd.add_class(Class::bare(space, Point::swap_rule(&space))).unwrap();
    let ids: Vec<_> = agents().into_iter().map(|agent| crowd.add(class, agent).unwrap()).collect();
    for _ in 0..30 {
        crowd.tick(Budget::unlimited());
    }
    assert!(crowd.is_at_rest());
    assert_eq!([ids[0], ids[1]].map(|id| crowd.node(id)), [Some(NodeId(2)), Some(NodeId(0))]);
}
