//! The true distance of one agent, in a space that may change; agents may share the search.

use giveway_core::heuristic::Metric;
use giveway_core::{Fuel, Heuristic, NodeId, SpaceGraph, Suspended};

use super::reverse_search::{Kept, ReverseSearch, Searcher};
use super::view::View;

/// The heuristic that [`TrueDistances`](super::TrueDistances) give to one agent.
#[derive(Debug)]
pub struct TrueDistance<'a, S: SpaceGraph, M> {
    pub(super) kept: &'a mut Kept<S, M>,
    pub(super) searcher: &'a mut Searcher<S, M>,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistance<'_, S, M> {
    /// [`Heuristic::estimate`] at the costs of a view. Every call must give one and the same view.
    #[inline(always)]
    pub(super) fn estimate_through(
        &mut self,
        space: &impl View<S>,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<S::Cost>, Suspended> {
        match self.kept.search.known(node) {
            Some(Some(cost)) => Ok(Some(cost)),
            _ => self.extend(space, node, fuel),
        }
    }

    /// The number of moves from `node` to the nearest goal. `None` in three cases: no way leads to a goal; memory has
    /// run out; or moves are not counted. Only a [table](super::DistanceTable) of a space with a [uniform
    /// cost](giveway_core::Facts::uniform_cost) counts moves.
    pub fn moves(&mut self, space: &S, node: NodeId) -> Option<u32> {
        self.estimate(space, node, &mut Fuel::unlimited()).ok()?;
        match &self.kept.search {
            ReverseSearch::Table(table) => table.moves(node),
            ReverseSearch::Aimed(_) => None,
        }
    }

    /// The estimate for a node whose distance is not known yet.
    #[inline(never)]
    fn extend(&mut self, space: &impl View<S>, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Self { kept, searcher, .. } = self;
        let is_current = kept.revision == space.revision();
        if !is_current && let Some(cost) = kept.search.by_one_move(space, node) {
            return Ok(Some(cost));
        }
        let found = searcher.go_on(&mut kept.search, kept.number, space, node, fuel)?;
        if is_current || found.is_some() {
            return Ok(found);
        }
        // A search of another map cannot say that there is no way in this map.
        self.renew(space, node, fuel)?;
        Ok(self.kept.search.known(node).flatten())
    }

    /// Searches the present revision of `space`, up to `origin`.
    pub(super) fn renew(&mut self, space: &impl View<S>, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Self { kept, searcher } = self;
        while kept.revision != space.revision() {
            if kept.renewal.is_none() && searcher.repair(kept, space, fuel) {
                break;
            }
            // A renewal begun before the last change goes on: otherwise none would ever end in a map that keeps
            // changing.
            let (search, revision) =
                kept.renewal.get_or_insert_with(|| (searcher.begin(space, &kept.goals, origin), space.revision()));
            searcher.go_on(search, kept.number, space, origin, fuel)?;
            kept.revision = *revision;
            if let Some((search, _)) = kept.renewal.take() {
                searcher.used -= kept.search.bytes();
                kept.search = search;
            }
        }
        searcher.go_on(&mut kept.search, kept.number, space, origin, fuel).map(drop)
    }
}

impl<S: SpaceGraph, M: Metric<S> + Clone> Heuristic<S> for TrueDistance<'_, S, M> {
    #[inline(always)]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        self.estimate_through(space, node, fuel)
    }
}
