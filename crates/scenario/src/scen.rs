//! Scenarios: the `.scen` format of the Moving AI benchmarks.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use giveway_core::{Agent, NodeId};
use giveway_spaces::Grid;

use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::kind::FileKind;
use crate::lines::{Line, Lines, quoted};
use crate::moved_goal::{MovedGoal, moved_goals};

/// One line of a scenario: one agent.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioEntry {
    /// The bucket of the entry: a group of entries with paths of similar length.
    pub bucket: u32,
    /// The name of the map's file, according to the scenario. The name has no effect, because files get renamed.
    pub map: String,
    /// The number of columns of the map.
    pub width: u32,
    /// The number of rows of the map.
    pub height: u32,
    /// The cell (x, y) where the agent starts; (0, 0) is at the top left.
    pub start: (u32, u32),
    /// The cell (x, y) where the agent goes; in patrols, the other end of the patrol.
    pub goal: (u32, u32),
    /// The length of the shortest path of the agent without other agents, where diagonal steps are allowed. The length
    /// is not a number of ticks. 0 if it was not computed.
    pub optimal: f64,
}

/// A scenario of the Moving AI benchmarks: a list of entries, each with a start and a goal. An instance of N agents
/// takes the first N entries.
///
/// The file begins with the line `version 1` or `version 1.0`, which may be missing. Then comes a line per entry:
/// bucket, map, width, height, start x, start y, goal x, goal y, optimal length, separated by tabs or spaces. Blank
/// lines are ignored.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    file: PathBuf,
    entries: Vec<ScenarioEntry>,
    /// The line of each entry in the file.
    lines: Vec<usize>,
}

impl Scenario {
    file_methods! {
        /// Parses a scenario; `file` is its name in errors.
        ///
        /// [`agents`](Self::agents) checks whether the entries suit a map.
        ///
        /// # Errors
        /// `contents` is not a scenario.
        parse: FileKind::Scenario, Self::parse_lines; write
    }

    fn parse_lines(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let mut lines = Lines::new(contents, file)?;
        let mut scenario = Self::new(file, Vec::new());
        let Some(first) = lines.find(|line| !line.is_blank()) else {
            return Err(lines.ended_before("\"version 1\" or an entry"));
        };
        if first.text.trim_start().starts_with("version") {
            let mut words = first.text.split_whitespace().skip(1);
            if !matches!((words.next(), words.next()), (Some("1" | "1.0"), None)) {
                return Err(first.expected("\"version 1\"", first.quoted()));
            }
        } else {
            scenario.push(&first)?;
        }
        for line in lines.filter(|line| !line.is_blank()) {
            scenario.push(&line)?;
        }
        Ok(scenario)
    }

    /// A scenario of these entries. `file` is the name of the scenario in errors. Errors cite the line on which
    /// [`write`](Self::write) puts the entry.
    pub fn new(file: impl Into<PathBuf>, entries: Vec<ScenarioEntry>) -> Self {
        Self { file: file.into(), lines: (2..).take(entries.len()).collect(), entries }
    }

    /// The entries, in the order of the file.
    pub fn entries(&self) -> &[ScenarioEntry] {
        &self.entries
    }

    /// The first `count` entries as agents on `grid`.
    ///
    /// The size in each entry must be the size of `grid`. The name of the map does not matter.
    ///
    /// # Errors
    /// There are fewer than `count` entries; one of the first `count` entries is for a map of another size; a start or
    /// goal is not a free cell of `grid`; or two agents have equal starts or equal goals.
    pub fn agents(&self, count: usize, grid: &Grid) -> Result<Vec<Agent>, FileError> {
        let (mut starts, mut goals) = (Taken::new("start"), Taken::new("goal"));
        let mut agents = Vec::new();
        for (entry, line) in self.first(count)? {
            let error = self.error_at(line);
            check_size(entry, grid, &error)?;
            let start = starts.take(grid, entry.start, line, &error)?;
            let goal = goals.take(grid, entry.goal, line, &error)?;
            agents.push(Agent::new(start, goal));
        }
        Ok(agents)
    }

    /// The first `count` entries as agents on `grid`. Unsuitable goals are moved. The second value lists the moved
    /// goals, in the order of the agents.
    ///
    /// A goal is moved if it is a wall, if the agent cannot reach it, or if an earlier agent of the file keeps this
    /// goal. The new goal is the nearest cell that satisfies three conditions: the agent can reach it; it is not a
    /// suitable goal of any agent; and it is not the new goal of an earlier agent. [`near`](giveway_core::near) defines
    /// which cell is nearest. So suitable goals never move, even if they are on later lines of the file.
    ///
    /// # Errors
    /// As for [`agents`](Self::agents), except that goals may be walls or equal.
    pub fn agents_near(&self, count: usize, grid: &Grid) -> Result<(Vec<Agent>, Vec<MovedGoal>), FileError> {
        let mut starts = Taken::new("start");
        let mut ends = Vec::new();
        for (entry, line) in self.first(count)? {
            let error = self.error_at(line);
            check_size(entry, grid, &error)?;
            let start = starts.take(grid, entry.start, line, &error)?;
            ends.push((start, on_map(grid, "goal", entry.goal, &error)?));
        }
        let (agents, moved) = moved_goals(&ends, grid).map_err(|agent| {
            let line = self.lines.get(agent.index()).copied().unwrap_or(1);
            let expected = format_args!("a goal near which a cell is free that the agent can reach");
            let (x, y) = self.entries.get(agent.index()).map_or((0, 0), |entry| entry.goal);
            self.error_at(line)(expected, format_args!("({x}, {y})"))
        })?;
        Ok((agents, moved))
    }

    /// The first `count` entries, and the line of each.
    fn first(&self, count: usize) -> Result<impl Iterator<Item = (&ScenarioEntry, usize)>, FileError> {
        let Some(entries) = self.entries.get(..count) else {
            let found = self.entries.len();
            return Err(FileError::expected(&self.file, format_args!("at least {count} entries"), found)
                .at_line(Some(self.lines.last().copied().unwrap_or(1))));
        };
        Ok(entries.iter().zip(self.lines.iter().copied()))
    }

    /// Makes an error on `line` from what was expected and what was found.
    fn error_at(&self, line: usize) -> impl Fn(fmt::Arguments<'_>, fmt::Arguments<'_>) -> FileError {
        move |expected, found| FileError::expected(&self.file, expected, found).at_line(Some(line))
    }

    fn push(&mut self, line: &Line<'_>) -> Result<(), FileError> {
        self.entries.push(entry(line)?);
        self.lines.push(line.number);
        Ok(())
    }
}

/// The contents of a `.scen` file: separated by tabs, lengths with eight decimals, as in the benchmark's own files.
impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "version 1")?;
        for entry in &self.entries {
            let ScenarioEntry { bucket, map, width, height, start, goal, optimal } = entry;
            writeln!(
                f,
                "{bucket}\t{map}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{optimal:.8}",
                start.0, start.1, goal.0, goal.1
            )?;
        }
        Ok(())
    }
}

/// The cells that are starts or goals of agents, and the line of each.
struct Taken {
    what: &'static str,
    by: HashMap<NodeId, usize>,
}

impl Taken {
    fn new(what: &'static str) -> Self {
        Self { what, by: HashMap::new() }
    }

    /// The node of a cell that must be free on `grid` and not taken yet.
    fn take(
        &mut self,
        grid: &Grid,
        (x, y): (u32, u32),
        line: usize,
        error: &impl Fn(fmt::Arguments<'_>, fmt::Arguments<'_>) -> FileError,
    ) -> Result<NodeId, FileError> {
        let what = self.what;
        let node = on_map(grid, what, (x, y), error)?;
        if !grid.is_passable(x, y) {
            return Err(error(format_args!("a {what} on a passable cell"), format_args!("the wall ({x}, {y})")));
        }
        match self.by.insert(node, line) {
            None => Ok(node),
            Some(other) => Err(error(
                format_args!("a {what} that no other agent has"),
                format_args!("({x}, {y}), the {what} on line {other}"),
            )),
        }
    }
}

fn check_size(
    entry: &ScenarioEntry,
    grid: &Grid,
    error: &impl Fn(fmt::Arguments<'_>, fmt::Arguments<'_>) -> FileError,
) -> Result<(), FileError> {
    let size = (grid.width(), grid.height());
    if (entry.width, entry.height) == size {
        return Ok(());
    }
    Err(error(
        format_args!("the size of the map, {} x {}", size.0, size.1),
        format_args!("{} x {}", entry.width, entry.height),
    ))
}

/// The node of a cell that must be on `grid`.
fn on_map(
    grid: &Grid,
    what: &str,
    (x, y): (u32, u32),
    error: &impl Fn(fmt::Arguments<'_>, fmt::Arguments<'_>) -> FileError,
) -> Result<NodeId, FileError> {
    grid.node(x, y).ok_or_else(|| {
        error(format_args!("a {what} on the {} x {} map", grid.width(), grid.height()), format_args!("({x}, {y})"))
    })
}

fn entry(line: &Line<'_>) -> Result<ScenarioEntry, FileError> {
    let [bucket, map, width, height, start_x, start_y, goal_x, goal_y, optimal] = fields(line)?;
    let number = |part: &str, what: &str| line.number(part, format_args!("{what} as a whole number up to 4294967295"));
    Ok(ScenarioEntry {
        bucket: number(bucket, "the bucket")?,
        map: map.to_owned(),
        width: number(width, "the map's width")?,
        height: number(height, "the map's height")?,
        start: (number(start_x, "the start's x")?, number(start_y, "the start's y")?),
        goal: (number(goal_x, "the goal's x")?, number(goal_y, "the goal's y")?),
        optimal: optimal
            .parse()
            .ok()
            .filter(|length: &f64| length.is_finite() && *length >= 0.0)
            .ok_or_else(|| line.expected_at(optimal, "the optimal length as a number", quoted(optimal)))?,
    })
}

/// The nine fields of an entry: separated by tabs, so that a name may contain spaces; else by any white space.
fn fields<'a>(line: &Line<'a>) -> Result<[&'a str; 9], FileError> {
    let text = line.text.trim();
    nine(text.split('\t').map(str::trim)).or_else(|| nine(text.split_whitespace())).ok_or_else(|| {
        line.expected(
            "9 fields (bucket, map, width, height, start x, start y, goal x, goal y, optimal length)",
            text.split_whitespace().count(),
        )
    })
}

fn nine<'a>(mut fields: impl Iterator<Item = &'a str>) -> Option<[&'a str; 9]> {
    let mut nine = [""; 9];
    for field in &mut nine {
        *field = fields.next()?;
    }
    fields.next().is_none().then_some(nine)
}
