//! True distances shared by all agents with equal goals.

mod written;

use std::collections::VecDeque;
use std::sync::Arc;

use giveway_core::heuristic::{HeuristicSource, Metric};
use giveway_core::{Fuel, Garbled, Goals, NodeId, SpaceGraph, Suspended, WordReader, Words};
use indexmap::IndexMap;

use super::reverse_search::{Kept, ReverseSearch, Searcher};
use super::true_distance::TrueDistance;
use super::view::View;

/// True distances for one class of agents. Distances to one set of goals come from one reverse search, which all agents
/// with these goals share.
///
/// A class is a space and a footprint. Use one `TrueDistances` for each class. Before a question about another space,
/// call [`forget`](Self::forget).
///
/// # Memory
/// [`keep_at_most`](Self::keep_at_most) sets a bound on the memory of all searches together; the default is
/// [`DEFAULT_BYTES`](Self::DEFAULT_BYTES). [`DistanceTable`](super::DistanceTable) and
/// [`ReverseAStar`](super::ReverseAStar) say how much memory a search takes.
///
/// At the bound, a search that needs more memory is suspended with [`Suspended::OutOfMemory`]. The search goes on where
/// it stopped after other searches have been dropped. Only [`keep_only`](HeuristicSource::keep_only),
/// [`release`](HeuristicSource::release) and `forget` drop searches.
///
/// The first search that meets the bound may exceed it, until this search is dropped, or until the bound holds again
/// after `keep_only` or `release`. Meanwhile no other search may exceed the bound. So at least one search always makes
/// progress.
///
/// Choose a bound with room for several searches. With less room, two units in a narrow place may block each other for
/// ever: the first unit waits for memory that belongs to the search of the second unit, and the second unit waits for
/// the first unit to move.
///
/// # Maps that change
/// When the [revision](SpaceGraph::revision) of the space grows, searches keep their distances, and go on in the
/// changed map. Until [`renew`](HeuristicSource::renew) is called, estimates may be distances of the earlier map. Such
/// estimates never say that there is no way.
///
/// [`renew`](HeuristicSource::renew) needs no new search if three things hold: the distances are a table of a [uniform
/// cost](giveway_core::Facts::uniform_cost); the space [tells](SpaceGraph::edits_since) that few nodes have changed;
/// and the distances of all other nodes are as before.
///
/// An aimed search that [has outgrown](super::ReverseAStar::has_outgrown) its first aim begins again at the next
/// question, aimed at the asking agent.
///
/// # Threads
/// With the feature `rayon`, [`prepare`](HeuristicSource::prepare) searches [tables](Self::tables) of a [uniform
/// cost](giveway_core::Facts::uniform_cost) on several threads. Every search does the work that it would do on one
/// thread. The bound on memory holds: a search that could meet the bound is left until its estimates are asked for.
#[derive(Debug)]
pub struct TrueDistances<S: SpaceGraph, M> {
    pub(super) searches: IndexMap<Goals, Kept<S, M>, rustc_hash::FxBuildHasher>,
    pub(super) searcher: Searcher<S, M>,
    /// The number of questions so far.
    asked: u64,
    /// The index of the search asked for last.
    last: usize,
    /// The goals released last, the latest at the end, and the question that last asked for each before. A search that
    /// was asked for since then is in use again.
    released: VecDeque<(Goals, u64)>,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// The default bound on the bytes of all searches together: a gibibyte. On a map of 512 x 512 cells with 4
    /// neighbours, a gibibyte holds whole tables for 3500 goals. With 8 neighbours, straight and diagonal moves differ
    /// in cost, so tables are larger: a gibibyte holds whole tables for 500 goals.
    pub const DEFAULT_BYTES: usize = 1 << 30;

    /// Distances by tables: see [`DistanceTable`](super::DistanceTable).
    pub fn tables() -> Self {
        Self::with(None)
    }

    /// Distances by reverse A* searches. Each search is aimed, by `metric`, at an agent that asks: see
    /// [`ReverseAStar`](super::ReverseAStar).
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
        Self { searches: IndexMap::default(), searcher, asked: 0, last: 0, released: VecDeque::new() }
    }

    /// Sets the bound on the memory of all searches together, in bytes. With 0, there is memory for one search at a
    /// time.
    ///
    /// A search stops at the first step that reaches the bound. One search is an exception and always goes on. So all
    /// searches together exceed the bound by at most two amounts: the memory of one whole search, including its renewal
    /// after a change of the space; and the memory of one step of another search.
    ///
    /// The first step of a search visits the goals. Where costs differ, each later step visits the nodes around one
    /// node. At a uniform cost, each later step visits the nodes around all nodes at one distance from the goals.
    ///
    /// After a change of the space, two kinds of work do not stop at the bound. A table that is renewed without a new
    /// search may get a few pages more. If a plain grid has lost its [tiles](giveway_core::Tiles), a table that is
    /// searched further grows to the memory that it would take in a space without tiles. Memory that all searches share
    /// is not counted.
    #[must_use]
    pub fn keep_at_most(mut self, bytes: usize) -> Self {
        self.searcher.most_bytes = bytes;
        self
    }

    /// The heuristic for ways to `goals`. Begins a search if there is none for these goals. `origin` is the node of the
    /// asking agent.
    pub fn to(&mut self, space: &S, goals: &Goals, origin: NodeId) -> TrueDistance<'_, S, M> {
        self.through(space, goals, origin)
    }

    /// [`to`](Self::to) at the costs of a view. Every call must give one and the same view.
    pub(super) fn through(&mut self, space: &impl View<S>, goals: &Goals, origin: NodeId) -> TrueDistance<'_, S, M> {
        let known = self.index_of(goals);
        let Self { searches, searcher, asked, last, .. } = self;
        *asked += 1;
        let index = known.unwrap_or_else(|| {
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
            Arc::make_mut(search).restart(origin);
            searcher.used += search.bytes();
        }
        TrueDistance { kept, searcher }
    }

    /// Whether searches take less than half of the memory that they may take.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.searcher.used < self.searcher.most_bytes / 2
    }

    /// Whether there is a search for `goals`.
    #[inline]
    pub(super) fn holds(&self, goals: &Goals) -> bool {
        self.index_of(goals).is_some()
    }

    /// The index of the search for `goals`. Mostly it is the search asked for last, or the next one: crowds ask in the
    /// order of their agents.
    #[inline]
    fn index_of(&self, goals: &Goals) -> Option<usize> {
        let is_at = |index: &usize| self.searches.get_index(*index).is_some_and(|(known, _)| known == goals);
        let near = [self.last, self.last + 1].into_iter().find(is_at);
        near.or_else(|| self.searches.get_index_of(goals))
    }

    /// Forgets all distances. The next question may then be about another space, even at an equal revision.
    pub fn forget(&mut self) {
        self.searches.clear();
        self.released.clear();
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

    /// The memory of all kept searches together, in bytes.
    pub fn bytes(&self) -> usize {
        self.searcher.used
    }
}

/// The clone is independent: neither value learns what the other finds. The two values share each search until one of
/// them goes on with it.
impl<S: SpaceGraph, M: Clone> Clone for TrueDistances<S, M> {
    fn clone(&self) -> Self {
        let (searches, searcher, released) = (self.searches.clone(), self.searcher.clone(), self.released.clone());
        Self { searches, searcher, released, ..*self }
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

    fn write_to(&self, space: &S, words: &mut Words) {
        self.write_through(space, true, words);
    }

    fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.read_through(space, words)
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.to(space, goals, origin).renew(space, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        self.searches.get(goals).map_or_else(|| space.revision(), |kept| kept.revision)
    }

    /// The search is kept as one of the last that were released, in case an agent is sent there again, until others
    /// are released. Once all searches together take more than 64 MiB, none is kept any more.
    fn release(&mut self, goals: &Goals) {
        let Some(kept) = self.searches.get(goals) else { return };
        self.released.push_back((goals.clone(), kept.asked));
        let is_enough = |distances: &Self| {
            distances.released.len() > distances.searches.len() / 2 + SPARE || distances.searcher.used > FREELY
        };
        while is_enough(self)
            && let Some((goals, asked)) = self.released.pop_front()
        {
            self.give_up(&goals, asked);
        }
    }

    /// Drops searches for goals that are not `needed`, until half of the bound is free. The searches not asked for
    /// longest go first.
    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        let idle = self.searches.iter().filter(|(goals, _)| !needed(goals));
        let idle = idle.map(|(_, kept)| (kept.asked, kept.bytes())).collect();
        let (last, left) = last_to_go(idle, self.searcher.used, self.searcher.most_bytes / 2);
        if let Some(last) = last {
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

/// Of the `idle` searches, the searches not asked for longest go, until at most `enough` of `used` bytes are left.
/// Returns the last search that goes, and the bytes that are left. A search is given by the number of its last
/// question, and by its bytes.
fn last_to_go(mut idle: Vec<(u64, usize)>, used: usize, enough: usize) -> (Option<u64>, usize) {
    idle.sort_unstable();
    let (mut last, mut left) = (None, used);
    for (asked, bytes) in idle {
        if left <= enough {
            break;
        }
        (last, left) = (Some(asked), left - bytes);
    }
    (last, left)
}

/// Of the searches for released goals, about as many as there are others are kept, and up to twice this many more.
const SPARE: usize = 8;

/// While all searches together take at most so many bytes, searches for released goals are kept. Large tables are
/// rarely asked for again: on a large map goals seldom repeat.
const FREELY: usize = 64 << 20;

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistances<S, M> {
    /// Gives up the search for `goals`, so that the next question about them begins anew.
    pub(super) fn renounce(&mut self, goals: &Goals) {
        if let Some(asked) = self.searches.get(goals).map(|kept| kept.asked) {
            self.give_up(goals, asked);
        }
    }

    /// Gives up the search for `goals`, unless it was asked for after question `asked`.
    fn give_up(&mut self, goals: &Goals, asked: u64) {
        if self.searches.get(goals).is_some_and(|kept| kept.asked == asked)
            && let Some(kept) = self.searches.swap_remove(goals)
        {
            let searcher = &mut self.searcher;
            searcher.used -= kept.bytes();
            if searcher.exceeding == Some(kept.number) || searcher.used <= searcher.most_bytes {
                searcher.exceeding = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use giveway_core::heuristic::Zero;
    use giveway_core::{Heuristic, Move};

    /// A road of 4000 places, driven both ways, of this revision.
    struct Road(u64);

    impl SpaceGraph for Road {
        type Action = bool;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            4000
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
            let ends = [(from.0.checked_add(1).filter(|to| *to < 4000), true), (from.0.checked_sub(1), false)];
            let step = move |(to, action)| Some(Move { from, to: NodeId(to?), action, cost: 1000, length: 1.0 });
            ends.into_iter().filter_map(step)
        }

        fn facts(&self) -> giveway_core::Facts<'_, u32> {
            giveway_core::Facts { uniform_cost: Some(1000), ..giveway_core::Facts::NONE }
        }

        fn revision(&self) -> u64 {
            self.0
        }
    }

    /// The distance along a road.
    #[derive(Clone)]
    struct Along;

    impl Metric<Road> for Along {
        fn distance(&self, _road: &Road, from: NodeId, to: NodeId) -> u32 {
            from.0.abs_diff(to.0) * 1000
        }
    }

    /// Asks at random, and gives up searches now and then. Returns by how much the bound was exceeded at most.
    fn most_beyond<M: Metric<Road> + Clone>(mut distances: TrueDistances<Road, M>, most: usize, seed: u64) -> usize {
        /// Two pages of four bytes to a place, and what lists have on the next place in either direction.
        const STEP: usize = 2 * 256 * 4 + 256;
        let mut road = Road(0);
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
                0 => road.0 += 1,
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
}
