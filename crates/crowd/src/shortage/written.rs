//! Shortages as words.

use giveway_core::{Garbled, WordReader, Words};

use super::Shortage;
use crate::spell::Spell;

impl Shortage {
    /// Appends the shortage to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        [self.cost, self.worth, self.work, self.excess].into_iter().for_each(|work| words.word(work));
        words.size(self.deferred);
        for Spell { until, times } in [self.short, self.plain] {
            [until, times].into_iter().for_each(|number| words.word(number.into()));
        }
        [self.steps_until, self.strain].into_iter().for_each(|number| words.word(number.into()));
    }

    /// Reads a shortage.
    pub(crate) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let spell = |words: &mut WordReader<'_>| Ok(Spell { until: words.word_32()?, times: words.word_32()? });
        Ok(Self {
            cost: words.word()?,
            worth: words.word()?,
            work: words.word()?,
            excess: words.word()?,
            deferred: words.word_32()? as usize,
            // Windows are counted anew at each tick.
            found: 0,
            short: spell(words)?,
            plain: spell(words)?,
            steps_until: words.word_32()?,
            strain: words.word_32()?,
        })
    }
}
