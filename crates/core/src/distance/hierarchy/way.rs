//! A way: a route, and a window with exact distances around its next part.

use std::sync::Arc;

use super::route::Stop;
use super::sectors::Sectors;
use super::window::{Window, WindowSearch};
use crate::graph::origins::Tiles;

/// The number of sectors ahead of the agent that a window covers.
const AHEAD: usize = 8;

/// The window moves on when its end is fewer than this many steps from the agent.
const LEAST: u32 = 24;

/// A route, with exact distances around the next part of it. Clones share both: a window is found anew, and never
/// changed.
#[derive(Clone, Debug)]
pub(super) struct Way {
    stops: Arc<[Stop]>,
    /// The index of the stop in the sector of the agent.
    next: usize,
    window: Arc<Window>,
    /// The number of ways begun before it, plus one.
    pub(super) number: u64,
    /// The revision of the space.
    pub(super) revision: u64,
    /// The number of the question that last asked for it.
    pub(super) asked: u64,
}

/// What finding a window needs.
pub(super) struct Ground<'a> {
    pub(super) tiles: Tiles<'a>,
    pub(super) sectors: &'a mut Sectors,
    pub(super) search: &'a mut WindowSearch,
    /// The numbers of the goals: 64 * board + bit.
    pub(super) goals: &'a [usize],
}

impl Way {
    /// The way along `stops`, for an agent at the node with the number `origin`, 64 * board + bit. `None`: the stops do
    /// not lead on from there.
    pub(super) fn along(stops: Vec<Stop>, origin: usize, ground: &mut Ground<'_>) -> Option<Self> {
        let (stops, window) = (stops.into(), Arc::default());
        let mut way = Self { stops, next: 0, window, number: 0, revision: 0, asked: 0 };
        way.renew(origin, ground).then_some(way)
    }

    /// The approximate number of steps from a node to a goal; `None`: the node is beyond the window.
    #[inline]
    pub(super) fn steps(&self, number: usize) -> Option<u32> {
        self.window.steps(number)
    }

    /// Whether at least [`LEAST`] steps of the window are left, or the window ends at goals.
    pub(super) fn reaches_on_from(&self, number: usize) -> bool {
        self.window.is_last || self.window.steps_to_end(number).is_some_and(|steps| steps >= LEAST)
    }

    /// Whether the window contains any of `boards`.
    pub(super) fn meets(&self, boards: impl Iterator<Item = u32>) -> bool {
        self.window.has_any(boards)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.stops) + self.window.bytes()
    }

    /// Moves the window on to the node with the number `origin`. Returns whether the stops lead on from there; if not,
    /// the way is of no use.
    pub(super) fn renew(&mut self, origin: usize, ground: &mut Ground<'_>) -> bool {
        let shift = ground.tiles.shift();
        #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells
        let (tile, bit) = (((origin / 64) >> shift) as u32, (origin % 64) as u32);
        let Ground { tiles, sectors, .. } = ground;
        let here = sectors.at(tile * 64 + bit, *tiles);
        let is_near = |stop: &Stop| tiles.are_neighbours(stop.cell / 64, tile);
        // The stop in the same sector; else of the stops nearby the last one, unless a wall is between.
        let stops = &self.stops[self.next..];
        let on_route = stops.iter().rposition(|stop| is_near(stop) && sectors.at(stop.cell, *tiles) == here);
        let nearby = [on_route, stops.iter().rposition(is_near), stops.iter().position(is_near)];
        for passed in nearby.into_iter().flatten() {
            let next = self.next + passed;
            if let Some(window) = self.window_from(next, tile, origin, ground) {
                (self.next, self.window) = (next, Arc::new(window));
                return true;
            }
        }
        false
    }

    /// The window along the stops from the one at `next` on, for a node on `tile`.
    fn window_from(&self, next: usize, tile: u32, origin: usize, ground: &mut Ground<'_>) -> Option<Window> {
        let Ground { tiles, sectors, search, goals } = ground;
        let shift = tiles.shift();
        let stops = &self.stops[next..];
        let ahead = &stops[..stops.len().min(AHEAD + 1)];
        search.allow_around(tile, *tiles);
        ahead.iter().for_each(|stop| search.allow_around(stop.cell / 64, *tiles));
        let beyond = match stops.get(AHEAD + 1) {
            None => {
                #[allow(clippy::cast_possible_truncation)] // there are fewer boards than nodes
                goals.iter().for_each(|goal| search.end_on((goal / 64) as u32, 1 << (goal % 64), *tiles));
                None
            }
            Some(stop) => {
                let last = &ahead[AHEAD];
                let (from, to) = (sectors.at(last.cell, *tiles), sectors.at(stop.cell, *tiles));
                let exits = from.zip(to).map_or(0, |(from, to)| sectors.exits(from, to, *tiles));
                let board = (last.cell / 64) << shift;
                (0..1 << shift).for_each(|heading| search.end_on(board + heading, exits, *tiles));
                Some(stop.to_go + 1)
            }
        };
        search.find(origin, beyond, *tiles)
    }
}
