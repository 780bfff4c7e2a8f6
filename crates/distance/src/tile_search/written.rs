//! Searches in tiles as words.

use giveway_core::origins::TileOrder;
use giveway_core::paged::Paged;
use giveway_core::{Garbled, WordReader, Words};

use super::{LATE, Labels, Tiled};

impl Tiled {
    /// Appends all of it to `words`.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        self.order.parts().into_iter().for_each(|part| words.word(part.into()));
        words.size(self.seen.len());
        let seen = self.seen.iter().zip(0_u32..).filter(|([seen, _], _)| *seen != 0);
        words.size(seen.clone().count());
        words.series(seen.clone().map(|(_, board)| board));
        seen.for_each(|([seen, _], _)| words.bits(*seen));
        self.labels.write_to(words, |words, page| {
            for [first, behind @ ..] in page {
                words.word(*first);
                words.flag(*behind != [0; 5]);
                if *behind != [0; 5] {
                    behind.iter().for_each(|word| words.bits(*word));
                }
            }
        });
        words.size(self.frontier.len());
        for (board, cells) in &self.frontier {
            words.word((*board).into());
            words.bits(*cells);
        }
        words.size(self.coming.len());
        words.word(self.cells);
        words.word(self.paid);
        self.late.write_numbers_to(words);
    }

    /// Reads a search over nodes below `bound`. The tiles may be others than the space has: they are not known while an
    /// area is vacated.
    pub(in super::super) fn read_from(words: &mut WordReader<'_>, bound: usize) -> Result<Self, Garbled> {
        let order = TileOrder::of([words.word_32()?, words.word_32()?, words.word_32()?]);
        let order = order.ok_or(Garbled::new("an order of tiles"))?;
        let boards = words.at_most(2 * bound / 64 + 1)?;
        let mut seen = vec![[0; 2]; boards];
        for board in words.nodes(boards, boards)? {
            seen[board.index()][0] = 1;
        }
        for [seen, _] in seen.iter_mut().filter(|[seen, _]| *seen != 0) {
            *seen = words.bits()?;
        }
        let labels = Paged::<Labels, 8>::read_from(words, boards, |words, page| {
            for [first, behind @ ..] in page {
                *first = words.at_most(u16::MAX.into())? as u64;
                if words.flag()? {
                    for word in behind {
                        *word = words.bits()?;
                    }
                }
            }
            Ok(())
        })?;
        let mut frontier = Vec::new();
        for _ in 0..words.count()? {
            #[allow(clippy::cast_possible_truncation)] // there are fewer boards than nodes
            frontier.push((words.below(boards)? as u32, words.bits()?));
        }
        let coming = vec![0; words.at_most(boards + 1)?];
        let cells = words.tally()?;
        let paid = words.word()?;
        if paid > cells {
            return Err(Garbled::new("what is paid for among the cells"));
        }
        let late = Paged::<u16>::read_numbers_from(words, boards * 64)?;
        Ok(Self { seen, labels, frontier, coming, order, cells, paid, late })
    }

    /// Whether some label is `label` or more.
    pub(in super::super) fn has_label_from(&self, label: u16) -> bool {
        let most = u64::from(label.saturating_sub(LATE));
        let may_have = |board: usize| self.labels.find(board).is_some_and(|labels| labels[super::FIRST] > most);
        let boards = self.seen.iter().zip(0_u32..);
        let mut nodes = boards
            .filter(|(_, board)| self.late.bytes() > 0 || may_have(*board as usize))
            .flat_map(|([seen, _], board)| self.order.nodes(board, *seen));
        nodes.any(|node| self.label(node) >= label)
    }
}
