//! Small cases whose outcome was worked out by hand: a picture in, numbers out.

use crate::oracle::jointly::least_sum_of_costs;
use crate::world::{World, arrivals, assert_legal, picture, pictures, point};
use giveway_core::heuristic::{ByMetric, HeuristicSource, Manhattan, Zero};
use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{
    AgentId, Claim, ConflictRule, Entry, FOREVER, NoPath, NodeId, Path, Point, Query, ReservationStore, Scene,
    SpaceGraph, SpaceTimeSearch, Tick,
};
use giveway_distance::TrueDistances;
use giveway_spaces::{CornerCutting, Direction, Grid};
use giveway_strategies::{
    Cooperative, CooperativeDetails, Hca, Independent, Instance, NoPlan, Order, Restart, Solution, SolutionIn,
};

use ConflictRule::{Following, Swap};

const MANHATTAN: Manhattan<u32> = Manhattan { step: 1000 };

/// The result of every cooperative strategy for `world`, agents in the order of their letters, without a second try.
fn in_order(world: &World, rule: ConflictRule) -> [(&'static str, SolutionIn<Grid, CooperativeDetails>); 3] {
    fn by<H: HeuristicSource<Grid>>(
        heuristics: H,
        world: &World,
        rule: ConflictRule,
    ) -> SolutionIn<Grid, CooperativeDetails> {
        let strategy = Cooperative::new(heuristics);
        let mut strategy = strategy.order(Order::AsGiven).restart(Restart::Never);
        world.solve(rule, |instance| strategy.solve(instance))
    }
    let aimed = TrueDistances::aimed(MANHATTAN);
    [
        ("CA*", by(ByMetric(MANHATTAN), world, rule)),
        ("HCA* by tables", by(TrueDistances::<Grid, Zero>::tables(), world, rule)),
        ("HCA* by reverse A*", by(aimed, world, rule)),
    ]
}

/// All strategies plan the agents one after the other, and they arrive at these ticks.
fn arrive(world: &World, rule: ConflictRule, expected: &[Tick]) {
    for (name, solution) in in_order(world, rule) {
        assert!(solution.is_complete(), "{name}: {:?}", solution.unplanned);
        assert_eq!(arrivals(&solution.plan), expected, "{name}");
        assert_eq!(solution.plan.sum_of_costs(), expected.iter().copied().map(u64::from).sum::<u64>());
        assert_eq!(solution.plan.makespan(), *expected.iter().max().unwrap());
    }
}

/// All strategies plan the agents one after the other, and these are left without a path, cut off by the others.
fn cut_off(world: &World, rule: ConflictRule, expected: &[u32]) {
    for (name, solution) in in_order(world, rule) {
        let unplanned: Vec<u32> = solution.unplanned.iter().map(|none| none.agent.0).collect();
        assert_eq!(unplanned, expected, "{name}");
        for none in &solution.unplanned {
            assert_eq!(none.why, NoPlan::Blocked, "{name}");
        }
    }
}

/// Two moves between neighbouring cells meet if they have their middle in common.
fn meet(grid: &Grid) -> impl Fn([NodeId; 2], [NodeId; 2]) -> bool {
    move |a, b| {
        let middle = |[from, to]: [NodeId; 2]| {
            let ((x, y), (u, v)) = (grid.xy(from), grid.xy(to));
            (x + u, y + v)
        };
        middle(a) == middle(b)
    }
}

fn jointly(world: &World, rule: ConflictRule) -> Option<u64> {
    least_sum_of_costs(&world.grid, rule, &meet(&world.grid), &world.agents)
}

#[test]
fn on_the_unit_grid_the_cost_is_the_time_of_arrival() {
    let world = pictures(["A..B", "#.##"], ["b..a", "#.##"]);
    for rule in [Swap, Following] {
        for (name, solution) in in_order(&world, rule) {
            for path in solution.plan.paths {
                assert_eq!(path.cost, 1000 * path.arrival(), "{name}");
            }
        }
    }
}

#[test]
fn two_on_an_open_square_do_not_exchange_places_head_on() {
    let world = pictures(["AB", ".."], ["ba", ".."]);
    arrive(&world, Swap, &[1, 3]);
    for (name, Solution { plan, .. }) in in_order(&world, Swap) {
        assert_eq!(world.cells(&plan.paths[0]), [(0, 0), (1, 0)], "{name}");
        assert_eq!(world.cells(&plan.paths[1]), [(1, 0), (1, 1), (0, 1), (0, 0)], "{name}");
    }
    assert_eq!(jointly(&world, Swap), Some(4));
}

#[test]
fn who_follows_keeps_up_only_under_the_swap_rule() {
    let corridor = pictures(["BA...."], ["....ba"]);
    arrive(&corridor, Swap, &[4, 4]);
    arrive(&corridor, Following, &[4, 5]);
}

#[test]
fn four_rotate_under_the_swap_rule_and_cannot_under_the_other() {
    let world = pictures(["AB", "DC"], ["da", "cb"]);
    arrive(&world, Swap, &[1, 1, 1, 1]);
    assert_eq!(jointly(&world, Swap), Some(4));
    assert_eq!(jointly(&world, Following), None);
    for (name, solution) in in_order(&world, Following) {
        assert!(!solution.is_complete(), "{name}: {solution:?}");
    }
}

#[test]
fn crossing_diagonals_share_one_crossing_entry() {
    let world = pictures(["AB", ".."], ["..", "ba"]).eight(CornerCutting::Never);
    let (grid, point) = (&world.grid, Point::swap_rule(&world.grid));
    let entries = |x: u32, action: Direction| -> Vec<Entry> {
        let from = grid.node(x, 0).unwrap();
        let mut path = Path::standing(from, 0, giveway_core::AtEnd::Disappear);
        let m = grid.moves(from).find(|m| m.action == action).unwrap();
        path.steps.push(giveway_core::Step { motion: giveway_core::Motion::Move(m), depart: 0, arrive: 1 });
        path.entries(grid, &point)
    };
    let (a, b) = (entries(0, Direction::SouthEast), entries(1, Direction::SouthWest));
    let shared: Vec<&Entry> = a.iter().filter(|entry| b.contains(entry)).collect();
    assert_eq!(shared.len(), 1, "{a:?}\n{b:?}");
    assert!(shared[0].cell.index() >= grid.node_bound());

    // B goes round by the cell that A has left: two straight steps are cheaper than a pause and a diagonal one.
    for (_, solution) in in_order(&world, Swap).into_iter().skip(1) {
        assert_eq!(arrivals(&solution.plan), [1, 2]);
        assert_eq!(solution.plan.paths.iter().map(|path| path.cost).sum::<u32>(), 1414 + 2000);
    }
    assert_eq!(jointly(&world, Swap), Some(3));
}

#[test]
fn a_slow_diagonal_holds_its_crossing_to_the_end() {
    // Each diagonal takes 14 ticks, each straight step 10. A goes at tick 0. B, which cannot enter the corners before
    // they are left, waits for A to be through, and then takes the diagonal.
    let world = pictures(["AB", ".."], ["..", "ba"]).eight(CornerCutting::Never);
    let point = Point::rounded(&world.grid, 10);
    let instance = Instance::new(&world.grid, &point, world.agents.clone()).unwrap();
    let solution = Hca::hca_star().solve(&instance);
    assert_legal(&world.grid, Following, &world.agents, &solution);
    assert_eq!(arrivals(&solution.plan), [14, 28]);
}

#[test]
fn who_has_arrived_is_in_the_way_for_ever() {
    let corridor = pictures(["A...B"], ["..ba."]);
    cut_off(&corridor, Swap, &[1]);
    // However late the other one comes.
    let late = pictures(["A..................B"], ["..ba................"]);
    cut_off(&late, Swap, &[1]);
    cut_off(&late, Following, &[1]);
}

#[test]
fn a_goal_that_somebody_will_pass_is_not_yet_reached() {
    let starts = ["###B###", "A......"];
    let goals = ["###.###", "...b..a"];
    arrive(&pictures(starts, goals), Swap, &[6, 4]);
    arrive(&pictures(starts, goals), Following, &[6, 5]);
}

#[test]
fn who_stands_on_its_goal_steps_aside_and_comes_back() {
    let starts = ["###.###", "A..B..."];
    let goals = ["###.###", "...b..a"];
    arrive(&pictures(starts, goals), Swap, &[6, 4]);
    arrive(&pictures(starts, goals), Following, &[6, 5]);
}

#[test]
fn a_corridor_with_a_bay_fails_in_both_orders_and_can_be_solved() {
    let world = pictures(["A.....B", "###.###"], ["b.....a", "###.###"]);
    for rule in [Swap, Following] {
        cut_off(&world, rule, &[1]);
        cut_off(&world.clone().reversed(), rule, &[1]);
    }
    assert_eq!(jointly(&world, Swap), Some(15));
    assert_eq!(jointly(&world, Following), Some(18));
}

#[test]
fn an_order_on_a_line_that_cannot_change_is_reported() {
    let world = pictures(["A.B....."], [".....b.a"]);
    for rule in [Swap, Following] {
        assert_eq!(jointly(&world, rule), None);
        cut_off(&world, rule, &[1]);
        cut_off(&world.clone().reversed(), rule, &[1]);
        let solution = world.solve(rule, |instance| Hca::hca_star().solve(instance));
        assert!(!solution.is_complete());
        let mut ca = Cooperative::new(ByMetric(MANHATTAN));
        assert!(!world.solve(rule, |instance| ca.solve(instance)).is_complete());
    }
}

#[test]
fn undisturbed_an_agent_expands_its_path_and_no_more() {
    let alone = |world: &World, expected: [u64; 2]| {
        for (name, solution) in in_order(world, Swap).into_iter().skip(1) {
            assert_eq!([solution.plan.sum_of_costs(), solution.expansions], expected, "{name}");
        }
    };
    alone(&picture(["A....a"]), [5, 6]);
    alone(&picture(["A..", "...", "..a"]), [4, 5]);
    alone(&picture(["A"]), [0, 1]);
    // Three that do not disturb each other: 3 + 4, 3 + 4 and 0 + 1.
    alone(&picture(["A..a", "b..B", "..C."]), [6, 9]);
}

#[test]
fn the_manhattan_distance_floods_a_dead_end_and_the_true_distance_does_not() {
    let world = picture([
        ".........", //
        ".######..",
        "......#..",
        "A.....#.a",
        "......#..",
        ".######..",
        ".........",
    ]);
    let expansions = in_order(&world, Swap).map(|(_, solution)| solution.expansions);
    assert_eq!(expansions[1..], [15, 15]);
    assert!(expansions[0] > 2 * 15, "CA* expanded only {} states", expansions[0]);
    arrive(&world, Swap, &[14]);
}

#[test]
fn ties_go_to_the_newer_state() {
    // East comes before south among a cell's moves, so that south is the newer of two equals.
    let world = picture(["A..", "...", "..a"]);
    for (name, Solution { plan, .. }) in in_order(&world, Swap) {
        assert_eq!(world.cells(&plan.paths[0]), [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)], "{name}");
    }
}

#[test]
fn a_goal_behind_walls_ends_in_an_answer() {
    let world = picture(["A..#a", "....#", "B.b.."]);
    let outcome = |solution: SolutionIn<Grid>| -> Vec<(u32, NoPlan)> {
        assert_eq!(arrivals(&solution.plan), [0, 2]);
        solution.unplanned.iter().map(|none| (none.agent.0, none.why)).collect()
    };
    let [ca, tables, aimed] = in_order(&world, Swap).map(|(_, solution)| outcome(solution.map_details(drop)));
    // A metric knows nothing of walls: it is the parts of the map that say so to CA*.
    assert_eq!(ca, [(0, NoPlan::Unreachable)]);
    assert_eq!(tables, [(0, NoPlan::Unreachable)]);
    assert_eq!(aimed, [(0, NoPlan::Unreachable)]);
    let blind = world.solve(Swap, |instance| Independent::new(ByMetric(MANHATTAN)).solve(instance));
    assert_eq!(outcome(blind), [(0, NoPlan::Unreachable)]);
    let blind = world.solve(Swap, |instance| Independent::new(TrueDistances::aimed(MANHATTAN)).solve(instance));
    assert_eq!(outcome(blind), [(0, NoPlan::Unreachable)]);
}

#[test]
fn who_must_be_there_early_takes_the_short_way_and_not_the_cheap_one() {
    // Through the swamp under `~` it is 5 steps at the price of 9, round it 7 steps at the price of 7.
    let mut world = picture(["A~...a", "...###"]);
    let swamp = |x, y| if (x, y) == (1, 0) { 5 } else { 1 };
    world.grid = world.grid.with_terrain(swamp).unwrap();
    let latest = |latest: Tick| {
        let solution = world.solve(Swap, |instance| Hca::hca_star().latest(latest).solve(instance));
        match &solution.unplanned[..] {
            [] => Ok((solution.plan.sum_of_costs(), solution.plan.paths[0].cost)),
            [none, ..] => Err(none.why),
        }
    };
    let too_late = Err(NoPlan::TooLate);
    assert_eq!([4, 5, 6].map(latest), [too_late, Ok((5, 9000)), Ok((5, 9000))]);
    assert_eq!([7, 8, FOREVER].map(latest), [Ok((7, 7000)); 3]);
}

#[test]
fn a_search_that_departs_late_expands_no_state_twice() {
    // Eight cells, and no way to the ninth: whenever it departs, there are eight states once nothing changes.
    let world = picture(["A...", "...#", "..#a"]);
    let (grid, point) = (&world.grid, Point::swap_rule(&world.grid));
    let scene = Scene {
        space: grid,
        footprint: &point,
        reservations: &IntervalTable::new(giveway_core::Footprint::cells(&point, grid)),
        layer: &(),
    };
    for depart in [0, 1, 5] {
        let agent = &world.agents[0];
        let query = Query { depart, ..Query::new(Claim::plain(AgentId(0)), agent.start, agent.goals.clone()) };
        let mut search = SpaceTimeSearch::new();
        let zero = &mut Zero;
        let result = search.find(&scene, query, zero);
        assert_eq!((result, search.expanded()), (Err(NoPath::Exhausted), 9), "from tick {depart}");
    }
}

#[test]
fn an_agent_for_which_waiting_is_free_sets_out_at_once() {
    // Long after its arrival another agent passes elsewhere, so that times stay apart until then.
    let world = picture(["A........a", "..........", "B........b"]);
    let (grid, point) = (&world.grid, Point::swap_rule(&world.grid));
    let mut reservations = IntervalTable::new(giveway_core::Footprint::cells(&point, grid));
    let cell = giveway_core::Footprint::cells(&point, grid).place(world.agents[1].start.0);
    reservations.reserve(Claim::plain(AgentId(1)), &[Entry { cell, span: giveway_core::Span::tick(10_000) }]).unwrap();
    let scene = Scene { space: grid, footprint: &point, reservations: &reservations, layer: &() };
    let agent = &world.agents[0];
    for (wait_cost, expanded) in [(0, 20), (1000, 10)] {
        let query = Query { wait_cost, ..Query::new(Claim::plain(AgentId(0)), agent.start, agent.goals.clone()) };
        let mut search = SpaceTimeSearch::new();
        let mut distances = TrueDistances::<Grid, Zero>::tables();
        let path = search.find(&scene, query, &mut distances.to(grid, &agent.goals, agent.start)).unwrap();
        assert_eq!((path.arrival(), path.cost), (9, 9000), "waits cost {wait_cost}");
        assert!(search.expanded() <= expanded, "{} expansions where waits cost {wait_cost}", search.expanded());
    }
}

#[test]
fn every_start_is_held_at_tick_0_and_no_longer() {
    let world = pictures(["AB."], [".ab"]);
    arrive(&world, Swap, &[1, 1]);
    arrive(&world, Following, &[2, 1]);
    // Two steps away it makes no difference.
    let apart = pictures(["A.B."], ["..ab"]);
    arrive(&apart, Swap, &[2, 1]);
    arrive(&apart, Following, &[2, 1]);
}

#[test]
fn the_sparse_table_grows_with_the_paths_and_not_with_the_map() {
    let stored = |margin: usize| {
        let row = |row: &str| format!("{row}{}", ".".repeat(margin));
        let rows = [row("A..a"), row("...."), row("b..B"), row(""), row("")];
        let rows = [rows[0].as_str(), &rows[1], &rows[2]];
        let world = picture(rows);
        let point = Point::swap_rule(&world.grid);
        let mut table = SparseTable::new(giveway_core::Footprint::cells(&point, &world.grid));
        let solution = world.solve(Swap, |instance| Hca::hca_star().solve_on(instance, &mut table));
        assert_eq!(arrivals(&solution.plan), [3, 3]);
        table.entries()
    };
    // For each: the start, three crossings and two arrivals; the third arrival is a rest without end.
    assert_eq!((stored(0), stored(100)), (12, 12));
}

#[test]
fn the_same_instance_gets_the_same_plan_again_and_on_every_store() {
    let world = pictures(
        ["A..B.C", ".#..#.", "D..E..", ".#..#.", "F....G"],
        ["g.fe..", ".#..#.", "..dc.b", ".#..#.", "...a.."],
    );
    for rule in [Swap, Following] {
        let cells = giveway_core::Footprint::cells(&point(&world.grid, rule), &world.grid);
        fn on(
            world: &World,
            rule: ConflictRule,
            mut store: impl ReservationStore,
        ) -> SolutionIn<Grid, CooperativeDetails> {
            world.solve(rule, |instance| {
                let again = Hca::hca_star().solve_on(instance, &mut store);
                // Earlier uses of a store make no difference.
                let solution = Hca::hca_star().solve_on(instance, &mut store);
                assert_eq!(again, solution);
                solution
            })
        }
        let solution = world.solve(rule, |instance| Hca::hca_star().solve(instance));
        assert!(solution.is_complete());
        assert_eq!(solution, on(&world, rule, SparseTable::new(cells)));
        assert_eq!(solution, on(&world, rule, IntervalTable::new(cells)));
        for horizon in [0, 3, 64, 1000] {
            assert_eq!(solution, on(&world, rule, WindowTable::new(cells, horizon)));
        }
    }
}

#[test]
fn a_far_limit_does_not_make_a_search_without_end_of_a_blocked_goal() {
    let corridor = pictures(["A.B....."], [".....b.a"]);
    let mut strategy = Cooperative::new(ByMetric(MANHATTAN)).restart(Restart::Never).latest(1_000_000_000);
    let solution = corridor.solve(Swap, |instance| strategy.solve(instance));
    assert_eq!(solution.unplanned.len(), 1);
    assert_eq!(solution.unplanned[0].why, NoPlan::Blocked);
    assert!(solution.expansions < 200, "{} expansions", solution.expansions);
}
