//! Everything ready-made keeps its contract: spaces, points in them, heuristics to goals in them.

use giveway_conformance::{self, Breach};
use giveway_core::heuristic::{Euclidean, Manhattan, Metric, Octile, ToGoals, Zero};
use giveway_core::{Embedding, Goals, NodeId, Point, SpaceGraph};
use giveway_distance::{DistanceTable, Predecessors, ReverseAStar};
use giveway_spaces::{Connectivity, CornerCutting, Direction, FnSpace, GraphSpace, Grid, KeyedSpace};
use petgraph::stable_graph::StableUnGraph;

const MAP: &str = "
    .....#....
    .##..#..#.
    .#........
    ...##..##.
    .#..#.....
    .##...#..#
";

fn check<S: Embedding<Cost = u32>>(name: &str, space: &S) {
    conforms(space).unwrap_or_else(|breach| panic!("{name}: {breach}"));
}

fn conforms<S: Embedding<Cost = u32>>(space: &S) -> Result<(), Breach> {
    giveway_conformance::space_graph(space)?;
    giveway_conformance::embedding(space)?;
    let timed = Point::timed(space, 1).or_else(|coarse| Point::timed(space, coarse.needed.unwrap_or(1))).ok();
    for point in [Point::swap_rule(space), Point::following_rule(space)].into_iter().chain(timed) {
        giveway_conformance::footprint(space, &point)?;
    }
    let existing = || (0..).map(NodeId).take(space.node_bound()).filter(|node| space.contains(*node));
    let goals = [Goals::from_iter(existing().next()), Goals::from_iter(existing().step_by(7)), Goals::from_iter([])];
    goals.iter().try_for_each(|goals| heuristics_conform(space, goals))
}

fn heuristics_conform<S: Embedding<Cost = u32>>(space: &S, goals: &Goals) -> Result<(), Breach> {
    fn by<S: SpaceGraph, M: Metric<S> + Clone>(space: &S, metric: &M, goals: &Goals) -> Result<(), Breach> {
        let (metric, goals_of) = (|| metric.clone(), || goals.clone());
        giveway_conformance::heuristic(space, goals, || ToGoals { metric: metric(), goals: goals_of() })?;
        let predecessors = Predecessors::from_space(space);
        giveway_conformance::heuristic(space, goals, || {
            ReverseAStar::new(predecessors.clone(), goals_of(), NodeId(3), metric())
        })
    }
    let predecessors = Predecessors::from_space(space);
    let table = || DistanceTable::new(space, predecessors.clone(), goals.clone());
    giveway_conformance::heuristic(space, goals, table)?;
    by(space, &Zero, goals)?;
    by(space, &Euclidean::from_space(space), goals)?;
    // On the spaces here no step of length 1 costs less than 700, straight or not.
    by(space, &Manhattan { step: 700 }, goals)?;
    let octile = Octile { step: 1000, diagonal: 1414 };
    by(space, &octile, goals)
}

#[test]
fn grids_conform_with_all_that_is_in_them() {
    let rules = [CornerCutting::Never, CornerCutting::OneFree, CornerCutting::Always];
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        for rule in rules {
            let grid = Grid::from_ascii(MAP).unwrap();
            let grid = grid.with_connectivity(connectivity).with_corner_cutting(rule);
            check(&format!("{connectivity:?}, {rule:?}"), &grid);
            let grid = grid.with_terrain(|x, y| 1 + (x + 2 * y) % 4).unwrap();
            check(&format!("{connectivity:?}, {rule:?}, terrain"), &grid);
            let way = |x, y| Direction::ALL.get((x * 3 + y * 5) as usize % 11).copied();
            check(&format!("{connectivity:?}, {rule:?}, terrain, one-ways"), &grid.with_one_ways(way));
        }
    }
}

#[test]
#[allow(clippy::cast_precision_loss)]
fn graphs_conform_with_all_that_is_in_them() {
    let mut graph = StableUnGraph::<[f32; 3], u32>::default();
    let nodes: Vec<_> = (0..30).map(|i| graph.add_node([(i % 6) as f32, (i / 6) as f32, 0.0])).collect();
    for (i, node) in nodes.iter().enumerate() {
        if i % 6 < 5 {
            graph.add_edge(*node, nodes[i + 1], 1000 + 17 * u32::try_from(i % 3).unwrap());
            graph.add_edge(*node, nodes[i + 1], 2000);
        }
        if let Some(below) = nodes.get(i + 6) {
            graph.add_edge(*node, *below, 1000);
        }
    }
    for removed in [7, 15, 16] {
        graph.remove_node(nodes[removed]);
    }
    let space = GraphSpace::new(&graph, |edge| *edge.weight())
        .and_then(|space| space.with_lengths(|m| graph[m.action] as f32 / 1000.0))
        .and_then(|space| space.with_positions(|node| graph[node]))
        .unwrap();
    check("graph", &space);
}

#[test]
#[allow(clippy::cast_precision_loss)]
fn function_spaces_conform_with_all_that_is_in_them() {
    // A one-way street of ten places, with a way back from every third.
    let street = FnSpace::new(10, |place| {
        let ahead = (place < 9).then_some((place + 1, 1000));
        let back = (place >= 3 && place % 3 == 0).then(|| (place - 3, 4000));
        ahead.into_iter().chain(back)
    })
    .and_then(|space| space.with_positions(|place| [place as f32, 0.0, 0.0]))
    .unwrap();
    check("street", &street);
}

#[test]
fn keyed_spaces_conform_with_all_that_is_in_them() {
    // Two floors, with stairs in a corner, and a hole on each.
    let house = KeyedSpace::explore([(0_i16, 0_i16, 0_i16)], 1000, |(x, y, floor)| {
        let beside = [(x + 1, y, floor), (x, y + 1, floor), (x - 1, y, floor), (x, y - 1, floor)];
        let on_floor =
            |(x, y, floor): &(i16, i16, i16)| (0..6).contains(x) && (0..5).contains(y) && (*x, *y) != (2 + floor, 2);
        let stairs = ((x, y) == (5, 4)).then_some(((x, y, 1 - floor), 3000));
        beside.into_iter().filter(on_floor).map(|place| (place, 1000)).chain(stairs)
    })
    .and_then(|space| space.with_positions(|&(x, y, floor)| [f32::from(x), f32::from(y), 3.0 * f32::from(floor)]))
    .unwrap();
    check("house", &house);
    assert_eq!(house.node_bound(), 2 * 29);
}
