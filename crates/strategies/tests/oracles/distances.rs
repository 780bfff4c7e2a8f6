//! True distances are true, and metrics are lower bounds.

use giveway_core::heuristic::{Euclidean, HeuristicSource as _, Manhattan, Metric, ToGoals, Zero};
use giveway_core::{Fuel, Goals, Heuristic, NodeId, SpaceGraph, Suspended};
use giveway_distance::{DistanceTable, Landmarks, Predecessors, ReverseAStar, TrueDistances};
use giveway_spaces::{Connectivity, Grid};
use proptest::prelude::*;
use proptest::sample::select;

use crate::oracle::distances::to_goals;
use crate::oracles::spaces::{PlainRoads, Roads, any_grid, metric, nodes, pick, plain_roads};
use crate::oracles::{Float, cases};
use crate::world::{Price, Priced, same, steps};

/// Asks in the order given, each time in slices of fuel; the same question twice gets the same answer for nothing.
fn ask<S: SpaceGraph>(space: &S, heuristic: &mut impl Heuristic<S>, questions: &[NodeId], slice: u64) -> Vec<f64> {
    let answer = |cost: Option<S::Cost>| cost.map_or(f64::INFINITY, steps);
    let mut answers = Vec::new();
    for node in questions {
        let estimate = loop {
            if let Ok(estimate) = heuristic.estimate(space, *node, &mut Fuel::work(slice)) {
                break estimate;
            }
        };
        assert_eq!(heuristic.estimate(space, *node, &mut Fuel::none()), Ok(estimate));
        answers.push(answer(estimate));
    }
    answers
}

/// The answer of the search for `goals`, which takes the place of all others where there is no room for it.
fn ask_within<S: SpaceGraph, M: Metric<S> + Clone>(
    space: &S,
    kept: &mut TrueDistances<S, M>,
    goals: &Goals,
    origin: NodeId,
    node: NodeId,
    slice: u64,
) -> f64 {
    loop {
        match kept.to(space, goals, origin).estimate(space, node, &mut Fuel::work(slice)) {
            Ok(estimate) => return estimate.map_or(f64::INFINITY, steps),
            Err(Suspended::OutOfFuel) => {}
            Err(Suspended::OutOfMemory) => kept.keep_only(&mut |other| other == goals),
        }
    }
}

/// Questions about distances, as plain data that suits any space.
#[derive(Clone, Debug)]
struct Questions {
    goals: Vec<usize>,
    aim: usize,
    nodes: Vec<usize>,
    /// How much fuel there is at a time.
    slice: u64,
}

fn questions() -> impl Strategy<Value = Questions> {
    let node = any::<usize>;
    let nodes = |count| proptest::collection::vec(node(), count);
    (nodes(0..4), node(), nodes(1..40), select(vec![1_u64, 2, 7, 1000]))
        .prop_map(|(goals, aim, nodes, slice)| Questions { goals, aim, nodes, slice })
}

/// Every true distance equals the oracle's, by whatever metric it is aimed and however fuel is dealt out.
fn check_distances<S: SpaceGraph>(space: &S, questions: &Questions, metrics: &[&dyn Metric<S>]) {
    let goals: Goals = questions.goals.iter().map(|goal| pick(space, *goal)).collect();
    let aim = pick(space, questions.aim);
    let slice = questions.slice;
    let questions: Vec<NodeId> = questions.nodes.iter().map(|node| pick(space, *node)).collect();
    let oracle = to_goals(space, goals.nodes());
    let expected: Vec<f64> = questions.iter().map(|node| oracle[node.index()]).collect();
    let agree = |answers: &[f64]| answers.iter().zip(&expected).all(|(a, b)| same(*a, *b));
    let predecessors = || Predecessors::from_space(space);
    let mut table = DistanceTable::new(space, predecessors(), goals.clone());
    let answers = ask(space, &mut table, &questions, slice);
    assert!(agree(&answers), "table: {answers:?} instead of {expected:?}");
    assert!(table.expanded() <= space.node_bound() as u64);
    for (index, metric) in metrics.iter().enumerate() {
        let metric = Borrowed(*metric);
        let mut search = ReverseAStar::new(predecessors(), goals.clone(), aim, metric.clone());
        let answers = ask(space, &mut search, &questions, slice);
        assert!(agree(&answers), "metric {index}: {answers:?} instead of {expected:?}");
        // A node that was closed twice would be counted twice.
        let reachable = oracle.iter().filter(|distance| distance.is_finite()).count() as u64;
        assert!(search.expanded() <= reachable);
        // Begun again elsewhere, the search gives equal answers.
        let before = search.expanded();
        search.restart(questions[0]);
        assert!(agree(&ask(space, &mut search, &questions, slice)));
        assert!(search.expanded() <= before + reachable);
        // So do kept searches, with room for one or for a few, aimed anew whenever they have outgrown their first way.
        for bytes in [0, 1 << 14] {
            let mut kept = TrueDistances::aimed(metric.clone()).keep_at_most(bytes);
            let answers: Vec<f64> = questions
                .iter()
                .map(|node| {
                    assert_eq!(ask_within(space, &mut kept, &Goals::one(*node), aim, *node, slice), 0.0);
                    ask_within(space, &mut kept, &goals, *node, *node, slice)
                })
                .collect();
            assert!(agree(&answers), "metric {index}, kept: {answers:?} instead of {expected:?}");
            assert!(bytes > 0 || kept.searches() <= 2);
        }
    }
    let beyond = NodeId(u32::try_from(space.node_bound()).unwrap());
    assert_eq!(table.estimate(space, beyond, &mut Fuel::unlimited()), Ok(None));
}

struct Borrowed<'a, S>(&'a dyn Metric<S>);

impl<S> Clone for Borrowed<'_, S> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<S: SpaceGraph> Metric<S> for Borrowed<'_, S> {
    fn distance(&self, space: &S, from: NodeId, to: NodeId) -> S::Cost {
        self.0.distance(space, from, to)
    }
}

/// Whether `a` is at most `b`, but for the rounding of sums.
fn at_most(a: f64, b: f64) -> bool {
    a <= b || same(a, b)
}

/// Below every cost, and consistent in both arguments.
fn check_metric<S: SpaceGraph>(space: &S, metric: &dyn Metric<S>) {
    let nodes = || nodes(space).filter(|node| space.contains(*node));
    let estimate = |from, to| steps(metric.distance(space, from, to));
    for goal in nodes() {
        let oracle = to_goals(space, &[goal]);
        assert!(same(estimate(goal, goal), 0.0));
        for node in nodes() {
            let distance = oracle[node.index()];
            assert!(at_most(estimate(node, goal), distance));
            for m in space.moves(node) {
                assert!(at_most(estimate(m.from, goal), steps(m.cost) + estimate(m.to, goal)));
                assert!(at_most(estimate(goal, m.to), estimate(goal, m.from) + steps(m.cost)));
            }
        }
    }
}

fn check_grid_heuristics<C: Price>(grid: &Grid, questions: &Questions) {
    let space = Priced::<C>::new(grid.clone());
    let manhattan = Manhattan { step: C::STEP };
    let (octile, euclidean) = (metric::<C>(grid), Euclidean::from_space(&space));
    let landmarks = Landmarks::new(&space, 3);
    let mut metrics: Vec<&dyn Metric<Priced<C>>> = vec![&Zero, &octile, &euclidean, &landmarks];
    if grid.connectivity() == Connectivity::Four {
        metrics.push(&manhattan);
    }
    for metric in &metrics {
        check_metric(&space, *metric);
    }
    check_distances(&space, questions, &metrics);
    check_distances(&space.without_inverse(), questions, &metrics);
}

fn check_road_heuristics<C: Price>(roads: &PlainRoads, questions: &Questions) {
    let roads = Roads::<C>::new(roads);
    let euclidean = Euclidean::from_space(&roads);
    let landmarks = Landmarks::new(&roads, 3);
    check_metric(&roads, &euclidean);
    check_metric(&roads, &landmarks);
    check_distances(&roads, questions, &[&Zero, &euclidean, &landmarks]);
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn true_distances_are_true_and_metrics_are_lower_bounds(
        grid in any_grid(5),
        roads in plain_roads(),
        questions in questions(),
    ) {
        check_grid_heuristics::<u32>(&grid, &questions);
        check_grid_heuristics::<Float>(&grid, &questions);
        check_road_heuristics::<u32>(&roads, &questions);
        check_road_heuristics::<Float>(&roads, &questions);
    }
}

#[test]
fn metrics_to_goals_take_the_nearest() {
    let grid = Grid::open(9, 1).unwrap();
    let mut to_goals =
        ToGoals { metric: Manhattan { step: 1000 }, goals: [NodeId(0), NodeId(8)].into_iter().collect() };
    let answers = ask(&grid, &mut to_goals, &[1, 3, 5, 8].map(NodeId), 0);
    assert_eq!(answers, [1.0, 3.0, 3.0, 0.0]);
    to_goals.goals = Goals::from_iter([]);
    assert_eq!(ask(&grid, &mut to_goals, &[NodeId(1)], 0), [f64::INFINITY]);
}
