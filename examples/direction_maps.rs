//! Units go to and fro across a square. They share a map of the directions in which they move; moves against these
//! directions cost more, so lanes appear. Writes the map as arrows, and a player that shows how the lanes arise.
//!
//! `cargo run -p giveway --example direction_maps`

use giveway::direction::{Coherence, DirectionMap, DirectionRules};
use giveway::render::{Arrow, Backdrop, Flow, FlowPicture, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway::{Agent, Checker, ConflictRule, Point};

const WIDTH: u32 = 36;
const HEIGHT: u32 = 20;
/// Per side and row.
const UNITS: u32 = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::open(WIDTH, HEIGHT)?;
    println!("{} units cross a square of {WIDTH} by {HEIGHT} places\n", 2 * UNITS * HEIGHT);
    let [without, with] = [cross(&grid, 0.0)?, cross(&grid, 10.0)?];
    assert!(3 * with.waits < without.waits, "those who keep to lanes wait less");
    println!("\nlate on, {} waits without lanes, {} with them", without.waits, with.waits);
    for name in [without.name, with.name] {
        println!("written: {}.svg, {0}.html", std::env::temp_dir().join(name).display());
    }
    Ok(())
}

/// The result for the last quarter of the time.
struct Outcome {
    waits: u64,
    name: &'static str,
}

/// Lets units cross the square under a direction map of weight `weight`.
fn cross(grid: &Grid, weight: f32) -> Result<Outcome, Box<dyn std::error::Error>> {
    // The map is the layer of all units: it charges for planned moves, and learns from actual ones. With neighbours,
    // lanes grow wide.
    let map = DirectionMap::blank(grid, DirectionRules::default().weight(weight).neighbours(0.1));
    let coherence = || Coherence::default().of(grid, &map).unwrap_or(0.0);
    // Routes at the price of the map, around agents in sight; a window ahead for the few units that get nowhere.
    let repair = Planner::LocalRepair(Lra::new(2008).noise(0).radius(5000));
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::new(repair).fallback(Planner::Windowed, 16)));
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid)).layer(&map))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| grid.node(x, y).expect("on the square");
    for (row, y) in (0..UNITS).flat_map(|row| (0..HEIGHT).map(move |y| (2 * row, y))) {
        for (here, there) in [(row, WIDTH - 2 - row), (WIDTH - 1 - row, row + 1)] {
            let task = Task::Patrol(vec![at(there, y), at(here, y)]);
            simulation.add(class, Agent::bystander(at(here, y)), task)?;
        }
    }

    println!("weight {weight}: ticks   arrivals   waits   in vain   expansions   coherence");
    let mut flow = Flow::new();
    let mut waits = 0;
    for quarter in 1..=4 {
        let before = simulation.metrics();
        for _ in 0..40 {
            flow = flow.at(simulation.crowd().now(), Arrow::from_map(grid, &map));
            simulation.run(10, Budget::unlimited());
        }
        let now = simulation.metrics();
        waits = now.waits - before.waits;
        println!(
            "{:>16} {:>10} {waits:>7} {:>9} {:>12} {:>11.2}",
            400 * quarter,
            now.arrivals - before.arrivals,
            now.failed - before.failed,
            now.expansions - before.expansions,
            coherence(),
        );
    }

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    let backdrop = Backdrop::cells(WIDTH, HEIGHT, |x, y| grid.is_passable(x, y));
    let name = if weight > 0.0 { "direction_maps-lanes" } else { "direction_maps-no_lanes" };
    let file = std::env::temp_dir().join(name);
    std::fs::write(
        file.with_extension("svg"),
        FlowPicture::new(&Arrow::from_map(grid, &map), &backdrop)
            .title(format!("Weight {weight}, coherence {:.2}", coherence()))
            .to_string(),
    )?;
    std::fs::write(file.with_extension("html"), Player::new(&trace, &backdrop).flow(flow).to_string())?;
    Ok(Outcome { waits, name })
}
