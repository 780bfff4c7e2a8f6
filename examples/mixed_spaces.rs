//! Three kinds of space on one ground: soldiers on the cells of a grid, walkers on a footpath, vans on roads. They
//! cross each other's ways, and one crowd plans for all of them. The run is checked by shapes and positions alone, and
//! written as a player.
//!
//! `cargo run -p giveway --example mixed_spaces`

use std::sync::Arc;

use giveway::area::Change;
use giveway::check::BodyChecker;
use giveway::render::{Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{
    Body, CommonTicks, Connectivity, Editable, FnSpace, Grid, Ground, Positions, RoadRules, Roads, SpaceError,
};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, NodeId};

const WIDTH: u32 = 36;
const HEIGHT: u32 = 20;
/// A ring road with a street through its middle.
const JUNCTIONS: [[f32; 2]; 6] = [[5.0, 3.0], [18.0, 3.0], [31.0, 3.0], [31.0, 16.0], [18.0, 16.0], [5.0, 16.0]];
const STREETS: [(u32, u32); 7] = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)];
/// A footpath that crosses the streets from north to south, from waypoint to waypoint and round again.
const WAYPOINTS: [[f32; 2]; 12] = [
    [2.5, 9.5],
    [8.0, 6.5],
    [12.0, 5.8],
    [16.0, 6.5],
    [20.0, 6.5],
    [24.0, 5.8],
    [28.0, 6.5],
    [33.5, 9.5],
    [28.0, 12.5],
    [20.0, 12.5],
    [16.0, 12.5],
    [8.0, 12.5],
];
/// Two houses: the first cell of each, and its size in cells.
const HOUSES: [[u32; 4]; 2] = [[10, 8, 4, 3], [22, 8, 4, 3]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_house = |x: u32, y: u32| {
        HOUSES
            .iter()
            .any(|[left, top, across, down]| (*left..left + across).contains(&x) && (*top..top + down).contains(&y))
    };
    let grid = Grid::from_fn(WIDTH, HEIGHT, |x, y| !is_house(x, y))?.with_connectivity(Connectivity::Eight);
    let path: Vec<(u32, u32)> = (0..12).map(|waypoint| (waypoint, (waypoint + 1) % 12)).collect();
    let waypoints = Arc::new(graph(&WAYPOINTS, &path)?);
    let roads = Arc::new(Roads::new(&graph(&JUNCTIONS, &STREETS)?, RoadRules::new(3.2, 1.8, 3.6))?);

    let (soldier, walker, van) =
        (Body::disc(0.4)?, Body::disc(0.3)?.speed(0.75)?, Body::rectangle(2.4, 1.2)?.speed(1.5)?);
    let ticks = CommonTicks::new().of([&soldier], &grid).of([&walker], &waypoints).of([&van], &roads).fewest()?;
    let ground = Ground::new([-0.5, -0.5], [36.0, 20.0], 0.25)?;
    let walls = grid.walls().ok_or("there are houses")?;

    let mut crowd = Crowd::new(CrowdSettings::new());
    let (space, footprint) = soldier.on(&grid, ground, ticks)?;
    let soldiers = crowd.add_class(Class::new(space, footprint).body(soldier.outline()))?;
    // Houses are walls to the other spaces, too.
    let (mut space, footprint) = walker.on(&waypoints, ground, ticks)?;
    space.change(&walls, Change::Close);
    let ways = Backdrop::graph(&space);
    let walkers = crowd.add_class(Class::new(space, footprint).body(walker.outline()))?;
    let (mut space, footprint) = van.on(&roads, ground, ticks)?;
    space.change(&walls, Change::Close);
    let vans = crowd.add_class(Class::new(space, footprint).body(van.outline()))?;

    let mut simulation = Simulation::new(crowd).recorded();
    let at = |x, y| grid.node(x, y).ok_or("on the grid");
    for x in (2..WIDTH).step_by(3) {
        let (north, south) = (at(x, 0)?, at(WIDTH - 1 - x, HEIGHT - 1)?);
        simulation.add(soldiers, Agent::bystander(north), Task::Patrol(vec![south, north]))?;
    }
    for start in (0..12).step_by(2) {
        // Round and round, to every third waypoint.
        let places = [3, 6, 9, 12].map(|waypoint| NodeId((start + waypoint) % 12));
        simulation.add(walkers, Agent::bystander(NodeId(start)), Task::Patrol(places.to_vec()))?;
    }
    let place = |from, to| roads.first(NodeId(from), NodeId(to)).ok_or("a street");
    for (start, there) in [([0, 1], [3, 4]), ([3, 2], [5, 0]), ([1, 4], [2, 1]), ([4, 5], [1, 2]), ([5, 4], [1, 0])] {
        let [start, there] = [place(start[0], start[1])?, place(there[0], there[1])?];
        simulation.add(vans, Agent::bystander(start), Task::Patrol(vec![there, start]))?;
    }
    simulation.run(150 * ticks, Budget::unlimited());

    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    let crowd = simulation.crowd();
    for (class, name) in [(soldiers, "soldiers"), (walkers, "walkers"), (vans, "vans")] {
        let of_class = || crowd.agents().filter(|agent| crowd.class_of(*agent) == Some(class));
        let arrivals: u64 = of_class().filter_map(|agent| simulation.agent_metrics(agent)).map(|m| m.arrivals).sum();
        println!("{} {name}: {arrivals} arrivals", of_class().count());
        assert!(arrivals > 0, "the {name} must get through");
    }
    // One map over the other.
    let cells = Backdrop::cells(WIDTH, HEIGHT, |x, y| grid.is_passable(x, y));
    let backdrop = cells.and(Backdrop::roads(&*roads, 1.8)).and(ways);
    let file = std::env::temp_dir().join("mixed_spaces.html");
    let page = Player::new(&trace, &backdrop).title("Soldiers, walkers and vans on one ground");
    std::fs::write(&file, page.to_string())?;
    println!("{ticks} ticks to a step; written: {}", file.display());
    Ok(())
}

/// Places, and ways between them in both directions; each costs as much as it is long.
fn graph(places: &[[f32; 2]], ways: &[(u32, u32)]) -> Result<FnSpace<u32, Positions>, SpaceError> {
    let near = |node| ways.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).filter(move |way| way.0 == node);
    let length = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|node| places[node as usize]);
        (a[0] - b[0]).hypot(a[1] - b[1])
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is positive, and small
    let cost = |from, to| (1000.0 * length(from, to)) as u32;
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX);
    FnSpace::new(count, |node| near(node).map(|(_, to)| (to, cost(node, to))).collect::<Vec<_>>())?
        .with_positions(|node| [places[node as usize][0], places[node as usize][1], 0.0])
}
