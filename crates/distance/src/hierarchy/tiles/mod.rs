//! The division of a plain grid into the connected parts of its tiles. All work is bit-parallel.

mod sectors;
mod window;
mod written;

use std::collections::BTreeSet;

use giveway_core::origins::{Origins, Places, TileOrder, Tiles};
use giveway_core::{Cost, Edits, Fuel, Goals, NodeId, SpaceGraph, Suspended};
use sectors::Sectors;
pub(super) use window::Window;
use window::WindowSearch;

use super::division::Division;
use super::route::{Found, Link, RouteSearch, SectorGraph, Stop};
use super::way::{self, AHEAD, Way};

/// The sectors of a plain grid. The number of a node is 64 * board + bit.
#[derive(Debug, Default)]
pub(super) struct TileDivision {
    sectors: Sectors,
    windows: WindowSearch,
    /// The cells with goals of the route that is looked for.
    goals: Vec<GoalCell>,
    pub(super) order: TileOrder,
}

/// A cell with a goal.
#[derive(Clone, Copy, Debug)]
struct GoalCell {
    /// 64 * tile + bit.
    number: u32,
    /// Its column and row.
    place: [u32; 2],
}

/// The units of work that may go into new ways at a tick, for each tile.
const RATION: u64 = 12;
/// On [large](super::division::is_large) maps, where ways cost more.
const RATION_IN_LARGE: u64 = 24;

/// The tiles of `space`, and what a move costs; `None`: the space has no tiles.
pub(super) fn tiles_of<S: SpaceGraph>(space: &S) -> Option<(Tiles<'_>, S::Cost)> {
    let facts = space.facts();
    facts.origins.and_then(Origins::tiles).zip(facts.uniform_cost)
}

/// The tile of `node`.
fn tile_of(tiles: Tiles<'_>, node: NodeId) -> u32 {
    cell_of(tiles, tiles.order().number(node)) / 64
}

/// The number of the cell, 64 * tile + bit, of the node with the `number` 64 * board + bit.
fn cell_of(tiles: Tiles<'_>, number: usize) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // there are fewer tiles than cells, and ids of cells have 32 bits
    let (board, bit) = ((number / 64) as u32, (number % 64) as u32);
    (board >> tiles.shift()) * 64 + bit
}

/// The sectors of tiles, for a search for a route.
struct TileGraph<'a> {
    sectors: &'a mut Sectors,
    tiles: Tiles<'a>,
    places: Places,
    goals: &'a [GoalCell],
}

impl SectorGraph for TileGraph<'_> {
    fn is_large(&self) -> bool {
        self.sectors.is_large()
    }

    fn len(&self) -> usize {
        self.sectors.len()
    }

    fn size(&self) -> usize {
        self.sectors.len().max(self.sectors.tiles())
    }

    fn links(&mut self, sector: u32) -> &[Link] {
        self.sectors.links(sector, self.tiles)
    }

    fn centre(&self, sector: u32) -> u32 {
        self.sectors.get(sector).centre()
    }

    fn left(&self, sector: u32) -> u32 {
        let centre = self.places.of(self.centre(sector));
        self.goals.iter().map(|goal| Places::steps_between(centre, goal.place)).min().unwrap_or(0)
    }

    fn has_goal(&self, sector: u32) -> bool {
        let sector = self.sectors.get(sector);
        self.goals.iter().any(|goal| goal.number / 64 == sector.tile && sector.cells >> (goal.number % 64) & 1 == 1)
    }

    fn goals(&mut self) -> Vec<u32> {
        self.goals.iter().filter_map(|goal| self.sectors.at(goal.number, self.tiles)).collect()
    }

    fn is_whole(&self, _sector: u32) -> bool {
        true
    }

    fn is_two_way(&self) -> bool {
        true
    }

    fn owed(&mut self) -> u64 {
        self.sectors.owed()
    }
}

impl TileDivision {
    /// The sectors, for the route that is looked for.
    fn graph<'a>(&'a mut self, tiles: Tiles<'a>) -> TileGraph<'a> {
        TileGraph { sectors: &mut self.sectors, tiles, places: self.order.places(), goals: &self.goals }
    }

    /// A division of its own, with the sectors known so far.
    pub(super) fn fresh(&self) -> Self {
        let (sectors, windows) = (self.sectors.clone(), self.windows.fresh());
        Self { sectors, windows, goals: self.goals.clone(), order: self.order }
    }

    /// The window along the stops from the one at `next` on, for a node on `tile`.
    fn window_from(
        &mut self,
        stops: &[Stop],
        tile: u32,
        origin: usize,
        goals: &Goals,
        tiles: Tiles<'_>,
    ) -> Option<Window> {
        let Self { sectors, windows, .. } = self;
        let shift = tiles.shift();
        let ahead = &stops[..stops.len().min(AHEAD + 1)];
        windows.allow_around(tile, tiles);
        ahead.iter().for_each(|stop| windows.allow_around(stop.centre / 64, tiles));
        let beyond = match stops.get(AHEAD + 1) {
            None => {
                for goal in goals.nodes() {
                    let number = tiles.order().number(*goal);
                    #[allow(clippy::cast_possible_truncation)] // there are fewer boards than nodes
                    windows.end_on((number / 64) as u32, 1 << (number % 64), tiles);
                }
                None
            }
            Some(stop) => {
                let last = &ahead[AHEAD];
                let (from, to) = (sectors.at(last.centre, tiles), sectors.at(stop.centre, tiles));
                let exits = from.zip(to).map_or(0, |(from, to)| sectors.exits(from, to, tiles));
                let board = (last.centre / 64) << shift;
                (0..1 << shift).for_each(|heading| windows.end_on(board + heading, exits, tiles));
                Some(stop.to_go + 1)
            }
        };
        windows.find(origin, beyond, tiles)
    }
}

impl<S: SpaceGraph> Division<S> for TileDivision {
    fn size(&self) -> usize {
        self.sectors.tiles()
    }

    fn ration(&self) -> u64 {
        let of_tile = if self.sectors.is_large() { RATION_IN_LARGE } else { RATION };
        of_tile * self.sectors.tiles() as u64
    }

    fn table_work(&self) -> u64 {
        self.sectors.tiles() as u64
    }

    fn fits(&self, space: &S) -> bool {
        tiles_of(space)
            .is_some_and(|(tiles, _)| tiles.open().len() == self.sectors.tiles() && tiles.order() == self.order)
    }

    fn reset(&mut self, space: &S) {
        let Some((tiles, _)) = tiles_of(space) else { return };
        self.order = tiles.order();
        self.sectors.reset(tiles.open().len());
    }

    fn forget(&mut self, space: &S, nodes: &[NodeId], routes: &mut RouteSearch) -> bool {
        let Some((tiles, _)) = tiles_of(space) else { return true };
        let edited: BTreeSet<u32> = nodes.iter().map(|node| tile_of(tiles, *node)).collect();
        let mut is_met = false;
        if !routes.landmarks.are_none() && edited.iter().any(|tile| self.sectors.may_have_opened(*tile, tiles)) {
            routes.landmarks.clear();
            is_met = true;
        }
        for tile in edited {
            is_met |= self.goals.iter().any(|goal| goal.number / 64 == tile);
            for sector in self.sectors.known_around(tile, tiles) {
                is_met |= routes.has_reached(sector);
                routes.landmarks.forget(sector);
            }
            self.sectors.forget(tile, tiles);
            if !routes.landmarks.are_none() {
                // The next edit tells by the cells that are known now whether something opens.
                self.sectors.of_tile(tile, tiles);
            }
        }
        is_met
    }

    fn is_stale(&self) -> bool {
        self.sectors.is_stale()
    }

    fn sectors(&self) -> usize {
        self.sectors.len()
    }

    fn number(&mut self, _space: &S, node: NodeId) -> usize {
        self.order.number(node)
    }

    fn sector(&mut self, space: &S, number: usize) -> Option<u32> {
        let (tiles, _) = tiles_of(space)?;
        self.sectors.at(cell_of(tiles, number), tiles)
    }

    fn begin_route(&mut self, space: &S, routes: &mut RouteSearch, origin: usize, goals: &Goals) {
        let Some((tiles, _)) = tiles_of(space) else { return };
        let (order, places) = (tiles.order(), self.order.places());
        self.goals.clear();
        self.goals.extend(goals.nodes().iter().map(|goal| {
            let number = cell_of(tiles, order.number(*goal));
            GoalCell { number, place: places.of(number) }
        }));
        let start = self.sectors.at(cell_of(tiles, origin), tiles);
        routes.begin(&mut self.graph(tiles), start);
    }

    fn advance(&mut self, space: &S, routes: &mut RouteSearch, fuel: &mut Fuel) -> Result<Found, Suspended> {
        let Some((tiles, _)) = tiles_of(space) else { return Ok(Found::Nothing) };
        routes.advance(&mut self.graph(tiles), fuel)
    }

    fn come_as_far(&mut self, space: &S, routes: &mut RouteSearch, popped: u64) -> bool {
        let Some((tiles, _)) = tiles_of(space) else { return false };
        routes.come_as_far(&mut self.graph(tiles), popped)
    }

    fn find_landmark_as_far(&mut self, space: &S, routes: &mut RouteSearch, next: u32, popped: u64) -> bool {
        let Some((tiles, _)) = tiles_of(space) else { return false };
        routes.landmarks.come_as_far(&mut self.graph(tiles), next, popped)
    }

    fn window(
        &mut self,
        space: &S,
        stops: &[Stop],
        origin: usize,
        goals: &Goals,
    ) -> Option<(usize, way::Window<S::Cost>)> {
        let (tiles, step) = tiles_of(space)?;
        let cell = cell_of(tiles, origin);
        let tile = cell / 64;
        let here = self.sectors.at(cell, tiles);
        let is_near = |stop: &Stop| tiles.are_neighbours(stop.centre / 64, tile);
        // The stop in the same sector; else of the stops nearby the last one, unless a wall is between.
        let on_route = stops.iter().rposition(|stop| is_near(stop) && self.sectors.at(stop.centre, tiles) == here);
        let nearby = [on_route, stops.iter().rposition(is_near), stops.iter().position(is_near)];
        nearby.into_iter().flatten().find_map(|next| {
            let window = self.window_from(&stops[next..], tile, origin, goals, tiles)?;
            Some((next, way::Window::Tiled { window, step }))
        })
    }

    fn is_as_before(&self, space: &S, way: &Way<S::Cost>) -> bool {
        let (way::Window::Tiled { window, .. }, Some((tiles, _))) = (&way.window, tiles_of(space)) else {
            return false;
        };
        match space.edits_since(way.revision) {
            Edits::All => false,
            Edits::Nodes(nodes) => {
                let shift = tiles.shift();
                let boards = nodes.iter().flat_map(|node| {
                    let tile = tile_of(tiles, *node);
                    (0..1 << shift).map(move |heading| (tile << shift) + heading)
                });
                !window.has_any(boards)
            }
        }
    }

    fn metric(&self, space: &S, node: NodeId, goals: &Goals) -> S::Cost {
        let Some((tiles, step)) = tiles_of(space) else { return S::Cost::STEP.times(0) };
        let cell = |node: NodeId| cell_of(tiles, self.order.number(node));
        let places = self.order.places();
        let from = places.of(cell(node));
        let steps = goals.nodes().iter().map(|goal| Places::steps_between(from, places.of(cell(*goal))));
        step.times(steps.min().unwrap_or(0))
    }

    fn take_work(&mut self) -> u64 {
        self.windows.take_work(self.sectors.is_large()) + self.sectors.owed()
    }
}
