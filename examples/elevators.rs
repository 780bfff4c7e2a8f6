//! A house of three floors. Visitors go from room to room: by stairs, which several of them climb one behind the other,
//! or by a lift, which takes one at a time. Writes a player that shows all floors.
//!
//! `cargo run -p giveway --example elevators`

use std::sync::Arc;

use giveway::area::Change;
use giveway::check::BodyChecker;
use giveway::render::{Backdrop, FloorPlan, Player};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Editable, Embedding, Floors, Grid, Ground, Link, Linked};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, NodeId, SpaceGraph};

/// Every floor: rooms, a corridor, a shaft `_` of stairs on either side, and the lift between them.
const FLOOR: [&str; 9] = [
    "#################",
    "#....#.....#....#",
    "#....#.....#....#",
    "#....#.....#....#",
    "###.####.####.###",
    "#...............#",
    "#...............#",
    "#.____.#.#.____.#",
    "#################",
];
const COUNT: usize = 3;
/// From floor to floor, in world units.
const HEIGHT: f32 = 3.0;
const VISITORS: usize = 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let house = Arc::new(house()?);
    // Levels of the ground have floors in their middle.
    let (lowest, levels) = (-HEIGHT / 2.0, u32::try_from(COUNT)?);
    let ground = Ground::new([-0.5, -0.5], [17.0, 9.0], 0.5)?.levels(lowest, HEIGHT, levels)?;
    let visitor = Body::disc(0.35)?;
    let ticks = CommonTicks::new().of([&visitor], &house).fewest()?;
    let (mut space, footprint) = visitor.on(&house, ground, ticks)?;
    let walls = floors(|mark| mark != '#')?.walls().ok_or("there are walls")?;
    space.change(&walls, Change::Close);

    let mut crowd = Crowd::new(CrowdSettings::new());
    let visitors = crowd.add_class(Class::new(space, footprint).body(visitor.outline()))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let floors = house.space();
    let rooms = (0..COUNT).flat_map(|floor| (1..4).flat_map(move |y| (1..16).map(move |x| (floor, x, y))));
    let rooms = rooms.filter_map(|(floor, x, y)| floors.node(floor, x, y)).filter(|node| house.contains(*node));
    let rooms: Endpoints = rooms.collect();
    for start in rooms.nodes().iter().step_by(rooms.nodes().len() / VISITORS).take(VISITORS) {
        simulation.add(visitors, Agent::bystander(*start), Task::Lifelong { places: rooms.clone(), seed: 3 })?;
    }
    simulation.run(150 * ticks, Budget::unlimited());

    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(BodyChecker::new().levels(lowest, HEIGHT, levels).check(&trace), [], "no two ever overlap");
    // The nodes of stairs come after the nodes of the floors. A ride in the lift is a jump.
    let moves = || trace.agents.iter().flat_map(|agent| &agent.moves);
    let climbs = moves().filter(|step| (0..4).any(|stairs| house.places(stairs).next() == Some(NodeId(step.to.node))));
    let rides = moves().filter(|step| step.trajectory.is_some());
    println!("{VISITORS} visitors: {} arrivals", simulation.metrics().arrivals);
    println!("{} times by the stairs, {} times by the lift", climbs.count(), rides.count());

    // A floor is nine cells long, and is drawn above the one below it, with a gap.
    let plan = FloorPlan::new([0.0, -10.5 / HEIGHT]);
    // Neither the shafts nor the places on stairs are tiles.
    let tile = |node: NodeId| match floors.place(node) {
        Some((_, x, y)) if !FLOOR[y as usize][x as usize..].starts_with('_') => {
            square(plan.place(house.position(node)))
        }
        _ => Vec::new(),
    };
    // The last link is the lift past the floor in the middle.
    let ends =
        house.links().iter().take(6).map(|link| [link.from(), link.to()].map(|end| plan.place(house.position(end))));
    let backdrop = Backdrop::tiles(&*house, tile).with_links(ends);
    let file = std::env::temp_dir().join("elevators.html");
    let shown = plan.trace(&trace);
    let page = Player::new(&shown, &backdrop)
        .title("A house of three floors")
        .caption("The ground floor is at the bottom; dashed: stairs on either side, and the lift in the middle");
    std::fs::write(&file, page.to_string())?;
    println!("{ticks} ticks to a step; written: {}", file.display());
    Ok(())
}

/// The floors, whose cells are free if `is_free` says so of their mark.
fn floors(is_free: impl Fn(char) -> bool) -> Result<Floors, Box<dyn std::error::Error>> {
    let rows: Vec<String> =
        FLOOR.iter().map(|row| row.chars().map(|mark| if is_free(mark) { '.' } else { '@' }).collect()).collect();
    let grids = [0.0, 1.0, 2.0].map(|floor| Grid::from_ascii(&rows.join("\n"))?.at_height(floor * HEIGHT));
    Ok(Floors::new(grids.into_iter().collect::<Result<Vec<_>, _>>()?)?)
}

/// The floors with their stairs and the lift.
fn house() -> Result<Linked<Floors>, Box<dyn std::error::Error>> {
    let floors = floors(|mark| mark == '.')?;
    let at = |floor, x| floors.node(floor, x, 7).expect("in the house");
    // Four on each flight of stairs, one behind the other; the stairs on the left lead up, the stairs on the right lead
    // down.
    let stairs = |from, to| Link::new(from, to, 7500, 7.5).places(4);
    // The lift is faster than stairs. It holds the cells before its doors for as long as a unit rides, so no other unit
    // can call it.
    let lift = |from, to| Link::new(at(from, 8), at(to, 8), 4000, 4.0).both_ways().jumps();
    let links = vec![
        stairs(at(0, 1), at(1, 6)),
        stairs(at(1, 1), at(2, 6)),
        stairs(at(1, 15), at(0, 10)),
        stairs(at(2, 15), at(1, 10)),
        lift(0, 1),
        lift(1, 2),
        lift(0, 2),
    ];
    Ok(Linked::new(floors, links)?)
}

/// The corners of a cell.
fn square([x, y, _]: [f32; 3]) -> Vec<[f32; 2]> {
    [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[across, down]| [x + across, y + down]).to_vec()
}
