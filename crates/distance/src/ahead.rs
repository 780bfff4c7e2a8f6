//! Reverse searches ahead of the questions, on several threads.

use giveway_core::heuristic::Metric;
use giveway_core::origins::Origins;
use giveway_core::{Fuel, Goals, NodeId, SpaceGraph};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::breadth_first::{BreadthFirst, Sought};
use super::reverse_search::ReverseSearch;
use super::true_distances::TrueDistances;

/// Where an agent asks from.
struct Origin {
    node: NodeId,
    /// The nodes to which moves lead from there.
    exits: Vec<NodeId>,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// Finds the estimates that `asks` will ask for, in this order. Stops at the first one that might meet the bound on
    /// memory, or whose search is not a breadth-first search of the present revision.
    ///
    /// The searches know nothing of each other, so each does what it would do on one thread.
    pub(super) fn search_ahead(&mut self, space: &S, mut asks: &[(&Goals, NodeId)]) {
        let is_alone = rayon::current_num_threads() < 2;
        if is_alone || self.searcher.aim_by.is_some() || space.facts().uniform_cost.is_none() {
            return;
        }
        let most = BreadthFirst::most_bytes(space.node_bound());
        while !asks.is_empty() && self.searcher.exceeding.is_none() {
            // The number of searches that stay below the bound together even if each sees the whole map.
            let fitting = self.searcher.most_bytes.saturating_sub(self.searcher.used) / (most + 1);
            let (now, later) = asks.split_at(fitting.min(asks.len()));
            // One search alone gains nothing.
            if now.len() < 2 || !self.search_at_once(space, now) {
                return;
            }
            asks = later;
        }
    }

    /// Finds the estimates that `asks` will ask for. Returns whether it has found all.
    fn search_at_once(&mut self, space: &S, asks: &[(&Goals, NodeId)]) -> bool {
        let mut origins_of_searches: Vec<Vec<Origin>> = Vec::new();
        let mut asked = 0;
        for (goals, node) in asks.iter().copied() {
            let revision = self.to(space, goals, node).kept.revision;
            let Some(index) = self.searches.get_index_of(goals) else {
                break;
            };
            if revision != space.revision() || node.index() >= space.node_bound() {
                break;
            }
            asked += 1;
            // A unit on a goal needs no table.
            if !(goals.contains(node) && space.contains(node)) {
                let count = origins_of_searches.len().max(index + 1);
                origins_of_searches.resize_with(count, Vec::new);
                let exits = space.moves(node).map(|m| m.to).collect();
                origins_of_searches[index].push(Origin { node, exits });
            }
        }
        let Some((predecessors, _)) = self.searcher.predecessors.clone() else {
            return false;
        };
        let Some(origins_of_moves) = predecessors.origins(space) else {
            return false;
        };
        let before = self.expanded_and_bytes();
        let begun =
            self.searches.values_mut().zip(origins_of_searches).filter_map(|(kept, origins)| match &mut kept.search {
                ReverseSearch::Table(table) if !origins.is_empty() => {
                    Some((std::sync::Arc::make_mut(table).begun(space)?, origins))
                }
                _ => None,
            });
        search_on_threads(begun.collect(), origins_of_moves, space.node_bound());
        let after = self.expanded_and_bytes();
        self.searcher.expanded += after.0 - before.0;
        self.searcher.used = self.searcher.used - before.1 + after.1;
        asked == asks.len()
    }

    /// The nodes that the kept searches have expanded, and the bytes that they take.
    fn expanded_and_bytes(&self) -> (u64, usize) {
        let searches = || self.searches.values().map(|kept| &kept.search);
        (searches().map(ReverseSearch::expanded).sum(), searches().map(ReverseSearch::bytes).sum())
    }
}

/// Lets each of `begun` search until it knows all its origins. `moves` says where the moves into each of `bound` nodes
/// begin.
fn search_on_threads(begun: Vec<(&mut BreadthFirst, Vec<Origin>)>, moves: Origins<'_>, bound: usize) {
    begun.into_par_iter().for_each(|(search, origins)| {
        for Origin { node, exits } in origins {
            let sought = Sought {
                node,
                bound,
                borders: |search: &BreadthFirst| exits.iter().any(|exit| search.steps(*exit).is_some()),
                see_around: |search: &mut BreadthFirst, expanded| {
                    moves.of(expanded).for_each(|origin| search.see(bound, origin));
                },
            };
            // Without bounds on fuel and memory, nothing is suspended.
            let _ = search.reach(&sought, Some(moves), &mut Fuel::unlimited(), usize::MAX);
        }
    });
}
