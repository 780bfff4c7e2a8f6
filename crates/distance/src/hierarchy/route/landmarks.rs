//! Landmarks among the sectors: the lengths of the ways from a few sectors to all others tell how long a way is at
//! least where walls are in the way.
//!
//! Goldberg & Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005 (ALT). On grids:
//! Sturtevant, Felner, Barrer, Schaeffer and Burch, "Memory-Based Heuristics for Explicit State Spaces", IJCAI 2009
//! (differential heuristics). Here landmarks are chosen one after the other, as searches turn out to need them.

mod written;

use std::sync::Arc;

use giveway_core::Fuel;

use super::SectorGraph;
use super::search::{Aim, SectorSearch};

/// The largest number of landmarks.
const MOST: usize = 8;

/// A search may expand so many sectors for each stop of its route. What it expands beyond is wasted.
const FOR_EACH_STOP: u64 = 2;

/// The number of sectors expanded per unit of work, but for searches for routes on
/// [large](super::super::division::is_large) maps.
const EXPANDED_AT_ONCE: u64 = 2;

/// The weights of a step gone and of a step that is left, where no landmark tells about the goals. That halves the
/// search. Windows make up for most of what routes lose.
const WEIGHTS: [u32; 2] = [8, 9];

/// The weights where landmarks do: what is left is less of a guess then, and counts less, for shorter routes.
const WEIGHTS_BY_LANDMARKS: [u32; 2] = [16, 17];

/// Of a sector to which no way is known.
const NONE: u32 = u32::MAX;

/// The lengths of the ways from each landmark to one sector.
type Lengths = [u32; MOST];

/// The landmarks of a graph of sectors.
///
/// Between two revisions that both are known, sectors only close. The new sectors of a tile are without lengths, and
/// their centres may lie elsewhere than the centre of the former sector, so that lengths may be a few steps off.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Landmarks {
    /// By sector. Sectors that were not known when the last landmark was found are not there.
    lengths: Arc<Vec<Lengths>>,
    /// How many landmarks were found.
    found: usize,
    /// The sector farthest from all landmarks, of those to which a way leads from the last one; `None`: it may have
    /// changed.
    farthest: Option<u32>,
    /// The sectors that searches have expanded in vain since the last landmark was looked for.
    wasted: u64,
    /// The search for the lengths of the ways from the next landmark.
    next: Option<SectorSearch>,
    /// The units of work that may go into it before the next search for a route: as much as went into the last one. So
    /// nobody waits for long.
    slice: u64,
    /// The lengths of the goals of the route that is looked for.
    goals: Vec<Lengths>,
    /// Whether any of these is known.
    tell_of_goals: bool,
}

/// A search finds the ways to all sectors.
struct Everywhere;

impl Aim for Everywhere {
    fn left(&self, _graph: &impl SectorGraph, _sector: u32) -> u32 {
        0
    }

    fn is_goal(&self, _graph: &impl SectorGraph, _sector: u32) -> bool {
        false
    }

    fn weights(&self) -> [u32; 2] {
        [1, 0]
    }

    fn expanded_at_once(&self, _graph: &impl SectorGraph) -> u64 {
        EXPANDED_AT_ONCE
    }
}

/// A search leads to the goals of the graph, and landmarks, too, tell how long ways are.
impl Aim for Landmarks {
    fn left(&self, graph: &impl SectorGraph, sector: u32) -> u32 {
        graph.left(sector).max(self.bound(sector, graph.is_two_way()))
    }

    fn is_goal(&self, graph: &impl SectorGraph, sector: u32) -> bool {
        graph.has_goal(sector)
    }

    fn weights(&self) -> [u32; 2] {
        if self.tell_of_goals { WEIGHTS_BY_LANDMARKS } else { WEIGHTS }
    }

    fn expanded_at_once(&self, graph: &impl SectorGraph) -> u64 {
        if graph.is_large() { 1 } else { EXPANDED_AT_ONCE }
    }
}

impl Landmarks {
    /// Forgets all landmarks, because ways may have become shorter.
    pub(in super::super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether nothing is known, nor looked for.
    pub(in super::super) fn are_none(&self) -> bool {
        self.found == 0 && self.next.is_none()
    }

    /// Notes that `sector` has changed. Gives up the search for the next landmark if it has reached `sector`.
    pub(in super::super) fn forget(&mut self, sector: u32) {
        self.farthest = None;
        self.next.take_if(|search| search.length(sector).is_some());
    }

    /// Goes on with the search for the next landmark, if there is one, for a while. Returns the work done.
    pub(super) fn advance(&mut self, graph: &mut impl SectorGraph, fuel: &mut Fuel) -> u64 {
        let Some(search) = &mut self.next else { return 0 };
        let most = fuel.left().min(self.slice);
        let mut slice = Fuel::work(most);
        let outcome = search.advance(graph, &Everywhere, &mut slice, &mut 0);
        let work = most - slice.left();
        fuel.burn_at_most(usize::try_from(work).unwrap_or(usize::MAX));
        self.slice -= work;
        if outcome.is_ok()
            && let Some(search) = self.next.take()
        {
            self.add(&search, graph);
            self.aim(graph);
        }
        work
    }

    /// Adds the landmark where `search` began.
    fn add(&mut self, search: &SectorSearch, graph: &impl SectorGraph) {
        let place = self.found % MOST;
        let lengths = Arc::make_mut(&mut self.lengths);
        lengths.resize(graph.len(), [NONE; MOST]);
        for (sector, lengths) in (0..).zip(lengths) {
            lengths[place] = search.length(sector).unwrap_or(NONE);
        }
        self.found += 1;
        self.farthest = Some(self.farthest_in(search));
    }

    /// Sets the goals of the route that is looked for: those of `graph`.
    pub(super) fn aim(&mut self, graph: &mut impl SectorGraph) {
        let goals = if self.found > 0 { graph.goals() } else { Vec::new() };
        self.goals = goals.into_iter().map(|goal| self.of(goal)).collect();
        self.tell_of_goals = self.goals.iter().flatten().any(|length| *length != NONE);
    }

    /// The lengths of the ways to `sector`.
    #[inline]
    fn of(&self, sector: u32) -> Lengths {
        self.lengths.get(sector as usize).copied().unwrap_or([NONE; MOST])
    }

    /// About how long the way from `sector` to a goal is, at least. `is_two_way`: ways back are as long.
    #[inline]
    fn bound(&self, sector: u32, is_two_way: bool) -> u32 {
        if self.goals.is_empty() {
            return 0;
        }
        let here = self.of(sector);
        let left = |goal: &Lengths| {
            let by_each = here.iter().zip(goal).map(|(here, goal)| match (*here, *goal) {
                (NONE, _) | (_, NONE) => 0,
                (here, goal) if is_two_way => here.abs_diff(goal),
                (here, goal) => goal.saturating_sub(here),
            });
            by_each.fold(0, u32::max)
        };
        self.goals.iter().map(left).min().unwrap_or(0)
    }

    /// Notes that `search` has found a route with so many `stops`. If searches have wasted as many sectors as there are, a
    /// landmark is looked for: where there are not `MOST` landmarks yet, or all of these tell nothing about the goals.
    pub(super) fn note(&mut self, search: &SectorSearch, stops: usize, graph: &impl SectorGraph) {
        self.slice = search.popped();
        if self.found >= MOST && self.tell_of_goals {
            return;
        }
        self.wasted += search.popped().saturating_sub(FOR_EACH_STOP * stops as u64);
        if self.next.is_some() || self.wasted < graph.size() as u64 {
            return;
        }
        self.wasted = 0;
        let last = self.found.wrapping_sub(1) % MOST;
        let is_near_last = self.of(search.start())[last] != NONE;
        let landmark = self.farthest.filter(|_| is_near_last).unwrap_or_else(|| self.farthest_in(search));
        self.look_from(graph, landmark);
    }

    /// Begins the search for the lengths of the ways from `landmark`.
    fn look_from(&mut self, graph: &impl SectorGraph, landmark: u32) {
        let mut next = SectorSearch::default();
        next.begin(graph, &Everywhere, Some(landmark));
        self.next = Some(next);
    }

    /// Of the sectors that `search` has reached, the one farthest from all landmarks; of equal ones the one farthest from
    /// its start.
    fn farthest_in(&self, search: &SectorSearch) -> u32 {
        let nearest = |sector: u32| self.of(sector).into_iter().min();
        let farthest = search.lengths().max_by_key(|(length, sector)| (nearest(*sector), *length, *sector));
        farthest.map_or(search.start(), |(_, sector)| sector)
    }

    /// Continues the search for the `landmark` until it has taken so many sectors from its open list, without fuel.
    /// Returns whether that was possible.
    pub(in super::super) fn come_as_far(&mut self, graph: &mut impl SectorGraph, landmark: u32, popped: u64) -> bool {
        self.look_from(graph, landmark);
        self.next.as_mut().is_none_or(|search| search.come_as_far(graph, &Everywhere, popped))
    }

    /// The landmark that is looked for, and how many sectors its search has taken from the open list.
    pub(in super::super) fn next(&self) -> Option<(u32, u64)> {
        self.next.as_ref().map(|search| (search.start(), search.popped()))
    }
}

#[cfg(test)]
mod tests;
