//! Bodies of all sizes and speeds in one crowd: none ever penetrates another, by the checker that knows only shapes and
//! positions.

use std::sync::Arc;

use giveway_bodies::{Body, BodyFootprint, CommonTicks, Granularity, Ground, Headings, Primitives, Vehicle};
use giveway_check::BodyChecker;
use giveway_core::heuristic::{ByMetric, Euclidean};
use giveway_core::{
    Agent, AgentId, Editable, Embedding, Footprint, NodeId, SyncSpace, Ticks, TimeModel, Trace, TracedBody,
};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, CrowdSolver};
use giveway_sim::{Endpoints, Metrics, Simulation, Task};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Cooperative, Hca, Instance};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

/// A body at random, and the same with all of its lengths halved.
fn body(random: &mut Pcg64Mcg) -> [Body; 2] {
    let side = [0, 1].map(|_| random.random_range(0.3_f32..3.0));
    let corners: [[f32; 2]; 5] = std::array::from_fn(|_| [0, 1].map(|_| random.random_range(-1.3..1.3)));
    let cells = random.random_range(1_u8..=4);
    let kind = random.random_range(0..4);
    let speed = *[1.0, 1.0, 2.0 / 3.0, 0.37, 0.5, 2.0].choose(random).expect("there are some");
    [1.0, 0.5].map(|scale: f32| {
        let square = |side: f32| Body::rectangle(side, side);
        let body = match kind {
            // Even ones reach farther to the right and down; half of one has its middle where it has.
            0 if scale == 1.0 => Body::square(cells.into()),
            0 => square(f32::from(cells) / 2.0),
            1 => Body::disc(side[0] * 0.55 * scale),
            2 => Body::rectangle(side[0] * scale, side[1] * scale),
            _ => Body::polygon(&corners.map(|corner| corner.map(|side| side * scale))).or_else(|_| square(scale)),
        };
        body.and_then(|body| body.speed(speed)).expect("lengths and speeds make sense")
    })
}

/// A vehicle at random, and the same with all of its lengths halved.
fn vehicle(random: &mut Pcg64Mcg) -> [Vehicle; 2] {
    let headings = *[Headings::Four, Headings::Eight, Headings::Eight, Headings::Sixteen].choose(random).expect("some");
    let mut primitives = Primitives::straight(headings, 1).expect("a step");
    if random.random_ratio(3, 4) {
        primitives = primitives.arcs(random.random_range(0.5..3.0)).expect("a radius");
    }
    if random.random() {
        primitives = primitives.reversing(*[1.0, 2.0].choose(random).expect("some")).expect("slower");
    }
    if random.random() {
        primitives = primitives.pivoting(6.0).expect("a length");
    }
    let size = [random.random_range(0.4_f32..3.2), random.random_range(0.4_f32..1.6)];
    let kind = random.random_range(0..4);
    let speed = *[1.0, 1.0, 2.0 / 3.0, 0.37].choose(random).expect("some");
    [1.0, 0.5].map(|scale: f32| {
        let [length, width] = size.map(|side| side * scale);
        let body = match kind {
            0 => Body::disc(width / 2.0),
            1 => Body::polygon(&[[length * 0.7, 0.0], [-length * 0.3, width / 2.0], [-length * 0.3, -width / 2.0]]),
            _ => Body::rectangle(length, width),
        };
        Vehicle::new(
            body.and_then(|body| body.speed(speed)).expect("lengths and speeds make sense"),
            primitives.clone(),
        )
    })
}

/// A class of a crowd, and where its units may be.
type Enlisted = (ClassId, Arc<[NodeId]>);

fn enlist<S: Editable + Embedding + SyncSpace + Clone + 'static>(
    crowd: &mut Crowd<'static>,
    space: S,
    footprint: BodyFootprint,
    outline: TracedBody,
) -> Enlisted
where
    BodyFootprint: Footprint<S>,
{
    let bound = u32::try_from(space.node_bound()).expect("small");
    let nodes = (0..bound).map(NodeId).filter(|node| space.contains(*node)).collect();
    (crowd.add_class(Class::new(space, footprint).editable().body(outline)).expect("one ground"), nodes)
}

/// The kind of a world.
#[derive(Clone, Copy)]
struct Kind {
    /// The fewest and the most agents of a class; not all find room.
    agents: [usize; 2],
    /// Reserves room for half of each length only.
    halved: bool,
    /// Agents are removed, put elsewhere, stopped and sent as it goes.
    disturbed: bool,
}

/// A crowd of several classes on a map, all from `seed`, for a number of plain steps.
fn run(seed: u64, steps: u32, kind: Kind) -> (Trace, Metrics) {
    let mut random = Pcg64Mcg::new(u128::from(seed) * 2 + 1);
    let walls = if kind.halved { 0 } else { *[0, 0, 5, 10].choose(&mut random).expect("there are some") };
    let (width, height) = (random.random_range(8..20), random.random_range(8..20));
    let connectivity = if random.random() { Connectivity::Four } else { Connectivity::Eight };
    let grid = Grid::from_fn(width, height, |_, _| !random.random_ratio(walls, 100)).expect("small");
    let grid = grid.with_connectivity(connectivity);
    let granularities =
        [Granularity::Same, Granularity::Finer(2), Granularity::Same, Granularity::Coarser(2), Granularity::Finer(3)];
    // Room in coarse cells makes up for what is missing.
    let granularities = if kind.halved { &granularities[..2] } else { &granularities };
    let ground = Ground::from_grid(&grid).granularity(*granularities.choose(&mut random).expect("there are some"));
    let mut bodies: Vec<[Body; 2]> = (0..random.random_range(1..=4)).map(|_| body(&mut random)).collect();
    if kind.halved {
        // A body smaller than a cell still has the whole cell for itself.
        bodies.push([Body::square(3), Body::rectangle(1.5, 1.5)].map(|body| body.expect("these make sense")));
    }
    let vehicles: Vec<[Vehicle; 2]> = (0..random.random_range(0..=2)).map(|_| vehicle(&mut random)).collect();
    let whole: Vec<Body> = bodies.iter().map(|[body, _]| body.clone()).collect();
    let driven: Vec<Vehicle> = vehicles.iter().map(|[vehicle, _]| vehicle.clone()).collect();
    let ticks = CommonTicks::new().of(&driven, &grid).of(&whole, &grid).fewest().expect("these speeds have one");

    let mut crowd = Crowd::new(CrowdSettings::new().window(random.random_range(4..=16)));
    let mut classes: Vec<Enlisted> = Vec::new();
    for [body, half] in &mut bodies {
        if random.random_ratio(1, 8) {
            (*body, *half) = (body.clone().closed(), half.clone().closed());
        }
        // Some are too large for some maps.
        let Ok((space, whole)) = body.on(&grid, ground, ticks) else { continue };
        let footprint = if kind.halved { half.on(&grid, ground, ticks).expect("the whole fits").1 } else { whole };
        if kind.disturbed {
            // This body at half its speed.
            let slow = body.clone().speed(0.5).expect("a speed").on(&grid, ground, ticks);
            if let Ok((space, footprint)) = slow {
                let (class, _) = enlist(&mut crowd, space, footprint, body.outline());
                classes.push((class, Arc::default()));
            }
        }
        classes.push(enlist(&mut crowd, space, footprint, body.outline()));
    }
    for [vehicle, half] in &vehicles {
        let Ok((space, whole)) = vehicle.on(&grid, ground, ticks) else { continue };
        let footprint = if kind.halved { half.on(&grid, ground, ticks).expect("the whole fits").1 } else { whole };
        classes.push(enlist(&mut crowd, space, footprint, vehicle.outline()));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    for (class, nodes) in classes {
        let mut starts = nodes.to_vec();
        starts.shuffle(&mut random);
        let places = Endpoints::from(&*nodes);
        for start in starts.into_iter().take(random.random_range(kind.agents[0]..=kind.agents[1])) {
            let task = Task::Lifelong { places: places.clone(), seed };
            // Not all find room.
            let _ = simulation.add(class, Agent::bystander(start), task);
        }
    }
    for tick in 0..steps * ticks {
        if kind.disturbed && tick % (3 * ticks) == 0 {
            disturb(&mut simulation, &mut random);
        }
        // As much for a step, however fine its ticks are.
        simulation.tick(Budget::work(u64::from(4000 / ticks).max(200)));
    }
    (simulation.trace().expect("it is recorded"), simulation.metrics())
}

/// Somebody is removed, put elsewhere, stopped or sent; not all of that can be done.
fn disturb(simulation: &mut Simulation<'_>, random: &mut Pcg64Mcg) {
    let agents: Vec<AgentId> = simulation.crowd().agents().collect();
    // Lattices have more nodes than grids.
    let bound = if random.random() { 400 } else { 3000 };
    let (Some(agent), node) = (agents.choose(random).copied(), NodeId(random.random_range(0..bound))) else {
        return;
    };
    let class = simulation.crowd().class_of(agent).expect("it is there");
    let _ = match random.random_range(0..9) {
        5 | 6 => simulation.crowd_mut().set_open(class, node, random.random_ratio(2, 3)).map(drop),
        7 | 8 => simulation.change_class(agent, ClassId(random.random_range(0..6))),
        0 => simulation.remove(agent),
        1 | 2 => simulation.place(agent, node),
        3 => simulation.stop(agent).map(drop),
        _ => simulation.send(agent, node).map(drop),
    };
}

/// Runs the worlds of many seeds on two threads; returns how many had overlaps, how many agents and how many moves
/// there were.
fn sum(seeds: std::ops::Range<u64>, steps: u32, kind: Kind) -> (usize, usize, usize) {
    let half = (seeds.end - seeds.start) / 2;
    let part = |seeds: std::ops::Range<u64>| {
        let (mut overlapping, mut agents, mut moves) = (0, 0, 0);
        for seed in seeds {
            let (trace, metrics) = run(seed, steps, kind);
            let overlaps = BodyChecker::new().at_most(3).check(&trace);
            assert!(kind.halved || overlaps.is_empty(), "seed {seed}: {overlaps:?}");
            overlapping += usize::from(!overlaps.is_empty());
            agents += trace.agents.len();
            moves += usize::try_from(metrics.path_length).expect("few");
        }
        (overlapping, agents, moves)
    };
    let middle = seeds.start + half;
    let (one, two) = std::thread::scope(|scope| {
        let one = scope.spawn(|| part(seeds.start..middle));
        let two = part(middle..seeds.end);
        (one.join(), two)
    });
    let one = one.expect("no seed fails");
    (one.0 + two.0, one.1 + two.1, one.2 + two.2)
}

const MIXED: Kind = Kind { agents: [1, 12], halved: false, disturbed: false };
const HALVED: Kind = Kind { agents: [40, 40], halved: true, disturbed: false };

#[test]
fn no_body_ever_penetrates_another() {
    let (_, agents, moves) = sum(0..150, 25, MIXED);
    assert!(agents > 1000 && moves > 7_500, "{agents} agents, {moves} moves");
}

/// More of them, as a test of its own: two tests take turns on two processors.
#[test]
fn nor_in_as_many_worlds_more() {
    let (_, agents, moves) = sum(150..300, 25, MIXED);
    assert!(agents > 1000 && moves > 7_500, "{agents} agents, {moves} moves");
}

#[test]
fn nor_when_agents_come_and_go_and_are_put_elsewhere() {
    let (_, agents, moves) = sum(5000..5150, 25, Kind { disturbed: true, ..MIXED });
    assert!(agents > 1200 && moves > 6_000, "{agents} agents, {moves} moves");
}

/// Every strategy that plans to the end keeps bodies and vehicles apart, too, by quanta and by safe intervals.
#[test]
fn no_strategy_lets_bodies_overlap() {
    let mut planned = [0, 0];
    for seed in 0..80 {
        let mut random = Pcg64Mcg::new(u128::from(seed + 900_u64) * 2 + 1);
        let grid = Grid::from_fn(14, 12, |_, _| !random.random_ratio(1, 20)).expect("small");
        let grid = grid.with_connectivity(Connectivity::Eight);
        let ground = Ground::from_grid(&grid);
        if seed % 2 == 0 {
            let [body, _] = body(&mut random);
            let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
            if let Ok((space, footprint)) = body.on(&grid, ground, ticks) {
                planned[0] += solve_all(&space, &footprint, &body.outline(), ticks, &mut random, seed);
            }
        } else {
            let [vehicle, _] = vehicle(&mut random);
            let ticks = CommonTicks::new().of([&vehicle], &grid).fewest().expect("one speed");
            if let Ok((space, footprint)) = vehicle.on(&grid, ground, ticks) {
                planned[1] += solve_all(&space, &footprint, &vehicle.outline(), ticks, &mut random, seed);
            }
        }
    }
    assert!(planned[0] > 300 && planned[1] > 150, "{planned:?} planned");
}

/// Lets every strategy plan up to six units at random; returns how many got a plan.
fn solve_all<S: Embedding<Cost = u32> + SyncSpace>(
    space: &S,
    footprint: &BodyFootprint,
    outline: &TracedBody,
    ticks: Ticks,
    random: &mut Pcg64Mcg,
    seed: u64,
) -> usize
where
    BodyFootprint: Footprint<S>,
{
    let bound = u32::try_from(space.node_bound()).expect("small");
    let mut nodes: Vec<NodeId> = (0..bound).map(NodeId).filter(|node| space.contains(*node)).collect();
    nodes.shuffle(random);
    let pairs: Vec<Agent> = nodes.chunks_exact(2).take(6).map(|pair| Agent::new(pair[0], pair[1])).collect();
    // Large units may not all have room beside each other: the rest is left out.
    let Some(instance) =
        (1..=pairs.len()).rev().find_map(|count| Instance::new(space, footprint, pairs[..count].to_vec()).ok())
    else {
        return 0;
    };
    let solutions = [
        Hca::hca_star().latest(200 * ticks).solve(&instance).map_details(drop),
        Hca::hca_star().time_model(TimeModel::SafeIntervals).solve(&instance).map_details(drop),
        Cooperative::new(ByMetric(Euclidean::from_space(space))).latest(100 * ticks).solve(&instance).map_details(drop),
        CrowdSolver::whca_star().latest(200 * ticks).solve(&instance).map_details(drop),
    ];
    let mut planned = 0;
    for solution in solutions {
        let mut trace = Trace::from_plan(space, instance.agents(), &solution.plan, ticks);
        // Who has no plan stands in the way of others.
        let lost: Vec<usize> = solution.unplanned.iter().map(|unplanned| unplanned.agent.index()).collect();
        for (index, agent) in trace.agents.iter_mut().enumerate() {
            agent.body = Some(outline.clone());
            agent.vanishes = lost.contains(&index).then_some(0);
        }
        assert_eq!(BodyChecker::new().check(&trace), [], "seed {seed}");
        planned += trace.agents.len() - lost.len();
    }
    planned
}

/// A hundred thousand of them: `cargo test --release -p giveway-sim --test tests bodies -- --ignored --nocapture`.
#[test]
#[ignore = "takes long"]
fn no_body_ever_penetrates_another_in_a_hundred_thousand_worlds() {
    let (mut agents, mut moves) = (0, 0);
    for thousand in 1000..1100 {
        let (_, more_agents, more_moves) = sum(thousand * 1000..(thousand + 1) * 1000, 15, MIXED);
        (agents, moves) = (agents + more_agents, moves + more_moves);
        println!("{} worlds: {agents} agents, {moves} moves", (thousand - 999) * 1000);
    }
    assert!(agents > 800_000 && moves > 5_000_000, "{agents} agents, {moves} moves");
}

/// Where room is reserved for a part of the bodies only, the checker says so: it can fail.
#[test]
fn halved_footprints_are_found_out() {
    let (overlapping, ..) = sum(0..100, 25, HALVED);
    assert!(overlapping >= 95, "overlaps in {overlapping} of 100 worlds only");
}

/// A thousand of them, as above.
#[test]
#[ignore = "takes long"]
fn halved_footprints_are_found_out_in_a_thousand_worlds() {
    let (overlapping, ..) = sum(0..1000, 25, HALVED);
    assert!(overlapping >= 950, "overlaps in {overlapping} of 1000 worlds only");
}

/// On an empty map every unit goes at its own speed, along axes, diagonals and curves, and never waits.
#[test]
fn every_unit_keeps_its_speed_on_an_empty_map() {
    let mut random = Pcg64Mcg::new(11);
    for round in 0..60_u8 {
        let connectivity = if round % 2 == 0 { Connectivity::Four } else { Connectivity::Eight };
        let grid = Grid::open(24, 24).expect("small").with_connectivity(connectivity);
        let ground = Ground::from_grid(&grid);
        let speed = *[1.0_f32, 2.0 / 3.0, 0.37, 1.7, 0.5].choose(&mut random).expect("some");
        let mut crowd = Crowd::new(CrowdSettings::new());
        let (ticks, (class, nodes)) = if round % 3 == 0 {
            let straight = Primitives::straight(Headings::Eight, 1);
            let primitives = straight.and_then(|straight| straight.arcs(2.0)?.reversing(1.0));
            let body = Body::rectangle(1.8, 0.8).and_then(|body| body.speed(speed)).expect("sensible");
            let vehicle = Vehicle::new(body, primitives.expect("sensible"));
            let ticks = CommonTicks::new().of([&vehicle], &grid).fewest().expect("one speed");
            let (space, footprint) = vehicle.on(&grid, ground, ticks).expect("it fits");
            (ticks, enlist(&mut crowd, space, footprint, vehicle.outline()))
        } else {
            let body = body(&mut random)[0].clone().speed(speed).expect("sensible");
            let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
            let (space, footprint) = body.on(&grid, ground, ticks).expect("it fits");
            (ticks, enlist(&mut crowd, space, footprint, body.outline()))
        };
        let mut simulation = Simulation::new(crowd).recorded();
        let start = *nodes.choose(&mut random).expect("some");
        simulation
            .add(
                class,
                Agent::bystander(start),
                Task::Lifelong { places: Endpoints::from(&*nodes), seed: round.into() },
            )
            .expect("room");
        simulation.run(60 * ticks, Budget::unlimited());
        let trace = simulation.trace().expect("it is recorded");
        let agent = &trace.agents[0];
        let (mut at, mut now, mut way, mut time) = (agent.start.position, 0, 0.0, 0);
        for step in &agent.moves {
            let trajectory = step.trajectory.map(|trajectory| trace.trajectories[trajectory as usize].length());
            let [dx, dy] = [0, 1].map(|axis| step.to.position[axis] - at[axis]);
            let length = trajectory.unwrap_or_else(|| (dx * dx + dy * dy).sqrt());
            #[allow(clippy::cast_precision_loss)] // small
            let realised = length / ((step.arrive - step.depart) as f32 / ticks as f32);
            assert!((realised / speed - 1.0).abs() <= 0.0101, "round {round}: {realised} instead of {speed}");
            // At a goal it is told at the next tick where to go on, and not all poses can be reached without backing
            // up.
            let told = agent.orders.iter().any(|order| order.tick == step.depart);
            assert!(step.depart == now || told, "round {round}: it waits from {now} to {}", step.depart);
            (at, now) = (step.to.position, step.arrive);
            (way, time) = (way + length, time + step.arrive - step.depart);
        }
        #[allow(clippy::cast_precision_loss)] // small
        let realised = way / (time as f32 / ticks as f32);
        assert!(agent.moves.len() > 4 && (realised / speed - 1.0).abs() <= 0.01, "round {round}: {realised}");
    }
}
