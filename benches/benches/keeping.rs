//! What does it cost to keep a crowd: its hash at every tick, copies of it, to go back eight ticks, and to save it?
//! Points get one goal after another on a generated map of 512 x 512 cells with 15 % walls. Processor time, at the
//! median.

use std::time::Duration;

use allocation_counter::measure;
use giveway::scenario::{Density, MapGenerator, MapKind};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Rewind, Save};
use giveway::{Agent, Point};
use giveway_benches::worlds::{largest_part, random};
use giveway_benches::{Table, cpu_time};
use rand::seq::SliceRandom as _;

const SIDE: u32 = 512;
const SEED: u64 = 5;

/// So many ticks are run, and the first ones are left out.
const TICKS: usize = 600;
const LEFT_OUT: usize = 300;

/// A snapshot is taken once in so many ticks.
const SNAPSHOTS: usize = 10;

/// So many ticks are gone back, so many times.
const BACK: u32 = 8;
const ROUNDS: usize = 24;

/// So many saves are made, once in so many ticks.
const SAVES: usize = 5;

fn main() {
    let mut table = Table::begin(&[
        "units",
        "a tick, ms",
        "a hash, ms",
        "the first hash, ms",
        "a snapshot, ms",
        "bytes per unit",
        "eight ticks back, ms",
        "a save, ms",
        "a save, MB",
        "loading, ms",
    ]);
    let density = Density::new(0.15).expect("a share");
    let map = MapGenerator::new(MapKind::Random, SIDE, SIDE).density(density).seed(SEED).generate();
    let grid = map.expect("a map").grid().expect("a grid");
    for units in [1000, 10_000] {
        let places = largest_part(&grid);
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).expect("a class");
        let mut simulation = Simulation::new(crowd);
        let mut starts = places.clone();
        starts.shuffle(&mut random(SEED));
        let places = Endpoints::from(places);
        for start in starts.into_iter().take(units) {
            let task = Task::Lifelong { places: places.clone(), seed: SEED };
            simulation.add(class, Agent::bystander(start), task).expect("room for all");
        }
        let (mut ticks, mut hashes, mut snapshots) = (Vec::new(), Vec::new(), Vec::new());
        for tick in 0..TICKS {
            simulation.tick_by(|crowd| {
                let (report, time) = timed(|| crowd.tick(Budget::unlimited()));
                ticks.push(time);
                hashes.push(timed(|| crowd.state_hash()).1);
                if tick % SNAPSHOTS == 0 {
                    snapshots.push(timed(|| crowd.snapshot()).1);
                }
                report
            });
        }
        let mut kept = None;
        let bytes = measure(|| kept = Some(simulation.crowd().snapshot())).bytes_current;
        let mut empty = Crowd::new(CrowdSettings::new());
        empty.add_class(Class::new(&grid, Point::swap_rule(&grid))).expect("a class");
        let (mut saves, mut loads, mut size) = (Vec::new(), Vec::new(), 0);
        for _ in 0..SAVES {
            (0..SNAPSHOTS).for_each(|_| drop(simulation.tick(Budget::unlimited())));
            let (bytes, time) = timed(|| simulation.crowd().save().expect("a save").to_bytes());
            saves.push(time);
            size = bytes.len();
            let load = || empty.load(&Save::from_bytes(&bytes).expect("a save"));
            let (loaded, time) = timed(load);
            loaded.expect("of this world");
            loads.push(time);
            assert_eq!(empty.state_hash(), simulation.crowd_mut().state_hash());
        }
        let [save, load] = [&saves, &loads].map(|times| median(times));
        let mut crowd = Rewind::new(simulation.into_crowd(), BACK);
        let mut backs = Vec::new();
        for _ in 0..ROUNDS {
            (0..BACK + 1).for_each(|_| drop(crowd.tick(Budget::unlimited())));
            let tick = crowd.crowd().now() - BACK;
            backs.push(timed(|| crowd.go_back(tick)).1);
        }
        let back = median(&backs);
        let first = hashes[0].as_secs_f64() * 1e3;
        let [tick, hash, snapshot] =
            [&ticks[LEFT_OUT..], &hashes[LEFT_OUT..], &snapshots[LEFT_OUT / SNAPSHOTS..]].map(median);
        table.row(&[
            &units,
            &format_args!("{tick:.2}"),
            &format_args!("{hash:.3}"),
            &format_args!("{first:.1}"),
            &format_args!("{snapshot:.2}"),
            &format_args!("{}", bytes / units as i64),
            &format_args!("{back:.1}"),
            &format_args!("{save:.0}"),
            &format_args!("{:.2}", size as f64 / 1e6),
            &format_args!("{load:.0}"),
        ]);
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = cpu_time();
    let outcome = work();
    (outcome, cpu_time() - begin)
}

/// In milliseconds.
fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}
