//! Errands stay carried out: `problem_promises.csv` says how many errands robots carry out in problems of the
//! competition, and in generated ones, by the program's defaults.
//!
//! A row fails if it makes more than [`TOLERANCE`] fewer errands than in the table, or fewer than `least`, whatever the
//! table says. A problem is a path below the folder `lorr` of `GIVEWAY_DATA`, or `kind-size-seed`: a map that `giveway
//! generate` makes, on which robots start and have errands where its agents start and have goals.
//!
//! `cargo test` runs the rows that are quick. With `GIVEWAY_DATA` this command runs all rows in a few minutes: `cargo
//! test --release -p giveway-cli --test tests all_problems -- --ignored --nocapture`. With `GIVEWAY_UPDATE=1` it raises
//! the rows that got better.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::command_line::folder::Folder;

/// The share of the errands in the table that a row may lose.
const TOLERANCE: f64 = 0.05;

/// How many steps of robots a row has at most that `cargo test` runs, where the program is built for tests.
const QUICK: u32 = 20_000;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Row {
    problem: String,
    robots: u32,
    turning: String,
    ticks: u32,
    budget: Option<u64>,
    least: u64,
    errands: u64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, robots, turning, ticks, budget, .. } = self;
        write!(f, "{problem}: {robots} robots, turning {turning}, {ticks} steps, budget {budget:?}")
    }
}

impl Row {
    fn is_generated(&self) -> bool {
        !self.problem.ends_with(".json")
    }

    /// How many errands the program makes now; the check of what the robots did must find no fault.
    fn run(&self, data: Option<&OsStr>) -> u64 {
        let folder = Folder::new("problem_promises");
        let (folder, problem) = if self.is_generated() {
            (generated(folder, self), PathBuf::from("problem.json"))
        } else {
            let data = data.expect("GIVEWAY_DATA is a folder with lorr/");
            (folder, Path::new(data).join("lorr").join(&self.problem))
        };
        let budget = self.budget.map_or(String::new(), |budget| format!(" --budget {budget}"));
        let (problem, turning, ticks) = (problem.display(), &self.turning, self.ticks);
        let command = format!("simulate --problem {problem} --turning {turning} --ticks {ticks}{budget} --json");
        let run = folder.run(&command);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{self}");
        run.json()["errands"].as_u64().unwrap()
    }

    /// Why `errands` break the promise, if they do.
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    fn broken(&self, errands: u64) -> Option<String> {
        let is_less = (errands as f64) < self.errands as f64 * (1.0 - TOLERANCE);
        (is_less || errands < self.least)
            .then(|| format!("{self}: {errands} errands; there were {}, and the least is {}", self.errands, self.least))
    }
}

/// The folder with `problem.json` in it, on a generated map.
fn generated(folder: Folder, row: &Row) -> Folder {
    let Row { problem, robots, .. } = row;
    let [kind, size, seed] = problem.split('-').collect::<Vec<_>>()[..] else { panic!("{problem}") };
    let files = "--map-out problem.map --scen-out problem.scen";
    let run = folder.run(&format!("generate {kind} --size {size} --agents {robots} --seed {seed} {files}"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let scenario = folder.read("problem.scen");
    // bucket, map, width, height, x and y of the start, and of the goal.
    let lines = scenario.lines().skip(1).map(|line| line.split('\t').skip(2).map(|part| part.parse().unwrap_or(0)));
    let lines: Vec<Vec<u32>> = lines.map(Iterator::collect).collect();
    let places = |column: usize| {
        let places: Vec<_> = lines.iter().map(|line| line[column] + line[0] * line[column + 1]).collect();
        places.iter().fold(format!("{}\n", places.len()), |text, place| format!("{text}{place}\n"))
    };
    let head = format!(
        "{{\"mapFile\":\"problem.map\",\"agentFile\":\"a.agents\",\"taskFile\":\"a.tasks\",\"teamSize\":{robots},\
         \"numTasksReveal\":1,\"taskAssignmentStrategy\":\"greedy\"}}"
    );
    // Ten times over: nobody is out of errands.
    let goals = places(4);
    let (_, list) = goals.split_once('\n').unwrap();
    let tasks = format!("{}\n{}", lines.len() * 10, list.repeat(10));
    folder.with("problem.json", head).with("a.agents", places(2)).with("a.tasks", tasks)
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problem_promises.csv")
}

fn rows() -> Vec<Row> {
    csv::Reader::from_path(table()).unwrap().deserialize().map(Result::unwrap).collect()
}

/// Runs the rows of the table that are `wanted`, and compares.
fn keep(wanted: impl Fn(&Row) -> bool) {
    let data = std::env::var_os("GIVEWAY_DATA");
    let mut rows = rows();
    let mut failures = Vec::new();
    let mut ran = 0;
    for row in rows.iter_mut().filter(|row| wanted(row)) {
        let errands = row.run(data.as_deref());
        println!("{row}: {} -> {errands} errands", row.errands);
        failures.extend(row.broken(errands));
        row.errands = row.errands.max(errands);
        ran += 1;
    }
    assert!(ran > 1, "the table has rows for this data");
    if std::env::var_os("GIVEWAY_UPDATE").is_some_and(|value| value == "1") {
        let mut writer = csv::Writer::from_path(table()).unwrap();
        rows.iter().for_each(|row| writer.serialize(row).unwrap());
        writer.flush().unwrap();
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn problems_on_generated_maps_keep_their_promises() {
    keep(|row| row.is_generated() && row.ticks * row.robots <= QUICK);
}

#[test]
#[ignore = "needs data"]
fn all_problems_keep_their_promises() {
    keep(|_| true);
}

#[test]
fn fewer_errands_break_a_promise() {
    let row = Row {
        problem: "a.json".to_owned(),
        robots: 3,
        turning: "yes".to_owned(),
        ticks: 10,
        budget: None,
        least: 90,
        errands: 100,
    };
    assert_eq!(row.broken(95), None);
    assert!(row.broken(94).is_some(), "more than a twentieth fewer");
    let row = Row { least: 98, ..row };
    assert!(row.broken(97).is_some(), "below the least");
}
