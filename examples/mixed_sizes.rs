//! Units of different sizes and speeds on one ground, and on one reservation table: a giant three cells wide, carts of
//! two, scouts of less than one. Each passes where it fits. The run is checked by shapes and positions alone, and
//! written as a player.
//!
//! `cargo run -p giveway --example mixed_sizes`

use giveway::Agent;
use giveway::check::BodyChecker;
use giveway::render::{Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Grid, Ground};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};

/// A wall with gaps of one, two and three cells.
const MAP: &str = "
    ........................
    ...........@@...........
    ...........@@...........
    ........................
    ...........@@...........
    ...........@@...........
    ........................
    ........................
    ...........@@...........
    ...........@@...........
    ........................
    ........................
    ........................
    ........................
    ...........@@...........
    ...........@@...........";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?.with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);
    let bodies = [Body::square(3)?.speed(0.5)?, Body::square(2)?.speed(2.0 / 3.0)?, Body::disc(0.4)?];
    // The fewest ticks per step with which all bodies keep their speeds within 1 %.
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest()?;

    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut classes = Vec::new();
    for body in &bodies {
        // The space knows where the body fits, the footprint what it occupies.
        let (space, footprint) = body.on(&grid, ground, ticks)?;
        classes.push(crowd.add_class(Class::new(space, footprint).body(body.outline()))?);
    }
    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| grid.node(x, y).expect("on the map");
    let mut patrol = |class: usize, x, y| {
        let (here, there) = (at(x, y), at(23 - x, y));
        simulation.add(classes[class], Agent::bystander(here), Task::Patrol(vec![there, here]))
    };
    for (class, x, y) in [(0, 2, 12), (1, 5, 6), (1, 17, 6), (1, 6, 11), (1, 18, 2)] {
        patrol(class, x, y)?;
    }
    for y in [0, 4, 8, 10, 14] {
        patrol(2, 0, y)?;
        patrol(2, 23, y)?;
    }
    simulation.run(200 * ticks, Budget::work(2000));

    let trace = simulation.trace().expect("it is recorded");
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    for (class, name) in ["giant", "carts", "scouts"].iter().enumerate() {
        let of_class =
            || simulation.crowd().agents().filter(|id| simulation.crowd().class_of(*id) == Some(classes[class]));
        let metrics = of_class().filter_map(|id| simulation.agent_metrics(id));
        let (arrivals, moves) = metrics.fold((0, 0), |(a, m), metrics| (a + metrics.arrivals, m + metrics.path_length));
        println!("{} {name}: {arrivals} arrivals, {moves} moves", of_class().count());
        assert!(arrivals > 0, "the {name} must get through");
    }
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("mixed_sizes.html");
    std::fs::write(&file, Player::new(&trace, &backdrop).title("A giant, carts and scouts").to_string())?;
    println!("{ticks} ticks to a step; written: {}", file.display());
    Ok(())
}
