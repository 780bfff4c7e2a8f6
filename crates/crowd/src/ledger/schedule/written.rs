//! Schedules as words.

use giveway_core::{CellId, Garbled, NodeId, Tick, WordReader, Words};

use super::{Rest, Schedule};
use giveway_members::chain::Kind;
use giveway_members::leg::{Before, Leg};

impl Schedule {
    /// Appends the schedule to `words`, but for its rank. `at`: where the agent is.
    pub(crate) fn write_to(&self, now: Tick, at: NodeId, words: &mut Words) {
        Kind::write(self.by, words);
        words.size(self.legs.len());
        let mut before = Before(at, now);
        for leg in &self.legs {
            before = leg.write_to(before, words);
        }
        words.word(self.next.into());
        words.flag(self.rest.is_some());
        if let Some(Rest { from, cells }) = &self.rest {
            words.difference(before.1, *from);
            words.size(cells.len());
            words.series(cells.iter().map(|cell| cell.0));
        }
    }

    /// Reads a schedule over nodes below `bound` and cells below `cells`, without a rank.
    pub(crate) fn read_from(
        now: Tick,
        at: NodeId,
        [bound, cells]: [usize; 2],
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let by = Kind::read(words)?;
        let mut legs: Vec<Leg> = Vec::new();
        let mut before = Before(at, now);
        for _ in 0..words.count()? {
            let leg = Leg::read_from(before, bound, words)?;
            before = Before(leg.to, leg.arrive);
            legs.push(leg);
        }
        let next = words.at_most(legs.len())?;
        let rest = if words.flag()? {
            let from = words.difference(before.1)?;
            let count = words.at_most(cells)?;
            let mut held = Vec::new();
            words.series(count, |cell| {
                held.push(CellId(cell));
                if (cell as usize) < cells { Ok(()) } else { Err(Garbled::new("a cell of the world")) }
            })?;
            Some(Rest { from, cells: held.into() })
        } else {
            None
        };
        let mut plan = Self::new(legs, rest);
        plan.by = by;
        plan.pass(now);
        // Legs of a sleeper pass once it is awake.
        if next > plan.next as usize {
            return Err(Garbled::new("a plan from now on"));
        }
        #[allow(clippy::cast_possible_truncation)] // at most what it is
        {
            plan.next = next as u32;
        }
        plan.front = plan.legs.get(next).copied();
        Ok(plan)
    }

    /// All legs, also those that have passed.
    pub(in super::super) fn all_legs(&self) -> &[Leg] {
        &self.legs
    }
}
