//! The division of a plain grid as words.

use giveway_core::{Garbled, SpaceGraph, WordReader, Words};

use super::{Sectors, TileDivision, TileOrder, WindowSearch, tiles_of};

impl TileDivision {
    /// Appends the sectors, and the work that is not paid for.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        self.order.parts().into_iter().for_each(|part| words.word(part.into()));
        self.sectors.write_to(words);
        self.windows.write_to(words);
    }

    /// Reads a division of a grid of the size of `space`.
    pub(in super::super) fn read_from<S: SpaceGraph>(space: &S, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let tiles = tiles_of(space).map(|(tiles, _)| tiles);
        let parts = [words.word_32()?, words.word_32()?, words.word_32()?];
        let order = TileOrder::of(parts).ok_or(Garbled::new("an order of tiles"))?;
        // A space that has lost its tiles had no more of them than cells.
        let most = tiles.map_or(space.node_bound(), |tiles| tiles.open().len());
        let sectors = Sectors::read_from(words, most)?;
        Ok(Self { sectors, windows: WindowSearch::read_from(words)?, goals: Vec::new(), order })
    }

    /// Sets the work that is not paid for to what it is in `other`.
    pub(in super::super) fn owe_as(&mut self, other: &Self) {
        self.sectors.owe_as(&other.sectors);
        self.windows = other.windows.fresh();
    }
}
