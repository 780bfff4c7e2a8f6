//! Ways in two levels, against true distances: which goals can be reached, how long ways are, and what edits, budgets
//! and many units do to them.

use giveway::area::{Area, Change};
use giveway::heuristic::{Heuristic, HeuristicSource, Hierarchy, TrueDistances, Zero};
use giveway::scenario::MapKind;
use giveway::search::Fuel;
use giveway::spaces::{
    Body, CommonTicks, Connectivity, Direction, Editable, Embedding, Floors, GraphSpace, Grid, Ground, HexGrid, Link,
    Linked, NavMesh, Robots, WaypointRules, Waypoints,
};
use giveway::{Goals, NodeId, SpaceGraph};
use hexx::{Hex, HexLayout, HexOrientation, OffsetHexMode};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::golden::worlds::{generated, nodes};
use crate::living::Random;

const KINDS: [MapKind; 5] = [MapKind::Random, MapKind::Room, MapKind::Maze, MapKind::Caves, MapKind::Warehouse];

pub(crate) fn estimate<S: SpaceGraph>(
    ways: &mut impl HeuristicSource<S>,
    space: &S,
    goals: &Goals,
    from: NodeId,
) -> Option<S::Cost> {
    ways.heuristic(space, goals, from).estimate(space, from, &mut Fuel::unlimited()).unwrap()
}

/// Walks from `from` to `goals` downhill, and checks each step: estimates of one search are consistent, zero on goals
/// only, and some neighbour is nearer. Returns the cost of the walk; `None`: there is no way.
pub(crate) fn walk<S: SpaceGraph<Cost = u32>>(
    ways: &mut Hierarchy<S>,
    space: &S,
    goals: &Goals,
    from: NodeId,
) -> Option<u32> {
    estimate(ways, space, goals, from)?;
    let (mut here, mut cost) = (from, 0);
    while !goals.contains(here) {
        let mut heuristic = ways.heuristic(space, goals, here);
        let mut heuristic = heuristic.begin(space);
        let mut of = |node| heuristic.estimate(space, node, &mut Fuel::unlimited()).unwrap();
        let own = of(here).unwrap();
        assert!(own > 0, "only goals are at their goals");
        let beside: Vec<(u32, NodeId, u32)> =
            space.moves(here).filter_map(|m| Some((of(m.to)? + m.cost, m.to, m.cost))).collect();
        for (onward, node, by) in &beside {
            assert!(*onward >= own, "{here:?}: {own}, and {onward} by {node:?}");
            for m in space.moves(*node) {
                assert!(of(m.to).is_none_or(|next| next + m.cost >= onward - by), "{node:?}");
            }
        }
        let (onward, next, by) = beside.into_iter().min().unwrap();
        assert_eq!(onward, own, "downhill from {here:?}");
        (here, cost) = (next, cost + by);
    }
    let at_goal = ways.heuristic(space, goals, here).estimate(space, here, &mut Fuel::unlimited());
    assert_eq!(at_goal, Ok(Some(0)));
    Some(cost)
}

/// Walks between places at random. Returns what all walks cost, and what shortest ones cost.
fn walk_about<S: SpaceGraph<Cost = u32>>(space: &S, walks: usize, random: &mut Random) -> (u32, u32) {
    walk_by(&mut Hierarchy::new().from_size(0), space, walks, random)
}

/// [`walk_about`] by these ways.
pub(crate) fn walk_by<S: SpaceGraph<Cost = u32>>(
    ways: &mut Hierarchy<S>,
    space: &S,
    walks: usize,
    random: &mut Random,
) -> (u32, u32) {
    let places = nodes(space);
    let mut exact = TrueDistances::<S, Zero>::tables();
    let mut sums = (0, 0);
    for _ in 0..walks {
        let (from, goals) = (random.choose(&places), Goals::one(random.choose(&places)));
        let cost = walk(ways, space, &goals, from);
        let least = estimate(&mut exact, space, &goals, from);
        assert_eq!(cost.is_some(), least.is_some(), "{from:?} to {goals:?}");
        let (Some(cost), Some(least)) = (cost, least) else { continue };
        assert!(cost >= least && f64::from(cost) <= 1.5 * f64::from(least) + 16_000.0, "{cost} for {least}");
        sums = (sums.0 + cost, sums.1 + least);
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

/// Walks in `space` by positions and without. Ways may be longer than shortest ones by these factors in the mean.
fn walk_in_pieces<S: Embedding<Cost = u32>>(name: &str, space: &S, most: [f64; 2]) {
    let by_positions = Hierarchy::new().from_size(0).with_positions();
    let blind = Hierarchy::new().from_size(0);
    for (mut ways, most) in [by_positions, blind].into_iter().zip(most) {
        let (cost, least) = walk_by(&mut ways, space, 40, &mut Random::new(7));
        assert!(f64::from(cost) <= most * f64::from(least), "{name}: {cost} for {least}");
        assert!(ways.reverse_expanded() > 0);
    }
}

#[test]
fn every_space_has_ways() {
    let rooms = generated(MapKind::Room, [90, 70], 2, 3).grid;
    let random = generated(MapKind::Random, [90, 70], 2, 4).grid;
    let caves = generated(MapKind::Caves, [90, 70], 2, 5).grid;
    let eight = |grid: &Grid| grid.clone().with_connectivity(Connectivity::Eight);
    walk_in_pieces("eight neighbours", &eight(&rooms), [1.03; 2]);
    walk_in_pieces("eight neighbours", &eight(&random), [1.03; 2]);
    walk_in_pieces("eight neighbours", &eight(&caves), [1.03; 2]);
    let rough = random.clone().with_terrain(|x, y| 1 + (x / 7 + y / 5) % 3).unwrap();
    walk_in_pieces("terrain", &rough, [1.03, 1.05]);
    // Streets between blocks of seven cells, to and fro in turn.
    let street = |x: u32, y: u32| match (x % 7, y % 7) {
        (0, 1..) => Some([Direction::North, Direction::South][(x / 7 % 2) as usize]),
        (1.., 0) => Some([Direction::East, Direction::West][(y / 7 % 2) as usize]),
        _ => None,
    };
    walk_in_pieces("one-ways", &random.clone().with_one_ways(street), [1.08; 2]);
    let hexes = (0..70).flat_map(|row| {
        (0..90)
            .map(move |column| Hex::from_offset_coordinates([column, row], OffsetHexMode::Odd, HexOrientation::Pointy))
    });
    let hexes = HexGrid::new(hexes, HexLayout::default()).unwrap();
    let hexes = hexes.with_walls(|hex| (hex.x * 7 + hex.y * 11 + hex.x * hex.y) % 5 == 0);
    walk_in_pieces("hexes", &hexes, [1.04, 1.06]);
    let cart = Body::square(2).unwrap();
    let ticks = CommonTicks::new().of([&cart], &caves).fewest().unwrap();
    let (space, _) = cart.on(&caves, Ground::from_grid(&caves), ticks).unwrap();
    walk_in_pieces("a body", &space, [1.03; 2]);
    let block = |x: f32, y: f32, w: f32, h: f32| vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    let sheds = (0..60_u8).map(|shed| {
        let [column, row] = [shed % 10, shed / 10].map(f32::from);
        block(3.0 + 8.0 * column, 2.0 + 8.0 * row, 2.0 + column % 4.0, 1.0 + row % 5.0)
    });
    let mesh = NavMesh::from_outline(&block(0.0, 0.0, 84.0, 50.0), &sheds.collect::<Vec<_>>()).unwrap();
    let rules = WaypointRules::new(&mesh, &Body::disc(0.3).unwrap());
    let ticks = CommonTicks::new().waypoints([&rules]).fewest().unwrap();
    walk_in_pieces("waypoints", &Waypoints::new(&mesh, rules, ticks).unwrap(), [1.03; 2]);
    let floors = [rooms.clone(), rooms, caves].into_iter().zip([0.0, 3.0, 6.0]);
    let floors = Floors::new(floors.map(|(grid, height)| grid.at_height(height).unwrap())).unwrap();
    let at =
        |floor, x, y| (y..70).find_map(|y| floors.node(floor, x, y).filter(|node| floors.contains(*node))).unwrap();
    let stairs = |(floor, x, y)| Link::new(at(floor, x, y), at(floor + 1, x, y), 3000, 3.0).both_ways();
    let links = [(0, 40, 30), (0, 5, 7), (1, 50, 40)].map(stairs).into();
    walk_in_pieces("floors", &Linked::new(floors, links).unwrap(), [1.04, 1.06]);
}

/// One-way streets at random: some places can be reached from few others.
#[test]
fn one_way_streets_lead_where_they_lead() {
    for (seed, streets) in (1..5).zip([1200, 1800, 2500, 4000]) {
        let mut random = Random::new(seed);
        let places: Vec<u32> = (0..1000).collect();
        let mut town = DiGraph::<[f32; 2], u32>::new();
        for place in &places {
            town.add_node([(place % 40) as f32, (place / 40) as f32]);
        }
        for _ in 0..streets {
            let from = random.choose(&places);
            let by = random.choose(&[1, 40, 41, 1000 - 1, 1000 - 40]);
            town.add_edge(
                NodeIndex::new(from as usize),
                NodeIndex::new((from + by) as usize % 1000),
                1000 + from % 7 * 100,
            );
        }
        let space = GraphSpace::new(&town, |street| *street.weight()).unwrap();
        let space = space.with_positions(|place| [town[place][0], town[place][1], 0.0]).unwrap();
        walk_in_pieces("streets", &space, [1.2; 2]);
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

#[test]
fn who_has_to_leave_a_vacated_area_has_a_way() {
    let mut grid = Grid::from_fn(96, 96, |x, y| x != 32 || y > 88).unwrap();
    let mut ways = Hierarchy::new().from_size(0).with_positions();
    let [inside, far] = [[2, 42], [90, 3]].map(|[x, y]| grid.node(x, y).unwrap());
    let goals = Goals::one(far);
    assert!(estimate(&mut ways, &grid, &goals, inside).is_some());
    grid.change(&Area::rectangle([0.0, 40.0], [5.0, 45.0]).unwrap(), Change::Vacate);
    assert!(!grid.contains(inside));
    let exact = estimate(&mut TrueDistances::<Grid, Zero>::tables(), &grid, &goals, inside).unwrap();
    let found = estimate(&mut ways, &grid, &goals, inside).unwrap();
    assert!(found.abs_diff(exact) <= 20_000, "{found}, and {exact}");
}

#[test]
fn a_goal_that_opens_during_a_search_is_found() {
    let mut grid = Grid::from_fn(60, 60, |x, y| x != 30 || y == 59).unwrap().with_connectivity(Connectivity::Eight);
    let [from, goal] = [[0, 0], [59, 0]].map(|[x, y]| grid.node(x, y).unwrap());
    for work in 1..40 {
        let mut ways = Hierarchy::new().from_size(0).with_positions();
        grid.set_open(goal, false);
        let _ = ways.heuristic(&grid, &Goals::one(goal), from).estimate(&grid, from, &mut Fuel::work(work));
        grid.set_open(goal, true);
        assert!(estimate(&mut ways, &grid, &Goals::one(goal), from).is_some(), "after {work}");
    }
}

/// Moves that cost a thousandth of a plain step, and a detour that costs ten times as much.
#[test]
fn small_costs_count() {
    let mut town = DiGraph::<[f32; 2], u32>::new();
    let places: Vec<NodeIndex> = (0..2000_u16).map(|place| town.add_node([f32::from(place % 1000), 0.0])).collect();
    for (one, other) in places.windows(2).filter(|ends| ends[1].index() != 1000).map(|ends| (ends[0], ends[1])) {
        let cost = if one.index() < 1000 { 1 } else { 10 };
        town.add_edge(one, other, cost);
        town.add_edge(other, one, cost);
    }
    for (one, other) in [(0, 1000), (999, 1999)] {
        town.add_edge(places[one], places[other], 1);
        town.add_edge(places[other], places[one], 1);
    }
    let space = GraphSpace::new(&town, |street| *street.weight()).unwrap();
    let mut ways = Hierarchy::new().from_size(0);
    let [from, to] = [1000, 1999].map(|place| space.node_id(places[place]).unwrap());
    assert_eq!(walk(&mut ways, &space, &Goals::one(to), from), Some(1001));
}

/// While an area is vacated, moves lead out of it only, and the map is no plain grid: sectors are pieces.
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

fn check_edits<S: Editable<Cost = u32>>(space: &mut S, ways: &mut Hierarchy<S>, random: &mut Random) {
    let places = nodes(space);
    let errands: Vec<(NodeId, Goals)> =
        (0..6).map(|_| (random.choose(&places), Goals::one(random.choose(&places)))).collect();
    for round in 0..40 {
        for (from, goals) in &errands {
            if !space.contains(*from) {
                continue;
            }
            // Estimates of an earlier map are allowed once.
            let _ = ways.renew(space, goals, *from, &mut Fuel::unlimited());
            let mut exact = TrueDistances::<S, Zero>::tables();
            let least = estimate(&mut exact, space, goals, *from);
            let cost = if space.contains(goals.nodes()[0]) { walk(ways, space, goals, *from) } else { None };
            assert_eq!(cost.is_some(), least.is_some(), "round {round}: {from:?} to {goals:?}");
        }
        for _ in 0..[1, 5, 60][round % 3] {
            let node = random.choose(&places);
            let is_open = space.contains(node);
            space.set_open(node, !is_open);
        }
    }
}

#[test]
fn edits_are_noticed() {
    for seed in 1..4 {
        let mut random = Random::new(seed);
        let mut grid = generated(MapKind::Random, [96, 96], 2, seed).grid;
        check_edits(&mut grid, &mut Hierarchy::new().from_size(0), &mut random);
        let mut eight = generated(MapKind::Random, [64, 64], 2, seed).grid.with_connectivity(Connectivity::Eight);
        check_edits(&mut eight, &mut Hierarchy::new().from_size(0).with_positions(), &mut random);
        let grid = generated(MapKind::Caves, [64, 64], 2, seed).grid;
        let mut floors = Floors::new([grid.clone(), grid.at_height(3.0).unwrap()]).unwrap();
        check_edits(&mut floors, &mut Hierarchy::new().from_size(0), &mut random);
    }
}

/// Asks two sources of ways alike, and lets one of them read ahead before each question.
fn read_ahead<S: SpaceGraph<Cost = u32>>(space: &S) {
    let mut sources = [Hierarchy::new().from_size(0), Hierarchy::new().from_size(0)];
    let places = nodes(space);
    let mut random = Random::new(9);
    for goal in places.iter().step_by(places.len() / 40) {
        let goals = Goals::one(*goal);
        let [from, elsewhere] = [random.below(places.len()), random.below(places.len())].map(|place| places[place]);
        let beyond = NodeId(u32::try_from(space.node_bound()).unwrap());
        let [touched, other] = &mut sources;
        let mut touch = |node| HeuristicSource::<S>::touch(touched, &goals, node);
        assert!(![from, elsewhere, beyond].map(&mut touch).contains(&true), "nobody has asked for these goals");
        let found = estimate(touched, space, &goals, from);
        assert_eq!(found, estimate(other, space, &goals, from));
        let mut touch = |node| HeuristicSource::<S>::touch(touched, &goals, node);
        assert_eq!([from, beyond].map(&mut touch), [found.is_some(), false]);
        assert_eq!(estimate(touched, space, &goals, elsewhere), estimate(other, space, &goals, elsewhere));
        let [touched, other] = &sources;
        assert_eq!(HeuristicSource::<S>::bytes(touched), HeuristicSource::<S>::bytes(other));
        let expanded = HeuristicSource::<S>::reverse_expanded;
        assert_eq!(expanded(touched), expanded(other));
    }
}

#[test]
fn reading_ahead_changes_nothing() {
    let grid = generated(MapKind::Random, [90, 70], 2, 4).grid;
    read_ahead(&grid);
    read_ahead(&grid.with_connectivity(Connectivity::Eight));
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
    ways.begin_tick(u64::MAX);
    let at = |x, y| grid.node(x, y).unwrap();
    let goals: Vec<Goals> = (0..300).map(|y| Goals::one(at(299, y))).collect();
    let mut first: Vec<u32> = goals.iter().map(|goals| estimate(&mut ways, &grid, goals, at(0, 0)).unwrap()).collect();
    let by_metric = |estimate: u32, y: u32| estimate == (299 + y) * 1000;
    assert!(!by_metric(first[0], 0) && by_metric(first[250], 250), "{first:?}");
    let mut epochs = Vec::new();
    for _ in 0..40 {
        epochs.push(ways.epoch(&grid, &goals[250], at(0, 0)));
        ways.begin_tick(u64::MAX);
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
