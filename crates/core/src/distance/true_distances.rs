//! True distances shared by all agents with equal goals.

use indexmap::IndexMap;

use super::metric::Metric;
use super::reverse_search::{Kept, ReverseSearch, Searcher};
use super::source::HeuristicSource;
use super::true_distance::TrueDistance;
use super::view::View;
use crate::space::SpaceGraph;
use crate::vocabulary::{Fuel, Goals, NodeId, Suspended};

/// The reverse searches of one class of agents: agents with equal goals share a search. A class (a space and a
/// footprint) has its own `TrueDistances`. Before a question about another space, [forget](Self::forget) the first
/// space.
///
/// # Memory
/// All searches together take at most [`keep_at_most`](Self::keep_at_most) bytes; the default is
/// [`DEFAULT_BYTES`](Self::DEFAULT_BYTES). The memory that a search has touched counts: see
/// [`DistanceTable`](super::DistanceTable) and [`ReverseAStar`](super::ReverseAStar).
///
/// At the bound, a search that needs more memory is suspended with [`Suspended::OutOfMemory`]. The search goes on where
/// it stopped once [`keep_only`](HeuristicSource::keep_only) has given up other searches. Only `keep_only` and `forget`
/// give up searches. The first search that meets the bound may exceed it, until it is given up or the bound holds
/// again: so at least one search always makes progress.
///
/// Choose a bound with room for several tables: with less, units in narrow places may wait for each other's memory for
/// long, or for ever.
///
/// # Maps that change
/// When the [revision](SpaceGraph::revision) of the space grows, searches stay as they are and go on in the changed
/// map. Estimates are of an earlier map until they are [renewed](HeuristicSource::renew). Before that, they never say
/// that there is no way.
///
/// An aimed search that [has outgrown](super::ReverseAStar::has_outgrown) its first way begins again at the next
/// question, aimed at the asking agent.
///
/// # Threads
/// With the feature `rayon`, [tables](Self::tables) of a [uniform cost](crate::Facts::uniform_cost) are searched on
/// several threads where a strategy [says ahead](HeuristicSource::prepare) which estimates it will ask for. Every
/// search does the same work as on one thread, and the bound on memory holds: searches that could meet it wait until
/// they are asked for.
#[derive(Debug)]
pub struct TrueDistances<S: SpaceGraph, M> {
    pub(super) searches: IndexMap<Goals, Kept<S, M>, rustc_hash::FxBuildHasher>,
    pub(super) searcher: Searcher<S, M>,
    /// The number of questions so far.
    asked: u64,
    /// The index of the search asked for last.
    last: usize,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// The default bound on the bytes of all searches together: a gibibyte. On a four-connected map of 512 x 512 cells
    /// it holds a whole table for each of 3500 goals; where costs differ, as with 8 neighbours, for each of 100 goals.
    pub const DEFAULT_BYTES: usize = 1 << 30;

    /// Tables: see [`DistanceTable`](super::DistanceTable).
    pub fn tables() -> Self {
        Self::with(None)
    }

    /// Reverse A* searches, each aimed by `metric` at an agent that asks: see [`ReverseAStar`](super::ReverseAStar).
    pub fn aimed(metric: M) -> Self {
        Self::with(Some(metric))
    }

    fn with(aim_by: Option<M>) -> Self {
        let searcher = Searcher {
            aim_by,
            predecessors: None,
            most_bytes: Self::DEFAULT_BYTES,
            used: 0,
            exceeding: None,
            begun: 0,
            expanded: 0,
        };
        Self { searches: IndexMap::default(), searcher, asked: 0, last: 0 }
    }

    /// Sets the bound on the `bytes` of all searches together. 0: one search at a time.
    ///
    /// The bound is exceeded by at most two amounts: what one search takes, with its renewal after a change of the
    /// space, and what one step of another search touches. All other searches together stop at the first step that
    /// reaches the bound. The first step of a search is the goals. Each later step is the places around one place; at a
    /// uniform cost, the places around all places at one distance from the goals.
    #[must_use]
    pub fn keep_at_most(mut self, bytes: usize) -> Self {
        self.searcher.most_bytes = bytes;
        self
    }

    /// The heuristic to `goals`; begins its search if there is none. `origin` is the node of the asking agent.
    pub fn to(&mut self, space: &S, goals: &Goals, origin: NodeId) -> TrueDistance<'_, S, M> {
        self.through(space, goals, origin)
    }

    /// [`to`](Self::to) at the costs of a view. Every call must give one and the same view.
    pub(super) fn through(&mut self, space: &impl View<S>, goals: &Goals, origin: NodeId) -> TrueDistance<'_, S, M> {
        let Self { searches, searcher, asked, last } = self;
        *asked += 1;
        // Mostly the search asked for last, or the next one: crowds ask in the order of their agents.
        let is_at = |index: &usize| searches.get_index(*index).is_some_and(|(known, _)| known == goals);
        let near = [*last, *last + 1].into_iter().find(is_at);
        let index = near.or_else(|| searches.get_index_of(goals)).unwrap_or_else(|| {
            let (goals, number, revision) = (goals.clone(), searcher.begun, space.revision());
            searcher.begun += 1;
            let search = searcher.begin(space, &goals, origin);
            let kept = Kept { goals: goals.clone(), number, search, revision, renewal: None, asked: *asked };
            searches.insert_full(goals, kept).0
        });
        *last = index;
        let kept = &mut searches[index];
        if kept.revision != space.revision() && kept.bytes() == 0 {
            // Nothing useful has been searched yet.
            (kept.search, kept.revision) = (searcher.begin(space, goals, origin), space.revision());
        }
        kept.asked = *asked;
        if let ReverseSearch::Aimed(search) = &mut kept.search
            && search.has_outgrown_through(space)
        {
            searcher.used -= search.bytes();
            search.restart(origin);
            searcher.used += search.bytes();
        }
        TrueDistance { kept, searcher }
    }

    /// Forgets all distances: the next question may be about another space of equal revision.
    pub fn forget(&mut self) {
        self.searches.clear();
        (self.searcher.predecessors, self.searcher.used, self.searcher.exceeding) = (None, 0, None);
    }

    /// The number of nodes that all searches together have expanded, dropped searches included.
    pub fn expanded(&self) -> u64 {
        self.searcher.expanded
    }

    /// The number of searches kept.
    pub fn searches(&self) -> usize {
        self.searches.len()
    }

    /// How many bytes the kept searches take together.
    pub fn bytes(&self) -> usize {
        self.searcher.used
    }
}

/// The clone is independent: neither learns what the other finds.
impl<S: SpaceGraph, M: Clone> Clone for TrueDistances<S, M> {
    fn clone(&self) -> Self {
        Self { searches: self.searches.clone(), searcher: self.searcher.clone(), ..*self }
    }
}

impl<S: SpaceGraph, M: Metric<S> + Clone> HeuristicSource<S> for TrueDistances<S, M> {
    type Heuristic<'a>
        = TrueDistance<'a, S, M>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> TrueDistance<'a, S, M> {
        self.to(space, goals, origin)
    }

    fn forget(&mut self) {
        TrueDistances::forget(self);
    }

    fn reverse_expanded(&self) -> u64 {
        self.expanded()
    }

    fn bytes(&self) -> usize {
        TrueDistances::bytes(self)
    }

    #[cfg(feature = "rayon")]
    fn prepare(&mut self, space: &S, asks: &[(&Goals, NodeId)]) {
        self.search_ahead(space, asks);
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.to(space, goals, origin).renew(space, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        self.searches.get(goals).map_or_else(|| space.revision(), |kept| kept.revision)
    }

    /// Drops searches for goals that are not `needed`, until half of the bound is free. The searches not asked for
    /// longest go first.
    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        let idle = self.searches.iter().filter(|(goals, _)| !needed(goals));
        let mut idle: Vec<(u64, usize)> = idle.map(|(_, kept)| (kept.asked, kept.bytes())).collect();
        idle.sort_unstable();
        let mut left = self.searcher.used;
        let gone = idle.iter().take_while(|(_, bytes)| {
            let full = left > self.searcher.most_bytes / 2;
            left -= if full { *bytes } else { 0 };
            full
        });
        if let Some(last) = gone.map(|(asked, _)| *asked).last() {
            // Each question has a number of its own, so no two searches have equal `asked`.
            self.searches.retain(|goals, kept| kept.asked > last || needed(goals));
        }
        self.searcher.used = left;
        let exceeding = |kept: &Kept<S, M>| self.searcher.exceeding == Some(kept.number);
        if left <= self.searcher.most_bytes || !self.searches.values().any(exceeding) {
            self.searcher.exceeding = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::distance::metric::Zero;
    use crate::estimate::Heuristic;
    use crate::graph::facts::Facts;
    use crate::vocabulary::Move;

    /// A road, driven both ways, that can be rebuilt.
    struct Road {
        places: u32,
        revision: Cell<u64>,
        /// Units cannot go on from here.
        cut: Cell<Option<u32>>,
    }

    fn road(places: u32) -> Road {
        Road { places, revision: Cell::new(0), cut: Cell::new(None) }
    }

    impl SpaceGraph for Road {
        type Action = bool;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            self.places as usize
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
            let step = |to: Option<u32>, action| {
                let cut = action && self.cut.get() == Some(from.0);
                let to = NodeId(to.filter(|to| *to < self.places && !cut)?);
                Some(Move { from, to, action, cost: 1000, length: 1.0 })
            };
            step(from.0.checked_add(1), true).into_iter().chain(step(from.0.checked_sub(1), false))
        }

        fn facts(&self) -> Facts<'_, Self::Cost> {
            Facts { uniform_cost: Some(1000), ..Facts::NONE }
        }

        fn revision(&self) -> u64 {
            self.revision.get()
        }
    }

    type Answer = Result<Option<u32>, Suspended>;

    /// The distance, and the number of nodes expanded to find it.
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
    fn agents_with_the_same_goals_share_a_search() {
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
    }

    fn renew(distances: &mut TrueDistances<Road, Zero>, road: &Road, goal: u32, from: u32, fuel: u64) -> (bool, u64) {
        let before = distances.expanded();
        let fuel = &mut Fuel::work(fuel);
        let done = distances.renew(road, &Goals::one(NodeId(goal)), NodeId(from), fuel).is_ok();
        (done, distances.expanded() - before)
    }

    #[test]
    fn a_search_outlives_an_edit_until_it_is_renewed() {
        let road = road(10);
        let distances = &mut TrueDistances::<Road, Zero>::tables();
        let goals = Goals::one(NodeId(9));
        assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(Some(4000)), 4));
        assert_eq!((distances.revision(&road, &goals), renew(distances, &road, 9, 5, 0)), (0, (true, 0)));
        // The road is cut between 6 and 7.
        road.revision.set(1);
        road.cut.set(Some(6));
        assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(Some(4000)), 0), "as it was");
        assert_eq!(ask_for(distances, &road, &[9], 3), (Ok(Some(6000)), 2), "goes on as if nothing had happened");
        assert_eq!((distances.revision(&road, &goals), distances.searches()), (0, 1));
        assert_eq!(renew(distances, &road, 9, 5, 2), (false, 2));
        assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(Some(4000)), 0), "as long as it is not renewed");
        // Mended before the renewal was done: the renewal ends in the old road, and is renewed in turn.
        road.revision.set(2);
        road.cut.set(None);
        assert_eq!(renew(distances, &road, 9, 5, 3), (false, 3));
        assert_eq!(distances.revision(&road, &goals), 1);
        assert_eq!(renew(distances, &road, 9, 5, 9), (true, 2));
        assert_eq!((distances.revision(&road, &goals), ask_for(distances, &road, &[9], 5).0), (2, Ok(Some(4000))));
    }

    #[test]
    fn what_was_searched_before_an_edit_never_says_that_there_is_no_way() {
        let road = road(10);
        road.cut.set(Some(6));
        let distances = &mut TrueDistances::<Road, Zero>::tables();
        assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(None), 3));
        road.revision.set(1);
        road.cut.set(None);
        // One move to a known node suffices; beyond that, the new road is searched.
        assert_eq!(ask_for(distances, &road, &[9], 6), (Ok(Some(3000)), 0));
        assert_eq!(distances.revision(&road, &Goals::one(NodeId(9))), 0);
        assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(Some(4000)), 4));
        assert_eq!(distances.revision(&road, &Goals::one(NodeId(9))), 1);
        road.revision.set(2);
        road.cut.set(Some(6));
        assert_eq!(renew(distances, &road, 9, 5, 9), (true, 3));
        assert_eq!(ask_for(distances, &road, &[9], 5), (Ok(None), 0));
    }

    /// The bytes of a table that has seen all of a road of 10 places.
    fn whole_table() -> usize {
        let mut one = TrueDistances::<Road, Zero>::tables();
        assert_eq!(ask_for(&mut one, &road(10), &[0], 9).0, Ok(Some(9000)));
        one.bytes()
    }

    #[test]
    fn searches_wait_for_memory_and_none_that_is_needed_is_begun_again() {
        let road = road(10);
        // Room for two and a half tables: the third search exceeds it, and the fourth has to wait.
        let mut distances = TrueDistances::<Road, Zero>::tables().keep_at_most(whole_table() * 5 / 2);
        let ask = |distances: &mut TrueDistances<Road, Zero>, goal: u32| ask_for(distances, &road, &[goal], 9);
        for goal in 0..3_u32 {
            assert_eq!(ask(&mut distances, goal), (Ok(Some((9 - goal) * 1000)), 9));
        }
        assert_eq!(ask(&mut distances, 3), (Err(Suspended::OutOfMemory), 0));
        let bytes = distances.bytes();
        let goal = |goal| Goals::one(NodeId(goal));
        // All are needed: nothing is given up, and all go on.
        distances.keep_only(&mut |goals| *goals != goal(3));
        assert_eq!((distances.bytes(), ask(&mut distances, 3).0), (bytes, Err(Suspended::OutOfMemory)));
        assert!((0..3).all(|goal| ask(&mut distances, goal).1 == 0));
        // The first has arrived.
        distances.keep_only(&mut |goals| *goals != goal(0));
        assert_eq!(distances.bytes(), bytes - whole_table());
        assert_eq!(ask(&mut distances, 3), (Ok(Some(6000)), 9));
        assert!((1..4).all(|goal| ask(&mut distances, goal).1 == 0));
        assert_eq!(ask(&mut distances, 0), (Err(Suspended::OutOfMemory), 0));
        // Of the searches not needed, the ones not asked for longest go first, until half is free.
        assert_eq!(ask(&mut distances, 1).1, 0);
        distances.keep_only(&mut |goals| *goals == goal(0));
        let kept = |goal: &u32| matches!(ask(&mut distances, *goal), (Ok(_), 0));
        assert_eq!((0..4).filter(kept).collect::<Vec<u32>>(), [1]);
        distances.forget();
        assert_eq!((distances.bytes(), distances.searches()), (0, 0));
    }

    #[test]
    fn with_room_for_nothing_one_search_at_a_time_comes_to_an_end() {
        let road = road(10);
        let mut distances = TrueDistances::<Road, Zero>::tables().keep_at_most(0);
        assert_eq!(ask_for(&mut distances, &road, &[9], 5), (Ok(Some(4000)), 4));
        assert_eq!(ask_for(&mut distances, &road, &[8], 5), (Err(Suspended::OutOfMemory), 0));
        assert_eq!(ask_for(&mut distances, &road, &[9], 3), (Ok(Some(6000)), 2), "which may grow");
        assert_eq!(ask_for(&mut distances, &road, &[8], 8), (Ok(Some(0)), 0), "there is nothing to search");
        distances.keep_only(&mut |goals| *goals == Goals::one(NodeId(8)));
        assert_eq!(ask_for(&mut distances, &road, &[8], 5), (Ok(Some(3000)), 4));
        assert_eq!(ask_for(&mut distances, &road, &[9], 5), (Err(Suspended::OutOfMemory), 0));
    }

    /// Asks at random, and gives up searches now and then. Returns by how much the bound was exceeded at most.
    fn most_beyond<M: Metric<Road> + Clone>(mut distances: TrueDistances<Road, M>, most: usize, seed: u64) -> usize {
        /// Two pages of four bytes to a place, and what lists have on the next place in either direction.
        const STEP: usize = 2 * 256 * 4 + 256;
        let road = road(4000);
        let mut state = seed;
        let mut draw = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((state >> 33) % bound).unwrap()
        };
        let mut beyond = 0;
        for _ in 0..600 {
            let (goal, from) = (Goals::one(NodeId(draw(6) * 700)), NodeId(draw(4000)));
            let fuel = &mut Fuel::work([30, 400, u64::MAX][draw(3) as usize]);
            match draw(40) {
                0 => road.revision.set(road.revision.get() + 1),
                1..20 => drop(distances.renew(&road, &goal, from, fuel)),
                _ => drop(distances.to(&road, &goal, from).estimate(&road, from, fuel)),
            }
            if draw(20) == 0 {
                distances.keep_only(&mut |other| *other == goal);
            }
            assert_eq!(distances.bytes(), distances.searches.values().map(Kept::bytes).sum::<usize>());
            let exceeding = distances.searcher.exceeding;
            let one = distances.searches.values().find(|kept| exceeding == Some(kept.number)).map_or(0, Kept::bytes);
            assert!(distances.bytes() - one <= most + STEP, "{} beside {one}, of {most}", distances.bytes());
            beyond = beyond.max(distances.bytes().saturating_sub(most));
        }
        beyond
    }

    #[test]
    fn the_bound_is_exceeded_by_one_search_and_a_step_at_most() {
        for most in [0, 900, 5000, 20_000, 50_000, 200_000] {
            let tables =
                (0..20).map(|seed| most_beyond(TrueDistances::<Road, Zero>::tables().keep_at_most(most), most, seed));
            let aimed = (0..20).map(|seed| most_beyond(TrueDistances::aimed(Along).keep_at_most(most), most, seed));
            let beyond = [tables.max(), aimed.max()].map(Option::unwrap);
            assert!(most > 20_000 || beyond.iter().all(|beyond| *beyond > 4000), "{most}: {beyond:?}");
        }
    }

    #[test]
    fn a_table_on_a_large_map_costs_fuel_and_takes_memory_for_what_it_has_seen() {
        let road = road(1 << 20);
        let mut distances = TrueDistances::<Road, Zero>::tables();
        let goal = 1 << 19;
        let mut ask = |from, fuel| {
            let fuel = &mut Fuel::work(fuel);
            let found =
                distances.to(&road, &Goals::one(NodeId(goal)), NodeId(from)).estimate(&road, NodeId(from), fuel);
            (found, fuel.left(), distances.bytes())
        };
        assert_eq!(ask(goal + 50, 0), (Err(Suspended::OutOfFuel), 0, 0));
        let (found, left, bytes) = ask(goal + 50, 200);
        assert_eq!((found, left), (Ok(Some(50_000)), 200 - 8 - 100 + 1));
        // Two pages, the table of all pages, and two small frontiers.
        assert!((32_768 + 1024..32_768 + 2048).contains(&bytes), "{bytes}");
    }

    #[test]
    fn distances_beyond_sixteen_bits_are_exact() {
        let road = road(70_000);
        let mut distances = TrueDistances::<Road, Zero>::tables();
        for from in [69_999, 65_533, 65_534, 65_535, 65_536, 7] {
            assert_eq!(ask_for(&mut distances, &road, &[0], from).0, Ok(Some(from * 1000)));
        }
        assert_eq!(distances.expanded(), 69_999);
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

    #[test]
    fn a_clone_goes_on_by_itself() {
        let road = road(100);
        for mut one in [TrueDistances::<Road, Along>::tables(), TrueDistances::aimed(Along)] {
            assert_eq!(ask_for(&mut one, &road, &[50], 55).0, Ok(Some(5000)));
            let mut two = one.clone();
            assert_eq!((two.searches(), two.bytes(), two.expanded()), (1, one.bytes(), one.expanded()));
            assert_eq!(ask_for(&mut two, &road, &[50], 55), (Ok(Some(5000)), 0), "known already");
            let found = ask_for(&mut two, &road, &[50], 60);
            assert_eq!(found.0, Ok(Some(10_000)));
            assert!(found.1 > 0);
            assert_eq!(ask_for(&mut one, &road, &[50], 60), found, "which the other has not found");
            two.forget();
            assert_eq!((one.searches(), two.searches()), (1, 0));
        }
    }
}
