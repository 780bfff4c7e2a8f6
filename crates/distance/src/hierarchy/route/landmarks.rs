//! Landmarks among the sectors: the lengths of the ways from a few sectors to all others tell how long a way is at
//! least where walls are in the way.
//!
//! Goldberg & Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005 (ALT). On grids:
//! Sturtevant, Felner, Barrer, Schaeffer and Burch, "Memory-Based Heuristics for Explicit State Spaces", IJCAI 2009
//! (differential heuristics). Here landmarks are chosen one after the other, as searches turn out to need them.

mod written;

use std::sync::Arc;

use giveway_core::{Fuel, Suspended};

use super::search::SectorSearch;
use super::{Link, SectorGraph};

/// The largest number of landmarks.
pub(super) const MOST: usize = 8;

/// A search may expand so many sectors for each stop of its route. What it expands beyond is wasted.
const FOR_EACH_STOP: u64 = 2;

/// A landmark is looked for once searches have wasted one part in `SHARE` of all sectors. To expand a sector costs half
/// as much then as in a search for a route.
const SHARE: u64 = 2;

/// Of a sector to which no way is known.
const NONE: u32 = u32::MAX;

/// The lengths of the ways from each landmark to one sector.
type Lengths = [u32; MOST];

/// The landmarks of a graph of sectors.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Landmarks {
    /// By sector. Sectors that were not known when the last landmark was found are not there.
    lengths: Arc<Vec<Lengths>>,
    /// How many landmarks are found.
    count: usize,
    /// The sectors that searches have expanded in vain since the last landmark was begun.
    wasted: u64,
    /// The search for the lengths of the ways from the next landmark, and that landmark.
    next: Option<(SectorSearch, u32)>,
    /// The lengths of the goals of the route that is looked for.
    goals: Vec<Lengths>,
}

/// A graph without goals: a search in it finds the ways to all sectors.
struct Outward<'a, G>(&'a mut G);

impl<G: SectorGraph> SectorGraph for Outward<'_, G> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn links(&mut self, sector: u32) -> &[Link] {
        self.0.links(sector)
    }

    fn centre(&self, sector: u32) -> u32 {
        self.0.centre(sector)
    }

    fn left(&self, _sector: u32) -> u32 {
        0
    }

    fn has_goal(&self, _sector: u32) -> bool {
        false
    }

    fn goals(&mut self) -> Vec<Option<u32>> {
        Vec::new()
    }

    fn is_whole(&self, sector: u32) -> bool {
        self.0.is_whole(sector)
    }

    fn is_two_way(&self) -> bool {
        self.0.is_two_way()
    }

    fn owed(&mut self) -> u64 {
        self.0.owed()
    }

    /// The search asks for no lengths that are left, so more is done per unit of work.
    fn is_large(&self) -> bool {
        false
    }
}

impl Landmarks {
    /// Forgets all landmarks, because ways have become shorter.
    pub(in super::super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether nothing is known, nor looked for.
    pub(in super::super) fn are_none(&self) -> bool {
        self.count == 0 && self.next.is_none()
    }

    /// Gives up the search for the next landmark if it has reached `sector`, which has changed.
    pub(in super::super) fn forget(&mut self, sector: u32) {
        self.next.take_if(|(search, _)| search.length(sector).is_some());
    }

    /// Finds the next landmark if there is to be one.
    pub(super) fn advance(
        &mut self,
        graph: &mut impl SectorGraph,
        fuel: &mut Fuel,
        shared: &mut u64,
    ) -> Result<(), Suspended> {
        let Some((search, _)) = &mut self.next else { return Ok(()) };
        let before = fuel.left();
        let outcome = search.advance(&mut Outward(graph), fuel, shared);
        // All routes share the landmarks.
        *shared = shared.saturating_add(before - fuel.left());
        outcome?;
        let lengths = Arc::make_mut(&mut self.lengths);
        lengths.resize(graph.len(), [NONE; MOST]);
        for (sector, lengths) in (0..).zip(&mut *lengths) {
            lengths[self.count] = search.length(sector).unwrap_or(NONE);
        }
        self.count += 1;
        self.next = None;
        self.aim(graph);
        Ok(())
    }

    /// Sets the goals of the route that is looked for: those of `graph`.
    pub(super) fn aim(&mut self, graph: &mut impl SectorGraph) {
        let goals = if self.count > 0 { graph.goals() } else { Vec::new() };
        self.goals = goals.into_iter().map(|goal| goal.map_or([NONE; MOST], |goal| self.of(goal))).collect();
    }

    /// The lengths of the ways to `sector`.
    #[inline]
    fn of(&self, sector: u32) -> Lengths {
        self.lengths.get(sector as usize).copied().unwrap_or([NONE; MOST])
    }

    /// About how long the way from `sector` to a goal is, at least. `is_two_way`: ways back are as long.
    #[inline]
    pub(super) fn left(&self, sector: u32, is_two_way: bool) -> u32 {
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

    /// Notes that `search` from the sector `start` has found a route with so many `stops`. If searches waste too
    /// much, there is to be another landmark.
    pub(super) fn note(&mut self, search: &SectorSearch, start: u32, stops: usize, graph: &mut impl SectorGraph) {
        self.wasted += search.popped().saturating_sub(FOR_EACH_STOP * stops as u64);
        if self.count == MOST || self.next.is_some() || self.wasted < graph.size() as u64 / SHARE {
            return;
        }
        self.wasted = 0;
        let landmark = self.farthest(search, start);
        let mut next = SectorSearch::default();
        next.begin(&Outward(graph), Some(landmark));
        self.next = Some((next, landmark));
    }

    /// The sector farthest from all landmarks, among all that can be reached from there. If landmarks tell nothing about
    /// `start`, the sector farthest from it that `search` has reached.
    fn farthest(&self, search: &SectorSearch, start: u32) -> u32 {
        let nearest = |sector: u32| self.of(sector).into_iter().min().filter(|nearest| *nearest != NONE);
        let farthest = match nearest(start) {
            Some(_) => (0..).zip(&*self.lengths).filter_map(|(sector, _)| Some((nearest(sector)?, sector))).max(),
            None => search.lengths().max(),
        };
        farthest.map_or(start, |(_, sector)| sector)
    }

    /// Continues the search for the landmark `next` until it has taken so many sectors from its open list, without fuel.
    /// Returns whether that was possible.
    pub(super) fn come_as_far(&mut self, graph: &mut impl SectorGraph, next: u32, popped: u64) -> bool {
        let mut search = SectorSearch::default();
        search.begin(&Outward(graph), Some(next));
        let is_as_far = search.come_as_far(&mut Outward(graph), popped);
        self.next = Some((search, next));
        is_as_far
    }

    /// The landmark that is looked for, and how many sectors its search has taken from the open list.
    pub(in super::super) fn next(&self) -> Option<(u32, u64)> {
        self.next.as_ref().map(|(search, landmark)| (*landmark, search.popped()))
    }
}

#[cfg(test)]
mod tests;
