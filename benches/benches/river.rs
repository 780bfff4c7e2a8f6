//! Who stands where bodies of unlike size and speed cross a river? Two bridges are five cells wide, so that two units of
//! three cells cannot pass each other. All units get one goal after another.
//!
//! `cargo bench --bench river -- UNITS STEPS FIRST LAST WORK` takes 150 UNITS, 400 STEPS, and the seeds from 1 to 3
//! unless it is told others. WORK is the work of a tick; without it there is no limit, and a run takes minutes.

use std::fmt::Write as _;
use std::time::Duration;

use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Grid, Ground, Headings, Primitives, Vehicle};
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, NodeId, SpaceGraph};
use giveway_benches::worlds::random;
use giveway_benches::{Table, cpu_time};
use rand::Rng as _;

const SIDE: u32 = 128;

/// A unit stands if it is under way and has been on one node for more steps than this.
const PATIENCE: u32 = 60;

/// The classes of a world, in this order.
const KINDS: [&str; 4] = ["1x1", "2x2 at half speed", "3x3", "wagons"];

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let (units, steps, first, last) = (next(150), next(400), next(1), next(3));
    let budget = arguments.next().map_or(Budget::unlimited(), Budget::work);
    let mut table = Table::begin(&[
        "seed",
        "units",
        "stand, mean",
        "longest, steps",
        "orders of each class",
        "median tick, ms",
        "99th percentile, ms",
    ]);
    let mut raw = "seed,units,steps,standing,longest,orders,median_ms,p99_ms\n".to_owned();
    for seed in first..=last {
        let Crossed { standing, longest, orders, mut times } = cross(units, steps, seed, budget);
        times.sort_unstable();
        let [median, most] = [times.len() / 2, times.len() * 99 / 100]
            .map(|place| times.get(place).map_or(0.0, |t| t.as_secs_f64() * 1e3));
        let sum: usize = orders.iter().sum();
        // Writing to a string does not fail.
        let _ = writeln!(raw, "{seed},{units},{steps},{standing:.3},{longest},{sum},{median:.3},{most:.3}");
        let by_class: Vec<String> =
            KINDS.iter().zip(orders).map(|(kind, orders)| format!("{kind}: {orders}")).collect();
        table.row(&[
            &seed,
            &units,
            &format_args!("{standing:.2}"),
            &longest,
            &by_class.join(", "),
            &format_args!("{median:.1}"),
            &format_args!("{most:.1}"),
        ]);
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "river", &raw);
}

/// How a run has gone.
struct Crossed {
    /// How many units stand, in the mean over all steps.
    standing: f64,
    /// For how many steps a unit under way has stood at most.
    longest: u32,
    /// The orders carried out, by class.
    orders: [usize; KINDS.len()],
    times: Vec<Duration>,
}

/// Runs `units` units for `steps` steps.
fn cross(units: u64, steps: u64, seed: u64, budget: Budget) -> Crossed {
    let mut random = random(seed);
    let (crowd, classes) = world();
    let mut simulation = Simulation::new(crowd);
    let ends: Vec<Endpoints> = classes.iter().map(|(_, places)| places.clone().into()).collect();
    let mut agents: Vec<(AgentId, usize)> = Vec::new();
    for kind in (0..KINDS.len()).cycle().take(usize::try_from(units).expect("few")) {
        let (class, places) = &classes[kind];
        let agent = std::iter::repeat_with(|| places[random.random_range(0..places.len())]).find_map(|place| {
            let task = Task::Lifelong { places: ends[kind].clone(), seed };
            simulation.add(*class, Agent::bystander(place), task).ok()
        });
        agents.extend(agent.map(|agent| (agent, kind)));
    }
    let mut crossed = Crossed { standing: 0.0, longest: 0, orders: [0; KINDS.len()], times: Vec::new() };
    let mut since = vec![(None, 0); agents.len()];
    for _ in 0..steps {
        for _ in 0..simulation.crowd().ticks_per_step() {
            let report = simulation.tick_by(|crowd| {
                let begin = cpu_time();
                let report = crowd.tick(budget);
                crossed.times.push(cpu_time() - begin);
                report
            });
            let arrived = agents.iter().filter(|(agent, _)| report.arrived.contains(agent));
            arrived.for_each(|(_, kind)| crossed.orders[*kind] += 1);
        }
        for ((agent, _), (known, stands)) in agents.iter().zip(&mut since) {
            let node = simulation.crowd().node(*agent);
            let is_under_way = simulation.crowd().is_home(*agent) == Some(false);
            *stands = if node == *known && is_under_way { *stands + 1 } else { 0 };
            *known = node;
            crossed.longest = crossed.longest.max(*stands);
            crossed.standing += f64::from(u8::from(*stands > PATIENCE));
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "few")]
    let count = steps.max(1) as f64;
    Crossed { standing: crossed.standing / count, ..crossed }
}

/// A crowd without units, and its classes with all nodes of each.
fn world() -> (Crowd<'static>, Vec<(ClassId, Vec<NodeId>)>) {
    let is_bridge = |y| (30..35).contains(&y) || (92..97).contains(&y);
    let grid = Grid::from_fn(SIDE, SIDE, |x, y| !(60..68).contains(&x) || is_bridge(y)).expect("small");
    let slow = Body::square(2).and_then(|body| body.speed(0.5));
    let bodies = [Body::square(1), slow, Body::square(3)].map(|body| body.expect("a body"));
    let primitives = Primitives::straight(Headings::Eight, 1)
        .and_then(|straight| straight.arcs(2.0))
        .and_then(|arcs| arcs.reversing(2.0))
        .expect("primitives");
    let wagon = Vehicle::new(Body::rectangle(1.8, 0.9).expect("a body"), primitives);
    let ticks = CommonTicks::new().of(&bodies, &grid).of([&wagon], &grid).fewest().expect("few ticks");
    let size = SIDE as f32; // exact
    let ground = Ground::new([-0.5; 2], [size; 2], 0.5).expect("a ground");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut classes = Vec::new();
    for body in &bodies {
        let (space, footprint) = body.on(&grid, ground, ticks).expect("it fits");
        let places = space.nodes().filter(|node| space.contains(*node)).collect();
        classes.push((crowd.add_class(Class::new(space, footprint)).expect("a few classes"), places));
    }
    let (space, footprint) = wagon.on(&grid, ground, ticks).expect("it fits");
    let places = space.nodes().filter(|node| space.contains(*node)).collect();
    classes.push((crowd.add_class(Class::new(space, footprint)).expect("a few classes"), places));
    (crowd, classes)
}
