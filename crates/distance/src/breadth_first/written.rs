//! Breadth-first searches as words: how far they have come, or what they have seen.

use giveway_core::origins::Tiles;
use giveway_core::paged::Paged;
use giveway_core::{Fuel, Garbled, NodeId, WordReader, Words};

use super::{BreadthFirst, FAR};
use crate::credit::Credit;
use crate::frontier::Frontier;
use crate::tile_search::Tiled;

impl BreadthFirst {
    /// Whether another search in the same space comes to the same by as many expansions. `tiles`: of the space.
    pub(in super::super) fn can_be_repeated(&self, tiles: Option<Tiles<'_>>, bound: usize) -> bool {
        let has_tiles = tiles.is_some_and(|tiles| tiles.count() <= 2 * bound);
        !self.is_begun() || self.label != FAR && self.tiled.is_some() == has_tiles
    }

    /// Appends how far it has come.
    pub(in super::super) fn write_progress(&self, words: &mut Words) {
        words.word(self.expanded);
        words.word(self.level.into());
        words.word(self.credit.pieces());
        words.flag(self.frontier.nodes().is_empty());
    }

    /// Comes as far as the search that [was written](Self::write_progress). It must have begun, unless that one had
    /// not. `see_around`: sees the nodes from which moves lead to a node.
    pub(in super::super) fn come_as_far(
        &mut self,
        words: &mut WordReader<'_>,
        tiles: Option<Tiles<'_>>,
        bound: usize,
        mut see_around: impl FnMut(&mut Self, NodeId),
    ) -> Result<(), Garbled> {
        let expanded = words.tally()?;
        let level = words.word_32()?;
        let credit = Credit::of(words.word()?);
        let is_empty = words.flag()?;
        let fuel = &mut Fuel::unlimited();
        if let Some(tiles) = self.goes_by_tiles(tiles, bound) {
            while self.level < level && self.step(tiles, fuel, usize::MAX).is_ok_and(|goes_on| goes_on) {}
            if let Some(tiled) = &mut self.tiled {
                let left = expanded.saturating_sub(self.expanded);
                tiled.paid = left.min(tiled.cells().saturating_sub(1));
                self.expanded += tiled.paid;
            }
        } else {
            while self.expanded < expanded && self.advance() {
                if let Ok(Some(node)) = self.expand_next(fuel, usize::MAX) {
                    see_around(self, node);
                }
            }
            if self.level < level || is_empty {
                self.advance();
            }
        }
        self.credit = credit;
        let is_as_far = (self.expanded, self.level, self.frontier.nodes().is_empty()) == (expanded, level, is_empty);
        if is_as_far { Ok(()) } else { Err(Garbled::new("a search that comes as far")) }
    }

    /// Appends all of it.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.word(self.expanded);
        words.word(self.level.into());
        words.word(self.credit.pieces());
        words.flag(self.tiled.is_some());
        if let Some(tiled) = &self.tiled {
            return tiled.write_to(words);
        }
        self.near.write_numbers_to(words);
        self.far.write_numbers_to(words);
        words.nodes(self.frontier.nodes());
        words.size(self.next);
        words.nodes(self.coming.nodes());
    }

    /// Reads a search over nodes below `bound`.
    pub(in super::super) fn read_from(words: &mut WordReader<'_>, bound: usize) -> Result<Self, Garbled> {
        let mut search = Self::new();
        search.expanded = words.tally()?;
        search.level = words.word_32()?;
        search.label = u16::try_from(search.level).unwrap_or(FAR);
        search.credit = Credit::of(words.word()?);
        if words.flag()? {
            let tiled = Tiled::read_from(words, bound)?;
            let is_beyond = tiled.nodes().any(|node| node.index() >= bound);
            if is_beyond || tiled.has_label_from(FAR) {
                return Err(Garbled::new("a search in tiles that is not far"));
            }
            search.frontier_bytes = tiled.bytes();
            search.tiled = Some(tiled);
            return Ok(search);
        }
        search.near = Paged::<u16>::read_numbers_from(words, bound)?;
        search.far = Paged::<u32>::read_numbers_from(words, bound)?;
        let frontier = |words: &mut WordReader<'_>| {
            let mut frontier = Frontier::default();
            frontier.extend(words.nodes(bound, bound)?.into_iter());
            Ok(frontier)
        };
        search.frontier = frontier(words)?;
        search.next = words.at_most(search.frontier.nodes().len())?;
        search.coming = frontier(words)?;
        search.frontier_bytes = size_of_val(search.frontier.nodes());
        let is_far = |node: NodeId| search.near.get(node.index()) == FAR && search.far.get(node.index()) == 0;
        if NodeId::below(bound).any(is_far) {
            return Err(Garbled::new("the label of a node that is far"));
        }
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_in_tiles_of_another_grid_goes_on_by_lists_and_is_saved_again() {
        // 16 x 6 and 24 x 4 cells, all of which are open, in one row of tiles.
        let [six, four] = [(1 << 48) - 1, (1 << 32) - 1];
        let [narrow, wide] = [[six, six, 0, 0], [four, four, four, 0]];
        let [narrow, wide] = [Tiles::new(16, 3, &narrow[..3]), Tiles::new(24, 4, &wide)];
        let written = |search: &BreadthFirst| {
            let mut words = Words::new();
            search.write_to(&mut words);
            words.into_bytes()
        };
        let mut search = BreadthFirst::new();
        search.begin(96, [NodeId(0)].into_iter(), Some(narrow), &mut Fuel::unlimited(), usize::MAX).unwrap();
        let words = written(&search);
        for (tiles, is_kept) in
            [(Some(narrow), true), (Some(wide), false), (Some(narrow.poses()), false), (None, false)]
        {
            // The grid may be without tiles when the search is read, and have them again later.
            let mut read = BreadthFirst::read_from(&mut WordReader::new(&words), 96).unwrap();
            assert_eq!(written(&read), words);
            assert_eq!(read.goes_by_tiles(tiles, 96).is_some(), is_kept);
            assert_eq!((read.tiled.is_some(), read.steps(NodeId(0))), (is_kept, Some(0)));
            let again = written(&read);
            assert!(BreadthFirst::read_from(&mut WordReader::new(&again), 96).is_ok());
        }
    }
}
