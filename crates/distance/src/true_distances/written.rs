//! Shared distances as words. A search in the space as it is now is repeated when it is read: it is told how far it has
//! come. Other searches are written as they are.

use std::sync::Arc;

use crate::distance_table::DistanceTable;
use giveway_core::heuristic::Metric;
use giveway_core::{Garbled, Goals, NodeId, SpaceGraph, WordReader, Words};

use super::TrueDistances;
use crate::reverse_a_star::ReverseAStar;
use crate::reverse_search::{Kept, ReverseSearch};
use crate::view::View;

/// The memory of a page of each kind, and of lists: so much more may a search take in one step.
const STEP: usize = 1 << 16;

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// [`HeuristicSource::write_to`](giveway_core::heuristic::HeuristicSource::write_to) at the costs of a view.
    /// `stays`: costs are what they were when they were looked at.
    pub(in super::super) fn write_through(&self, space: &impl View<S>, stays: bool, words: &mut Words) {
        words.flag(self.searcher.aim_by.is_some());
        words.word(self.asked);
        words.size(self.last);
        words.word(self.searcher.begun);
        words.word(self.searcher.expanded);
        words.word(self.searcher.exceeding.map_or(0, |number| number + 1));
        words.size(self.searches.len());
        for (goals, kept) in &self.searches {
            words.goals(goals);
            words.word(kept.number);
            words.word(kept.revision);
            words.word(kept.asked);
            write_search(&kept.search, space, stays, words);
            words.flag(kept.renewal.is_some());
            if let Some((search, revision)) = &kept.renewal {
                words.word(*revision);
                write_search(search, space, stays, words);
            }
        }
        words.size(self.released.len());
        for (goals, asked) in &self.released {
            words.goals(goals);
            words.word(*asked);
        }
    }

    /// [`HeuristicSource::read_from`](giveway_core::heuristic::HeuristicSource::read_from) at the costs of a view.
    pub(in super::super) fn read_through(
        &mut self,
        space: &impl View<S>,
        words: &mut WordReader<'_>,
    ) -> Result<(), Garbled> {
        self.forget();
        let bound = space.node_bound();
        if words.flag()? != self.searcher.aim_by.is_some() {
            return Err(Garbled::new("distances of the same kind"));
        }
        self.asked = words.tally()?;
        self.last = words.at_most(usize::MAX - 1)?;
        self.searcher.begun = words.tally()?;
        self.searcher.expanded = words.tally()?;
        self.searcher.exceeding = words.word()?.checked_sub(1);
        let revision = |words: &mut WordReader<'_>| {
            let revision = words.word()?;
            if revision <= space.revision() { Ok(revision) } else { Err(Garbled::new("a revision of the space")) }
        };
        for _ in 0..words.count()? {
            let goals = words.goals(bound)?;
            let number = words.word()?;
            let of = revision(words)?;
            let asked = words.word()?;
            if number >= self.searcher.begun || asked > self.asked {
                return Err(Garbled::new("a search that has begun"));
            }
            let search = self.read_search(space, &goals, words)?;
            let renewal = if words.flag()? {
                let of = revision(words)?;
                Some((self.read_search(space, &goals, words)?, of))
            } else {
                None
            };
            let kept = Kept { goals: goals.clone(), number, search, revision: of, renewal, asked };
            self.searcher.used += kept.bytes();
            // All but the search that may exceed the bound are within it.
            let searcher = &self.searcher;
            let beyond = if searcher.exceeding == Some(number) { usize::MAX } else { searcher.most_bytes };
            let one = kept.bytes().saturating_add(STEP);
            if searcher.used > beyond.saturating_add(one) || self.searches.insert(goals, kept).is_some() {
                return Err(Garbled::new("searches that fit into memory"));
            }
        }
        for _ in 0..words.count()? {
            let goals = words.goals(bound)?;
            let asked = words.word()?;
            self.released.push_back((goals, asked));
        }
        Ok(())
    }

    fn read_search(
        &mut self,
        space: &impl View<S>,
        goals: &Goals,
        words: &mut WordReader<'_>,
    ) -> Result<ReverseSearch<S, M>, Garbled> {
        let is_brief = words.flag()?;
        let predecessors = self.searcher.predecessors_in(space);
        Ok(match &self.searcher.aim_by {
            None => {
                let table = DistanceTable::read_from(space, predecessors, goals.clone(), words, is_brief)?;
                ReverseSearch::Table(Arc::new(table))
            }
            Some(metric) => {
                let mut search = ReverseAStar::new(predecessors, goals.clone(), NodeId(0), metric.clone());
                search.read_from(space, words, is_brief)?;
                ReverseSearch::Aimed(Arc::new(search))
            }
        })
    }
}

fn write_search<S: SpaceGraph, M: Metric<S> + Clone>(
    search: &ReverseSearch<S, M>,
    space: &impl View<S>,
    stays: bool,
    words: &mut Words,
) {
    match search {
        ReverseSearch::Table(table) => {
            let is_brief = stays && table.can_be_repeated(space);
            words.flag(is_brief);
            table.write_to(words, is_brief);
        }
        ReverseSearch::Aimed(search) => {
            let is_brief = stays && search.can_be_repeated(space);
            words.flag(is_brief);
            search.write_to(words, is_brief);
        }
    }
}
