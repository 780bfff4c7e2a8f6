//! Buildings in a running world: each is placed where units may be about. A building that is in no unit's way stands at
//! once; otherwise the units inside are asked to leave, and it is built when the last one is out. Later all of them are
//! taken away. Writes a player and a moving picture in which buildings come and go.
//!
//! `cargo run -p giveway --example buildings`

use giveway::Agent;
use giveway::area::Area;
use giveway::check::BodyChecker;
use giveway::render::{AnimatedPicture, Backdrop, Player};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Grid, Ground};
use giveway::strategies::{Budget, Class, Crowd, CrowdError, CrowdSettings};

const WIDTH: u32 = 32;
const HEIGHT: u32 = 18;
/// At which step which building is placed: its cell at the top left, and its size in cells.
const BUILDINGS: [(u32, [u32; 4]); 5] =
    [(10, [14, 7, 4, 4]), (20, [6, 2, 5, 3]), (25, [21, 13, 6, 3]), (35, [22, 3, 3, 6]), (40, [7, 11, 4, 4])];
/// The step at which they are taken away.
const OPENED: u32 = 110;
const END: u32 = 150;

/// A building that has been placed, and the tick at which it stood.
struct Building {
    cells: [u32; 4],
    area: Area,
    stands: Option<u32>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::open(WIDTH, HEIGHT)?.with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid);
    let bodies = [(Body::disc(0.4)?, 12), (Body::square(2)?.speed(0.5)?, 4)];
    let ticks = CommonTicks::new().of(bodies.iter().map(|(body, _)| body), &grid).fewest()?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut units = Vec::new();
    for (body, count) in bodies {
        let (space, footprint) = body.on(&grid, ground, ticks)?;
        // Only classes that are editable follow when the world changes.
        let class = Class::new(space, footprint).editable().body(body.outline());
        units.push((crowd.add_class(class)?, count));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    for (number, (class, count)) in (0..).zip(units) {
        for unit in 0..count {
            // To and fro between the west and the east.
            let (x, y) = (2 * number, (HEIGHT - 1) * unit / count + 1);
            let ends = [(x, y), (WIDTH - 2 - x, HEIGHT - 1 - y)].map(|(x, y)| grid.node(x, y));
            let [Some(here), Some(there)] = ends else { return Err("on the map".into()) };
            simulation.add(class, Agent::bystander(here), Task::Patrol(vec![there, here]))?;
        }
    }

    let mut buildings: Vec<Building> = Vec::new();
    for now in 0..END * ticks {
        for (_, cells) in BUILDINGS.into_iter().filter(|(step, _)| step * ticks == now) {
            let [x, y, across, down] = cells;
            let area = Area::cells(x, y, across, down)?;
            let stands = match simulation.crowd_mut().close(&area) {
                Ok(_) => Some(now),
                // A unit is there: from now on no unit enters, and units inside leave.
                Err(CrowdError::Occupied { .. }) => {
                    println!(
                        "step {}: {} in the site at ({x}, {y}), asked to leave",
                        now / ticks,
                        simulation.crowd_mut().vacate(&area)?.len()
                    );
                    None
                }
                Err(error) => return Err(error.into()),
            };
            buildings.push(Building { cells, area, stands });
        }
        if now == OPENED * ticks {
            for building in &buildings {
                simulation.crowd_mut().open(&building.area)?;
            }
            println!("step {OPENED}: all buildings are taken away");
        }
        simulation.tick(Budget::unlimited());
        for building in buildings.iter_mut().filter(|_| now < OPENED * ticks) {
            let is_empty = simulation.crowd().inside(&building.area).is_empty();
            assert!(is_empty || building.stands.is_none(), "nobody enters a building");
            if is_empty && building.stands.is_none() {
                println!("step {}: the building at ({}, {}) stands", now / ticks, building.cells[0], building.cells[1]);
                building.stands = Some(now + 1);
            }
        }
    }
    let trace = simulation.trace().ok_or("it is recorded")?;
    assert_eq!(BodyChecker::new().check(&trace), [], "no two ever overlap");
    assert!(buildings.iter().all(|building| building.stands.is_some()), "all were built");
    println!("{} units, {} arrivals", trace.agents.len(), simulation.metrics().arrivals);

    let field = Backdrop::cells(WIDTH, HEIGHT, |x, y| grid.is_passable(x, y));
    let backdrop = buildings.iter().fold(field, |backdrop, building| {
        let stands = building.stands.unwrap_or(0)..OPENED * ticks;
        backdrop.with_walls_during(stands, [corners(building.cells)])
    });
    let folder = std::env::temp_dir();
    let page = Player::new(&trace, &backdrop).title("Buildings come and go");
    std::fs::write(folder.join("buildings.html"), page.to_string())?;
    std::fs::write(folder.join("buildings.svg"), AnimatedPicture::new(&trace, &backdrop).to_string())?;
    println!("{ticks} ticks to a step; written: {}, and a picture beside it", folder.join("buildings.html").display());
    Ok(())
}

/// The corners of a rectangle of cells.
#[allow(clippy::cast_precision_loss)] // small
fn corners([x, y, across, down]: [u32; 4]) -> [[f32; 2]; 4] {
    let [left, top] = [x, y].map(|side| side as f32 - 0.5);
    let (right, bottom) = (left + across as f32, top + down as f32);
    [[left, top], [right, top], [right, bottom], [left, bottom]]
}
