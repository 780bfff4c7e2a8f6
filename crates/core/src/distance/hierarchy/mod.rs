//! The hierarchy: ways to goals on large maps, in two levels. A route leads from sector to sector. Around the next part
//! of the route, distances are exact.
//!
//! Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", Journal of Game Development 1, 2004, make the
//! sectors of a grid from tiles. Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement", AAAI
//! 2005, refine a route through sectors part by part. Here the refinement is a field of distances and not a path, because
//! units leave their paths when they meet other units.

mod route;
mod sectors;
mod way;
mod window;

use indexmap::IndexMap;

use super::metric::Zero;
use super::source::HeuristicSource;
use super::true_distance::TrueDistance;
use super::true_distances::TrueDistances;
use crate::estimate::Heuristic;
use crate::graph::origins::{Origins, TileOrder, Tiles};
use crate::space::SpaceGraph;
use crate::vocabulary::{Cost, Edits, Fuel, Goals, NodeId, Suspended};
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
/// A space has ways if it is a [plain grid](crate::Tiles), with one node for each cell or one for each heading. Estimates
/// are exact, from [tables](TrueDistances::tables), in these cases:
///
/// * in all other spaces, and on [smaller maps](Self::from_size);
/// * for more than 16 goals;
/// * for goals to which no way was found;
/// * for goals whose ways have cost more work than one unit per tile of the map, as where many agents share the goals.
///
/// # Estimates
/// Estimates are consistent as long as the agent keeps its route and its window. Both may change when the heuristic is
/// asked about the agent's own node, or, outside of a search, about a node beyond the window. Asking for a new heuristic
/// may select another way. After a change, estimates may be larger or smaller than before; the
/// [epoch](HeuristicSource::epoch) tells another route.
///
/// Estimates are not lower bounds on distances: the shortest way may leave the window.
///
/// In a [search](Heuristic::begin), nodes outside of the window count as nodes without a way to the goals. The window
/// has at least 8 cells to either side of the route. It ends 16 steps behind the agent.
///
/// # Many agents at once
/// Between two calls of [`begin_tick`](HeuristicSource::begin_tick), ways take about as much work as twelve tables of the
/// map. Agents that have no way by then get the distance without walls, and their ways at later ticks.
///
/// # Memory
/// A way takes a few kilobytes, and 8 bytes for each sector of its route. [Releasing](HeuristicSource::release) the goals
/// gives the memory back. Sectors are found where routes are looked for; all sectors of a map take about 2 bytes per
/// cell.
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
            return Guided(Kind::ByTable(self.tables.to(space, goals, origin)));
        };
        let guide = match self.find_guide(goals) {
            Some(known) => known,
            None => self.guides.insert_full(goals.clone(), Guide::default()).0,
        };
        self.last = guide;
        if self.guides[guide].by_table {
            return Guided(Kind::ByTable(self.tables.to(space, goals, origin)));
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

    /// Finds a way for an agent at the node with the number `origin`, after the pending search if there is one. If there
    /// is no way, the guide turns to a table.
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

    /// From now on distances to the goals of the guide at `index` come from a table. `is_lost`: because there is no way.
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

/// The heuristic that a [`Hierarchy`] gives to one agent.
#[derive(Debug)]
pub struct Guided<'a, S: SpaceGraph>(Kind<'a, S>);

#[derive(Debug)]
enum Kind<'a, S: SpaceGraph> {
    ByTable(TrueDistance<'a, S, Zero>),
    OnWay(OnWay<'a, S>),
}

#[derive(Debug)]
struct OnWay<'a, S: SpaceGraph> {
    hierarchy: &'a mut Hierarchy<S>,
    guide: usize,
    origin: NodeId,
    order: TileOrder,
    cost: S::Cost,
    /// The index of the way within the guide; `None`: there is none.
    way: Option<usize>,
    /// Whether estimates come from a metric, because the work of this tick is used up.
    by_metric: bool,
}

impl<S: SpaceGraph> OnWay<'_, S> {
    #[inline]
    fn known(&self, number: usize) -> Option<S::Cost> {
        let guide = &self.hierarchy.guides[self.guide];
        Some(self.cost.times(guide.ways[self.way?].steps(number)?))
    }

    /// Takes a way whose window contains the node with the `number`.
    fn look_up(&mut self, number: usize) {
        let ways = &self.hierarchy.guides[self.guide].ways;
        self.way = ways.iter().position(|way| way.steps(number).is_some());
    }

    /// The estimate for `node`. Finds a way from there if none is known.
    fn reach(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let number = self.order.number(node);
        if self.hierarchy.guides[self.guide].by_table {
            return self.by_table(space, node, fuel);
        }
        if self.known(number).is_none() {
            self.look_up(number);
        }
        let facts = space.facts();
        let Some(tiles) = facts.origins.and_then(Origins::tiles) else { return self.by_table(space, node, fuel) };
        self.check_way(space, tiles);
        let has_fuel = fuel.left() > 0 && self.hierarchy.ration > 0;
        if let Some(way) = self.way {
            let (asked, guide) = (self.hierarchy.asked, self.guide);
            self.hierarchy.guides[guide].ways[way].asked = asked;
            if has_fuel && !self.hierarchy.guides[guide].ways[way].reaches_on_from(number) {
                self.move_on(tiles, number, way, fuel);
            }
        }
        if self.way.is_none() {
            if !space.contains(node) {
                return Ok(None);
            }
            match self.hierarchy.find_way(space, tiles, self.guide, number, fuel) {
                Ok(()) => self.look_up(number),
                Err(_) if self.hierarchy.ration == 0 => {
                    self.by_metric = true;
                    return Ok(Some(self.metric(space, node)));
                }
                Err(why) => return Err(why),
            }
            if self.way.is_none() {
                self.hierarchy.turn_to_table(self.guide, true);
            }
            if self.hierarchy.guides[self.guide].by_table {
                return self.by_table(space, node, fuel);
            }
        }
        Ok(self.known(number))
    }

    /// Gives up the way if an edit since it was found has changed its window.
    fn check_way(&mut self, space: &S, tiles: Tiles<'_>) {
        let Some(place) = self.way else { return };
        let Hierarchy { guides, used, .. } = &mut *self.hierarchy;
        let ways = &mut guides[self.guide].ways;
        let way = &mut ways[place];
        if way.revision == space.revision() {
            return;
        }
        let shift = tiles.shift();
        let is_as_before = match space.edits_since(way.revision) {
            Edits::All => false,
            Edits::Nodes(nodes) => {
                let boards = nodes.iter().flat_map(|node| {
                    let tile = tile_of(tiles, *node);
                    (0..1 << shift).map(move |heading| (tile << shift) + heading)
                });
                !way.meets(boards)
            }
        };
        if is_as_before {
            way.revision = space.revision();
        } else {
            *used -= ways.swap_remove(place).bytes();
            self.way = None;
        }
    }

    /// Moves the window of `way` on.
    fn move_on(&mut self, tiles: Tiles<'_>, number: usize, way: usize, fuel: &mut Fuel) {
        let (hierarchy, index) = (&mut *self.hierarchy, self.guide);
        let mut moved = hierarchy.guides[index].ways.swap_remove(way);
        hierarchy.used -= moved.bytes();
        self.way = None;
        if hierarchy.on_ground(tiles, index, fuel, |ground| moved.renew(number, ground)) {
            hierarchy.used += moved.bytes();
            let ways = &mut hierarchy.guides[index].ways;
            self.way = Some(ways.len());
            ways.push(moved);
        }
    }

    fn by_table(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Hierarchy { tables, guides, .. } = &mut *self.hierarchy;
        let Some((goals, _)) = guides.get_index(self.guide) else { return Ok(None) };
        tables.to(space, goals, self.origin).estimate(space, node, fuel)
    }

    /// The least that a way from `node` costs if there are no walls.
    fn metric(&self, space: &S, node: NodeId) -> S::Cost {
        let Some(tiles) = space.facts().origins.and_then(Origins::tiles) else { return self.cost.times(0) };
        let Some((goals, _)) = self.hierarchy.guides.get_index(self.guide) else { return self.cost.times(0) };
        let from = cell_of(tiles, self.order.number(node));
        let steps =
            goals.nodes().iter().map(|goal| tiles.steps_between(from, cell_of(tiles, self.order.number(*goal))));
        self.cost.times(steps.min().unwrap_or(0))
    }
}

impl<S: SpaceGraph> Heuristic<S> for Guided<'_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match &mut self.0 {
            Kind::ByTable(distance) => distance.estimate(space, node, fuel),
            Kind::OnWay(way) if node == way.origin => way.reach(space, node, fuel),
            Kind::OnWay(way) if way.by_metric => Ok(Some(way.metric(space, node))),
            Kind::OnWay(way) => match way.known(way.order.number(node)) {
                Some(known) => Ok(Some(known)),
                None => way.reach(space, node, fuel),
            },
        }
    }

    fn begin(&mut self, _space: &S) -> impl Heuristic<S> {
        Searching(self)
    }
}

/// The heuristic during one search: it keeps its way until the search ends.
struct Searching<'g, 'a, S: SpaceGraph>(&'g mut Guided<'a, S>);

impl<S: SpaceGraph> Heuristic<S> for Searching<'_, '_, S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match &mut self.0.0 {
            Kind::OnWay(way) if node != way.origin && !way.by_metric => {
                if way.hierarchy.guides[way.guide].by_table {
                    return way.by_table(space, node, fuel);
                }
                Ok(way.known(way.order.number(node)))
            }
            _ => self.0.estimate(space, node, fuel),
        }
    }
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
        match self.to(space, goals, origin).0 {
            Kind::ByTable(_) => 0,
            Kind::OnWay(way) => way.way.map_or(u64::MAX, |place| way.hierarchy.guides[way.guide].ways[place].number),
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
