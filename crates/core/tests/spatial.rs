//! The spatial A* finds cheapest routes, finds equal routes with used and with fresh memory, and does no more work than
//! it has fuel.

use giveway_core::heuristic::Zero;
use giveway_core::{Cost, Fuel, Goals, Heuristic, NoPath, NodeId, SpaceGraph, SpatialSearch, Suspended};

use crate::draws::Draws;
use crate::roads::{LARGE, Roads, WHOLE, coarse_fractions, fractions};
use crate::shares::Shares;

const MAPS: u64 = 300;

/// Rounding may add this part to a cost.
const SLACK: f64 = 1e-5;

fn check<C: Cost>(prices: &[C]) {
    let mut used = SpatialSearch::new();
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, prices);
        let truth = roads.distances();
        for start in roads.nodes() {
            let goals: Goals = roads.nodes().filter(|_| draws.below(5) == 0).collect();
            let cheapest = truth.to_nearest(start, &goals).filter(|_| roads.contains(start));
            check_route(&roads, start, &goals, &mut used, &mut Zero, cheapest);
            let mut halves = Shares::new(&roads, &truth, &goals, || 2);
            check_route(&roads, start, &goals, &mut used, &mut halves, cheapest);
        }
    }
}

fn check_route<C: Cost>(
    roads: &Roads<C>,
    start: NodeId,
    goals: &Goals,
    used: &mut SpatialSearch<u32, C>,
    heuristic: &mut impl Heuristic<Roads<C>>,
    cheapest: Option<C>,
) {
    let (mut expanded, enough) = (Vec::new(), 1000);
    let fuel = &mut Fuel::work(enough);
    let found = used.find_with(roads, start, goals, heuristic, fuel, &mut expanded);
    assert_eq!(found, SpatialSearch::new().find(roads, start, goals, heuristic), "from {start:?} in {roads:?}");
    assert!(expanded.iter().all(|times| *times <= 1), "{expanded:?}");

    // It ends with as much fuel as it burnt, and with no less.
    let burnt = enough - fuel.left();
    assert_eq!(burnt, expanded.iter().copied().map(u64::from).sum::<u64>());
    for work in 0..=burnt {
        let found_with = used.find_with(roads, start, goals, heuristic, &mut Fuel::work(work), &mut ());
        let out_of_fuel = Err(NoPath::Suspended(Suspended::OutOfFuel));
        assert_eq!(found_with, if work < burnt { out_of_fuel } else { found.clone() });
    }

    match found {
        Err(why) => assert_eq!((why, cheapest), (NoPath::Exhausted, None)),
        Ok(route) => {
            let (mut at, mut cost) = (start, C::zero());
            for m in &route.moves {
                assert!(m.from == at && roads.moves(at).any(|other| other == *m), "{m:?} from {at:?}");
                (at, cost) = (m.to, cost.plus(m.cost));
            }
            assert!(route.start == start && goals.contains(at));
            assert_eq!(route.cost, cost, "the very sum, rounded as the search rounds");
            let [cost, cheapest] = [Some(cost), cheapest].map(|cost| cost.unwrap().to_f64().unwrap());
            let slack = if C::floor(0.5).is_zero() { 0.0 } else { SLACK * (1.0 + cheapest) };
            assert!((cost - cheapest).abs() <= slack, "{cost} instead of {cheapest} in {roads:?}");
        }
    }
}

#[test]
fn routes_are_cheapest_whatever_costs_are() {
    check::<u32>(&WHOLE);
    check::<u32>(&[1000]);
    check::<u32>(&[0, u32::MAX / 3, u32::MAX]);
    check::<u64>(&LARGE);
    check(&fractions());
    check(&coarse_fractions());
}

#[test]
fn of_several_moves_to_a_node_the_route_has_the_cheapest() {
    let roads = Roads { open: vec![true; 2], roads: vec![(0, 1, 7_u32), (0, 1, 5), (0, 0, 1), (0, 1, 5)] };
    let route = SpatialSearch::new().find(&roads, NodeId(0), &Goals::one(NodeId(1)), &mut Zero).unwrap();
    assert_eq!((route.moves[0].action, route.moves.len(), route.cost), (1, 1, 5));
}

#[test]
fn a_search_used_on_a_large_map_does_not_leave_a_small_one() {
    let long = Roads { open: vec![true; 600], roads: (0..599).map(|at| (at, at + 1, 1000_u32)).collect() };
    let short = Roads { open: vec![true; 2], roads: vec![(0, 1, 1000_u32)] };
    let mut search = SpatialSearch::new();
    for (roads, goal, cost) in [(&long, 599, 599_000), (&short, 1, 1000), (&long, 400, 400_000)] {
        let route = search.find(roads, NodeId(0), &Goals::one(NodeId(goal)), &mut Zero);
        assert_eq!(route.map(|route| route.cost), Ok(cost));
    }
    assert_eq!(search.find(&short, NodeId(0), &Goals::one(NodeId(7)), &mut Zero), Err(NoPath::Exhausted));
}
