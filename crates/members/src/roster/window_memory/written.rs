//! The memory of windows as words.

use giveway_core::{Garbled, WordReader, Words};

use super::{MOST_HALVINGS, WindowMemory};

impl WindowMemory {
    /// Appends the memory to `words`.
    pub fn write_to(&self, words: &mut Words) {
        words.word(self.halvings.into());
        words.flag(self.is_thrifty);
        words.flag(self.is_stopped);
        words.word(self.failed.into());
    }

    /// Reads a memory.
    pub fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let halvings = words.word_32()?;
        if halvings > MOST_HALVINGS {
            return Err(Garbled::new("fewer halvings"));
        }
        Ok(Self { halvings, is_thrifty: words.flag()?, is_stopped: words.flag()?, failed: words.word_32()? })
    }
}
