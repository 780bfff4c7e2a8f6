//! Small budgets: the work that there is goes to all.

use giveway_core::{Agent, ConflictRule, NodeId, SpaceGraph as _};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Planner, Report};
use giveway_spaces::{Direction, Grid, Robot, Robots};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;
use crate::field::field;

/// How many orders 100 robots that turn carry out in 300 ticks, in a field of 32x32 cells with walls, each robot one
/// order after the other.
fn errands(budget: Budget, seed: u128) -> usize {
    let mut rng = Pcg64Mcg::new(seed);
    let mut grid = Grid::open(32, 32).unwrap();
    for _ in 0..200 {
        grid.set_passable(rng.random_range(0..32), rng.random_range(0..32), false);
    }
    let mut cells: Vec<NodeId> = grid.nodes().filter(|cell| grid.contains(*cell)).collect();
    cells.shuffle(&mut rng);
    let space = Robots::new(grid);
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Planner::Step));
    let class = crowd.add_class(Class::new(&space, Robot)).unwrap();
    for start in &cells[..100] {
        let agent = crowd.add(class, Agent::bystander(space.pose(*start, Direction::East).unwrap())).unwrap();
        crowd.send_shared(agent, space.any_heading(cells[rng.random_range(0..cells.len())])).unwrap();
    }
    let mut done = 0;
    for _ in 0..300 {
        let report = crowd.tick(budget);
        assert!(report.work <= budget.units() && report.overlaps == 0 && report.stopped.is_empty(), "{report:?}");
        done += report.arrived.len();
        for agent in report.arrived {
            crowd.send_shared(agent, space.any_heading(cells[rng.random_range(0..cells.len())])).unwrap();
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
    let (grid, starts, goals) = field(100, 5);
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    for (start, goal) in starts.iter().zip(&goals).take(240) {
        run.crowd.add(run.class, Agent::new(*start, *goal)).unwrap();
    }
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
