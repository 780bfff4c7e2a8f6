//! Reverse searches ahead of the questions, on several threads.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::breadth_first::{BreadthFirst, Sought};
use super::metric::Metric;
use super::reverse_search::ReverseSearch;
use super::true_distances::TrueDistances;
use crate::space::SpaceGraph;
use crate::vocabulary::{Fuel, Goals, NodeId};

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
        let bound = space.node_bound();
        let before = self.expanded_and_bytes();
        let begun =
            self.searches.values_mut().zip(origins_of_searches).filter_map(|(kept, origins)| match &mut kept.search {
                ReverseSearch::Table(table) if !origins.is_empty() => Some((table.begun(space)?, origins)),
                _ => None,
            });
        let begun: Vec<(&mut BreadthFirst, Vec<Origin>)> = begun.collect();
        begun.into_par_iter().for_each(|(search, origins)| {
            for Origin { node, exits } in origins {
                let sought = Sought {
                    node,
                    bound,
                    borders: |search: &BreadthFirst| exits.iter().any(|exit| search.steps(*exit).is_some()),
                    see_around: |search: &mut BreadthFirst, expanded| {
                        origins_of_moves.of(expanded).for_each(|origin| search.see(bound, origin));
                    },
                };
                // Without bounds on fuel and memory, nothing is suspended.
                let _ = search.reach(&sought, Some(origins_of_moves), &mut Fuel::unlimited(), usize::MAX);
            }
        });
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rayon::ThreadPoolBuilder;

    use super::*;
    use crate::distance::metric::Zero;
    use crate::distance::source::HeuristicSource;
    use crate::estimate::Heuristic as _;
    use crate::graph::facts::Facts;
    use crate::vocabulary::{Move, Suspended};

    /// Cells in rows; moves lead to the four cells beside.
    struct Cells {
        width: u32,
        open: Vec<bool>,
    }

    impl SpaceGraph for Cells {
        type Action = usize;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            self.open.len()
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<usize, u32>> {
            let (x, width) = (from.0 % self.width, self.width);
            let beside = [
                (x + 1 < width).then(|| from.0 + 1),
                (x > 0).then(|| from.0 - 1),
                from.0.checked_add(width),
                from.0.checked_sub(width),
            ];
            beside.into_iter().enumerate().filter_map(move |(action, to)| {
                let to = NodeId(to?);
                let leads = self.contains(from) && self.contains(to);
                leads.then_some(Move { from, to, action, cost: 1000, length: 1.0 })
            })
        }

        fn contains(&self, node: NodeId) -> bool {
            self.open.get(node.index()).is_some_and(|open| *open)
        }

        fn facts(&self) -> Facts<'_, Self::Cost> {
            Facts { uniform_cost: Some(1000), ..Facts::NONE }
        }
    }

    type Answers = Vec<Result<Option<u32>, Suspended>>;

    /// The answers to `asks`, the number of expanded nodes, the bytes, and the number of searches; prepared on
    /// `threads` threads, or not.
    fn answers(
        cells: &Cells,
        asks: &[(Goals, NodeId)],
        most: usize,
        threads: Option<usize>,
    ) -> (Answers, u64, usize, usize) {
        let mut distances = TrueDistances::<Cells, Zero>::tables().keep_at_most(most);
        if let Some(threads) = threads {
            let asks: Vec<(&Goals, NodeId)> = asks.iter().map(|(goals, node)| (goals, *node)).collect();
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| distances.prepare(cells, &asks));
        }
        let mut ask = |(goals, node): &(Goals, NodeId)| {
            distances.to(cells, goals, *node).estimate(cells, *node, &mut Fuel::unlimited())
        };
        let answers = asks.iter().map(&mut ask).collect();
        (answers, distances.expanded(), distances.bytes(), distances.searches())
    }

    proptest! {
        #[test]
        fn threads_change_neither_answers_nor_counts(
            width in 1_u32..40,
            open in prop::collection::vec(prop::bool::weighted(0.8), 1..1500),
            asks in prop::collection::vec((prop::collection::vec(any::<prop::sample::Index>(), 1..3), any::<prop::sample::Index>()), 0..12),
            most in prop::sample::select(vec![usize::MAX, 1 << 16, 20_000, 5000, 0]),
        ) {
            let cells = Cells { width, open };
            let node = |index: prop::sample::Index| NodeId(u32::try_from(index.index(cells.open.len())).unwrap());
            let asks: Vec<(Goals, NodeId)> = asks
                .into_iter()
                .map(|(goals, origin)| (goals.into_iter().map(node).collect(), node(origin)))
                .collect();
            let expected = answers(&cells, &asks, most, None);
            for threads in [1, 2, 4] {
                prop_assert_eq!(answers(&cells, &asks, most, Some(threads)), expected.clone());
            }
        }
    }

    #[test]
    fn everything_is_found_ahead_if_memory_suffices() {
        let corridor = Cells { width: 70_000, open: vec![true; 70_000] };
        let asks =
            [(0, 69_999), (69_999, 5), (0, 7), (8, 8)].map(|(goal, node)| (Goals::one(NodeId(goal)), NodeId(node)));
        let asks: Vec<(&Goals, NodeId)> = asks.iter().map(|(goals, node)| (goals, *node)).collect();
        let mut distances = TrueDistances::<Cells, Zero>::tables();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| distances.prepare(&corridor, &asks));
        assert_eq!((distances.expanded(), distances.searches()), (69_999 + 69_994, 3));
        for (goals, node) in asks {
            let found = distances.to(&corridor, goals, node).estimate(&corridor, node, &mut Fuel::unlimited());
            assert_eq!(found, Ok(Some(node.0.abs_diff(goals.nodes()[0].0) * 1000)));
        }
        assert_eq!(distances.expanded(), 69_999 + 69_994);
    }
}
