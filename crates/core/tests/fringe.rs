//! Fringe search finds routes as cheap as A* does, by any heuristic that never exceeds the cost that is left.

use giveway_core::heuristic::Zero;
use giveway_core::{Cost, FringeSearch, Fuel, Goals, NoPath, NodeId, Route, SpaceGraph, SpatialSearch, Suspended};
use ordered_float::OrderedFloat;

use crate::draws::Draws;
use crate::roads::{Roads, WHOLE, fractions};
use crate::shares::Shares;

const MAPS: u64 = 500;

/// The moves lead from the start to a goal, and cost what the route says.
fn assert_leads<C: Cost>(roads: &Roads<C>, start: NodeId, goals: &Goals, route: &Route<u32, C>) {
    let mut at = start;
    let mut cost = C::zero();
    for m in &route.moves {
        assert!(roads.moves(at).any(|other| other == *m), "{m:?} from {at:?}");
        (at, cost) = (m.to, cost.plus(m.cost));
    }
    assert!(route.start == start && goals.contains(at));
    assert_same(Some(cost), Some(route.cost), roads);
}

/// Equal, or equal up to the rounding of sums.
fn assert_same<C: Cost>(one: Option<C>, other: Option<C>, roads: &Roads<C>) {
    let [a, b] = [one, other].map(|cost| cost.map_or(f64::INFINITY, |cost| cost.to_f64().unwrap()));
    let slack = if C::floor(0.5).is_zero() { 0.0 } else { 1e-9 };
    assert!(a == b || (a - b).abs() <= slack, "{one:?} and {other:?} in {roads:?}");
}

fn check<C: Cost>(prices: &[C]) {
    let (mut fringe, mut a_star) = (FringeSearch::new(), SpatialSearch::new());
    let mut reopened = false;
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, prices);
        let truth = roads.distances();
        for start in roads.nodes() {
            let goals: Goals = roads.nodes().filter(|_| draws.below(5) == 0).collect();
            let cheapest = truth.to_nearest(start, &goals).filter(|_| roads.contains(start));
            let mut halves = Shares::new(&roads, &truth, &goals, || 2);
            let mut shares = Shares::new(&roads, &truth, &goals, || draws.pick(&[1, 1, 2, 5, 1000]));
            let mut expanded = Vec::new();
            let fuel = &mut Fuel::unlimited();
            let found = [
                fringe.find(&roads, start, &goals, &mut Zero),
                fringe.find(&roads, start, &goals, &mut halves),
                fringe.find_with(&roads, start, &goals, &mut shares, fuel, &mut expanded),
                FringeSearch::new().find(&roads, start, &goals, &mut halves),
                a_star.find(&roads, start, &goals, &mut halves),
            ];
            reopened |= expanded.iter().any(|times| *times > 1);
            for route in found {
                assert_same(route.as_ref().ok().map(|route| route.cost), cheapest, &roads);
                match route {
                    Ok(route) => assert_leads(&roads, start, &goals, &route),
                    Err(why) => assert_eq!(why, NoPath::Exhausted),
                }
            }
        }
    }
    assert!(reopened, "no heuristic was inconsistent");
}

#[test]
fn routes_are_cheapest_by_consistent_and_inconsistent_heuristics() {
    check::<u32>(&WHOLE);
    check::<u64>(&WHOLE.map(u64::from));
    check::<OrderedFloat<f64>>(&fractions());
    // All costs equal, and all costs zero.
    check_uniform(1000);
    check_uniform(0);
}

/// With a consistent heuristic no node is expanded twice.
fn check_uniform(price: u32) {
    let mut fringe = FringeSearch::new();
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, &[price]);
        let truth = roads.distances();
        for (start, goal) in roads.nodes().filter(|node| roads.contains(*node)).zip(roads.nodes()) {
            let goals = Goals::one(goal);
            let mut expanded = Vec::new();
            let mut halves = Shares::new(&roads, &truth, &goals, || 2);
            let fuel = &mut Fuel::unlimited();
            let found = fringe.find_with(&roads, start, &goals, &mut halves, fuel, &mut expanded);
            assert_eq!(found.ok().map(|route| route.cost), truth.to_nearest(start, &goals));
            assert!(expanded.iter().all(|times| *times <= 1), "{expanded:?}");
        }
    }
}

/// A road of 200 places, driven both ways, whose steps all cost differently.
fn long_road() -> Roads<u32> {
    let steps = (0..199_u32).flat_map(|at| [(at, at + 1, 1000 + at), (at + 1, at, 1000 + at)]);
    Roads { open: vec![true; 200], roads: steps.collect() }
}

#[test]
fn an_abandoned_search_has_burnt_all_fuel_and_leaves_nothing_behind() {
    let road = long_road();
    let mut fringe = FringeSearch::new();
    let goals = Goals::one(NodeId(120));
    let mut find = |fuel: &mut Fuel| {
        let mut expanded = Vec::new();
        let found = fringe.find_with(&road, NodeId(100), &goals, &mut Zero, fuel, &mut expanded);
        (found.map(|route| route.cost), expanded.iter().sum::<u32>())
    };
    let unlimited = &mut Fuel::work(1000);
    let (cost, expanded) = find(unlimited);
    assert_eq!(cost, Ok((100..120).map(|at| 1000 + at).sum()));
    let burnt = 1000 - unlimited.left();
    // In each of 40 passes one end is left, and the next place of the other end: 80 places.
    assert_eq!((expanded, burnt), (41, 41 + 80 / 16));
    for work in 0..burnt {
        let fuel = &mut Fuel::work(work);
        assert_eq!(find(fuel).0, Err(NoPath::Suspended(Suspended::OutOfFuel)), "{work}");
        assert_eq!(fuel.left(), 0);
    }
    assert_eq!(find(&mut Fuel::work(burnt)), (cost, expanded));
}

#[test]
fn goals_out_of_reach_and_starts_that_do_not_exist_have_no_routes() {
    let road = Roads { open: vec![true, true, false], roads: vec![(0, 1, 5_u32), (0, 2, 5)] };
    let mut fringe = FringeSearch::new();
    let mut find = |start, goals: &[u32]| {
        let goals = goals.iter().copied().map(NodeId).collect();
        fringe.find(&road, NodeId(start), &goals, &mut Zero).map(|route| (route.moves.len(), route.cost))
    };
    assert_eq!(find(0, &[1]), Ok((1, 5)));
    assert_eq!(find(0, &[0, 1]), Ok((0, 0)));
    for (start, goals) in [(1, &[0_u32][..]), (0, &[2]), (2, &[2]), (2, &[0]), (3, &[0]), (u32::MAX, &[0]), (0, &[])] {
        assert_eq!(find(start, goals), Err(NoPath::Exhausted), "from {start} to {goals:?}");
    }
    let nowhere = Roads::<u32> { open: Vec::new(), roads: Vec::new() };
    assert!(fringe.find(&nowhere, NodeId(0), &Goals::one(NodeId(0)), &mut Zero).is_err());
    // A search that was used for a large map is used for a small one, and back.
    let (long, goals) = (long_road(), Goals::one(NodeId(199)));
    let truth = long.distances();
    let mut halves = Shares::new(&long, &truth, &goals, || 2);
    let cost = fringe.find(&long, NodeId(0), &goals, &mut halves).map(|route| route.cost);
    assert_eq!(cost.ok(), truth.between(NodeId(0), NodeId(199)));
}
