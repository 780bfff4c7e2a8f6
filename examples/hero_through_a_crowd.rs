//! A hero crosses a busy square. Bystanders make way for any unit under way. With a priority above theirs, the hero
//! also goes before units with orders of their own. Writes a moving picture.
//!
//! `cargo run -p giveway --example hero_through_a_crowd`

use giveway::plan::Trace;
use giveway::render::{AnimatedPicture, Backdrop};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, Checker, ConflictRule, NodeId, Point};

const WIDTH: u32 = 25;
const HEIGHT: u32 = 13;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::open(WIDTH, HEIGHT)?;
    let alone = WIDTH - 1;
    println!("alone, the hero would be across after {alone} ticks");
    let [(unhurried, _), (hurried, trace)] = [cross(&grid, 0)?, cross(&grid, 9)?];
    assert!(alone <= hurried && hurried < unhurried, "a priority is worth something: {hurried}, {unhurried}");

    let backdrop = Backdrop::cells(WIDTH, HEIGHT, |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("hero_through_a_crowd.svg");
    std::fs::write(&file, AnimatedPicture::new(&trace, &backdrop).to_string())?;
    println!("written: {}", file.display());
    Ok(())
}

/// Lets a hero of priority `priority` cross the square. Returns the ticks needed, and the trace.
fn cross(grid: &Grid, priority: i32) -> Result<(u32, Trace), Box<dyn std::error::Error>> {
    let at = |x, y| grid.node(x, y).expect("on the square");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?;
    let mut simulation = Simulation::new(crowd).recorded();

    let (start, goal) = (at(0, HEIGHT / 2), at(WIDTH - 1, HEIGHT / 2));
    let places: Endpoints = (0..WIDTH * HEIGHT).map(NodeId).collect();
    // On one of fifteen places a bystander stands; from three of fifteen a unit with a lifelong task sets out.
    for x in 1..WIDTH - 1 {
        for y in 0..HEIGHT {
            let task = match ((x + 3 * y) % 5, (x + y) % 3) {
                (0, 0) => Task::Once,
                (2, _) => Task::Lifelong { places: places.clone(), seed: 3 },
                _ => continue,
            };
            simulation.add(class, Agent::bystander(at(x, y)), task)?;
        }
    }
    let others = simulation.crowd().agents().count();
    let hero = simulation.add(class, Agent::new(start, goal).priority(priority), Task::Once)?;

    let mut made_way = Vec::new();
    while simulation.crowd().is_home(hero) != Some(true) && simulation.crowd().now() < 500 {
        made_way.extend(simulation.tick(Budget::unlimited()).overridden);
    }
    let ticks = simulation.crowd().now();
    made_way.sort_unstable();
    made_way.dedup();
    println!(
        "with priority {priority}: {ticks} ticks, in which {} of {others} others made way for somebody",
        made_way.len()
    );

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    Ok((ticks, trace))
}
