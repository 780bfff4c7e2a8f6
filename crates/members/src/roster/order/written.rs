//! Orders as words.

use giveway_core::{Garbled, Tick, WordReader, Words};

use super::{Errand, Order};

impl Order {
    /// Appends the order to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        words.word(match self.errand {
            Errand::StandBy => 0,
            Errand::Go => 1,
            Errand::Share => 2,
        });
        words.goals(&self.goals);
        words.entries(now, &self.claimed);
        words.flag(self.arrived);
    }

    /// Reads an order to nodes below `bound` in cells below `cells`.
    pub fn read_from(now: Tick, [bound, cells]: [usize; 2], words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let errand = match words.word()? {
            0 => Errand::StandBy,
            1 => Errand::Go,
            2 => Errand::Share,
            _ => return Err(Garbled::new("an errand")),
        };
        let goals = words.goals(bound)?;
        if goals.nodes().is_empty() {
            return Err(Garbled::new("an order with a goal"));
        }
        let claimed = words.entries(now, cells)?;
        let mut order = Self::new(errand);
        order.give(errand, goals, claimed);
        order.set_arrived(words.flag()?);
        Ok(order)
    }
}
