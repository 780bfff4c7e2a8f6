//! Two groups on hexes swap sides: through a wood, where each step costs three times as much, and between rocks. Writes
//! a player and a moving picture.
//!
//! `cargo run -p giveway --example hex_skirmish`

use giveway::render::{AnimatedPicture, Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::HexGrid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, Checker, ConflictRule, NodeId, Point, SpaceGraph};
use hexx::{Hex, HexLayout, shapes};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

const COLUMNS: i32 = 24;
const ROWS: i32 = 15;
/// Ranks and files of each group.
const GROUP: [i32; 2] = [2, 9];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = battlefield()?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    let units = crowd.add_class(Class::new(&map, Point::swap_rule(&map)))?;
    let mut simulation = Simulation::new(crowd).recorded();

    let [ranks, files] = GROUP;
    for (rank, file) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (rank, file + (ROWS - files) / 2))) {
        // The column as drawn; rows of hexes are shifted against each other.
        let at = |column: i32| map.node(Hex::new(column - file.div_euclid(2), file)).ok_or("on the map");
        let [west, east] = [at(rank)?, at(COLUMNS - 1 - rank)?];
        simulation.add(units, Agent::new(west, east), Task::Once)?;
        simulation.add(units, Agent::new(east, west), Task::Once)?;
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 500 {
        simulation.tick(Budget::unlimited());
    }

    assert!(simulation.crowd().is_at_rest(), "all of them get through");
    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(Checker::new(&map, ConflictRule::Swap).check_trace(&trace), []);
    let metrics = simulation.metrics();
    println!(
        "{} units swap sides in {} ticks; they wait {} times",
        trace.agents.len(),
        simulation.crowd().now(),
        metrics.waits
    );

    // Each hex is drawn by its corners; dear ground is shaded.
    let woods = (0..).map(NodeId).take(map.node_bound()).filter(|node| map.surface(*node).weight() > 1);
    let backdrop = Backdrop::tiles(&map, |node| map.corners(node)).with_rough(woods.map(|node| map.corners(node)));
    let folder = std::env::temp_dir();
    let page = Player::new(&trace, &backdrop)
        .title("A skirmish on hexes")
        .caption("Sand-coloured hexes cost three times as much");
    std::fs::write(folder.join("hex_skirmish.html"), page.to_string())?;
    std::fs::write(folder.join("hex_skirmish.svg"), AnimatedPicture::new(&trace, &backdrop).to_string())?;
    println!("written: {}, and a picture beside it", folder.join("hex_skirmish.html").display());
    Ok(())
}

/// A field with rocks, which are closed, and woods between both groups.
fn battlefield() -> Result<HexGrid, Box<dyn std::error::Error>> {
    let mut random = Pcg64Mcg::new(11);
    let mut clumps = |count: usize, radius: u32| -> Vec<Hex> {
        let middles = (0..count).map(|_| {
            let (column, row) = (random.random_range(5..COLUMNS - 5), random.random_range(0..ROWS));
            Hex::new(column - row.div_euclid(2), row)
        });
        middles.flat_map(|middle| shapes::hexagon(middle, radius)).collect()
    };
    let (woods, rocks) = (clumps(4, 2), clumps(9, 1));
    // Every third hex of a rock is missing.
    let is_rock = |hex: Hex| rocks.contains(&hex) && (hex.x - hex.y).rem_euclid(3) != 0;
    let field = shapes::pointy_rectangle([0, COLUMNS - 1, 0, ROWS - 1]);
    let map = HexGrid::new(field, HexLayout::pointy())?.with_walls(is_rock);
    Ok(map.with_terrain(|hex| if woods.contains(&hex) { 3 } else { 1 })?)
}
