//! Small budgets: the work that there is goes to all.

use giveway_core::{Agent, NodeId, SpaceGraph as _};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Planner};
use giveway_spaces::{Direction, Grid, Robot, Robots};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

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
