//! The goals of a scenario that had to be moved.

use std::fmt;

use giveway::scenario::{MovedGoal, WhyMoved};

use crate::places::{Place, Places};
use crate::table::write_some;

/// The moved goals as text: a line for each of the first few; empty if there is none.
pub(crate) struct MovedGoals<'a>(pub(crate) &'a Places, pub(crate) &'a [MovedGoal]);

impl fmt::Display for MovedGoals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(places, moved) = self;
        if moved.is_empty() {
            return Ok(());
        }
        writeln!(f, "Goals that were moved:")?;
        write_some(f, moved.iter().map(|moved| MovedText(places, moved)), moved.len())
    }
}

struct MovedText<'a>(&'a Places, &'a MovedGoal);

impl fmt::Display for MovedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(places, MovedGoal { agent, from, to, why }) = self;
        write!(f, "{agent}: goal {} ", Place(places, *from))?;
        match why {
            WhyMoved::Wall => write!(f, "is a wall")?,
            WhyMoved::Taken { by } => write!(f, "is the goal of {by}")?,
            _ => write!(f, "cannot be reached")?,
        }
        write!(f, "; it goes to {} instead", Place(places, *to))
    }
}
