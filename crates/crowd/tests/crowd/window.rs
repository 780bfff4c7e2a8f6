//! The windowed search: fixed depth, terminal node, free pause on the goal.

use giveway_core::store::WindowTable;
use giveway_core::{
    AgentId, AtEnd, Claim, Cost, Entry, Footprint, Fuel, Heuristic, NoPath, NodeId, PathIn, Point, Query,
    ReservationStore, Scene, SpaceGraph, SpaceTimeSearch, Span, Tick,
};
use giveway_distance::{DistanceTable, Predecessors};
use giveway_spaces::Grid;
use proptest::prelude::*;

const ME: Claim = Claim::plain(AgentId(0));
const OTHER: Claim = Claim::plain(AgentId(1));

struct Found {
    path: PathIn<Grid>,
    /// The cost, the terminal node included.
    total: u32,
    expanded: u64,
}

fn search(grid: &Grid, store: &WindowTable, start: NodeId, goal: NodeId, depth: Tick, at_end: AtEnd) -> Option<Found> {
    let point = Point::swap_rule(grid);
    let mut table = DistanceTable::new(grid, Predecessors::from_space(grid), goal.into());
    let scene = Scene { space: grid, footprint: &point, reservations: store, layer: &() };
    let mut search = SpaceTimeSearch::new();
    let query = Query { depart: 3, horizon: 3 + depth, at_end, ..Query::new(ME, start, goal.into()) };
    let path = search.find(&scene, query, &mut table).ok()?;
    let total = path.cost + search.remaining().unwrap();
    Some(Found { path, total, expanded: search.expanded() })
}

fn empty(grid: &Grid) -> WindowTable {
    WindowTable::new(Point::swap_rule(grid).cells(grid), 64)
}

#[test]
fn a_lone_agent_on_its_goal_pauses_for_nothing() {
    let grid = Grid::open(5, 5).unwrap();
    let goal = grid.node(2, 2).unwrap();
    for depth in [1, 2, 8, 16, 40] {
        let found = search(&grid, &empty(&grid), goal, goal, depth, AtEnd::Stay).unwrap();
        assert_eq!((found.path.cost, found.total, found.expanded), (0, 0, u64::from(depth) + 1));
        assert_eq!(found.path.arrival(), 3, "it does not move");
        assert_eq!(found.path.steps.last().unwrap().arrive, 3 + depth);
    }
}

#[test]
fn a_lone_agent_under_way_goes_straight_for_as_far_as_it_sees() {
    let grid = Grid::open(30, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    for (depth, end, cost, total) in [(8, 8, 8, 20), (20, 20, 20, 20), (25, 20, 20, 20)] {
        let found = search(&grid, &empty(&grid), at(0), at(20), depth, AtEnd::Stay).unwrap();
        assert_eq!((found.path.end(), found.path.cost, found.total), (at(end), cost * 1000, total * 1000));
        assert_eq!(found.expanded, u64::from(depth) + 1);
    }
}

#[test]
fn a_path_may_end_on_its_goal_before_the_horizon_if_the_agent_can_stay() {
    let grid = Grid::open(9, 2).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let point = Point::swap_rule(&grid);
    let mut store = empty(&grid);
    let mut arrive = |busy: Option<Tick>, ends_on_goal| {
        if let Some(tick) = busy {
            let cell = point.cells(&grid).place(at(4).0);
            store.reserve(OTHER, &[Entry { cell, span: Span::tick(tick) }]).unwrap();
        }
        let mut table = DistanceTable::new(&grid, Predecessors::from_space(&grid), at(4).into());
        let scene = Scene { space: &grid, footprint: &point, reservations: &store, layer: &() };
        let query = Query { horizon: 20, ends_on_goal, ..Query::new(ME, at(0), at(4).into()) };
        SpaceTimeSearch::new().find(&scene, query, &mut table).unwrap().steps.last().unwrap().arrive
    };
    assert_eq!([false, true].map(|ends_on_goal| arrive(None, ends_on_goal)), [20, 4]);
    assert_eq!(arrive(Some(9), true), 10, "somebody passes the goal later");
}

/// The least cost of what can be done in `depth` steps and then, alone, by tables: everything written anew.
fn least(grid: &Grid, held: &[(NodeId, Tick)], start: NodeId, goal: NodeId, depth: Tick) -> Option<u32> {
    let mut table = DistanceTable::new(grid, Predecessors::from_space(grid), goal.into());
    let mut costs = vec![None; grid.node_bound()];
    costs[start.index()] = Some(0);
    for tick in 4..=3 + depth {
        let mut next: Vec<Option<u32>> = vec![None; grid.node_bound()];
        let mut offer = |node: NodeId, cost: u32| {
            let known = &mut next[node.index()];
            if !held.contains(&(node, tick)) && known.is_none_or(|known| cost < known) {
                *known = Some(cost);
            }
        };
        for (node, cost) in (0..).map(NodeId).zip(&costs) {
            let Some(cost) = cost else { continue };
            offer(node, cost + if node == goal { 0 } else { u32::STEP });
            grid.moves(node).for_each(|m| offer(m.to, cost + u32::STEP));
        }
        costs = next;
    }
    let mut left = |node| table.estimate(grid, node, &mut Fuel::unlimited()).unwrap();
    (0..).map(NodeId).zip(costs).filter_map(|(node, cost)| Some(cost? + left(node)?)).min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_cost_is_the_least_over_all_ends_of_what_is_paid_and_what_is_left(
        walls in proptest::collection::vec(any::<bool>(), 25),
        held in proptest::collection::vec((0_u32..25, 4_u32..16), 0..80),
        (start, goal, depth) in (0_u32..25, 0_u32..25, 1_u32..10),
    ) {
        let wall = |x: u32, y: u32| walls[(y * 5 + x) as usize] && walls[((x * 7 + y * 3) % 25) as usize];
        let free = |node: u32| !wall(node % 5, node / 5) || node == start || node == goal;
        let grid = Grid::from_fn(5, 5, |x, y| free(y * 5 + x)).unwrap();
        let held: Vec<(NodeId, Tick)> = held.into_iter().map(|(node, tick)| (NodeId(node), tick)).collect();
        let mut store = empty(&grid);
        let cells = Point::swap_rule(&grid).cells(&grid);
        let entries: Vec<Entry> =
            held.iter().map(|(node, tick)| Entry { cell: cells.place(node.0), span: Span::tick(*tick) }).collect();
        store.reserve(OTHER, &entries).unwrap();
        let found = search(&grid, &store, NodeId(start), NodeId(goal), depth, AtEnd::Disappear);
        let expected = least(&grid, &held, NodeId(start), NodeId(goal), depth);
        // Without any way to the goal there is no terminal node to come to.
        prop_assert_eq!(found.map(|found| found.total), expected);
    }
}

#[test]
fn with_a_rest_at_its_end_a_window_ends_only_where_one_may_stay() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut store = empty(&grid);
    let cells = Point::swap_rule(&grid).cells(&grid);
    // Somebody comes to 2 and 3 later.
    let later = [2, 3].map(|x| Entry { cell: cells.place(at(x).0), span: Span::tick(20) });
    store.reserve(OTHER, &later).unwrap();
    let end = |at_end| search(&grid, &store, at(0), at(5), 3, at_end).unwrap().path.end();
    assert_eq!(end(AtEnd::Disappear), at(3));
    assert_eq!(end(AtEnd::Stay), at(1));
}

#[test]
fn who_is_cut_off_can_hold_out_for_a_while() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut store = empty(&grid);
    let cells = Point::swap_rule(&grid).cells(&grid);
    // A unit sweeps the corridor from the left, and no unit can get out of its way: at tick 3 + x it is on x.
    let sweep: Vec<Entry> =
        (0..6).map(|x| Entry { cell: cells.place(at(x).0), span: Span::lasting(3 + x, 30) }).collect();
    store.reserve(OTHER, &sweep).unwrap();
    let point = Point::swap_rule(&grid);
    let mut table = DistanceTable::new(&grid, Predecessors::from_space(&grid), at(0).into());
    let scene = Scene { space: &grid, footprint: &point, reservations: &store, layer: &() };
    let mut search = SpaceTimeSearch::new();
    let query = Query { depart: 3, horizon: 19, at_end: AtEnd::Disappear, ..Query::new(ME, at(2), at(0).into()) };
    let found = search.find(&scene, query, &mut table);
    assert_eq!(found.err(), Some(NoPath::Exhausted));
    let longest = search.longest(&grid).unwrap();
    // It can be on 5 until tick 7.
    assert_eq!((longest.end(), longest.steps.last().unwrap().arrive), (at(5), 7));
}
