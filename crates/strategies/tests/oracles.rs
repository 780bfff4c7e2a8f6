//! Searches, heuristics and strategies against oracles, over random worlds.

mod oracle;
mod world;

use std::ops::ControlFlow;

use giveway_core::heuristic::{
    ByMetric, DistanceTable, Euclidean, Manhattan, Metric, Octile, Predecessors, ReverseAStar, ToGoals, TrueDistances,
    Zero,
};
use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{
    Agent, AgentId, Asker, AtEnd, Cells, Checker, Claim, ConflictRule, Cost, CostLayer, Embedding, Entry, EntryVisitor,
    FOREVER, Footprint, Fuel, Goals, Heuristic, Instance, Motion, MotionIn, Move, MoveIn, NoPath, NodeId, Observer,
    OutOfFuel, Path, PathIn, Point, Query, ReservationStore, Scene, SpaceGraph, SpaceTimeSearch, Span, Step, Tick,
    Ticks,
};
use giveway_spaces::{Connectivity, CornerCutting, Grid};
use giveway_strategies::{Cooperative, Failure, Hca, Independent, Order, Restart, SolutionIn};
use ordered_float::OrderedFloat;
use proptest::prelude::*;
use proptest::sample::select;

use oracle::amid_others::{Others, Question};
use oracle::distances::to_goals;
use oracle::jointly::least_sum_of_costs;
use world::{Price, Priced, assert_legal, assert_paths_legal, point, same, steps};

use ConflictRule::{BothCells, Swap};

type Float = OrderedFloat<f64>;
type Ends = [NodeId; 2];

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// Spaces

/// Places joined by one-way roads of any price, some of them parallel, some of them leading back to where they begin.
#[derive(Clone, Debug)]
struct Roads<C> {
    roads: Vec<Vec<Move<u32, C>>>,
    positions: Vec<[f32; 3]>,
}

impl<C: Price> Roads<C> {
    /// From plain data: positions, and roads as (from, to, price in thousandths of a step).
    fn new(plain: &PlainRoads) -> Self {
        let nodes = plain.positions.len();
        let mut roads: Vec<Vec<Move<u32, C>>> = vec![Vec::new(); nodes];
        for ((from, to, price), action) in plain.roads.iter().zip(0..) {
            let (from, to) = (from % nodes, to % nodes);
            roads[from].push(Move {
                from: NodeId(u32::try_from(from).unwrap()),
                to: NodeId(u32::try_from(to).unwrap()),
                action,
                cost: C::thousandths(*price),
                // 0.4 to 2 units of length.
                length: f32::from(u8::try_from(action % 5).unwrap() + 1) * 0.4,
            });
        }
        Self { roads, positions: plain.positions.clone() }
    }
}

impl<C: Price> SpaceGraph for Roads<C> {
    type Action = u32;
    type Cost = C;

    fn node_bound(&self) -> usize {
        self.roads.len()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, C>> {
        self.roads.get(from.index()).into_iter().flatten().copied()
    }

    fn uniform_cost(&self) -> Option<C> {
        let mut costs = self.roads.iter().flatten().map(|m| m.cost);
        let first = costs.next()?;
        costs.all(|cost| cost == first).then_some(first)
    }
}

impl<C: Price> Embedding for Roads<C> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.positions[node.index()]
    }
}

#[derive(Clone, Debug)]
struct PlainRoads {
    positions: Vec<[f32; 3]>,
    roads: Vec<(usize, usize, u32)>,
}

fn plain_roads() -> impl Strategy<Value = PlainRoads> {
    let coordinate = || (-40_i8..40).prop_map(|tenths| f32::from(tenths) / 10.0);
    let position = (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| [x, y, z]);
    let price = select(vec![0, 1, 300, 999, 1000, 1000, 1414, 2000, 3141, 7000]);
    // On some maps all roads cost the same.
    let uniform = prop::option::weighted(0.3, Just(1000_u32));
    (
        proptest::collection::vec(position, 2..7),
        proptest::collection::vec((0_usize..7, 0_usize..7, price), 0..18),
        uniform,
    )
        .prop_map(|(positions, mut roads, uniform)| {
            for (_, _, price) in &mut roads {
                *price = uniform.unwrap_or(*price);
            }
            PlainRoads { positions, roads }
        })
}

/// Up to so many columns and rows, a quarter of them walls; some grids have terrain.
fn grids(most: u32, connectivity: Connectivity, terrain: bool) -> impl Strategy<Value = Grid> {
    let corners = select(vec![CornerCutting::Never, CornerCutting::OneFree, CornerCutting::Always]);
    let cells = most as usize * most as usize;
    (
        1..=most,
        1..=most,
        proptest::collection::vec(prop::bool::weighted(0.75), cells),
        proptest::collection::vec(select(vec![1_u32, 1, 1, 2, 5]), cells),
        corners,
    )
        .prop_map(move |(width, height, free, weights, corners)| {
            let at = |x: u32, y: u32| (y * most + x) as usize;
            // There is always somewhere to be.
            let grid = Grid::from_fn(width, height, |x, y| free[at(x, y)] || (x, y) == (0, 0)).unwrap();
            let grid = grid.with_connectivity(connectivity).with_corner_cutting(corners);
            if terrain { grid.with_terrain(|x, y| weights[at(x, y)]).unwrap() } else { grid }
        })
}

/// Any grid: four neighbours or eight, plain or with terrain.
fn any_grid(most: u32) -> impl Strategy<Value = Grid> {
    prop_oneof![
        2 => grids(most, Connectivity::Four, false),
        1 => grids(most, Connectivity::Four, true),
        2 => grids(most, Connectivity::Eight, false),
        1 => grids(most, Connectivity::Eight, true),
    ]
}

/// The `choice`-th node that exists.
fn pick(space: &impl SpaceGraph, choice: usize) -> NodeId {
    let nodes: Vec<NodeId> = nodes(space).filter(|node| space.contains(*node)).collect();
    nodes[choice % nodes.len()]
}

fn nodes<S: SpaceGraph>(space: &S) -> impl Iterator<Item = NodeId> + use<S> {
    (0..).map(NodeId).take(space.node_bound())
}

/// Ways of a grid meet if their middles are one point.
fn meet_on(grid: &Grid) -> impl Fn(Ends, Ends) -> bool {
    move |a, b| {
        let middle = |[from, to]: Ends| {
            let ((x, y), (u, v)) = (grid.xy(from), grid.xy(to));
            (x + u, y + v)
        };
        middle(a) == middle(b)
    }
}

/// Roads meet if they join the same places.
fn meet_head_on([a, b]: Ends, [c, d]: Ends) -> bool {
    [a, b] == [d, c]
}

// Bodies

/// A footprint, and in the oracle's words what it does.
trait Body<S: SpaceGraph>: Footprint<S> {
    fn rule(&self, space: &S) -> ConflictRule {
        self.cells(space).rule()
    }
    /// The most ticks that a move takes.
    fn longest(&self, space: &S) -> Ticks {
        let moves = nodes(space).flat_map(|node| space.moves(node));
        moves.filter_map(|m| self.duration(space, &m)).max().unwrap_or(1)
    }
}

impl<S: SpaceGraph, F: Footprint<S>> Body<S> for F {}

/// A unit that takes one to four ticks for a move, cannot make some moves at all, and waits for two ticks at a time.
struct Lorry;

impl<S: SpaceGraph> Footprint<S> for Lorry {
    fn cells(&self, space: &S) -> Cells {
        let [places, crossings] = [space.node_bound(), space.crossing_bound()].map(|count| count.try_into().unwrap());
        Cells::new(BothCells, places, crossings)
    }

    fn wait_quantum(&self) -> Ticks {
        2
    }

    fn duration(&self, _space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        Some((m.from.0 * 3 + m.to.0 * 7) % 5).filter(|ticks| *ticks > 0)
    }

    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let cells = Footprint::<S>::cells(self, space);
        let (ends, ticks) = match motion {
            Motion::Move(m) => ([m.from, m.to], self.duration(space, m).unwrap_or(1)),
            Motion::Rest { node, ticks } => ([*node; 2], (*ticks).max(1)),
        };
        let crossing = match motion {
            Motion::Move(m) => space.crossing(m).map(|crossing| cells.crossing(crossing)),
            Motion::Rest { .. } => None,
        };
        let places = ends.into_iter().map(|node| cells.place(node.0));
        let span = Span::lasting(depart, ticks);
        places.chain(crossing).try_for_each(|cell| entry(Entry { cell, span }))
    }
}

// Costs

/// Tolls that change from tick to tick, and end changing; pauses that cost less, nothing, or more.
#[derive(Clone, Copy, Debug)]
struct Tolls {
    seed: u32,
    until: Tick,
}

impl Tolls {
    /// 0..4, by what is asked, the same for all ticks from `until` on.
    fn draw(self, a: u32, b: u32, tick: Tick) -> u32 {
        let mixed = [a, b, tick.min(self.until)]
            .into_iter()
            .fold(self.seed, |mixed, part| (mixed ^ part).wrapping_mul(0x9E37_79B1).rotate_left(13));
        mixed % 4
    }
}

impl<S: SpaceGraph<Cost: Price>> CostLayer<S> for Tolls {
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::thousandths(700 * self.draw(m.from.0, m.to.0, depart))
    }

    fn wait(&self, _space: &S, node: NodeId, span: Span, _base: S::Cost, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::thousandths(400 * self.draw(node.0, u32::MAX, span.start))
    }

    fn settled_from(&self) -> Tick {
        self.until
    }
}

/// What a wait of `ticks` costs that begins `elapsed` ticks after the departure: so many parts of a step's price as pass.
fn price_of_waiting<C: Cost>(step: C, parts: Ticks, elapsed: Ticks, ticks: Ticks) -> C {
    let until = |ticks: Ticks| step.times(ticks).part(parts);
    until(elapsed + ticks).minus(until(elapsed))
}

// One agent amid others

/// What happens to one agent, as plain data that suits any space.
#[derive(Clone, Debug)]
struct Scenario {
    begin: Tick,
    /// Where others start, what they do, and whether they stay at the end.
    others: Vec<(usize, Vec<u8>, bool)>,
    start: usize,
    goals: Vec<usize>,
    at_end: AtEnd,
    /// Ticks after the beginning.
    latest: Option<Tick>,
    wait_price: u32,
    tolls: Option<Tolls>,
    heuristic: u8,
}

fn scenarios() -> impl Strategy<Value = Scenario> {
    // Some begin where a word of 64 ticks ends.
    let begin = prop_oneof![Just(0), 55_u32..65];
    let others =
        proptest::collection::vec((any::<usize>(), proptest::collection::vec(any::<u8>(), 0..9), any::<bool>()), 0..5);
    let at_end = prop_oneof![3 => Just(AtEnd::Stay), 1 => Just(AtEnd::Disappear)];
    let wait_price = select(vec![1000_u32, 1000, 1000, 0, 300, 2500]);
    let tolls = (any::<u32>(), 0_u32..75).prop_map(|(seed, until)| Tolls { seed, until });
    (
        (begin, others, any::<usize>()),
        proptest::collection::vec(any::<usize>(), 1..3),
        at_end,
        prop::option::weighted(0.3, 0_u32..12),
        wait_price,
        prop::option::weighted(0.3, tolls),
        0_u8..3,
    )
        .prop_map(|((begin, others, start), goals, at_end, latest, wait_price, tolls, heuristic)| Scenario {
            begin,
            others,
            start,
            goals,
            at_end,
            latest,
            wait_price,
            tolls,
            heuristic,
        })
}

/// The path that makes these choices: each a move, or a rest if it is beyond the moves.
fn wander<S: SpaceGraph>(
    space: &S,
    body: &impl Footprint<S>,
    begin: Tick,
    start: NodeId,
    choices: &[u8],
    stays: bool,
) -> PathIn<S> {
    let at_end = if stays { AtEnd::Stay } else { AtEnd::Disappear };
    let mut path = Path::standing(start, begin, at_end);
    let mut now = begin;
    for choice in choices {
        let at = path.end();
        let moves: Vec<(MoveIn<S>, Ticks)> =
            space.moves(at).filter_map(|m| Some((m, body.duration(space, &m)?))).collect();
        match moves.get(usize::from(*choice) % (moves.len() + 1)) {
            Some((m, duration)) => {
                path.steps.push(Step { motion: Motion::Move(*m), depart: now, arrive: now + duration });
            }
            None => path.push_rest(at, now, body.wait_quantum()),
        }
        now = path.steps.last().map_or(now, |step| step.arrive);
    }
    path
}

type Answer<S> = (Result<PathIn<S>, NoPath>, u64, Vec<(NodeId, Tick)>);

/// Everything that was expanded, in order.
#[derive(Default)]
struct Trail(Vec<(NodeId, Tick)>);

impl Observer for Trail {
    fn expanded(&mut self, node: NodeId, tick: Tick) {
        self.0.push((node, tick));
    }
}

/// The answer in slices of fuel, and that all fuel is accounted for.
fn search<S: SpaceGraph, L: CostLayer<S>>(
    scene: &Scene<'_, S, impl Footprint<S>, impl ReservationStore, L>,
    query: &Query<S::Cost>,
    heuristic: u8,
    slice: u64,
) -> Answer<S> {
    let (space, goals) = (scene.space, query.goals.clone());
    let predecessors = Predecessors::of(space);
    match heuristic {
        0 => search_by(scene, query, &mut Zero, slice, |_| 0),
        1 => {
            let table = &mut DistanceTable::new(space, predecessors, goals);
            search_by(scene, query, table, slice, DistanceTable::expanded)
        }
        _ => {
            let reverse = &mut ReverseAStar::new(space, predecessors, goals, query.start, Zero);
            search_by(scene, query, reverse, slice, ReverseAStar::expanded)
        }
    }
}

fn search_by<S: SpaceGraph, H: Heuristic<S>, L: CostLayer<S>>(
    scene: &Scene<'_, S, impl Footprint<S>, impl ReservationStore, L>,
    query: &Query<S::Cost>,
    heuristic: &mut H,
    slice: u64,
    reverse_expanded: impl Fn(&H) -> u64,
) -> Answer<S> {
    let mut search = SpaceTimeSearch::new();
    let mut trail = Trail::default();
    search.begin(query.clone());
    let mut burnt = 0;
    let result = loop {
        let fuel = &mut Fuel::expansions(slice);
        let result = search.advance(scene, heuristic, fuel, &mut trail);
        burnt += slice - fuel.left();
        if result != Err(NoPath::OutOfFuel) {
            break result;
        }
        assert_eq!(fuel.left(), 0, "the fuel is not out");
    };
    assert_eq!(burnt, search.expanded() + reverse_expanded(heuristic));
    assert_eq!(trail.0.len() as u64, search.expanded());
    assert!(search.expanded() <= search.generated());
    (result, search.expanded(), trail.0)
}

/// All of a scenario in one space: three stores and the oracle must agree, and slices of fuel must not matter.
fn check_scenario<S: SpaceGraph<Cost: Price>>(
    space: &S,
    body: &impl Body<S>,
    meet: &dyn Fn(Ends, Ends) -> bool,
    scenario: &Scenario,
) {
    match scenario.tolls {
        Some(tolls) => check_scenario_with(space, body, meet, scenario, &tolls),
        None => check_scenario_with(space, body, meet, scenario, &()),
    }
}

fn check_scenario_with<S: SpaceGraph<Cost: Price>, L: CostLayer<S>>(
    space: &S,
    body: &impl Body<S>,
    meet: &dyn Fn(Ends, Ends) -> bool,
    scenario: &Scenario,
    layer: &L,
) {
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
        ..Query::new(claim, start, goals.clone())
    };
    let quantum = body.wait_quantum();
    let wait_cost = query.wait_cost;
    let duration = |m: &MoveIn<S>| body.duration(space, m);
    let asker = Asker { claim, goals: &goals, depart: begin };
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

    // The same answer from all stores, and in slices.
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
    for rule in [Swap, BothCells] {
        check_scenario(&space, &point(&space, rule), &meet_on(grid), scenario);
    }
}

fn check_scenario_on_roads<C: Price>(roads: &PlainRoads, scenario: &Scenario) {
    let roads = Roads::<C>::new(roads);
    for rule in [Swap, BothCells] {
        check_scenario(&roads, &point(&roads, rule), &meet_head_on, scenario);
    }
    check_scenario(&roads, &Lorry, &meet_head_on, scenario);
    check_scenario(&roads, &Point::timed(&roads, 2), &meet_head_on, scenario);
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
        check_scenario(&grid, &Point::timed(&grid, 2), &meet_on(&grid), &scenario);
    }
}

// Several agents

/// Agents as plain data: where they start and where they want to be.
type Trips = Vec<(usize, usize)>;

fn trips(most: usize) -> impl Strategy<Value = Trips> {
    proptest::collection::vec((any::<usize>(), any::<usize>()), 1..=most)
}

/// Those of the trips that begin and end apart.
fn agents(space: &impl SpaceGraph, trips: &Trips) -> Vec<Agent> {
    let mut agents: Vec<Agent> = Vec::new();
    for (start, goal) in trips {
        let agent = Agent::new(pick(space, *start), pick(space, *goal));
        if agents.iter().all(|other| other.start != agent.start && other.goals != agent.goals) {
            agents.push(agent);
        }
    }
    agents
}

/// What every strategy makes of it, by name.
fn solutions<S: SpaceGraph, F: Footprint<S>>(
    instance: &Instance<'_, S, F>,
    metric: impl Metric<S> + Clone,
) -> Vec<(String, SolutionIn<S>)> {
    let mut solutions = Vec::new();
    let restarts = [Restart::Never, Restart::default(), Restart::Shuffled { times: 9, seed: 1 }];
    for order in [Order::AsGiven, Order::NearestFirst, Order::Random { seed: 7 }] {
        for restart in restarts {
            let name = |strategy: &str| format!("{strategy}, {order:?}, {restart:?}");
            let mut ca = Cooperative::new(ByMetric(metric.clone())).order(order).restart(restart);
            solutions.push((name("CA*"), ca.solve(instance, &mut ())));
            let mut hca = Hca::hca_star().order(order).restart(restart);
            solutions.push((name("HCA*"), hca.solve(instance, &mut ())));
            let aimed = TrueDistances::aimed(metric.clone());
            let mut hca = Cooperative::new(aimed).order(order).restart(restart);
            solutions.push((name("HCA* by reverse A*"), hca.solve(instance, &mut ())));
        }
    }
    solutions
}

fn check_jointly<S: Embedding>(
    space: &S,
    rule: ConflictRule,
    meet: &dyn Fn(Ends, Ends) -> bool,
    metric: impl Metric<S> + Clone,
    trips: &Trips,
    legal: impl Fn(&[Agent], &SolutionIn<S>),
) {
    let agents = agents(space, trips);
    let point = point(space, rule);
    let instance = Instance::new(space, &point, agents.clone()).unwrap();
    let least = least_sum_of_costs(space, rule, meet, &agents);
    for (name, solution) in solutions(&instance, metric.clone()) {
        legal(&agents, &solution);
        if solution.is_complete() {
            let cost = solution.plan.sum_of_costs();
            assert!(least.is_some_and(|least| cost >= least), "{name}: {cost} is less than {least:?}: {solution:?}");
        }
        if agents.len() == 1 {
            assert_eq!(solution.is_complete(), least.is_some(), "{name}");
        }
        for none in &solution.unplanned {
            let agent = &agents[none.agent.index()];
            let reachable = to_goals(space, agent.goals.nodes())[agent.start.index()].is_finite();
            assert!(reachable || none.why != Failure::Stopped);
            assert!(!reachable || none.why != Failure::Unreachable, "{name}");
        }
    }
    let blind = Independent::new(ByMetric(metric)).solve(&instance, &mut ());
    if blind.is_complete() {
        for (path, agent) in blind.plan.paths.iter().zip(&agents) {
            let alone = to_goals(space, agent.goals.nodes())[agent.start.index()];
            assert!(same(steps(path.cost), alone));
        }
    } else {
        assert_eq!(least, None);
    }
}

/// The strategies plan as the oracle does, agent after agent.
fn check_one_after_the_other<S: SpaceGraph<Cost: Price>>(
    space: &S,
    body: &impl Body<S>,
    meet: &dyn Fn(Ends, Ends) -> bool,
    trips: &Trips,
) {
    let agents = agents(space, trips);
    let instance = Instance::new(space, body, agents.clone()).unwrap();
    let mut strategy = Hca::hca_star().order(Order::AsGiven).restart(Restart::Never);
    let solution = strategy.solve(&instance, &mut ());
    let reachable = |agent: &Agent| to_goals(space, agent.goals.nodes())[agent.start.index()].is_finite();
    let unreachable = |agent: &Agent| !reachable(agent);
    let mut known: Vec<PathIn<S>> = agents
        .iter()
        .filter(|agent| unreachable(agent))
        .map(|agent| Path::standing(agent.start, 0, AtEnd::Stay))
        .collect();
    for (index, agent) in agents.iter().enumerate() {
        let mut others = Others::none(body.rule(space));
        known.iter().for_each(|path| others.add::<S>(path));
        for (other, agent) in agents.iter().enumerate() {
            if other != index {
                others.add::<S>(&Path::standing(agent.start, 0, AtEnd::Disappear));
            }
        }
        let question = Question {
            space,
            meet,
            duration: &|m| body.duration(space, m),
            longest: body.longest(space),
            quantum: body.wait_quantum(),
            start: agent.start,
            depart: 0,
            goals: agent.goals.nodes(),
            at_end: AtEnd::Stay,
            latest: None,
            surcharge: &|_, _| 0.0,
            wait: &|_, tick| steps(price_of_waiting(u32::STEP, body.ticks_per_step(), tick, body.wait_quantum())),
            settled: 0,
        };
        let path = &solution.plan.paths[index];
        let unplanned = solution.unplanned.iter().find(|none| none.agent.index() == index);
        match unplanned.map(|none| none.why) {
            None => {
                let (told, cheapest) = (question.cost_of(path, &others), question.cheapest(&others));
                assert!(
                    told.zip(cheapest).is_some_and(|(a, b)| same(a, b)),
                    "{told:?} instead of {cheapest:?}: {path:?}\nafter {known:?}"
                );
                known.push(path.clone());
            }
            Some(Failure::Unreachable) => assert!(unreachable(agent)),
            Some(why) => {
                assert_eq!(why, Failure::CutOff(NoPath::Exhausted));
                assert!(reachable(agent) && question.cheapest(&others).is_none());
                if others.free_for_ever(agent.start, 0) {
                    known.push(path.clone());
                }
            }
        }
    }
}

fn metric<C: Price>(grid: &Grid) -> Octile<C> {
    let diagonal = match grid.connectivity() {
        Connectivity::Four => 2000,
        Connectivity::Eight => 1414,
    };
    Octile { step: C::STEP, diagonal: C::thousandths(diagonal) }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_strategy_beats_the_joint_optimum(grid in any_grid(3), trips in trips(3)) {
        for rule in [Swap, BothCells] {
            let meet = &meet_on(&grid);
            let space = Priced::<Float>::new(grid.clone());
            let metrics = (metric::<u32>(&grid), metric::<Float>(&grid));
            check_jointly(&grid, rule, meet, metrics.0, &trips, |agents, solution| {
                assert_legal(&grid, rule, agents, solution);
            });
            check_jointly(&space, rule, meet, metrics.1, &trips, |agents, solution| {
                assert_legal(&space, rule, agents, solution);
            });
        }
    }

    #[test]
    fn no_strategy_beats_the_joint_optimum_in_a_corridor(
        length in 2_u32..9,
        bay in 0_u32..9,
        trips in trips(3),
    ) {
        let grid = Grid::from_fn(length, 2, |x, y| y == 0 || x == bay).unwrap();
        for rule in [Swap, BothCells] {
            check_jointly(&grid, rule, &meet_on(&grid), metric::<u32>(&grid), &trips, |agents, solution| {
                assert_legal(&grid, rule, agents, solution);
            });
        }
    }

    #[test]
    fn no_strategy_beats_the_joint_optimum_on_roads(roads in plain_roads(), trips in trips(3)) {
        let roads = Roads::<u32>::new(&roads);
        for rule in [Swap, BothCells] {
            let checker = Checker::new(&roads, rule);
            check_jointly(&roads, rule, &meet_head_on, Euclidean::of(&roads), &trips, |_, solution| {
                let planned = (0..).zip(&solution.plan.paths).filter(|(id, _)| {
                    solution.unplanned.iter().all(|none| none.agent != AgentId(*id))
                });
                let paths: Vec<_> = planned.map(|(_, path)| path.clone()).collect();
                assert_paths_legal(&checker, 0, &paths);
            });
        }
    }

    #[test]
    fn each_agent_does_as_well_as_those_before_it_permit(
        grid in any_grid(5),
        roads in plain_roads(),
        trips in trips(6),
    ) {
        let floats = Priced::<Float>::new(grid.clone());
        let roads = Roads::<u32>::new(&roads);
        for rule in [Swap, BothCells] {
            let meet = &meet_on(&grid);
            check_one_after_the_other(&grid, &point(&grid, rule), meet, &trips);
            check_one_after_the_other(&floats, &point(&floats, rule), meet, &trips);
            check_one_after_the_other(&roads, &point(&roads, rule), &meet_head_on, &trips);
        }
    }

    #[test]
    fn crowds_are_legal_and_the_same_again_on_every_store(
        grid in any_grid(7),
        trips in trips(14),
        order in select(vec![Order::NearestFirst, Order::FarthestFirst, Order::Random { seed: 5 }]),
    ) {
        let agents = agents(&grid, &trips);
        for rule in [Swap, BothCells] {
            let point = point(&grid, rule);
            let cells = Footprint::<Grid>::cells(&point, &grid);
            let instance = Instance::new(&grid, &point, agents.clone()).unwrap();
            let solution = Hca::hca_star().order(order).solve(&instance, &mut ());
            assert_legal(&grid, rule, &agents, &solution);
            let hca = || Hca::hca_star().order(order);
            let again = [
                hca().solve_on(&instance, &mut SparseTable::new(cells), &mut ()),
                hca().solve_on(&instance, &mut IntervalTable::new(cells), &mut ()),
                hca().solve_on(&instance, &mut WindowTable::new(cells, 5), &mut ()),
            ];
            for again in again {
                prop_assert_eq!(&again, &solution);
            }
            // Aimed searches know the same distances.
            let mut aimed = Cooperative::new(TrueDistances::aimed(metric(&grid))).order(order);
            let aimed = aimed.solve(&instance, &mut ());
            prop_assert_eq!((aimed.plan, aimed.expansions), (solution.plan, solution.expansions));
        }
    }
}

// Heuristics

/// Asks in the order given, each time in slices of fuel; the same question twice gets the same answer for nothing.
fn ask<S: SpaceGraph>(space: &S, heuristic: &mut impl Heuristic<S>, questions: &[NodeId], slice: u64) -> Vec<f64> {
    let answer = |cost: Option<S::Cost>| cost.map_or(f64::INFINITY, steps);
    let mut answers = Vec::new();
    for node in questions {
        let estimate = loop {
            if let Ok(estimate) = heuristic.estimate(space, *node, &mut Fuel::expansions(slice)) {
                break estimate;
            }
        };
        assert_eq!(heuristic.estimate(space, *node, &mut Fuel::expansions(0)), Ok(estimate));
        answers.push(answer(estimate));
    }
    answers
}

/// Every true distance equals the oracle's, by whatever metric it is aimed and however fuel is dealt out.
fn check_distances<S: SpaceGraph>(
    space: &S,
    goals: &Goals,
    aim: NodeId,
    questions: &[NodeId],
    slice: u64,
    metrics: &[&dyn Metric<S>],
) {
    let oracle = to_goals(space, goals.nodes());
    let expected: Vec<f64> = questions.iter().map(|node| oracle[node.index()]).collect();
    let agree = |answers: &[f64]| answers.iter().zip(&expected).all(|(a, b)| same(*a, *b));
    let predecessors = || Predecessors::of(space);
    let mut table = DistanceTable::new(space, predecessors(), goals.clone());
    let answers = ask(space, &mut table, questions, slice);
    assert!(agree(&answers), "table: {answers:?} instead of {expected:?}");
    assert!(table.expanded() <= space.node_bound() as u64);
    for (index, metric) in metrics.iter().enumerate() {
        let metric = Borrowed(*metric);
        let mut search = ReverseAStar::new(space, predecessors(), goals.clone(), aim, metric);
        let answers = ask(space, &mut search, questions, slice);
        assert!(agree(&answers), "metric {index}: {answers:?} instead of {expected:?}");
        // A node that was closed twice would be counted twice.
        let reachable = oracle.iter().filter(|distance| distance.is_finite()).count() as u64;
        assert!(search.expanded() <= reachable);
        // Begun again elsewhere it knows the same.
        let before = search.expanded();
        search.restart(space, questions[0]);
        assert!(agree(&ask(space, &mut search, questions, slice)));
        assert!(search.expanded() <= before + reachable);
    }
    let beyond = NodeId(u32::try_from(space.node_bound()).unwrap());
    assert_eq!(table.estimate(space, beyond, &mut Fuel::unlimited()), Ok(None));
}

#[derive(Clone, Copy)]
struct Borrowed<'a, S>(&'a dyn Metric<S>);

impl<S: SpaceGraph> Metric<S> for Borrowed<'_, S> {
    fn distance(&self, space: &S, from: NodeId, to: NodeId) -> S::Cost {
        self.0.distance(space, from, to)
    }
}

/// Whether `a` is at most `b`, but for the rounding of sums.
fn at_most(a: f64, b: f64) -> bool {
    a <= b || same(a, b)
}

/// Below every cost, in both directions, and consistent in both arguments.
fn check_metric<S: SpaceGraph>(space: &S, metric: &dyn Metric<S>) {
    let nodes = || nodes(space).filter(|node| space.contains(*node));
    let estimate = |from, to| steps(metric.distance(space, from, to));
    for goal in nodes() {
        let oracle = to_goals(space, &[goal]);
        assert!(same(estimate(goal, goal), 0.0));
        for node in nodes() {
            let distance = oracle[node.index()];
            assert!(at_most(estimate(node, goal), distance));
            assert!(at_most(estimate(goal, node), distance));
            for m in space.moves(node) {
                assert!(at_most(estimate(m.from, goal), steps(m.cost) + estimate(m.to, goal)));
                assert!(at_most(estimate(goal, m.to), estimate(goal, m.from) + steps(m.cost)));
            }
        }
    }
}

fn check_grid_heuristics<C: Price>(grid: &Grid, goals: &[usize], aim: usize, questions: &[usize], slice: u64) {
    let space = Priced::<C>::new(grid.clone());
    let goals: Goals = goals.iter().map(|goal| pick(&space, *goal)).collect();
    let questions: Vec<NodeId> = questions.iter().map(|node| pick(&space, *node)).collect();
    let aim = pick(&space, aim);
    let manhattan = Manhattan { step: C::STEP };
    let (octile, euclidean) = (metric::<C>(grid), Euclidean::of(&space));
    let mut metrics: Vec<&dyn Metric<Priced<C>>> = vec![&Zero, &octile, &euclidean];
    if grid.connectivity() == Connectivity::Four {
        metrics.push(&manhattan);
    }
    for metric in &metrics {
        check_metric(&space, *metric);
    }
    check_distances(&space, &goals, aim, &questions, slice, &metrics);
    let secretive = space.without_inverse();
    check_distances(&secretive, &goals, aim, &questions, slice, &metrics);
}

fn check_road_heuristics<C: Price>(roads: &PlainRoads, goals: &[usize], aim: usize, questions: &[usize], slice: u64) {
    let roads = Roads::<C>::new(roads);
    let goals: Goals = goals.iter().map(|goal| pick(&roads, *goal)).collect();
    let questions: Vec<NodeId> = questions.iter().map(|node| pick(&roads, *node)).collect();
    let euclidean = Euclidean::of(&roads);
    check_metric(&roads, &euclidean);
    check_distances(&roads, &goals, pick(&roads, aim), &questions, slice, &[&Zero, &euclidean]);
}

/// Notes every node that it is asked about.
struct Recorder<H> {
    heuristic: H,
    asked: Vec<NodeId>,
}

impl<S: SpaceGraph, H: Heuristic<S>> Heuristic<S> for Recorder<H> {
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, OutOfFuel> {
        self.asked.push(node);
        self.heuristic.estimate(space, node, fuel)
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn true_distances_are_true_and_metrics_are_lower_bounds(
        grid in any_grid(5),
        roads in plain_roads(),
        goals in proptest::collection::vec(any::<usize>(), 0..4),
        aim in any::<usize>(),
        questions in proptest::collection::vec(any::<usize>(), 1..40),
        slice in select(vec![1_u64, 2, 7, 1000]),
    ) {
        check_grid_heuristics::<u32>(&grid, &goals, aim, &questions, slice);
        check_grid_heuristics::<Float>(&grid, &goals, aim, &questions, slice);
        check_road_heuristics::<u32>(&roads, &goals, aim, &questions, slice);
        check_road_heuristics::<Float>(&roads, &goals, aim, &questions, slice);
    }

    #[test]
    fn a_lone_agent_expands_its_path_and_no_more(
        grid in any_grid(7),
        roads in plain_roads(),
        trip in trips(1),
    ) {
        fn check<S: SpaceGraph<Cost: Price>>(space: &S, trip: &Trips) {
            let point = Point::swap_rule(space);
            let instance = Instance::new(space, &point, agents(space, trip)).unwrap();
            let solution = Hca::hca_star().solve(&instance, &mut ());
            if solution.is_complete() {
                assert_eq!(solution.expansions, u64::from(solution.plan.paths[0].arrival()) + 1);
            } else {
                assert_eq!(solution.expansions, 0);
            }
        }
        check(&grid, &trip);
        // Over a road that costs nothing, g does not grow, and ties do not end at the goal.
        let mut roads = roads;
        roads.roads.retain(|(_, _, price)| *price > 0);
        check(&Roads::<u32>::new(&roads), &trip);
    }

    /// A delay of k steps widens the question by the k steps, and one step away and back.
    #[test]
    fn a_delayed_agent_asks_no_further_than_its_delay(grid in grids(7, Connectivity::Four, false), scenario in scenarios()) {
        let point = Point::swap_rule(&grid);
        let mut store = IntervalTable::new(Footprint::<Grid>::cells(&point, &grid));
        let start = pick(&grid, scenario.start);
        let goals = Goals::one(pick(&grid, scenario.goals[0]));
        let claim = Claim::plain(AgentId(0));
        let standing = Path::standing(start, 0, AtEnd::Disappear);
        store.commit(claim, &standing.entries(&grid, &point), &mut Vec::new()).unwrap();
        for ((choice, choices, stays), id) in scenario.others.iter().zip(1..) {
            let path = wander(&grid, &point, 0, pick(&grid, *choice), choices, *stays);
            let _ = store.commit(Claim::plain(AgentId(id)), &path.entries(&grid, &point), &mut Vec::new());
        }
        let scene = Scene { space: &grid, footprint: &point, reservations: &store, layer: &() };
        let query = Query::new(claim, start, goals.clone());
        let aimed = ReverseAStar::new(&grid, Predecessors::of(&grid), goals.clone(), start, Manhattan { step: 1000 });
        let mut recorder = Recorder { heuristic: aimed, asked: Vec::new() };
        let found = SpaceTimeSearch::new().find(&scene, query, &mut recorder, &mut Fuel::unlimited(), &mut ());
        if let Ok(path) = found {
            let to_goal = to_goals(&grid, goals.nodes());
            // Every grid move leads back at the same cost.
            let from_start = to_goals(&grid, &[start]);
            let delayed = steps(path.cost) - to_goal[start.index()];
            for node in recorder.asked {
                let f = from_start[node.index()] + to_goal[node.index()];
                prop_assert!(f <= to_goal[start.index()] + delayed + 2.0, "{node:?}: {f}, delay {delayed}");
            }
        }
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
