//! The hierarchy: ways to goals on large maps, in two levels. A route leads from sector to sector. Around the next part
//! of the route, distances are exact.
//!
//! Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", Journal of Game Development 1, 2004, make the
//! sectors of a grid from tiles. Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement", AAAI
//! 2005, refine a route through sectors part by part. Here the refinement is a field of distances and not a path,
//! because units leave their paths when they meet other units.

mod guided;
mod route;
mod sectors;
mod way;
mod window;

use indexmap::IndexMap;

use super::metric::Zero;
use super::source::HeuristicSource;
use super::true_distances::TrueDistances;
use crate::graph::origins::{Origins, TileOrder, Tiles};
use crate::space::SpaceGraph;
use crate::vocabulary::{Edits, Fuel, Goals, NodeId, Suspended};
pub use guided::Guided;
use guided::{Kind, OnWay};
use route::{RouteSearch, Stop};
use sectors::Sectors;
use way::{Ground, Way};
use window::WindowSearch;

/// Estimates on large maps, for many agents that each have their own goals. Finding a way takes a small fraction of the
/// work of a table of the map.
///
/// A way is a route and a window. The route leads through *sectors*: the connected parts of tiles of 8 x 8 cells. The
/// *window* covers the next 8 sectors of the route. In the window an estimate is the exact distance to the end of the
/// window, plus about the length of the rest of the route. Most ways are at most a few percent longer than a shortest
/// way.
///
/// A space has ways if it is a [plain grid](crate::Tiles), with one node for each cell or one for each heading.
/// Estimates are exact, from [tables](TrueDistances::tables), in these cases:
///
/// * in all other spaces, and on [smaller maps](Self::from_size);
/// * for more than 16 goals;
/// * for goals to which no way was found;
/// * for goals whose ways have cost more work than one unit per tile of the map, as where many agents share the goals.
///
/// # Estimates
/// Estimates are consistent as long as the agent keeps its route and its window. Both may change when the heuristic is
/// asked about the agent's own node, or, outside of a search, about a node beyond the window. Asking for a new
/// heuristic may select another way. After a change, estimates may be larger or smaller than before; the
/// [epoch](HeuristicSource::epoch) tells another route.
///
/// Estimates are not lower bounds on distances: the shortest way may leave the window.
///
/// In a [search](crate::heuristic::Heuristic::begin), nodes outside of the window count as nodes without a way to the
/// goals. The window has at least 8 cells to either side of the route. It ends 16 steps behind the agent.
///
/// # Many agents at once
/// Between two calls of [`begin_tick`](HeuristicSource::begin_tick), ways take about as much work as twelve tables of
/// the map. Agents that have no way by then get the distance without walls, and their ways at later ticks.
///
/// # Memory
/// A way takes a few kilobytes, and 8 bytes for each sector of its route. [Releasing](HeuristicSource::release) the
/// goals gives the memory back. Sectors are found where routes are looked for; all sectors of a map take about 2 bytes
/// per cell.
#[derive(Debug)]
pub struct Hierarchy<S: SpaceGraph> {
    /// The distances for goals without ways.
    tables: TrueDistances<S, Zero>,
    /// What is known of the goals that were asked for and not released.
    guides: IndexMap<Goals, Guide, rustc_hash::FxBuildHasher>,
    /// What is known of the space.
    known: Option<Known<S::Cost>>,
    sectors: Sectors,
    /// The revision of the space that the sectors are of.
    surveyed: Option<u64>,
    routes: RouteSearch,
    /// The agent and the goals whose search for a route ran out of fuel.
    pending: Option<Pending>,
    windows: WindowSearch,
    /// Maps with fewer cells have no ways.
    least_cells: usize,
    /// The memory of the ways, in bytes.
    used: usize,
    /// Whether some goals have a table because no way leads there. An edit may change that.
    has_lost: bool,
    /// The units of work that may still go into ways at this tick.
    ration: u64,
    /// The units of work that have gone into ways.
    spent: u64,
    /// The number of questions so far.
    asked: u64,
    /// The index of the guide asked for last.
    last: usize,
    /// The number of ways begun so far.
    begun: u64,
    /// The numbers of the goals that a way is looked for, 64 * board + bit.
    goal_numbers: Vec<usize>,
}

/// What is known of the space at a revision.
#[derive(Clone, Copy, Debug)]
struct Known<C> {
    revision: u64,
    /// How its nodes lie on tiles, and what a move costs; `None`: there are no ways.
    tiled: Option<(TileOrder, C)>,
}

/// What is known of the ways to some goals.
#[derive(Clone, Debug, Default)]
struct Guide {
    ways: Vec<Way>,
    /// The units of work that have gone into them.
    spent: u64,
    /// Whether distances come from a table.
    by_table: bool,
    /// Whether that is so because no way was found.
    is_lost: bool,
}

#[derive(Clone, Debug)]
struct Pending {
    goals: Goals,
    origin: usize,
}

/// The largest number of ways to one set of goals.
const MOST_WAYS: usize = 8;

/// The units of work that may go into ways at a tick, for each tile of the map.
const RATION: u64 = 12;

/// The largest number of goals that have ways. Larger sets have tables.
const MOST_GOALS: usize = 16;

impl<S: SpaceGraph> Default for Hierarchy<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: SpaceGraph> Hierarchy<S> {
    /// The default of [`from_size`](Self::from_size), in cells, walls included.
    pub const LEAST_CELLS: usize = 1 << 16;

    /// Ways on maps of at least [`LEAST_CELLS`](Self::LEAST_CELLS) cells.
    pub fn new() -> Self {
        Self {
            tables: TrueDistances::tables(),
            guides: IndexMap::default(),
            known: None,
            sectors: Sectors::default(),
            surveyed: None,
            has_lost: false,
            routes: RouteSearch::default(),
            pending: None,
            windows: WindowSearch::default(),
            least_cells: Self::LEAST_CELLS,
            used: 0,
            ration: u64::MAX,
            spent: 0,
            asked: 0,
            last: 0,
            begun: 0,
            goal_numbers: Vec::new(),
        }
    }

    /// Sets the number of cells from which on a map has ways, walls included. Smaller maps have tables.
    #[must_use]
    pub fn from_size(mut self, cells: usize) -> Self {
        self.least_cells = cells;
        self
    }

    /// Sets the bound on the memory of all tables together, in bytes: see [`TrueDistances::keep_at_most`]. Ways do not
    /// count.
    #[must_use]
    pub fn keep_at_most(mut self, bytes: usize) -> Self {
        self.tables = self.tables.keep_at_most(bytes);
        self
    }

    /// The number of sets of goals that were asked for, are not released, and have no table.
    pub fn guides(&self) -> usize {
        self.guides.values().filter(|guide| !guide.by_table).count()
    }

    /// The heuristic for ways to `goals`, for an agent at `origin`.
    pub fn to(&mut self, space: &S, goals: &Goals, origin: NodeId) -> Guided<'_, S> {
        let tiled = self.keep_up(space);
        let exist = || goals.nodes().last().is_none_or(|last| last.index() < space.node_bound());
        let Some((order, cost)) = tiled.filter(|_| goals.nodes().len() <= MOST_GOALS && exist()) else {
            return Guided::by_table(self.tables.to(space, goals, origin));
        };
        let guide = match self.find_guide(goals) {
            Some(known) => known,
            None => self.guides.insert_full(goals.clone(), Guide::default()).0,
        };
        self.last = guide;
        if self.guides[guide].by_table {
            return Guided::by_table(self.tables.to(space, goals, origin));
        }
        self.asked += 1;
        let mut guided = OnWay { hierarchy: self, guide, origin, order, cost, way: None, by_metric: false };
        guided.look_up(order.number(origin));
        Guided(Kind::OnWay(guided))
    }

    /// The index of the guide to `goals`. Mostly it was asked for last.
    #[inline]
    fn find_guide(&self, goals: &Goals) -> Option<usize> {
        let is_last = self.guides.get_index(self.last).is_some_and(|(known, _)| known == goals);
        if is_last { Some(self.last) } else { self.guides.get_index_of(goals) }
    }

    /// Forgets what an edit of the space has changed. Returns how the nodes of the space lie on tiles, and what a move
    /// costs; `None`: there are no ways.
    #[inline]
    fn keep_up(&mut self, space: &S) -> Option<(TileOrder, S::Cost)> {
        match &self.known {
            Some(known) if known.revision == space.revision() => known.tiled,
            _ => self.look_at(space),
        }
    }

    #[inline(never)]
    fn look_at(&mut self, space: &S) -> Option<(TileOrder, S::Cost)> {
        let facts = space.facts();
        let tiles = facts.origins.and_then(Origins::tiles).zip(facts.uniform_cost);
        let tiles = tiles.filter(|(tiles, _)| tiles.open().len() * 64 >= self.least_cells);
        let tiled = tiles.map(|(tiles, cost)| (tiles.order(), cost));
        self.known = Some(Known { revision: space.revision(), tiled });
        if let Some((tiles, _)) = tiles {
            let before = self.surveyed.replace(space.revision());
            self.keep_up_with(space, tiles, before);
        }
        tiled
    }

    /// Forgets what has changed since the revision `before`.
    fn keep_up_with(&mut self, space: &S, tiles: Tiles<'_>, before: Option<u64>) {
        if std::mem::take(&mut self.has_lost) {
            let lost = self.guides.values_mut().filter(|guide| guide.is_lost);
            lost.for_each(|guide| *guide = Guide::default());
        }
        match before.map(|known| space.edits_since(known)) {
            Some(Edits::Nodes(_)) if self.sectors.is_stale() => {
                self.sectors.reset(tiles.open().len());
            }
            Some(Edits::Nodes(nodes)) => {
                let mut is_met = false;
                for node in nodes {
                    let tile = tile_of(tiles, *node);
                    is_met |= self.sectors.known_around(tile, tiles).any(|sector| self.routes.has_reached(sector));
                    self.sectors.forget(tile, tiles);
                }
                if !is_met {
                    return;
                }
            }
            _ => {
                if self.ration == 0 && self.sectors.tiles() == 0 {
                    self.ration = RATION.saturating_mul(tiles.open().len() as u64);
                }
                self.sectors.reset(tiles.open().len());
                self.used = 0;
                self.guides.values_mut().for_each(|guide| guide.ways.clear());
            }
        }
        // The search for a route has met what has changed, so it begins anew.
        if let Some(pending) = &self.pending {
            let (origin, goals) = (pending.origin, pending.goals.clone());
            self.begin_route(tiles, origin, &goals);
        }
    }

    fn begin_route(&mut self, tiles: Tiles<'_>, origin: usize, goals: &Goals) {
        let cell = cell_of(tiles, origin);
        let goals = goals.nodes().iter().map(|goal| cell_of(tiles, tiles.order().number(*goal)));
        self.routes.begin(&mut self.sectors, tiles, cell, goals);
    }

    /// Charges `work` units to the guide at `index`.
    fn pay(&mut self, index: Option<usize>, work: u64) {
        self.ration = self.ration.saturating_sub(work);
        self.spent += work;
        if let Some(index) = index {
            self.guides[index].spent += work;
        }
    }

    /// Finds a way for an agent at the node with the number `origin`, after the pending search if there is one. If
    /// there is no way, the guide turns to a table.
    fn find_way(
        &mut self,
        space: &S,
        tiles: Tiles<'_>,
        guide: usize,
        origin: usize,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        if fuel.left() == 0 {
            return Err(Suspended::OutOfFuel);
        }
        loop {
            let goals = &self.guides.get_index(guide).ok_or(Suspended::OutOfFuel)?.0;
            if self.pending.is_none() {
                let goals = (*goals).clone();
                self.begin_route(tiles, origin, &goals);
                self.pending = Some(Pending { goals, origin });
            }
            let most = fuel.left().min(self.ration);
            let mut part = Fuel::work(most);
            let found = self.routes.advance(&mut self.sectors, tiles, &mut part);
            let work = most - part.left();
            fuel.burn_at_most(usize::try_from(work).unwrap_or(usize::MAX));
            let its = self.pending.as_ref().and_then(|pending| self.guides.get_index_of(&pending.goals));
            self.pay(its, work);
            let stops = found?;
            let Some(pending) = self.pending.take() else { continue };
            if let Some(its) = its {
                self.take_up(space, tiles, its, pending.origin, stops, fuel);
            }
            if its == Some(guide) && pending.origin == origin {
                return Ok(());
            }
        }
    }

    /// Adds the way along `stops` to the guide at `index`, or turns the guide to a table.
    fn take_up(
        &mut self,
        space: &S,
        tiles: Tiles<'_>,
        index: usize,
        origin: usize,
        stops: Option<Vec<Stop>>,
        fuel: &mut Fuel,
    ) {
        let way =
            stops.and_then(|stops| self.on_ground(tiles, index, fuel, |ground| Way::along(stops, origin, ground)));
        self.begun += 1;
        let (number, revision, asked) = (self.begun, space.revision(), self.asked);
        let is_lost = way.is_none();
        let tiles_in_all = tiles.open().len() as u64;
        let guide = &mut self.guides[index];
        match way {
            Some(mut way) if guide.spent <= tiles_in_all => {
                (way.number, way.revision, way.asked) = (number, revision, asked);
                self.used += way.bytes();
                if guide.ways.len() >= MOST_WAYS
                    && let Some(oldest) = (0..guide.ways.len()).min_by_key(|way| guide.ways[*way].asked)
                {
                    self.used -= guide.ways.swap_remove(oldest).bytes();
                }
                guide.ways.push(way);
                guide.ways.shrink_to_fit();
            }
            _ => self.turn_to_table(index, is_lost),
        }
    }

    /// From now on distances to the goals of the guide at `index` come from a table. `is_lost`: because there is no
    /// way.
    fn turn_to_table(&mut self, index: usize, is_lost: bool) {
        self.has_lost |= is_lost;
        let Some((goals, guide)) = self.guides.get_index_mut(index) else { return };
        // There may be a table of an earlier map.
        self.tables.renounce(goals);
        (guide.by_table, guide.is_lost) = (true, is_lost);
        self.used -= guide.ways.drain(..).map(|way| way.bytes()).sum::<usize>();
    }

    /// Calls `find` for the goals of the guide at `index`, and pays for its work.
    fn on_ground<T>(
        &mut self,
        tiles: Tiles<'_>,
        index: usize,
        fuel: &mut Fuel,
        find: impl FnOnce(&mut Ground<'_>) -> T,
    ) -> T {
        self.goal_numbers.clear();
        if let Some((goals, _)) = self.guides.get_index(index) {
            self.goal_numbers.extend(goals.nodes().iter().map(|goal| tiles.order().number(*goal)));
        }
        let Self { sectors, windows, goal_numbers, .. } = self;
        let found = find(&mut Ground { tiles, sectors, search: windows, goals: goal_numbers });
        let work = self.windows.take_work() + self.sectors.owed();
        fuel.burn_at_most(usize::try_from(work).unwrap_or(usize::MAX));
        self.pay(Some(index), work);
        found
    }
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

impl<S: SpaceGraph> Clone for Hierarchy<S> {
    fn clone(&self) -> Self {
        Self {
            tables: self.tables.clone(),
            guides: self.guides.clone(),
            sectors: self.sectors.clone(),
            // Scratch, unless a search is pending.
            routes: if self.pending.is_some() { self.routes.clone() } else { RouteSearch::default() },
            pending: self.pending.clone(),
            windows: self.windows.fresh(),
            goal_numbers: Vec::new(),
            ..*self
        }
    }
}

impl<S: SpaceGraph> HeuristicSource<S> for Hierarchy<S> {
    type Heuristic<'a>
        = Guided<'a, S>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Guided<'a, S> {
        self.to(space, goals, origin)
    }

    fn forget(&mut self) {
        self.tables.forget();
        self.guides.clear();
        (self.known, self.surveyed, self.pending, self.used) = (None, None, None, 0);
    }

    fn epoch(&mut self, space: &S, goals: &Goals, origin: NodeId) -> u64 {
        let Some((order, _)) = self.keep_up(space) else { return 0 };
        match self.find_guide(goals).map(|guide| &self.guides[guide]) {
            Some(guide) if !guide.by_table => {
                let number = order.number(origin);
                let way = guide.ways.iter().find(|way| way.steps(number).is_some());
                way.map_or(u64::MAX, |way| way.number)
            }
            _ => 0,
        }
    }

    fn begin_tick(&mut self) {
        let tiles = self.sectors.tiles() as u64;
        // Before the first question the map is not known; `keep_up_with` then sets the ration.
        self.ration = if tiles == 0 { 0 } else { RATION.saturating_mul(tiles) };
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        match self.to(space, goals, origin).0 {
            Kind::ByTable(_) => self.tables.renew(space, goals, origin, fuel),
            Kind::OnWay(mut way) => way.reach(space, origin, fuel).map(drop),
        }
    }

    /// Ways are of the present revision: at each question a way is given up if an edit has changed its window.
    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        let has_ways = self.known.as_ref().is_none_or(|known| known.tiled.is_some());
        match self.find_guide(goals).filter(|_| has_ways) {
            Some(guide) if !self.guides[guide].by_table => space.revision(),
            _ => self.tables.revision(space, goals),
        }
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.tables.keep_only(needed);
    }

    fn release(&mut self, goals: &Goals) {
        if let Some(guide) = self.guides.swap_remove(goals) {
            self.used -= guide.ways.iter().map(Way::bytes).sum::<usize>();
        }
        self.tables.release(goals);
    }

    fn bytes(&self) -> usize {
        self.tables.bytes() + self.used
    }

    fn reverse_expanded(&self) -> u64 {
        self.tables.reverse_expanded() + self.spent
    }
}
