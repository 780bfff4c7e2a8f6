//! Whether what robots have done is allowed: by the map and the actions alone.

use std::collections::HashMap;
use std::fmt;

use super::Problem;
use super::log::{ProblemAction, ProblemLog};

/// Something that robots have done against the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProblemFault {
    /// The robot.
    pub robot: usize,
    /// The other robot, if it takes two.
    pub other: Option<usize>,
    /// With which step it happened, from 1.
    pub step: u32,
    /// What happened, in the words of the competition where it has some.
    pub what: &'static str,
}

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
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pose {
    place: u32,
    heading: u32,
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

/// All faults of `log`, by step.
pub(super) fn faults(log: &ProblemLog<'_>) -> Vec<ProblemFault> {
    let problem = log.problem;
    let mut faults = Vec::new();
    let mut poses: Vec<Pose> = problem.starts().iter().map(|place| Pose { place: *place, heading: 0 }).collect();
    // Per robot, its finished errands that have not been looked at.
    let mut errands: Vec<_> = log.errands.iter().map(|errands| errands.iter().peekable()).collect();
    let steps = log.actions.iter().map(Vec::len).max().unwrap_or(0);
    for (at, step) in (0..steps).zip(1_u32..) {
        let mut fault = |robot, other, what| faults.push(ProblemFault { robot, other, step, what });
        let before: Vec<u32> = poses.iter().map(|pose| pose.place).collect();
        for (robot, (pose, actions)) in poses.iter_mut().zip(&log.actions).enumerate() {
            let action = actions.get(at).copied().unwrap_or(ProblemAction::Wait);
            match after(problem, *pose, action, log.turning) {
                Some(next) => *pose = next,
                None => fault(robot, None, "unallowed move"),
            }
        }
        let mut here: HashMap<u32, usize> = HashMap::with_capacity(poses.len());
        for (robot, pose) in poses.iter().enumerate() {
            if let Some(other) = here.insert(pose.place, robot) {
                fault(other, Some(robot), "vertex conflict");
            }
        }
        for (robot, (pose, from)) in poses.iter().zip(&before).enumerate() {
            // The one who is now where this robot came from.
            let other = here.get(from).copied().filter(|other| *other > robot && pose.place != *from);
            if let Some(other) = other.filter(|other| before.get(*other) == Some(&pose.place)) {
                fault(robot, Some(other), "edge conflict");
            }
        }
        for (robot, (pose, errands)) in poses.iter().zip(&mut errands).enumerate() {
            while let Some(errand) = errands.next_if(|errand| errand.finished == Some(step)) {
                if errand.errand.place != pose.place {
                    fault(robot, None, "errand finished elsewhere");
                }
            }
        }
    }
    // Whatever is left was finished before it could be, or not at all.
    for (robot, mut errands) in errands.into_iter().enumerate() {
        if let Some(step) = errands.find_map(|errand| errand.finished) {
            faults.push(ProblemFault { robot, other: None, step, what: "errand finished elsewhere" });
        }
    }
    faults
}
