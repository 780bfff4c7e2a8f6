//! Tables as words: how far they have come, or what is known.

use giveway_core::origins::{Origins, Tiles};
use giveway_core::{Fuel, Garbled, Goals, SpaceGraph, WordReader, Words};

use super::{BreadthFirst, Buckets, DistanceTable, Search, existing};
use crate::predecessors::PredecessorsIn;
use crate::view::View;

/// The tiles in which a search begins.
fn tiles_of<'a, S: SpaceGraph>(predecessors: &'a PredecessorsIn<S>, space: &'a impl View<S>) -> Option<Tiles<'a>> {
    predecessors.origins(space).and_then(Origins::tiles)
}

impl<S: SpaceGraph> DistanceTable<S> {
    /// Whether another search, in the present revision of `space`, comes to the same.
    pub(in super::super) fn can_be_repeated(&self, space: &impl View<S>) -> bool {
        let uniform = space.facts().uniform_cost;
        match &self.search {
            Search::Uniform(search, cost) => {
                let of_present = !search.is_begun() || self.of == Some(space.revision());
                let tiles = tiles_of(&self.predecessors, space);
                of_present && uniform == Some(*cost) && search.can_be_repeated(tiles, space.node_bound())
            }
            Search::Weighted(search) => uniform.is_none() && (!search.is_begun() || self.of == Some(space.revision())),
        }
    }

    /// Appends the table to `words`: all of it, or, if `is_brief`, how far it has come.
    pub(in super::super) fn write_to(&self, words: &mut Words, is_brief: bool) {
        match &self.search {
            Search::Uniform(search, cost) => {
                words.flag(true);
                words.cost(*cost);
                words.flag(search.is_begun());
                if search.is_begun() {
                    if is_brief {
                        search.write_progress(words);
                    } else {
                        search.write_to(words);
                    }
                }
            }
            Search::Weighted(search) => {
                words.flag(false);
                words.flag(search.is_begun());
                if search.is_begun() {
                    if is_brief { search.write_progress(words) } else { search.write_to(words) }
                }
            }
        }
    }

    /// Reads a table of distances to `goals`.
    pub(in super::super) fn read_from(
        space: &impl View<S>,
        predecessors: PredecessorsIn<S>,
        goals: Goals,
        words: &mut WordReader<'_>,
        is_brief: bool,
    ) -> Result<Self, Garbled> {
        let (bound, uniform) = (space.node_bound(), space.facts().uniform_cost);
        let fuel = &mut Fuel::unlimited();
        let begins = |_| Garbled::new("a search that begins");
        let mut of = None;
        let search = if words.flag()? {
            let cost = words.cost()?;
            let mut search = BreadthFirst::new();
            let tiles = tiles_of(&predecessors, space);
            let is_begun = words.flag()?;
            if is_begun && is_brief {
                if uniform != Some(cost) {
                    return Err(Garbled::new("the cost of a move"));
                }
                search.begin(bound, existing(&goals, space), tiles, fuel, usize::MAX).map_err(begins)?;
                search.come_as_far(words, tiles, bound, |search, expanded| {
                    predecessors.for_each_move_into(space, expanded, |m| search.see(bound, m.from));
                })?;
                of = Some(space.revision());
            } else if is_begun {
                search = BreadthFirst::read_from(words, bound)?;
            }
            Search::Uniform(search, cost)
        } else {
            let mut search = Buckets::new();
            let is_begun = words.flag()?;
            if is_begun && is_brief {
                search.begin(bound, existing(&goals, space), fuel, usize::MAX).map_err(begins)?;
                search.come_as_far(words, |search, expanded, onward| {
                    predecessors.for_each_move_into(space, expanded, |m| search.see(m.from, m.cost, onward));
                })?;
                of = Some(space.revision());
            } else if is_begun {
                search = Buckets::read_from(words, bound)?;
            }
            Search::Weighted(search)
        };
        Ok(Self { search, goals, predecessors, of })
    }
}
