//! Quanta or safe intervals? Expansions and time of agents that plan one after the other around all before them, by
//! both time models, distances known: points on unit steps, and discs of three speeds in one world, where a step takes
//! many ticks.
//!
//! Plans differ between the models, since ties do, and with them what later agents find: beside the times stands what
//! the plans cost. Quanta are timed on the interval table, as safe intervals are, and on the window table, which suits
//! them best. Times are the least of all repetitions. No agent starts anew: an agent without a path stands where it is.

use std::cell::RefCell;
use std::hint::black_box;

use giveway::footprint::{Cells, Motion};
use giveway::heuristic::{DistanceTable, Predecessors};
use giveway::plan::{AtEnd, Path};
use giveway::search::{Query, Scene, SpaceTimeSearch, TimeModel};
use giveway::spaces::{Body, BodyFootprint, Clearance, CommonTicks, Connectivity, Grid, Ground};
use giveway::store::{Claim, IntervalTable, WindowTable};
use giveway::time::Ticks;
use giveway::{AgentId, ConflictRule, Footprint, Point, ReservationStore, SpaceGraph};
use giveway_benches::{Benchmark, Contender, Table, benchmark, interleave};

/// Maps, how many agents, and how discs are connected there.
const CASES: [(&str, usize, &[Connectivity]); 2] = [
    ("random-32-32-20", 50, &[Connectivity::Four, Connectivity::Eight]),
    // By quanta, with eight neighbours and 22 ticks to a step, this takes minutes.
    ("den312d", 100, &[Connectivity::Four]),
];
const REPETITIONS: usize = 3;

/// The horizon of the window store: longer than any of these plans.
const HORIZON: Ticks = 1 << 14;

fn main() {
    let mut table = Table::begin(&[
        "map",
        "agents",
        "units",
        "neighbours",
        "ticks/step",
        "planned by quanta, intervals",
        "mean cost, quotient",
        "expansions by quanta (of searches that found a path)",
        "by intervals",
        "ms by quanta (on window)",
        "by intervals",
        "times as fast",
    ]);
    for (name, agents, connectivities) in CASES {
        let Some(benchmark) = benchmark(name, agents) else { continue };
        points(&mut table, &benchmark);
        for connectivity in connectivities {
            discs(&mut table, &benchmark, *connectivity);
        }
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "safe_intervals");
}

fn points(table: &mut Table, benchmark: &Benchmark) {
    let space = &benchmark.grid;
    measure(table, benchmark, "points", [4, 1], &World::new(space, vec![Point::swap_rule(space)], benchmark));
}

/// Every third of them is of the same speed.
fn discs(table: &mut Table, benchmark: &Benchmark, connectivity: Connectivity) {
    let grid: Grid = benchmark.grid.clone().with_connectivity(connectivity);
    let bodies = [1.0, 2.0 / 3.0, 0.37].map(|speed| Body::disc(0.4).and_then(|disc| disc.speed(speed)).expect("small"));
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().expect("not too different");
    let classes = bodies.map(|body| body.on(&grid, Ground::from_grid(&grid), ticks).expect("it fits"));
    // They are of one size, and fit in the same places.
    let space: Clearance = classes[0].0.clone();
    let footprints: Vec<BodyFootprint> = classes.into_iter().map(|(_, footprint)| footprint).collect();
    let neighbours = if connectivity == Connectivity::Four { 4 } else { 8 };
    measure(table, benchmark, "discs", [neighbours, ticks], &World::new(&space, footprints, benchmark));
}

fn measure<S: SpaceGraph<Cost = u32>, F: Footprint<S>>(
    table: &mut Table,
    benchmark: &Benchmark,
    units: &'static str,
    [neighbours, ticks]: [u32; 2],
    world: &World<'_, S, F>,
) {
    let cells = world.cells();
    let [quanta, intervals] =
        [TimeModel::Quanta, TimeModel::SafeIntervals].map(|time| world.plan(time, &mut IntervalTable::new(cells)));
    assert_eq!(world.plan(TimeModel::Quanta, &mut WindowTable::new(cells, HORIZON)), quanta, "stores differ");
    let mut stores = [IntervalTable::new(cells), IntervalTable::new(cells)];
    let [first, second] = &mut stores;
    let mut window = WindowTable::new(cells, HORIZON);
    let times = interleave(
        REPETITIONS,
        1,
        &mut [
            Contender { name: "quanta", work: &mut |_| _ = black_box(world.plan(TimeModel::Quanta, first)) },
            Contender { name: "window", work: &mut |_| _ = black_box(world.plan(TimeModel::Quanta, &mut window)) },
            Contender { name: "intervals", work: &mut |_| _ = black_box(world.plan(TimeModel::SafeIntervals, second)) },
        ],
    );
    let [by_quanta, by_window, by_intervals] = [0, 1, 2].map(|which: usize| times[which].least() / 1e6);
    let Benchmark { name, agents, .. } = benchmark;
    table.row(&[
        name,
        &agents.len(),
        &units,
        &neighbours,
        &ticks,
        &format_args!("{}, {}", quanta.planned, intervals.planned),
        &format_args!("{:.4}", intervals.mean_cost() / quanta.mean_cost()),
        &format_args!("{} ({})", quanta.expansions, quanta.of_found),
        &format_args!("{} ({})", intervals.expansions, intervals.of_found),
        &format_args!("{by_quanta:.2} ({by_window:.2})"),
        &format_args!("{by_intervals:.2}"),
        &format_args!("{:.2} ({:.2})", by_quanta / by_intervals, by_window / by_intervals),
    ]);
    table.keep(&format!("{name}-{}-{units}-{neighbours}", agents.len()), &times);
}

/// Agents of several classes, taking turns, and how far each place is from where they want to be.
struct World<'a, S: SpaceGraph, F> {
    space: &'a S,
    classes: Vec<F>,
    benchmark: &'a Benchmark,
    distances: RefCell<Vec<DistanceTable<S>>>,
}

/// The result of planning for all.
#[derive(Clone, PartialEq, Debug, Default)]
struct Outcome {
    planned: u32,
    expansions: u64,
    /// Expansions of searches that found a path; the others had to look everywhere.
    of_found: u64,
    cost: u64,
}

impl Outcome {
    #[allow(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn mean_cost(&self) -> f64 {
        self.cost as f64 / f64::from(self.planned)
    }
}

impl<'a, S: SpaceGraph<Cost = u32>, F: Footprint<S>> World<'a, S, F> {
    fn new(space: &'a S, classes: Vec<F>, benchmark: &'a Benchmark) -> Self {
        let table =
            |agent: &giveway::Agent| DistanceTable::new(space, Predecessors::from_space(space), agent.goals.clone());
        let distances = RefCell::new(benchmark.agents.iter().map(table).collect());
        Self { space, classes, benchmark, distances }
    }

    fn cells(&self) -> Cells {
        self.classes[0].cells(self.space)
    }

    /// Plans all agents in order; an agent that finds no path stands.
    fn plan(&self, time: TimeModel, store: &mut impl ReservationStore) -> Outcome {
        let mut search = SpaceTimeSearch::new();
        let mut outcome = Outcome::default();
        let space = self.space;
        let agents = || self.benchmark.agents.iter().zip((0..).map(AgentId)).zip(self.classes.iter().cycle());
        store.clear();
        for ((agent, id), footprint) in agents() {
            // For as long as it cannot have left.
            let quickest = || space.moves(agent.start).filter_map(|m| footprint.duration(space, &m)).min();
            let ticks = match self.cells().rule() {
                ConflictRule::Swap => 0,
                ConflictRule::Following => quickest().unwrap_or(1),
            };
            let entries = footprint.entries(space, &Motion::Rest { node: agent.start, ticks }, 0);
            store.reserve(Claim::plain(id), &entries).expect("nobody stands in another");
        }
        for (((agent, id), footprint), distances) in agents().zip(self.distances.borrow_mut().iter_mut()) {
            let claim = Claim::plain(id);
            let query = Query { time, ..Query::new(claim, agent.start, agent.goals.clone()) };
            let scene = Scene { space, footprint, reservations: &*store, layer: &() };
            let found = search.find(&scene, query, distances);
            outcome.expansions += search.expanded();
            outcome.of_found += if found.is_ok() { search.expanded() } else { 0 };
            let path = found.unwrap_or_else(|_| Path::standing(agent.start, 0, AtEnd::Stay));
            let given = store.reserve(claim, &path.entries(space, footprint));
            if given.is_ok() && agent.goals.contains(path.end()) {
                outcome.planned += 1;
                outcome.cost += u64::from(path.cost);
            }
        }
        outcome
    }
}
