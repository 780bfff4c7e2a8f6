//! How fast is single-agent A*, beside the `pathfinding` and `petgraph` crates on the same queries?
//!
//! Every contender gets the same cells, moves, costs and estimates, and returns a path; the costs are compared. Nobody
//! preprocesses, except that petgraph's graph is built before the clock starts. Each gets its data in the form that
//! suits it best:
//! * ours: the grid and its own metric, with the search's memory reused from query to query, or fresh for each;
//! * pathfinding: nodes are 32-bit ids, successors come from the grid's `moves`, the estimate from integer arithmetic;
//! * petgraph: a compressed sparse row graph, the estimate from an array of coordinates.

use std::hint::black_box;

use giveway::heuristic::{Manhattan, Metric, Octile, ToGoals};
use giveway::search::{Fuel, SpatialSearch};
use giveway::spaces::{Connectivity, Direction, Grid};
use giveway::{Goals, NodeId, SpaceGraph};
use giveway_benches::{Benchmark, Contender, Table, benchmarks, interleave};
use petgraph::Directed;
use petgraph::csr::Csr;

/// The largest number of lines of each scenario, from the first on.
const QUERIES: usize = 100;
const REPETITIONS: usize = 21;

/// The expansions in a piece of work, about: a piece has enough queries for them. With a tenth of that, large maps
/// would show how fast memory comes back after the other contenders.
const EXPANSIONS_PER_PIECE: usize = 80_000;

const STEP: u32 = 1000;
const DIAGONAL: u32 = 1414;

fn main() {
    let mut table = Table::begin(&[
        "map",
        "neighbours",
        "queries",
        "expanded/query",
        "ours reused, µs/query",
        "ours fresh",
        "pathfinding",
        "petgraph",
        "pathfinding / reused",
        "petgraph / reused",
        "pathfinding / fresh",
        "petgraph / fresh",
    ]);
    for benchmark in benchmarks(QUERIES) {
        compare(&mut table, &benchmark, &Four);
        compare(&mut table, &benchmark, &Eight);
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "single_agent");
}

/// A connectivity, and the estimate that suits it: as the library's metric, and as plain arithmetic of the same value.
trait Neighbours {
    const COUNT: u32;
    const CONNECTIVITY: Connectivity;

    fn metric(&self) -> impl Metric<Grid> + Clone;

    fn estimate(&self, from: (u32, u32), to: (u32, u32)) -> u32;
}

struct Four;

impl Neighbours for Four {
    const COUNT: u32 = 4;
    const CONNECTIVITY: Connectivity = Connectivity::Four;

    fn metric(&self) -> impl Metric<Grid> + Clone {
        Manhattan { step: STEP }
    }

    #[inline]
    fn estimate(&self, from: (u32, u32), to: (u32, u32)) -> u32 {
        (from.0.abs_diff(to.0) + from.1.abs_diff(to.1)) * STEP
    }
}

/// Diagonals only between two free cells: the grid's default.
struct Eight;

impl Neighbours for Eight {
    const COUNT: u32 = 8;
    const CONNECTIVITY: Connectivity = Connectivity::Eight;

    fn metric(&self) -> impl Metric<Grid> + Clone {
        Octile { step: STEP, diagonal: DIAGONAL }
    }

    #[inline]
    fn estimate(&self, from: (u32, u32), to: (u32, u32)) -> u32 {
        let (x, y) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        x.min(y) * DIAGONAL + (x.max(y) - x.min(y)) * STEP
    }
}

/// The question, and the cost of the answer; `None`: there is no path.
type Answers = Vec<Option<u32>>;

fn compare<N: Neighbours>(table: &mut Table, benchmark: &Benchmark, neighbours: &N) {
    let grid = benchmark.grid.clone().with_connectivity(N::CONNECTIVITY);
    let queries: Vec<(NodeId, NodeId)> =
        benchmark.agents.iter().map(|agent| (agent.start, agent.goals.nodes()[0])).collect();

    let mut reused = SpatialSearch::new();
    let mut ours_reused = |queries: &[(NodeId, NodeId)]| -> Answers {
        queries.iter().map(|query| ours(&mut reused, &grid, neighbours, *query)).collect()
    };
    let ours_fresh = |queries: &[(NodeId, NodeId)]| -> Answers {
        queries.iter().map(|query| ours(&mut SpatialSearch::new(), &grid, neighbours, *query)).collect()
    };
    let pathfinding = |queries: &[(NodeId, NodeId)]| -> Answers {
        queries.iter().map(|query| by_pathfinding(&grid, neighbours, *query)).collect()
    };
    let graph = Roads::of(&grid);
    let petgraph = |queries: &[(NodeId, NodeId)]| -> Answers {
        queries.iter().map(|query| graph.by_petgraph(neighbours, *query)).collect()
    };

    let costs = ours_reused(&queries);
    assert_eq!(costs, ours_fresh(&queries), "{}: fresh memory changes costs", benchmark.name);
    assert_eq!(costs, pathfinding(&queries), "{}: pathfinding differs", benchmark.name);
    assert_eq!(costs, petgraph(&queries), "{}: petgraph differs", benchmark.name);

    let expanded = expansions(&grid, neighbours, &queries);
    let pieces: Vec<&[(NodeId, NodeId)]> =
        queries.chunks((EXPANSIONS_PER_PIECE * queries.len()).div_ceil(expanded.max(1))).collect();
    let times = interleave(
        REPETITIONS,
        pieces.len(),
        &mut [
            Contender {
                name: "ours_reused",
                work: &mut |piece| drop(black_box(ours_reused(black_box(pieces[piece])))),
            },
            Contender { name: "ours_fresh", work: &mut |piece| drop(black_box(ours_fresh(black_box(pieces[piece])))) },
            Contender {
                name: "pathfinding",
                work: &mut |piece| drop(black_box(pathfinding(black_box(pieces[piece])))),
            },
            Contender { name: "petgraph", work: &mut |piece| drop(black_box(petgraph(black_box(pieces[piece])))) },
        ],
    );
    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    let (count, expanded) = (queries.len() as f64, expanded as f64 / queries.len() as f64);
    let [reused, fresh, pathfinding, petgraph] = [0, 1, 2, 3].map(|who: usize| times[who].median() / count / 1e3);
    table.row(&[
        &benchmark.name,
        &N::COUNT,
        &queries.len(),
        &format_args!("{expanded:.0}"),
        &format_args!("{reused:.1}"),
        &format_args!("{fresh:.1}"),
        &format_args!("{pathfinding:.1}"),
        &format_args!("{petgraph:.1}"),
        &format_args!("{:.2}", pathfinding / reused),
        &format_args!("{:.2}", petgraph / reused),
        &format_args!("{:.2}", pathfinding / fresh),
        &format_args!("{:.2}", petgraph / fresh),
    ]);
    table.keep(&format!("{}-{}", benchmark.name, N::COUNT), &times);
}

#[inline]
fn ours<N: Neighbours>(
    search: &mut SpatialSearch<Direction, u32>,
    grid: &Grid,
    neighbours: &N,
    (start, goal): (NodeId, NodeId),
) -> Option<u32> {
    let goals = Goals::one(goal);
    let mut heuristic = ToGoals { metric: neighbours.metric(), goals: goals.clone() };
    let route = search.find(grid, start, &goals, &mut heuristic);
    Some(black_box(route.ok()?).cost)
}

/// How many nodes our search expands for all queries together.
fn expansions<N: Neighbours>(grid: &Grid, neighbours: &N, queries: &[(NodeId, NodeId)]) -> usize {
    let mut expanded: Vec<u32> = Vec::new();
    for (start, goal) in queries {
        let goals = Goals::one(*goal);
        let mut heuristic = ToGoals { metric: neighbours.metric(), goals: goals.clone() };
        let fuel = &mut Fuel::unlimited();
        let _ = SpatialSearch::new().find_with(grid, *start, &goals, &mut heuristic, fuel, &mut expanded);
    }
    expanded.iter().map(|times| *times as usize).sum()
}

#[inline]
fn by_pathfinding<N: Neighbours>(grid: &Grid, neighbours: &N, (start, goal): (NodeId, NodeId)) -> Option<u32> {
    let to = grid.xy(goal);
    let found = pathfinding::directed::astar::astar(
        &start,
        |node| grid.moves(*node).map(|m| (m.to, m.cost)),
        |node| neighbours.estimate(grid.xy(*node), to),
        |node| *node == goal,
    );
    Some(black_box(found?).1)
}

/// The grid as a graph of petgraph.
struct Roads {
    graph: Csr<(), u32, Directed>,
    cells: Vec<(u32, u32)>,
}

impl Roads {
    fn of(grid: &Grid) -> Self {
        let nodes = (0..grid.width() * grid.height()).map(NodeId);
        let mut edges: Vec<(u32, u32, u32)> =
            nodes.clone().flat_map(|node| grid.moves(node)).map(|m| (m.from.0, m.to.0, m.cost)).collect();
        edges.sort_unstable();
        let mut graph = Csr::from_sorted_edges(&edges).expect("the edges were just sorted");
        // Cells after the last one with a way out.
        while graph.node_count() < grid.node_bound() {
            graph.add_node(());
        }
        Self { graph, cells: nodes.map(|node| grid.xy(node)).collect() }
    }

    #[inline]
    fn by_petgraph<N: Neighbours>(&self, neighbours: &N, (start, goal): (NodeId, NodeId)) -> Option<u32> {
        let to = self.cells[goal.index()];
        let found = petgraph::algo::astar(
            &self.graph,
            start.0,
            |node| node == goal.0,
            |edge| *edge.weight(),
            |node| neighbours.estimate(self.cells[node as usize], to),
        );
        Some(black_box(found?).0)
    }
}
