//! Shortages as words.

use giveway_core::{Garbled, WordReader, Words};

use super::Shortage;

impl Shortage {
    /// Appends the shortage to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        [self.cost, self.worth, self.work, self.excess].into_iter().for_each(|work| words.word(work));
        words.size(self.deferred);
        [self.until, self.times, self.steps_until].into_iter().for_each(|number| words.word(number.into()));
    }

    /// Reads a shortage.
    pub(crate) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        Ok(Self {
            cost: words.word()?,
            worth: words.word()?,
            work: words.word()?,
            excess: words.word()?,
            deferred: words.word_32()? as usize,
            until: words.word_32()?,
            times: words.word_32()?,
            steps_until: words.word_32()?,
        })
    }
}
