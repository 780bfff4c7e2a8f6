//! A navigation mesh: a square with forty houses, and three hundred units of three sizes that cross it. Each size has waypoints of its own, and all of
//! them share one ground. The run is checked by shapes and positions alone, and written as a player.
//!
//! `cargo run -p giveway --example navmesh_crowd`

use std::sync::Arc;

use giveway::check::{BodyChecker, Enclosure};
use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::render::{Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, Embedding, Ground, NavMesh, WaypointRules, Waypoints};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, SpaceGraph};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

const SIZE: [f32; 2] = [96.0, 60.0];
const HOUSES: usize = 40;
/// The radius of each size, the speed, and how many units have it.
const SIZES: [(&str, f32, f32, usize); 3] =
    [("scouts", 0.4, 1.0, 180), ("soldiers", 0.55, 0.75, 90), ("giants", 0.9, 0.5, 30)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Pcg64Mcg::new(40);
    let outline = [[0.0, 0.0], [SIZE[0], 0.0], SIZE, [0.0, SIZE[1]]];
    let mesh = NavMesh::from_outline(&outline, &houses(&mut random))?;

    // One number of ticks and one ground for all sizes.
    let bodies = SIZES.map(|(_, radius, speed, _)| Body::disc(radius).and_then(|body| body.speed(speed)));
    let bodies = bodies.into_iter().collect::<Result<Vec<Body>, _>>()?;
    let rules: Vec<WaypointRules> = bodies.iter().map(|body| WaypointRules::new(&mesh, body)).collect();
    let ticks = WaypointRules::fewest_ticks(&rules)?;
    let ground = Ground::of_mesh(&mesh, rules[0].ground_cell())?;

    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut classes = Vec::new();
    for (body, rules) in bodies.iter().zip(&rules) {
        let waypoints = Arc::new(Waypoints::new(&mesh, *rules, ticks)?);
        let (space, footprint) = body.on_graph(Arc::clone(&waypoints), ground, ticks)?;
        let distances = TrueDistances::aimed(Euclidean::from_space(&space));
        let class = Class::new(space, footprint).embedded().body(body.outline()).heuristics(distances);
        classes.push((crowd.add_class(class)?, waypoints));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    // The largest first: they find it hardest to get a place. Everybody crosses the square.
    let mut goals: Vec<([f32; 2], f32)> = Vec::new();
    for ((class, waypoints), (_, radius, _, count)) in classes.iter().zip(SIZES).rev() {
        let mut left = count;
        while left > 0 {
            let start = [random.random_range(0.0..SIZE[0]), random.random_range(0.0..SIZE[1])];
            let [start, goal] = [start, [SIZE[0] - start[0], SIZE[1] - start[1]]].map(|at| waypoints.nearest(at));
            let (start, goal) = start.zip(goal).ok_or("there are waypoints")?;
            let [x, y, _] = waypoints.position(goal);
            let is_free = |(other, size): &([f32; 2], f32)| (x - other[0]).hypot(y - other[1]) > (radius + size) * 1.5;
            // A start that another unit has is refused.
            if goals.iter().all(is_free) && simulation.add(*class, Agent::new(start, goal), Task::Once).is_ok() {
                goals.push(([x, y], radius));
                left -= 1;
            }
        }
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 300 * ticks {
        simulation.tick(Budget::work(4000));
    }

    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    let enclosure = Enclosure::new(mesh.outlines(), mesh.walls());
    assert_eq!(BodyChecker::new().check_enclosure(&trace, &enclosure), [], "nobody touches a house");
    println!("{} polygons, {} walls, {ticks} ticks to a step", mesh.polygons().len(), mesh.walls().len());
    for ((class, waypoints), (name, ..)) in classes.iter().zip(SIZES) {
        let of_class = simulation.crowd().agents().filter(|id| simulation.crowd().class_of(*id) == Some(*class));
        let metrics: Vec<_> = of_class.filter_map(|id| simulation.agent_metrics(id)).collect();
        let arrived = metrics.iter().filter(|metrics| metrics.arrivals > 0).count();
        println!("{} {name} on {} waypoints: {arrived} arrived", metrics.len(), waypoints.node_bound());
        assert_eq!(arrived, metrics.len(), "all {name} arrive");
    }
    let backdrop = Backdrop::mesh(mesh.walls(), 0.8);
    let file = std::env::temp_dir().join("navmesh_crowd.html");
    let page = Player::new(&trace, &backdrop).title("Three hundred units on a navigation mesh");
    std::fs::write(&file, page.to_string())?;
    println!("all at rest after {} steps; written: {}", simulation.crowd().now() / ticks, file.display());
    Ok(())
}

/// Houses with three to six corners, which may overlap.
fn houses(random: &mut Pcg64Mcg) -> Vec<Vec<[f32; 2]>> {
    let mut house = || {
        let middle = SIZE.map(|side| random.random_range(0.06 * side..0.94 * side));
        let (size, turn) = (random.random_range(1.8..4.0_f32), random.random_range(0.0..std::f32::consts::TAU));
        let corners = random.random_range(3..=6_u8);
        let angle = |corner: u8| turn + f32::from(corner) / f32::from(corners) * std::f32::consts::TAU;
        (0..corners).map(angle).map(|a| [middle[0] + size * a.cos(), middle[1] + size * a.sin()]).collect()
    };
    (0..HOUSES).map(|_| house()).collect()
}
