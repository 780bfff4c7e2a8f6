//! Which robot gets which task, and when.

use giveway_core::{Garbled, WordReader, Words};

use super::head::TaskAssignment;
use super::world::Problem;

/// A task that was given to a robot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errand {
    /// The number of the errand among all errands, from 0, in the order in which errands were given.
    pub number: u32,
    /// The place to which the robot is to go.
    pub place: u32,
}

/// Gives tasks to robots, one task after the other. A task that was given to a robot is an [`Errand`].
#[derive(Clone, Debug)]
pub struct Errands<'p> {
    problem: &'p Problem,
    /// Per robot, how many it has got.
    given: Vec<u64>,
    /// How many all have got.
    total: u32,
}

impl<'p> Errands<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        Self { problem, given: vec![0; problem.starts().len()], total: 0 }
    }

    /// Appends how many tasks each robot has got, for a save.
    pub fn write_to(&self, words: &mut Words) {
        self.given.iter().for_each(|given| words.word(*given));
        words.word(self.total.into());
    }

    /// Reads how many tasks each robot has got, as [written](Self::write_to) for an equal problem, and goes on from
    /// there.
    ///
    /// # Errors
    /// The words are of another number of robots, or their sum is wrong. Nothing has changed.
    pub fn read_from(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let given: Vec<u64> = self.given.iter().map(|_| words.tally()).collect::<Result<_, _>>()?;
        let total = words.word_32()?;
        let sum = given.iter().try_fold(0_u64, |sum, given| sum.checked_add(*given));
        if sum != Some(total.into()) {
            return Err(Garbled::new("as many errands as robots have got"));
        }
        (self.given, self.total) = (given, total);
        Ok(())
    }

    /// Gives the next errand to `robot`. The robot should have finished its last errand. `None`: there is no such
    /// robot, or no task is left for it. Under [`TaskAssignment::Greedy`], the order of the calls matters: within one
    /// step, ask for the robots in the order of their numbers.
    pub fn next(&mut self, robot: usize) -> Option<Errand> {
        let (robots, tasks) = (self.given.len() as u64, self.problem.tasks().len() as u64);
        let given = self.given.get_mut(robot)?;
        let in_turn = given.saturating_mul(robots).saturating_add(robot as u64);
        let task = match self.problem.assignment() {
            TaskAssignment::RoundRobin => in_turn.checked_rem(tasks)?,
            TaskAssignment::RoundRobinFixed => in_turn,
            TaskAssignment::Greedy => u64::from(self.total),
        };
        let place = *self.problem.tasks().get(usize::try_from(task).ok()?)?;
        let number = self.total;
        self.total = number.checked_add(1)?;
        *given += 1;
        Some(Errand { number, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapFile, PlacesFile, ProblemFile};

    #[test]
    fn a_sum_that_overflows_is_another_one() {
        let head = r#"{"mapFile": "a.map", "agentFile": "a.agents", "taskFile": "a.tasks",
            "teamSize": 20, "numTasksReveal": 1, "taskAssignmentStrategy": "greedy"}"#;
        let places: String = (0..20).map(|place| format!("{place}\n")).collect();
        let problem = Problem::new(
            &ProblemFile::parse(head, "a.json").unwrap(),
            MapFile::parse(format!("type octile\nheight 1\nwidth 20\nmap\n{}\n", ".".repeat(20)), "a.map").unwrap(),
            &PlacesFile::parse(format!("20\n{places}"), "a.agents").unwrap(),
            &PlacesFile::parse("1\n0\n", "a.tasks").unwrap(),
        )
        .unwrap();
        // 16 times 2^60 less 16, and 16: 2^64, which is 0 for whoever lets it overflow.
        let (most, rest) = ((1 << 60) - 1, 4);
        let mut words = Words::new();
        (0..16).for_each(|_| words.word(most));
        (0..4).for_each(|_| words.word(rest));
        words.word(0);
        let bytes = words.into_bytes();
        assert!(problem.errands().read_from(&mut WordReader::new(&bytes)).is_err());
        let none = vec![0; 21];
        assert!(problem.errands().read_from(&mut WordReader::new(&none)).is_ok());
    }
}
