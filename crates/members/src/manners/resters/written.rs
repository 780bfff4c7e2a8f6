//! Resters as words.

use giveway_core::{AgentId, CellId, Garbled, Tick, WordReader, Words};

use super::Resters;

impl Resters {
    /// Appends the resters to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        let mut all: Vec<(CellId, (Tick, AgentId))> = self.from.iter().map(|(cell, rest)| (*cell, *rest)).collect();
        all.sort_unstable();
        words.size(all.len());
        words.series(all.iter().map(|(cell, _)| cell.0));
        for (_, (from, agent)) in all {
            words.difference(now, from);
            words.word(agent.0.into());
        }
    }

    /// Reads resters in cells below `bound`.
    pub fn read_from(now: Tick, bound: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let count = words.at_most(bound)?;
        let mut cells = Vec::new();
        words.series(count, |cell| {
            cells.push(CellId(cell));
            if (cell as usize) < bound { Ok(()) } else { Err(Garbled::new("a cell of the world")) }
        })?;
        let mut resters = Self::default();
        for cell in cells {
            let (from, agent) = (words.difference(now)?, AgentId(words.word_32()?));
            resters.note(agent, from, &[cell]);
        }
        Ok(resters)
    }

    /// Whether both say the same.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.from == other.from
    }
}
