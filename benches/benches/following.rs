//! What does it take to follow a unit that moves at random, and how far behind is the follower? `Crowd::follow` beside a
//! new order for each step of the target. Counts, not times.
//!
//! `cargo bench --bench following -- MAP` measures the maps whose names contain MAP.

use giveway::strategies::Follow;
use giveway_benches::following::{Chase, How, Target, chase};
use giveway_benches::{Table, benchmark};

const TICKS: u32 = 1000;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

fn main() {
    let mut table = Table::begin(&["map", "target", "order", "expanded", "% of an order per step", "steps behind"]);
    let mut raw = "map,target,order,expanded,behind\n".to_owned();
    for map in ["lak303d", "den312d", "maze-32-32-4"] {
        let Some(benchmark) = benchmark(map, 1) else { continue };
        for target in [Target::Travels, Target::Wanders, Target::Staggers] {
            let sum = |how: How| {
                let mut sum = Chase::default();
                SEEDS.for_each(|seed| sum += chase(&benchmark.grid, target, how, TICKS, seed));
                sum
            };
            let alone = sum(How::Alone).expanded;
            let follow = Follow::new();
            let orders = [
                ("per step", How::EachStep),
                ("follow", How::Follows(follow)),
                ("trailing", How::Follows(follow.trailing())),
                ("within 3", How::Follows(follow.within(3.0))),
            ];
            let mut each = 1;
            for (name, how) in orders {
                let Chase { expanded, behind } = sum(how);
                // What the target expands on its own differs a little, since the two meet.
                let own = expanded.saturating_sub(alone);
                if how == How::EachStep {
                    each = own.max(1);
                }
                let ticks = f64::from(TICKS) * SEEDS.count() as f64;
                let percent = format!("{:.1}", own as f64 * 100.0 / each as f64);
                let mean = format!("{:.2}", behind as f64 / ticks);
                table.row(&[&map, &format!("{target:?}"), &name, &own, &percent, &mean]);
                use std::fmt::Write as _;
                // Writing to a string does not fail.
                let _ = writeln!(raw, "{map},{target:?},{name},{own},{behind}");
            }
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "following", &raw);
}
