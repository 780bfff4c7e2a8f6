//! What does it cost to have a grid as a petgraph graph? Map, moves, their order and plans are equal; measured are
//! nanoseconds per expansion of HCA*, distances known.

use std::hint::black_box;

use giveway::spaces::{Connectivity, GraphSpace};
use giveway::strategies::{CooperativeDetails, SolutionIn};
use giveway::{Footprint, Instance, Point, SpaceGraph};
use giveway_benches::worlds::graph;
use giveway_benches::{Benchmark, Contender, Table, WarmHca, benchmark, interleave, warm_hca};

/// Maps, and how many agents.
const CASES: [(&str, usize); 3] = [("random-32-32-20", 100), ("den312d", 100), ("lak303d", 200)];
const REPETITIONS: usize = 21;

fn main() {
    let mut table =
        Table::begin(&["map", "agents", "neighbours", "expansions", "Grid, ns", "GraphSpace, ns", "GraphSpace / Grid"]);
    for (name, agents) in CASES {
        let Some(benchmark) = benchmark(name, agents) else { continue };
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            measure(&mut table, &benchmark, connectivity);
        }
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "graph_space");
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn measure(table: &mut Table, benchmark: &Benchmark, connectivity: Connectivity) {
    let Benchmark { name, grid, agents } = benchmark;
    let grid = grid.clone().with_connectivity(connectivity);
    let space = GraphSpace::new(&graph(&grid), |edge| *edge.weight()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let (on_grid, on_graph) = (Point::swap_rule(&grid), Point::swap_rule(&space));
    let (by_grid, by_graph) = (
        Instance::new(&grid, &on_grid, agents.clone()).unwrap_or_else(|why| panic!("{name}: {why}")),
        Instance::new(&space, &on_graph, agents.clone()).unwrap_or_else(|why| panic!("{name}: {why}")),
    );
    let (mut first, mut second) = (warm_hca(), warm_hca());
    let (one, other) = (solve(&mut first, &by_grid), solve(&mut second, &by_graph));
    if connectivity == Connectivity::Four {
        assert_eq!(one.expansions, other.expansions, "{name}: plans differ");
        assert_eq!(one.plan.sum_of_costs(), other.plan.sum_of_costs(), "{name}: plans differ");
    }
    let times = interleave(
        REPETITIONS,
        1,
        &mut [
            Contender { name: "grid", work: &mut |_| drop(black_box(solve(&mut first, &by_grid))) },
            Contender { name: "graph", work: &mut |_| drop(black_box(solve(&mut second, &by_graph))) },
        ],
    );
    let per_expansion = [times[0].least() / one.expansions as f64, times[1].least() / other.expansions as f64];
    let neighbours = if connectivity == Connectivity::Four { 4 } else { 8 };
    table.row(&[
        name,
        &agents.len(),
        &neighbours,
        &one.expansions,
        &format_args!("{:.0}", per_expansion[0]),
        &format_args!("{:.0}", per_expansion[1]),
        &format_args!("{:.2}", per_expansion[1] / per_expansion[0]),
    ]);
    table.keep(&format!("{name}-{}-{neighbours}", agents.len()), &times);
}

fn solve<S: SpaceGraph>(
    strategy: &mut WarmHca<S>,
    instance: &Instance<'_, S, Point>,
) -> SolutionIn<S, CooperativeDetails>
where
    Point: Footprint<S>,
{
    strategy.solve(instance)
}
