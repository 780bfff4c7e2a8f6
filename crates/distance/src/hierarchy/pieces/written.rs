//! The division of a space into pieces as words.

use giveway_core::{Garbled, SpaceGraph, WordReader, Words};

use super::{Atlas, PieceDivision, WindowSearch};

impl<S: SpaceGraph> PieceDivision<S> {
    /// Appends the pieces, and the work that is not paid for.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.number(self.rate);
        words.flag(self.is_uniform);
        self.atlas.write_to(words);
        self.windows.write_to(words);
    }

    /// Becomes the division of `space` that was written.
    pub(in super::super) fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.rate = words.real()?;
        self.is_uniform = words.flag()?;
        let atlas = Atlas::read_from(space, || self.predecessors_in(space), words)?;
        self.atlas = atlas;
        self.windows = WindowSearch::read_from(words)?;
        self.goals.clear();
        self.wanted = std::iter::empty().collect();
        Ok(())
    }

    /// Sets the work that is not paid for to what it is in `other`.
    pub(in super::super) fn owe_as(&mut self, other: &Self) {
        self.atlas.owe_as(&other.atlas);
        self.windows = other.windows.fresh();
    }
}
