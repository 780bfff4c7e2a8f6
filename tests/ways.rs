//! Ways in two levels, against true distances: which goals can be reached, how long ways are, and what edits, budgets and
//! many units do to them.

use giveway::area::{Area, Change};
use giveway::heuristic::{Heuristic, HeuristicSource, Hierarchy, TrueDistances, Zero};
use giveway::scenario::MapKind;
use giveway::search::Fuel;
use giveway::spaces::{Editable, Grid, Robots};
use giveway::{Goals, NodeId, SpaceGraph};

use crate::golden::worlds::{generated, nodes};
use crate::living::Random;

const KINDS: [MapKind; 5] = [MapKind::Random, MapKind::Room, MapKind::Maze, MapKind::Caves, MapKind::Warehouse];

fn estimate<S: SpaceGraph>(
    ways: &mut impl HeuristicSource<S>,
    space: &S,
    goals: &Goals,
    from: NodeId,
) -> Option<S::Cost> {
    ways.heuristic(space, goals, from).estimate(space, from, &mut Fuel::unlimited()).unwrap()
}

/// Walks from `from` to `goals` downhill, and checks each step: estimates of one search are consistent, zero on goals
/// only, and some neighbour is nearer. Returns the number of steps; `None`: there is no way.
fn walk<S: SpaceGraph<Cost = u32>>(ways: &mut Hierarchy<S>, space: &S, goals: &Goals, from: NodeId) -> Option<u32> {
    estimate(ways, space, goals, from)?;
    let (mut here, mut steps) = (from, 0);
    while !goals.contains(here) {
        let mut heuristic = ways.heuristic(space, goals, here);
        let mut heuristic = heuristic.begin(space);
        let mut of = |node| heuristic.estimate(space, node, &mut Fuel::unlimited()).unwrap();
        let own = of(here).unwrap();
        assert!(own > 0, "only goals are at their goals");
        let beside: Vec<(u32, NodeId)> = space.moves(here).filter_map(|m| Some((of(m.to)?, m.to))).collect();
        for (left, node) in &beside {
            assert!(left + 1000 >= own, "{here:?}: {own}, and {left} beside it");
            for m in space.moves(*node) {
                assert!(of(m.to).is_none_or(|next| next + 1000 >= *left), "{node:?}");
            }
        }
        let (left, next) = beside.into_iter().min().unwrap();
        assert_eq!(left + 1000, own, "downhill from {here:?}");
        (here, steps) = (next, steps + 1);
    }
    let at_goal = ways.heuristic(space, goals, here).estimate(space, here, &mut Fuel::unlimited());
    assert_eq!(at_goal, Ok(Some(0)));
    Some(steps)
}

/// Walks between places at random. Returns the steps of all walks, and of shortest ones.
fn walk_about<S: SpaceGraph<Cost = u32>>(space: &S, walks: usize, random: &mut Random) -> (u32, u32) {
    let places = nodes(space);
    let mut ways = Hierarchy::new().from_size(0);
    let mut exact = TrueDistances::<S, Zero>::tables();
    let mut sums = (0, 0);
    for _ in 0..walks {
        let (from, goals) = (random.choose(&places), Goals::one(random.choose(&places)));
        let steps = walk(&mut ways, space, &goals, from);
        let shortest = estimate(&mut exact, space, &goals, from).map(|cost| cost / 1000);
        assert_eq!(steps.is_some(), shortest.is_some(), "{from:?} to {goals:?}");
        let (Some(steps), Some(shortest)) = (steps, shortest) else { continue };
        assert!(steps >= shortest && f64::from(steps) <= 1.5 * f64::from(shortest) + 16.0, "{steps} for {shortest}");
        sums = (sums.0 + steps, sums.1 + shortest);
        ways.release(&goals);
        exact.release(&goals);
    }
    sums
}

#[test]
fn ways_lead_to_the_goal_and_are_hardly_longer_than_shortest_ones() {
    let mut whole = (0, 0);
    for (kind, seed) in KINDS.into_iter().zip(1..) {
        let grid = generated(kind, [150, 130], 2, seed).grid;
        let (steps, shortest) = walk_about(&grid, 60, &mut Random::new(seed));
        assert!(f64::from(steps) < 1.03 * f64::from(shortest), "{kind:?}: {steps} for {shortest}");
        whole = (whole.0 + steps, whole.1 + shortest);
    }
    assert!(f64::from(whole.0) < 1.015 * f64::from(whole.1), "{whole:?}");
}

#[test]
fn robots_that_turn_have_ways() {
    for (kind, seed) in KINDS.into_iter().zip(1..) {
        let robots = Robots::new(generated(kind, [90, 70], 2, seed).grid);
        let (steps, shortest) = walk_about(&robots, 30, &mut Random::new(seed));
        assert!(f64::from(steps) < 1.06 * f64::from(shortest), "{kind:?}: {steps} for {shortest}");
    }
}

/// A corridor that winds: places of one tile are far apart.
fn winding(side: u32) -> Grid {
    let is_turn = move |x, y| if y % 4 == 1 { x == side - 1 } else { x == 0 };
    Grid::from_fn(side, side, |x, y| y % 2 == 0 || is_turn(x, y)).unwrap()
}

#[test]
fn places_of_a_tile_may_be_far_apart() {
    let mazes = [2, 3].map(|seed| generated(MapKind::Maze, [150, 130], 2, seed).grid);
    for (grid, seed) in mazes.into_iter().chain([winding(61), winding(90)]).zip(1..) {
        let (steps, shortest) = walk_about(&grid, 40, &mut Random::new(seed));
        assert!(f64::from(steps) < 1.05 * f64::from(shortest), "{steps} for {shortest}");
        walk_about(&Robots::new(grid), 20, &mut Random::new(seed));
    }
    let grid = generated(MapKind::Maze, [150, 130], 2, 0).grid;
    let mut ways = Hierarchy::new().from_size(0);
    assert!(walk(&mut ways, &grid, &Goals::one(NodeId(13_558)), NodeId(18_676)).is_some());
}

/// A board of chess, on which each open place is shut in, and a wall that parts a map.
#[test]
fn what_cannot_be_reached_is_told() {
    let chess = Grid::from_fn(80, 80, |x, y| (x + y) % 2 == 0).unwrap();
    let wall = Grid::from_fn(80, 80, |x, _| x != 37).unwrap();
    for grid in [chess, wall] {
        let mut ways = Hierarchy::new().from_size(0);
        let [near, far] = [[2, 2], [78, 70]].map(|[x, y]| grid.node(x, y).unwrap());
        assert_eq!(estimate(&mut ways, &grid, &Goals::one(far), near), None);
        assert_eq!(estimate(&mut ways, &grid, &Goals::one(far), far), Some(0));
    }
}

#[test]
fn a_way_is_found_with_any_fuel_and_is_the_way_that_unlimited_fuel_finds() {
    let grid = generated(MapKind::Random, [200, 160], 2, 5).grid;
    let places = nodes(&grid);
    let mut random = Random::new(9);
    let (mut rich, mut poor) = (Hierarchy::new().from_size(0), Hierarchy::new().from_size(0));
    let pairs: Vec<(NodeId, Goals)> =
        (0..20).map(|_| (random.choose(&places), Goals::one(random.choose(&places)))).collect();
    let mut open: Vec<usize> = (0..pairs.len()).collect();
    let mut asked = 0;
    while !open.is_empty() {
        open.retain(|pair| {
            let (from, goals) = &pairs[*pair];
            let fuel = &mut Fuel::work(3);
            asked += 1;
            match poor.heuristic(&grid, goals, *from).estimate(&grid, *from, fuel) {
                Ok(found) => {
                    assert_eq!(found, estimate(&mut rich, &grid, goals, *from));
                    false
                }
                Err(_) => true,
            }
        });
        assert!(asked < 100_000, "the search goes on");
    }
    assert!(asked > 100, "three units do not suffice for a way");
}

#[test]
fn edits_elsewhere_do_not_keep_a_way_from_being_found() {
    let mut grid = generated(MapKind::Random, [300, 300], 2, 5).grid;
    let places = nodes(&grid);
    let (from, goals) = (places[0], Goals::one(places[places.len() - 1]));
    for work in [3, 20, 100] {
        let mut ways = Hierarchy::new().from_size(0);
        let rounds = (0..20_000).take_while(|_| {
            let corner = grid.node(299, 0).unwrap();
            let is_open = grid.contains(corner);
            grid.set_open(corner, !is_open);
            ways.heuristic(&grid, &goals, from).estimate(&grid, from, &mut Fuel::work(work)).is_err()
        });
        let rounds = rounds.count();
        assert!(rounds < 1000, "with {work}: {rounds}");
    }
}

/// While an area is vacated, moves lead out of it only, and the map is no plain grid.
#[test]
fn ways_come_back_with_the_tiles() {
    let mut grid = Grid::from_fn(96, 96, |x, y| x != 32 || y > 88).unwrap();
    let mut ways = Hierarchy::new().from_size(0);
    let at = |x: u32, y: u32| NodeId(y * 96 + x);
    let check = |ways: &mut Hierarchy<Grid>, grid: &Grid| {
        for k in 0..5 {
            let (from, goals) = (at(20 - k, 5), Goals::one(at(44 + k, 6)));
            assert_eq!(ways.renew(grid, &goals, from, &mut Fuel::unlimited()), Ok(()));
            let exact = estimate(&mut TrueDistances::<Grid, Zero>::tables(), grid, &goals, from).unwrap();
            let found = estimate(ways, grid, &goals, from).unwrap();
            assert!(found.abs_diff(exact) <= 20_000, "{found}, and {exact}");
            assert_eq!(ways.revision(grid, &goals), grid.revision());
        }
    };
    check(&mut ways, &grid);
    let area = Area::rectangle([0.0, 40.0], [5.0, 45.0]).unwrap();
    grid.change(&area, Change::Vacate);
    check(&mut ways, &grid);
    grid.set_open(at(32, 4), true);
    for y in 89..96 {
        grid.set_open(at(32, y), false);
    }
    let goals = Goals::one(at(44, 6));
    assert!(ways.revision(&grid, &goals) < grid.revision(), "a table of the map before");
    check(&mut ways, &grid);
    grid.change(&area, Change::Open);
    check(&mut ways, &grid);
}

#[test]
fn goals_that_do_not_exist_are_as_for_tables() {
    let mut grid = Grid::open(50, 50).unwrap();
    grid.set_open(NodeId(7), false);
    let (mut ways, mut exact) = (Hierarchy::new().from_size(0), TrueDistances::<Grid, Zero>::tables());
    for goals in [&[][..], &[7], &[2500], &[u32::MAX], &[2499, u32::MAX], &[3, 4_000_000_000], &[7, 9]] {
        let goals: Goals = goals.iter().copied().map(NodeId).collect();
        for from in [0, 7, 1234, 2499, 2500, u32::MAX].map(NodeId) {
            let [found, shortest] =
                [estimate(&mut ways, &grid, &goals, from), estimate(&mut exact, &grid, &goals, from)];
            assert_eq!(found.is_some(), shortest.is_some(), "{from:?} to {goals:?}");
        }
    }
}

#[test]
fn edits_are_noticed() {
    for seed in 1..4 {
        let mut grid = generated(MapKind::Random, [96, 96], 2, seed).grid;
        let places = nodes(&grid);
        let mut random = Random::new(seed);
        let mut ways = Hierarchy::new().from_size(0);
        let errands: Vec<(NodeId, Goals)> =
            (0..6).map(|_| (random.choose(&places), Goals::one(random.choose(&places)))).collect();
        for round in 0..40 {
            for (from, goals) in &errands {
                if !grid.contains(*from) {
                    continue;
                }
                // Estimates of an earlier map are allowed once.
                let _ = ways.renew(&grid, goals, *from, &mut Fuel::unlimited());
                let mut exact = TrueDistances::<Grid, Zero>::tables();
                let shortest = estimate(&mut exact, &grid, goals, *from);
                let steps = if grid.contains(goals.nodes()[0]) { walk(&mut ways, &grid, goals, *from) } else { None };
                assert_eq!(steps.is_some(), shortest.is_some(), "round {round}: {from:?} to {goals:?}");
            }
            for _ in 0..[1, 5, 60][round % 3] {
                let node = random.choose(&places);
                let is_open = grid.contains(node);
                grid.set_open(node, !is_open);
            }
        }
    }
}

#[test]
fn memory_of_a_way_does_not_grow_with_the_map_and_comes_back() {
    let mut bytes = Vec::new();
    for side in [200, 400, 800] {
        let grid = Grid::open(side, side).unwrap();
        let mut ways = Hierarchy::new().from_size(0);
        let [from, to] = [0, side - 1].map(|at| grid.node(at, at).unwrap());
        let goals = Goals::one(to);
        let steps = estimate(&mut ways, &grid, &goals, from).unwrap() / 1000;
        assert!((2 * side - 20..2 * side + 20).contains(&steps), "{steps}");
        bytes.push(ways.bytes());
        ways.release(&goals);
        assert_eq!((ways.bytes(), ways.guides()), (0, 0));
    }
    assert!(bytes.iter().all(|bytes| *bytes < 8192), "{bytes:?}");
}

#[test]
fn where_many_have_one_goal_a_table_serves_them() {
    let grid = generated(MapKind::Random, [160, 160], 2, 3).grid;
    let places = nodes(&grid);
    let mut random = Random::new(3);
    let (mut ways, mut exact) = (Hierarchy::new().from_size(0), TrueDistances::<Grid, Zero>::tables());
    let goals = Goals::one(places[places.len() / 2]);
    for _ in 0..200 {
        let from = random.choose(&places);
        estimate(&mut ways, &grid, &goals, from);
    }
    assert_eq!(ways.guides(), 0, "no way is left");
    for _ in 0..50 {
        let from = random.choose(&places);
        assert_eq!(estimate(&mut ways, &grid, &goals, from), estimate(&mut exact, &grid, &goals, from));
    }
    let many = places.iter().copied().step_by(100).collect();
    assert_eq!(estimate(&mut ways, &grid, &many, places[7]), estimate(&mut exact, &grid, &many, places[7]));
}

#[test]
fn when_its_share_of_a_tick_is_spent_an_agent_goes_by_the_metric_for_a_while() {
    let grid = Grid::from_fn(300, 300, |x, y| x % 40 != 20 || y % 300 > 280).unwrap();
    let mut ways: Hierarchy<Grid> = Hierarchy::new().from_size(0);
    ways.begin_tick();
    let at = |x, y| grid.node(x, y).unwrap();
    let goals: Vec<Goals> = (0..300).map(|y| Goals::one(at(299, y))).collect();
    let mut first: Vec<u32> = goals.iter().map(|goals| estimate(&mut ways, &grid, goals, at(0, 0)).unwrap()).collect();
    let by_metric = |estimate: u32, y: u32| estimate == (299 + y) * 1000;
    assert!(!by_metric(first[0], 0) && by_metric(first[250], 250), "{first:?}");
    let mut epochs = Vec::new();
    for _ in 0..40 {
        epochs.push(ways.epoch(&grid, &goals[250], at(0, 0)));
        ways.begin_tick();
        first = goals.iter().map(|goals| estimate(&mut ways, &grid, goals, at(0, 0)).unwrap()).collect();
    }
    assert!((0..250).all(|y| !by_metric(first[y as usize], y)), "all have ways in the end");
    epochs.dedup();
    assert_eq!(epochs.len(), 2, "the way begins another epoch");
}

#[test]
fn a_clone_goes_its_own_way() {
    let grid = generated(MapKind::Caves, [120, 120], 2, 4).grid;
    let places = nodes(&grid);
    let mut random = Random::new(4);
    let mut ways: Hierarchy<Grid> = Hierarchy::new().from_size(0);
    for _ in 0..30 {
        let (from, goals) = (random.choose(&places), Goals::one(random.choose(&places)));
        // Some searches are under way.
        let _ = ways.heuristic(&grid, &goals, from).estimate(&grid, from, &mut Fuel::work(5));
        let mut copy = ways.clone();
        let [its, own] = [&mut copy, &mut ways].map(|ways| {
            let fuel = &mut Fuel::work(100_000);
            (ways.heuristic(&grid, &goals, from).estimate(&grid, from, fuel), fuel.left())
        });
        assert_eq!(its, own);
        assert_eq!(copy.bytes(), ways.bytes());
    }
}
