//! Vehicles with headings among people on foot: cars drive arcs and back up, a long lorry needs wide bends, a tank
//! turns on the spot. All of them share one reservation table. The run is checked by swept shapes, and written as a
//! player.
//!
//! `cargo run -p giveway --example vehicles_that_turn`

use giveway::Agent;
use giveway::check::BodyChecker;
use giveway::render::{Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Grid, Ground, Headings, Primitives, Vehicle};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};

/// Four blocks, streets of six cells between them, and a square in the middle.
const MAP: &str = "
    ........................
    ........................
    ........................
    ........................
    .....@@@@......@@@@.....
    .....@@@@......@@@@.....
    .....@@@@......@@@@.....
    .....@@@........@@@.....
    ........................
    ........................
    ........................
    ........................
    .....@@@........@@@.....
    .....@@@@......@@@@.....
    .....@@@@......@@@@.....
    .....@@@@......@@@@.....
    ........................
    ........................
    ........................
    ........................";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?.with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);
    let straight = || Primitives::straight(Headings::Eight, 1);
    let vehicles = [
        // Two cells long, turns within two cells, and drives backwards at half its speed.
        Vehicle::new(Body::rectangle(1.9, 0.9)?.speed(1.5)?, straight()?.arcs(2.0)?.reversing(2.0)?),
        // Long and slow, with wide bends.
        Vehicle::new(Body::rectangle(3.4, 0.95)?, straight()?.arcs(3.0)?.reversing(3.0)?),
        // Turns on the spot, in the time of six cells for a full turn.
        Vehicle::new(Body::rectangle(1.6, 1.3)?.speed(0.75)?, straight()?.pivoting(6.0)?),
    ];
    let person = Body::disc(0.3)?;
    let ticks = CommonTicks::new().of(&vehicles, &grid).of([&person], &grid).fewest()?;

    // Vehicles are slow to get out of the way: a window is long enough for a whole manoeuvre.
    let mut crowd = Crowd::new(CrowdSettings::new().window(24));
    let (mut classes, mut spaces) = (Vec::new(), Vec::new());
    for vehicle in &vehicles {
        let (space, footprint) = vehicle.on(&grid, ground, ticks)?;
        spaces.push(space.clone());
        classes.push(crowd.add_class(Class::new(space, footprint).body(vehicle.outline()))?);
    }
    let (space, footprint) = person.on(&grid, ground, ticks)?;
    let people = crowd.add_class(Class::new(space, footprint).body(person.outline()))?;

    let mut simulation = Simulation::new(crowd).recorded();
    // Each vehicle visits its poses over and over: column, row, and heading: 0 to the right, 2 down, 4 to the left, 6
    // up.
    let errands = [
        // Round the outer lane, clockwise, and round the inner one, the other way.
        (0, vec![(11, 1, 0), (22, 9, 2), (12, 18, 4), (1, 10, 6)]),
        (0, vec![(12, 3, 4), (3, 9, 2), (11, 16, 0), (20, 10, 6)]),
        // To and fro across the square: it has to back up to turn.
        (0, vec![(8, 10, 0), (15, 9, 4)]),
        // Round the blocks below, and round those above.
        (1, vec![(13, 10, 0), (21, 14, 2), (12, 17, 4), (2, 14, 6)]),
        (1, vec![(11, 8, 4), (2, 5, 6), (11, 2, 0), (21, 5, 2)]),
        (2, vec![(12, 5, 6), (12, 14, 2)]),
    ];
    for (class, mut poses) in errands {
        poses.rotate_left(1);
        let nodes = poses.iter().map(|(x, y, heading)| spaces[class].node(*x, *y, *heading).expect("on the map"));
        let nodes: Vec<_> = nodes.collect();
        let start = nodes[nodes.len() - 1];
        simulation.add(classes[class], Agent::bystander(start), Task::Patrol(nodes))?;
    }
    for y in [0, 5, 8, 11, 14, 19] {
        let [west, east] = [0, 23].map(|x| grid.node(x, y).expect("on the map"));
        simulation.add(people, Agent::bystander(west), Task::Patrol(vec![east, west]))?;
        simulation.add(people, Agent::bystander(east), Task::Patrol(vec![west, east]))?;
    }
    simulation.run(120 * ticks, Budget::work(3000));

    let trace = simulation.trace().expect("it is recorded");
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    for (class, name) in classes.iter().chain([&people]).zip(["cars", "lorries", "tanks", "people"]) {
        let crowd = simulation.crowd();
        let of_class = || crowd.agents().filter(|agent| crowd.class_of(*agent) == Some(*class));
        let arrivals: u64 = of_class().filter_map(|agent| simulation.agent_metrics(agent)).map(|m| m.arrivals).sum();
        println!("{} {name}: {arrivals} arrivals", of_class().count());
        assert!(arrivals > 0, "the {name} must get through");
    }
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("vehicles_that_turn.html");
    std::fs::write(&file, Player::new(&trace, &backdrop).title("Cars, lorries, a tank, and people").to_string())?;
    println!("{ticks} ticks to a step; written: {}", file.display());
    Ok(())
}
