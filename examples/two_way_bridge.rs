//! Two groups want to cross a bridge of width one, from both sides at once. Nothing tells them which group goes first:
//! each unit sees in the reservations of the others when the bridge is free. Writes a moving picture.
//!
//! `cargo run -p giveway --example two_way_bridge`

use giveway::plan::{Trace, fewest_ticks};
use giveway::render::{AnimatedPicture, Backdrop};
use giveway::spaces::Grid;
use giveway::strategies::CrowdSolver;
use giveway::{Agent, Checker, ConflictRule, Instance, Point};

const MAP: &str = "
    ....@@@@@@....
    ....@@@@@@....
    ..............
    ....@@@@@@....
    ....@@@@@@....
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let at = |x, y| grid.node(x, y).expect("on the map");
    let rows = [0, 1, 3, 4];
    let eastward = rows.map(|y| Agent::new(at(0, y), at(12, y)));
    let westward = rows.map(|y| Agent::new(at(13, y), at(1, y)));
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, [eastward, westward].concat())?;

    let solution = CrowdSolver::whca_star().latest(500).solve(&instance);
    assert!(solution.is_complete(), "everybody gets across: {:?}", solution.unplanned);
    assert_eq!(Checker::new(&grid, ConflictRule::Swap).check(instance.agents(), &solution.plan), []);

    let alone = fewest_ticks(&instance).into_iter().flatten().max().unwrap_or(0);
    println!("{} units are across after {} ticks", instance.agents().len(), solution.plan.makespan());
    println!("one alone would need {alone}, if it has the longest way");

    let trace = Trace::from_plan(&grid, instance.agents(), &solution.plan, 1);
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("two_way_bridge.svg");
    std::fs::write(&file, AnimatedPicture::new(&trace, &backdrop).to_string())?;
    println!("written: {}", file.display());
    Ok(())
}
