//! Whether what robots have done is allowed: by the map and the actions alone.

use std::collections::HashMap;
use std::fmt;

use giveway_core::{Garbled, WordReader, Words};

use super::log::ProblemAction;
use super::world::Problem;

/// A fault: a step of one or two robots that broke a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProblemFault {
    /// The robot.
    pub robot: usize,
    /// The other robot, if two robots are involved.
    pub other: Option<usize>,
    /// The number of the step, from 1.
    pub step: u32,
    /// A description of the fault. If the competition has a name for this fault, the name.
    pub what: &'static str,
}

const UNALLOWED: &str = "unallowed move";
const VERTEX: &str = "vertex conflict";
const EDGE: &str = "edge conflict";
const ELSEWHERE: &str = "errand finished elsewhere";
/// All that faults are called.
const WHATS: [&str; 4] = [UNALLOWED, VERTEX, EDGE, ELSEWHERE];

impl fmt::Display for ProblemFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of robot {}", self.what, self.robot)?;
        if let Some(other) = self.other {
            write!(f, " and robot {other}")?;
        }
        write!(f, " in step {}", self.step)
    }
}

/// A place, and the heading there: how many quarter turns clockwise from east.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pose {
    pub(super) place: u32,
    pub(super) heading: u32,
}

/// The pose after `action`; `None`: the action is not allowed there.
fn after(problem: &Problem, pose: Pose, action: ProblemAction, turning: bool) -> Option<Pose> {
    use ProblemAction::{Clockwise, CounterClockwise, East, Forward, North, South, Wait, West};
    let towards = match (action, turning) {
        (Wait, _) => return Some(pose),
        (Clockwise, true) => return Some(Pose { heading: (pose.heading + 1) % 4, ..pose }),
        (CounterClockwise, true) => return Some(Pose { heading: (pose.heading + 3) % 4, ..pose }),
        (Forward, true) => pose.heading,
        (East, false) => 0,
        (South, false) => 1,
        (West, false) => 2,
        (North, false) => 3,
        _ => return None,
    };
    let (row, column) = problem.row_and_column(pose.place);
    let (row, column) = match towards {
        0 => (row, column.checked_add(1)?),
        1 => (row.checked_add(1)?, column),
        2 => (row, column.checked_sub(1)?),
        _ => (row.checked_sub(1)?, column),
    };
    let is_free = problem.map().is_passable(column, row);
    is_free.then(|| Pose { place: row * problem.map().width() + column, ..pose })
}

/// The robots as their actions have led them so far, and what was against the rules.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    turning: bool,
    pub(super) poses: Vec<Pose>,
    /// The number of steps so far.
    pub(super) steps: u32,
    /// By step.
    pub(super) faults: Vec<ProblemFault>,
}

impl Replay {
    pub(super) fn new(problem: &Problem, turning: bool) -> Self {
        let poses = problem.starts().iter().map(|place| Pose { place: *place, heading: 0 }).collect();
        Self { turning, poses, steps: 0, faults: Vec::new() }
    }

    /// A step, with an action of each robot.
    pub(super) fn step(&mut self, problem: &Problem, actions: impl IntoIterator<Item = ProblemAction>) {
        let Self { turning, poses, steps, faults } = self;
        *steps = steps.saturating_add(1);
        let mut fault = |robot, other, what| faults.push(ProblemFault { robot, other, step: *steps, what });
        let before: Vec<u32> = poses.iter().map(|pose| pose.place).collect();
        for (robot, (pose, action)) in poses.iter_mut().zip(actions).enumerate() {
            match after(problem, *pose, action, *turning) {
                Some(next) => *pose = next,
                None => fault(robot, None, UNALLOWED),
            }
        }
        let mut here: HashMap<u32, usize> = HashMap::with_capacity(poses.len());
        for (robot, pose) in poses.iter().enumerate() {
            if let Some(other) = here.insert(pose.place, robot) {
                fault(other, Some(robot), VERTEX);
            }
        }
        for (robot, (pose, from)) in poses.iter().zip(&before).enumerate() {
            // The one who is now where this robot came from.
            let other = here.get(from).copied().filter(|other| *other > robot && pose.place != *from);
            if let Some(other) = other.filter(|other| before.get(*other) == Some(&pose.place)) {
                fault(robot, Some(other), EDGE);
            }
        }
    }

    /// An errand to `place` is said to be finished by `robot` with the last step.
    pub(super) fn finish(&mut self, robot: usize, place: u32) {
        let is_there = self.poses.get(robot).is_some_and(|pose| pose.place == place);
        if !is_there || self.steps == 0 {
            self.faults.push(ProblemFault { robot, other: None, step: self.steps, what: ELSEWHERE });
        }
    }

    /// Appends how far it has come, for a save.
    pub(super) fn write_to(&self, words: &mut Words) {
        words.word(self.steps.into());
        for Pose { place, heading } in &self.poses {
            words.word((*place).into());
            words.word((*heading).into());
        }
        words.size(self.faults.len());
        for ProblemFault { robot, other, step, what } in &self.faults {
            words.size(*robot);
            words.size(other.map_or(0, |other| other + 1));
            words.word((*step).into());
            words.size(WHATS.iter().position(|known| known == what).unwrap_or(0));
        }
    }

    /// Goes on as the one that was written.
    pub(super) fn read_from(&mut self, problem: &Problem, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.steps = words.word_32()?;
        let (robots, last_heading) = (self.poses.len(), if self.turning { 3 } else { 0 });
        for pose in &mut self.poses {
            *pose = Pose { place: words.word_32()?, heading: words.word_32()? };
            let is_free = problem.map().cells().get(pose.place as usize).is_some_and(|is_free| *is_free);
            if !is_free || pose.heading > last_heading {
                return Err(Garbled::new("a robot on the map"));
            }
        }
        self.faults.clear();
        for _ in 0..words.count()? {
            let (robot, other) = (words.below(robots)?, words.at_most(robots)?.checked_sub(1));
            let (step, what) = (words.word_32()?, WHATS[words.below(WHATS.len())?]);
            self.faults.push(ProblemFault { robot, other, step, what });
        }
        Ok(())
    }
}
