//! What does a body cost? Nanoseconds per expansion of HCA*, distances known, for points, for bodies of one cell, and
//! for larger ones, on one open map with the same starts and goals. And what do finer reservation cells gain, and cost?
//! Counts.

use std::fmt::Write as _;
use std::hint::black_box;

use giveway::sim::Metrics;
use giveway::spaces::{Body, BodyFootprint, Clearance, CommonTicks, Connectivity, Grid, Ground};
use giveway::{Instance, Point};
use giveway_benches::discs::{GRANULARITIES, discs};
use giveway_benches::worlds::agents_apart;
use giveway_benches::{Contender, Table, WarmHca, interleave, warm_hca};

const SIDE: u32 = 96;
const AGENTS: usize = 120;
const REPETITIONS: usize = 21;

fn main() {
    // `cargo bench --bench bodies -- granularity` for the second table alone.
    if std::env::args().any(|argument| argument == "granularity") {
        return granularity();
    }
    let mut table =
        Table::begin(&["neighbours", "unit", "expansions", "ns/expansion", "times a point's", "times that of 1 x 1"]);
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        measure(&mut table, connectivity);
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "bodies");
    granularity();
}

/// Discs of different sizes with one goal after the other, on ground of different granularity.
fn granularity() {
    const SEEDS: u32 = 10;
    const STEPS: u32 = 200;
    let mut table = Table::begin(&["reservation cells", "arrivals", "entries/move", "moves"]);
    let mut raw = "cells,seed,arrivals,entries_per_move,moves,work\n".to_owned();
    for (name, granularity) in GRANULARITIES {
        let (mut arrivals, mut moves, mut entries) = (0, 0, 0.0);
        for seed in 0..SEEDS {
            let (metrics, per_move) = discs(granularity, seed.into(), STEPS);
            let Metrics { arrivals: done, path_length, work, .. } = metrics;
            let _ = writeln!(raw, "{name},{seed},{done},{per_move:.1},{path_length},{work}");
            (arrivals, moves) = (arrivals + done, moves + path_length);
            entries += per_move;
        }
        table.row(&[&name, &arrivals, &format_args!("{:.1}", entries / f64::from(SEEDS)), &moves]);
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "granularity", &raw);
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn measure(table: &mut Table, connectivity: Connectivity) {
    let grid = Grid::open(SIDE, SIDE).expect("small").with_connectivity(connectivity);
    let agents = agents_apart(SIDE, AGENTS);
    let ground = Ground::from_grid(&grid);
    let square = |cells| Body::square(cells).expect("small");
    let units = [
        ("disc of 0.5", Body::disc(0.5).expect("small")),
        ("1 x 1", square(1)),
        ("2 x 2", square(2)),
        ("3 x 3", square(3)),
    ];
    let ticks = CommonTicks::new().of([&square(1)], &grid).fewest().expect("one speed");
    let classes: Vec<(Clearance, BodyFootprint)> =
        units.iter().map(|(_, body)| body.on(&grid, ground, ticks).expect("it fits")).collect();
    let instances: Vec<Instance<'_, Clearance, BodyFootprint>> = classes
        .iter()
        .map(|(space, footprint)| Instance::new(space, footprint, agents.clone()).expect("all have room"))
        .collect();
    // A point of the same speed, by the same rule.
    let point = Point::timed(&grid, ticks).unwrap();
    let by_point = Instance::new(&grid, &point, agents).expect("all have room");

    let mut for_point = warm_hca();
    let mut for_bodies: Vec<WarmHca<Clearance>> = instances.iter().map(|_| warm_hca()).collect();
    let mut expansions = vec![for_point.solve(&by_point).expansions];
    for (strategy, instance) in for_bodies.iter_mut().zip(&instances) {
        expansions.push(strategy.solve(instance).expansions);
    }
    let mut works: Vec<Box<dyn FnMut(usize) + '_>> = vec![Box::new(|_| drop(black_box(for_point.solve(&by_point))))];
    for (strategy, instance) in for_bodies.iter_mut().zip(&instances) {
        works.push(Box::new(move |_| drop(black_box(strategy.solve(instance)))));
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
            // The square of one cell comes after the point and the disc.
            &format_args!("{:.2}", per_expansion[index] / per_expansion[2]),
        ]);
    }
    table.keep(&format!("open-96-{AGENTS}-{neighbours}"), &times);
}
