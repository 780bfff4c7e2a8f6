//! Small budgets: the work that there is goes to all.

use giveway_core::Agent;
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Planner, Report};
use giveway_spaces::{Direction, Robot, Robots};

use crate::field::Field;

/// How many orders 100 robots that turn carry out in 300 ticks, in a field of 32x32 cells with walls, each robot one
/// order after the other.
fn errands(budget: Budget, seed: u128) -> usize {
    let Field { grid, starts, goals } = Field::random(32, 200, seed);
    let space = Robots::new(grid);
    let mut goals = goals.iter().cycle().map(|goal| space.any_heading(*goal));
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Planner::Step));
    let class = crowd.add_class(Class::new(&space, Robot)).unwrap();
    for start in &starts[..100] {
        let agent = crowd.add(class, Agent::bystander(space.pose(*start, Direction::East).unwrap())).unwrap();
        crowd.send_shared(agent, goals.next().unwrap()).unwrap();
    }
    let mut done = 0;
    for _ in 0..300 {
        let report = crowd.tick(budget);
        assert!(report.work <= budget.units() && report.overlaps == 0 && report.stopped.is_empty(), "{report:?}");
        done += report.arrived.len();
        for agent in report.arrived {
            crowd.send_shared(agent, goals.next().unwrap()).unwrap();
        }
    }
    done
}

/// A chain that fails for want of work is not tried again and again at the expense of all others.
#[test]
fn a_tenth_of_the_work_carries_out_a_third_of_the_orders() {
    for seed in 1..=2 {
        let all = errands(Budget::unlimited(), seed);
        // Without a limit a tick takes 5,000 to 6,000 units.
        let done = [600, 1200, 2500].map(|work| errands(Budget::work(work), seed));
        println!("{all} without a limit, {done:?} with 600, 1200, and 2500 units");
        assert!(all > 700 && done[0] * 3 >= all && done[1] * 2 >= all && done[2] * 4 >= all * 3, "{all}, {done:?}");
    }
}

/// The moves and the steps of 240 units of the default chain in 100 ticks, in a field.
fn moves_and_steps(budget: Budget) -> (usize, usize) {
    let field = Field::random(24, 100, 5);
    let mut run = field.crowd(240, CrowdSettings::new());
    let reports: Vec<Report> = (0..100).map(|_| run.tick_within(budget)).collect();
    run.check();
    let sum = |of: fn(&Report) -> usize| reports.iter().map(of).sum();
    (sum(|report| report.moves), sum(|report| report.served.step))
}

#[test]
fn while_the_budget_is_short_units_of_the_default_chain_take_steps() {
    let (moves, steps) = moves_and_steps(Budget::work(3000));
    println!("{moves} moves, {steps} steps");
    assert!(moves > 5000 && steps > 5000, "{moves} moves, {steps} steps");
    assert_eq!(moves_and_steps(Budget::unlimited()).1, 0, "with enough work windows do better");
}

/// Steps help nobody to find the way: where units wait for distances, the budget is not short.
#[test]
fn who_waits_for_distances_is_not_served_by_steps() {
    let field = Field::random(256, 26_000, 1);
    let mut run = field.crowd(100, CrowdSettings::new());
    let reports: Vec<Report> = (0..300).map(|_| run.tick_within(Budget::work(400))).collect();
    assert!(reports.iter().map(|report| report.postponed.len()).sum::<usize>() > 5000);
    assert_eq!(reports.iter().map(|report| report.operations).sum::<u64>(), 0);
    run.check();
}
