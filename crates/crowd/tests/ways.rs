//! Ways on maps of middle size: they serve the goals for which a tick has no time for tables, until it has.

use giveway_core::heuristic::{HeuristicSource as _, Zero};
use giveway_core::{Fuel, Goals, Heuristic as _, NodeId, SpaceGraph as _};
use giveway_distance::{Hierarchy, TrueDistances};
use giveway_spaces::{Connectivity, Grid};

/// A map with scattered walls, and its free cells, which are all joined.
fn world(shift: u32) -> (Grid, Vec<NodeId>) {
    let grid = Grid::from_fn(128, 128, |x, y| (x + shift) % 5 != 2 || (x / 5 + y) % 3 == 1).unwrap();
    let nodes = grid.nodes().filter(|node| grid.contains(*node)).collect();
    (grid, nodes)
}

/// Each from far away.
fn pairs(nodes: &[NodeId], count: usize) -> Vec<(NodeId, NodeId)> {
    (0..count).map(|k| (nodes[k * 31 + 7], nodes[nodes.len() - 1 - k * 29])).collect()
}

/// Asks for the distance to `goals` from `origin`, with this much fuel.
fn ask(ways: &mut Hierarchy<Grid>, grid: &Grid, (goals, origin): (NodeId, NodeId), fuel: u64) -> Option<u32> {
    ways.to(grid, &Goals::one(goals), origin).estimate(grid, origin, &mut Fuel::work(fuel)).ok().flatten()
}

fn exact(grid: &Grid, (goals, origin): (NodeId, NodeId)) -> u32 {
    let mut table = TrueDistances::<Grid, Zero>::tables();
    let found = table.to(grid, &Goals::one(goals), origin).estimate(grid, origin, &mut Fuel::unlimited());
    found.unwrap().unwrap()
}

#[test]
fn many_goals_at_once_have_ways_at_first_and_tables_soon() {
    let (grid, nodes) = world(3);
    let pairs = pairs(&nodes, 200);
    let mut ways = Hierarchy::new().with_positions();
    let mut on_ways = Vec::new();
    for _ in 0..16 {
        ways.begin_tick(u64::MAX);
        for pair in &pairs {
            let found = ask(&mut ways, &grid, *pair, u64::MAX).unwrap();
            let exact = exact(&grid, *pair);
            assert!(f64::from(found) <= 1.3 * f64::from(exact) + 8000.0, "{found} for {exact}");
        }
        on_ways.push(ways.guides());
    }
    // There is time for fifteen tables at a tick. Ways that are short enough to be exact stay.
    assert_eq!(on_ways[..4], [185, 170, 170, 155], "{on_ways:?}");
    assert_eq!(on_ways[15], 29, "{on_ways:?}");
    let is_exact = |pair: &&(NodeId, NodeId)| ask(&mut ways, &grid, **pair, u64::MAX) == Some(exact(&grid, **pair));
    assert!(pairs.iter().filter(is_exact).count() >= 200 - 29);
}

/// Walls with a door at one end each, so that ways are far longer than the distance without walls.
fn doors() -> (Grid, Vec<NodeId>) {
    let is_door = |x: u32, y: u32| if x % 16 == 7 { y > 124 } else { y < 3 };
    let grid = Grid::from_fn(128, 128, |x, y| x % 8 != 7 || is_door(x, y)).unwrap();
    let nodes = grid.nodes().filter(|node| grid.contains(*node)).collect();
    (grid, nodes)
}

/// Whether the distance that is told is about that of a way; else it is the distance without walls.
fn is_way(ways: &mut Hierarchy<Grid>, grid: &Grid, pair: (NodeId, NodeId), fuel: u64) -> bool {
    10 * u64::from(ask(ways, grid, pair, fuel).unwrap()) >= 9 * u64::from(exact(grid, pair))
}

#[test]
fn each_time_that_many_goals_are_new_at_once_they_have_ways() {
    let (grid, nodes) = doors();
    let mut ways = Hierarchy::new().with_positions();
    let mut known = Vec::new();
    for round in 0..4 {
        let pairs: Vec<(NodeId, NodeId)> =
            (0..120).map(|k| (nodes[k * 101 + round], nodes[(k * 6007 + 8000) % nodes.len()])).collect();
        ways.begin_tick(u64::MAX);
        // Those for which there is no time at this tick are told the distance without walls.
        known.push(pairs.iter().filter(|pair| is_way(&mut ways, &grid, **pair, u64::MAX)).count());
        assert!(ways.guides() > 80, "{}", ways.guides());
        (0..round * 6).for_each(|_| ways.begin_tick(u64::MAX));
        pairs.iter().for_each(|(goal, _)| ways.release(&Goals::one(*goal)));
    }
    assert!(known[0] > 25 && known.iter().all(|round| 4 * round >= 3 * known[0]), "{known:?}");
}

#[test]
fn new_ways_take_half_of_the_work_of_a_tick() {
    let (grid, nodes) = doors();
    let pairs: Vec<_> = (0..40).map(|k| (nodes[k * 101], nodes[(k * 6007 + 8000) % nodes.len()])).collect();
    // How many have ways, and the work for these.
    let with_ways = |work| {
        // No tables.
        let mut ways = Hierarchy::new().with_positions().from_size(0);
        // Some are near, where a way is no longer than the distance without walls.
        ways.begin_tick(0);
        let near = pairs.iter().filter(|pair| is_way(&mut ways, &grid, **pair, 10_000)).count();
        let before = ways.reverse_expanded();
        ways.begin_tick(work);
        let count = pairs.iter().filter(|pair| is_way(&mut ways, &grid, **pair, 10_000)).count();
        ([near, count], ways.reverse_expanded() - before)
    };
    assert_eq!(with_ways(u64::MAX).0[1], pairs.len());
    for work in [1000, 2000] {
        let ([near, count], spent) = with_ways(work);
        // The last way may take a little more.
        assert!((work / 3..work / 2 + 100).contains(&spent), "{spent} of {work}");
        assert!(count > near && count < pairs.len(), "{count} for {work}");
    }
}

/// Without positions there is no distance without walls: whoever has no way would be told that it has arrived.
#[test]
fn without_positions_new_ways_take_all_of_the_work_of_a_tick() {
    let (grid, nodes) = doors();
    let grid = grid.with_connectivity(Connectivity::Eight);
    let mut ways = Hierarchy::new().from_size(0);
    // First the map is divided, then there are ways.
    let mut known = Vec::new();
    for _ in 0..12 {
        ways.begin_tick(4000);
        let mut fuel = Fuel::work(4000);
        let answers = pairs(&nodes, 100)
            .into_iter()
            .map(|(goal, origin)| ways.to(&grid, &Goals::one(goal), origin).estimate(&grid, origin, &mut fuel));
        let answers: Vec<_> = answers.collect();
        assert!(answers.iter().flatten().all(|found| found.is_some_and(|found| found > 0)), "{answers:?}");
        known.push(answers.iter().filter(|answer| answer.is_ok()).count());
    }
    assert!(known[0] < 10 && known[11] > 10, "{known:?}");
}

#[test]
fn few_goals_at_a_time_have_tables_only() {
    let (grid, nodes) = world(4);
    let mut ways = Hierarchy::new().with_positions();
    for (k, pair) in pairs(&nodes, 300).into_iter().enumerate() {
        if k % 15 == 0 {
            ways.begin_tick(u64::MAX);
        }
        assert_eq!(ask(&mut ways, &grid, pair, u64::MAX), Some(exact(&grid, pair)));
        assert_eq!(ways.guides(), 0);
    }
}

#[test]
fn a_table_that_takes_longer_than_a_tick_has_time_for_is_found_at_a_tick_of_its_own() {
    let grid = Grid::open(200, 200).unwrap().with_connectivity(Connectivity::Eight);
    let nodes: Vec<NodeId> = grid.nodes().filter(|node| grid.contains(*node)).collect();
    let mut ways = Hierarchy::new().with_positions();
    for pair in pairs(&nodes, 4) {
        ways.begin_tick(u64::MAX);
        assert_eq!(ask(&mut ways, &grid, pair, u64::MAX), Some(exact(&grid, pair)));
        assert_eq!(ways.guides(), 0);
    }
    ways.begin_tick(u64::MAX);
    let late = [(nodes[70], nodes[30_000]), (nodes[90], nodes[31_000])];
    assert!(late.iter().all(|pair| ask(&mut ways, &grid, *pair, u64::MAX).is_some()));
    assert_eq!(ways.guides(), 1);
}

#[test]
fn where_fuel_is_short_ways_stay() {
    let (grid, nodes) = world(5);
    let pairs = pairs(&nodes, 100);
    let mut ways = Hierarchy::new().with_positions();
    for _ in 0..8 {
        ways.begin_tick(u64::MAX);
        assert!(pairs.iter().all(|pair| ask(&mut ways, &grid, *pair, 16_000).is_some()));
        assert_eq!(ways.guides(), 100 - 15);
    }
    // Goals that are given up and asked for again have the table that is still there.
    ways.release(&Goals::one(pairs[0].0));
    assert_eq!(ask(&mut ways, &grid, pairs[0], 16_000), Some(exact(&grid, pairs[0])));
}
