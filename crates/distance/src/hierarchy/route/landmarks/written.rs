//! Landmarks as words.

use std::sync::Arc;

use giveway_core::{Garbled, WordReader, Words};

use super::{Landmarks, MOST, NONE};

impl Landmarks {
    /// Appends all that was found, and how far the search for the next landmark has come.
    pub(in super::super::super) fn write_to(&self, words: &mut Words) {
        words.size(self.found);
        words.size(self.lengths.len());
        for place in 0..self.found.min(MOST) {
            // No length takes a byte at most places, as much as a length that differs little.
            words.series(self.lengths.iter().map(|lengths| lengths[place].wrapping_add(1)));
        }
        words.option(self.farthest);
        words.word(self.wasted);
        words.word(self.slice);
        words.flag(self.next.is_some());
        if let Some((landmark, popped)) = self.next() {
            words.word(landmark.into());
            words.word(popped);
        }
    }

    /// Reads landmarks of at most so many `sectors`, and how far the search for the next one had come:
    /// [`come_as_far`](Self::come_as_far).
    pub(in super::super::super) fn read_from(
        words: &mut WordReader<'_>,
        sectors: usize,
    ) -> Result<(Self, Next), Garbled> {
        let found = words.at_most(u32::MAX as usize)?;
        let mut lengths = vec![[NONE; MOST]; words.at_most(sectors)?];
        for place in 0..found.min(MOST) {
            let mut at = lengths.iter_mut();
            words.series(at.len(), |length| {
                at.next().into_iter().for_each(|lengths| lengths[place] = length.wrapping_sub(1));
                Ok(())
            })?;
        }
        let farthest = words.option()?.filter(|farthest| (*farthest as usize) < sectors);
        let (wasted, slice) = (words.tally()?, words.tally()?);
        let next = if words.flag()? { Some((words.word_32()?, words.word()?)) } else { None };
        let landmarks = Self { lengths: Arc::new(lengths), found, farthest, wasted, slice, ..Self::default() };
        Ok((landmarks, next))
    }
}

/// The landmark that is looked for, and how many sectors its search has taken from the open list.
type Next = Option<(u32, u64)>;
