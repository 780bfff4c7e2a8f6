//! The raw results, as the benchmarks wrote them.

use std::collections::BTreeMap;

use super::Anything;

/// The lines of a file in `benches/results`: by line, the cells by the name of their column.
fn lines(name: &str) -> Result<Vec<BTreeMap<String, String>>, Anything> {
    let file = format!("{}/../benches/results/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).map_err(|why| format!("{file}: {why}"))?;
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let columns: Vec<String> = lines.next().ok_or("a file has a heading")?.collect();
    let line = |(cells, number): (Vec<String>, usize)| {
        if cells.len() == columns.len() {
            Ok(columns.iter().cloned().zip(cells).collect())
        } else {
            Err(format!("{file}:{number}: expected {} cells, found {}", columns.len(), cells.len()).into())
        }
    };
    lines.map(Iterator::collect).zip(2..).map(line).collect()
}

/// Medians of single-agent searches, in nanoseconds for all questions of a case.
pub(crate) struct SingleAgent {
    /// By case, which is a map, a dash, and the number of neighbours; then by contender.
    pub(crate) cases: BTreeMap<String, BTreeMap<String, f64>>,
}

impl SingleAgent {
    pub(crate) fn read() -> Result<Self, Anything> {
        let mut cases: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        for line in lines("single_agent")? {
            let sums = cases.entry(line["case"].clone()).or_default();
            *sums.entry(line["contender"].clone()).or_default() += line["median_ns"].parse::<f64>()?;
        }
        Ok(Self { cases })
    }
}

/// What was measured of one contender.
pub(crate) struct Row {
    part: String,
    pub(crate) world: String,
    pub(crate) contender: String,
    numbers: BTreeMap<String, String>,
}

impl Row {
    /// A number of the row.
    pub(crate) fn number(&self, column: &str) -> Result<f64, Anything> {
        let text = self.numbers.get(column).ok_or_else(|| format!("there is no column {column}"))?;
        text.parse().map_err(|_| format!("{} {} {}: no {column}", self.part, self.world, self.contender).into())
    }

    /// The number that stands in `column`, as it is written there.
    pub(crate) fn text(&self, column: &str) -> &str {
        self.numbers.get(column).map_or("", String::as_str)
    }

    /// The median time for each of what was counted, in nanoseconds.
    pub(crate) fn each(&self) -> Result<f64, Anything> {
        Ok(self.number("median_ns")? / self.number("count")?)
    }
}

/// The other results, in the order in which they were measured.
pub(crate) struct Results {
    rows: Vec<Row>,
}

impl Results {
    pub(crate) fn read() -> Result<Self, Anything> {
        let row = |mut line: BTreeMap<String, String>| {
            let mut cell = |column: &str| line.remove(column).ok_or_else(|| format!("there is no column {column}"));
            let [part, world, contender] = [cell("part")?, cell("world")?, cell("contender")?];
            Ok(Row { part, world, contender, numbers: line })
        };
        Ok(Self { rows: lines("performance")?.into_iter().map(row).collect::<Result<_, Anything>>()? })
    }

    /// The rows of a part.
    pub(crate) fn part<'a>(&'a self, part: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.part == part)
    }
}
