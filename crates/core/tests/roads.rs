//! Random road maps, most of them with one-way roads, and distances on them by plain relaxation.

use giveway_core::{Cost, Goals, Move, NodeId, SpaceGraph};
use ordered_float::OrderedFloat;

use crate::draws::Draws;

/// Roads between places, each driven one way; the action is the number of the road.
#[derive(Clone, Debug)]
pub(crate) struct Roads<C> {
    pub(crate) open: Vec<bool>,
    pub(crate) roads: Vec<(u32, u32, C)>,
}

impl<C: Cost> SpaceGraph for Roads<C> {
    type Action = u32;
    type Cost = C;

    fn node_bound(&self) -> usize {
        self.open.len()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, C>> {
        let numbered = (0..).zip(&self.roads);
        let driven = numbered.filter(move |(_, (begin, end, _))| {
            *begin == from.0 && [begin, end].iter().all(|place| self.contains(NodeId(**place)))
        });
        driven.map(move |(action, (_, end, cost))| Move { from, to: NodeId(*end), action, cost: *cost, length: 1.0 })
    }

    fn contains(&self, node: NodeId) -> bool {
        self.open.get(node.index()).copied().unwrap_or(false)
    }
}

impl<C: Cost> Roads<C> {
    /// At most 14 places, of which some are closed, and roads whose costs are among `prices`. On some maps all roads
    /// are driven both ways.
    pub(crate) fn random(draws: &mut Draws, prices: &[C]) -> Self {
        let places = draws.below(15);
        let both_ways = draws.below(4) == 0;
        let mut roads = Vec::new();
        for _ in 0..draws.below(3 * places + 1) {
            let [begin, end] = [(); 2].map(|()| u32::try_from(draws.below(places)).unwrap());
            let cost = draws.pick(prices);
            roads.push((begin, end, cost));
            if both_ways {
                roads.push((end, begin, cost));
            }
        }
        Self { open: (0..places).map(|_| draws.below(8) > 0).collect(), roads }
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + use<C> {
        (0..u32::try_from(self.open.len()).unwrap()).map(NodeId)
    }

    /// Per place the least cost from `start`, by relaxing all roads until nothing changes.
    fn distances_from(&self, start: NodeId) -> Vec<Option<C>> {
        let mut distances = vec![None; self.open.len()];
        distances[start.index()] = Some(C::zero());
        loop {
            let before = distances.clone();
            for m in self.nodes().flat_map(|node| self.moves(node)) {
                let Some(cost) = distances[m.from.index()].map(|so_far: C| so_far.plus(m.cost)) else {
                    continue;
                };
                let known = &mut distances[m.to.index()];
                *known = Some(known.map_or(cost, |known| known.min(cost)));
            }
            if distances == before {
                return distances;
            }
        }
    }

    /// The least costs between all places.
    pub(crate) fn distances(&self) -> Distances<C> {
        Distances(self.nodes().map(|node| self.distances_from(node)).collect())
    }
}

pub(crate) struct Distances<C>(Vec<Vec<Option<C>>>);

impl<C: Cost> Distances<C> {
    pub(crate) fn between(&self, from: NodeId, to: NodeId) -> Option<C> {
        self.0[from.index()][to.index()]
    }

    /// The least cost from `from` to one of `goals`.
    pub(crate) fn to_nearest(&self, from: NodeId, goals: &Goals) -> Option<C> {
        goals.nodes().iter().filter_map(|goal| self.between(from, *goal)).min()
    }
}

pub(crate) const WHOLE: [u32; 8] = [0, 1, 300, 999, 1000, 1414, 3141, 7000];

/// Costs that no sum of a few has without rounding.
pub(crate) fn fractions() -> Vec<OrderedFloat<f64>> {
    [0.0, 0.1, 1.0 / 3.0, 0.7, 1.0, std::f64::consts::SQRT_2, 7.3, 1e-9].map(OrderedFloat).to_vec()
}

/// Single precision.
pub(crate) fn coarse_fractions() -> Vec<OrderedFloat<f32>> {
    [0.0, 0.1, 1.0 / 3.0, 0.7, 1.0, std::f32::consts::SQRT_2, 7.3, 1e-6].map(OrderedFloat).to_vec()
}

/// Beyond 53 bits.
pub(crate) const LARGE: [u64; 5] = [0, 1, (1 << 40) - 1, (1 << 59) - 1, (1 << 57) + 12345];
