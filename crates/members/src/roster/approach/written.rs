//! Approaches as words.

use giveway_core::{Garbled, Tick, WordReader, Words};

use super::Approach;
use crate::roster::read_past;

impl Approach {
    /// Appends the approach to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        words.number(self.nearest);
        words.number(self.nearest_ever);
        words.word(self.epoch);
        words.flag(self.is_up_to_date);
        words.flag(!self.expected.is_nan());
        if !self.expected.is_nan() {
            words.number(self.expected);
        }
        for tick in [self.nearer_at, self.since, self.as_of] {
            words.difference(tick, now);
        }
        words.flag(self.nearer);
        words.word(self.position.into());
        words.flag(self.home_since.is_some());
        self.home_since.iter().for_each(|tick| words.difference(*tick, now));
    }

    /// Reads an approach to be served by one of `planners` planners.
    pub fn read_from(now: Tick, planners: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let (nearest, nearest_ever, epoch) = (words.real()?, words.real()?, words.word()?);
        let is_up_to_date = words.flag()?;
        let expected = if words.flag()? { words.real()? } else { f64::NAN };
        let mut past = || read_past(now, words);
        let (nearer_at, since, as_of) = (past()?, past()?, past()?);
        let nearer = words.flag()?;
        #[allow(clippy::cast_possible_truncation)] // a chain is not that long
        let position = words.below(planners)? as u32;
        let home_since = if words.flag()? { Some(read_past(now, words)?) } else { None };
        Ok(Self {
            nearest,
            nearest_ever,
            epoch,
            is_up_to_date,
            expected,
            nearer_at,
            since,
            nearer,
            position,
            home_since,
            as_of,
        })
    }
}
