//! Routes: weighted A* over the sectors of a map.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::sectors::Sectors;
use crate::graph::origins::Tiles;
use crate::vocabulary::{Fuel, Suspended};

/// A stop of a route: the central cell of a sector, and the steps from there to the centre of the last sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    pub(super) cell: u32,
    pub(super) to_go: u32,
}

/// A search for a route. After it has run out of fuel, call [`advance`](Self::advance) again.
#[derive(Clone, Debug, Default)]
pub(super) struct RouteSearch {
    /// The numbers of the goal cells, 64 * tile + bit.
    goals: Vec<u32>,
    /// The open list: the weighted sum, the steps left, the sector.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// By sector.
    reached: Vec<Reached>,
    /// Of the search under way; what was reached in others does not count.
    generation: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    generation: u32,
    steps: u32,
    /// The sector before this one; the first sector has itself.
    from: u32,
    is_closed: bool,
}

/// Weighted A*: a step that is left counts `WEIGHT`, and a step gone counts `WEIGHT - 1`. That halves the search.
/// Windows make up for most of what routes lose.
const WEIGHT: u32 = 9;

/// The number of sectors expanded per unit of work.
const EXPANDED_AT_ONCE: u64 = 2;

impl RouteSearch {
    /// Begins a search from the cell `from` to any of the cells `goals`, all by number. Give few goals: every estimate
    /// looks at all of them.
    pub(super) fn begin(
        &mut self,
        sectors: &mut Sectors,
        tiles: Tiles<'_>,
        from: u32,
        goals: impl Iterator<Item = u32>,
    ) {
        self.open.clear();
        self.goals.clear();
        self.goals.extend(goals);
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.reached.clear();
            1
        });
        if let Some(start) = sectors.at(from, tiles) {
            self.reach(sectors, tiles, start, Reached { steps: 0, from: start, ..Reached::default() });
        }
    }

    /// Whether the search has reached `sector`.
    pub(super) fn has_reached(&self, sector: u32) -> bool {
        self.reached.get(sector as usize).is_some_and(|reached| reached.generation == self.generation)
    }

    /// The route, from the first sector to one with a goal; `None`: there is no way to a goal.
    pub(super) fn advance(
        &mut self,
        sectors: &mut Sectors,
        tiles: Tiles<'_>,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<Stop>>, Suspended> {
        let mut expanded = 0;
        while let Some(Reverse((_, _, sector))) = self.open.peek().copied() {
            if expanded % EXPANDED_AT_ONCE == 0 {
                fuel.burn()?;
            }
            expanded += 1;
            self.open.pop();
            let reached = &mut self.reached[sector as usize];
            if std::mem::replace(&mut reached.is_closed, true) {
                continue;
            }
            let steps = reached.steps;
            let here = *sectors.get(sector);
            let has_goal = |goal: &u32| goal / 64 == here.tile && here.cells >> (goal % 64) & 1 == 1;
            if self.goals.iter().any(has_goal) {
                return Ok(Some(self.route_to(sectors, sector)));
            }
            for place in 0..sectors.links(sector, tiles).len() {
                let link = sectors.links(sector, tiles)[place];
                let reached = Reached { steps: steps + link.steps, from: sector, ..Reached::default() };
                self.reach(sectors, tiles, link.to, reached);
            }
            let owed = sectors.owed();
            fuel.burn_at_most(usize::try_from(owed).unwrap_or(usize::MAX));
        }
        Ok(None)
    }

    fn reach(&mut self, sectors: &Sectors, tiles: Tiles<'_>, sector: u32, by: Reached) {
        if self.reached.len() < sectors.len() {
            self.reached.resize(sectors.len(), Reached::default());
        }
        let known = &mut self.reached[sector as usize];
        if known.generation == self.generation && known.steps <= by.steps {
            return;
        }
        *known = Reached { generation: self.generation, ..by };
        let centre = sectors.get(sector).centre();
        let left = self.goals.iter().map(|goal| tiles.steps_between(centre, *goal)).min().unwrap_or(0);
        let steps = by.steps.saturating_mul(WEIGHT - 1).saturating_add(left.saturating_mul(WEIGHT));
        self.open.push(Reverse((steps, left, sector)));
    }

    fn route_to(&self, sectors: &Sectors, last: u32) -> Vec<Stop> {
        let whole = self.reached[last as usize].steps;
        let mut stops = Vec::new();
        let mut sector = last;
        loop {
            let reached = self.reached[sector as usize];
            stops.push(Stop { cell: sectors.get(sector).centre(), to_go: whole - reached.steps });
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
