//! The order in which agents plan: HCA* on a benchmark scenario, once in each order, with and without restarts.

use giveway::plan::fewest_ticks;
use giveway::scenario::{MapFile, Scenario};
use giveway::strategies::{Hca, Order, Restart};
use giveway::{Instance, Point};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/movingai");
    let grid = MapFile::read(format!("{data}/maps/random-32-32-20.map"))?.grid()?;
    let point = Point::swap_rule(&grid);
    let agents = Scenario::read(format!("{data}/scens/random-32-32-20-random-1.scen"))?.agents(100, &grid)?;
    let instance = Instance::new(&grid, &point, agents)?;
    let bound: u64 = fewest_ticks(&instance).into_iter().flatten().map(u64::from).sum();

    println!("{:<15} {:<13} {:>6} {:>8} {:>10}", "order", "who fails", "rounds", "left out", "cost/bound");
    let orders = [
        ("as given", Order::AsGiven),
        ("farthest first", Order::FarthestFirst),
        ("nearest first", Order::NearestFirst),
        ("random", Order::Random { seed: 1 }),
    ];
    let restarts = [
        ("stands", Restart::Never),
        ("goes first", Restart::FailedFirst { times: 100 }),
        ("all shuffled", Restart::Shuffled { times: 100, seed: 1 }),
    ];
    for (order_name, order) in orders {
        for (restart_name, restart) in restarts {
            let solution = Hca::hca_star().order(order).restart(restart).solve(&instance);
            // In thousandths, so that the output does not depend on rounding.
            let ratio = solution.plan.sum_of_costs() * 1000 / bound;
            let cost =
                if solution.is_complete() { format!("{}.{:03}", ratio / 1000, ratio % 1000) } else { "-".to_owned() };
            println!(
                "{order_name:<15} {restart_name:<13} {:>6} {:>8} {cost:>10}",
                solution.details.rounds,
                solution.unplanned.len()
            );
        }
    }
    Ok(())
}
