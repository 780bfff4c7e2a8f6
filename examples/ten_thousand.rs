//! Ten thousand units on a map of a quarter of a million cells. Each unit gets one goal after another. Writes a page
//! that plays what they did.
//!
//! `cargo run --release -p giveway --example ten_thousand`

use giveway::render::{Backdrop, Player};
use giveway::scenario::{Density, MapGenerator, MapKind};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, NodeId, Point, SpaceGraph};

const UNITS: usize = 10_000;
const TICKS: usize = 120;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = MapGenerator::new(MapKind::Random, 512, 512)
        .density(Density::new(0.15).ok_or("no share")?)
        .seed(5)
        .generate()?;
    let grid = map.grid()?;
    let places = Endpoints::from(within_reach(&grid, grid.node(256, 256).ok_or("the middle is a wall")?));

    // Nothing here is special to large crowds. On a map of this size, units are guided by ways.
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let apart = places.nodes().len() / UNITS;
    for start in places.nodes().iter().step_by(apart).take(UNITS) {
        simulation.add(class, Agent::bystander(*start), Task::Lifelong { places: places.clone(), seed: 5 })?;
    }

    let (mut arrivals, mut moves) = (0, 0);
    for tick in 1..=TICKS {
        let report = simulation.tick(Budget::unlimited());
        arrivals += report.arrived.len();
        moves += report.moves;
        if tick % 20 == 0 {
            println!("after {tick} ticks: {moves} moves, {arrivals} orders carried out");
        }
    }
    println!("distances take {} bytes for each unit", simulation.crowd().distance_bytes() / UNITS);
    assert!(moves > UNITS * TICKS * 9 / 10, "nearly all units move at nearly all ticks");

    let trace = simulation.take_trace().ok_or("not recorded")?;
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("ten_thousand.html");
    std::fs::write(&file, Player::new(&trace, &backdrop).title("Ten thousand units").to_string())?;
    println!("written: {}", file.display());
    Ok(())
}

/// All places within reach of `start`.
fn within_reach(grid: &Grid, start: NodeId) -> Vec<NodeId> {
    let mut places = vec![start];
    let mut is_listed = vec![false; grid.node_bound()];
    is_listed[start.index()] = true;
    let mut next = 0;
    while next < places.len() {
        for m in grid.moves(places[next]) {
            if !std::mem::replace(&mut is_listed[m.to.index()], true) {
                places.push(m.to);
            }
        }
        next += 1;
    }
    places.sort_unstable();
    places
}
