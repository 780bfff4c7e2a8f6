//! Many units on large maps: budgets, memory and edits that are small for them.

use giveway_core::heuristic::{TrueDistances, Zero};
use giveway_core::{Agent, AgentId, ConflictRule, NodeId, Point, Tick};
use giveway_spaces::Grid;
use giveway_strategies::{Budget, Class, Whca};
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::run::Run;

/// Agents on an open map of `side` x `side` cells, each with a goal of its own so many steps away.
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

/// A crowd of `agents` whose distances may take so many bytes.
fn within<'a>(grid: &'a Grid, agents: &[Agent], bytes: usize) -> Run<'a> {
    let distances = TrueDistances::<&Grid, Zero>::tables().keep_at_most(bytes);
    let class = Class::new(grid, Point::swap_rule(grid)).heuristics(distances);
    let mut run = Run::of_class(grid, ConflictRule::Swap, Whca::new(), class);
    for agent in agents {
        run.crowd.add(run.class, agent.clone()).unwrap();
    }
    run
}

/// Ticks until all stand on their goals.
fn until_rest(run: &mut Run<'_>, budget: u64, most: Tick) -> Tick {
    while !run.crowd.is_at_rest() {
        run.tick_within(Budget::expansions(budget));
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
        let mut run = within(&grid, &agents(&grid, count, 50, 7), TrueDistances::<&Grid, Zero>::DEFAULT_BYTES);
        let ticks = until_rest(&mut run, 2000, 1000);
        assert!(run.crowd.distance_bytes() < count * 200_000, "{}", run.crowd.distance_bytes());
        (ticks, run.crowd.reverse_expanded())
    };
    let ((before, searched), (after, searched_after)) = (ticks(64), ticks(65));
    assert!(after <= before + before / 20, "{before} {after}");
    assert!(searched_after <= searched + 10_000, "{searched} {searched_after}");
}

#[test]
fn a_tick_without_a_budget_begins_no_search() {
    let grid = Grid::open(512, 512).unwrap();
    let mut run = within(&grid, &agents(&grid, 300, 50, 3), 0);
    for _ in 0..3 {
        let report = run.tick_within(Budget::expansions(0));
        assert_eq!((report.postponed.len(), report.out_of_memory.len()), (300, 0));
    }
    assert_eq!((run.crowd.reverse_expanded(), run.crowd.distance_bytes()), (0, 0));
}

/// What a whole table takes on a map of 64 x 64 cells: its pages, their table, and two frontiers.
const TABLE: usize = 64 * 64 * 2 + 16 * 8 + 2 * 128 * 4;

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
            // Whoever waits has come later than all who go.
            let waits = report.out_of_memory.iter().filter(|agent| !begun.contains(agent)).min();
            assert!(waits.is_none_or(|waits| ready.iter().all(|agent| agent < waits)), "{ready:?} before {waits:?}");
            begun.extend(ready);
            short += report.out_of_memory.len();
        }
        run.check();
        assert!(short > 100, "{tables}: {short}");
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
            let report = run.tick_within(Budget::expansions(3000));
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

/// Ticks until `agents` have arrived, where a cell in a corner is closed or opened every so many ticks.
fn with_edits(side: u32, agents: &[Agent], every: Option<Tick>, budget: u64) -> Tick {
    let grid = Grid::open(side, side).unwrap();
    let corner = grid.node(side - 1, 0).unwrap();
    let class = Class::new(grid.clone(), Point::swap_rule(&grid)).editable();
    let mut run = Run::of_class(&grid, ConflictRule::Swap, Whca::new(), class);
    for agent in agents {
        run.crowd.add(run.class, agent.clone()).unwrap();
    }
    let mut open = true;
    while !run.crowd.is_at_rest() {
        if every.is_some_and(|every| run.crowd.now().is_multiple_of(every)) {
            open = !open;
            assert_eq!(run.crowd.set_open(run.class, corner, open), Ok(true));
        }
        run.tick_within(Budget::expansions(budget));
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

/// The same with ways as long as the map: no table is finished between two edits.
#[test]
#[ignore = "takes half a minute without optimisation"]
fn a_crowd_moves_far_on_a_map_that_changes_all_the_time() {
    let grid = Grid::open(512, 512).unwrap();
    let agents = agents(&grid, 100, 400, 5);
    let (still, changing) = (with_edits(512, &agents, None, 2000), with_edits(512, &agents, Some(2), 2000));
    println!("{still} ticks without edits, {changing} with");
    assert!(changing <= 3 * still, "{still} ticks without edits, {changing} with");
}
