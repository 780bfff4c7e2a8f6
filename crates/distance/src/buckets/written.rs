//! Searches by buckets as words: how far they have come, or what they have met.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::paged::Paged;
use giveway_core::{Cost, Garbled, NodeId, WordReader, Words};

use super::{Buckets, Entry, State};
use crate::credit::Credit;

impl<C: Cost> Buckets<C> {
    /// What tells whether a search has looked at the next node that it is going to expand.
    fn look(&self) -> (C, u64, usize, bool) {
        (self.final_to, self.first, self.entries, self.state == State::Exhausted)
    }

    /// Appends how far it has come.
    pub(in super::super) fn write_progress(&self, words: &mut Words) {
        words.word(self.expanded);
        words.word(self.credit.pieces());
        let (final_to, first, entries, is_exhausted) = self.look();
        words.cost(final_to);
        words.word(first);
        words.size(entries);
        words.flag(is_exhausted);
    }

    /// Comes as far as the search that [was written](Self::write_progress). It must have begun, unless that one had
    /// not.
    pub(in super::super) fn come_as_far(
        &mut self,
        words: &mut WordReader<'_>,
        mut see_around: impl FnMut(&mut Self, NodeId, C),
    ) -> Result<(), Garbled> {
        let expanded = words.tally()?;
        let credit = Credit::of(words.word()?);
        let look = (words.cost()?, words.word()?, words.at_most(usize::MAX)?, words.flag()?);
        while self.expanded < expanded
            && let Some((cost, next)) = self.least()
        {
            self.final_to = cost;
            self.pop();
            self.expanded += 1;
            see_around(self, next, cost);
        }
        if self.is_begun() && self.look() != look {
            match self.least() {
                Some((cost, _)) => self.final_to = cost,
                None => self.exhaust(),
            }
        }
        self.credit = credit;
        let is_as_far = self.expanded == expanded && self.look() == look;
        if is_as_far { Ok(()) } else { Err(Garbled::new("a search that comes as far")) }
    }

    /// Appends all of it.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        self.write_progress(words);
        words.flag(self.is_begun());
        self.costs.write_to(words, |words, page| {
            words.series(page.iter().map(|cost| cost.is_some().into()));
            page.iter().flatten().for_each(|cost| words.cost(*cost));
        });
        let mut late = self.late.clone().into_vec();
        late.sort_unstable();
        words.size(self.open.len());
        for (bucket, entries) in &self.open {
            words.word(*bucket);
            write_entries(words, entries);
        }
        write_entries(words, &self.sorted);
        write_entries(words, &late);
    }

    /// Reads a search over nodes below `bound`.
    pub(in super::super) fn read_from(words: &mut WordReader<'_>, bound: usize) -> Result<Self, Garbled> {
        let mut search = Self::new();
        search.expanded = words.tally()?;
        search.credit = Credit::of(words.word()?);
        search.final_to = words.cost()?;
        search.first = words.word()?;
        search.entries = words.at_most(usize::MAX)?;
        search.state = if words.flag()? { State::Exhausted } else { State::Searching };
        if !words.flag()? {
            (search.state, search.entries) = (State::Blank, 0);
        } else {
            search.bound = bound;
        }
        search.costs = Paged::read_from(words, bound, |words, page| {
            let mut places = page.iter_mut();
            words.series(page_len(&places), |is_some| {
                places.next().into_iter().for_each(|place| *place = (is_some == 1).then(C::zero));
                if is_some <= 1 { Ok(()) } else { Err(Garbled::new("a cost or none")) }
            })?;
            for cost in page.iter_mut().flatten() {
                *cost = words.cost()?;
            }
            Ok(())
        })?;
        let mut count = 0;
        let mut last = None;
        for _ in 0..words.count()? {
            let bucket = words.word()?;
            if bucket <= search.first || last.is_some_and(|last| bucket <= last) {
                return Err(Garbled::new("buckets in order"));
            }
            last = Some(bucket);
            let entries = read_entries(words, bound)?;
            if entries.is_empty() {
                return Err(Garbled::new("a bucket with nodes"));
            }
            count += entries.len();
            search.open.insert(bucket, entries);
        }
        search.sorted = read_entries(words, bound)?;
        search.late = BinaryHeap::from(read_entries(words, bound)?);
        count += search.sorted.len() + search.late.len();
        if count != search.entries {
            return Err(Garbled::new("as many entries as there are"));
        }
        Ok(search)
    }
}

fn page_len<T>(places: &std::slice::IterMut<'_, T>) -> usize {
    places.len()
}

fn write_entries<C: Cost>(words: &mut Words, entries: &[Entry<C>]) {
    words.size(entries.len());
    for Reverse((cost, node)) in entries {
        words.cost(*cost);
        words.word(node.0.into());
    }
}

fn read_entries<C: Cost>(words: &mut WordReader<'_>, bound: usize) -> Result<Vec<Entry<C>>, Garbled> {
    let mut entries = Vec::new();
    for _ in 0..words.count()? {
        entries.push(Reverse((words.cost()?, words.node(bound)?)));
    }
    Ok(entries)
}
