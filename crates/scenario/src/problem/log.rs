//! What robots do about a problem, step by step.

use std::iter;

use giveway_core::{Garbled, WordReader, Words};

use super::check::{ProblemFault, Replay};
use super::errands::Errand;
use super::record::{ProblemRecord, Record};
use super::world::Problem;

/// The action of a robot in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemAction {
    /// The robot stands.
    Wait,
    /// The robot moves one cell forward.
    Forward,
    /// The robot makes a quarter turn clockwise.
    Clockwise,
    /// The robot makes a quarter turn counter-clockwise.
    CounterClockwise,
    /// The robot moves one cell to the right. For robots that do not turn.
    East,
    /// The robot moves one cell down. For robots that do not turn.
    South,
    /// The robot moves one cell to the left. For robots that do not turn.
    West,
    /// The robot moves one cell up. For robots that do not turn.
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

/// A log of the actions of all robots of a problem. The log checks the actions step by step.
///
/// A log keeps the places of the robots, their present errands, and the faults, but not the actions of earlier steps.
/// So the memory of a log does not grow with the steps. Call [`recorded`](Self::recorded) to keep all actions, too.
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
    /// An empty log: the robots are at their starts. With `turning`, robots first face east, and they move forward and
    /// turn. Without `turning`, robots move in all four directions.
    pub fn new(problem: &'p Problem, turning: bool) -> Self {
        let (replay, errands) = (Replay::new(problem, turning), vec![None; problem.starts().len()]);
        Self { problem, turning, replay, errands, finished: 0, record: None }
    }

    /// Keeps a [record](Self::record) of all steps from now on. Call this method before the first step to have a record
    /// of all steps.
    #[must_use]
    pub fn recorded(self) -> Self {
        let mut record = Record::new(self.problem.starts().len(), self.replay.steps);
        for (robot, errand) in self.errands.iter().enumerate() {
            errand.iter().for_each(|errand| record.assign(robot, *errand, self.replay.steps));
        }
        Self { record: Some(record), ..self }
    }

    /// Appends the log to `words`, for a save. The [record](Self::record) is left out.
    pub fn write_to(&self, words: &mut Words) {
        self.replay.write_to(words);
        words.size(self.finished);
        for errand in &self.errands {
            words.flag(errand.is_some());
            if let Some(Errand { number, place }) = errand {
                words.word((*number).into());
                words.word((*place).into());
            }
        }
    }

    /// Reads a log that was [written](Self::write_to). `problem` and `turning` must equal those of the written log. The
    /// log is not [recorded](Self::recorded).
    ///
    /// # Errors
    /// The words are of another number of robots, or a robot or an errand is not on the map.
    pub fn read_from(problem: &'p Problem, turning: bool, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut log = Self::new(problem, turning);
        log.replay.read_from(problem, words)?;
        log.finished = words.at_most(usize::MAX / 2)?;
        for errand in &mut log.errands {
            if words.flag()? {
                let (number, place) = (words.word_32()?, words.word_32()?);
                if place as usize >= problem.map().cells().len() {
                    return Err(Garbled::new("an errand on the map"));
                }
                *errand = Some(Errand { number, place });
            }
        }
        Ok(log)
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u32 {
        self.replay.steps
    }

    /// The place of each robot now, and its heading: how many quarter turns clockwise from east. The heading of robots
    /// that do not turn is 0.
    pub fn poses(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.replay.poses.iter().map(|pose| (pose.place, pose.heading))
    }

    /// The record; `None`: the log is not [recorded](Self::recorded).
    pub fn record(&self) -> Option<ProblemRecord<'_>> {
        Some(ProblemRecord::new(self, self.record.as_ref()?))
    }

    /// Notes that `robot` gets `errand` now, after the last step. The errand replaces the present errand of the robot.
    /// If there is no such robot, nothing changes.
    pub fn assign(&mut self, robot: usize, errand: Errand) {
        if let Some(present) = self.errands.get_mut(robot) {
            *present = Some(errand);
            if let Some(record) = &mut self.record {
                record.assign(robot, errand, self.replay.steps);
            }
        }
    }

    /// Notes a step: the action of each robot, and the time that planning this step took, in seconds. If there are
    /// fewer actions than robots, the other robots wait. If there are more, the last actions are ignored.
    pub fn step(&mut self, actions: impl IntoIterator<Item = ProblemAction>, seconds: f64) {
        let waits = iter::repeat(ProblemAction::Wait);
        let actions = actions.into_iter().chain(waits).take(self.errands.len());
        match &mut self.record {
            Some(record) => self.replay.step(self.problem, record.step(actions, seconds)),
            None => self.replay.step(self.problem, actions),
        }
    }

    /// Notes that `robot` has finished its errand with the last step. If the robot has no errand, nothing changes.
    pub fn finish(&mut self, robot: usize) {
        let Some(errand) = self.errands.get_mut(robot).and_then(Option::take) else { return };
        self.finished += 1;
        self.replay.finish(robot, errand.place);
        if let Some(record) = &mut self.record {
            record.finish(robot, self.replay.steps);
        }
    }

    /// The place of the present errand of `robot`. `None`: the robot has no errand.
    pub fn place(&self, robot: usize) -> Option<u32> {
        Some(self.errands.get(robot)?.as_ref()?.place)
    }

    /// The number of errands that have been finished.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// All faults so far, in the order of steps, found by replaying the actions on the map. The faults are: a robot
    /// moves into a wall or off the map; a robot makes an action that is not permitted with, or without, turning; two
    /// robots are on one place, or exchange their places; a robot finishes an errand at a wrong place.
    pub fn faults(&self) -> &[ProblemFault] {
        &self.replay.faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapFile, PlacesFile, ProblemFile};

    #[test]
    fn what_was_written_is_read_and_goes_on() {
        let head = r#"{"mapFile": "a.map", "agentFile": "a.agents", "taskFile": "a.tasks",
            "teamSize": 2, "numTasksReveal": 1, "taskAssignmentStrategy": "greedy"}"#;
        let problem = Problem::new(
            &ProblemFile::parse(head, "a.json").unwrap(),
            MapFile::parse("type octile\nheight 1\nwidth 4\nmap\n...@\n", "a.map").unwrap(),
            &PlacesFile::parse("2\n0\n1\n", "a.agents").unwrap(),
            &PlacesFile::parse("3\n2\n0\n1\n", "a.tasks").unwrap(),
        )
        .unwrap();
        let (mut log, mut errands) = (ProblemLog::new(&problem, true), problem.errands());
        log.assign(0, errands.next(0).unwrap());
        log.assign(1, errands.next(1).unwrap());
        // Both go on, then robot 0 runs into robot 1, which runs into the wall.
        log.step([ProblemAction::Wait, ProblemAction::Forward], 0.0);
        log.finish(1);
        log.step([ProblemAction::Forward, ProblemAction::Forward], 0.0);
        log.step([ProblemAction::Forward, ProblemAction::Clockwise], 0.0);
        assert_eq!((log.faults().len(), log.finished(), log.steps()), (3, 1, 3), "{:?}", log.faults());
        assert_eq!(log.poses().collect::<Vec<_>>(), [(2, 0), (2, 1)]);

        let mut words = Words::new();
        log.write_to(&mut words);
        errands.write_to(&mut words);
        let bytes = words.into_bytes();
        let read = |bytes: &[u8]| {
            let (words, mut errands) = (&mut WordReader::new(bytes), problem.errands());
            let log = ProblemLog::read_from(&problem, true, words)?;
            errands.read_from(words)?;
            if words.is_at_end() { Ok((log, errands)) } else { Err(Garbled::new("the end")) }
        };
        let (again, mut again_errands) = read(&bytes).unwrap();
        assert_eq!((format!("{again:?}"), format!("{again_errands:?}")), (format!("{log:?}"), format!("{errands:?}")));
        assert_eq!(again_errands.next(1), errands.next(1));
        // A record of the rest has the present errands.
        let mut again = again.recorded();
        again.step([ProblemAction::Wait, ProblemAction::Clockwise], 0.0);
        let record = again.record().unwrap();
        assert_eq!((record.begins(), record.actions()[1].as_slice()), (3, &[ProblemAction::Clockwise][..]));
        assert_eq!(record.assigned(0).collect::<Vec<_>>(), [(3, Errand { number: 0, place: 2 })]);
        assert_eq!(record.assigned(1).count(), 0);

        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "cut at {length}");
        }
        for (at, byte) in [(1, 3), (1, 9), (2, 4)] {
            let mut other = bytes.clone();
            other[at] = byte;
            assert!(read(&other).is_err(), "a robot in a wall, off the map, or under no heading: {at}");
        }
    }
}
