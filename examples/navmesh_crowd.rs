//! A navigation mesh: a square with forty houses, and three hundred units of three sizes that cross it. Each size has
//! waypoints of its own, and all of them share one ground. The run is checked by shapes and positions alone, and
//! written as a player.
//!
//! `cargo run --release -p giveway --example navmesh_crowd`: a few seconds, and some more without `--release`.

use std::sync::Arc;

use giveway::check::{BodyChecker, Enclosure};
use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::render::{AnimatedPicture, Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Embedding, Ground, NavMesh, WaypointRules, Waypoints};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, SpaceGraph};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

const SIZE: [f32; 2] = [144.0, 90.0];
const HOUSES: usize = 40;
/// Between houses.
const GAP: f32 = 3.0;
/// The radius of each size, and how many units have it.
const SIZES: [(&str, f32, usize); 3] = [("scouts", 0.4, 180), ("soldiers", 0.55, 90), ("giants", 0.9, 30)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Pcg64Mcg::new(40);
    let outline = [[0.0, 0.0], [SIZE[0], 0.0], SIZE, [0.0, SIZE[1]]];
    let mesh = NavMesh::from_outline(&outline, &houses(&mut random))?;

    // In a step everyone goes about as far as its waypoints are apart: windows are counted in steps, so all plan
    // equally many moves ahead.
    let bodies = SIZES.map(|(_, radius, _)| Body::disc(radius).and_then(|body| body.speed(2.5 * radius)));
    let bodies = bodies.into_iter().collect::<Result<Vec<Body>, _>>()?;
    let rules: Vec<WaypointRules> = bodies.iter().map(|body| WaypointRules::new(&mesh, body)).collect();
    // One number of ticks and one ground for all sizes. With room for all units, cells may be large: plans take less
    // time.
    let ticks = CommonTicks::new().waypoints(&rules).fewest()?;
    let ground = Ground::of_mesh(&mesh, 1.25 * SIZES[0].1)?;

    let mut crowd = Crowd::new(CrowdSettings::new().window(8));
    let mut classes = Vec::new();
    for (body, rules) in bodies.iter().zip(&rules) {
        let waypoints = Arc::new(Waypoints::new(&mesh, *rules, ticks)?);
        let (space, footprint) = body.on(&waypoints, ground, ticks)?;
        let distances = TrueDistances::aimed(Euclidean::from_space(&space));
        let class = Class::new(space, footprint).body(body.outline()).heuristics(distances);
        classes.push((crowd.add_class(class)?, waypoints));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    // The largest first: they find it hardest to get a place. Goals are so far apart that any unit fits between two
    // others.
    let mut goals: Vec<([f32; 2], f32)> = Vec::new();
    for ((class, waypoints), (_, radius, count)) in classes.iter().zip(SIZES).rev() {
        let mut left = count;
        while left > 0 {
            let mut anywhere = || waypoints.nearest_node(SIZE.map(|side| random.random_range(0.0..side)));
            let [start, goal] = [anywhere(), anywhere()];
            let (start, goal) = start.zip(goal).ok_or("there are waypoints")?;
            let [x, y, _] = waypoints.position(goal);
            let is_free = |(other, size): &([f32; 2], f32)| (x - other[0]).hypot(y - other[1]) > (radius + size) * 3.0;
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
    let files = ["html", "svg"].map(|kind| std::env::temp_dir().join("navmesh_crowd").with_extension(kind));
    let player = Player::new(&trace, &backdrop).title("Three hundred units on a navigation mesh");
    std::fs::write(&files[0], player.to_string())?;
    std::fs::write(&files[1], AnimatedPicture::new(&trace, &backdrop).steps_per_second(6.0).to_string())?;
    println!("all at rest after {} steps; written: {}", simulation.crowd().now() / ticks, files[0].display());
    Ok(())
}

/// Houses with three to six corners. The widest units pass between any two of them, and between a house and the edge.
fn houses(random: &mut Pcg64Mcg) -> Vec<Vec<[f32; 2]>> {
    let mut circles: Vec<([f32; 2], f32)> = Vec::new();
    while circles.len() < HOUSES {
        let size = random.random_range(2.5..5.5_f32);
        let [x, y] = SIZE.map(|side| random.random_range(size + GAP..side - size - GAP));
        if circles.iter().all(|([a, b], other)| (x - a).hypot(y - b) > size + other + GAP) {
            circles.push(([x, y], size));
        }
    }
    let mut house = |([x, y], size): ([f32; 2], f32)| {
        let (corners, turn) = (random.random_range(3..=6_u8), random.random_range(0.0..std::f32::consts::TAU));
        let angle = |corner: u8| turn + f32::from(corner) / f32::from(corners) * std::f32::consts::TAU;
        (0..corners).map(angle).map(|angle| [x + size * angle.cos(), y + size * angle.sin()]).collect()
    };
    circles.into_iter().map(&mut house).collect()
}
