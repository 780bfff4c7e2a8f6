//! What does a body cost off the grid? Nanoseconds per expansion of HCA*, distances known, for a disc: on a grid; on
//! that grid as a graph like any other, with the same plans; and on scattered waypoints. And the memory of stamps, and
//! the time in which they are made.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use giveway::footprint::Motion;
use giveway::spaces::{
    Body, BodyFootprint, CommonTicks, Connectivity, Embedding, FnSpace, Granularity, GraphClearance, Grid, Ground,
    Positions,
};
use giveway::{Footprint, Instance, NodeId, SpaceGraph};
use giveway_benches::worlds::{agents_apart, random};
use giveway_benches::{Contender, Table, interleave, warm_hca};
use rand::Rng;

const SIDE: u32 = 96;
const AGENTS: usize = 120;
const REPETITIONS: usize = 21;

fn main() {
    let mut table = Table::begin(&[
        "neighbours",
        "ground cells",
        "space",
        "expansions",
        "ns/expansion",
        "times that on the grid",
        "kB of stamps",
        "bytes/move",
        "us/node to make",
    ]);
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        for granularity in [Granularity::Same, Granularity::Finer(2)] {
            measure(&mut table, connectivity, granularity);
        }
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "one_ground");
}

/// As many places as the grid has, each up to 0.3 from its cell, with as many neighbours; ways are as long as they are,
/// to an eighth.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers"
)]
fn waypoints(grid: &Grid) -> FnSpace<u32, Positions> {
    let mut random = random(11);
    let at: Vec<[f32; 2]> = (0..SIDE * SIDE)
        .map(|node| [node % SIDE, node / SIDE].map(|side| side as f32 + random.random_range(-0.3..0.3)))
        .collect();
    let length = |a: NodeId, b: NodeId| {
        let [a, b] = [a, b].map(|node| at[node.index()]);
        (((a[0] - b[0]).hypot(a[1] - b[1]) * 8.0).round() / 8.0).max(0.5)
    };
    let near =
        |node| grid.moves(NodeId(node)).map(|m| (m.to.0, (length(m.from, m.to) * 1000.0) as u32)).collect::<Vec<_>>();
    let space = FnSpace::new(SIDE * SIDE, near).expect("they exist").with_lengths(|m| length(m.from, m.to));
    let place = |node: u32| [at[node as usize][0], at[node as usize][1], 0.0];
    space.expect("finite").with_positions(place).expect("finite")
}

/// The bytes of all stamps, the moves, and the microseconds per node in which they were made.
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn make_all<S: Embedding>(space: &GraphClearance<S>, footprint: &BodyFootprint) -> [f64; 3] {
    let begin = Instant::now();
    let (mut nodes, mut moves) = (0, 0);
    for m in (0..SIDE * SIDE).flat_map(|node| space.moves(NodeId(node))) {
        let _ = footprint.sweep(space, &Motion::Move(m), 0, &mut |entry| {
            black_box(entry);
            std::ops::ControlFlow::Continue(())
        });
        moves += 1;
    }
    nodes += SIDE * SIDE;
    [footprint.stamp_bytes() as f64, f64::from(moves), begin.elapsed().as_secs_f64() * 1e6 / f64::from(nodes)]
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn measure(table: &mut Table, connectivity: Connectivity, granularity: Granularity) {
    let grid = Grid::open(SIDE, SIDE).expect("small").with_connectivity(connectivity);
    let body = Body::disc(0.4).expect("small");
    let ground = Ground::from_grid(&grid).granularity(granularity);
    let cell = if granularity == Granularity::Same { 1.0 } else { 0.5 };
    let scattered = Arc::new(waypoints(&grid));
    let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
    let (on_grid, by_offset) = body.on(&grid, ground, ticks).expect("it fits");
    let (as_graph, by_move) = body.on(&Arc::new(grid.clone()), ground, ticks).expect("it fits");
    let finer = CommonTicks::new().of([&body], &scattered).fewest().expect("eighths");
    let (on_waypoints, by_course) = body.on(&scattered, ground, finer).expect("it fits");
    let made = [
        [by_offset.stamp_bytes() as f64, if connectivity == Connectivity::Four { 4.0 } else { 8.0 }, 0.0],
        make_all(&as_graph, &by_move),
        make_all(&on_waypoints, &by_course),
    ];

    let one = Instance::new(&on_grid, &by_offset, agents_apart(SIDE, AGENTS)).expect("all have room");
    let two = Instance::new(&as_graph, &by_move, agents_apart(SIDE, AGENTS)).expect("all have room");
    let three = Instance::new(&on_waypoints, &by_course, agents_apart(SIDE, AGENTS)).expect("all have room");
    let (mut for_one, mut for_two, mut for_three) = (warm_hca(), warm_hca(), warm_hca());
    let solved = for_one.solve(&one);
    let again = for_two.solve(&two);
    assert_eq!(solved.plan.sum_of_costs(), again.plan.sum_of_costs(), "the same plans");
    let expansions = [solved.expansions, again.expansions, for_three.solve(&three).expansions];
    let mut contenders = [
        Contender { name: "grid", work: &mut |_| drop(black_box(for_one.solve(&one))) },
        Contender { name: "the grid as a graph", work: &mut |_| drop(black_box(for_two.solve(&two))) },
        Contender { name: "waypoints", work: &mut |_| drop(black_box(for_three.solve(&three))) },
    ];
    let names = ["grid", "the grid as a graph", "waypoints"];
    let times = interleave(REPETITIONS, 1, &mut contenders);
    let per_expansion: Vec<f64> =
        times.iter().zip(expansions).map(|(times, count)| times.least() / count as f64).collect();
    let neighbours = if connectivity == Connectivity::Four { 4 } else { 8 };
    for (index, name) in names.iter().enumerate() {
        let [bytes, moves, micros] = made[index];
        table.row(&[
            &neighbours,
            &cell,
            name,
            &expansions[index],
            &format_args!("{:.0}", per_expansion[index]),
            &format_args!("{:.2}", per_expansion[index] / per_expansion[0]),
            &format_args!("{:.1}", bytes / 1000.0),
            &format_args!("{:.0}", bytes / moves),
            &format_args!("{micros:.1}"),
        ]);
    }
    table.keep(&format!("open-96-{AGENTS}-{neighbours}-{cell}"), &times);
}
