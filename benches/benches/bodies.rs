//! What does a body cost? Nanoseconds per expansion of HCA*, distances known, for points, for bodies of one cell, and for larger
//! ones, on one open map with the same starts and goals.

use std::hint::black_box;

use giveway::spaces::{Body, BodyFootprint, Clearance, Connectivity, Grid, Ground};
use giveway::{Agent, Instance, Point};
use giveway_benches::worlds::random;
use giveway_benches::{Contender, Table, WarmHca, interleave, warm_hca};
use rand::seq::SliceRandom;

const SIDE: u32 = 96;
const AGENTS: usize = 120;
const REPETITIONS: usize = 21;

fn main() {
    let mut table = Table::begin(&["neighbours", "unit", "expansions", "ns/expansion", "times a point's"]);
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        measure(&mut table, connectivity);
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "bodies");
}

/// Starts and goals on every fourth row and column, so that units of three cells have room.
fn agents(grid: &Grid) -> Vec<Agent> {
    let mut random = random(7);
    let mut spots = || {
        let inner = (2..SIDE - 3).step_by(4);
        let mut spots: Vec<_> = inner.clone().flat_map(|y| inner.clone().map(move |x| (x, y))).collect();
        spots.shuffle(&mut random);
        spots.into_iter().map(|(x, y)| grid.node(x, y).expect("on the map"))
    };
    spots().zip(spots()).take(AGENTS).map(|(start, goal)| Agent::new(start, goal)).collect()
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn measure(table: &mut Table, connectivity: Connectivity) {
    let grid = Grid::open(SIDE, SIDE).expect("small").with_connectivity(connectivity);
    let agents = agents(&grid);
    let ground = Ground::of(&grid);
    let square = |cells| Body::square(cells).expect("small");
    let units = [
        ("disc of 0.5", Body::disc(0.5).expect("small")),
        ("1 x 1", square(1)),
        ("2 x 2", square(2)),
        ("3 x 3", square(3)),
    ];
    let ticks = Body::common_ticks(&[square(1)], &grid).expect("one speed");
    let classes: Vec<(Clearance, BodyFootprint)> =
        units.iter().map(|(_, body)| body.on(&grid, ground, ticks).expect("it fits")).collect();
    let instances: Vec<Instance<'_, Clearance, BodyFootprint>> = classes
        .iter()
        .map(|(space, footprint)| Instance::new(space, footprint, agents.clone()).expect("all have room"))
        .collect();
    // A point of the same speed, by the same rule.
    let point = Point::timed(&grid, ticks);
    let by_point = Instance::new(&grid, &point, agents).expect("all have room");

    let mut for_point = warm_hca();
    let mut for_bodies: Vec<WarmHca<Clearance>> = instances.iter().map(|_| warm_hca()).collect();
    let mut expansions = vec![for_point.solve(&by_point, &mut ()).expansions];
    for (strategy, instance) in for_bodies.iter_mut().zip(&instances) {
        expansions.push(strategy.solve(instance, &mut ()).expansions);
    }
    let mut works: Vec<Box<dyn FnMut(usize) + '_>> =
        vec![Box::new(|_| drop(black_box(for_point.solve(&by_point, &mut ()))))];
    for (strategy, instance) in for_bodies.iter_mut().zip(&instances) {
        works.push(Box::new(move |_| drop(black_box(strategy.solve(instance, &mut ())))));
    }
    let names: Vec<&str> = std::iter::once("point").chain(units.iter().map(|(name, _)| *name)).collect();
    let mut contenders: Vec<Contender<'_>> =
        names.iter().zip(&mut works).map(|(name, work)| Contender { name, work: &mut **work }).collect();
    let times = interleave(REPETITIONS, 1, &mut contenders);
    let per_expansion: Vec<f64> =
        times.iter().zip(&expansions).map(|(times, count)| times.least() / *count as f64).collect();
    let neighbours = if connectivity == Connectivity::Four { 4 } else { 8 };
    for (index, name) in names.iter().enumerate() {
        table.row(&[
            &neighbours,
            name,
            &expansions[index],
            &format_args!("{:.0}", per_expansion[index]),
            &format_args!("{:.2}", per_expansion[index] / per_expansion[0]),
        ]);
    }
    table.keep(&format!("open-96-{AGENTS}-{neighbours}"), &times);
}
