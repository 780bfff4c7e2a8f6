//! True distances shared by all agents with the same goals.

use indexmap::IndexMap;

use super::metric::Metric;
use super::predecessors::{Predecessors, PredecessorsIn};
use super::{DistanceTable, Heuristic, ReverseAStar};
use crate::fuel::{Fuel, OutOfFuel};
use crate::goals::Goals;
use crate::space::{NodeId, SpaceGraph};

/// A resumable reverse search, of one kind or the other.
#[derive(Debug)]
pub enum ReverseSearch<S: SpaceGraph, M> {
    /// Unaimed; breadth-first where costs are uniform.
    Table(DistanceTable<S>),
    /// Aimed at the first agent that asked.
    Aimed(Box<ReverseAStar<S, M>>),
}

impl<S: SpaceGraph, M: Metric<S>> ReverseSearch<S, M> {
    /// How many nodes have been expanded.
    pub fn expanded(&self) -> u64 {
        match self {
            Self::Table(search) => search.expanded(),
            Self::Aimed(search) => search.expanded(),
        }
    }
}

impl<S: SpaceGraph, M: Metric<S>> Heuristic<S> for ReverseSearch<S, M> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, OutOfFuel> {
        match self {
            Self::Table(search) => search.estimate(space, node, fuel),
            Self::Aimed(search) => search.estimate(space, node, fuel),
        }
    }
}

/// The reverse searches of one class of agents: agents with the same goals share one, for as long as the map stays the
/// same. A class (its space and footprint) has a `TrueDistances` of its own; it must not be asked about two spaces without
/// [forgetting](Self::forget) the first.
#[derive(Debug)]
pub struct TrueDistances<S: SpaceGraph, M> {
    /// Aimed searches use this metric; without one, searches are tables.
    aim_by: Option<M>,
    searches: IndexMap<Goals, ReverseSearch<S, M>, rustc_hash::FxBuildHasher>,
    predecessors: Option<PredecessorsIn<S>>,
    revision: u64,
    /// Expansions of searches that are gone.
    retired: u64,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// Tables: see [`DistanceTable`].
    pub fn tables() -> Self {
        Self::with(None)
    }

    /// Reverse A* searches, each aimed by `metric` at the first agent that asks: see [`ReverseAStar`].
    pub fn aimed(metric: M) -> Self {
        Self::with(Some(metric))
    }

    fn with(aim_by: Option<M>) -> Self {
        Self { aim_by, searches: IndexMap::default(), predecessors: None, revision: 0, retired: 0 }
    }

    /// The search for `goals`, begun if there is none for the present revision of `space`. `origin` is where the
    /// asking agent is.
    pub fn to(&mut self, space: &S, goals: &Goals, origin: NodeId) -> &mut ReverseSearch<S, M> {
        if self.revision != space.revision() {
            self.forget();
            self.revision = space.revision();
        }
        let predecessors = self.predecessors.get_or_insert_with(|| Predecessors::of(space));
        let aim_by = &self.aim_by;
        self.searches.entry(goals.clone()).or_insert_with(|| match aim_by {
            None => ReverseSearch::Table(DistanceTable::new(space, predecessors.clone(), goals.clone())),
            Some(metric) => ReverseSearch::Aimed(Box::new(ReverseAStar::new(
                space,
                predecessors.clone(),
                goals.clone(),
                origin,
                metric.clone(),
            ))),
        })
    }

    /// Forgets all distances: those of another space, of the same revision, may come next.
    pub fn forget(&mut self) {
        self.retired = self.expanded();
        self.searches.clear();
        self.predecessors = None;
    }

    /// How many nodes all searches together have expanded, those of past revisions included.
    pub fn expanded(&self) -> u64 {
        self.retired + self.searches.values().map(ReverseSearch::expanded).sum::<u64>()
    }

    /// How many searches there are for the present revision.
    pub fn searches(&self) -> usize {
        self.searches.len()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::heuristic::Zero;
    use crate::space::Move;

    /// A road of ten places, there and back, that can be rebuilt.
    struct Road {
        revision: Cell<u64>,
    }

    impl SpaceGraph for Road {
        type Action = bool;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            10
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
            let step = move |to: Option<u32>, action| {
                let to = NodeId(to.filter(|to| *to < 10)?);
                Some(Move { from, to, action, cost: 1000, length: 1.0 })
            };
            step(from.0.checked_add(1), true).into_iter().chain(step(from.0.checked_sub(1), false))
        }

        fn uniform_cost(&self) -> Option<u32> {
            Some(1000)
        }

        fn revision(&self) -> u64 {
            self.revision.get()
        }
    }

    #[test]
    fn agents_with_the_same_goals_share_a_search_until_the_map_changes() {
        let road = Road { revision: Cell::new(0) };
        let mut distances = TrueDistances::<Road, Zero>::tables();
        let mut ask = |goal: &[u32], from: u32| {
            let goals: Goals = goal.iter().copied().map(NodeId).collect();
            let before = distances.expanded();
            let distance =
                distances.to(&road, &goals, NodeId(from)).estimate(&road, NodeId(from), &mut Fuel::unlimited());
            (distance, distances.expanded() - before, distances.searches())
        };
        assert_eq!(ask(&[9], 5), (Ok(Some(4000)), 4, 1));
        assert_eq!(ask(&[9], 6), (Ok(Some(3000)), 0, 1), "known already");
        assert_eq!(ask(&[9], 4), (Ok(Some(5000)), 1, 1), "resumed");
        assert_eq!(ask(&[0, 9], 4), (Ok(Some(4000)), 7, 2), "other goals, another search");
        assert_eq!(ask(&[9, 0, 9], 4), (Ok(Some(4000)), 0, 2), "the same set");
        road.revision.set(1);
        assert_eq!(ask(&[9], 6), (Ok(Some(3000)), 3, 1), "a new map, a new search; what was spent is not forgotten");
    }
}
