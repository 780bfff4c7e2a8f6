//! Routes over the sectors of a space.

mod landmarks;
mod search;

use giveway_core::{Fuel, Suspended};
pub(super) use landmarks::Landmarks;
use search::SectorSearch;

/// A stop of a route: a sector by the number of its central place, and the length of the way from there to the centre
/// of the last sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    pub(super) centre: u32,
    pub(super) to_go: u32,
}

/// A way from the centre of one sector to the centre of a sector beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) to: u32,
    pub(super) length: u32,
}

/// The sectors of a space, for a search for a route to some goals. Lengths have one unit, of the graph's choice.
pub(super) trait SectorGraph {
    /// How many sectors are known.
    fn len(&self) -> usize;

    /// About how many sectors there are.
    fn size(&self) -> usize;

    /// The ways out of `sector`.
    fn links(&mut self, sector: u32) -> &[Link];

    /// The number of the central place of `sector`.
    fn centre(&self, sector: u32) -> u32;

    /// About how long the way from `sector` to a goal is, at least.
    fn left(&self, sector: u32) -> u32;

    /// Whether there is a goal in `sector`.
    fn has_goal(&self, sector: u32) -> bool;

    /// The sectors with goals.
    fn goals(&mut self) -> Vec<u32>;

    /// Whether each place of `sector` is within reach of all its places, and its links tell of every move out of it.
    fn is_whole(&self, sector: u32) -> bool;

    /// Whether a way back is as long as a way.
    fn is_two_way(&self) -> bool;

    /// Returns the unpaid work, in units, and sets it to 0.
    fn owed(&mut self) -> u64;

    /// Whether the map is [large](super::division::is_large).
    fn is_large(&self) -> bool;
}

/// What a search for a route has found.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// The route, from the first sector to one with a goal.
    Route(Vec<Stop>),
    /// No move leads out of these sectors, and there is no goal in them.
    ShutIn(Vec<u32>),
    /// No route was found. There may be a way.
    Nothing,
}

/// A search for a route. After it has run out of fuel, call [`advance`](Self::advance) again.
#[derive(Clone, Debug, Default)]
pub(super) struct RouteSearch {
    search: SectorSearch,
    pub(super) landmarks: Landmarks,
    /// The units of work that have gone into sectors and landmarks since they were last taken: all routes share that
    /// work.
    shared: u64,
}

impl RouteSearch {
    /// A search with equal landmarks. `goes_on`: the search under way goes on, too.
    pub(super) fn fresh(&self, goes_on: bool) -> Self {
        if goes_on { self.clone() } else { Self { landmarks: self.landmarks.clone(), ..Self::default() } }
    }

    /// Begins a search from the sector `start`; `None`: there is no way.
    pub(super) fn begin(&mut self, graph: &mut impl SectorGraph, start: Option<u32>) {
        self.landmarks.aim(graph);
        self.search.begin(graph, &self.landmarks, start);
    }

    /// Whether the search has reached `sector`.
    pub(super) fn has_reached(&self, sector: u32) -> bool {
        self.search.length(sector).is_some()
    }

    /// Returns the units of work that have gone into sectors and landmarks since the last call.
    pub(super) fn take_shared(&mut self) -> u64 {
        std::mem::take(&mut self.shared)
    }

    /// Searches until a route is found, or until there are no more sectors. If a landmark is looked for, some work goes
    /// there before the search.
    pub(super) fn advance(&mut self, graph: &mut impl SectorGraph, fuel: &mut Fuel) -> Result<Found, Suspended> {
        if self.search.popped() == 0 {
            self.shared += self.landmarks.advance(graph, fuel);
        }
        let Some(last) = self.search.advance(graph, &self.landmarks, fuel, &mut self.shared)? else {
            return Ok(self.search.take_closed().map_or(Found::Nothing, Found::ShutIn));
        };
        let stops = self.search.route_to(graph, last);
        self.landmarks.note(&self.search, stops.len(), graph);
        Ok(Found::Route(stops))
    }

    /// How many sectors were taken from the open list since the search began.
    pub(super) fn popped(&self) -> u64 {
        self.search.popped()
    }

    /// Takes sectors from the open list until they are as many as `popped`, without fuel. Returns whether that was
    /// possible before a goal was found.
    pub(super) fn come_as_far(&mut self, graph: &mut impl SectorGraph, popped: u64) -> bool {
        self.search.come_as_far(graph, &self.landmarks, popped)
    }
}
