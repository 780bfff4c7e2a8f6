//! Bodies of all shapes, sizes and speeds, and vehicles that turn.

use giveway::heuristic::Euclidean;
use giveway::plan::TracedBody;
use giveway::spaces::{
    Body, BodyFootprint, CommonTicks, Connectivity, Editable, Embedding, Granularity, Grid, Ground, Headings,
    Primitives, Vehicle,
};
use giveway::time::Ticks;
use giveway::{Agent, Footprint, Instance, NodeId, ReservationStore};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

use crate::golden::api::{self, Class, Crowd};
use crate::golden::digest;
use crate::golden::hashes::{Cases, Hash};
use crate::golden::orders::{Enlisted, Orders, Work};
use crate::golden::plans::{anywhere, in_time};
use crate::golden::worlds::{nodes, random};

pub(crate) fn run(cases: &mut Cases) {
    for seed in 0..10 {
        cases.run(format!("bodies/crowd-{seed}"), |hash| live(hash, seed));
    }
    for seed in 0..10 {
        cases.run(format!("bodies/plans-{seed}"), |hash| plan(hash, seed));
    }
    for lanes in [1, 3] {
        cases.run(format!("bodies/race-on-{lanes}"), |hash| race(hash, lanes));
    }
    cases.run("bodies/slow-ground", slow_ground);
}

const HEADINGS: [Headings; 3] = [Headings::Four, Headings::Eight, Headings::Sixteen];
const SPEEDS: [f32; 6] = [1.0, 1.0, 2.0 / 3.0, 0.5, 0.37, 2.0];

fn body(random: &mut Pcg64Mcg, speeds: &[f32]) -> Body {
    let side = [0, 1].map(|_| random.random_range(0.3_f32..2.6));
    let corners: [[f32; 2]; 5] = std::array::from_fn(|_| [0, 1].map(|_| random.random_range(-1.2..1.2)));
    let body = match random.random_range(0..4) {
        0 => Body::square(random.random_range(1..4)),
        1 => Body::disc(side[0] * 0.55),
        2 => Body::rectangle(side[0], side[1]),
        _ => Body::polygon(&corners),
    };
    let speed = *speeds.choose(random).expect("there are some");
    let body = body.and_then(|body| body.speed(speed)).expect("lengths and speeds make sense");
    if random.random_ratio(1, 6) { body.closed() } else { body }
}

fn vehicle(random: &mut Pcg64Mcg, headings: &[Headings], speeds: &[f32]) -> Vehicle {
    let headings = *headings.choose(random).expect("there are some");
    let primitives = Primitives::straight(headings, 1).and_then(|straight| {
        let arcs = straight.arcs(random.random_range(0.8..2.5))?;
        let arcs = if random.random() { arcs.reversing(2.0)? } else { arcs };
        if random.random() { arcs.pivoting(6.0) } else { Ok(arcs) }
    });
    let (length, width) = (random.random_range(0.6_f32..2.8), random.random_range(0.4_f32..1.2));
    let body = if random.random() {
        Body::rectangle(length, width)
    } else {
        Body::polygon(&[[length * 0.7, 0.0], [-length * 0.3, width / 2.0], [-length * 0.3, -width / 2.0]])
    };
    let speed = *speeds.choose(random).expect("there are some");
    let body = body.and_then(|body| body.speed(speed)).expect("lengths and speeds make sense");
    Vehicle::new(body, primitives.expect("radii make sense"))
}

fn enlist<S>(crowd: &mut Crowd<'static>, space: S, footprint: BodyFootprint, outline: TracedBody) -> Enlisted
where
    S: Editable + Embedding<Action: Send + Sync, Cost: Send + Sync> + Send + Sync + 'static,
    BodyFootprint: Footprint<S>,
{
    let nodes = nodes(&space);
    let class = Class::new(space, footprint).embedded().editable().body(outline);
    Enlisted { class: crowd.add_class(class).expect("one ground"), nodes }
}

/// A crowd of several classes of bodies and vehicles, which is given orders at random.
fn live(hash: &mut Hash, seed: u64) {
    let mut random = random(seed + 500);
    let (width, height) = (random.random_range(10..18), random.random_range(10..18));
    let grid = Grid::from_fn(width, height, |_, _| !random.random_ratio(1, 16)).expect("small");
    let grid = grid.with_connectivity([Connectivity::Four, Connectivity::Eight][(seed % 2) as usize]);
    let finer = [Granularity::Same, Granularity::Finer(2), Granularity::Coarser(2)][(seed % 3) as usize];
    let ground = Ground::from_grid(&grid).granularity(finer);
    let bodies: Vec<Body> = (0..random.random_range(1..4)).map(|_| body(&mut random, &SPEEDS)).collect();
    let vehicles: Vec<Vehicle> = (0..seed % 3).map(|_| vehicle(&mut random, &HEADINGS, &SPEEDS[..4])).collect();
    let ticks = CommonTicks::new().of(&vehicles, &grid).of(&bodies, &grid).fewest().expect("these speeds have some");
    let mut crowd = api::crowd(if seed % 4 == 3 { api::window(12) } else { api::window(random.random_range(8..17)) });
    let mut classes = Vec::new();
    for body in &bodies {
        // Some are too large for some maps.
        if let Ok((space, footprint)) = body.on(&grid, ground, ticks) {
            classes.push(enlist(&mut crowd, space, footprint, body.outline()));
        }
        let slow = body.clone().speed(0.5).and_then(|slow| slow.on(&grid, ground, ticks));
        if let Ok((space, footprint)) = slow {
            classes.push(enlist(&mut crowd, space, footprint, body.outline()));
        }
    }
    for vehicle in &vehicles {
        if let Ok((space, footprint)) = vehicle.on(&grid, ground, ticks) {
            classes.push(enlist(&mut crowd, space, footprint, vehicle.outline()));
        }
    }
    let mut orders = Orders::new(hash, classes, random);
    (0..24).for_each(|_| orders.add(&mut crowd));
    for _ in 0..25 * ticks {
        orders.pass(&mut crowd, 60 / ticks, Work::AtMost(u64::from(3000 / ticks).max(100)));
    }
}

/// A few bodies or vehicles of one kind that are planned from start to end.
fn plan(hash: &mut Hash, seed: u64) {
    let mut random = random(seed + 700);
    let grid = Grid::from_fn(13, 11, |_, _| !random.random_ratio(1, 20)).expect("small");
    let grid = grid.with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);
    if seed.is_multiple_of(2) {
        let body = body(&mut random, &[1.0]);
        let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
        let (space, footprint) = body.on(&grid, ground, ticks).expect("room");
        plan_all(hash, &space, &footprint, ticks, &mut random);
    } else {
        let vehicle = vehicle(&mut random, &HEADINGS[..2], &[1.0]);
        let ticks = CommonTicks::new().of([&vehicle], &grid).fewest().expect("one speed");
        let (space, footprint) = vehicle.on(&grid, ground, ticks).expect("room");
        plan_all(hash, &space, &footprint, ticks, &mut random);
    }
}

fn plan_all<S>(hash: &mut Hash, space: &S, footprint: &BodyFootprint, ticks: Ticks, random: &mut Pcg64Mcg)
where
    S: Embedding<Action: Send + Sync, Cost = u32> + Send + Sync,
    BodyFootprint: Footprint<S>,
{
    let mut nodes = nodes(space);
    nodes.shuffle(random);
    let mut agents: Vec<Agent> = nodes.chunks_exact(2).take(5).map(|pair| Agent::new(pair[0], pair[1])).collect();
    // Large ones have no room beside each other: as many as have.
    while Instance::new(space, footprint, agents.clone()).is_err() {
        agents.pop();
    }
    let instance = Instance::new(space, footprint, agents).expect("it is");
    hash.count(instance.agents().len());
    anywhere(hash, &instance, 25 * ticks, 5);
    let ca = api::ca(&instance, Euclidean::from_space(space), in_time(25 * ticks));
    digest::solution(hash, space, &ca);
}

/// Discs of three speeds on a road of so many lanes.
fn race(hash: &mut Hash, lanes: u32) {
    let grid = Grid::open(22, lanes).expect("small");
    let at = |x, y| grid.node(x, y).expect("on the road");
    let bodies = [0.37, 2.0 / 3.0, 1.0].map(|speed| Body::disc(0.45).and_then(|disc| disc.speed(speed)));
    let bodies = bodies.map(|body| body.expect("it makes sense"));
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().expect("there are some");
    let mut crowd = api::crowd(api::plain());
    for (body, rank) in bodies.iter().zip(0..) {
        let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), ticks).expect("room");
        let class = crowd.add_class(Class::new(space, footprint).embedded()).expect("one ground");
        let (lane, back) = if lanes == 1 { (0, rank) } else { (rank, 0) };
        crowd.add(class, Agent::new(at(2 - back, lane), at(21 - back, lane))).expect("room");
    }
    until_there(hash, &mut crowd, 80 * ticks);
}

/// Bodies on a ground where they go more slowly here and there.
fn slow_ground(hash: &mut Hash) {
    let grid = Grid::open(12, 8).expect("small").with_connectivity(Connectivity::Eight);
    let body = Body::disc(0.7).expect("it makes sense");
    let slowness = |x: u32, _: u32| if x % 4 == 2 { 2.0 } else { 1.0 };
    let grid = grid.with_slowness(slowness).expect("not too slow");
    let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), 12).expect("room");
    let mut crowd = api::crowd(api::plain());
    let class = crowd.add_class(Class::new(space, footprint).embedded()).expect("one ground");
    for (from, to) in [(13, 82), (82, 13), (61, 22), (22, 73)] {
        crowd.add(class, Agent::new(NodeId(from), NodeId(to))).expect("room");
    }
    until_there(hash, &mut crowd, 1500);
}

/// Lets ticks go by until everybody is there.
pub(crate) fn until_there<R: ReservationStore>(hash: &mut Hash, crowd: &mut Crowd<'_, R>, limit: u32) {
    while !crowd.is_at_rest() && crowd.now() < limit {
        let report = crowd.tick(api::budget(None));
        digest::tick(hash, crowd, &report);
    }
}
