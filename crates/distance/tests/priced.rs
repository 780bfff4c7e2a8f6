//! Distances at the price of a layer, in spaces that change.

use giveway_core::heuristic::HeuristicSource as _;
use giveway_core::{Asker, CostLayer, Facts, Fuel, Goals, Heuristic as _, Move, NodeId, SpaceGraph};
use giveway_distance::PricedDistances;

/// Places in a row, with the distance from each place to the next in thousandths of a step.
struct Row {
    step: u32,
    revision: u64,
}

impl SpaceGraph for Row {
    type Action = bool;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        5
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
        let step = |to: Option<u32>, action| {
            let to = NodeId(to.filter(|to| *to < 5)?);
            Some(Move { from, to, action, cost: self.step, length: 1.0 })
        };
        step(from.0.checked_add(1), true).into_iter().chain(step(from.0.checked_sub(1), false))
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { uniform_cost: Some(self.step), ..Facts::NONE }
    }

    fn revision(&self) -> u64 {
        self.revision
    }
}

/// A toll on moves to the right.
#[derive(Clone)]
struct Toll;

impl CostLayer<Row> for Toll {
    fn surcharge(&self, _row: &Row, m: &Move<bool, u32>, _depart: u32, _asker: &Asker<'_>) -> u32 {
        if m.action { 500 } else { 0 }
    }
}

#[test]
fn the_space_is_the_one_that_is_asked_about() {
    let mut distances = PricedDistances::tables(Toll);
    let mut ask = |row: Row, forget: bool| {
        if forget {
            distances.forget();
        }
        [(0, 4), (4, 0), (2, 2)].map(|(from, to)| {
            let fuel = &mut Fuel::unlimited();
            distances.renew(&row, &Goals::one(NodeId(to)), NodeId(from), fuel).unwrap();
            let mut heuristic = distances.heuristic(&row, &Goals::one(NodeId(to)), NodeId(from));
            heuristic.estimate(&row, NodeId(from), fuel).unwrap().unwrap()
        })
    };
    assert_eq!(ask(Row { step: 1000, revision: 0 }, false), [6000, 4000, 0]);
    assert_eq!(ask(Row { step: 2000, revision: 1 }, false), [10_000, 8000, 0], "edited");
    assert_eq!(ask(Row { step: 100, revision: 1 }, true), [2400, 400, 0], "another one");
}

#[test]
fn a_clone_goes_on_by_itself() {
    let row = Row { step: 1000, revision: 0 };
    let mut one = PricedDistances::tables(Toll);
    let ask = |distances: &mut PricedDistances<Row, Toll>, from| {
        let mut heuristic = distances.heuristic(&row, &Goals::one(NodeId(4)), NodeId(from));
        let distance = heuristic.estimate(&row, NodeId(from), &mut Fuel::unlimited());
        (distance, distances.reverse_expanded())
    };
    assert_eq!(ask(&mut one, 3), (Ok(Some(1500)), 2));
    let mut two = one.clone();
    assert_eq!(ask(&mut two, 1), (Ok(Some(4500)), 4));
    assert_eq!(ask(&mut one, 2), (Ok(Some(3000)), 3));
}
