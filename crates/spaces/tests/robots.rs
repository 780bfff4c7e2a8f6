//! Robots: their poses, their moves, their distances, and what they hold.

use std::collections::VecDeque;

use giveway_conformance as conformance;
use giveway_core::heuristic::{Heuristic, Manhattan, ToGoals, Zero};
use giveway_core::{
    Area, Cells, Change, ConflictRule, Editable, Embedding, Entry, Footprint, Fuel, Goals, Motion, NodeId, Point,
    SpaceGraph, Span,
};
use giveway_distance::{DistanceTable, Predecessors, ReverseAStar};
use giveway_spaces::{Connectivity, Direction, Grid, Robot, RobotStep, Robots};
use proptest::prelude::*;

const MAP: &str = "
    .....#....
    .##..#..#.
    .#........
    ...##..##.
    .#..#.....
    .##...#..#
";

const HEADINGS: [Direction; 4] = [Direction::East, Direction::South, Direction::West, Direction::North];

fn robots(map: &str) -> Robots {
    Robots::new(Grid::from_ascii(map).unwrap())
}

fn pose(robots: &Robots, x: u32, y: u32, direction: Direction) -> NodeId {
    robots.pose(robots.grid().node(x, y).unwrap(), direction).unwrap()
}

#[test]
fn poses_are_cells_and_headings() {
    let robots = robots("..\n#.\n");
    assert_eq!(robots.node_bound(), 16);
    for (heading, direction) in (0..).zip(HEADINGS) {
        let node = pose(&robots, 1, 1, direction);
        assert_eq!((node, robots.place(node), robots.direction(node)), (NodeId(12 + heading), NodeId(3), direction));
        assert_eq!(robots.position(node), [1.0, 1.0, 0.0]);
        // From x towards y, which grows downwards.
        let (dx, dy) = direction.offset();
        let angle = f64::from(robots.heading(node));
        assert!((angle.cos() - f64::from(dx)).abs() < 1e-6 && (angle.sin() - f64::from(dy)).abs() < 1e-6);
    }
    assert_eq!(robots.any_heading(NodeId(3)), (12..16).map(NodeId).collect());
    assert_eq!(robots.any_heading(NodeId(4)), Goals::from_iter([]));
    assert_eq!(robots.pose(NodeId(4), Direction::East), None);
    assert_eq!(robots.pose(NodeId(3), Direction::SouthEast), None);
    assert!(!robots.contains(pose(&robots, 0, 1, Direction::East)) && !robots.contains(NodeId(16)));
}

#[test]
fn a_robot_goes_forward_and_turns() {
    let robots = robots("...\n.#.\n");
    let moves = |x, y, direction| {
        let from = pose(&robots, x, y, direction);
        let told = robots.moves(from).map(|m| {
            assert_eq!((m.from, m.cost, m.length), (from, 1000, 1.0));
            let (x, y) = robots.grid().xy(robots.place(m.to));
            (m.action, x, y, robots.direction(m.to))
        });
        told.collect::<Vec<_>>()
    };
    use Direction::{East, North, South, West};
    use RobotStep::{Clockwise, CounterClockwise, Forward};
    let rows = [
        (moves(0, 0, East), vec![(Forward, 1, 0, East), (Clockwise, 0, 0, South), (CounterClockwise, 0, 0, North)]),
        (moves(0, 0, North), vec![(Clockwise, 0, 0, East), (CounterClockwise, 0, 0, West)]),
        (moves(1, 0, South), vec![(Clockwise, 1, 0, West), (CounterClockwise, 1, 0, East)]),
        (moves(2, 1, North), vec![(Forward, 2, 0, North), (Clockwise, 2, 1, East), (CounterClockwise, 2, 1, West)]),
        (moves(1, 1, West), vec![]),
    ];
    for (found, expected) in rows {
        assert_eq!(found, expected);
    }
    assert_eq!(robots.moves(NodeId(24)).count(), 0, "no such pose");
}

/// The distance of every pose to `goals`, by a plain search backwards over cells and headings.
fn oracle(grid: &Grid, goals: &Goals) -> Vec<Option<u32>> {
    let mut distances = vec![None; grid.node_bound() * 4];
    let mut queue = VecDeque::new();
    for goal in goals.nodes().iter().filter(|goal| grid.contains(NodeId(goal.0 / 4))) {
        distances[goal.index()] = Some(0);
        queue.push_back(*goal);
    }
    while let Some(node) = queue.pop_front() {
        let distance = distances[node.index()].map(|distance| distance + 1000);
        let ((x, y), heading) = (grid.xy(NodeId(node.0 / 4)), node.0 % 4);
        let (dx, dy) = HEADINGS[heading as usize].offset();
        let behind = x.checked_add_signed(-dx).zip(y.checked_add_signed(-dy)).filter(|(x, y)| grid.is_passable(*x, *y));
        let behind = behind.and_then(|(x, y)| grid.node(x, y)).map(|cell| cell.0 * 4 + heading);
        let turned = [1, 3].map(|by| Some(node.0 / 4 * 4 + (heading + by) % 4));
        for before in turned.into_iter().chain([behind]).flatten() {
            if distances[before as usize].is_none() {
                distances[before as usize] = distance;
                queue.push_back(NodeId(before));
            }
        }
    }
    distances
}

fn assert_distances(robots: &Robots, goals: &Goals) {
    let predecessors = Predecessors::from_space(robots);
    let mut table = DistanceTable::new(robots, predecessors, goals.clone());
    for (node, expected) in (0..).map(NodeId).zip(oracle(robots.grid(), goals)) {
        let found = table.estimate(robots, node, &mut Fuel::unlimited()).unwrap();
        if robots.contains(node) {
            assert_eq!(found, expected, "{node:?} to {goals:?}");
        }
    }
}

#[test]
fn distances_are_those_of_a_plain_search() {
    let robots = robots(MAP);
    assert!(robots.facts().origins.is_some() && robots.facts().uniform_cost == Some(1000));
    for cell in [0, 9, 22, 29, 53] {
        assert_distances(&robots, &robots.any_heading(NodeId(cell)));
        assert_distances(&robots, &Goals::one(NodeId(cell * 4 + 2)));
    }
}

#[test]
fn robots_conform_with_all_that_is_in_them() {
    let grid = || Grid::from_ascii(MAP).unwrap();
    let weighted = grid().with_terrain(|x, y| 1 + (x + 2 * y) % 4).unwrap();
    let slow = grid().with_slowness(|x, _| if x > 4 { 2.0 } else { 1.0 }).unwrap();
    let eight = grid().with_connectivity(Connectivity::Eight);
    for robots in [Robots::new(grid()), Robots::new(weighted), Robots::new(slow), Robots::new(eight)] {
        let checked = || {
            conformance::space_graph(&robots)?;
            conformance::embedding(&robots)?;
            conformance::footprint(&robots, &Robot)?;
            for goals in [robots.any_heading(NodeId(22)), Goals::one(NodeId(3)), Goals::from_iter([])] {
                let predecessors = Predecessors::from_space(&robots);
                let table = || DistanceTable::new(&robots, predecessors.clone(), goals.clone());
                conformance::heuristic(&robots, &goals, table)?;
                let metric = || Manhattan { step: 1000 };
                conformance::heuristic(&robots, &goals, || ToGoals { metric: metric(), goals: goals.clone() })?;
                conformance::heuristic(&robots, &goals, || {
                    ReverseAStar::new(predecessors.clone(), goals.clone(), NodeId(3), Zero)
                })?;
            }
            Ok::<(), conformance::Breach>(())
        };
        checked().unwrap();
    }
}

/// What robots hold is what points under the swap rule hold on the grid.
#[test]
fn a_robot_holds_its_cell_as_a_point_does() {
    let robots = robots(MAP);
    let grid = robots.grid();
    let point = Point::swap_rule(grid);
    let cells: Cells = Robot.cells(&robots);
    assert_eq!((cells, cells.rule()), (point.cells(grid), ConflictRule::Swap));
    let sorted = |mut entries: Vec<Entry>| {
        entries.sort_by_key(|entry| (entry.cell, entry.span.start));
        entries
    };
    for node in robots.nodes().filter(|node| robots.contains(*node)) {
        let place = robots.place(node);
        for ticks in [0, 1, 5] {
            let held = Robot.entries(&robots, &Motion::Rest { node, ticks }, 3);
            assert_eq!(held, point.entries(grid, &Motion::Rest { node: place, ticks }, 3));
        }
        for m in robots.moves(node) {
            let held = Robot.entries(&robots, &Motion::Move(m), 3);
            if m.action == RobotStep::Forward {
                let same = grid.moves(place).find(|other| other.to == robots.place(m.to)).unwrap();
                assert_eq!(sorted(held), sorted(point.entries(grid, &Motion::Move(same), 3)));
            } else {
                assert_eq!(held, [Entry { cell: cells.place(place.0), span: Span::lasting(3, 2) }]);
            }
        }
    }
}

/// Inside a wall that it may leave, a robot turns and goes out, and none comes in.
#[test]
fn a_robot_turns_in_a_wall_that_it_may_leave() {
    let mut robots = robots("....");
    assert!(robots.change(&Area::cells(1, 0, 2, 1).unwrap(), Change::Vacate));
    let [north, east] = [Direction::North, Direction::East].map(|direction| pose(&robots, 2, 0, direction));
    assert!(!robots.contains(north) && robots.moves(north).count() == 2);
    assert_eq!(robots.moves(east).next().map(|m| (m.action, m.to)), Some((RobotStep::Forward, NodeId(12))));
    assert!(robots.moves(pose(&robots, 0, 0, Direction::East)).all(|m| m.action != RobotStep::Forward));
    assert!(robots.is_inside(north, &Area::cells(2, 0, 1, 1).unwrap()) && robots.needs(north, east));
    assert!(robots.change(&Area::cells(1, 0, 2, 1).unwrap(), Change::Seal) && robots.moves(north).next().is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn distances_are_right_on_any_map_and_after_edits(
        width in 1_u32..9, height in 1_u32..9, walls in any::<u64>(),
        edits in prop::collection::vec((any::<u32>(), any::<bool>()), 0..6), goal in any::<u32>(),
    ) {
        let grid = Grid::from_fn(width, height, |x, y| walls >> ((y * width + x) % 64) & 1 == 0).unwrap();
        let mut robots = Robots::new(grid.clone());
        let mut other = grid;
        for (node, open) in edits {
            let node = NodeId(node % u32::try_from(robots.node_bound()).unwrap());
            let changed = other.set_open(NodeId(node.0 / 4), open);
            prop_assert_eq!(robots.set_open(node, open), changed);
        }
        // An edited space is the space of the edited grid.
        let anew = Robots::new(other);
        for node in robots.nodes() {
            prop_assert!(robots.moves(node).eq(anew.moves(node)));
            let into: Vec<NodeId> = robots.moves_into(node).into_iter().flatten().map(|m| m.from).collect();
            prop_assert_eq!(robots.facts().origins.unwrap().of(node).collect::<Vec<_>>(), into);
        }
        let cell = NodeId(goal % (width * height));
        assert_distances(&robots, &robots.any_heading(cell));
    }
}
