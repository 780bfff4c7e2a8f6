//! One agent amid others: what the search finds is legal, as cheap as the oracle says, and the same on every store.

use giveway_check::Checker;
use giveway_core::heuristic::Zero;
use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{
    AgentId, Asker, AtEnd, Claim, ConflictRule, CostLayer, FOREVER, Footprint, Fuel, Goals, Heuristic, MoveIn, NoPath,
    NodeId, Observer, Path, PathIn, Point, Query, ReservationStore, Scene, SpaceGraph, SpaceTimeSearch, Span,
    Suspended, Tick, TimeModel,
};
use giveway_distance::{DistanceTable, Predecessors, ReverseAStar};
use giveway_spaces::Grid;
use proptest::prelude::*;

use crate::oracle::amid_others::{Others, Question};
use crate::oracles::roles::{Body, Lorry, Terrain, price_of_waiting};
use crate::oracles::scenarios::{Scenario, scenarios, wander};
use crate::oracles::spaces::{PlainRoads, Roads, any_grid, meet_head_on, meet_on, pick, plain_roads};
use crate::oracles::{Ends, Float, cases};
use crate::world::{Price, Priced, assert_paths_legal, point, same, steps};

use ConflictRule::{Following, Swap};

pub(crate) type Answer<S> = (Result<PathIn<S>, NoPath>, u64, Vec<(NodeId, Tick)>);

/// Everything that was expanded, in order.
#[derive(Default)]
struct Trail(Vec<(NodeId, Tick)>);

impl Observer for Trail {
    fn expanded(&mut self, node: NodeId, tick: Tick) {
        self.0.push((node, tick));
    }
}

/// The heuristics that searches are tried with.
enum Estimates<S: SpaceGraph> {
    Zero,
    Table(DistanceTable<S>),
    Reverse(ReverseAStar<S, Zero>),
}

impl<S: SpaceGraph> Estimates<S> {
    fn new(number: u8, space: &S, query: &Query<S::Cost>) -> Self {
        let predecessors = Predecessors::from_space(space);
        match number {
            0 => Self::Zero,
            1 => Self::Table(DistanceTable::new(space, predecessors, query.goals.clone())),
            _ => Self::Reverse(ReverseAStar::new(predecessors, query.goals.clone(), query.start, Zero)),
        }
    }

    /// The least fuel for what was expanded: tables expand up to 64 nodes for a unit.
    fn least_work(&self) -> u64 {
        match self {
            Self::Zero => 0,
            Self::Table(table) => table.expanded() / 64,
            Self::Reverse(reverse) => reverse.expanded(),
        }
    }
}

impl<S: SpaceGraph> Heuristic<S> for Estimates<S> {
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match self {
            Self::Zero => Zero.estimate(space, node, fuel),
            Self::Table(table) => table.estimate(space, node, fuel),
            Self::Reverse(reverse) => reverse.estimate(space, node, fuel),
        }
    }
}

/// The answer in slices of fuel, and that all fuel is accounted for. One search is compiled for each space and store:
/// footprint, layer and heuristic come without their types.
pub(crate) fn search<S: SpaceGraph>(
    scene: &Scene<'_, S, impl Footprint<S>, impl ReservationStore, impl CostLayer<S>>,
    query: &Query<S::Cost>,
    heuristic: u8,
    slice: u64,
) -> Answer<S> {
    let Scene { space, footprint, reservations, layer } = *scene;
    let (footprint, layer): (&dyn Footprint<S>, &dyn CostLayer<S>) = (footprint, layer);
    search_by(&Scene { space, footprint: &footprint, reservations, layer: &layer }, query, heuristic, slice)
}

fn search_by<S: SpaceGraph, R: ReservationStore>(
    scene: &Scene<'_, S, &dyn Footprint<S>, R, &dyn CostLayer<S>>,
    query: &Query<S::Cost>,
    heuristic: u8,
    slice: u64,
) -> Answer<S> {
    let heuristic = &mut Estimates::new(heuristic, scene.space, query);
    let mut search = SpaceTimeSearch::new();
    let mut trail = Trail::default();
    search.begin(query.clone());
    let mut burnt = 0;
    let result = loop {
        let fuel = &mut Fuel::work(slice);
        let result = search.advance(scene, heuristic, fuel, &mut trail);
        burnt += slice - fuel.left();
        if result != Err(NoPath::Suspended(Suspended::OutOfFuel)) {
            break result;
        }
        assert_eq!(fuel.left(), 0, "the fuel is not out");
    };
    // Expansions that look at much cost more.
    assert!(burnt >= search.expanded() + heuristic.least_work());
    assert_eq!(trail.0.len() as u64, search.expanded());
    assert!(search.expanded() <= search.generated());
    (result, search.expanded(), trail.0)
}

/// All of a scenario in one space: three stores and the oracle must agree, and slices of fuel must not matter. Bodies
/// and layers come without their types, as every combination of types would be one more search to compile.
fn check_scenario<S: SpaceGraph<Cost: Price>>(
    space: &S,
    body: &dyn Footprint<S>,
    meet: &dyn Fn(Ends, Ends) -> bool,
    scenario: &Scenario,
) {
    for time in [TimeModel::Quanta, TimeModel::SafeIntervals] {
        match scenario.tolls {
            Some(tolls) => check_scenario_with(space, body, meet, scenario, time, &tolls),
            None => check_scenario_with(space, body, meet, scenario, time, &()),
        }
        check_scenario_with(space, body, meet, scenario, time, &Terrain { seed: 5 });
    }
}

fn check_scenario_with<S: SpaceGraph<Cost: Price>>(
    space: &S,
    body: &dyn Footprint<S>,
    meet: &dyn Fn(Ends, Ends) -> bool,
    scenario: &Scenario,
    time: TimeModel,
    layer: &dyn CostLayer<S>,
) {
    let (body, layer) = (&body, &layer);
    let begin = scenario.begin;
    let (rule, cells) = (body.rule(space), body.cells(space));
    let start = pick(space, scenario.start);
    let goals: Goals = scenario.goals.iter().map(|goal| pick(space, *goal)).collect();
    let claim = Claim::plain(AgentId(0));
    let query = Query {
        depart: begin,
        at_end: scenario.at_end,
        latest: scenario.latest.map_or(FOREVER, |ticks| begin + ticks),
        wait_cost: S::Cost::thousandths(scenario.wait_price),
        time,
        ..Query::new(claim, start, goals.clone())
    };
    // Safe intervals wait for any number of ticks.
    let by_intervals = time == TimeModel::SafeIntervals && layer.is_timeless();
    let quantum = if by_intervals { 1 } else { body.wait_quantum() };
    let wait_cost = query.wait_cost;
    let duration = |m: &MoveIn<S>| body.duration(space, m);
    let asker = Asker { claim, goals: &goals, depart: begin, yields_until: 0 };
    let surcharge = |m: &MoveIn<S>, tick| steps(layer.surcharge(space, m, tick, &asker));
    let wait = |node, tick| {
        let base = price_of_waiting(wait_cost, body.ticks_per_step(), tick - begin, quantum);
        steps(layer.wait(space, node, Span::lasting(tick, quantum), base, &asker))
    };
    let question = Question {
        space,
        meet,
        duration: &duration,
        longest: body.longest(space),
        quantum,
        start,
        depart: begin,
        goals: goals.nodes(),
        at_end: scenario.at_end,
        latest: scenario.latest.map(|ticks| begin + ticks),
        surcharge: &surcharge,
        wait: &wait,
        settled: layer.settled_from(),
    };

    // The others, as far as they are legal amid those before them and leave the agent its start.
    let standing = Path::standing(start, begin, AtEnd::Disappear);
    let mut others = Others::none(rule);
    let mut with_agent = Others::none(rule);
    with_agent.add::<S>(&standing);
    let mut sparse = SparseTable::new(cells);
    let mut window = WindowTable::new(cells, 64);
    let mut interval = IntervalTable::new(cells);
    let mut commit = |claim: Claim, path: &PathIn<S>| {
        let entries = path.entries(space, body);
        let none = &mut Vec::new();
        let results = [
            sparse.commit(claim, &entries, none).is_ok(),
            window.commit(claim, &entries, none).is_ok(),
            interval.commit(claim, &entries, none).is_ok(),
        ];
        assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
        results[0]
    };
    assert!(commit(claim, &standing));
    let mut paths: Vec<PathIn<S>> = Vec::new();
    for ((choice, choices, stays), id) in scenario.others.iter().zip(1..) {
        let path = wander(space, body, begin, pick(space, *choice), choices, *stays);
        let end = [path.end()];
        let journey = Question { start: path.start, goals: &end, at_end: path.at_end, latest: None, ..question };
        let legal = with_agent.free(path.start, begin..=begin) && journey.cost_of(&path, &with_agent).is_some();
        let taken = commit(Claim::plain(AgentId(id)), &path);
        assert_eq!(taken, legal, "{path:?}\namid {paths:?}");
        if taken {
            others.add::<S>(&path);
            with_agent.add::<S>(&path);
            paths.push(path);
        }
    }

    // All stores give equal answers, in slices, too.
    let scene = Scene { space, footprint: body, reservations: &sparse, layer };
    let heuristic = scenario.heuristic;
    let answer = search(&scene, &query, heuristic, 1_000_000);
    for slice in [1, 2, 3, 17] {
        assert!(search(&scene, &query, heuristic, slice) == answer, "in slices of {slice}");
    }
    let Scene { footprint, layer, .. } = scene;
    macro_rules! on {
        ($store:expr) => {
            Scene { space, footprint, reservations: $store, layer }
        };
    }
    assert!(search(&on!(&window), &query, heuristic, 1_000_000) == answer);
    assert!(search(&on!(&interval), &query, heuristic, 1_000_000) == answer);

    // The answer is right.
    let (result, _, trail) = answer;
    match (&result, question.cheapest(&others)) {
        (Ok(path), Some(cheapest)) => {
            let cost = steps(path.cost);
            assert!(same(cost, cheapest), "{cost} found, {cheapest} possible\n{path:?}\namid {paths:?}");
            let told = question.cost_of(path, &others);
            assert!(told.is_some_and(|told| same(told, cost)), "{told:?} is what it costs\n{path:?}\namid {paths:?}");
            paths.push(path.clone());
            assert_paths_legal(&Checker::new(space, rule), begin, &paths);
        }
        (Err(why), None) => {
            let unlimited = Question { latest: None, ..question };
            match (why, unlimited.cheapest(&others)) {
                (NoPath::LimitReached, _) => assert!(scenario.latest.is_some()),
                (NoPath::Exhausted, None) => {}
                outcome => panic!("{outcome:?} is left without the limit\namid {paths:?}"),
            }
        }
        outcome => panic!("{outcome:?}\namid {paths:?}"),
    }
    if scenario.latest.is_none() {
        let (settled, mut states) = (layer.settled_from().max(interval.settled_from()), trail);
        states.iter_mut().for_each(|(_, tick)| *tick = settled.min(*tick));
        let expanded = states.len();
        states.sort_unstable();
        states.dedup();
        assert_eq!(states.len(), expanded, "a state was expanded twice");
    }
}

fn check_scenario_on_grid<C: Price>(grid: &Grid, scenario: &Scenario) {
    let space = Priced::<C>::new(grid.clone());
    for rule in [Swap, Following] {
        check_scenario(&space, &point(&space, rule), &meet_on(grid), scenario);
    }
}

fn check_scenario_on_roads<C: Price>(roads: &PlainRoads, scenario: &Scenario) {
    let roads = Roads::<C>::new(roads);
    for rule in [Swap, Following] {
        check_scenario(&roads, &point(&roads, rule), &meet_head_on, scenario);
    }
    check_scenario(&roads, &Lorry, &meet_head_on, scenario);
    check_scenario(&roads, &Point::rounded(&roads, 2), &meet_head_on, scenario);
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn one_agent_amid_others_on_a_grid_does_as_well_as_can_be(grid in any_grid(4), scenario in scenarios()) {
        check_scenario_on_grid::<u32>(&grid, &scenario);
        check_scenario_on_grid::<Float>(&grid, &scenario);
    }

    #[test]
    fn one_agent_amid_others_on_roads_does_as_well_as_can_be(roads in plain_roads(), scenario in scenarios()) {
        check_scenario_on_roads::<u32>(&roads, &scenario);
        check_scenario_on_roads::<u64>(&roads, &scenario);
        check_scenario_on_roads::<Float>(&roads, &scenario);
    }

    #[test]
    fn a_slow_agent_on_a_grid_does_as_well_as_can_be(grid in any_grid(4), scenario in scenarios()) {
        check_scenario(&grid, &Lorry, &meet_on(&grid), &scenario);
        check_scenario(&grid, &Point::rounded(&grid, 2), &meet_on(&grid), &scenario);
    }
}
