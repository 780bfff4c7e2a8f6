//! Doors on several spaces: the cells of a grid, discs on a floor, and a graph of waypoints. A door closes, the units
//! behind it wait; it opens, and they go on. A door in which somebody stands does not close: `vacate` closes it behind
//! the last one.
//!
//! `cargo run -p giveway --example doors` prints:
//!
//! ```text
//! points on a grid: the door is closed, and the unit waits: true
//! points on a grid: the door was opened, and has closed behind the unit by step 27
//! discs on a grid: the door is closed, and the unit waits: true
//! discs on a grid: the door was opened, and has closed behind the unit by step 27
//! discs on waypoints: the door is closed, and the unit waits: true
//! discs on waypoints: the door was opened, and has closed behind the unit by step 29
//! ```

use std::sync::Arc;

use giveway::area::Area;
use giveway::spaces::{Body, CommonTicks, FnSpace, Grid, Ground};
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings, News, Stages};
use giveway::{Agent, NodeId, Point};

const WIDTH: u32 = 15;
const HEIGHT: u32 = 7;
/// Where the wall is, and the door in it.
const WALL: u32 = 7;
const DOOR: u32 = 3;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let grid = Grid::from_fn(WIDTH, HEIGHT, |x, y| x != WALL || y == DOOR)?;
    let ends = [grid.node(2, DOOR), grid.node(12, DOOR)].map(|node| node.expect("on the grid"));

    let mut crowd = Crowd::new(CrowdSettings::new());
    let points = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable())?;
    through_a_door("points on a grid", crowd, points, ends)?;

    let disc = Body::disc(0.4)?;
    let ticks = CommonTicks::new().of([&disc], &grid).fewest()?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::for_body(&disc, &grid, Ground::from_grid(&grid), ticks)?.editable();
    let discs = crowd.add_class(class)?;
    through_a_door("discs on a grid", crowd, discs, ends)?;

    // A chain of waypoints along the same way, two apart; one of them is in the door.
    let steps = (WIDTH - 3) / 2;
    let next = move |node: u32| [node.wrapping_sub(1), node + 1].into_iter().filter(move |to| *to <= steps);
    let path = FnSpace::new(steps + 1, move |node| next(node).map(|to| (to, 2000)))?;
    let path = Arc::new(path.with_positions(|node| [node as f32 * 2.0 + 1.0, DOOR as f32, 0.0])?);
    let ticks = CommonTicks::new().of([&disc], &path).fewest()?;
    let ground = Ground::new([-0.5, -0.5], [WIDTH as f32, HEIGHT as f32], 0.25)?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    let walkers = crowd.add_class(Class::for_body(&disc, &path, ground, ticks)?.editable())?;
    through_a_door("discs on waypoints", crowd, walkers, [NodeId(0), NodeId(steps)])
}

/// Sends a unit of `class` from one of `ends` to the other, through a door that is closed at first.
fn through_a_door(space: &str, mut crowd: Crowd<'_>, class: ClassId, ends: [NodeId; 2]) -> Outcome<()> {
    let door = Area::cells(WALL, DOOR, 1, 1)?;
    let budget = Budget::work(5000);
    let unit = crowd.add(class, Agent::bystander(ends[0]))?;
    let step = crowd.ticks_per_step();

    crowd.close(&door)?;
    crowd.queue(unit, Stages::from(ends[1]).waiting())?;
    let blocked = crowd.tick(budget).news.contains(&(unit, News::Blocked { stage: 0 }));
    println!("{space}: the door is closed, and the unit waits: {blocked}");

    crowd.open(&door)?;
    while crowd.inside(&door).is_empty() {
        crowd.tick(budget);
    }
    // It is in the door now.
    let refused = crowd.close(&door);
    assert!(matches!(refused, Err(CrowdError::Occupied { by, .. }) if by == unit), "{refused:?}");
    assert_eq!(crowd.vacate(&door)?, [unit]);
    while crowd.is_home(unit) != Some(true) || crowd.node(unit) != Some(ends[1]) {
        crowd.tick(budget);
    }
    // It has looked again 16 steps after the door was closed.
    println!("{space}: the door was opened, and has closed behind the unit by step {}", crowd.now() / step);

    // There is no way back.
    crowd.send(unit, ends[0])?;
    (0..3 * step).for_each(|_| drop(crowd.tick(budget)));
    assert_eq!((crowd.node(unit), crowd.is_bystander(unit)), (Some(ends[1]), Some(true)));
    Ok(())
}
