//! The chapter: its sentences and its tables.

use std::fmt::Write as _;

use super::Anything;
use super::results::{Results, Row, SingleAgent};

pub(crate) fn written(single_agent: &SingleAgent, results: &Results) -> Result<String, Anything> {
    let machine = results.part("machine").next().ok_or("the machine is named")?;
    let parts = [
        introduction(machine),
        searches(single_agent)?,
        stores(results)?,
        bodies(results)?,
        reverse(results)?,
        solves(results)?,
        crowds(results)?,
        MEASURED.to_owned(),
    ];
    Ok(parts.join("\n"))
}

fn introduction(machine: &Row) -> String {
    let (machine, load) = (&machine.world, &machine.contender);
    format!(
        "<!-- Written by `GIVEWAY_UPDATE=1 cargo test -p giveway-book --test performance` from `benches/results`. Do not edit. -->\n\
         # Performance\n\
         \n\
         This chapter says what the parts of the library cost. One command writes it from the raw results in `benches/results`; see\n\
         [How it was measured](#how-it-was-measured).\n\
         \n\
         - The machine: {machine}.\n\
         - The load average when the measurement ended: {load}. The measurement itself runs one thread. More load is other work of the machine, which makes\n  \
         times longer. Ratios suffer less, because contenders take turns.\n\
         - All times are medians of 5 to 21 repetitions.\n\
         - The benchmarks are built as the command line is, with `lto = true` and `codegen-units = 1` in the profile. A game with Cargo's own settings gets 2 to 12 % less speed.\n"
    )
}

/// A heading, sentences, and a table with its first row.
fn section(heading: &str, sentences: &str, columns: &[&str]) -> String {
    let columns = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    format!("## {heading}\n\n{sentences}\n\n{columns}")
}

fn searches(single_agent: &SingleAgent) -> Result<String, Anything> {
    let mut out = section(
        "One agent",
        "Each search answers the first 100 questions of a scenario (32 on empty-8-8) by A\\* with the same estimate. *Reused* is one search object for all\n\
         questions; *fresh* is a new one for each. Columns with a stroke say how many times as long the crates `pathfinding` and `petgraph` take.",
        &[
            "map",
            "neighbours",
            "reused, µs",
            "pathfinding / reused",
            "petgraph / reused",
            "pathfinding / fresh",
            "petgraph / fresh",
        ],
    );
    let mut products = [1.0; 4];
    for (case, times) in &single_agent.cases {
        let (map, neighbours) = case.rsplit_once('-').ok_or_else(|| format!("{case} has no number of neighbours"))?;
        let time = |name: &str| times.get(name).copied().ok_or_else(|| format!("{case} has no {name}"));
        let (reused, fresh) = (time("ours_reused")?, time("ours_fresh")?);
        let (pathfinding, petgraph) = (time("pathfinding")?, time("petgraph")?);
        let ratios = [pathfinding / reused, petgraph / reused, pathfinding / fresh, petgraph / fresh];
        products.iter_mut().zip(ratios).for_each(|(product, ratio)| *product *= ratio);
        let [a, b, c, d] = ratios;
        writeln!(out, "| {map} | {neighbours} | {:.0} | {a:.2} | {b:.2} | {c:.2} | {d:.2} |", reused / 1e3)?;
    }
    let count = u32::try_from(single_agent.cases.len())?;
    let [a, b, c, d] = products.map(|product| product.powf(1.0 / f64::from(count)));
    writeln!(out, "| **geometric mean** | | | **{a:.2}** | **{b:.2}** | **{c:.2}** | **{d:.2}** |")?;
    Ok(out)
}

fn stores(results: &Results) -> Result<String, Anything> {
    let mut out = section(
        "Expansions by reservation store",
        "The table has nanoseconds per expansion of the space-time search: HCA\\* in one round, for points with 4 neighbours, with all distances known. All\n\
         stores give equal plans, so they expand equally many states. The columns are `SparseTable`, `WindowTable` and `IntervalTable`.",
        &["map", "agents", "expansions", "sparse", "window", "interval"],
    );
    let rows: Vec<&Row> = results.part("stores").collect();
    for of_map in rows.chunk_by(|a, b| a.world == b.world) {
        let time = |store: &str| {
            let row = of_map.iter().find(|row| row.contender == store);
            row.ok_or_else(|| format!("there is no {store}"))?.each()
        };
        writeln!(
            out,
            "| {} | {} | {} | {:.0} | {:.0} | {:.0} |",
            of_map[0].world,
            of_map[0].text("agents"),
            of_map[0].text("count"),
            time("SparseTable")?,
            time("WindowTable")?,
            time("IntervalTable")?
        )?;
    }
    Ok(out)
}

fn bodies(results: &Results) -> Result<String, Anything> {
    let mut out = section(
        "Expansions by body",
        "The same search runs for 120 units on an open grid of 96 x 96 cells, with equal starts and goals for all bodies. Larger bodies meet more cells with\n\
         each move. They also expand more states, because they are in each other's way more often. [Bodies and speeds](bodies.md#what-it-costs) says more.",
        &["neighbours", "body", "expansions", "ns per expansion", "times a point's"],
    );
    let mut of_point = None;
    for row in results.part("bodies") {
        let each = row.each()?;
        if row.contender == "point" {
            of_point = Some(each);
        }
        let (neighbours, count) = (row.text("neighbours"), row.text("count"));
        let times = each / of_point.ok_or("a point comes first")?;
        writeln!(out, "| {neighbours} | {} | {count} | {each:.0} | {times:.2} |", row.contender)?;
    }
    Ok(out)
}

fn reverse(results: &Results) -> Result<String, Anything> {
    let mut out = section(
        "Reverse searches",
        "A distance table is made for each of 10 goals, from the goal to all nodes that it can be reached from. A grid with 4 neighbours is searched in tiles of\n\
         8 x 8 cells, and a petgraph graph (`GraphSpace`) of the same map by lists. With 8 neighbours costs differ, and the search is Dijkstra's. The *plain\n\
         table* is a breadth-first search of the benchmark itself, which knows no other spaces and cannot pause.\n\
         The bytes that walls take are shared out among the nodes.",
        &["map", "space", "neighbours", "nodes per table", "ns per node", "bytes per node"],
    );
    for row in results.part("reverse") {
        let (nodes, goals) = (row.number("count")?, row.number("agents")?);
        writeln!(
            out,
            "| {} | {} | {} | {:.0} | {:.1} | {:.1} |",
            row.world,
            row.contender,
            row.text("neighbours"),
            nodes / goals,
            row.each()?,
            row.number("bytes")? / nodes
        )?;
    }
    Ok(out)
}

fn solves(results: &Results) -> Result<String, Anything> {
    let mut out = section(
        "Whole solves",
        "Planning is measured as in the first call of a program, so it includes all distances. **T** is the time of one plain breadth-first table per agent: a\n\
         loop in safe Rust, which fills 16 bits for each cell of the map with the distance to the agent's goal, with 4 neighbours. T is measured in the same\n\
         sitting. The graph is the same map as a petgraph graph. The bound is the sum of costs if each agent were alone.",
        &["map", "agents", "strategy", "T, ms", "planning, ms", "planning / T", "sum of costs / bound"],
    );
    let mut tables = None;
    for row in results.part("solves") {
        let time = row.number("median_ns")?;
        if row.contender == "T" {
            tables = Some(time);
            continue;
        }
        let tables = tables.ok_or("T comes first")?;
        let cost = match row.text("cost") {
            "" => "not solved".to_owned(),
            _ => format!("{:.3}", row.number("cost")? / row.number("bound")?),
        };
        writeln!(
            out,
            "| {} | {} | {} | {:.1} | {:.1} | {:.2} | {cost} |",
            row.world,
            row.text("agents"),
            row.contender.replace('*', "\\*"),
            tables / 1e6,
            time / 1e6,
            time / tables
        )?;
    }
    Ok(out)
}

fn crowds(results: &Results) -> Result<String, Anything> {
    let mut out = section(
        "Crowds",
        "A crowd with default settings is on an open grid of 256 x 256 cells. Units at rest have no order. Units under way go to places that are half a map\n\
         away in both directions, and none arrives meanwhile. Units under way plan in the first tick, and distances are searched there. The last column is the\n\
         mean of the 64 ticks after it.",
        &["units", "state", "first tick, µs per unit", "ns per unit and tick"],
    );
    for (first, later) in results.part("first ticks").zip(results.part("ticks")) {
        writeln!(
            out,
            "| {} | {} | {:.1} | {:.1} |",
            later.text("agents"),
            later.contender,
            first.each()? / 1e3,
            later.each()?
        )?;
    }
    Ok(out)
}

const MEASURED: &str = "\
## How it was measured

The first command measures, in some minutes. `GIVEWAY_DATA` is the full path of a directory with `movingai/maps` and `movingai/scens` of the
[Moving AI benchmark](https://movingai.com/benchmarks/mapf/index.html). Maps that are missing are named on standard error, and their rows are left out. The second
command writes this chapter. A test compares the chapter with the results that are checked in.

```sh
GIVEWAY_DATA=/path/to/data cargo bench -p giveway-benches --bench single_agent --bench performance &&
    cp \"${CARGO_TARGET_DIR:-target}\"/tmp/{single_agent,performance}.csv benches/results/
GIVEWAY_UPDATE=1 cargo test -p giveway-book --test performance
```

The machine should have no other work. Contenders do each piece of work in turn, and each turn begins with another contender. Where
contenders must agree, their answers are compared before the clock starts. `benches/README.md` has more benchmarks.
";
