//! A crowd learns lanes, and keeps them in a file. Another crowd on the same square has them from its first tick.
//!
//! `cargo run -p giveway --example learned_lanes_save_load`

use giveway::direction::{DirectionMap, DirectionRules};
use giveway::plan::Trace;
use giveway::scenario::DirectionMapFile;
use giveway::sim::{Metrics, Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway::{Agent, Point};

const WIDTH: u32 = 36;
const HEIGHT: u32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let square = Grid::open(WIDTH, HEIGHT)?;
    let file = std::env::temp_dir().join("learned_lanes.json");

    let map = DirectionMap::blank(&square, DirectionRules::paper().neighbours(0.1));
    let (blank, _) = cross(&square, &map, 200)?;
    cross(&square, &map, 800)?;
    DirectionMapFile::new(&map).write(&file)?;
    println!("written: {}, {} bytes", file.display(), std::fs::metadata(&file)?.len());

    // A frozen map no longer changes; `thaw` lets it learn on.
    let lanes = DirectionMapFile::read(&file)?.map(&square)?;
    lanes.freeze();
    let (learned, trace) = cross(&square, &lanes, 200)?;
    println!("200 ticks  arrivals   waits   expansions");
    for (name, metrics) in [("blank", &blank), ("learned", &learned)] {
        println!("  {name:<8} {:>8} {:>7} {:>12}", metrics.arrivals, metrics.waits, metrics.expansions);
    }
    assert!(learned.waits < blank.waits);

    // The file alone decides all paths.
    let again = DirectionMapFile::read(&file)?.map(&square)?;
    again.freeze();
    assert_eq!(cross(&square, &again, 200)?, (learned, trace), "the same file, the same paths");
    println!("the same file again: the same paths");

    // A square with a new wall.
    let mut other = Grid::open(WIDTH, HEIGHT)?;
    other.set_passable(WIDTH / 2, 0, false);
    let refusal = DirectionMapFile::read(&file)?.map(&other).expect_err("it is another square");
    println!("on another square: {refusal}");
    Ok(())
}

/// Lets 80 units go to and fro across the square by the directions of `map`. The map learns from them unless it is
/// frozen.
fn cross(square: &Grid, map: &DirectionMap, ticks: u32) -> Result<(Metrics, Trace), Box<dyn std::error::Error>> {
    let repair = Planner::LocalRepair(Lra::new(2008).noise(0).radius(5000));
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::new(repair).fallback(Planner::Windowed, 16)));
    let class = crowd.add_class(Class::new(square, Point::swap_rule(square)).layer(map))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| square.node(x, y).expect("on the square");
    for (x, y) in [0, 2].into_iter().flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
        for (here, there) in [(x, WIDTH - 2 - x), (WIDTH - 1 - x, x + 1)] {
            let task = Task::Patrol(vec![at(there, y), at(here, y)]);
            simulation.add(class, Agent::bystander(at(here, y)), task)?;
        }
    }
    simulation.run(ticks, Budget::unlimited());
    let trace = simulation.trace().expect("recorded");
    Ok((simulation.metrics(), trace))
}
