//! Two units in a corridor with a bay: one turns off, the other passes. Printed tick by tick.

use giveway::spaces::Grid;
use giveway::strategies::Hca;
use giveway::{Agent, Checker, ConflictRule, Instance, Point};

const MAP: &str = "
    .......
    @@@.@@@
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let at = |x, y| grid.node(x, y).expect("on the grid");
    let agents = vec![Agent::new(at(0, 0), at(6, 0)), Agent::new(at(6, 0), at(3, 1))];

    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents)?;
    let plan = Hca::hca_star().solve(&instance).plan;

    for tick in 0..=plan.makespan() {
        println!("tick {tick}");
        for y in 0..grid.height() {
            let row = (0..grid.width()).map(|x| {
                let unit = plan.paths.iter().position(|path| grid.xy(path.node_at(tick)) == (x, y));
                let ground = if grid.is_passable(x, y) { '.' } else { '@' };
                unit.map_or(ground, |unit| ['A', 'B'][unit])
            });
            println!("  {}", row.collect::<String>());
        }
    }

    let violations = Checker::new(&grid, ConflictRule::Swap).check(instance.agents(), &plan);
    assert!(violations.is_empty());
    println!("sum of costs {}, makespan {}, no conflicts", plan.sum_of_costs(), plan.makespan());
    Ok(())
}
