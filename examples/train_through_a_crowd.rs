//! A train crosses a busy square at fixed ticks. The walkers know its path in advance, and make way in time; the train
//! waits for nobody. Writes a moving picture.
//!
//! `cargo run -p giveway --example train_through_a_crowd`

use giveway::render::{AnimatedPicture, Backdrop};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::time::Tick;
use giveway::{Agent, AgentId, Checker, ConflictRule, NodeId, Point, SpaceGraph};

const WIDTH: u32 = 31;
const HEIGHT: u32 = 13;
/// The row of the rails.
const RAILS: u32 = HEIGHT / 2;
/// The wagons of the train.
const WAGONS: u32 = 4;
/// The train leaves every so many ticks.
const HEADWAY: Tick = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The train may go everywhere on its rails; walkers may not go to the yards at the ends.
    let rails = Grid::open(WIDTH, HEIGHT)?;
    let mut square = rails.clone();
    for y in 0..HEIGHT {
        for x in (0..=WAGONS).chain(WIDTH - 1 - WAGONS..WIDTH) {
            square.set_passable(x, y, false);
        }
    }
    let at = |x, y| rails.node(x, y).expect("on the square");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let trains = crowd.add_class(Class::new(&rails, Point::swap_rule(&rails)))?;
    let walkers = crowd.add_class(Class::new(&square, Point::swap_rule(&square)))?;

    let mut simulation = Simulation::new(crowd).recorded();
    let places: Endpoints = square.nodes().filter(|node| square.contains(*node)).collect();
    for x in WAGONS + 1..WIDTH - 1 - WAGONS {
        for y in (0..HEIGHT).filter(|y| (x + 2 * y).is_multiple_of(4)) {
            let task = Task::Lifelong { places: places.clone(), seed: 3 };
            simulation.add(walkers, Agent::bystander(at(x, y)), task)?;
        }
    }
    let others = simulation.crowd().agents().count();

    // The first wagon stands farthest east.
    let wagons: Vec<AgentId> = (0..WAGONS)
        .map(|wagon| simulation.add(trains, Agent::bystander(at(WAGONS - 1 - wagon, RAILS)), Task::Once))
        .collect::<Result<_, _>>()?;
    let mut stopped = 0;
    for departure in [HEADWAY / 2, HEADWAY / 2 + HEADWAY] {
        for (wagon, agent) in (0..).zip(&wagons) {
            // One move at each tick: at first to the east end, then back.
            let (from, to) = (WAGONS - 1 - wagon, WIDTH - 1 - wagon);
            let east = departure < HEADWAY;
            let path: Vec<NodeId> = if east {
                (from + 1..=to).map(|x| at(x, RAILS)).collect()
            } else {
                (from..to).rev().map(|x| at(x, RAILS)).collect()
            };
            let timetable: Vec<(Tick, NodeId)> = (departure..).zip(path).collect();
            simulation.crowd_mut().send_along(*agent, &timetable)?;
        }
        for _ in 0..HEADWAY {
            let report = simulation.tick(Budget::work(20_000));
            stopped += report.stopped.iter().filter(|agent| wagons.contains(agent)).count();
        }
    }
    let arrived = wagons.iter().filter(|wagon| simulation.crowd().node(**wagon) < Some(at(WAGONS, RAILS))).count();
    println!(
        "{others} walkers carried out {} orders in {} ticks; {arrived} of {WAGONS} wagons are back, and were stopped {stopped} times",
        simulation.metrics().arrivals,
        simulation.crowd().now(),
    );
    assert_eq!((arrived, stopped), (wagons.len(), 0));

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(&rails, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    let backdrop = Backdrop::cells(WIDTH, HEIGHT, |x, y| square.is_passable(x, y) || y == RAILS);
    let file = std::env::temp_dir().join("train_through_a_crowd.svg");
    std::fs::write(&file, AnimatedPicture::new(&trace, &backdrop).to_string())?;
    println!("written: {}", file.display());
    Ok(())
}
