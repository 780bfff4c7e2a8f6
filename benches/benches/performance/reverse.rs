//! Reverse searches: whole distance tables, from a goal to all nodes of its part of the map.

use std::hint::black_box;

use giveway::heuristic::{DistanceTable, Heuristic, Predecessors};
use giveway::search::Fuel;
use giveway::spaces::{Connectivity, GraphSpace};
use giveway::{Goals, NodeId, SpaceGraph};
use giveway_benches::worlds::graph;
use giveway_benches::{Benchmark, Contender, benchmark, interleave};

use super::plain_tables::PlainTables;
use super::record::{Record, Row};

const REPETITIONS: usize = 15;
const MAPS: [&str; 3] = ["den312d", "lak303d", "Berlin_1_256"];

/// The goals of the first agents of the scenario. A piece of work is one table.
const GOALS: usize = 10;

pub(crate) fn measure(record: &mut Record) {
    for benchmark in MAPS.iter().filter_map(|name| benchmark(name, GOALS)) {
        on_map(record, &benchmark);
    }
}

/// The sum over the tables of all goals.
struct Sums {
    nodes: u64,
    bytes: usize,
}

fn on_map(record: &mut Record, benchmark: &Benchmark) {
    let Benchmark { name, grid, agents } = benchmark;
    let goals: Vec<NodeId> = agents.iter().map(|agent| agent.goals.nodes()[0]).collect();
    let bound = u32::try_from(grid.node_bound()).expect("ids have 32 bits");
    // It cannot be reached, so that a search for it goes everywhere.
    let wall = (0..bound).map(NodeId).find(|node| !grid.contains(*node)).expect("the maps have walls");
    let eight = grid.clone().with_connectivity(Connectivity::Eight);
    let space = GraphSpace::new(&graph(grid), |edge| *edge.weight()).unwrap_or_else(|why| panic!("{name}: {why}"));

    let plain = PlainTables::of(grid);
    let mut queue = Vec::new();
    let (mut on_grid, mut on_graph) = (whole_table(grid, wall), whole_table(&space, wall));
    let mut on_eight = whole_table(&eight, wall);
    let sums = |table: &mut dyn FnMut(NodeId) -> Sums| {
        goals.iter().map(|goal| table(*goal)).fold(Sums { nodes: 0, bytes: 0 }, |sum, one| Sums {
            nodes: sum.nodes + one.nodes,
            bytes: sum.bytes + one.bytes,
        })
    };
    let [by_grid, by_graph, by_eight] = [sums(&mut on_grid), sums(&mut on_graph), sums(&mut on_eight)];
    assert_eq!(by_grid.nodes, by_graph.nodes, "{name}: equal parts of the map");
    let plain_bytes = goals.len() * size_of_val(&plain.table(grid, goals[0], &mut queue)[..]);
    let by_plain = Sums { nodes: by_grid.nodes, bytes: plain_bytes };

    let times = interleave(
        REPETITIONS,
        goals.len(),
        &mut [
            Contender {
                name: "plain table",
                work: &mut |piece| drop(black_box(plain.table(grid, goals[piece], &mut queue))),
            },
            Contender { name: "grid", work: &mut |piece| _ = black_box(on_grid(goals[piece])) },
            Contender { name: "petgraph graph", work: &mut |piece| _ = black_box(on_graph(goals[piece])) },
            Contender { name: "grid with 8", work: &mut |piece| _ = black_box(on_eight(goals[piece])) },
        ],
    );
    for (times, Sums { nodes, bytes }) in times.iter().zip([by_plain, by_grid, by_graph, by_eight]) {
        let (contender, neighbours) = match times.name {
            "grid with 8" => ("grid", 8),
            other => (other, 4),
        };
        record.keep(&Row {
            part: "reverse",
            world: name,
            agents: Some(goals.len()),
            neighbours: Some(neighbours),
            contender,
            count: Some(nodes),
            bytes: Some(bytes),
            time: Some(times.sum()),
            ..Row::default()
        });
    }
}

/// Makes the table of a goal, as far as `unreachable`: everywhere.
fn whole_table<S: SpaceGraph>(space: &S, unreachable: NodeId) -> impl FnMut(NodeId) -> Sums {
    let predecessors = Predecessors::from_space(space);
    move |goal| {
        let mut table = DistanceTable::new(space, predecessors.clone(), Goals::one(goal));
        let found = table.estimate(space, unreachable, &mut Fuel::unlimited()).expect("nothing bounds it");
        assert!(black_box(found).is_none(), "{unreachable:?} cannot be reached");
        Sums { nodes: table.expanded(), bytes: table.bytes() }
    }
}
