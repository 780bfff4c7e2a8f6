//! Jams as words.

use giveway_core::{AgentId, Garbled, WordReader, Words};

use super::{DOUBLINGS, Jam};

impl Jam {
    /// Appends the jam to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        words.word(self.wasted);
        words.word(self.until.into());
        words.word(self.plans.into());
        words.word(self.failures.into());
        words.word(self.since.into());
        for ordered in self.ordered.iter().rev() {
            let mut agents: Vec<AgentId> = ordered.iter().copied().collect();
            agents.sort_unstable();
            words.size(agents.len());
            words.series(agents.iter().map(|agent| agent.0));
        }
    }

    /// Reads a jam of agents with ids below `next_id`.
    pub(crate) fn read_from(next_id: u32, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut jam =
            Self { wasted: words.word()?, until: words.word_32()?, plans: words.word_32()?, ..Self::default() };
        jam.failures = words.word_32()?;
        if jam.failures > DOUBLINGS {
            return Err(Garbled::new("fewer failures"));
        }
        jam.since = words.word_32()?;
        for place in [1, 0] {
            let count = words.at_most(next_id as usize)?;
            words.series(count, |agent| {
                jam.note_order(AgentId(agent));
                if agent < next_id { Ok(()) } else { Err(Garbled::new("an agent that was added")) }
            })?;
            if jam.ordered[0].len() != count {
                return Err(Garbled::new("agents that differ"));
            }
            if place == 1 {
                jam.ordered.swap(0, 1);
                jam.hashes.swap(0, 1);
            }
        }
        Ok(jam)
    }
}
