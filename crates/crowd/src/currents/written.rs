//! Currents as words.

use giveway_core::{AgentId, Garbled, WordReader, Words};

use super::{Currents, Found, Trial};
use crate::spell::Spell;
use giveway_members::world::currents::Current;

impl Currents {
    /// Appends the currents to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        words.size(self.found.len());
        for Found { current, flows, spell: Spell { until, times } } in &self.found {
            current.write_to(words);
            [*until, *times].into_iter().for_each(|number| words.word(number.into()));
            words.flag(*flows);
        }
        words.flag(self.trial.is_some());
        if let Some(Trial { current, along, against, detour }) = &self.trial {
            current.write_to(words);
            [along.0, against.0].into_iter().for_each(|agent| words.word(agent.into()));
            words.flag(detour.is_some());
            detour.iter().for_each(|detour| words.number(*detour));
        }
    }

    /// Reads currents.
    pub(crate) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut found = Vec::new();
        for _ in 0..words.count()? {
            let current = Current::read_from(words)?;
            let spell = Spell { until: words.word_32()?, times: words.word_32()? };
            found.push(Found { current, flows: words.flag()?, spell });
        }
        let trial = if words.flag()? {
            let current = Current::read_from(words)?;
            let [along, against] = [AgentId(words.word_32()?), AgentId(words.word_32()?)];
            let detour = if words.flag()? { Some(words.number()?) } else { None };
            Some(Trial { current, along, against, detour })
        } else {
            None
        };
        Ok(Self { found, trial })
    }
}
