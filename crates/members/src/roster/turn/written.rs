//! Turns as words.

use giveway_core::{Garbled, Tick, WordReader, Words};

use super::Turn;

impl Turn {
    /// Appends the turn to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        let Self { due, next, place, tried, knows_since } = self;
        for tick in [due, next, tried, knows_since] {
            words.flag(tick.is_some());
            tick.iter().for_each(|tick| words.difference(now, *tick));
        }
        words.word((*place).into());
    }

    /// Reads a turn.
    pub fn read_from(now: Tick, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut tick = || Ok(if words.flag()? { Some(words.difference(now)?) } else { None });
        let (due, next, tried, knows_since) = (tick()?, tick()?, tick()?, tick()?);
        if knows_since.max(tried) > Some(now) {
            return Err(Garbled::new("a tick that has passed"));
        }
        Ok(Self { due, next, place: words.word_32()?, tried, knows_since })
    }
}
