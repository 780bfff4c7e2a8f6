//! Every unit keeps its speed within 1 %, on every space and on slow ground.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::{
    Agent, Area, ConflictRule, Editable, Embedding, Footprint, NodeId, Point, SpaceGraph, Surface, SyncSpace, Ticks,
    Trace, TracedBody,
};
use giveway_crowd::{Budget, Crowd, CrowdSettings};
use giveway_sim::{Endpoints, Simulation, Task};
use giveway_spaces::{Connectivity, Facing, Grid};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use super::spaces::{Ring, roads, waypoints};
use super::world::enlist;

/// A plain, a swamp and a road, in stripes.
fn slowness(x: f32) -> f32 {
    match x.round() as u32 % 3 {
        0 => 1.0,
        1 => 2.0,
        _ => 0.5,
    }
}

/// Sends one unit from place to place, and compares each of its moves with its speed.
fn check<S, F>(name: &str, space: S, footprint: F, outline: Option<TracedBody>, speed: f64, seed: u64)
where
    S: Editable + SyncSpace + Clone + 'static,
    F: Footprint<S> + Send + Sync + 'static,
{
    let ticks = footprint.ticks_per_step();
    let rule = footprint.cells(&space).rule();
    assert_eq!(rule, ConflictRule::Following, "{name}");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let body = outline.unwrap_or(TracedBody::Disc { center: [0.0; 2], radius: 0.1 });
    let (class, nodes) = enlist(&mut crowd, space, footprint, body);
    let mut simulation = Simulation::new(crowd).recorded();
    // Ground that is half as slow needs ticks that can be halved.
    let stripe = |column: u32| Area::cells(column, 0, 1, 40).expect("a column");
    let half = Surface::new(1, 0.5).expect("in range");
    let halves = simulation.crowd_mut().resurface(&stripe(2), half).is_ok();
    let slowness = |x: f32| if halves { slowness(x) } else { slowness(x).max(1.0) };
    for column in 0..20 {
        let surface = Surface::new(1, slowness(column as f32)).expect("in range");
        simulation.crowd_mut().resurface(&stripe(column), surface).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let mut random = Pcg64Mcg::new(u128::from(seed));
    let start = *nodes.choose(&mut random).expect("some");
    let task = Task::Lifelong { places: Endpoints::from(&*nodes), seed };
    simulation.add(class, Agent::bystander(start), task).expect("room");
    simulation.run(80 * ticks, Budget::unlimited());
    compare(name, &simulation.trace().expect("recorded"), ticks, speed, slowness);
}

fn compare(name: &str, trace: &Trace, ticks: Ticks, speed: f64, slowness: impl Fn(f32) -> f32) {
    let agent = &trace.agents[0];
    let mut at = agent.start.position;
    let mut compared = 0;
    for step in &agent.moves {
        let to = step.to.position;
        let trajectory = step.trajectory.map(|trajectory| trace.trajectories[trajectory as usize].length());
        let straight = (0..3).map(|axis| f64::from(to[axis] - at[axis])).map(|side| side * side).sum::<f64>().sqrt();
        let length = trajectory.map_or(straight, f64::from);
        at = to;
        if length == 0.0 {
            // A turn on the spot.
            continue;
        }
        compared += 1;
        let realised = length / (f64::from(step.arrive - step.depart) / f64::from(ticks));
        let expected = speed / f64::from(slowness(to[0]));
        assert!((realised / expected - 1.0).abs() <= 0.0102, "{name}: {realised} instead of {expected}, at {to:?}");
    }
    assert!(compared > 4, "{name}: {compared} moves");
}

#[test]
fn every_unit_keeps_its_speed_on_every_space_and_ground() {
    for seed in 0..24 {
        let mut random = Pcg64Mcg::new(u128::from(seed) * 2 + 1);
        let speed = *[1.0_f32, 0.5, 2.0 / 3.0, 0.37, 1.7].choose(&mut random).expect("some");
        let body = Body::disc(0.4).and_then(|body| body.speed(speed)).expect("sensible");
        let grid = Grid::open(16, 16).expect("small");
        let grid = grid.with_connectivity(if random.random() { Connectivity::Four } else { Connectivity::Eight });
        let ground = Ground::new([-1.0, -1.0], [18.0, 18.0], 0.5).expect("sensible");
        let outline = Some(body.outline());
        let known = f64::from(speed);
        match seed % 6 {
            0 => {
                let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
                let (space, footprint) = body.on(&grid, ground, ticks).expect("it fits");
                check("grid", space, footprint, outline, known, seed);
            }
            1 => {
                let primitives =
                    Primitives::straight(Headings::Eight, 1).and_then(|straight| straight.arcs(2.0)?.reversing(1.0));
                let vehicle = Vehicle::new(body, primitives.expect("sensible"));
                let ticks = CommonTicks::new().of([&vehicle], &grid).fewest().expect("one speed");
                let (space, footprint) = vehicle.on(&grid, ground, ticks).expect("it fits");
                check("lattice", space, footprint, outline, known, seed);
            }
            2 => on_graph(
                "waypoints",
                &body,
                Arc::new(waypoints(&mut random, [16.0, 16.0], true, false)),
                ground,
                known,
                seed,
            ),
            3 => on_graph("roads", &body, Arc::new(roads(&mut random, [16.0, 16.0], true)), ground, known, seed),
            4 => {
                let roads = Arc::new(roads(&mut random, [16.0, 16.0], true));
                on_graph("facing", &body, Arc::new(Facing::new(roads, 1.0).expect("few")), ground, known, seed);
            }
            _ => {
                let ring = Ring::exact([8.0, 8.0], 6.0, 24);
                on_graph("ring", &body, Arc::new(ring), ground, known, seed);
            }
        }
        // Points that take their time, on spaces of all kinds.
        if speed == 1.0 {
            let ticks = CommonTicks::new().points(&grid).fewest().expect("one speed");
            check("points on a grid", grid.clone(), Point::timed(&grid, ticks).expect("suits"), None, 1.0, seed);
        }
    }
    // On graphs a point's world does not change by area, but lengths are kept.
    let mut random = Pcg64Mcg::new(5);
    let roads = roads(&mut random, [16.0, 16.0], true);
    let ticks = CommonTicks::new().points(&roads).fewest().expect("few lengths");
    let point = Point::timed(&roads, ticks).expect("suits");
    for m in (0..9).flat_map(|node| roads.moves(NodeId(node))) {
        let [a, b] = [m.from, m.to].map(|node| roads.position(node));
        let length = f64::from((a[0] - b[0]).hypot(a[1] - b[1]));
        let realised = length / (f64::from(point.duration(&roads, &m).expect("it can")) / f64::from(ticks));
        assert!((realised - 1.0).abs() <= 0.0101, "{realised}");
    }
    assert!(Point::timed(&roads, 1).is_err());
}

fn on_graph<S: Embedding + SyncSpace + 'static>(
    name: &str,
    body: &Body,
    space: Arc<S>,
    ground: Ground,
    speed: f64,
    seed: u64,
) {
    let ticks = CommonTicks::new().of([body], &space).fewest().expect("one speed");
    let (clearance, footprint) = body.on(&space, ground, ticks).expect("it fits");
    check(name, clearance, footprint, Some(body.outline()), speed, seed);
}
