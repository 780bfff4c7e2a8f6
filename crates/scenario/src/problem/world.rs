//! A problem: the map, where robots start, and the tasks.

use std::collections::HashMap;
use std::path::Path;

use super::errands::Errands;
use super::head::{ProblemFile, TaskAssignment};
use super::places::PlacesFile;
use crate::file_error::FileError;
use crate::map::MapFile;

/// A problem of the League of Robot Runners: robots on a map, each with one errand after the other.
///
/// A place is a cell of the map, with the number row * width + column. All starts and tasks are free cells. No two
/// robots have the same start.
///
/// ```
/// use giveway_scenario::{MapFile, PlacesFile, Problem, ProblemFile};
///
/// let head = r#"{"mapFile": "a.map", "agentFile": "a.agents", "taskFile": "a.tasks",
///     "teamSize": 2, "numTasksReveal": 1, "taskAssignmentStrategy": "roundrobin"}"#;
/// let problem = Problem::new(
///     &ProblemFile::parse(head, "a.json")?,
///     MapFile::parse("type octile\nheight 1\nwidth 4\nmap\n.E@S\n", "a.map")?,
///     &PlacesFile::parse("2\n0\n1\n", "a.agents")?,
///     &PlacesFile::parse("3\n3\n0\n1\n", "a.tasks")?,
/// )?;
/// assert_eq!(problem.starts(), [0, 1]);
/// let mut errands = problem.errands();
/// // The second errand of robot 0 is the third task.
/// assert_eq!([0, 0].map(|robot| errands.next(robot).map(|errand| errand.place)), [Some(3), Some(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    map: MapFile,
    starts: Vec<u32>,
    tasks: Vec<u32>,
    assignment: TaskAssignment,
}

impl Problem {
    /// Reads a problem: the head in the file at `path`, and the files that the head names, relative to the folder of
    /// the head.
    ///
    /// # Errors
    /// A file cannot be read, or is invalid: see [`new`](Self::new). The error names the file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::of(&ProblemFile::read(path)?)
    }

    /// Reads the problem of `head`, with the files that the head names. Text after the last row of the map is ignored,
    /// as in the competition, whose archive has a file that contains a map twice.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn of(head: &ProblemFile) -> Result<Self, FileError> {
        let [map, agents, tasks] = head.files();
        Self::new(head, MapFile::read_beginning(map)?, &PlacesFile::read(agents)?, &PlacesFile::read(tasks)?)
    }

    /// The problem of `head` on `map`. The robots start on the first places of `agents`, and the places of `tasks` are
    /// the tasks.
    ///
    /// # Errors
    /// A start or a task is not a free cell of the map; two robots start on one cell; there are fewer starts than
    /// robots; or there is no task.
    pub fn new(head: &ProblemFile, map: MapFile, agents: &PlacesFile, tasks: &PlacesFile) -> Result<Self, FileError> {
        let cells = map.cells();
        let check = |file: &PlacesFile, line: usize, place: u32| match cells.get(place as usize) {
            Some(true) => Ok(()),
            Some(false) => Err(file.error_at(line, "a free cell of the map", format_args!("the wall {place}"))),
            None => Err(file.error_at(line, format_args!("a cell of the map, from 0 to {}", cells.len() - 1), place)),
        };
        let team = head.team_size() as usize;
        if agents.places().len() < team {
            let expected = format!("at least {team} starts, since teamSize is {team}");
            return Err(agents.error_at(agents.last_line(), expected, agents.places().len()));
        }
        let starts: Vec<u32> = agents.places().iter().take(team).map(|(place, _)| *place).collect();
        let mut known: HashMap<u32, usize> = HashMap::new();
        for (place, line) in agents.places().iter().take(team) {
            check(agents, *line, *place)?;
            if let Some(first) = known.insert(*place, *line) {
                let expected = format!("another start than in line {first}");
                return Err(agents.error_at(*line, expected, place));
            }
        }
        if tasks.places().is_empty() {
            return Err(tasks.error_at(tasks.last_line(), "at least one task", "none"));
        }
        tasks.places().iter().try_for_each(|(place, line)| check(tasks, *line, *place))?;
        let tasks = tasks.places().iter().map(|(place, _)| *place).collect();
        Ok(Self { map, starts, tasks, assignment: head.assignment() })
    }

    /// The map.
    pub fn map(&self) -> &MapFile {
        &self.map
    }

    /// The start of each robot. All robots face east at their starts.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The place of each task.
    pub fn tasks(&self) -> &[u32] {
        &self.tasks
    }

    /// The rule by which robots get tasks.
    pub fn assignment(&self) -> TaskAssignment {
        self.assignment
    }

    /// A new [`Errands`], which gives the tasks of this problem to robots.
    pub fn errands(&self) -> Errands<'_> {
        Errands::new(self)
    }

    /// The row and the column of a place.
    pub(crate) fn row_and_column(&self, place: u32) -> (u32, u32) {
        let width = self.map.width().max(1);
        (place / width, place % width)
    }
}
