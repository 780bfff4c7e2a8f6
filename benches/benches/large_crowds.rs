//! What does a large crowd cost, by ways in two levels and by tables? Points get one goal after another on generated
//! maps with 15 % walls. Milliseconds of processor time, memory, and orders carried out. The pictures of the book show
//! medians of crowds with 4 neighbours: by the units on one map, and by the map with 1,000 units.
//!
//! `cargo bench --bench large_crowds -- SEED` takes another seed than 5. Tables of 10,000 units take 3.5 GB.

use std::fmt::Write as _;
use std::time::Duration;

use giveway::heuristic::{HeuristicSource, Hierarchy, TrueDistances, Zero};
use giveway::scenario::{Density, MapGenerator, MapKind};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Connectivity, Grid};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, Point};
use giveway_benches::worlds::{largest_part, random};
use giveway_benches::{Table, cpu_time};
use rand::seq::SliceRandom as _;

/// A crowd.
struct Case {
    /// The side of the map.
    side: u32,
    neighbours: Connectivity,
    units: usize,
    /// Whether it is run by tables, too.
    by_tables: bool,
}

/// The crowds: by the number of units, on a map of one size; by the size of the map; at one density.
fn cases() -> Vec<Case> {
    let four = |(side, units, by_tables)| Case { side, neighbours: Connectivity::Four, units, by_tables };
    let eight = |(side, units, by_tables)| Case { neighbours: Connectivity::Eight, ..four((side, units, by_tables)) };
    let by_units = [(512, 1000, true), (512, 2000, false), (512, 5000, true), (512, 10_000, true)];
    let by_side = [(256, 1000, false), (768, 1000, false), (1024, 1000, false), (1024, 10_000, false)];
    let by_density = [(162, 1000, false), (229, 2000, false), (362, 5000, false)];
    let at_four = by_units.into_iter().chain(by_side).chain(by_density).map(four);
    at_four.chain([(512, 1000, true), (512, 10_000, false)].map(eight)).collect()
}

/// Memory for tables.
const BYTES: usize = 16 << 30;

/// So many ticks are run, and the first ones are left out.
const TICKS: usize = 1500;
const LEFT_OUT: usize = 500;

fn main() {
    let seed = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(5);
    let mut table = Table::begin(&[
        "map",
        "neighbours",
        "units",
        "distances",
        "first tick, ms",
        "median, ms",
        "99th percentile, ms",
        "orders per tick",
        "kB of distances per unit",
    ]);
    let mut raw = "side,neighbours,units,distances,seed,first_ms,median_ms,p99_ms,orders,distance_bytes\n".to_owned();
    for Case { side, neighbours, units, by_tables } in cases() {
        let density = Density::new(0.15).expect("a share");
        let map = MapGenerator::new(MapKind::Random, side, side).density(density).seed(seed).generate();
        let grid = map.expect("a map").grid().expect("a grid").with_connectivity(neighbours);
        measure((&mut table, &mut raw), &grid, units, seed, "default", Hierarchy::new().with_positions());
        if by_tables {
            let tables = TrueDistances::<Grid, Zero>::tables().keep_at_most(BYTES);
            measure((&mut table, &mut raw), &grid, units, seed, "tables", tables);
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "large_crowds", &raw);
}

/// A row for a crowd.
fn measure<H>((table, raw): (&mut Table, &mut String), grid: &Grid, units: usize, seed: u64, name: &str, distances: H)
where
    H: HeuristicSource<Grid> + Clone + Send + Sync,
{
    let places = largest_part(grid);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::new(grid, Point::swap_rule(grid)).heuristics(distances);
    let class = crowd.add_class(class).expect("a class");
    let mut simulation = Simulation::new(crowd);
    let mut starts = places.clone();
    starts.shuffle(&mut random(seed));
    let places = Endpoints::from(places);
    for start in starts.into_iter().take(units) {
        let task = Task::Lifelong { places: places.clone(), seed };
        simulation.add(class, Agent::bystander(start), task).expect("room for all");
    }
    let mut times: Vec<Duration> = Vec::new();
    let mut orders = 0;
    for tick in 0..TICKS {
        let report = simulation.tick_by(|crowd| {
            let begin = cpu_time();
            let report = crowd.tick(Budget::unlimited());
            times.push(cpu_time() - begin);
            report
        });
        orders += if tick < LEFT_OUT { 0 } else { report.arrived.len() };
    }
    let bytes = simulation.crowd().distance_bytes();
    let first = times[0].as_secs_f64() * 1e3;
    let mut late: Vec<f64> = times[LEFT_OUT..].iter().map(|time| time.as_secs_f64() * 1e3).collect();
    late.sort_by(f64::total_cmp);
    let [median, most] = [late.len() / 2, late.len() * 99 / 100].map(|place| late[place]);
    let orders = orders as f64 / (TICKS - LEFT_OUT) as f64;
    let side = grid.width();
    let neighbours = if grid.connectivity() == Connectivity::Four { 4 } else { 8 };
    // Writing to a string does not fail.
    let _ =
        writeln!(raw, "{side},{neighbours},{units},{name},{seed},{first:.1},{median:.3},{most:.3},{orders:.2},{bytes}");
    table.row(&[
        &format_args!("{side} x {side}"),
        &neighbours,
        &units,
        &name,
        &format_args!("{first:.0}"),
        &format_args!("{median:.1}"),
        &format_args!("{most:.1}"),
        &format_args!("{orders:.1}"),
        &format_args!("{:.1}", bytes as f64 / units as f64 / 1e3),
    ]);
}
