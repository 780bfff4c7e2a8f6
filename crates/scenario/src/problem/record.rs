//! The record of a problem, as the competition's validator and visualiser read it.

use std::fmt;

use serde::Serialize;

use super::errands::Errand;
use super::log::{ProblemAction, ProblemLog};

/// A record of the actions and errands of all robots of a problem.
///
/// `Display` writes a JSON object that the competition's validator and visualiser read. The value of the key `AllValid`
/// says whether [`ProblemLog::faults`] is empty. The action model is `MAPF_T`, with the letters `F`, `R` (clockwise),
/// `C` and `W`; for robots that do not turn it is `MAPF`, with `U`, `D`, `L`, `R` and `W`.
#[derive(Clone, Copy, Debug)]
pub struct ProblemRecord<'a> {
    log: &'a ProblemLog<'a>,
    record: &'a Record,
}

/// What is kept of all steps.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Per robot, its action in each step.
    actions: Vec<Vec<ProblemAction>>,
    /// Per robot, its errands. Only the last one can be unfinished.
    errands: Vec<Vec<LoggedErrand>>,
    seconds: Vec<f64>,
    /// The number of steps before.
    begins: u32,
}

/// An errand of a robot, and when it was finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LoggedErrand {
    errand: Errand,
    assigned: u32,
    finished: Option<u32>,
}

impl Record {
    pub(super) fn new(robots: usize, begins: u32) -> Self {
        Self { actions: vec![Vec::new(); robots], errands: vec![Vec::new(); robots], seconds: Vec::new(), begins }
    }

    pub(super) fn assign(&mut self, robot: usize, errand: Errand, assigned: u32) {
        if let Some(errands) = self.errands.get_mut(robot) {
            errands.push(LoggedErrand { errand, assigned, finished: None });
        }
    }

    /// Keeps the `actions` of a step, and returns them.
    pub(super) fn step(
        &mut self,
        actions: impl Iterator<Item = ProblemAction>,
        seconds: f64,
    ) -> impl Iterator<Item = ProblemAction> {
        for (robot, action) in self.actions.iter_mut().zip(actions) {
            robot.push(action);
        }
        self.seconds.push(seconds);
        self.actions.iter().filter_map(|actions| actions.last().copied())
    }

    pub(super) fn finish(&mut self, robot: usize, now: u32) {
        if let Some(last) = self.errands.get_mut(robot).and_then(|errands| errands.last_mut()) {
            last.finished = last.finished.or(Some(now));
        }
    }
}

impl<'a> ProblemRecord<'a> {
    pub(super) fn new(log: &'a ProblemLog<'a>, record: &'a Record) -> Self {
        Self { log, record }
    }

    /// The number of steps before the first one that is recorded.
    pub fn begins(&self) -> u32 {
        self.record.begins
    }

    /// The actions of each robot, step by step.
    pub fn actions(&self) -> &'a [Vec<ProblemAction>] {
        &self.record.actions
    }

    /// The errands of `robot`. The number before an errand is the number of steps that had passed when the errand was
    /// assigned.
    pub fn assigned(&self, robot: usize) -> impl Iterator<Item = (u32, Errand)> {
        self.record.errands.get(robot).into_iter().flatten().map(|logged| (logged.assigned, logged.errand))
    }
}

/// The letters of `actions`.
fn path(actions: &[ProblemAction]) -> String {
    let mut path = String::new();
    for action in actions {
        if !path.is_empty() {
            path.push(',');
        }
        path.push(action.letter());
    }
    path
}

/// A robot or none, as the validator names them.
type Robot = i64;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Contents {
    action_model: &'static str,
    #[serde(rename = "AllValid")]
    all_valid: &'static str,
    team_size: usize,
    start: Vec<(u32, u32, &'static str)>,
    num_task_finished: usize,
    sum_of_cost: u64,
    makespan: u64,
    actual_paths: Vec<String>,
    planner_paths: Vec<String>,
    planner_times: Vec<f64>,
    errors: Vec<(Robot, Robot, u32, &'static str)>,
    events: Vec<Vec<(u32, u32, &'static str)>>,
    tasks: Vec<(u32, u32, u32)>,
}

impl fmt::Display for ProblemRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { log, record } = self;
        let (problem, faults) = (log.problem, log.faults());
        let paths: Vec<String> = record.actions.iter().map(|actions| path(actions)).collect();
        // A robot costs a step for each step in which it has an errand.
        let cost = |errands: &Vec<LoggedErrand>| -> u64 {
            let steps = |errand: &LoggedErrand| errand.finished.unwrap_or(log.replay.steps) - errand.assigned;
            errands.iter().map(|errand| u64::from(steps(errand))).sum()
        };
        let costs: Vec<u64> = record.errands.iter().map(cost).collect();
        let events = |errands: &Vec<LoggedErrand>| {
            let of = |logged: &LoggedErrand| {
                let assigned = Some((logged.errand.number, logged.assigned, "assigned"));
                [assigned, logged.finished.map(|step| (logged.errand.number, step, "finished"))]
            };
            errands.iter().flat_map(of).flatten().collect()
        };
        let mut tasks: Vec<(u32, u32, u32)> = Vec::new();
        for logged in record.errands.iter().flatten() {
            let (row, column) = problem.row_and_column(logged.errand.place);
            tasks.push((logged.errand.number, row, column));
        }
        tasks.sort_unstable();
        let start = |place: &u32| {
            let (row, column) = problem.row_and_column(*place);
            (row, column, "E")
        };
        let name = |robot: Option<usize>| robot.and_then(|robot| Robot::try_from(robot).ok()).unwrap_or(-1);
        let contents = Contents {
            action_model: if log.turning { "MAPF_T" } else { "MAPF" },
            all_valid: if faults.is_empty() { "Yes" } else { "No" },
            team_size: record.actions.len(),
            start: problem.starts().iter().map(start).collect(),
            num_task_finished: log.finished(),
            sum_of_cost: costs.iter().sum(),
            makespan: costs.iter().copied().max().unwrap_or(0),
            planner_paths: paths.clone(),
            actual_paths: paths,
            planner_times: record.seconds.clone(),
            errors: faults
                .iter()
                .map(|fault| (name(Some(fault.robot)), name(fault.other), fault.step, fault.what))
                .collect(),
            events: record.errands.iter().map(events).collect(),
            tasks,
        };
        writeln!(f, "{}", serde_json::to_string(&contents).map_err(|_| fmt::Error)?)
    }
}
