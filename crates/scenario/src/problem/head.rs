//! The head of a problem: a JSON object that names the other files.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::json;
use crate::json_place::Selector;
use crate::kind::FileKind;
use crate::lines::{decode, quoted};

/// The head of a problem of the League of Robot Runners: a file that names the other files of the problem.
///
/// ```json
/// {"mapFile": "maps/a.map", "agentFile": "agents/a.agents", "taskFile": "tasks/a.tasks",
///  "teamSize": 100, "numTasksReveal": 1, "taskAssignmentStrategy": "roundrobin"}
/// ```
///
/// Files are named relative to the folder of the head. `teamSize` is the number of robots, at least 1;
/// `taskAssignmentStrategy` is `roundrobin`, `roundrobin_fixed` or `greedy`: see [`TaskAssignment`]. `numTasksReveal`
/// is the number of errands that a robot knows in advance, at least 1; without this key the number is 1. Other keys are
/// ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemFile {
    /// The map, the agents and the tasks.
    files: [PathBuf; 3],
    team_size: u32,
    tasks_revealed: u32,
    assignment: TaskAssignment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Contents {
    map_file: String,
    agent_file: String,
    task_file: String,
    team_size: u32,
    #[serde(default = "one")]
    num_tasks_reveal: u32,
    task_assignment_strategy: String,
}

fn one() -> u32 {
    1
}

impl ProblemFile {
    file_methods! {
        /// Parses a head. `file` is its name in errors; the folder of `file` is the folder of the other files.
        ///
        /// # Errors
        /// `contents` is not JSON, or not the head of a problem.
        parse: FileKind::Problem, Self::parse_json
    }

    fn parse_json(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let text = decode(contents, file)?;
        // Serde would accept an array of the fields in their order.
        if text.trim_start().starts_with('[') {
            return Err(json::at(FileError::expected(file, "an object", "an array"), text, &[]));
        }
        let head: Contents = json::read(text, file)?;
        let wrong = |key: &'static str, expected: &str, found: &dyn std::fmt::Display| {
            json::at(FileError::expected(file, format_args!("{expected} as {key}"), found), text, &[Selector::Key(key)])
        };
        for (key, count) in [("teamSize", head.team_size), ("numTasksReveal", head.num_tasks_reveal)] {
            if count == 0 {
                return Err(wrong(key, "a whole number from 1", &count));
            }
        }
        let names = [("mapFile", &head.map_file), ("agentFile", &head.agent_file), ("taskFile", &head.task_file)];
        if let Some((key, _)) = names.iter().find(|(_, name)| name.is_empty()) {
            return Err(wrong(key, "the name of a file", &"nothing"));
        }
        let strategy = &head.task_assignment_strategy;
        let assignment = TaskAssignment::named(strategy).ok_or_else(|| {
            let expected = "\"roundrobin\", \"roundrobin_fixed\" or \"greedy\"";
            wrong("taskAssignmentStrategy", expected, &quoted(strategy))
        })?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let files = names.map(|(_, name)| folder.join(name));
        Ok(Self { files, team_size: head.team_size, tasks_revealed: head.num_tasks_reveal, assignment })
    }

    /// The paths of three files: of the map, of the agents and of the tasks. Relative names in the head are completed
    /// with the folder of the head.
    pub fn files(&self) -> [&Path; 3] {
        self.files.each_ref().map(PathBuf::as_path)
    }

    /// The number of robots, at least 1.
    pub fn team_size(&self) -> u32 {
        self.team_size
    }

    /// The number of errands that a robot knows in advance, at least 1.
    pub fn tasks_revealed(&self) -> u32 {
        self.tasks_revealed
    }

    /// The rule by which robots get tasks.
    pub fn assignment(&self) -> TaskAssignment {
        self.assignment
    }
}

/// The rule by which robots get tasks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TaskAssignment {
    /// Errand number c of robot number k is task number (k + c * n) modulo the number of tasks, where n is the number
    /// of robots. All numbers begin at 0. Tasks never run out.
    RoundRobin,
    /// As for `RoundRobin`, but each task is given only once.
    RoundRobinFixed,
    /// A robot that asks for a task gets the first task that no robot has had.
    Greedy,
}

impl TaskAssignment {
    const NAMES: [(&'static str, Self); 3] =
        [("roundrobin", Self::RoundRobin), ("roundrobin_fixed", Self::RoundRobinFixed), ("greedy", Self::Greedy)];

    /// The assignment of this name in files.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(other, _)| *other == name).map(|(_, assignment)| *assignment)
    }
}
