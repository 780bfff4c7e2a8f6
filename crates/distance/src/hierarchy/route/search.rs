//! A search over sectors: weighted A*.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::generation::Generation;
use giveway_core::{Fuel, Suspended};

use super::{Link, SectorGraph, Stop};

/// Where a search over sectors leads.
pub(super) trait Aim {
    /// About how long the way from `sector` to a goal is, at least.
    fn left(&self, graph: &impl SectorGraph, sector: u32) -> u32;

    /// Whether there is a goal in `sector`.
    fn is_goal(&self, graph: &impl SectorGraph, sector: u32) -> bool;

    /// Weighted A*: a step gone and a step that is left count so much.
    fn weights(&self) -> [u32; 2];

    /// The number of sectors expanded per unit of work.
    fn expanded_at_once(&self, graph: &impl SectorGraph) -> u64;
}

/// A search over the sectors of a graph. After it has run out of fuel, call [`advance`](Self::advance) again.
#[derive(Clone, Debug)]
pub(super) struct SectorSearch {
    /// Where it begins.
    start: u32,
    /// The open list.
    open: BinaryHeap<Reverse<Key>>,
    /// By sector.
    reached: Vec<Reached>,
    /// The sectors reached, as long as they are few and whole.
    closed: Option<Vec<u32>>,
    /// The sectors that were taken from the open list.
    popped: u64,
    /// Of the search under way; what was reached in others does not count.
    generation: Generation,
    /// The links of the sector that is expanded.
    links: Vec<Link>,
}

/// The weighted sum, the length left, and the sector, in one number: it is compared at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u128);

impl Key {
    #[inline]
    fn new(sum: u32, left: u32, sector: u32) -> Self {
        Self(u128::from(sum) << 64 | u128::from(left) << 32 | u128::from(sector))
    }

    #[inline]
    fn sector(self) -> u32 {
        #[allow(clippy::cast_possible_truncation)] // its bits come last
        {
            self.0 as u32
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    stamp: u32,
    length: u32,
    /// The sector before this one; the first sector has itself.
    from: u32,
    is_closed: bool,
}

/// If a search ends without a goal, it tells its sectors only if there are at most so many.
const MOST_CLOSED: usize = 128;

impl Default for SectorSearch {
    fn default() -> Self {
        Self {
            start: 0,
            open: BinaryHeap::new(),
            reached: Vec::new(),
            closed: None,
            popped: 0,
            generation: Generation::FIRST,
            links: Vec::new(),
        }
    }
}

impl SectorSearch {
    /// Begins a search from the sector `start`; `None`: there is no way.
    pub(super) fn begin(&mut self, graph: &impl SectorGraph, aim: &impl Aim, start: Option<u32>) {
        self.open.clear();
        if !self.generation.advance() {
            self.reached.clear();
        }
        self.closed = Some(Vec::new());
        self.popped = 0;
        if let Some(start) = start {
            self.start = start;
            self.make_room(graph.len());
            self.reach(graph, aim, start, Reached { from: start, ..Reached::default() });
        }
    }

    /// The sector where the search began.
    pub(super) fn start(&self) -> u32 {
        self.start
    }

    /// The length of the way to `sector`; `None`: the search has not reached it.
    pub(super) fn length(&self, sector: u32) -> Option<u32> {
        let reached = self.reached.get(sector as usize)?;
        (reached.stamp == self.generation.stamp()).then_some(reached.length)
    }

    /// The sectors that were reached, each after the length of its way.
    pub(super) fn lengths(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.reached).filter_map(|(sector, _)| Some((self.length(sector)?, sector)))
    }

    /// Searches until a sector with a goal is found, or, `None`, until there are no more sectors. `shared`: to it the
    /// units of work are added that have gone into sectors.
    pub(super) fn advance(
        &mut self,
        graph: &mut impl SectorGraph,
        aim: &impl Aim,
        fuel: &mut Fuel,
        shared: &mut u64,
    ) -> Result<Option<u32>, Suspended> {
        let at_once = aim.expanded_at_once(graph);
        let mut expanded = 0;
        while let Some(sector) = self.first() {
            if expanded % at_once == 0 {
                fuel.burn()?;
            }
            expanded += 1;
            if self.expand(graph, aim, sector) {
                return Ok(Some(sector));
            }
            let owed = graph.owed();
            *shared += owed;
            fuel.burn_at_most(usize::try_from(owed).unwrap_or(usize::MAX));
        }
        Ok(None)
    }

    /// Returns the sectors of a search that has ended without a goal, if they are few and whole.
    pub(super) fn take_closed(&mut self) -> Option<Vec<u32>> {
        self.closed.take().filter(|closed| !closed.is_empty())
    }

    /// The first sector of the open list.
    fn first(&self) -> Option<u32> {
        self.open.peek().map(|Reverse(key)| key.sector())
    }

    /// Takes `sector`, the first one, from the open list, and expands it unless that was done before. Returns whether
    /// there is a goal in it.
    fn expand(&mut self, graph: &mut impl SectorGraph, aim: &impl Aim, sector: u32) -> bool {
        self.open.pop();
        self.popped += 1;
        let reached = &mut self.reached[sector as usize];
        if std::mem::replace(&mut reached.is_closed, true) {
            return false;
        }
        let length = reached.length;
        if aim.is_goal(graph, sector) {
            return true;
        }
        let mut links = std::mem::take(&mut self.links);
        links.clear();
        links.extend_from_slice(graph.links(sector));
        self.make_room(graph.len());
        for link in &links {
            let length = length.saturating_add(link.length);
            let known = &self.reached[link.to as usize];
            if known.stamp != self.generation.stamp() || length < known.length {
                self.reach(graph, aim, link.to, Reached { length, from: sector, ..Reached::default() });
            }
        }
        self.links = links;
        match &mut self.closed {
            Some(closed) if closed.len() < MOST_CLOSED && graph.is_whole(sector) => closed.push(sector),
            _ => self.closed = None,
        }
        false
    }

    /// How many sectors were taken from the open list since the search began.
    pub(super) fn popped(&self) -> u64 {
        self.popped
    }

    /// Takes sectors from the open list until they are as many as `popped`, without fuel. Returns whether that was
    /// possible before a goal was found.
    pub(super) fn come_as_far(&mut self, graph: &mut impl SectorGraph, aim: &impl Aim, popped: u64) -> bool {
        while self.popped < popped {
            let Some(sector) = self.first() else { return false };
            if self.expand(graph, aim, sector) {
                return false;
            }
        }
        true
    }

    /// Makes room for `sectors`.
    fn make_room(&mut self, sectors: usize) {
        if self.reached.len() < sectors {
            self.reached.resize(sectors, Reached::default());
        }
    }

    /// Puts `sector` on the open list. It was not reached before, or not by so short a way.
    fn reach(&mut self, graph: &impl SectorGraph, aim: &impl Aim, sector: u32, by: Reached) {
        self.reached[sector as usize] = Reached { stamp: self.generation.stamp(), ..by };
        let left = aim.left(graph, sector);
        let [gone, to_go] = aim.weights();
        let sum = by.length.saturating_mul(gone).saturating_add(left.saturating_mul(to_go));
        self.open.push(Reverse(Key::new(sum, left, sector)));
    }

    /// The stops of the way to `last`.
    pub(super) fn route_to(&self, graph: &impl SectorGraph, last: u32) -> Vec<Stop> {
        let whole = self.reached[last as usize].length;
        let mut stops = Vec::new();
        let mut sector = last;
        loop {
            let reached = self.reached[sector as usize];
            stops.push(Stop { centre: graph.centre(sector), to_go: whole - reached.length });
            if reached.from == sector {
                break;
            }
            sector = reached.from;
        }
        stops.reverse();
        stops.shrink_to_fit();
        stops
    }
}
