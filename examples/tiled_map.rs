//! A map of the Tiled editor: guests go through a courtyard, from one gate to the other. Writes a player.

use giveway::render::{Backdrop, Player};
use giveway::scenario::{TileMapFile, Walls};
use giveway::sim::{Simulation, Task};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, Checker, ConflictRule, NodeId, Point};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tiles = TileMapFile::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/tiled/courtyard.tmx"))?;
    println!("layers: {}", tiles.layers().collect::<Vec<_>>().join(", "));

    // The layer `walls` is wall. Mud has the property `cost`.
    let costs = tiles.costs("cost")?;
    let cost = |x: u32, y: u32| costs[(y * tiles.width() + x) as usize];
    let grid = tiles.map(&Walls::Default)?.grid()?.with_terrain(cost)?;

    // The gates are objects of one class. Guests stand around a gate, and go to the other one.
    let gates = tiles.cells(&"class=gate".parse()?)?;
    let beside = |gate: [u32; 2]| -> Vec<NodeId> {
        let mut near: Vec<NodeId> = (0..grid.height())
            .flat_map(|y| (0..grid.width()).map(move |x| (x, y)))
            .filter(|(x, y)| grid.is_passable(*x, *y) && x.abs_diff(gate[0]) + y.abs_diff(gate[1]) < 8)
            .filter_map(|(x, y)| grid.node(x, y))
            .collect();
        near.truncate(25);
        near
    };
    let (west, east) = (beside(gates[0]), beside(gates[1]));

    let point = Point::swap_rule(&grid);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let guests = crowd.add_class(Class::new(&grid, &point))?;
    let mut simulation = Simulation::new(crowd).recorded();
    for (from, to) in west.iter().zip(&east) {
        simulation.add(guests, Agent::new(*from, *to), Task::Once)?;
        simulation.add(guests, Agent::new(*to, *from), Task::Once)?;
    }
    while !simulation.crowd().is_at_rest() {
        simulation.tick(Budget::unlimited());
    }
    let ticks = simulation.crowd().now();
    let trace = simulation.trace().ok_or("it is recorded")?;
    assert!(Checker::new(&grid, ConflictRule::Swap).check_trace(&trace).is_empty());
    println!("{} guests are at the other gate after {ticks} ticks", trace.agents.len());

    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("tiled_map.html");
    std::fs::write(&file, Player::new(&trace, &backdrop).title("Guests in a courtyard").to_string())?;
    println!("a player: {}", file.display());
    Ok(())
}
