//! Floods as words.

use giveway_core::open_list::{OpenList, Ties};
use giveway_core::paged::Paged;
use giveway_core::{Cost, Fuel, Garbled, WordReader, Words};

use super::{Flood, Record};

impl<C: Cost> Flood<C> {
    /// Appends all of it to `words`.
    pub(crate) fn write_to(&self, words: &mut Words) {
        words.nodes(&self.records.iter().map(|record| record.node).collect::<Vec<_>>());
        for record in &self.records {
            words.cost(record.g);
            words.cost(record.h);
            words.flag(record.closed);
        }
        self.open.write_to(words, |words, (g, slot)| {
            words.cost(g);
            words.word(slot.into());
        });
    }

    /// Reads a flood over nodes below `bound`.
    pub(crate) fn read_from(words: &mut WordReader<'_>, bound: usize) -> Result<Self, Garbled> {
        let mut flood =
            Self { bound, slots: Paged::new(), records: Vec::new(), open: OpenList::small(Ties::Farthest), closed: 0 };
        flood.slots.reset(bound);
        for node in words.nodes(bound, bound)? {
            #[allow(clippy::cast_possible_truncation)] // there are no more records than nodes
            let slot = flood.records.len() as u32 + 1;
            let known = flood.slots.get_mut(node.index()).filter(|known| **known == 0);
            *known.ok_or(Garbled::new("nodes that differ"))? = slot;
            flood.records.push(Record { node, g: C::zero(), h: C::zero(), closed: false });
        }
        for record in &mut flood.records {
            (record.g, record.h, record.closed) = (words.cost()?, words.cost()?, words.flag()?);
            flood.closed += usize::from(record.closed);
        }
        let records = flood.records.len();
        flood.open = OpenList::read_from(Ties::Farthest, words, |words| {
            #[allow(clippy::cast_possible_truncation)] // as above
            Ok((words.cost()?, words.below(records)? as u32))
        })?;
        Ok(flood)
    }

    /// Puts what is open in order, as a search does that then has no fuel.
    pub(crate) fn look(&mut self) {
        let _ = self.close_next(&mut Fuel::none());
    }
}
