//! Two units meet in a corridor with a bay, and one of them gives way.

use giveway::spaces::Grid;
use giveway::strategies::Hca;
use giveway::{Agent, Instance, Point};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A corridor with a bay under its middle. `@` is a wall.
    let grid = Grid::from_ascii(
        "
        .......
        @@@.@@@
    ",
    )?;
    let at = |x, y| grid.node(x, y).expect("on the grid");

    // Unit 0 goes from the left end to the right end.
    // Unit 1 goes from the right end into the bay.
    let agents = vec![Agent::new(at(0, 0), at(6, 0)), Agent::new(at(6, 0), at(3, 1))];

    // What a unit occupies: a point. It moves one step per tick,
    // and two points never exchange places.
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents)?;

    // HCA*: one unit after the other. Each unit plans around the units before it.
    let solution = Hca::hca_star().solve(&instance);

    for (agent, path) in solution.plan.paths.iter().enumerate() {
        print!("unit {agent}:");
        for tick in 0..=solution.plan.makespan() {
            print!(" {:?}", grid.xy(path.node_at(tick)));
        }
        println!("  arrives at tick {}", path.arrival());
    }
    assert_eq!(solution.plan.makespan(), 7);
    Ok(())
}
