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
    /// Aimed at the first agent that asked, or the first since it began again.
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
///
/// Its memory is [bounded](Self::keep_at_most). An aimed search that [has outgrown](ReverseAStar::has_outgrown) its first
/// way begins again when it is next asked for, aimed at the agent that asks.
#[derive(Debug)]
pub struct TrueDistances<S: SpaceGraph, M> {
    /// Aimed searches use this metric; without one, searches are tables.
    aim_by: Option<M>,
    searches: IndexMap<Goals, Kept<S, M>, rustc_hash::FxBuildHasher>,
    /// The most nodes that the kept searches may have room for together.
    most_nodes: usize,
    /// How often a search has been asked for.
    asked: u64,
    predecessors: Option<PredecessorsIn<S>>,
    revision: u64,
    /// Expansions of searches that are gone.
    retired: u64,
}

#[derive(Debug)]
struct Kept<S: SpaceGraph, M> {
    search: ReverseSearch<S, M>,
    /// When it was last asked for: the number of that question.
    asked: u64,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// Tables: see [`DistanceTable`].
    pub fn tables() -> Self {
        Self::with(None)
    }

    /// Reverse A* searches, each aimed by `metric` at an agent that asks: see [`ReverseAStar`].
    pub fn aimed(metric: M) -> Self {
        Self::with(Some(metric))
    }

    fn with(aim_by: Option<M>) -> Self {
        Self {
            aim_by,
            searches: IndexMap::default(),
            most_nodes: 1 << 26,
            asked: 0,
            predecessors: None,
            revision: 0,
            retired: 0,
        }
    }

    /// At most so many `nodes` are kept, 2^26 by default: each search counts with all nodes of the map, whether it has
    /// seen them or not. A node takes 4 or 8 bytes, and more if it has been seen.
    ///
    /// Where a new search would be one too many, the half that was asked for least recently is dropped: its goals, if they
    /// are asked for again, are searched anew. One search is kept in any case.
    #[must_use]
    pub fn keep_at_most(self, nodes: usize) -> Self {
        Self { most_nodes: nodes, ..self }
    }

    /// The search for `goals`, begun if there is none for the present revision of `space`. `origin` is where the
    /// asking agent is.
    pub fn to(&mut self, space: &S, goals: &Goals, origin: NodeId) -> &mut ReverseSearch<S, M> {
        if self.revision != space.revision() {
            self.forget();
            self.revision = space.revision();
        }
        self.asked += 1;
        let index = match self.searches.get_index_of(goals) {
            Some(index) => index,
            None => self.begin(space, goals, origin),
        };
        let kept = &mut self.searches[index];
        kept.asked = self.asked;
        if let ReverseSearch::Aimed(search) = &mut kept.search
            && search.has_outgrown(space)
        {
            search.restart(space, origin);
        }
        &mut kept.search
    }

    /// Begins a search, having made room for it; where in `searches` it is.
    fn begin(&mut self, space: &S, goals: &Goals, origin: NodeId) -> usize {
        let most = self.most_nodes / space.node_bound().max(1);
        if self.searches.len() >= most {
            self.keep_recent((self.searches.len() / 2).min(most.saturating_sub(1)));
        }
        let predecessors = self.predecessors.get_or_insert_with(|| Predecessors::of(space)).clone();
        let search = match &self.aim_by {
            None => ReverseSearch::Table(DistanceTable::new(space, predecessors, goals.clone())),
            Some(metric) => ReverseSearch::Aimed(Box::new(ReverseAStar::new(
                space,
                predecessors,
                goals.clone(),
                origin,
                metric.clone(),
            ))),
        };
        self.searches.insert_full(goals.clone(), Kept { search, asked: self.asked }).0
    }

    /// Drops all but the `count` searches that were asked for most recently. Looks at all of them, but only once per half
    /// as many new ones.
    fn keep_recent(&mut self, count: usize) {
        let mut asked: Vec<u64> = self.searches.values().map(|kept| kept.asked).collect();
        let gone = asked.len().saturating_sub(count);
        let Some(last_gone) = gone.checked_sub(1).map(|last| *asked.select_nth_unstable(last).1) else {
            return;
        };
        self.searches.retain(|_, kept| {
            let stays = kept.asked > last_gone;
            self.retired += if stays { 0 } else { kept.search.expanded() };
            stays
        });
    }

    /// Forgets all distances: those of another space, of the same revision, may come next.
    pub fn forget(&mut self) {
        self.retired = self.expanded();
        self.searches.clear();
        self.predecessors = None;
    }

    /// How many nodes all searches together have expanded, those that are no longer kept included.
    pub fn expanded(&self) -> u64 {
        self.retired + self.searches.values().map(|kept| kept.search.expanded()).sum::<u64>()
    }

    /// How many searches are kept.
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

    /// A road, there and back, that can be rebuilt.
    struct Road {
        places: u32,
        revision: Cell<u64>,
    }

    fn road(places: u32) -> Road {
        Road { places, revision: Cell::new(0) }
    }

    impl SpaceGraph for Road {
        type Action = bool;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            self.places as usize
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
            let step = |to: Option<u32>, action| {
                let to = NodeId(to.filter(|to| *to < self.places)?);
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

    type Answer = Result<Option<u32>, OutOfFuel>;

    /// The distance, and how many nodes were expanded to find it.
    fn ask_for<M: Metric<Road> + Clone>(
        distances: &mut TrueDistances<Road, M>,
        road: &Road,
        goals: &[u32],
        from: u32,
    ) -> (Answer, u64) {
        let (goals, from) = (goals.iter().copied().map(NodeId).collect(), NodeId(from));
        let before = distances.expanded();
        let distance = distances.to(road, &goals, from).estimate(road, from, &mut Fuel::unlimited());
        (distance, distances.expanded() - before)
    }

    #[test]
    fn agents_with_the_same_goals_share_a_search_until_the_map_changes() {
        let road = road(10);
        let mut distances = TrueDistances::<Road, Zero>::tables();
        let mut ask = |goals: &[u32], from| {
            let (distance, expanded) = ask_for(&mut distances, &road, goals, from);
            (distance, expanded, distances.searches())
        };
        assert_eq!(ask(&[9], 5), (Ok(Some(4000)), 4, 1));
        assert_eq!(ask(&[9], 6), (Ok(Some(3000)), 0, 1), "known already");
        assert_eq!(ask(&[9], 4), (Ok(Some(5000)), 1, 1), "resumed");
        assert_eq!(ask(&[0, 9], 4), (Ok(Some(4000)), 7, 2), "other goals, another search");
        assert_eq!(ask(&[9, 0, 9], 4), (Ok(Some(4000)), 0, 2), "the same set");
        road.revision.set(1);
        assert_eq!(ask(&[9], 6), (Ok(Some(3000)), 3, 1), "a new map, a new search; what was spent is not forgotten");
    }

    #[test]
    fn searches_that_were_asked_for_least_recently_make_room() {
        let road = road(10);
        let distances = TrueDistances::<Road, Zero>::tables;
        let mut four = distances().keep_at_most(49);
        let mut ask = |goal| {
            let (distance, expanded) = ask_for(&mut four, &road, &[goal], goal + 1);
            (distance, expanded, four.searches())
        };
        let anew = |searches| (Ok(Some(1000)), 1, searches);
        let kept = |searches| (Ok(Some(1000)), 0, searches);
        for goal in 0..4 {
            assert_eq!(ask(goal), anew(goal as usize + 1));
        }
        assert_eq!(ask(0), kept(4), "and now more recent than 1 and 2");
        assert_eq!(ask(4), anew(3), "in place of 1 and 2");
        assert_eq!(ask(0), kept(3));
        assert_eq!(ask(3), kept(3));
        assert_eq!(ask(2), anew(4));
        assert_eq!(ask(1), anew(3), "in place of 4 and 0");
        assert_eq!(ask(3), kept(3));
        assert_eq!(four.expanded(), 7, "what was dropped counts");
        four.forget();
        assert_eq!((four.expanded(), four.searches()), (7, 0));

        // Room for none: the one that is asked for is kept.
        let mut none = distances().keep_at_most(0);
        let mut ask = |goal| ask_for(&mut none, &road, &[goal], 5);
        assert_eq!(ask(9), (Ok(Some(4000)), 4));
        assert_eq!(ask(9), (Ok(Some(4000)), 0));
        assert_eq!(ask(0), (Ok(Some(5000)), 5));
        assert_eq!((none.expanded(), none.searches()), (9, 1));
    }

    /// The distance along a road.
    #[derive(Clone)]
    struct Along;

    impl Metric<Road> for Along {
        fn distance(&self, _road: &Road, from: NodeId, to: NodeId) -> u32 {
            from.0.abs_diff(to.0) * 1000
        }
    }

    #[test]
    fn agents_on_all_sides_do_not_make_a_search_begin_again_for_ever() {
        let road = road(100);
        let mut distances = TrueDistances::aimed(Along);
        for round in 0..200_u32 {
            for from in [52, 20, 90, 49] {
                let (distance, spent) = ask_for(&mut distances, &road, &[50], from);
                assert_eq!(distance, Ok(Some(from.abs_diff(50) * 1000)));
                assert!(round < 20 || spent == 0, "round {round}: {spent}");
            }
        }
    }

    #[test]
    fn an_aimed_search_that_has_outgrown_its_first_way_is_aimed_anew() {
        let road = road(100);
        let mut distances = TrueDistances::aimed(Along);
        let mut ask = |from| ask_for(&mut distances, &road, &[50], from);
        assert_eq!(ask(52), (Ok(Some(2000)), 3), "50, 51, 52");
        assert_eq!(ask(61), (Ok(Some(11_000)), 17), "the other way too: it is aimed at 52");
        assert_eq!(ask(39), (Ok(Some(11_000)), 12), "began again, straight to where it is asked from");
        assert_eq!(ask(38), (Ok(Some(12_000)), 1), "which has not grown much");
        assert_eq!(ask(45), (Ok(Some(5000)), 0));
        assert_eq!(distances.expanded(), 33, "what was found in vain counts");
        distances.forget();
        assert_eq!(distances.expanded(), 33);
    }
}
