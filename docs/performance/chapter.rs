//! The chapter: its sentences and its tables.

use std::fmt::Write as _;

use super::Anything;
use super::results::{Results, Row, SingleAgent};

pub(crate) fn written(single_agent: &SingleAgent, results: &Results) -> Result<String, Anything> {
    let machine = results.part("machine").next().ok_or("the machine is named")?;
    let parts = [
        introduction(machine),
        TUNING.to_owned(),
        searches(single_agent)?,
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
        "<!-- `GIVEWAY_UPDATE=1 cargo test -p giveway-book --test performance` writes this from `benches/results`. -->\n\
         # Performance\n\
         \n\
         This chapter says what the parts of the library cost, and what to do about it.\n\
         \n\
         - The machine: {machine}. The load average was\n  \
         {load}; other work makes times longer, and ratios suffer less. All times are medians of 5 to 21 repetitions.\n\
         - The benchmarks are built with `lto = true` and `codegen-units = 1` in the profile. A game with Cargo's own settings\n  \
         gets 2 to 12 % less speed, and [a debug build](crowd.md#debug-builds) far less.\n"
    )
}

const TUNING: &str = "\
## How to tune

- **Set a [budget](crowd.md#the-budget).** It bounds every tick. The sections below tell how long an expansion takes.
- **Give moves equal costs if you can.** Reverse searches are then ten times as fast, and take a tenth of the memory.
- **Share goals.** Units with equal goals share one reverse search. For goals of single units on a large map, take
  [`TrueDistances::aimed`](heuristics.md#which-one-for-which-world) or landmarks.
- **Shorten [windows](windows.md#how-far-and-how-often)** where there is room.
- **Choose [cells](bodies.md#granularity) about as large as the smallest body,** and
  [safe intervals](bodies.md#quanta-or-safe-intervals) for bodies that plan to their goals.
- **Keep search objects,** because their memory is used again.
";

/// A heading, sentences, and a table with its first row.
fn section(heading: &str, sentences: &str, columns: &[&str]) -> String {
    let columns = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    format!("## {heading}\n\n{}\n\n{columns}", wrapped(sentences))
}

/// The words of `text` in lines of at most 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < 120);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn searches(single_agent: &SingleAgent) -> Result<String, Anything> {
    let mut out = section(
        "One agent",
        "Each search answers the first questions of a scenario by A\\* with equal estimates, on ten maps with 4 and with 8 neighbours. *Reused* is one \
         search object for all questions; *fresh* is a new one for each. The table says how many times as long the crates `pathfinding` and `petgraph` take.",
        &["", "pathfinding / reused", "petgraph / reused", "pathfinding / fresh", "petgraph / fresh"],
    );
    let (mut least, mut most, mut products) = ([f64::INFINITY; 4], [0.0_f64; 4], [1.0; 4]);
    for (case, times) in &single_agent.cases {
        let time = |name: &str| times.get(name).copied().ok_or_else(|| format!("{case} has no {name}"));
        let (reused, fresh) = (time("ours_reused")?, time("ours_fresh")?);
        let (pathfinding, petgraph) = (time("pathfinding")?, time("petgraph")?);
        let ratios = [pathfinding / reused, petgraph / reused, pathfinding / fresh, petgraph / fresh];
        for (at, ratio) in ratios.into_iter().enumerate() {
            least[at] = least[at].min(ratio);
            most[at] = most[at].max(ratio);
            products[at] *= ratio;
        }
    }
    let count = u32::try_from(single_agent.cases.len())?;
    let mean = products.map(|product| product.powf(1.0 / f64::from(count)));
    for (name, [a, b, c, d]) in [("least", least), ("geometric mean", mean), ("most", most)] {
        writeln!(out, "| {name} | {a:.2} | {b:.2} | {c:.2} | {d:.2} |")?;
    }
    Ok(out)
}

fn bodies(results: &Results) -> Result<String, Anything> {
    let mut out = section(
        "Expansions by body",
        "Nanoseconds per expansion of HCA\\* in one round, with all distances known, for 120 units on an open grid of 96 x 96 cells, with equal starts and goals for all bodies. Larger bodies meet more cells with \
         each move, and expand more states, because they are in each other's way more often.",
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
        "A distance table is made for each of 10 goals. The petgraph graph (`GraphSpace`) is the map as a graph. With 8 neighbours costs differ. The *plain table* is \
         a breadth-first search of the benchmark itself, which knows no other spaces and cannot pause.",
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
        "Planning includes all distances. **T** is the time of one plain breadth-first table per agent: a loop in safe Rust, which fills 16 bits for each cell of \
         the map with 4 neighbours. The bound is the sum of costs if each agent were alone.",
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
        "A crowd with default settings on an open grid of 256 x 256 cells. Units at rest have no order. Units under way go to places that are half a map \
         away in both directions, and none arrives meanwhile. Distances are searched in the first tick. The last column is the mean of the 64 ticks after it.",
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

`benches/results/single_agent.csv` and `performance.csv` have the raw figures, and `benches/README.md` says how to make
them. This command writes this chapter, and a test compares it with the results that are checked in:

```sh
GIVEWAY_UPDATE=1 cargo test -p giveway-book --test performance
```
";
