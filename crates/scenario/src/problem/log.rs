//! What robots have done about a problem, as the competition's validator and visualiser read it.

use std::fmt;

use serde::Serialize;

use super::Problem;
use super::check::{ProblemFault, faults};
use super::errands::Errand;

/// What a robot does in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemAction {
    /// It stands.
    Wait,
    /// A cell forward.
    Forward,
    /// A quarter turn clockwise.
    Clockwise,
    /// A quarter turn counter-clockwise.
    CounterClockwise,
    /// A cell to the right, for robots that do not turn.
    East,
    /// A cell down, for robots that do not turn.
    South,
    /// A cell to the left, for robots that do not turn.
    West,
    /// A cell up, for robots that do not turn.
    North,
}

impl ProblemAction {
    /// Its letter in files.
    fn letter(self) -> char {
        match self {
            Self::Wait => 'W',
            Self::Forward => 'F',
            Self::Clockwise | Self::East => 'R',
            Self::CounterClockwise => 'C',
            Self::South => 'D',
            Self::West => 'L',
            Self::North => 'U',
        }
    }
}

/// An errand of a robot, and when it was finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LoggedErrand {
    pub(super) errand: Errand,
    assigned: u32,
    pub(super) finished: Option<u32>,
}

/// What the robots of a problem have done so far.
///
/// Displayed, it is a JSON object that the competition's validator and visualiser read. `AllValid` is the answer of
/// [`faults`](Self::faults). The action model is `MAPF_T`, with the letters `F`, `R` (clockwise), `C` and `W`; for
/// robots that do not turn it is `MAPF`, with `U`, `D`, `L`, `R` and `W`.
#[derive(Clone, Debug)]
pub struct ProblemLog<'p> {
    pub(super) problem: &'p Problem,
    pub(super) turning: bool,
    /// Per robot, its action in each step.
    pub(super) actions: Vec<Vec<ProblemAction>>,
    /// Per robot, its errands. Only the last one can be unfinished.
    pub(super) errands: Vec<Vec<LoggedErrand>>,
    seconds: Vec<f64>,
}

impl<'p> ProblemLog<'p> {
    /// Nothing is done yet. With `turning`, robots face east at first, go forward and turn; without, they go in all
    /// four directions.
    pub fn new(problem: &'p Problem, turning: bool) -> Self {
        let robots = problem.starts().len();
        Self {
            problem,
            turning,
            actions: vec![Vec::new(); robots],
            errands: vec![Vec::new(); robots],
            seconds: Vec::new(),
        }
    }

    /// The number of steps so far.
    fn steps(&self) -> u32 {
        u32::try_from(self.seconds.len()).unwrap_or(u32::MAX)
    }

    /// Notes that `robot` has got `errand` after the steps so far.
    pub fn assign(&mut self, robot: usize, errand: Errand) {
        let assigned = self.steps();
        if let Some(errands) = self.errands.get_mut(robot) {
            errands.push(LoggedErrand { errand, assigned, finished: None });
        }
    }

    /// Notes a step: what each robot does, and the `seconds` that planning it took. Missing actions are waits.
    pub fn step(&mut self, actions: impl IntoIterator<Item = ProblemAction>, seconds: f64) {
        let mut actions = actions.into_iter();
        for robot in &mut self.actions {
            robot.push(actions.next().unwrap_or(ProblemAction::Wait));
        }
        self.seconds.push(seconds);
    }

    /// Notes that `robot` has finished its errand with the last step.
    pub fn finish(&mut self, robot: usize) {
        let now = self.steps();
        if let Some(last) = self.errands.get_mut(robot).and_then(|errands| errands.last_mut()) {
            last.finished = last.finished.or(Some(now));
        }
    }

    /// The place of the present errand of `robot`; `None`: it has none.
    pub fn place(&self, robot: usize) -> Option<u32> {
        let last = self.errands.get(robot)?.last()?;
        last.finished.is_none().then_some(last.errand.place)
    }

    /// What each robot has done, step by step.
    pub fn actions(&self) -> &[Vec<ProblemAction>] {
        &self.actions
    }

    /// The errands of `robot`, each after the number of steps after which it was assigned.
    pub fn assigned(&self, robot: usize) -> impl Iterator<Item = (u32, Errand)> {
        self.errands.get(robot).into_iter().flatten().map(|logged| (logged.assigned, logged.errand))
    }

    /// How many errands have been finished.
    pub fn finished(&self) -> usize {
        self.errands.iter().flatten().filter(|errand| errand.finished.is_some()).count()
    }

    /// What is against the rules, found by replaying the actions on the map alone, in the order of steps: a robot goes
    /// into a wall or off the map, or makes a move of the other model; two robots are on one place, or exchange their
    /// places; an errand is finished elsewhere. Takes time in proportion to the steps of all robots.
    pub fn faults(&self) -> Vec<ProblemFault> {
        faults(self)
    }

    fn path(&self, robot: usize) -> String {
        let mut path = String::new();
        for action in self.actions.get(robot).into_iter().flatten() {
            if !path.is_empty() {
                path.push(',');
            }
            path.push(action.letter());
        }
        path
    }
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

impl fmt::Display for ProblemLog<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = self.faults();
        let paths: Vec<String> = (0..self.actions.len()).map(|robot| self.path(robot)).collect();
        // A robot costs a step for each step in which it has an errand.
        let cost = |errands: &Vec<LoggedErrand>| -> u64 {
            let steps = |errand: &LoggedErrand| errand.finished.unwrap_or(self.steps()) - errand.assigned;
            errands.iter().map(|errand| u64::from(steps(errand))).sum()
        };
        let costs: Vec<u64> = self.errands.iter().map(cost).collect();
        let events = |errands: &Vec<LoggedErrand>| {
            let of = |logged: &LoggedErrand| {
                let assigned = Some((logged.errand.number, logged.assigned, "assigned"));
                [assigned, logged.finished.map(|step| (logged.errand.number, step, "finished"))]
            };
            errands.iter().flat_map(of).flatten().collect()
        };
        let mut tasks: Vec<(u32, u32, u32)> = Vec::new();
        for logged in self.errands.iter().flatten() {
            let (row, column) = self.problem.row_and_column(logged.errand.place);
            tasks.push((logged.errand.number, row, column));
        }
        tasks.sort_unstable();
        let start = |place: &u32| {
            let (row, column) = self.problem.row_and_column(*place);
            (row, column, "E")
        };
        let name = |robot: Option<usize>| robot.and_then(|robot| Robot::try_from(robot).ok()).unwrap_or(-1);
        let contents = Contents {
            action_model: if self.turning { "MAPF_T" } else { "MAPF" },
            all_valid: if faults.is_empty() { "Yes" } else { "No" },
            team_size: self.actions.len(),
            start: self.problem.starts().iter().map(start).collect(),
            num_task_finished: self.finished(),
            sum_of_cost: costs.iter().sum(),
            makespan: costs.iter().copied().max().unwrap_or(0),
            planner_paths: paths.clone(),
            actual_paths: paths,
            planner_times: self.seconds.clone(),
            errors: faults
                .iter()
                .map(|fault| (name(Some(fault.robot)), name(fault.other), fault.step, fault.what))
                .collect(),
            events: self.errands.iter().map(events).collect(),
            tasks,
        };
        writeln!(f, "{}", serde_json::to_string(&contents).map_err(|_| fmt::Error)?)
    }
}
