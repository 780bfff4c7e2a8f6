//! Turns to plan: every agent at first, then an even share; their order; the budget.

use std::collections::BTreeSet;

use giveway_core::heuristic::Zero;
use giveway_core::{Agent, AgentId, ConflictRule};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Lra, Planner, Replanning};
use giveway_distance::TrueDistances;
use giveway_spaces::Grid;
use giveway_strategies::Order;

use crate::crowd::run::Run;
use crate::world::point;

/// A hundred agents, each in a row of its own and a long way from its goal.
fn rows<'a>(grid: &'a Grid, settings: CrowdSettings) -> Run<'a> {
    rows_by(grid, settings, |y| i32::try_from(y * 31 % 100).unwrap())
}

/// Like [`rows`]; `priority` tells the priority of the agent in each row.
fn rows_by<'a>(grid: &'a Grid, settings: CrowdSettings, priority: impl Fn(u32) -> i32) -> Run<'a> {
    let class = Class::new(grid, point(grid, ConflictRule::Swap)).heuristics(TrueDistances::<Grid, Zero>::tables());
    let mut run = Run::of_class(grid, ConflictRule::Swap, settings, class);
    for y in 0..100 {
        let agent = Agent::new(run.at(y % 7, y), run.at(299, y)).priority(priority(y));
        run.crowd.add(run.class, agent).unwrap();
    }
    run
}

#[test]
fn all_plan_at_first_and_then_twelve_or_thirteen_at_a_time() {
    let grid = Grid::open(300, 100).unwrap();
    let mut run = rows(&grid, CrowdSettings::new().window(16));
    assert_eq!(run.tick().planned.len(), 100);
    let mut first = BTreeSet::new();
    for _ in 1..200 {
        let planned = run.tick().planned;
        assert!((12..=13).contains(&planned.len()), "{planned:?}");
        first.insert(planned[0]);
    }
    assert_eq!(first.len(), 100, "everyone is the first in turn");
    let moved: Vec<(u32, u32)> = (0..100).map(|agent| run.xy(agent)).collect();
    assert!(moved.iter().zip(0..).all(|((x, _), agent)| *x == 200 + agent % 7), "nobody waits for its turn");
}

/// Which ids stay.
type Rule = fn(u32) -> bool;

#[test]
fn when_most_agents_have_left_the_others_still_plan_a_few_at_a_time() {
    let grid = Grid::open(300, 160).unwrap();
    let rules: [(&str, Rule); 5] = [
        ("every eighth", |id| id.is_multiple_of(8)),
        ("every eighth of others", |id| id % 8 == 3),
        ("the first", |id| id < 20),
        ("the last", |id| id >= 140),
        ("pairs", |id| id / 2 % 8 == 1),
    ];
    for (rule, stays) in rules {
        for ticks in 1..10 {
            let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
            for y in 0..160 {
                run.crowd.add(run.class, Agent::new(run.at(y % 7, y), run.at(299, y))).unwrap();
            }
            (0..ticks).for_each(|_| drop(run.tick()));
            for id in (0..160).filter(|id| !stays(*id)) {
                run.crowd.remove(AgentId(id)).unwrap();
            }
            let planned: Vec<usize> = (0..60).map(|_| run.tick().planned.len()).collect();
            let mean = planned.iter().sum::<usize>() / planned.len();
            assert!(planned.iter().all(|agents| *agents <= mean + 2), "{rule} after {ticks}: {planned:?}");
            assert!((2..=3).contains(&mean), "{rule}: everybody goes on planning, {planned:?}");
        }
    }
}

#[test]
fn the_interval_is_a_setting() {
    let grid = Grid::open(300, 100).unwrap();
    let mut run = rows(&grid, CrowdSettings::new().window(16).interval(4));
    assert_eq!(run.tick().planned.len(), 100);
    assert!((1..40).all(|_| run.tick().planned.len() == 25));

    let mut run = rows(&grid, CrowdSettings::new().window(16).replanning(Replanning::AllAtOnce));
    let planned: Vec<usize> = (0..=16).map(|_| run.tick().planned.len()).collect();
    assert_eq!(planned, [100, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 100]);
}

#[test]
fn orders_say_who_plans_first() {
    let grid = Grid::open(300, 100).unwrap();
    let first = |order| {
        let mut run = rows(&grid, CrowdSettings::new().order(order));
        run.tick().planned.into_iter().take(3).map(|agent| agent.0).collect::<Vec<u32>>()
    };
    assert_eq!(first(Order::Rotating), [0, 1, 2]);
    assert_eq!(first(Order::AsGiven), [0, 1, 2]);
    // Agents in column 0 have the longest way, agents in column 6 the shortest.
    assert_eq!(first(Order::FarthestFirst), [0, 7, 14]);
    assert_eq!(first(Order::NearestFirst), [6, 13, 20]);
    assert_eq!(first(Order::ByPriority), [29, 58, 87]);
    assert_eq!(first(Order::Random { seed: 1 }), first(Order::Random { seed: 1 }));
    assert_ne!(first(Order::Random { seed: 1 }), first(Order::Random { seed: 2 }));
}

#[test]
fn where_1024_agents_plan_at_one_tick_they_do_so_by_node() {
    for (agents, is_by_node) in [(1023, false), (1024, true)] {
        let grid = Grid::open(8, agents).unwrap();
        let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
        // The first agents have the last nodes.
        for y in (0..agents).rev() {
            run.crowd.add(run.class, Agent::new(run.at(0, y), run.at(7, y))).unwrap();
        }
        let mut order: Vec<AgentId> = (0..agents).map(AgentId).collect();
        if is_by_node {
            order.reverse();
        }
        assert_eq!(run.tick().planned, order);
    }
}

#[test]
fn of_those_that_wait_for_work_the_highest_priority_plans_first() {
    let grid = Grid::open(300, 100).unwrap();
    let mut run = rows_by(&grid, CrowdSettings::new(), |y| i32::from(y == 70));
    let mut planned = (0..400).flat_map(|_| run.tick_within(Budget::work(1000)).planned);
    let before = planned.by_ref().take_while(|agent| *agent != AgentId(70)).count();
    assert!(before < 5, "{before} agents had begun before anybody waited");
    assert!(planned.next().is_some());
}

#[test]
fn a_small_budget_is_kept_and_nobody_is_put_off_for_ever() {
    let grid = Grid::open(300, 100).unwrap();
    let mut run = rows_by(&grid, CrowdSettings::new(), |_| 0);
    let mut planned = BTreeSet::new();
    let mut postponed = 0;
    for _ in 0..400 {
        let report = run.tick_within(Budget::work(1000));
        assert!(report.work <= 1000, "{report:?}");
        planned.extend(report.planned);
        postponed += report.postponed.len();
    }
    // The distances to a goal 300 cells away in an open map of 30,000 cells cost more than a tick's budget.
    assert!(postponed > 1000, "{postponed}");
    assert!(planned.len() >= 10, "{planned:?}");
    // Served in the order in which they came.
    assert!(planned.iter().copied().eq((0..planned.len()).map(|id| AgentId(u32::try_from(id).unwrap()))));
}

#[test]
fn a_budget_too_small_for_a_window_makes_the_window_shorter() {
    let grid = Grid::open(8, 1).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new().window(64));
    let agent = run.crowd.add(run.class, Agent::new(run.at(0, 0), run.at(7, 0))).unwrap();
    let most = 24;
    let mut postponed = 0;
    while !run.crowd.is_at_rest() {
        let report = run.tick_within(Budget::work(most));
        assert!(report.work <= most);
        postponed += report.postponed.len();
        assert!(run.crowd.now() < 40);
    }
    assert!(postponed > 0);
    assert!(run.crowd.plan(agent).iter().all(|leg| leg.arrive < run.crowd.now() + 24));
}

/// An order that leads across a large map does not delay agents that know their way.
#[test]
fn a_long_reverse_search_does_not_stop_the_others() {
    let grid = Grid::open(256, 256).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    for y in 0..10 {
        run.crowd.add(run.class, Agent::new(run.at(0, 2 * y), run.at(200, 2 * y))).unwrap();
    }
    run.tick();
    // Its goal is 65,000 cells away for a table that has not begun.
    let far = run.crowd.add(run.class, Agent::new(run.at(0, 255), run.at(255, 100))).unwrap();
    let mut left = 0;
    for _ in 0..60 {
        let report = run.tick_within(Budget::work(2000));
        assert!(report.work <= 2000, "{report:?}");
        assert!(report.moves >= 10, "the others stand still: {report:?}");
        left += u32::from(report.moves == 11);
    }
    assert!(left > 0, "agent {far:?} never found its way");
}

/// Agents that were put off come first, whatever the order says, and whatever agents are new.
#[test]
fn nobody_is_put_off_for_newcomers() {
    let grid = Grid::open(60, 60).unwrap();
    for order in [Order::Rotating, Order::NearestFirst, Order::FarthestFirst] {
        let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new().order(order));
        for y in 0..30 {
            run.crowd.add(run.class, Agent::new(run.at(0, 2 * y), run.at(59, 2 * y))).unwrap();
        }
        run.tick();
        let mut most = 0;
        for tick in 0..60 {
            run.crowd.send(AgentId(0), run.at(30 + tick % 7, 1)).unwrap();
            most = most.max(run.tick_within(Budget::work(400)).postponed.len());
        }
        assert!(most <= 10, "{order:?}: {most} are put off at a tick");
    }
}

#[test]
fn to_ask_for_a_distance_is_not_counted_as_a_ticks_work() {
    let grid = Grid::open(40, 40).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let one = run.crowd.add(run.class, Agent::new(run.at(0, 0), run.at(39, 39))).unwrap();
    assert_eq!(run.crowd.distance(one, Budget::work(10)), None);
    assert_eq!(run.crowd.distance(one, Budget::unlimited()), Some(78.0));
    assert_eq!(run.crowd.distance(AgentId(7), Budget::unlimited()), None);
    let report = run.tick_within(Budget::work(100));
    assert_eq!((report.reverse_expansions, report.expansions), (0, 17));
}

#[test]
fn time_goes_by_without_a_class() {
    let mut crowd = Crowd::new(CrowdSettings::new());
    (0..3).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    assert_eq!(crowd.now(), 3);
}

/// Four units that make no way stand round the goal, so that a search looks at all places and all ticks of its window.
#[test]
fn an_attempt_takes_so_much_work_only_and_the_window_is_halved() {
    let grid = Grid::open(40, 40).unwrap();
    let settings = CrowdSettings::new().chain(Planner::Windowed).window(256).growth(None);
    let mut run = Run::empty(&grid, ConflictRule::Swap, settings);
    let unit = run.crowd.add(run.class, Agent::new(run.at(2, 2), run.at(30, 30))).unwrap();
    let around = [(29, 30), (31, 30), (30, 29), (30, 31)];
    let others = around.map(|(x, y)| run.crowd.add(run.class, Agent::bystander(run.at(x, y))).unwrap());
    for other in others {
        run.crowd.set_chain(other, Lra::new(1)).unwrap();
    }
    for _ in 0..100 {
        let work = run.tick().work;
        assert!(work < 65_536 + 131_072 + 10_000, "{work}");
    }
    assert_ne!(run.xy(0), (2, 2));
    for (other, y) in others.into_iter().zip(0..) {
        run.crowd.send(other, run.at(39, y)).unwrap();
    }
    for _ in 0..100 {
        run.tick();
    }
    assert_eq!(run.crowd.is_home(unit), Some(true));
    run.check();
}
