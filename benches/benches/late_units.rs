//! What do late units cost, and is it better to keep the order of plans or to plan anew? Units that always go
//! somewhere, of which some moves are late by 1 to 10 ticks.
//!
//! Counts, but for the last column: the processor time of the ticks and of the holds together.

use std::fmt::Write;

use giveway::footprint::WholeMoves;
use giveway::spaces::{Body, BodyFootprint, CommonTicks, Granularity, Ground, Headings, Lattice, Primitives, Vehicle};
use giveway::spaces::{Connectivity, Grid};
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings, Lateness};
use giveway::{Agent, AgentId, NodeId, Point, SpaceGraph};
use giveway_benches::{Table, cpu_time};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

const RATES: [u32; 4] = [0, 1, 5, 20];
const WAYS: [(&str, Lateness); 3] =
    [("keep order", Lateness::KeepOrder), ("plan anew", Lateness::PlanAnew), ("by length", Lateness::ByLength)];
const AGENT_TICKS: u64 = 100_000;

/// A kind of unit on a kind of map.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    /// How many percent of the cells are walls.
    walls: u32,
    side: u32,
    units: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Points,
    TimedPoints,
    WholeMoves,
    Squares,
    Discs,
    Vehicles,
}

const CASES: [Case; 8] = [
    Case { name: "points, open", walls: 0, side: 24, units: 60, kind: Kind::Points },
    Case { name: "points, 20 % walls", walls: 20, side: 24, units: 60, kind: Kind::Points },
    Case { name: "points, 20 % walls, twice as many", walls: 20, side: 24, units: 120, kind: Kind::Points },
    Case { name: "points of 12 ticks a step", walls: 10, side: 24, units: 60, kind: Kind::TimedPoints },
    Case { name: "points that hold whole moves", walls: 10, side: 24, units: 60, kind: Kind::WholeMoves },
    Case { name: "squares of 1 and of 2x2", walls: 0, side: 24, units: 40, kind: Kind::Squares },
    Case { name: "discs of two sizes", walls: 0, side: 24, units: 30, kind: Kind::Discs },
    Case { name: "vehicles", walls: 0, side: 20, units: 14, kind: Kind::Vehicles },
];

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (seeds, agent_ticks) = if quick { (1, 4000) } else { (5, AGENT_TICKS / 5) };
    let mut raw =
        "case;percent;way;arrivals_per_1000;held_along_per_hold;work_per_agent_tick;us_per_agent_tick\n".to_owned();
    let mut table = Table::begin(&[
        "case",
        "late, %",
        "way",
        "arrivals per 1000 agent-ticks",
        "of those without lateness, %",
        "held along, per hold",
        "work per agent-tick",
        "us per agent-tick",
    ]);
    for case in CASES {
        let mut undisturbed = 0.0;
        for percent in RATES {
            for (way, lateness) in WAYS {
                let mut sum = Sums::default();
                (0..seeds).for_each(|seed| live(case, lateness, percent, agent_ticks, seed, &mut sum));
                let per = |count: u64| ratio(count, sum.agent_ticks);
                let throughput = 1000.0 * per(sum.arrivals);
                if percent == 0 {
                    undisturbed = throughput;
                }
                table.row(&[
                    &case.name,
                    &percent,
                    &way,
                    &format!("{throughput:.2}"),
                    &format!("{:.1}", 100.0 * throughput / undisturbed),
                    &format!("{:.3}", ratio(sum.held_along, sum.holds)),
                    &format!("{:.1}", per(sum.work)),
                    &format!("{:.2}", per(sum.microseconds)),
                ]);
                // Writing to a string does not fail.
                let _ = writeln!(
                    raw,
                    "{};{percent};{way};{throughput:.2};{:.3};{:.1};{:.2}",
                    case.name,
                    ratio(sum.held_along, sum.holds),
                    per(sum.work),
                    per(sum.microseconds)
                );
                if percent == 0 {
                    break;
                }
            }
        }
    }
    if !quick {
        table.write_raw(env!("CARGO_TARGET_TMPDIR"), "late_units", &raw);
    }
}

#[allow(clippy::cast_precision_loss)] // counts are small
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[derive(Clone, Copy, Default)]
struct Sums {
    agent_ticks: u64,
    holds: u64,
    held_along: u64,
    arrivals: u64,
    work: u64,
    microseconds: u64,
}

/// A crowd of the units of `case`, and its classes.
fn crowd(case: Case, settings: CrowdSettings, random: &mut Pcg64Mcg) -> (Crowd<'static>, Vec<ClassId>) {
    let is_wall: Vec<bool> = (0..case.side * case.side).map(|_| random.random_ratio(case.walls, 100)).collect();
    let diagonal = matches!(case.kind, Kind::TimedPoints | Kind::WholeMoves | Kind::Discs);
    let connectivity = if diagonal { Connectivity::Eight } else { Connectivity::Four };
    let grid = Grid::from_fn(case.side, case.side, |x, y| !is_wall[(y * case.side + x) as usize])
        .expect("a small grid")
        .with_connectivity(connectivity);
    let mut crowd = Crowd::new(settings);
    let body = |body: Result<Body, _>, speed| body.expect("a body").speed(speed).expect("a speed");
    let bodies: Vec<Body> = match case.kind {
        Kind::Squares => vec![body(Body::square(1), 1.0), body(Body::square(2), 0.5)],
        Kind::Discs => vec![body(Body::disc(0.4), 1.0), body(Body::disc(0.9), 0.75)],
        _ => Vec::new(),
    };
    let mut classes = Vec::new();
    let ticks = if bodies.is_empty() { 1 } else { CommonTicks::new().of(&bodies, &grid).fewest().expect("ticks") };
    for body in &bodies {
        let class = Class::for_body(body, &grid, Ground::from_grid(&grid), ticks).expect("a class");
        classes.push(crowd.add_class(class).expect("a class"));
    }
    let timed = || Point::timed(&grid, 12).expect("ticks that fit");
    let added = match case.kind {
        Kind::Points => crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid))),
        Kind::TimedPoints => crowd.add_class(Class::new(grid.clone(), timed())),
        Kind::WholeMoves => crowd.add_class(Class::new(grid.clone(), WholeMoves::new(timed()))),
        Kind::Vehicles => {
            let (lattice, footprint) = cars(&grid);
            crowd.add_class(Class::new(lattice, footprint))
        }
        Kind::Squares | Kind::Discs => return (crowd, classes),
    };
    classes.push(added.expect("a class"));
    (crowd, classes)
}

/// Cars of a cell and a half, which turn along arcs and drive back.
fn cars(grid: &Grid) -> (Lattice, BodyFootprint) {
    let straight = Primitives::straight(Headings::Four, 1).expect("primitives");
    let primitives = straight.arcs(1.5).and_then(|primitives| primitives.reversing(2.0)).expect("primitives");
    let vehicle = Vehicle::new(Body::rectangle(1.4, 0.8).expect("a body"), primitives);
    let ticks = CommonTicks::new().of([&vehicle], grid).fewest().expect("ticks");
    let ground = Ground::from_grid(grid).granularity(Granularity::Finer(2));
    vehicle.on(grid, ground, ticks).expect("a lattice")
}

/// Lets the units of `case` go about for `agent_ticks`, while `percent` of their moves are late.
fn live(case: Case, lateness: Lateness, percent: u32, agent_ticks: u64, seed: u64, sums: &mut Sums) {
    let mut random = Pcg64Mcg::new(u128::from(seed));
    let (mut crowd, classes) = crowd(case, CrowdSettings::new().lateness(lateness), &mut random);
    let nodes: Vec<Vec<NodeId>> = classes.iter().map(|class| nodes_of(&crowd, *class, case.kind)).collect();
    let mut agents: Vec<(AgentId, usize)> = Vec::new();
    for attempt in 0..case.units * 8 {
        let class = attempt % classes.len();
        let start = *nodes[class].choose(&mut random).expect("a free cell");
        if agents.len() < case.units
            && let Ok(agent) = crowd.add(classes[class], Agent::bystander(start))
        {
            agents.push((agent, class));
        }
    }
    let mut late: Vec<Option<(u32, u32)>> = vec![None; agents.len()];
    let mut done = 0;
    while done < agent_ticks {
        for (agent, class) in &agents {
            if crowd.is_home(*agent) == Some(true) && crowd.held_until(*agent).is_none() {
                let _ = crowd.send_near(*agent, *nodes[*class].choose(&mut random).expect("a free cell"));
            }
        }
        let before = cpu_time();
        let report = crowd.tick(Budget::unlimited());
        let mut held = Vec::new();
        for ((agent, _), late) in agents.iter().zip(&mut late) {
            let Some(leg) = crowd.last_leg(*agent) else { continue };
            if leg.is_move() && leg.depart == report.tick && random.random_ratio(percent, 100) {
                *late = Some((random.random_range(crowd.now()..=leg.arrive), random.random_range(1..=10)));
            }
            if let Some((_, ticks)) = late.take_if(|(at, _)| *at <= crowd.now()) {
                held.push((*agent, ticks));
            }
        }
        for (agent, ticks) in held {
            sums.holds += 1;
            sums.held_along += crowd.hold(agent, ticks).map_or(0, |others| others.len() as u64);
        }
        let took = cpu_time().saturating_sub(before).as_micros();
        sums.microseconds += u64::try_from(took).unwrap_or(u64::MAX);
        done += agents.len() as u64;
        sums.arrivals += report.arrived.len() as u64;
        sums.work += report.work;
    }
    sums.agent_ticks += done;
}

fn nodes_of(crowd: &Crowd<'_>, class: ClassId, kind: Kind) -> Vec<NodeId> {
    let bound = match kind {
        Kind::Vehicles => crowd.space::<Lattice>(class).map_or(0, SpaceGraph::node_bound),
        Kind::Squares | Kind::Discs => {
            crowd.space::<giveway::spaces::Clearance>(class).map_or(0, SpaceGraph::node_bound)
        }
        _ => crowd.space::<Grid>(class).map_or(0, SpaceGraph::node_bound),
    };
    NodeId::below(bound).filter(|node| crowd.has_node(class, *node)).collect()
}
