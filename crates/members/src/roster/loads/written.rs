//! Loads as words.

use giveway_core::{Garbled, Tick, WordReader, Words};

use super::{FARTHEST, Loads};

impl Loads {
    /// Appends the loads to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        words.word(self.first.into());
        words.size(self.turns.len());
        words.series(self.turns.iter().copied());
    }

    /// Reads loads.
    pub(crate) fn read_from(now: Tick, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut loads = Self { first: words.word_32()?, ..Self::default() };
        let count = words.at_most(FARTHEST as usize + 1)?;
        let mut total = 0_u64;
        words.series(count, |turns| {
            loads.turns.push_back(turns);
            total += u64::from(turns);
            Ok(())
        })?;
        if loads.first > now || total > u64::from(u32::MAX / 2) {
            return Err(Garbled::new("turns at the next ticks"));
        }
        #[allow(clippy::cast_possible_truncation)] // the line before
        {
            loads.total = total as u32;
        }
        Ok(loads)
    }
}
