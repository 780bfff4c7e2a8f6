//! Measurements, row by row.

use std::fmt::Write as _;

use giveway_benches::{Spread, Table};

const COLUMNS: [&str; 12] = [
    "part",
    "world",
    "agents",
    "neighbours",
    "contender",
    "count",
    "bytes",
    "cost",
    "bound",
    "least_ns",
    "median_ns",
    "most_ns",
];

/// The measurements of one contender. Fields that do not apply are left empty.
#[derive(Clone, Default, Debug)]
pub(crate) struct Row<'a> {
    /// The part of the chapter.
    pub(crate) part: &'a str,
    pub(crate) world: &'a str,
    /// For reverse searches, the agents to whose goals tables are made.
    pub(crate) agents: Option<usize>,
    pub(crate) neighbours: Option<u32>,
    pub(crate) contender: &'a str,
    /// The divisor of the time: expansions, nodes, or ticks of units.
    pub(crate) count: Option<u64>,
    pub(crate) bytes: Option<usize>,
    /// The sum of costs, if all agents have a path.
    pub(crate) cost: Option<u64>,
    /// The least sum of costs that is possible if no agent is in the way.
    pub(crate) bound: Option<u64>,
    pub(crate) time: Option<Spread>,
}

/// The table on standard output, and the lines of the file.
pub(crate) struct Record {
    table: Table,
    raw: String,
}

impl Record {
    pub(crate) fn begin() -> Self {
        Self { table: Table::begin(&COLUMNS), raw: COLUMNS.join(",") + "\n" }
    }

    pub(crate) fn keep(&mut self, row: &Row<'_>) {
        let nanoseconds = |of: fn(Spread) -> f64| row.time.map_or(String::new(), |time| format!("{:.0}", of(time)));
        let cells = [
            row.part.to_owned(),
            row.world.to_owned(),
            shown(row.agents),
            shown(row.neighbours),
            row.contender.to_owned(),
            shown(row.count),
            shown(row.bytes),
            shown(row.cost),
            shown(row.bound),
            nanoseconds(|time| time.least),
            nanoseconds(|time| time.median),
            nanoseconds(|time| time.most),
        ];
        assert!(cells.iter().all(|cell| !cell.contains(',')), "{cells:?}: a comma parts cells");
        self.table.row(&cells.each_ref().map(|cell| cell as &dyn std::fmt::Display));
        // Writing to a string does not fail.
        let _ = writeln!(self.raw, "{}", cells.join(","));
    }

    /// Ends with a row about the machine and its `load`, and writes the file.
    pub(crate) fn end(mut self, machine: &str, load: &str) {
        self.keep(&Row { part: "machine", world: machine, contender: load, ..Row::default() });
        self.table.write_raw(env!("CARGO_TARGET_TMPDIR"), "performance", &self.raw);
    }
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
