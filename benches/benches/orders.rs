//! What do orders cost that cannot be carried out as they are: many units to one place, and to places that cannot be
//! reached?

use std::time::Instant;

use giveway::spaces::Grid;
use giveway::strategies::{Class, ClassId, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, NodeId, Point};

const SIDE: u32 = 512;

fn main() {
    println!("| orders | units | ms, first | ms, again |\n|---|---:|---:|---:|");
    let open = Grid::open(SIDE, SIDE).expect("a grid");
    for units in [500, 2_000, 10_000] {
        measure("to one place", &open, units, |crowd, agent, _| drop(crowd.send(agent, at(&open, 400, 400))));
    }
    let lake = lake();
    for units in [500, 2_000, 10_000] {
        measure("near one island", &lake, units, |crowd, agent, _| drop(crowd.send_near(agent, at(&lake, 256, 256))));
    }
    measure("near cells of an island in turn", &lake, 500, |crowd, agent, index| {
        let (x, y) = (246 + index % 20, 246 + index / 20 % 20);
        drop(crowd.send_near(agent, at(&lake, x, y)));
    });
}

fn at(grid: &Grid, x: u32, y: u32) -> NodeId {
    grid.node(x, y).expect("on the grid")
}

/// An island of 21 x 21 cells in a lake of 41 x 41, in the middle of the map.
fn lake() -> Grid {
    let mut grid = Grid::open(SIDE, SIDE).expect("a grid");
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let away = x.abs_diff(256).max(y.abs_diff(256));
        grid.set_passable(x, y, away <= 10 || away > 20);
    }
    grid
}

/// Gives every unit its order, twice. Units stand on every 26th cell of the upper part of the map.
fn measure(name: &str, grid: &Grid, units: u32, order: impl Fn(&mut Crowd<'_>, AgentId, u32)) {
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class: ClassId = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).expect("a class");
    let agents: Vec<AgentId> = (0..units)
        .map(|index| crowd.add_near(class, Agent::bystander(NodeId(index * 26))).expect("a free place"))
        .collect();
    let mut round = || {
        let begin = Instant::now();
        (0..).zip(&agents).for_each(|(index, agent)| order(&mut crowd, *agent, index));
        begin.elapsed().as_secs_f64() * 1000.0
    };
    println!("| {name} | {units} | {:.1} | {:.1} |", round(), round());
}
