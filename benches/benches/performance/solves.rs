//! Whole solves, as the first call in a program: nothing is known before.

use std::hint::black_box;

use giveway::plan::fewest_ticks;
use giveway::spaces::{Connectivity, GraphSpace, SyncSpace};
use giveway::strategies::{CrowdSolver, Hca};
use giveway::{Footprint, Instance, Point};
use giveway_benches::worlds::graph;
use giveway_benches::{Benchmark, Contender, Times, benchmark, interleave};

use super::plain_tables::PlainTables;
use super::record::{Record, Row};

const REPETITIONS: usize = 5;

/// Maps, how many agents, and whether the map is solved as a graph, too.
const CASES: [(&str, usize, bool); 3] =
    [("random-32-32-20", 100, false), ("lak303d", 400, false), ("Berlin_1_256", 400, true)];

pub(crate) fn measure(record: &mut Record) {
    for (name, agents, with_graph) in CASES {
        if let Some(benchmark) = benchmark(name, agents) {
            on_map(record, &benchmark, with_graph);
        }
    }
}

fn on_map(record: &mut Record, benchmark: &Benchmark, with_graph: bool) {
    let Benchmark { name, grid, agents } = benchmark;
    assert_eq!(grid.connectivity(), Connectivity::Four, "as the tables");
    let space = GraphSpace::new(&graph(grid), |edge| *edge.weight()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let (on_grid, on_graph) = (Point::swap_rule(grid), Point::swap_rule(&space));
    let by_grid = Instance::new(grid, &on_grid, agents.clone()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let by_graph = Instance::new(&space, &on_graph, agents.clone()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let bound: u64 = fewest_ticks(&by_grid).into_iter().flatten().map(u64::from).sum();

    let plain = PlainTables::of(grid);
    // A new strategy for each solve: it keeps no distances.
    let mut tables = |_| drop(black_box(plain.all(black_box(grid), black_box(agents))));
    let mut whca = |_| _ = black_box(by_whca(&by_grid));
    let mut hca = |_| _ = black_box(by_hca(&by_grid));
    let mut graph_whca = |_| _ = black_box(by_whca(&by_graph));
    let mut graph_hca = |_| _ = black_box(by_hca(&by_graph));
    let mut contenders = vec![
        Contender { name: "T", work: &mut tables },
        Contender { name: "WHCA* on the grid", work: &mut whca },
        Contender { name: "HCA* on the grid", work: &mut hca },
    ];
    let mut costs = vec![None, by_whca(&by_grid), by_hca(&by_grid)];
    if with_graph {
        contenders.push(Contender { name: "WHCA* on the graph", work: &mut graph_whca });
        contenders.push(Contender { name: "HCA* on the graph", work: &mut graph_hca });
        costs.extend([by_whca(&by_graph), by_hca(&by_graph)]);
    }
    for (Times { name: contender, pieces }, cost) in interleave(REPETITIONS, 1, &mut contenders).iter().zip(costs) {
        record.keep(&Row {
            part: "solves",
            world: name,
            agents: Some(agents.len()),
            neighbours: Some(4),
            contender,
            cost,
            bound: Some(bound),
            time: Some(pieces[0]),
            ..Row::default()
        });
    }
}

/// The sum of costs, if all agents have a path.
fn by_whca<S: SyncSpace, F: Footprint<S> + Send + Sync>(instance: &Instance<'_, S, F>) -> Option<u64> {
    let solution = CrowdSolver::whca_star().solve(instance);
    solution.is_complete().then(|| solution.plan.sum_of_costs())
}

/// The sum of costs, if all agents have a path.
fn by_hca<S: SyncSpace, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> Option<u64> {
    let solution = Hca::hca_star().solve(instance);
    solution.is_complete().then(|| solution.plan.sum_of_costs())
}
