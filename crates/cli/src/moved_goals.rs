//! The agents of a scenario, and the goals that had to be moved.

use std::fmt;

use anyhow::Result;
use giveway::Agent;
use giveway::scenario::{MovedGoal, Scenario, WhyMoved};
use giveway::spaces::Grid;

use crate::places::{Place, Places};
use crate::table::write_some;

/// The first `count` agents of `scenario` on `grid`; with `nearest`, unsuitable goals are moved.
pub(crate) fn agents(
    scenario: &Scenario,
    count: u32,
    grid: &Grid,
    nearest: bool,
) -> Result<(Vec<Agent>, Option<MovedGoals>)> {
    let count = count as usize;
    if !nearest {
        return Ok((scenario.agents(count, grid)?, None));
    }
    let (agents, moved) = scenario.agents_near(count, grid)?;
    Ok((agents, Some(MovedGoals { places: Places::Cells(grid.clone()), moved })))
}

/// The moved goals as text: a line for each of the first few; empty if there is none.
pub(crate) struct MovedGoals {
    places: Places,
    moved: Vec<MovedGoal>,
}

impl MovedGoals {
    pub(crate) fn count(&self) -> usize {
        self.moved.len()
    }
}

impl fmt::Display for MovedGoals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moved.is_empty() {
            return Ok(());
        }
        writeln!(f, "Goals that were moved:")?;
        write_some(f, self.moved.iter().map(|moved| MovedText(&self.places, moved)), self.moved.len())
    }
}

struct MovedText<'a>(&'a Places, &'a MovedGoal);

impl fmt::Display for MovedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(places, MovedGoal { agent, from, to, why }) = self;
        write!(f, "{agent}: goal {} ", Place(places, *from))?;
        match why {
            WhyMoved::Wall => write!(f, "is a wall")?,
            WhyMoved::Taken { by } => write!(f, "is that of {by}")?,
            _ => write!(f, "cannot be reached")?,
        }
        write!(f, "; it goes to {} instead", Place(places, *to))
    }
}
