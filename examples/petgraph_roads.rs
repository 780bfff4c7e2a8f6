//! Roads as a petgraph graph: one-way streets, a long bridge, and vans that give way there. Writes a picture.

use giveway::plan::Trace;
use giveway::render::{AnimatedPicture, Backdrop};
use giveway::search::Cost;
use giveway::spaces::GraphSpace;
use giveway::strategies::Hca;
use giveway::{Agent, Checker, ConflictRule, Instance, NodeId, Point};
use petgraph::graph::DiGraph;
use petgraph::visit::EdgeRef;

/// Where the junctions are.
const JUNCTIONS: [[f32; 3]; 10] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [2.0, 2.0, 0.0],
    [0.0, 2.0, 0.0],
    [3.0, 1.0, 0.0], // the west end of the bridge
    [7.0, 1.0, 0.0], // the east end
    [8.0, 0.0, 0.0],
    [10.0, 0.0, 0.0],
    [10.0, 2.0, 0.0],
    [8.0, 2.0, 0.0],
];
/// One-way streets: a square on either side of the river.
const STREETS: [(u32, u32); 8] = [(0, 1), (1, 2), (2, 3), (3, 0), (6, 7), (7, 8), (8, 9), (9, 6)];
/// Two-way roads; the bridge is one of them, and has a single lane.
const ROADS: [(u32, u32); 5] = [(1, 4), (2, 4), (4, 5), (5, 6), (5, 9)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let back = ROADS.map(|(a, b)| (b, a));
    let graph = DiGraph::<(), ()>::from_edges(STREETS.into_iter().chain(ROADS).chain(back));
    let distance = |a: usize, b: usize| {
        let [dx, dy] = [0, 1].map(|axis| JUNCTIONS[a][axis] - JUNCTIONS[b][axis]);
        (dx * dx + dy * dy).sqrt()
    };
    let roads = GraphSpace::new(&graph, |road| {
        u32::floor(f64::from(1000.0 * distance(road.source().index(), road.target().index())))
    })?
    .with_lengths(|road| distance(road.from.index(), road.to.index()))?
    .with_positions(|junction| JUNCTIONS[junction.index()])?;

    // Twelve ticks for each unit of length: some roads are diagonals, which then take their time within 1 %.
    let van = Point::timed(&roads, 12)?;
    let trips = [(0, 8), (9, 3), (3, 7), (7, 2)];
    let vans = trips.map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).to_vec();
    let instance = Instance::new(&roads, &van, vans)?;
    let solution = Hca::hca_star().solve(&instance);
    assert!(solution.is_complete());
    let violations = Checker::new(&roads, ConflictRule::Following).check(instance.agents(), &solution.plan);
    assert!(violations.is_empty());

    for (van, path) in solution.plan.paths.iter().enumerate() {
        println!("van {van}: {} moves, arrives at tick {}", path.steps.len(), path.arrival());
    }
    let trace = Trace::from_plan(&roads, instance.agents(), &solution.plan, 12);
    let backdrop = Backdrop::graph(&roads);
    let picture = AnimatedPicture::new(&trace, &backdrop).title("Four vans and a bridge");
    let file = std::env::temp_dir().join("petgraph_roads.svg");
    std::fs::write(&file, picture.to_string())?;
    println!("a picture of it: {}", file.display());
    Ok(())
}
