//! A world in one file: its maps, classes, agents and areas become a crowd. Cooks and guests share a hall; a door closes
//! for a while. Writes a player.
//!
//! `giveway simulate --world` does so for worlds of every kind: with meshes, roads, floors, stairs and lifts. This program
//! has what a game with maps of cells needs.
//!
//! `cargo run -p giveway --example world_file`

use std::collections::BTreeMap;

use giveway::area::Area;
use giveway::check::BodyChecker;
use giveway::render::{Backdrop, Player};
use giveway::scenario::{WorldFile, WorldPlace, WorldShape};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, Clearance, CommonTicks, Connectivity, Ground};
use giveway::strategies::{Budget, Class, Crowd, CrowdError, CrowdSettings};
use giveway::{Agent, NodeId, SpaceGraph};

const WORLD: &str = r##"
name = "Hall"
seed = 4

[[map]]
neighbours = 8
cells = """
........#...............
........#...............
..##....#....##....##...
..##.........##....##...
..##.........##....##...
........#...............
........#...............
........#...............
........#....##....##...
..##.........##....##...
..##.........##....##...
..##....#...............
........#...............
"""

[[class]]
name = "cook"
shape = { square = 1 }
speed = 0.75
priority = 1

[[class]]
name = "guest"
shape = { disc = 0.35 }

[[agents]]
class = "cook"
start = [0, 3]
tour = [[22, 3], [0, 10]]

[[agents]]
class = "cook"
start = [0, 10]
tour = [[22, 11], [0, 3]]

[[agents]]
class = "guest"
count = 24

[[area]]
name = "north door"
rectangle = [[7.5, 2.5], [8.5, 4.5]]
closes = [120]
opens = [600]
"##;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let world = WorldFile::parse(WORLD, "hall.toml")?;
    let document = world.document();
    let map = world.cells(&document.maps[0])?.ok_or("the cells are in the file")?;
    let grid = map.grid()?.with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);

    let body = |shape: Option<&WorldShape>| match shape {
        Some(WorldShape::Square(cells)) => Body::square(*cells),
        Some(WorldShape::Disc(radius)) => Body::disc(*radius),
        _ => Body::disc(0.5),
    };
    let mut bodies = Vec::new();
    for class in &document.classes {
        let speed = class.speed.as_ref().map_or(1.0, |speed| speed.value);
        bodies.push(body(class.shape.as_deref())?.speed(speed)?);
    }
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest()?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut classes = BTreeMap::new();
    for (class, body) in document.classes.iter().zip(&bodies) {
        // Areas close and open: the class owns its space, and is editable.
        let id = crowd.add_class(Class::for_body(body, &grid, ground, ticks)?.editable())?;
        classes.insert(class.name.as_str(), (id, class.priority));
    }

    let mut simulation = Simulation::new(crowd).recorded();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // on the map
    let node = |place: &WorldPlace| grid.node(place.position[0] as u32, place.position[1] as u32).ok_or("on the map");
    for agents in &document.agents {
        let (class, priority) = classes[agents.class.as_str()];
        if let Some(start) = &agents.start {
            let tour = agents.tour.iter().flatten().map(|place| node(place)).collect::<Result<Vec<NodeId>, _>>()?;
            simulation.add(class, Agent::bystander(node(start)?).priority(priority), Task::Patrol(tour))?;
        }
        // Many at once start apart, and go from place to place as the seed decides.
        let count = agents.count.as_ref().map_or(0, |count| count.value as usize);
        let space = simulation.crowd().space::<Clearance>(class).ok_or("of this type")?;
        let places: Endpoints = space.nodes().filter(|node| space.contains(*node)).collect();
        let task = Task::Lifelong { places: places.clone(), seed: document.seed };
        for start in places.nodes().iter().step_by(places.nodes().len() / (count + 1)).skip(1).take(count) {
            simulation.add(class, Agent::bystander(*start).priority(priority), task.clone())?;
        }
    }

    let mut closed = Vec::new();
    while simulation.crowd().now() < 100 * ticks {
        let now = simulation.crowd().now();
        for area in &document.areas {
            let [one, other] = area.rectangle.as_ref().ok_or("a rectangle")?.value;
            let shape = Area::rectangle(one, other)?;
            if area.closes.contains(&now) {
                // Agents in the door leave first.
                match simulation.crowd_mut().close(&shape) {
                    Err(CrowdError::Occupied { .. }) => drop(simulation.crowd_mut().vacate(&shape)?),
                    other => drop(other?),
                }
            }
            if area.opens.contains(&now) {
                simulation.crowd_mut().open(&shape)?;
                let from = area.closes.first().copied().unwrap_or(0);
                closed.push((from..now, [one, [other[0], one[1]], other, [one[0], other[1]]]));
            }
        }
        simulation.tick(Budget::unlimited());
    }
    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    println!("{}: {} agents, {} arrivals", world.name(), trace.agents.len(), simulation.metrics().arrivals);

    let field = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let backdrop = closed.into_iter().fold(field, |field, (ticks, door)| field.with_walls_during(ticks, [door]));
    let file = std::env::temp_dir().join("world_file.html");
    std::fs::write(&file, Player::new(&trace, &backdrop).title(world.name()).to_string())?;
    println!("{ticks} ticks to a step; written: {}", file.display());

    // What does not suit a world is an error with its place.
    let torn = WorldFile::parse(WORLD.replace("speed = 0.75", "speed = 0"), "hall.toml");
    println!("{}", torn.map(|_| ()).unwrap_err());
    Ok(())
}
