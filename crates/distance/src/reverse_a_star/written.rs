//! Reverse A* searches as words: how far they have come, or what they have met.

use giveway_core::heuristic::Metric;
use giveway_core::{Fuel, Garbled, SpaceGraph, WordReader, Words};

use super::ReverseAStar;
use crate::flood::Flood;
use crate::view::View;

impl<S: SpaceGraph, M: Metric<S>> ReverseAStar<S, M> {
    /// Appends the search to `words`: all of it, or, if `is_brief`, how far it has come.
    pub(in super::super) fn write_to(&self, words: &mut Words, is_brief: bool) {
        words.word(self.aim.0.into());
        words.flag(self.begun);
        words.size(self.first_closed.map_or(0, |closed| closed + 1));
        words.size(self.tolerance);
        words.word(self.expanded);
        words.size(self.flood.closed());
        if is_brief {
            words.size(self.flood.bytes());
        } else if self.begun {
            self.flood.write_to(words);
        }
    }

    /// Becomes the search that was written; it has not begun.
    pub(in super::super) fn read_from(
        &mut self,
        space: &impl View<S>,
        words: &mut WordReader<'_>,
        is_brief: bool,
    ) -> Result<(), Garbled> {
        let bound = space.node_bound();
        // The agent that asked may stand anywhere.
        self.aim = words.node(bound.max(1))?;
        let begun = words.flag()?;
        self.first_closed = words.at_most(usize::MAX)?.checked_sub(1);
        self.tolerance = words.at_most(usize::MAX)?.max(1);
        let expanded = words.tally()?;
        let closed = words.at_most(bound)?;
        let bytes = if is_brief { words.at_most(usize::MAX)? } else { 0 };
        if begun && is_brief {
            self.begin(space);
            for _ in 0..closed {
                if !self.close(space, &mut Fuel::unlimited()).is_ok_and(|closed| closed) {
                    return Err(Garbled::new("a search that comes as far"));
                }
            }
            if self.flood.bytes() != bytes {
                self.flood.look();
            }
        } else if begun {
            (self.flood, self.begun) = (Flood::read_from(words, bound)?, true);
        }
        self.expanded = expanded;
        Ok(())
    }
}
