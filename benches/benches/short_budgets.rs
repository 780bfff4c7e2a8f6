//! What is left of a crowd if its budget is short? Orders carried out by crowds that get one goal after another, on
//! generated maps: with so much work for each unit and tick, by the default chain, by windows alone, and by steps alone.
//! Counts, not times.
//!
//! `cargo bench --bench short_budgets -- CROWD` measures the crowds whose names contain CROWD.

use std::fmt::Display;

use giveway::strategies::{Chain, Planner};
use giveway_benches::Table;
use giveway_benches::lifelong::{PLACES, Place};

const SEEDS: [u64; 3] = [1, 2, 3];

/// Units of work for each unit and tick, in tenths; 0: as many as they take.
const WORK: [u64; 7] = [10, 25, 50, 100, 200, 500, 0];

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let mut columns = vec!["crowd".to_owned(), "units".to_owned(), "planners".to_owned()];
    columns.extend(WORK.map(|work| if work == 0 { "no limit".to_owned() } else { (work as f64 / 10.0).to_string() }));
    let mut table = Table::begin(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let mut raw = "crowd,units,planners,seed,work_per_unit,arrivals,moves,postponed\n".to_owned();
    for place in PLACES {
        if wanted.as_ref().is_none_or(|wanted| place.name.contains(wanted.as_str())) {
            for (planners, chain) in chains() {
                measure(&place, &mut table, &mut raw, planners, &chain);
            }
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "short_budgets", &raw);
}

fn chains() -> [(&'static str, Chain); 3] {
    [
        ("default", Chain::default()),
        ("windows alone", Chain::new(Planner::Windowed)),
        ("steps alone", Chain::new(Planner::Step)),
    ]
}

/// A row for a crowd: the orders that it carries out in the mean.
fn measure(place: &Place, table: &mut Table, raw: &mut String, planners: &str, chain: &Chain) {
    let mut cells = Vec::new();
    for work in WORK {
        let mut arrivals = 0;
        for seed in SEEDS {
            let done = place.run(chain, seed, work);
            arrivals += done.arrivals;
            use std::fmt::Write as _;
            // Writing to a string does not fail.
            let _ = writeln!(
                raw,
                "\"{}\",{},{planners},{seed},{},{},{},{}",
                place.name,
                place.units,
                work as f64 / 10.0,
                done.arrivals,
                done.moves,
                done.postponed
            );
        }
        cells.push(arrivals / SEEDS.len() as u64);
    }
    let mut row: Vec<&dyn Display> = vec![&place.name, &place.units, &planners];
    row.extend(cells.iter().map(|cell| -> &dyn Display { cell }));
    table.row(&row);
}
