//! Many units on large maps: budgets, memory and edits that are small for them.

use giveway_core::heuristic::Zero;
use giveway_core::{Agent, AgentId, ConflictRule, NodeId, Point, Tick};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, CrowdSolver, Lra, Planner};
use giveway_distance::TrueDistances;
use giveway_spaces::Grid;
use giveway_strategies::Instance;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;

/// Agents on an open map of `side` x `side` cells, each with a goal of its own at a given number of steps.
fn agents(grid: &Grid, count: usize, away: u32, seed: u128) -> Vec<Agent> {
    let side = grid.width();
    let mut cells: Vec<(u32, u32)> = (0..side - away).flat_map(|y| (0..side - away).map(move |x| (x, y))).collect();
    cells.shuffle(&mut Pcg64Mcg::new(seed));
    let at = |x, y| grid.node(x, y).unwrap();
    let to_goal = |(index, (x, y)): (u32, (u32, u32))| {
        let across = index * 7 % (away + 1);
        Agent::new(at(x, y), at(x + across, y + away - across))
    };
    let mut taken = std::collections::BTreeSet::new();
    (0..).zip(cells).map(to_goal).filter(|agent| taken.insert(agent.goals.clone())).take(count).collect()
}

/// A crowd of `agents`, with a bound on the bytes of its distances.
fn within<'a>(grid: &'a Grid, agents: &[Agent], bytes: usize) -> Run<'a> {
    let distances = TrueDistances::<Grid, Zero>::tables().keep_at_most(bytes);
    let class = Class::new(grid, Point::swap_rule(grid)).heuristics(distances);
    let mut run = Run::of_class(grid, ConflictRule::Swap, CrowdSettings::new(), class);
    for agent in agents {
        run.crowd.add(run.class, agent.clone()).unwrap();
    }
    run
}

/// Ticks until all stand on their goals.
fn until_rest(run: &mut Run<'_>, budget: u64, most: Tick) -> Tick {
    while !run.crowd.is_at_rest() {
        run.tick_within(Budget::work(budget));
        assert!(run.crowd.now() < most, "not everyone is there after {most} ticks");
    }
    run.check();
    run.crowd.now()
}

/// Of 65 whole tables on such a map the half used to be dropped, unfinished ones too, so that none was ever finished.
#[test]
fn one_goal_more_is_no_more_than_that() {
    let grid = Grid::open(1024, 1024).unwrap();
    let ticks = |count| {
        let mut run = within(&grid, &agents(&grid, count, 50, 7), TrueDistances::<Grid, Zero>::DEFAULT_BYTES);
        let ticks = until_rest(&mut run, 2000, 1000);
        assert!(run.crowd.distance_bytes() < count * 200_000, "{}", run.crowd.distance_bytes());
        (ticks, run.crowd.reverse_expanded())
    };
    let ((before, searched), (after, searched_after)) = (ticks(64), ticks(65));
    assert!(after <= before + before / 20, "{before} {after}");
    assert!(searched_after <= searched + 10_000, "{searched} {searched_after}");
}

/// Also the queries that tell whether an agent comes nearer at all.
#[test]
fn every_reverse_search_of_a_solve_counts() {
    let grid = Grid::open(60, 1).unwrap();
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, vec![Agent::new(NodeId(0), NodeId(59))]).unwrap();
    let solution = CrowdSolver::whca_star().solve(&instance);
    assert_eq!((solution.is_complete(), solution.reverse_expansions), (true, 59));
}

#[test]
fn a_tick_without_a_budget_begins_no_search() {
    let grid = Grid::open(512, 512).unwrap();
    let mut run = within(&grid, &agents(&grid, 300, 50, 3), 0);
    for _ in 0..3 {
        let report = run.tick_within(Budget::work(0));
        assert_eq!((report.postponed.len(), report.out_of_memory.len()), (300, 0));
    }
    assert_eq!((run.crowd.reverse_expanded(), run.crowd.distance_bytes()), (0, 0));
}

/// Eight rows of nine tiles: one more than the map has columns of them.
const TILES: usize = 8 * 9;

/// The bytes of a whole table on a map of 64 x 64 cells: its pages, their table, the tiles, and a frontier.
const TABLE: usize = TILES * 64 * 2 + TILES / 4 * 8 + TILES * 16 + 1 + 32 * 16;

#[test]
fn where_memory_is_short_units_wait_in_the_order_of_their_turns() {
    let grid = Grid::open(64, 64).unwrap();
    let agents = agents(&grid, 40, 40, 1);
    for tables in [0, 3, 10] {
        let mut run = within(&grid, &agents, tables * TABLE);
        let mut begun: Vec<AgentId> = Vec::new();
        let mut short = 0;
        while !run.crowd.is_at_rest() {
            let report = run.tick();
            assert!(report.out_of_memory.iter().all(|agent| report.postponed.contains(agent)));
            assert!(run.crowd.distance_bytes() <= (tables + 1) * TABLE, "{tables}: {}", run.crowd.distance_bytes());
            assert!(run.crowd.now() < 3000, "{tables}");
            let ready: Vec<AgentId> = report.planned.into_iter().filter(|agent| !begun.contains(agent)).collect();
            // Every waiting unit has come later than all units that go.
            let waits = report.out_of_memory.iter().filter(|agent| !begun.contains(agent)).min();
            assert!(waits.is_none_or(|waits| ready.iter().all(|agent| agent < waits)), "{ready:?} before {waits:?}");
            begun.extend(ready);
            short += report.out_of_memory.len();
        }
        run.check();
        assert!(short > 100, "{tables}: {short}");
    }
}

/// A unit without memory for distances blocks a unit that has some: after a while the memory goes to the next one.
#[test]
fn units_that_block_each_other_for_want_of_memory_take_turns() {
    let grid = Grid::from_ascii(".@@\n...\n...").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    // One wants into the pocket in which the other stands; one follows the other along a passage.
    let pocket = [Agent::new(at(0, 1), at(0, 0)), Agent::new(at(0, 0), at(2, 2))];
    let file = [Agent::new(at(0, 2), at(2, 1)), Agent::new(at(1, 2), at(2, 2))];
    let repair = Chain::new(Planner::LocalRepair(Lra::new(1)));
    for (agents, chain) in [(&pocket, Chain::default()), (&file, Chain::default()), (&file, repair)] {
        let distances = TrueDistances::<Grid, Zero>::tables().keep_at_most(0);
        let class = Class::new(&grid, Point::swap_rule(&grid)).heuristics(distances);
        let mut run = Run::of_class(&grid, ConflictRule::Swap, CrowdSettings::new().chain(chain), class);
        for agent in agents {
            run.crowd.add(run.class, agent.clone()).unwrap();
        }
        until_rest(&mut run, u64::MAX, 200);
    }
}

/// Pockets all along a wall, and memory for some units.
#[test]
fn a_row_of_pockets_empties_whatever_the_memory() {
    let grid = Grid::from_fn(64, 24, |x, y| y > 0 || x % 5 == 0).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let into = (0..12).map(|i| Agent::new(at(5 * i, 1), at(5 * i, 0)));
    let out = (0..12).map(|i| Agent::new(at(5 * i, 0), at(60 - i, 23)));
    let agents: Vec<Agent> = into.chain(out).collect();
    for tables in [0, 1, 3] {
        until_rest(&mut within(&grid, &agents, tables * TABLE / 2), u64::MAX, 3000);
        until_rest(&mut within(&grid, &agents, tables * TABLE / 2), 200, 6000);
    }
}

/// As long as the bound is not met, it makes no difference.
#[test]
fn plans_depend_on_the_bound_only_where_it_is_met() {
    let grid = Grid::open(64, 64).unwrap();
    let agents = agents(&grid, 40, 40, 2);
    let run = |bytes| {
        let mut run = within(&grid, &agents, bytes);
        let mut places: Vec<NodeId> = Vec::new();
        while !run.crowd.is_at_rest() {
            let report = run.tick_within(Budget::work(3000));
            assert_eq!(report.out_of_memory, []);
            places.extend(run.crowd.agents().filter_map(|agent| run.crowd.node(agent)));
        }
        run.check();
        (places, run.crowd.distance_bytes())
    };
    let (places, bytes) = run(usize::MAX);
    assert!(bytes < 40 * TABLE);
    assert_eq!(run(bytes + 1), (places, bytes));
}

/// Ticks until `agents` have arrived, while a cell in a corner is closed or opened at a fixed interval.
fn with_edits(side: u32, agents: &[Agent], every: Option<Tick>, budget: u64) -> Tick {
    let grid = Grid::open(side, side).unwrap();
    let corner = grid.node(side - 1, 0).unwrap();
    let class = Class::new(grid.clone(), Point::swap_rule(&grid)).editable();
    let mut run = Run::of_class(&grid, ConflictRule::Swap, CrowdSettings::new(), class);
    for agent in agents {
        run.crowd.add(run.class, agent.clone()).unwrap();
    }
    let mut open = true;
    while !run.crowd.is_at_rest() {
        if every.is_some_and(|every| run.crowd.now().is_multiple_of(every)) {
            open = !open;
            assert_eq!(run.crowd.set_open(run.class, corner, open), Ok(true));
        }
        run.tick_within(Budget::work(budget));
        assert!(run.crowd.now() < 200_000);
    }
    run.check();
    run.crowd.now()
}

#[test]
fn a_crowd_moves_on_a_map_that_changes_all_the_time() {
    let grid = Grid::open(512, 512).unwrap();
    let agents = agents(&grid, 100, 50, 5);
    let (still, changing) = (with_edits(512, &agents, None, 2000), with_edits(512, &agents, Some(2), 2000));
    assert!(changing <= 3 * still, "{still} ticks without edits, {changing} with");
}

/// Ways as long as the map: no table is finished between two edits.
#[test]
#[ignore = "takes half a minute without optimisation"]
fn a_crowd_moves_far_on_a_map_that_changes_all_the_time() {
    let grid = Grid::open(512, 512).unwrap();
    let agents = agents(&grid, 100, 400, 5);
    let (still, changing) = (with_edits(512, &agents, None, 2000), with_edits(512, &agents, Some(2), 2000));
    println!("{still} ticks without edits, {changing} with");
    assert!(changing <= 3 * still, "{still} ticks without edits, {changing} with");
}

/// A class that is edited all the time does not keep another from what has changed for it.
#[test]
fn every_class_has_its_turn_to_find_distances_anew() {
    let grid = Grid::open(512, 512).unwrap();
    let wall = Grid::from_fn(512, 512, |x, y| y != 1 || x == 0 || x == 50).unwrap();
    let point = || Point::swap_rule(&grid);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let many = crowd.add_class(Class::new(grid.clone(), point()).editable()).unwrap();
    let one = crowd.add_class(Class::new(wall.clone(), point()).editable()).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let walker = crowd.add(one, Agent::new(at(40, 0), at(40, 2))).unwrap();
    for agent in agents(&grid, 60, 400, 9) {
        // Below the way of the walker.
        let low = |node: NodeId| NodeId(node.0 % (512 * 400) + 512 * 100);
        let _ = crowd.add(many, Agent::new(low(agent.start), low(agent.goals.nodes()[0])));
    }
    while !crowd.is_home(walker).unwrap() {
        let (now, open) = (crowd.now(), crowd.now() % 2 == 1);
        crowd.set_open(many, at(511, 0), open).unwrap();
        if now == 5 {
            crowd.set_open(one, at(50, 1), false).unwrap();
        }
        let report = crowd.tick(Budget::work(2000));
        assert!(report.work <= 2000);
        assert!(now < 400, "at {:?}", crowd.node(walker).map(|node| grid.xy(node)));
    }
}

/// A unit of high priority meets others that would all have to plan anew. Where there is too little work for that, it
/// goes around them, in a crowd of a thousand sleepers, too.
#[test]
fn a_unit_that_is_short_of_work_gets_around_others_in_a_crowd_of_any_size() {
    let grid = Grid::from_fn(60, 34, |_, y| y != 12).unwrap();
    for sleepers in [0, 1100] {
        let settings = CrowdSettings::new().chain(Planner::Windowed);
        let mut run = Run::empty(&grid, ConflictRule::Swap, settings);
        for sleeper in 0..sleepers {
            run.crowd.add(run.class, Agent::bystander(run.at(sleeper % 60, 13 + sleeper / 60))).unwrap();
        }
        for (x, y) in (14..30).flat_map(|x| (0..12).map(move |y| (x, y))).filter(|(x, y)| (x + y) % 3 != 0) {
            run.crowd.add(run.class, Agent::new(run.at(x, y), run.at(x - 14, y))).unwrap();
        }
        run.tick();
        let unit = Agent { priority: 9, ..Agent::new(run.at(12, 6), run.at(50, 6)) };
        let unit = run.crowd.add_near(run.class, unit).unwrap();
        for _ in 0..400 {
            run.tick_within(Budget::work(150));
        }
        assert_eq!(run.crowd.is_home(unit), Some(true), "with {sleepers} sleepers");
    }
}

/// Many pairs at once that cannot pass each other: the knots of a large crowd share the work of a tick.
#[test]
fn knots_of_a_large_crowd_have_a_limit_at_each_tick() {
    let grid = Grid::from_fn(30, 120, |x, y| x > 9 || x < 8 && y % 2 == 0).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    for sleeper in 0..1100 {
        run.crowd.add(run.class, Agent::bystander(run.at(10 + sleeper % 20, sleeper / 20))).unwrap();
    }
    for y in (0..120).step_by(2) {
        run.crowd.add(run.class, Agent::new(run.at(0, y), run.at(7, y))).unwrap();
        run.crowd.add(run.class, Agent::new(run.at(2, y), run.at(5, y))).unwrap();
    }
    let most = (0..300).map(|_| run.tick()).filter(|report| report.tick > 20).map(|report| report.work).max();
    // One knot may begin when nearly all of the limit is used up. Without the limit a tick takes 172,000.
    assert!(most < Some(60_000), "{most:?}");
}
