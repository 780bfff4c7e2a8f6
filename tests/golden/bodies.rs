//! Bodies of all shapes, sizes and speeds, and vehicles that turn.

use giveway::heuristic::{ByMetric, Euclidean};
use giveway::plan::TracedBody;
use giveway::spaces::{
    Body, BodyFootprint, CommonTicks, Connectivity, Granularity, Grid, Ground, Headings, Primitives, Vehicle,
};
use giveway::spaces::{Editable, Embedding, SyncSpace};
use giveway::strategies::{Budget, Class, Cooperative, Crowd, CrowdSettings};
use giveway::time::Ticks;
use giveway::{Agent, Footprint, Instance, NodeId};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

use crate::golden::orders::{Enlisted, Orders, Work};
use crate::golden::plans::{anywhere, in_time};
use crate::golden::table::{Cases, Row};
use crate::golden::worlds::{nodes, random};

pub(crate) fn run(cases: &mut Cases) {
    for seed in 0..6 {
        cases.run(format!("bodies/crowd-{seed}"), |row| live(row, seed));
        cases.run(format!("bodies/plans-{seed}"), |row| plan(row, seed));
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
    S: Editable + Embedding + SyncSpace + Clone + 'static,
    BodyFootprint: Footprint<S>,
{
    let nodes = nodes(&space);
    let class = Class::new(space, footprint).editable().body(outline);
    Enlisted { class: crowd.add_class(class).expect("one ground"), nodes }
}

/// A crowd of several classes of bodies and vehicles, which is given orders at random.
fn live(row: &mut Row, seed: u64) {
    let mut random = random(seed + 500);
    let (width, height) = (random.random_range(10..18), random.random_range(10..18));
    let grid = Grid::from_fn(width, height, |_, _| !random.random_ratio(1, 16)).expect("small");
    let grid = grid.with_connectivity([Connectivity::Four, Connectivity::Eight][(seed % 2) as usize]);
    let finer = [Granularity::Same, Granularity::Finer(2), Granularity::Coarser(2)][(seed % 3) as usize];
    let ground = Ground::from_grid(&grid).granularity(finer);
    let bodies: Vec<Body> = (0..random.random_range(1..4)).map(|_| body(&mut random, &SPEEDS)).collect();
    let vehicles: Vec<Vehicle> = (0..seed % 3).map(|_| vehicle(&mut random, &HEADINGS, &SPEEDS[..4])).collect();
    let ticks = CommonTicks::new().of(&vehicles, &grid).of(&bodies, &grid).fewest().expect("these speeds have some");
    let mut crowd = Crowd::new(if seed % 4 == 3 {
        CrowdSettings::new().window(12)
    } else {
        CrowdSettings::new().window(random.random_range(8..17))
    });
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
    let mut orders = Orders::new(row, classes, random);
    (0..24).for_each(|_| orders.add(&mut crowd));
    for _ in 0..25 * ticks {
        orders.pass(&mut crowd, 60 / ticks, Work::AtMost(u64::from(3000 / ticks).max(100)));
    }
}

/// A few bodies or vehicles of one kind that are planned from start to end.
fn plan(row: &mut Row, seed: u64) {
    let mut random = random(seed + 700);
    let grid = Grid::from_fn(13, 11, |_, _| !random.random_ratio(1, 20)).expect("small");
    let grid = grid.with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);
    if seed.is_multiple_of(2) {
        let body = body(&mut random, &[1.0]);
        let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
        let (space, footprint) = body.on(&grid, ground, ticks).expect("room");
        plan_all(row, &space, &footprint, ticks, &mut random);
    } else {
        let vehicle = vehicle(&mut random, &HEADINGS[..2], &[1.0]);
        let ticks = CommonTicks::new().of([&vehicle], &grid).fewest().expect("one speed");
        let (space, footprint) = vehicle.on(&grid, ground, ticks).expect("room");
        plan_all(row, &space, &footprint, ticks, &mut random);
    }
}

fn plan_all<S>(row: &mut Row, space: &S, footprint: &BodyFootprint, ticks: Ticks, random: &mut Pcg64Mcg)
where
    S: Embedding<Cost = u32> + SyncSpace,
    BodyFootprint: Footprint<S>,
{
    let mut nodes = nodes(space);
    nodes.shuffle(random);
    let mut agents: Vec<Agent> = nodes.chunks_exact(2).take(5).map(|pair| Agent::new(pair[0], pair[1])).collect();
    // Large units may not all have room beside each other: the rest is left out.
    while Instance::new(space, footprint, agents.clone()).is_err() {
        agents.pop();
    }
    let instance = Instance::new(space, footprint, agents).expect("it is");
    row.agents(instance.agents().len());
    anywhere(row, &instance, 25 * ticks, 5);
    let ca = Cooperative::new(ByMetric(Euclidean::from_space(space)));
    row.plan(&instance, &in_time(ca, 25 * ticks).solve(&instance));
}

/// Bodies on a ground where they go more slowly here and there.
fn slow_ground(row: &mut Row) {
    let grid = Grid::open(12, 8).expect("small").with_connectivity(Connectivity::Eight);
    let body = Body::disc(0.7).expect("it makes sense");
    let slowness = |x: u32, _: u32| if x % 4 == 2 { 2.0 } else { 1.0 };
    let grid = grid.with_slowness(slowness).expect("not too slow");
    let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), 12).expect("room");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(space, footprint)).expect("one ground");
    for (from, to) in [(13, 82), (82, 13), (61, 22), (22, 73)] {
        crowd.add(class, Agent::new(NodeId(from), NodeId(to))).expect("room");
    }
    while !crowd.is_at_rest() && crowd.now() < 1500 {
        let report = crowd.tick(Budget::unlimited());
        row.tick(&crowd, &report);
    }
}
