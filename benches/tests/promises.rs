//! Promises of crowds: worlds with little room come to rest, short budgets carry out orders, and units that get orders
//! at one tick set out soon. `promises.csv` says how far they come by the defaults.
//!
//! A world in which fewer units come home fails, and so does a crowd that carries out fewer orders than [`LEAST`] of
//! what the table says, or of which fewer units come nearer than that. Better rows are printed. `cargo test --release -p
//! giveway-benches --test promises -- --ignored --nocapture` takes a quarter of an hour. With `GIVEWAY_UPDATE=1` it adds
//! rows to the table, and raises rows that got better.

#![allow(clippy::print_stdout, reason = "better rows are news")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use giveway::scenario::{MapFile, MapGenerator, MapKind};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Chain, Follow};
use giveway_benches::at_once::BURSTS;
use giveway_benches::crowded::{run, worlds};
use giveway_benches::discs::{GRANULARITIES, discs};
use giveway_benches::following::{Chase, How, Target, chase};
use giveway_benches::lifelong::PLACES;
use giveway_benches::river::{Crossed, LARGE, SMALL};
use giveway_benches::worlds::random;

/// In percent.
const LEAST: u64 = 93;

/// Each world has so many seeds; these have more, as once only one in twenty of them stood.
const SEEDS: u64 = 5;
const MORE_SEEDS: ([&str; 3], u64) = (["door", "bridge", "vans"], 20);

/// Tenths of a unit of work for each unit and tick; 0: no limit.
const WORK: [u64; 4] = [25, 100, 500, 0];

/// Worlds with many bodies take minutes each.
const SLOW: [&str; 1] = ["480 discs"];

/// These worlds are also run with so much work for each unit and tick, in whole units.
const SHORT: [(&str, u64); 2] = [("mouth", 50), ("bridge", 200)];

/// No run takes so much processor time, so that the clock decides nothing.
const MOST_TIME: Duration = Duration::from_secs(600);

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/promises.csv")
}

/// By what is run, how far it comes: units at home, or orders carried out.
type Rows = BTreeMap<String, u64>;

fn promised() -> Rows {
    let text = std::fs::read_to_string(file()).expect("promises.csv");
    let row = |line: &str| {
        let (key, value) = line.rsplit_once(',').expect("two columns");
        (key.to_owned(), value.parse().expect("a number"))
    };
    text.lines().skip(1).map(row).collect()
}

/// The units at home in the worlds that are `wanted`, with so much work or without a limit.
fn homes(wanted: impl Fn(&str, Option<u64>) -> bool) -> Rows {
    let mut rows = Rows::new();
    for (name, world) in worlds() {
        let short = SHORT.into_iter().filter(|(short, _)| *short == name).map(|(_, work)| Some(work));
        for work in [None].into_iter().chain(short).filter(|work| wanted(name, *work)) {
            let at = work.map_or(String::new(), |work| format!(" at {work}"));
            let has_more = work.is_none() && MORE_SEEDS.0.contains(&name);
            for seed in 1..=if has_more { MORE_SEEDS.1 } else { SEEDS } {
                let outcome = run(world(&mut random(seed)), work, MOST_TIME);
                rows.insert(format!("home{at}: {}; {seed}", name.replace(',', "")), outcome.home as u64);
            }
        }
    }
    rows
}

fn orders(wanted: impl Fn(&str) -> bool) -> Rows {
    let mut rows = Rows::new();
    for place in PLACES.into_iter().filter(|place| wanted(place.name)) {
        for work in WORK {
            let done = place.run(&Chain::default(), 1, work);
            rows.insert(format!("orders: {}; {work}", place.name.replace(',', "")), done.arrivals);
        }
    }
    rows
}

/// The arrivals of discs on ground of unlike granularity, in 200 steps.
fn arrivals() -> Rows {
    let mut rows = Rows::new();
    for (name, granularity) in GRANULARITIES {
        for seed in 0..2 {
            rows.insert(format!("arrivals: {name}; {seed}"), discs(granularity, seed, 200).0.arrivals);
        }
    }
    rows
}

/// The units that come nearer within five and twenty ticks after orders to all at one tick.
fn bursts(seeds: std::ops::RangeInclusive<u64>, wanted: impl Fn(&str) -> bool) -> Rows {
    let mut rows = Rows::new();
    for burst in BURSTS.into_iter().filter(|burst| wanted(burst.name)) {
        for seed in seeds.clone() {
            let nearer = burst.run(seed, 20);
            for ticks in [5, 20] {
                rows.insert(format!("nearer in {ticks} ticks: {}; {seed}", burst.name), nearer[ticks - 1] as u64);
            }
        }
    }
    rows
}

/// Compares what is `now` with the table.
fn compare(now: &Rows) {
    let promised = promised();
    let mut broken = Vec::new();
    for (key, value) in now {
        let Some(before) = promised.get(key) else {
            broken.push(format!("{key} is not in the table; now {value}"));
            continue;
        };
        let least = if key.starts_with("home") { *before } else { before * LEAST / 100 };
        if *value < least {
            broken.push(format!("{key}: {value}, and was {before}"));
        } else if value != before {
            println!("{key}: {before} -> {value}");
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A follower in 1,000 ticks expands at most `percent` of what an order at each step of its target expands, and is at most
/// 10 % farther behind.
fn follows_for(grid: &Grid, target: Target, percent: u64, seeds: std::ops::RangeInclusive<u64>) {
    let sum = |how: How| {
        let mut sum = Chase::default();
        seeds.clone().for_each(|seed| sum += chase(grid, target, how, 1000, seed));
        sum
    };
    let alone = sum(How::Alone).expanded;
    let (each, follows) = (sum(How::EachStep), sum(How::Follows(Follow::new())));
    let [own, of_each] = [follows, each].map(|chase| chase.expanded.saturating_sub(alone));
    println!("{target:?}: {own} instead of {of_each}, {} instead of {} behind", follows.behind, each.behind);
    assert!(own * 100 <= of_each * percent, "{target:?}: {own} is more than {percent} % of {of_each}");
    assert!(follows.behind * 10 <= each.behind * 11, "{target:?}: {} instead of {}", follows.behind, each.behind);
}

/// A map of the Moving AI benchmark, with four neighbours.
fn map(data: &std::path::Path, name: &str) -> Grid {
    let file = MapFile::read(data.join(format!("movingai/maps/{name}.map"))).expect("a map");
    file.grid().expect("small enough")
}

#[test]
fn followers_expand_little_and_are_near() {
    let caves = MapGenerator::new(MapKind::Caves, 240, 240).seed(5).generate().expect("a map").grid().expect("small");
    follows_for(&caves, Target::Travels, 20, 1..=2);
    follows_for(&caves, Target::Wanders, 10, 1..=2);
    // On a small map it is near all the time.
    let small = map(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata"), "den312d");
    follows_for(&small, Target::Travels, 90, 1..=3);
    follows_for(&small, Target::Wanders, 35, 1..=3);
}

/// `GIVEWAY_DATA=.. cargo test --release -p giveway-benches --test promises large_map -- --ignored --nocapture`
#[test]
#[ignore = "needs the maps in GIVEWAY_DATA"]
fn followers_on_a_large_map_keep_their_promise() {
    let data = std::env::var_os("GIVEWAY_DATA").expect("GIVEWAY_DATA is set");
    let large = map(&PathBuf::from(data), "lak303d");
    for target in [Target::Travels, Target::Wanders, Target::Staggers] {
        follows_for(&large, target, 10, 1..=5);
    }
}

/// Units of unlike size and speed, wagons among them, that get one goal after another on both sides of a river with
/// two bridges. On the small map nobody stands, on the large one hardly anybody in the mean of a run, and orders are
/// carried out.
///
/// `cargo test --release -p giveway-benches --test promises river -- --ignored --nocapture` takes five minutes.
#[test]
#[ignore = "takes minutes"]
fn hardly_anybody_stands_at_a_river() {
    let rows = [("small", SMALL, (36, 300), 1..=6, (0.0, 145)), ("large", LARGE, (150, 600), 1..=1, (0.5, 365))];
    for (name, river, (units, steps), seeds, (most, least)) in rows {
        for seed in seeds {
            let Crossed { standing, longest, orders, .. } = river.cross(units, steps, seed, Budget::unlimited());
            println!("{name} river, seed {seed}: {standing:.3} stand, longest {longest}, orders {orders:?}");
            assert!(standing <= most, "{name} river, seed {seed}: {standing} stand for {longest} steps at most");
            assert!(orders.iter().sum::<usize>() >= least, "{name} river, seed {seed}: orders {orders:?}");
        }
    }
}

#[test]
fn small_worlds_keep_their_promises() {
    let mut rows = homes(|name, work| name.starts_with("points") || name == "mouth" && work.is_some());
    rows.extend(orders(|name| name == "rooms"));
    rows.extend(bursts(1..=1, |name| name == "caves"));
    compare(&rows);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn all_worlds_keep_their_promises() {
    let mut rows = homes(|name, _| !SLOW.contains(&name));
    rows.extend(orders(|_| true));
    rows.extend(arrivals());
    rows.extend(bursts(1..=3, |_| true));
    if std::env::var_os("GIVEWAY_UPDATE").is_some() {
        let before = promised();
        let best = |key: &str, value: u64| before.get(key).copied().unwrap_or(0).max(value);
        let lines: String = rows.iter().map(|(key, value)| format!("{key},{}\n", best(key, *value))).collect();
        return std::fs::write(file(), format!("promise,least\n{lines}")).expect("it can be written");
    }
    compare(&rows);
}
