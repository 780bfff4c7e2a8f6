//! Do all units come to rest where it is crowded, and how long does the slowest tick take? Worlds with little room, on
//! seeded starts and goals: a door one body wide, a bridge and a mouth with bodies of unlike size, fields full of discs
//! and of hexes, vans on roads, and points under each rule.
//!
//! `cargo bench --bench coming_to_rest -- WORLD FIRST LAST WORK` runs the worlds whose names contain WORLD, with the
//! seeds from FIRST to LAST, and so many units of WORK for each unit and tick; without WORK there is no limit.

#![allow(clippy::print_stdout, reason = "printing results is what benchmarks are for")]

use std::time::Duration;

use giveway_benches::Table;
use giveway_benches::crowded::{Outcome, run, worlds};
use giveway_benches::worlds::random;

const SEEDS: u64 = 20;

/// A run ends after so much processor time.
const MOST_TIME: Duration = Duration::from_secs(40);

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let wanted = arguments.next();
    let mut seed = |default| arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(default);
    let (first, last) = (seed(1), seed(SEEDS));
    let work = arguments.next().map(|work| work.parse().expect("WORK is a number"));
    let mut table =
        Table::begin(&["world", "units", "seeds", "at rest", "units home, %", "steps, mean", "slowest tick, ms"]);
    let mut raw = "world,seed,units,home,at_rest,steps,slowest_ms\n".to_owned();
    for (name, world) in worlds() {
        if wanted.as_ref().is_some_and(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let runs: Vec<Outcome> = (first..=last).map(|seed| run(world(&mut random(seed)), work, MOST_TIME)).collect();
        for (run, seed) in runs.iter().zip(first..) {
            use std::fmt::Write as _;
            // Writing to a string does not fail.
            let _ = writeln!(raw, "{name},{seed},{run}");
        }
        row(&mut table, name, &runs);
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "coming_to_rest", &raw);
}

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn row(table: &mut Table, name: &str, runs: &[Outcome]) {
    let sum = |of: fn(&Outcome) -> usize| runs.iter().map(of).sum::<usize>();
    let units = runs.iter().map(|run| run.units).max().unwrap_or(0);
    let at_rest = runs.iter().filter(|run| run.is_at_rest).count();
    let home = 100.0 * sum(|run| run.home) as f64 / sum(|run| run.units).max(1) as f64;
    let steps = sum(|run| run.steps as usize) as f64 / runs.len().max(1) as f64;
    let slowest = runs.iter().map(|run| run.slowest).max().unwrap_or_default();
    table.row(&[
        &name,
        &units,
        &runs.len(),
        &at_rest,
        &format!("{home:.1}"),
        &format!("{steps:.0}"),
        &format!("{:.0}", slowest.as_secs_f64() * 1e3),
    ]);
}
