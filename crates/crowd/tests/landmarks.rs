//! Agents guided by landmarks in a town of one-way streets, which has no positions.

use giveway_check::Checker;
use giveway_core::heuristic::{ByMetric, HeuristicSource, Zero};
use giveway_core::{Agent, ConflictRule, NodeId, Point};
use giveway_crowd::CrowdSolver;
use giveway_distance::{Landmarks, TrueDistances};
use giveway_spaces::FnSpace;
use giveway_strategies::{Cooperative, Instance};

const SIDE: u32 = 8;

/// Streets from east to west and back in turn, and from north to south and back; those to the north are slow.
fn town() -> FnSpace {
    let forward = |line: u32, at: u32| if line.is_multiple_of(2) { at.checked_sub(1) } else { Some(at + 1) };
    FnSpace::new(SIDE * SIDE, |node| {
        let (x, y) = (node % SIDE, node / SIDE);
        let along = forward(y, x).filter(|x| *x < SIDE).map(|x| (y * SIDE + x, 1000));
        let across =
            forward(x + 1, y).filter(|y| *y < SIDE).map(|to| (to * SIDE + x, if to < y { 1500 } else { 1000 }));
        along.into_iter().chain(across)
    })
    .unwrap()
}

fn agents() -> Vec<Agent> {
    // All drive around each other, between 12 places of the rim.
    let places = [1, 3, 5, 15, 31, 47, 62, 60, 58, 48, 32, 16].map(NodeId);
    (0..places.len()).map(|index| Agent::new(places[index], places[(index + 5) % places.len()])).collect()
}

fn plan(heuristics: impl HeuristicSource<FnSpace>) -> (u64, u64) {
    let (town, agents) = (town(), agents());
    let point = Point::swap_rule(&town);
    let instance = Instance::new(&town, &point, agents.clone()).unwrap();
    let solution = Cooperative::new(heuristics).solve(&instance);
    assert!(solution.is_complete());
    assert_eq!(Checker::new(&town, ConflictRule::Swap).check(&agents, &solution.plan), []);
    (solution.expansions, solution.reverse_expansions)
}

#[test]
fn cooperative_search_by_landmarks_expands_less_than_without() {
    let landmarks = || Landmarks::new(&town(), 6);
    let [blind, guided, aimed] =
        [plan(ByMetric(Zero)), plan(ByMetric(landmarks())), plan(TrueDistances::aimed(landmarks()))];
    let (_, table) = plan(TrueDistances::<_, Zero>::tables());
    assert!(guided.0 * 3 < blind.0, "{guided:?} instead of {blind:?}");
    assert!(aimed.1 * 10 < table * 9, "{aimed:?} instead of {table}");
}

#[test]
fn a_crowd_by_landmarks_arrives() {
    let (town, agents) = (town(), agents());
    let point = Point::swap_rule(&town);
    let instance = Instance::new(&town, &point, agents.clone()).unwrap();
    let heuristics = ByMetric(Landmarks::new(&town, 6));
    let solution = CrowdSolver::whca_star().solve_under(&instance, heuristics, (), &mut ());
    assert!(solution.is_complete());
    assert_eq!(Checker::new(&town, ConflictRule::Swap).check(&agents, &solution.plan), []);
}
