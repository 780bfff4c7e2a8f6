//! A road network in metres and seconds, end to end: a petgraph graph whose costs are floating-point seconds, with
//! one-way streets and an avenue of parallel lanes. A batch of vans is solved at once, then a crowd of them drives
//! about under a direction map. Writes a picture and a player.
//!
//! `cargo run -p giveway --example road_network`

use std::sync::Arc;

use giveway::check::BodyChecker;
use giveway::direction::{DirectionMap, DirectionRules};
use giveway::plan::Trace;
use giveway::render::{Arrow, Backdrop, Flow, PlanPicture, Player};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, GraphSpace, Ground, RoadRules, Roads};
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Hca, Planner};
use giveway::{Agent, Checker, ConflictRule, Instance, NodeId, SpaceGraph};
use ordered_float::OrderedFloat;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// Where the junctions are, in metres.
const JUNCTIONS: [[f32; 2]; 12] = [
    [25.0, 30.0],
    [95.0, 20.0],
    [170.0, 30.0],
    [250.0, 25.0],
    [20.0, 90.0],
    [95.0, 85.0],
    [175.0, 90.0],
    [255.0, 85.0],
    [30.0, 150.0],
    [100.0, 155.0],
    [180.0, 150.0],
    [245.0, 155.0],
];
/// One lane each way.
const STREETS: [(u32, u32); 8] = [(0, 1), (1, 2), (2, 3), (0, 4), (3, 7), (7, 11), (9, 10), (2, 6)];
/// One way only.
const ONE_WAY: [(u32, u32); 6] = [(4, 8), (8, 9), (9, 5), (1, 5), (6, 10), (10, 11)];
/// Two lanes each way: parallel edges from junction to junction.
const AVENUE: [(u32, u32); 3] = [(4, 5), (5, 6), (6, 7)];
/// In metres per second; costs are seconds.
const SPEED: f32 = 10.0;
/// The width of a lane, in metres.
const LANE: f32 = 3.5;
const VANS: usize = 24;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let roads = Arc::new(roads()?);
    // A step is a second: at speed 10 a van drives 10 metres in it, and to wait for a second costs 1.0, as much as to
    // drive for a second.
    let van = Body::rectangle(5.0, 2.0)?.speed(SPEED)?;
    let ticks = CommonTicks::new().of([&van], &roads).fewest()?;
    let ground = Ground::new([0.0, 0.0], [280.0, 180.0], 0.5)?;
    let (space, footprint) = van.on(&roads, ground, ticks)?;

    // All at once: every van goes from the begin of one road to the begin of another.
    let trips =
        [([0, 1], [10, 11]), ([11, 7], [4, 0]), ([4, 5], [6, 7]), ([7, 6], [5, 4]), ([3, 2], [9, 5]), ([8, 9], [3, 7])];
    let begin = |[from, to]: [u32; 2]| roads.first(NodeId(from), NodeId(to));
    let vans = trips.iter().map(|(from, to)| Some(Agent::new(begin(*from)?, begin(*to)?)));
    let vans = vans.collect::<Option<Vec<Agent>>>().ok_or("all of these are roads")?;
    let instance = Instance::new(&space, &footprint, vans)?;
    let solution = Hca::hca_star().solve(&instance);
    assert!(solution.is_complete());
    assert_eq!(Checker::new(&space, ConflictRule::Following).check(instance.agents(), &solution.plan), []);
    let mut batch = Trace::from_plan(&space, instance.agents(), &solution.plan, ticks);
    batch.agents.iter_mut().for_each(|agent| agent.body = Some(van.outline()));
    assert_eq!(BodyChecker::new().check(&batch), [], "no two ever overlap");
    let arrivals = solution.plan.paths.iter().map(|path| f64::from(path.arrival()) / f64::from(ticks));
    println!("{} vans planned at once arrive after {:.0?} seconds", trips.len(), arrivals.collect::<Vec<f64>>());

    // A crowd, which learns where vans drive. Moves against that cost up to two seconds more.
    let map = DirectionMap::blank(&space, DirectionRules::default().weight(2.0));
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::new(Planner::Windowed).fallback(Planner::Pibt, 14)));
    let class = crowd.add_class(Class::new(&space, footprint.clone()).layer(&map).body(van.outline()))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let places: Endpoints = (0..u32::try_from(roads.node_bound())?).map(NodeId).collect();
    for start in places.nodes().iter().step_by(places.nodes().len() / VANS).take(VANS) {
        simulation.add(class, Agent::bystander(*start), Task::Lifelong { places: places.clone(), seed: 5 })?;
    }
    simulation.run(180 * ticks, Budget::unlimited());
    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    println!("{VANS} vans in three minutes: {} arrivals", simulation.metrics().arrivals);

    let backdrop = Backdrop::roads(&*roads, LANE);
    let folder = std::env::temp_dir();
    let picture = PlanPicture::new(&batch, &backdrop).title("Six vans, planned at once");
    std::fs::write(folder.join("road_network.svg"), picture.to_string())?;
    let page = Player::new(&trace, &backdrop)
        .title("Vans on a road network")
        .caption("One-way streets, and an avenue of two lanes each way");
    let flow = Flow::still(Arrow::from_map(&space, &map));
    std::fs::write(folder.join("road_network.html"), page.flow(flow).to_string())?;
    println!("{ticks} ticks to a second; written: {}", folder.join("road_network.html").display());
    Ok(())
}

/// The roads as vans drive on them: 7 metres from van to van, and curves that begin 11 metres before the middle of a
/// junction.
fn roads() -> Result<Roads<OrderedFloat<f64>>, Box<dyn std::error::Error>> {
    let mut graph = DiGraph::<[f32; 2], ()>::new();
    for junction in JUNCTIONS {
        graph.add_node(junction);
    }
    let both = |(a, b)| [(a, b), (b, a)];
    let avenue = AVENUE.into_iter().flat_map(both).flat_map(|road| [road; 2]);
    graph.extend_with_edges(STREETS.into_iter().flat_map(both).chain(ONE_WAY).chain(avenue));
    let at = |junction: NodeIndex| graph[junction];
    let seconds = |from: [f32; 2], to: [f32; 2]| f64::from((from[0] - to[0]).hypot(from[1] - to[1]) / SPEED);
    let map = GraphSpace::priced(&graph, |road| OrderedFloat(seconds(at(road.source()), at(road.target()))))?
        .with_positions(|junction| [at(junction)[0], at(junction)[1], 0.0])?;
    Ok(Roads::new(&map, RoadRules::new(7.0, LANE, 11.0))?)
}
