//! Windows on tiles as words.

use giveway_core::{Garbled, WordReader, Words};

use super::{Labels, Window, WindowSearch};

/// Numbers of steps are less than this.
const MOST_STEPS: u32 = 1 << 30;

/// The labels of a board take at least this many bytes: all of them, but the first one, which may take a byte.
const LEAST_BYTES: usize = size_of::<Labels>() - size_of::<u64>() + 1;

impl Window {
    /// Appends all of it to `words`.
    pub(in super::super::super) fn write_to(&self, words: &mut Words) {
        words.size(self.boards.len());
        words.series(self.boards.iter().copied());
        for Labels { seen, first, more } in &*self.labels {
            words.bits(*seen);
            words.word(*first);
            more.iter().for_each(|word| words.bits(*word));
        }
        words.word(self.beyond.into());
        words.flag(self.is_last);
    }

    /// Reads a window.
    pub(in super::super::super) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let count = words.count()?;
        if words.bytes_left() / LEAST_BYTES < count {
            return Err(Garbled::new("labels for each board"));
        }
        let mut boards = Vec::with_capacity(count);
        words.series(count, |board| {
            let in_order = boards.last().is_none_or(|last| *last <= board);
            boards.push(board);
            if in_order { Ok(()) } else { Err(Garbled::new("boards in order")) }
        })?;
        let mut labels = Vec::with_capacity(count);
        for _ in 0..count {
            let (seen, first) = (words.bits()?, words.at_most(MOST_STEPS as usize)? as u64);
            let mut more = [0; super::BITS];
            for word in &mut more {
                *word = words.bits()?;
            }
            labels.push(Labels { seen, first, more });
        }
        let beyond = words.word_32()?;
        if beyond > MOST_STEPS {
            return Err(Garbled::new("a smaller number"));
        }
        Ok(Self { boards: boards.into(), labels: labels.into(), beyond, is_last: words.flag()? })
    }
}

impl WindowSearch {
    /// Appends the work that is not paid for.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.word(self.passed);
    }

    /// Reads the work that is not paid for.
    pub(in super::super) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        Ok(Self { passed: words.word_32()?.into(), ..Self::default() })
    }
}
