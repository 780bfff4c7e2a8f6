//! Landmarks are consistent lower bounds on road maps of all kinds, at costs of all types; and searches use metrics in
//! the right direction.

use giveway_core::heuristic::{HeuristicSource as _, Metric, ToGoals, Zero};
use giveway_core::{Cost, Fuel, Goals, Heuristic, NodeId, SpaceGraph as _, SpatialSearch};
use giveway_distance::{Landmarks, Predecessors, PricedDistances, ReverseAStar, TrueDistances};
use ordered_float::OrderedFloat;

use crate::draws::Draws;
use crate::roads::{LARGE, Roads, WHOLE, coarse_fractions, fractions};

const MAPS: u64 = 500;

/// Never above the distance, and consistent in both arguments, without any allowance for rounding.
fn assert_lower_bound<C: Cost>(roads: &Roads<C>, metric: &impl Metric<Roads<C>>) {
    let distance = |from, to| metric.distance(roads, from, to);
    let truth = roads.distances();
    for from in roads.nodes() {
        assert_eq!(distance(from, from), C::zero());
        for to in roads.nodes() {
            let cost = truth.between(from, to);
            assert!(cost.is_none_or(|cost| distance(from, to) <= cost), "{from:?} to {to:?}: {cost:?} in {roads:?}");
        }
        for m in roads.nodes().flat_map(|node| roads.moves(node)) {
            let away = (distance(m.from, from), m.cost.plus(distance(m.to, from)));
            assert!(away.0 <= away.1, "{m:?} towards {from:?}: {away:?} in {roads:?}");
            let on = (distance(from, m.to), distance(from, m.from).plus(m.cost));
            assert!(on.0 <= on.1, "{m:?} from {from:?}: {on:?} in {roads:?}");
        }
    }
}

fn check_bounds<C: Cost>(prices: &[C]) {
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, prices);
        let landmarks = Landmarks::new(&roads, draws.below(6));
        assert_lower_bound(&roads, &landmarks);
        let by_hand =
            Landmarks::at(&roads, (0..draws.below(5)).map(|_| NodeId(u32::try_from(draws.below(16)).unwrap())));
        assert_lower_bound(&roads, &by_hand);
        // Places are closed, roads are closed, and roads get dearer.
        let mut changed = roads.clone();
        changed.open.iter_mut().for_each(|open| *open &= draws.below(6) > 0);
        changed.roads.retain(|_| draws.below(6) > 0);
        let dearer = |road: &mut (u32, u32, C)| road.2 = road.2.plus(draws.pick(prices));
        changed.roads.iter_mut().step_by(3).for_each(dearer);
        assert_lower_bound(&changed, &landmarks);
    }
}

#[test]
fn landmarks_are_consistent_lower_bounds_at_costs_of_all_types() {
    check_bounds::<u32>(&WHOLE);
    check_bounds::<u64>(&WHOLE.map(u64::from));
    check_bounds::<u64>(&LARGE);
    check_bounds::<OrderedFloat<f64>>(&fractions());
    check_bounds::<OrderedFloat<f32>>(&coarse_fractions());
    // Sums saturate.
    check_bounds::<u32>(&[0, 1, u32::MAX / 3, u32::MAX / 2, u32::MAX]);
    check_bounds::<u64>(&[0, 1, u64::MAX / 3, u64::MAX / 2, u64::MAX]);
}

/// Where each place is a landmark all distances are known, up to a share `slack` of the largest distance.
fn check_tightness<C: Cost>(prices: &[C], slack: f64) {
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, prices);
        let landmarks = Landmarks::new(&roads, 15);
        assert_eq!(landmarks.nodes().len(), roads.open.iter().filter(|open| **open).count(), "each place is one");
        let truth = roads.distances();
        let pairs = roads.nodes().flat_map(|from| roads.nodes().map(move |to| (from, to)));
        let costs: Vec<_> = pairs.filter_map(|(from, to)| Some((from, to, truth.between(from, to)?))).collect();
        let largest = costs.iter().map(|(.., cost)| *cost).max().map_or(0.0, |cost| cost.to_f64().unwrap());
        for (from, to, cost) in costs {
            let bound = landmarks.distance(&roads, from, to).to_f64().unwrap();
            assert!(bound >= cost.to_f64().unwrap() - slack * largest, "{bound}, not {cost:?} in {roads:?}");
        }
    }
}

#[test]
fn landmarks_know_the_distances_to_and_from_themselves() {
    check_tightness::<u32>(&WHOLE, 0.0);
    check_tightness::<u64>(&LARGE, 14.0 / f64::from(1 << 24));
    check_tightness::<OrderedFloat<f64>>(&fractions(), 14.0 / f64::from(1 << 24));
    check_tightness::<OrderedFloat<f32>>(&coarse_fractions(), 14.0 / f64::from(1 << 16));
}

#[test]
fn one_dear_road_does_not_make_the_others_cost_nothing() {
    fn check<C: Cost>(cheap: C, dear: C) {
        // A cheap road of 40 places, and a dear one that leads away from its end.
        let mut both: Vec<(u32, u32, C)> = (0..40).flat_map(|at| [(at, at + 1, cheap), (at + 1, at, cheap)]).collect();
        both.push((40, 41, dear));
        let roads = Roads { open: vec![true; 42], roads: both };
        let bound = Landmarks::at(&roads, [NodeId(0)]).distance(&roads, NodeId(40), NodeId(0)).to_f64().unwrap();
        let share = bound / cheap.times(40).to_f64().unwrap();
        assert!((0.5..=1.0).contains(&share), "{share} of the distance, at {cheap:?} and {dear:?}");
    }
    check::<u32>(1, u32::MAX - 1000);
    check::<OrderedFloat<f64>>(OrderedFloat(1.0), OrderedFloat(1e6));
    check::<OrderedFloat<f32>>(OrderedFloat(1.0), OrderedFloat(1e4));
    // Here the dear road is never driven on a cheapest way, so distances are small.
    let mut roads: Vec<_> = (0..40).map(|at| (at, at + 1, OrderedFloat(1.0))).collect();
    roads.push((0, 1, OrderedFloat(1e12)));
    let roads = Roads { open: vec![true; 41], roads };
    let bound = Landmarks::new(&roads, 2).distance(&roads, NodeId(0), NodeId(40));
    assert!((39.9..=40.0).contains(&bound.0), "{bound}");
}

fn expansions(expanded: &[u32]) -> u32 {
    expanded.iter().sum()
}

#[test]
fn a_star_by_landmarks_finds_cheapest_ways_and_expands_less_than_dijkstra() {
    let (mut by_landmarks, mut by_zero) = (0, 0);
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, &WHOLE);
        let landmarks = Landmarks::new(&roads, 4);
        let (mut search, truth) = (SpatialSearch::new(), roads.distances());
        for start in roads.nodes().filter(|node| roads.contains(*node)) {
            let goals: Goals = roads.nodes().filter(|_| draws.below(6) == 0).collect();
            let cheapest = truth.to_nearest(start, &goals);
            let (mut guided, mut blind) = (Vec::new(), Vec::new());
            let mut to_goals = ToGoals { metric: landmarks.clone(), goals: goals.clone() };
            let fuel = &mut Fuel::unlimited();
            let found = search.find_with(&roads, start, &goals, &mut to_goals, fuel, &mut guided);
            assert_eq!(found.ok().map(|route| route.cost), cheapest, "from {start:?} to {goals:?} in {roads:?}");
            let _ = search.find_with(&roads, start, &goals, &mut Zero, fuel, &mut blind);
            if let Some(cheapest) = cheapest {
                let is_near = |node: &NodeId| truth.between(start, *node).is_some_and(|cost| cost <= cheapest);
                let near = roads.nodes().filter(is_near).count();
                assert!(expansions(&guided) as usize <= near);
            }
            assert!(guided.iter().all(|times| *times <= 1), "a consistent heuristic");
            by_landmarks += expansions(&guided);
            by_zero += expansions(&blind);
        }
    }
    assert!(by_landmarks * 3 < by_zero * 2, "{by_landmarks} expansions, and {by_zero} without landmarks");
}

/// The distances of all pairs.
#[derive(Clone)]
struct Exact(Vec<Vec<u32>>);

impl Exact {
    fn of(roads: &Roads<u32>) -> Self {
        // Farther than any way; so the bound of pairs without a way is consistent, too.
        let truth = roads.distances();
        let between = |from, to| truth.between(from, to).unwrap_or(1 << 24);
        Self(roads.nodes().map(|from| roads.nodes().map(|to| between(from, to)).collect()).collect())
    }
}

impl Metric<Roads<u32>> for Exact {
    fn distance(&self, _roads: &Roads<u32>, from: NodeId, to: NodeId) -> u32 {
        self.0[from.index()][to.index()]
    }
}

#[test]
fn searches_ask_one_sided_metrics_in_the_direction_of_the_way() {
    for seed in 0..MAPS {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, &WHOLE);
        let (exact, truth) = (Exact::of(&roads), roads.distances());
        assert_lower_bound(&roads, &exact);
        let landmarks = Landmarks::new(&roads, 3);
        let predecessors = Predecessors::from_space(&roads);
        let mut aimed = TrueDistances::aimed(exact.clone());
        let mut by_landmarks = TrueDistances::aimed(landmarks.clone());
        let mut priced = PricedDistances::aimed((), exact.clone());
        for aim in roads.nodes().filter(|node| roads.contains(*node)) {
            let one = |draws: &mut Draws| NodeId(u32::try_from(draws.below(roads.node_bound())).unwrap());
            let goals: Goals = (0..1 + draws.below(3)).map(|_| one(draws)).collect();
            let existing: Goals = goals.nodes().iter().copied().filter(|goal| roads.contains(*goal)).collect();
            let fuel = &mut Fuel::unlimited();
            let mut reverse = ReverseAStar::new(predecessors.clone(), goals.clone(), aim, exact.clone());
            if let Ok(Some(cost)) = reverse.estimate(&roads, aim, fuel) {
                let left =
                    |node| existing.nodes().iter().map(|goal| exact.distance(&roads, node, *goal)).min().unwrap();
                let through = |node: &NodeId| exact.distance(&roads, aim, *node) + left(*node);
                let on_the_way = roads.nodes().filter(|node| through(node) <= cost).count() as u64;
                assert!(reverse.expanded() <= on_the_way, "{} instead of {on_the_way}: {roads:?}", reverse.expanded());
            }
            for node in roads.nodes() {
                let expected = truth.to_nearest(node, &existing).filter(|_| roads.contains(node));
                let ask = |name, found| assert_eq!(found, Ok(expected), "{name}: {node:?} to {goals:?} in {roads:?}");
                ask("reverse A*", reverse.estimate(&roads, node, fuel));
                ask("aimed", aimed.heuristic(&roads, &goals, aim).estimate(&roads, node, fuel));
                ask("landmarks", by_landmarks.heuristic(&roads, &goals, aim).estimate(&roads, node, fuel));
                ask("priced", priced.heuristic(&roads, &goals, aim).estimate(&roads, node, fuel));
            }
        }
    }
}

#[test]
fn landmarks_keep_the_contract_of_heuristics() {
    for seed in 0..40 {
        let draws = &mut Draws::new(seed);
        let roads = Roads::random(draws, &fractions());
        let landmarks = Landmarks::new(&roads, 3);
        let goals: Goals = roads.nodes().filter(|node| roads.contains(*node) && draws.below(5) == 0).collect();
        let to_goals = || ToGoals { metric: landmarks.clone(), goals: goals.clone() };
        giveway_conformance::heuristic(&roads, &goals, to_goals).unwrap();
    }
}

/// A road of `places` places from `begin` on, driven both ways at a cost of 10 for each step.
fn road(begin: u32, places: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    (begin..begin + places - 1).flat_map(|at| [(at, at + 1, 10), (at + 1, at, 10)])
}

fn landmarks(roads: &Roads<u32>, count: usize) -> Vec<u32> {
    Landmarks::new(roads, count).nodes().iter().map(|node| node.0).collect()
}

#[test]
fn landmarks_stand_far_from_each_other() {
    let both_ways = Roads { open: vec![true; 21], roads: road(0, 21).collect() };
    assert_eq!(landmarks(&both_ways, 4), [20, 0, 10, 5]);
    let one_way = Roads { open: vec![true; 21], roads: (0..20).map(|at| (at, at + 1, 10)).collect() };
    assert_eq!(landmarks(&one_way, 3), [20, 0, 10], "each place is a part of its own");
    let ring = Roads { open: vec![true; 12], roads: (0..12).map(|at| (at, (at + 1) % 12, 10)).collect() };
    assert_eq!(landmarks(&ring, 3), [6, 0, 3]);
    // Distances are kept once where they are equal both ways.
    let bytes = |roads| Landmarks::new(roads, 3).bytes();
    assert_eq!((bytes(&both_ways), bytes(&one_way)), (3 * 21 * 4, 3 * 21 * 8));
}

#[test]
fn parts_get_landmarks_in_proportion_to_their_places() {
    // Two roads, and five dead ends that can be entered and not left.
    let dead_ends = (44..49).map(|end| (end - 44, end, 10_000));
    let roads = Roads { open: vec![true; 49], roads: road(0, 30).chain(road(30, 14)).chain(dead_ends).collect() };
    assert_eq!(landmarks(&roads, 4), [29, 0, 43, 14]);
    let mut all = landmarks(&roads, 100);
    all.sort_unstable();
    assert_eq!(all, (0..49).collect::<Vec<u32>>());
    assert_eq!(landmarks(&roads, 0), []);
    let none = Landmarks::new(&roads, 0);
    assert_eq!((none.bytes(), none.distance(&roads, NodeId(0), NodeId(29))), (0, 0));
    let nowhere = Roads { open: Vec::new(), roads: Vec::new() };
    assert_eq!(landmarks(&nowhere, 3), []);
    let by_hand = Landmarks::at(&roads, [3, 99, 3, 44, u32::MAX].map(NodeId));
    assert_eq!(by_hand.nodes(), [3, 44].map(NodeId));
    assert_eq!(by_hand.distance(&roads, NodeId(0), NodeId(44)), 10_000);
    assert_eq!(by_hand.distance(&roads, NodeId(0), NodeId(u32::MAX)), 0);
}
