//! Windows on pieces as words.

use giveway_core::{Cost, Garbled, WordReader, Words};

use super::{Window, WindowSearch};

impl<C: Cost> Window<C> {
    /// Appends all of it to `words`.
    pub(in super::super::super) fn write_to(&self, words: &mut Words) {
        words.size(self.pieces.len());
        words.series(self.pieces.iter().copied());
        self.seen.iter().for_each(|(seen, _)| words.bits(*seen));
        self.costs.iter().for_each(|cost| words.cost(*cost));
        words.cost(self.beyond);
        words.flag(self.is_last);
        words.cost(self.least);
    }

    /// Reads a window.
    pub(in super::super::super) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let count = words.count()?;
        let mut pieces: Vec<u32> = Vec::with_capacity(count);
        words.series(count, |piece| {
            let in_order = pieces.last().is_none_or(|last| *last < piece);
            pieces.push(piece);
            if in_order { Ok(()) } else { Err(Garbled::new("pieces in order")) }
        })?;
        let mut seen = Vec::with_capacity(count);
        let mut costs = 0_u32;
        for _ in 0..count {
            let bits = words.bits()?;
            seen.push((bits, costs));
            costs = costs.saturating_add(bits.count_ones());
        }
        if costs as usize > words.bytes_left() {
            return Err(Garbled::new("more words"));
        }
        let costs = (0..costs).map(|_| words.cost()).collect::<Result<Vec<C>, Garbled>>()?;
        Ok(Self { pieces, seen, costs, beyond: words.cost()?, is_last: words.flag()?, least: words.cost()? })
    }
}

impl<C: Cost> WindowSearch<C> {
    /// Appends the work that is not paid for.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.word(self.passed);
    }

    /// Reads the work that is not paid for.
    pub(in super::super) fn read_from(words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        Ok(Self { passed: words.word_32()?.into(), ..Self::default() })
    }
}
