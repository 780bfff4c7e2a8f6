//! Discs on a navigation mesh: two rooms joined by a corridor. More of them get through a wider one, and streams pass
//! each other where two fit abreast.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::{BodyChecker, Enclosure};
use giveway_core::heuristic::Euclidean;
use giveway_core::{Agent, Tick, Trace};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, CrowdSolver};
use giveway_distance::TrueDistances;
use giveway_sim::{Simulation, Task};
use giveway_spaces::{NavMesh, WaypointRules, Waypoints};
use giveway_strategies::{Instance, NoPlan};

/// Rooms are square, and the corridor leads from the middle of one room to the middle of the other.
const ROOM: f32 = 14.0;
const CORRIDOR: f32 = 8.0;
const RADIUS: f32 = 0.5;
/// How many units a room has places for.
const PLACES: u8 = 20;
/// A throughput is a mean over so many runs.
const RUNS: u8 = 16;

/// Two rooms joined by a corridor that is `width` wide, as three rectangles.
pub(crate) fn rooms(width: f32) -> NavMesh {
    let (left, right, far) = (ROOM, ROOM + CORRIDOR, 2.0 * ROOM + CORRIDOR);
    let (low, high) = ((ROOM - width) / 2.0, (ROOM + width) / 2.0);
    let west = [[0.0, 0.0], [left, 0.0], [left, low], [left, high], [left, ROOM], [0.0, ROOM]];
    let east = [[right, 0.0], [far, 0.0], [far, ROOM], [right, ROOM], [right, high], [right, low]];
    let polygons = [vec![0, 1, 2, 3, 4, 5], vec![6, 7, 8, 9, 10, 11], vec![2, 11, 10, 3]];
    NavMesh::new([west, east].concat(), polygons).expect("convex")
}

/// The record of a corridor.
#[derive(Debug)]
struct Crossing {
    /// When the last of them has arrived, in plain steps.
    steps: f64,
    /// How many pass the middle of the corridor in a plain step, from the first to the last.
    throughput: f64,
}

/// Sends `eastward` discs from the left room to the right one, and `westward` ones from the right room to the left one.
/// Goals are exchanged by `turn` places.
fn crossing(width: f32, [eastward, westward]: [usize; 2], turn: usize) -> Crossing {
    let mesh = rooms(width);
    let disc = Body::disc(RADIUS).expect("a radius");
    let rules = WaypointRules::new(&mesh, &disc);
    let ticks = CommonTicks::new().waypoints([&rules]).fewest().expect("speed 1 has one");
    // Four rows of places in each room, those nearest to the corridor first, and an aisle between them.
    let place =
        |number: u8| [ROOM - 2.0 - 2.5 * f32::from(number / 4), [4.0, 10.0, 1.5, 12.5][usize::from(number % 4)]];
    let mirrored = |[x, y]: [f32; 2]| [2.0 * ROOM + CORRIDOR - x, y];
    let west: Vec<[f32; 2]> = (0..PLACES).map(place).collect();
    let places: Vec<[f32; 2]> = west.iter().copied().chain(west.iter().copied().map(mirrored)).collect();
    let waypoints = Arc::new(Waypoints::with_places(&mesh, rules, ticks, &places).expect("there is room"));
    let ground = Ground::of_mesh(&mesh, rules.ground_cell()).expect("small");
    let (space, footprint) = disc.on(&waypoints, ground, ticks).expect("on the ground");
    let distances = TrueDistances::aimed(Euclidean::from_space(&space));
    let mut crowd = Crowd::new(CrowdSettings::new().window(8));
    let class = Class::new(space, footprint).body(disc.outline()).heuristics(distances);
    let class = crowd.add_class(class).expect("the first");
    let mut simulation = Simulation::new(crowd).recorded();
    let [of_west, of_east] = [0, PLACES].map(|first| {
        (0..PLACES).map(|number| waypoints.place((first + number).into()).expect("given")).collect::<Vec<_>>()
    });
    for (count, from, to) in [(eastward, &of_west, &of_east), (westward, &of_east, &of_west)] {
        // Units nearest to the corridor go farthest.
        for (start, goal) in from.iter().zip(to.iter().rev().cycle().skip(turn)).take(count) {
            simulation.add(class, Agent::new(*start, *goal), Task::Once).expect("a free place");
        }
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 400 * ticks {
        simulation.tick(Budget::unlimited());
    }
    let trace = simulation.trace().expect("it is recorded");
    assert_eq!(BodyChecker::new().check(&trace), [], "{width}");
    let enclosure = Enclosure::new(mesh.outlines(), mesh.walls());
    assert_eq!(BodyChecker::new().check_enclosure(&trace, &enclosure), [], "{width}");
    assert_eq!(simulation.metrics().arrivals, (eastward + westward) as u64, "all arrive in {width}");
    measured(&trace)
}

#[allow(clippy::cast_precision_loss)] // small numbers
fn measured(trace: &Trace) -> Crossing {
    let middle = ROOM + CORRIDOR / 2.0;
    let mut passed: Vec<Tick> = Vec::new();
    let mut last = 0;
    for agent in &trace.agents {
        let is_west = |x: f32| x < middle;
        let begins = is_west(agent.start.position[0]);
        passed.extend(agent.moves.iter().find(|m| is_west(m.to.position[0]) != begins).map(|m| m.arrive));
        last = agent.moves.iter().map(|m| m.arrive).fold(last, Tick::max);
    }
    let ticks = f64::from(trace.ticks_per_step);
    let [first, end] =
        [passed.iter().min(), passed.iter().max()].map(|tick| f64::from(*tick.expect("all pass")) / ticks);
    Crossing { steps: f64::from(last) / ticks, throughput: (passed.len() - 1) as f64 / (end - first) }
}

#[test]
fn a_corridor_of_three_bodies_lets_twice_as_many_through_as_one_of_one() {
    // The widths, narrow and wide.
    for widths in [[1.0, 3.0], [1.1, 3.3]] {
        // One run depends on chance meetings: the mean of many runs counts.
        let [narrow, wide] = widths.map(|width| {
            let runs: Vec<f64> = (0..RUNS).map(|turn| crossing(width, [20, 0], turn.into()).throughput).collect();
            println!("{width}: {runs:?}");
            runs.iter().sum::<f64>() / f64::from(RUNS)
        });
        assert!(wide >= 2.0 * narrow, "{widths:?}: {narrow}, {wide}");
    }
}

#[test]
fn opposite_streams_pass_in_a_corridor_of_two_bodies() {
    for width in [2.0, 2.2, 3.0] {
        let [one, both] = [[10, 0], [10, 10]].map(|streams| crossing(width, streams, 0));
        println!("{width}: {one:?}, {both:?}");
        assert!(both.steps <= 3.0 * one.steps, "{width}: {one:?}, {both:?}");
    }
}

#[test]
fn nobody_moves_where_bodies_overlap_at_their_starts() {
    let yard = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [0.0, 8.0]];
    let mesh = NavMesh::new(yard, [[0, 1, 2, 3]]).unwrap();
    let body = Body::disc(0.5).unwrap();
    let rules = WaypointRules::new(&mesh, &body);
    let ticks = CommonTicks::new().waypoints([&rules]).fewest().unwrap();
    // The first two share a cell of the ground; the third is alone.
    let places = [[2.1, 4.0], [3.15, 4.0], [2.0, 6.5], [18.0, 4.0], [18.0, 6.0], [18.0, 2.0]];
    let waypoints = Arc::new(Waypoints::with_places(&mesh, rules, ticks, &places).unwrap());
    let ground = Ground::of_mesh(&mesh, rules.ground_cell()).unwrap();
    let (space, footprint) = body.on(&waypoints, ground, ticks).unwrap();
    let place = |number| waypoints.place(number).unwrap();
    let agents = (0..3).map(|number| Agent::new(place(number), place(number + 3))).collect();
    let instance = Instance::new(&space, &footprint, agents).unwrap();
    let solution = CrowdSolver::whca_star().solve(&instance);
    assert_eq!(solution.unplanned.len(), 3);
    assert!(solution.unplanned.iter().all(|unplanned| matches!(unplanned.why, NoPlan::Refused(_))));
    assert!(solution.plan.paths.iter().all(|path| path.steps.is_empty()));
}
