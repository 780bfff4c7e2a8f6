//! Simulations: what is counted, traces and pictures of them, byte by byte; and the patrols of the experiments on direction maps.

use std::sync::Arc;

use giveway::direction::{DirectionMap, DirectionRules, EdgeDirectionMap};
use giveway::heuristic::{PricedDistances, Zero};
use giveway::plan::Trace;
use giveway::render::{AnimatedPicture, Backdrop, PlanPicture};
use giveway::scenario::{MapFile, MapKind, ScenarioGenerator, TraceFile};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Grid, Ground, Headings, Primitives, Vehicle};
use giveway::{Agent, NodeId, Point};
use giveway_experiments::{CrowdPatrols, PatrolRules, Patrols};

use crate::golden::api::{self, Class, Crowd, Lra, Routing};
use crate::golden::digest;
use crate::golden::hashes::{Cases, Hash};
use crate::golden::plans::directions;
use crate::golden::worlds::{World, generated, nodes};

pub(crate) fn run(cases: &mut Cases) {
    lifelong(cases);
    cases.run("simulation/mixed-sizes", mixed_sizes);
    cases.run("simulation/vehicles", vehicles);
    lanes(cases);
    bumping(cases);
    cases.run("simulation/crowd-patrols", crowd_patrols);
    cases.run("simulation/made-maps", made_maps);
}

/// Runs a simulation; hashes each tick, what was counted, and the trace.
fn watch(hash: &mut Hash, mut simulation: Simulation<'_>, ticks: u32, work: Option<u64>) -> Trace {
    for _ in 0..ticks {
        let report = simulation.tick(api::budget(work));
        digest::tick(hash, simulation.crowd(), &report);
    }
    digest::metrics(hash, simulation.metrics());
    for agent in simulation.crowd().agents() {
        simulation.agent_metrics(agent).iter().for_each(|metrics| digest::agent_metrics(hash, metrics));
    }
    hash.number(simulation.sum_of_costs().unwrap_or(u64::MAX));
    let trace = simulation.trace().expect("it is recorded");
    hash.bytes(TraceFile::new(trace.clone()).expect("it is a trace").to_string().as_bytes());
    trace
}

fn lifelong(cases: &mut Cases) {
    let World { grid, agents } = generated(MapKind::Warehouse, [26, 13], 40, 1);
    let places: Arc<[NodeId]> = nodes(&grid).into();
    let mut recorded = None;
    cases.run("simulation/lifelong", |hash| {
        let mut crowd = api::crowd(api::plain());
        let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)).embedded()).expect("one class");
        let mut simulation = Simulation::new(crowd).recorded();
        for agent in agents {
            let task = Task::Lifelong { places: places.clone(), seed: 9 };
            simulation.add(class, agent, task).expect("room");
        }
        recorded = Some(watch(hash, simulation, 120, Some(2000)));
    });
    let trace = recorded.expect("it was run");
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    cases.run("picture/plan", |hash| hash.bytes(PlanPicture::new(&trace, &backdrop).to_string().as_bytes()));
    cases.run("picture/animated", |hash| hash.bytes(AnimatedPicture::new(&trace, &backdrop).to_string().as_bytes()));
}

/// Bodies of three sizes and speeds that go to and fro through gaps in a wall.
fn mixed_sizes(hash: &mut Hash) {
    let wall = |x: u32, y: u32| (9..11).contains(&x) && [1, 2, 4, 5, 8, 9, 13].contains(&y);
    let grid = Grid::from_fn(20, 14, |x, y| !wall(x, y)).expect("small").with_connectivity(Connectivity::Eight);
    let bodies = [Body::square(3).and_then(|body| body.speed(0.5)), Body::square(2), Body::disc(0.4)];
    let bodies = bodies.map(|body| body.expect("it makes sense"));
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().expect("there are some");
    let mut crowd = api::crowd(api::plain());
    let classes = bodies.each_ref().map(|body| {
        let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), ticks).expect("room");
        crowd.add_class(Class::new(space, footprint).embedded().body(body.outline())).expect("one ground")
    });
    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| grid.node(x, y).expect("on the map");
    let units =
        [(0, 2, 11), (1, 5, 6), (1, 14, 6), (1, 6, 10), (2, 0, 0), (2, 19, 0), (2, 0, 4), (2, 19, 6), (2, 0, 7)];
    for (class, x, y) in units {
        let task = Task::Patrol(vec![at(19 - x, y), at(x, y)]);
        simulation.add(classes[class], Agent::bystander(at(x, y)), task).expect("room");
    }
    watch(hash, simulation, 40 * ticks, Some(2000));
}

/// A car that drives arcs, a tank that turns on the spot, and people on foot.
fn vehicles(hash: &mut Hash) {
    let block = |x: u32, y: u32| (5..8).contains(&x) && (4..6).contains(&y);
    let grid = Grid::from_fn(16, 10, |x, y| !block(x, y)).expect("small").with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);
    let straight = || Primitives::straight(Headings::Eight, 1);
    let car = straight().and_then(|straight| straight.arcs(2.0)?.reversing(2.0)).expect("radii make sense");
    let tank = straight().and_then(|straight| straight.pivoting(6.0)).expect("lengths make sense");
    let vehicles = [
        Vehicle::new(Body::rectangle(1.9, 0.9).and_then(|body| body.speed(1.5)).expect("it makes sense"), car),
        Vehicle::new(Body::rectangle(1.6, 1.3).and_then(|body| body.speed(0.75)).expect("it makes sense"), tank),
    ];
    let person = Body::disc(0.3).expect("it makes sense");
    let ticks = CommonTicks::new().of(&vehicles, &grid).of([&person], &grid).fewest().expect("there are some");
    let mut crowd = api::crowd(api::window(16));
    let mut drive = Vec::new();
    for (vehicle, poses) in vehicles.iter().zip([[(2, 2, 0), (13, 7, 4)], [(12, 2, 4), (2, 7, 2)]]) {
        let (space, footprint) = vehicle.on(&grid, ground, ticks).expect("room");
        let ends = poses.map(|(x, y, heading)| space.node(x, y, heading).expect("on the map"));
        let class = Class::new(space, footprint).embedded().body(vehicle.outline());
        drive.push((crowd.add_class(class).expect("one ground"), ends));
    }
    let (space, footprint) = person.on(&grid, ground, ticks).expect("room");
    let people = crowd.add_class(Class::new(space, footprint).embedded().body(person.outline())).expect("one ground");
    for y in [0, 5, 9] {
        drive.push((people, [0, 15].map(|x| grid.node(x, y).expect("on the map"))));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    for (class, [here, there]) in drive {
        simulation.add(class, Agent::bystander(here), Task::Patrol(vec![there, here])).expect("room");
    }
    watch(hash, simulation, 30 * ticks, Some(1500));
}

/// Patrols under maps of directions that learn, and under frozen ones.
fn lanes(cases: &mut Cases) {
    let grid = Grid::open(16, 10).expect("small");
    let repairs = || api::chain(api::repair(Lra::new(2008).noise(0).radius(5000)), &[(api::WINDOWED, 16)]);
    let rules = || DirectionRules::default().weight(8.0).neighbours(0.1);
    for (name, chain) in [("repairs", repairs()), ("windows", api::WINDOWED.into())] {
        cases.run(format!("simulation/lanes-{name}"), |hash| {
            let map = DirectionMap::blank(&grid, rules());
            let class = Class::new(&grid, Point::swap_rule(&grid)).embedded().layer(&map).chain(chain.clone());
            let mut crowd = api::crowd(api::plain());
            let class = crowd.add_class(class).expect("one class");
            watch(hash, crossing(crowd, class, &grid), 60, None);
            directions(hash, &map);
            // What was learned, and does not change any more.
            let frozen = map.snapshot();
            frozen.freeze();
            let heuristics = PricedDistances::<_, _, Zero>::tables(frozen.snapshot());
            let class = Class::new(&grid, Point::swap_rule(&grid)).embedded().layer(&frozen).chain(chain);
            let mut crowd = api::crowd(api::plain());
            let class = crowd.add_class(class.heuristics(heuristics)).expect("one class");
            watch(hash, crossing(crowd, class, &grid), 40, None);
        });
    }
    cases.run("simulation/lanes-edges", |hash| {
        let map = EdgeDirectionMap::blank(&grid, rules());
        let class = Class::new(&grid, Point::swap_rule(&grid)).embedded().layer(&map).chain(repairs());
        let mut crowd = api::crowd(api::plain());
        let class = crowd.add_class(class).expect("one class");
        watch(hash, crossing(crowd, class, &grid), 60, None);
        map.values().for_each(|(node, position, value)| hash.numbers([node.0, position, value.to_bits()]));
    });
}

/// Units from both sides that go to and fro.
fn crossing<'a>(crowd: Crowd<'a>, class: api::ClassId, grid: &Grid) -> Simulation<'a> {
    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| grid.node(x, y).expect("on the square");
    for y in 0..grid.height() {
        for (here, there) in [(0, grid.width() - 2), (grid.width() - 1, 1)] {
            let task = Task::Patrol(vec![at(there, y), at(here, y)]);
            simulation.add(class, Agent::bystander(at(here, y)), task).expect("room");
        }
    }
    simulation
}

/// Patrols by the paper's rules.
fn bumping(cases: &mut Cases) {
    let World { grid, agents } = generated(MapKind::Random, [18, 14], 20, 12);
    let grid = grid.with_connectivity(Connectivity::Eight);
    let ends: Vec<[NodeId; 2]> = agents.iter().map(|agent| [agent.start, agent.goals.nodes()[0]]).collect();
    for (name, routing) in [("whole", Routing::Whole), ("greedy", Routing::Greedy), ("sectors", api::sectors(5, 50))] {
        cases.run(format!("simulation/patrols-{name}"), |hash| {
            let map = DirectionMap::blank(&grid, DirectionRules::default().weight(3.0));
            let rules = PatrolRules::loops(2).routing(routing).seed(4).radius(4.0);
            let mut patrols = Patrols::new(&grid, &map, &ends, rules).expect("they fit").recorded();
            (0..3000).take_while(|_| patrols.advance()).count();
            digest::patrols(hash, &patrols.metrics());
            directions(hash, &map);
            let trace = patrols.trace().expect("it is recorded").clone();
            hash.bytes(TraceFile::new(trace).expect("it is a trace").to_string().as_bytes());
        });
    }
}

fn crowd_patrols(hash: &mut Hash) {
    let World { grid, agents } = generated(MapKind::Random, [18, 14], 12, 13);
    let mut crowd = api::crowd(api::plain());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)).embedded()).expect("one class");
    let ends = |agent: &Agent| [agent.start, agent.goals.nodes()[0]];
    let patrols: Vec<_> = agents
        .iter()
        .map(|agent| (crowd.add(class, Agent::bystander(agent.start)).expect("room"), ends(agent)))
        .collect();
    let mut patrols = CrowdPatrols::new(&mut crowd, &patrols, 2).expect("they fit");
    for _ in 0..400 {
        let Some(report) = patrols.advance() else { break };
        digest::tick(hash, patrols.crowd(), &report);
    }
    digest::patrols(hash, &patrols.metrics());
}

/// What maps and scenarios all other cases are about.
fn made_maps(hash: &mut Hash) {
    for kind in MapKind::ALL {
        let World { grid, .. } = generated(kind, [30, 20], 1, 21);
        let map = MapFile::from_grid(&grid);
        hash.bytes(map.to_string().as_bytes());
        let scenario = ScenarioGenerator::new(&map).and_then(|generator| generator.generate("made.map", 30, 22));
        hash.bytes(scenario.expect("room").to_string().as_bytes());
    }
}
