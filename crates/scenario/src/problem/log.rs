//! What robots do about a problem, step by step.

use std::iter;

use super::check::{ProblemFault, Replay};
use super::errands::Errand;
use super::record::{ProblemRecord, Record};
use super::world::Problem;

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
    pub(super) fn letter(self) -> char {
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

/// What the robots of a problem do, checked step by step.
///
/// By itself a log keeps only where robots are, their present errands and what is against the rules: its memory does not
/// grow with the steps. Call [`recorded`](Self::recorded) to keep everything.
#[derive(Clone, Debug)]
pub struct ProblemLog<'p> {
    pub(super) problem: &'p Problem,
    pub(super) turning: bool,
    pub(super) replay: Replay,
    /// Per robot, its errand, unless that is finished.
    errands: Vec<Option<Errand>>,
    finished: usize,
    record: Option<Record>,
}

impl<'p> ProblemLog<'p> {
    /// Nothing is done yet. With `turning`, robots face east at first, go forward and turn; without, they go in all
    /// four directions.
    pub fn new(problem: &'p Problem, turning: bool) -> Self {
        let (replay, errands) = (Replay::new(problem, turning), vec![None; problem.starts().len()]);
        Self { problem, turning, replay, errands, finished: 0, record: None }
    }

    /// Keeps a [record](Self::record) of all steps from now on; before the first one, of everything.
    #[must_use]
    pub fn recorded(self) -> Self {
        let record = Record::new(self.problem.starts().len());
        Self { record: Some(record), ..self }
    }

    /// The record; `None`: the log is not [recorded](Self::recorded).
    pub fn record(&self) -> Option<ProblemRecord<'_>> {
        Some(ProblemRecord::new(self, self.record.as_ref()?))
    }

    /// Notes that `robot` has got `errand` after the steps so far, in place of the errand before.
    pub fn assign(&mut self, robot: usize, errand: Errand) {
        if let Some(present) = self.errands.get_mut(robot) {
            *present = Some(errand);
            if let Some(record) = &mut self.record {
                record.assign(robot, errand, self.replay.steps);
            }
        }
    }

    /// Notes a step: what each robot does, and the `seconds` that planning it took. Missing actions are waits.
    pub fn step(&mut self, actions: impl IntoIterator<Item = ProblemAction>, seconds: f64) {
        let waits = iter::repeat(ProblemAction::Wait);
        let actions = actions.into_iter().chain(waits).take(self.errands.len());
        match &mut self.record {
            Some(record) => self.replay.step(self.problem, record.step(actions, seconds)),
            None => self.replay.step(self.problem, actions),
        }
    }

    /// Notes that `robot` has finished its errand with the last step.
    pub fn finish(&mut self, robot: usize) {
        let Some(errand) = self.errands.get_mut(robot).and_then(Option::take) else { return };
        self.finished += 1;
        self.replay.finish(robot, errand.place);
        if let Some(record) = &mut self.record {
            record.finish(robot, self.replay.steps);
        }
    }

    /// The place of the present errand of `robot`; `None`: it has none.
    pub fn place(&self, robot: usize) -> Option<u32> {
        Some(self.errands.get(robot)?.as_ref()?.place)
    }

    /// How many errands have been finished.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// What is against the rules so far, by step, found by replaying the actions on the map alone: a robot goes into a
    /// wall or off the map, or makes a move of the other model; two robots are on one place, or exchange their places;
    /// an errand is finished elsewhere.
    pub fn faults(&self) -> &[ProblemFault] {
        &self.replay.faults
    }
}
