//! Who stands where bodies of unlike size and speed cross a river? Two bridges are five cells wide, so that two units of
//! three cells cannot pass each other. All units get one goal after another.
//!
//! `cargo bench --bench river -- UNITS STEPS FIRST LAST WORK` takes 150 UNITS, 400 STEPS, and the seeds from 1 to 3
//! unless it is told others. WORK is the work of a tick; without it there is no limit, and a run takes minutes.

use std::fmt::Write as _;

use giveway::strategies::Budget;
use giveway_benches::Table;
use giveway_benches::river::{Crossed, KINDS, LARGE};

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let (units, steps, first, last) = (next(150), next(400), next(1), next(3));
    let budget = arguments.next().map_or(Budget::unlimited(), Budget::work);
    let mut table = Table::begin(&[
        "seed",
        "units",
        "stand, mean",
        "longest, steps",
        "orders of each class",
        "median tick, ms",
        "99th percentile, ms",
    ]);
    let mut raw = "seed,units,steps,standing,longest,orders,median_ms,p99_ms\n".to_owned();
    for seed in first..=last {
        let Crossed { standing, longest, orders, mut times } = LARGE.cross(units, steps, seed, budget);
        times.sort_unstable();
        let [median, most] = [times.len() / 2, times.len() * 99 / 100]
            .map(|place| times.get(place).map_or(0.0, |t| t.as_secs_f64() * 1e3));
        let sum: usize = orders.iter().sum();
        // Writing to a string does not fail.
        let _ = writeln!(raw, "{seed},{units},{steps},{standing:.3},{longest},{sum},{median:.3},{most:.3}");
        let by_class: Vec<String> =
            KINDS.iter().zip(orders).map(|(kind, orders)| format!("{kind}: {orders}")).collect();
        table.row(&[
            &seed,
            &units,
            &format_args!("{standing:.2}"),
            &longest,
            &by_class.join(", "),
            &format_args!("{median:.1}"),
            &format_args!("{most:.1}"),
        ]);
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "river", &raw);
}
