//! Searches ahead of the questions, on several threads, change nothing but the time that it takes.

use giveway_core::heuristic::{HeuristicSource as _, Zero};
use giveway_core::{Facts, Fuel, Goals, Heuristic as _, Move, NodeId, SpaceGraph, Suspended};
use giveway_distance::TrueDistances;
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;

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
    let asks = [(0, 69_999), (69_999, 5), (0, 7), (8, 8)].map(|(goal, node)| (Goals::one(NodeId(goal)), NodeId(node)));
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
