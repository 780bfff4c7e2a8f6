//! The hierarchy: ways to goals on large maps, in two levels. A route leads from sector to sector. Around the next part
//! of the route, distances are exact.
//!
//! Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", Journal of Game Development 1, 2004, make the
//! sectors of a grid from tiles. Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement", AAAI
//! 2005, refine a route through sectors part by part. Here the refinement is a field of distances and not a path,
//! because units leave their paths when they meet other units.

mod division;
mod finding;
mod guided;
mod middle;
mod pieces;
mod ration;
mod route;
mod tiles;
mod way;
mod written;

use division::Division;
pub use division::is_large;
use giveway_core::heuristic::{HeuristicSource, ROUGH, Zero};
use giveway_core::{Edits, Embedding, Fuel, Garbled, Goals, NodeId, SpaceGraph, Suspended, WordReader, Words};
pub use guided::Guided;
use guided::{Kind, OnWay};
use indexmap::IndexMap;
use pieces::PieceDivision;
use ration::MOST_OF_TICK;
use route::RouteSearch;
use tiles::TileDivision;
use way::{Last, Way};

use super::true_distances::TrueDistances;

/// Estimates on large maps, for many agents that each have their own goals. Finding a way takes a small fraction of the
/// work of a table of the map.
///
/// A way is a route and a window. The route leads through *sectors*. On a [plain grid](giveway_core::Tiles), with one
/// node for each cell or one for each heading, sectors are the connected parts of tiles of 8 x 8 cells. In other
/// spaces, sectors are connected pieces of up to 64 nodes. Give such a space's [positions](Self::with_positions) if
/// there are any.
///
/// The *window* covers the next 8 sectors of the route. In the window an estimate is the exact distance to the end of
/// the window, plus about the length of the rest of the route. Most ways are at most a few percent longer than a
/// shortest way.
///
/// Where searches for routes go astray, because walls are in the way of straight lines, up to eight *landmarks* lead
/// them: sectors from which the lengths of the ways to all sectors are known (Goldberg and Harrelson, "Computing the
/// Shortest Path: A* Search Meets Graph Theory", SODA 2005). A landmark is found once searches have wasted about the
/// time that it takes. An edit that may make ways shorter ends all landmarks.
///
/// Estimates are exact, from [tables](TrueDistances::tables), in these cases:
///
/// * in [smaller spaces](Self::from_size), unless many goals are new at once, and in spaces of more than 2^25 nodes that
///   are not plain grids;
/// * in spaces with [positions](Self::with_positions) where units turn, unless they are the poses of a [plain
///   grid](giveway_core::Tiles);
/// * for more than 16 goals;
/// * for goals to which no way was found;
/// * for goals whose ways have taken as much work as a table, for instance because many agents share the goals.
///
/// # Estimates
/// Estimates are consistent as long as the agent keeps its route and its window. Both may change at a question about
/// the agent's own node. Outside of a search, both may also change at a question about a node beyond the window. A new
/// heuristic for the goals may follow another way. After a change, estimates may be larger or smaller than before.
/// Different routes have different [epochs](HeuristicSource::epoch).
///
/// Estimates are not lower bounds on distances: the shortest way may leave the window.
///
/// In a [search](giveway_core::heuristic::Heuristic::begin), nodes outside of the window count as nodes without a way
/// to the goals. To either side of the route, the window reaches at least 8 cells on a plain grid, and at least one
/// sector in other spaces. Behind the agent, the window ends after about 16 steps.
///
/// # Many agents at once
/// Between two calls of [`begin_tick`](HeuristicSource::begin_tick), new ways take about as much time as ten tables of
/// the space, and about half of the work of the tick at most; if nodes have no known positions, all of the work. An
/// agent that has no way by then gets its way at a later tick. Until then its estimates are distances without walls, or
/// 0 if nodes have no known positions. What agents leave of the work of a tick goes into ways, too, up to the time of ten
/// tables: first to agents that stand. Before the first call of `begin_tick` there is no bound.
///
/// In a [smaller space](Self::from_size) of at least an eighth of the size, new tables at a tick take about as much time
/// as a search of a quarter of a million cells of a plain grid; or there is one table, if that takes longer. All
/// further goals have ways. At later ticks ways turn to tables one after the other, as long as the agents have fuel for
/// many tables, and tables take less than half of the memory that they may take.
///
/// # Memory
/// A way takes a few kilobytes, and 8 bytes for each sector of its route. [Releasing](HeuristicSource::release) the
/// goals gives the memory back. Sectors are found where routes are looked for, and do not count as memory of distances.
/// All sectors of a plain grid take about 2 bytes per cell, and all pieces of another space about 20 bytes per node.
/// Landmarks take 32 bytes per sector.
#[derive(Debug)]
pub struct Hierarchy<S: SpaceGraph> {
    /// The distances for goals without ways.
    tables: TrueDistances<S, Zero>,
    /// What is known of the goals that were asked for and not released.
    guides: IndexMap<Goals, Guide<S::Cost>, rustc_hash::FxBuildHasher>,
    /// The last revision of the space that was looked at.
    seen: Option<u64>,
    /// How the space is divided; `None`: there are no ways.
    divided: Option<Divided>,
    tiled: TileDivision,
    pieced: PieceDivision<S>,
    /// How the sectors that are known divide the space, and the revision that they are of.
    surveyed: Option<(Divided, u64)>,
    routes: RouteSearch,
    /// The agent and the goals whose search for a route ran out of fuel.
    pending: Option<Pending>,
    /// Spaces with fewer nodes have tables where there is time for them.
    least_nodes: usize,
    /// If the space is one of these, and large enough for ways: the work of a table, in units.
    small: Option<u64>,
    /// Whether more goals than there was time for tables have been new at once in such a space.
    came_many: bool,
    /// The units of work that may still go into new tables of such a space at this tick.
    table_ration: u64,
    /// What was left of them at the last tick, and may go into tables in place of ways.
    left_over: u64,
    /// The memory of the ways, in bytes.
    used: usize,
    /// Whether some goals have a table because no way leads there. An edit may change that.
    has_lost: bool,
    /// The units of work that may still go into new ways at this tick; more than [`MOST_OF_TICK`]: there are no
    /// ticks.
    ration: u64,
    /// The share of the work of a tick that is for new ways, in units; more than [`MOST_OF_TICK`]: there are no ticks.
    share: u64,
    /// The units of work beyond that bound which ways may take if all agents leave them.
    spare: u64,
    /// The units of work that have gone into ways.
    spent: u64,
    /// The number of questions so far.
    asked: u64,
    /// The index of the guide asked for last.
    last: usize,
    /// The number of ways begun so far.
    begun: u64,
}

/// How a space is divided into sectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Divided {
    /// Into the connected parts of tiles.
    ByTiles,
    /// Into connected pieces.
    ByPieces,
}

/// What is known of the ways to some goals.
#[derive(Clone, Debug)]
struct Guide<C> {
    ways: Vec<Way<C>>,
    /// The units of work that have gone into them.
    spent: u64,
    /// Whether distances come from a table.
    by_table: bool,
    /// The sectors from which no way leads to the goals, as far as they are known.
    shut_in: Vec<u32>,
    /// Whether no way was found for some agent. An edit may change that.
    is_lost: bool,
}

impl<C> Default for Guide<C> {
    fn default() -> Self {
        Self { ways: Vec::new(), spent: 0, by_table: false, shut_in: Vec::new(), is_lost: false }
    }
}

#[derive(Clone, Debug)]
struct Pending {
    goals: Goals,
    origin: NodeId,
}

/// The largest number of goals that have ways. Larger sets have tables.
const MOST_GOALS: usize = 16;

impl<S: SpaceGraph> Default for Hierarchy<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: SpaceGraph> Hierarchy<S> {
    /// The default of [`from_size`](Self::from_size), in nodes, walls included.
    pub const LEAST_NODES: usize = 1 << 16;

    /// Ways in spaces of at least [`LEAST_NODES`](Self::LEAST_NODES) nodes, and for a while in spaces of an eighth of
    /// that size.
    pub fn new() -> Self {
        Self {
            tables: TrueDistances::tables(),
            guides: IndexMap::default(),
            seen: None,
            divided: None,
            tiled: TileDivision::default(),
            pieced: PieceDivision::default(),
            surveyed: None,
            routes: RouteSearch::default(),
            pending: None,
            least_nodes: Self::LEAST_NODES,
            small: None,
            came_many: false,
            table_ration: u64::MAX,
            left_over: 0,
            used: 0,
            has_lost: false,
            ration: u64::MAX,
            share: u64::MAX,
            spare: 0,
            spent: 0,
            asked: 0,
            last: 0,
            begun: 0,
        }
    }

    /// Searches for routes look first where the straight distance to a goal is shorter. Without positions, they look
    /// everywhere alike, and take about twice as long. [Plain grids](giveway_core::Tiles) need no positions.
    #[must_use]
    pub fn with_positions(mut self) -> Self
    where
        S: Embedding,
    {
        self.pieced.position = Some(S::position);
        self.pieced.heading = Some(S::heading);
        self
    }

    /// Sets the least size of a space that has ways. Smaller spaces have tables; down to an eighth of the size, ways
    /// serve where [many agents](Self#many-agents-at-once) get goals at once. The size is the
    /// [bound](SpaceGraph::node_bound) of the ids, walls included. On a [plain grid](giveway_core::Tiles), the size is
    /// the number of cells in all tiles of 8 x 8 cells, walls and cells beyond the grid included. Several poses on a
    /// cell count as one cell.
    #[must_use]
    pub fn from_size(mut self, nodes: usize) -> Self {
        self.least_nodes = nodes;
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
        let divided = self.keep_up(space);
        let exist = || goals.nodes().last().is_none_or(|last| last.index() < space.node_bound());
        let fits = || goals.nodes().len() <= MOST_GOALS && exist();
        let Some(divided) = divided.or_else(|| self.divide_for(space, goals)).filter(|_| fits()) else {
            return Guided::by_table(self.tables.to(space, goals, origin));
        };
        let guide = match self.find_guide(goals) {
            Some(known) => known,
            None => {
                let by_table = self.small.is_some() && self.tables.holds(goals);
                self.guides.insert_full(goals.clone(), Guide { by_table, ..Guide::default() }).0
            }
        };
        self.last = guide;
        if self.guides[guide].by_table {
            return Guided::by_table(self.tables.to(space, goals, origin));
        }
        self.asked += 1;
        let mut guided =
            OnWay { hierarchy: self, guide, origin, divided, way: None, by_metric: false, last: Last::default() };
        guided.look_up(origin);
        Guided(Kind::OnWay(guided))
    }

    /// The index of the guide to `goals`. Mostly it was asked for last.
    #[inline]
    fn find_guide(&self, goals: &Goals) -> Option<usize> {
        let is_last = self.guides.get_index(self.last).is_some_and(|(known, _)| known == goals);
        if is_last { Some(self.last) } else { self.guides.get_index_of(goals) }
    }

    /// Forgets what an edit of the space has changed. Returns how the space is divided; `None`: there are no ways.
    #[inline]
    fn keep_up(&mut self, space: &S) -> Option<Divided> {
        if self.seen == Some(space.revision()) { self.divided } else { self.look_at(space) }
    }

    #[inline(never)]
    fn look_at(&mut self, space: &S) -> Option<Divided> {
        self.divided = self.divided_as(space);
        if self.divided.is_none() {
            self.pending = None;
            let divided = self.surveyed.map(|(divided, _)| divided);
            if !division_of(divided, &mut self.tiled, &mut self.pieced).fits(space) {
                self.routes.landmarks.clear();
            }
        }
        self.small = self.small_as(space);
        self.seen = Some(space.revision());
        if let Some(divided) = self.divided {
            let before = self.surveyed.replace((divided, space.revision()));
            self.keep_up_with(space, before);
        }
        self.divided
    }

    /// How `space` is divided; `None`: there are no ways.
    fn divided_as(&self, space: &S) -> Option<Divided> {
        let least = if self.came_many { self.least_nodes / middle::SMALLER } else { self.least_nodes };
        match tiles::tiles_of(space) {
            Some((tiles, _)) if tiles.open().len() * 64 >= least => Some(Divided::ByTiles),
            None if space.node_bound() >= least && self.pieced.can_divide(space) => Some(Divided::ByPieces),
            _ => None,
        }
    }

    /// The division of the space. There is none if the space has no ways.
    fn division(&mut self) -> &mut dyn Division<S> {
        division_of(self.divided, &mut self.tiled, &mut self.pieced)
    }

    /// The number of `node`, if it is known.
    #[inline]
    fn known_number(&self, divided: Divided, node: NodeId) -> Option<usize> {
        match divided {
            Divided::ByTiles => Some(self.tiled.order.number(node)),
            Divided::ByPieces => self.pieced.known_number(node),
        }
    }

    /// Forgets what has changed since the sectors were divided as `before`.
    fn keep_up_with(&mut self, space: &S, before: Option<(Divided, u64)>) {
        if std::mem::take(&mut self.has_lost) {
            for guide in self.guides.values_mut().filter(|guide| guide.is_lost) {
                guide.shut_in.clear();
                (guide.by_table, guide.is_lost) = (false, false);
            }
        }
        let before = before.filter(|(divided, _)| Some(*divided) == self.divided);
        match before.map(|(_, revision)| space.edits_since(revision)) {
            Some(Edits::Nodes(nodes)) if !self.division().is_stale() && self.division().fits(space) => {
                let division = division_of(self.divided, &mut self.tiled, &mut self.pieced);
                if !division.forget(space, nodes, &mut self.routes) {
                    return;
                }
            }
            _ => {
                let is_first = self.division().size() == 0;
                self.division().reset(space);
                self.routes.landmarks.clear();
                if is_first && self.ration <= MOST_OF_TICK {
                    self.share_out_ways();
                }
                self.used = 0;
                self.guides.values_mut().for_each(|guide| guide.ways.clear());
            }
        }
        // The search for a route has met what has changed, so it begins anew.
        if let Some(pending) = &self.pending {
            let (origin, goals) = (pending.origin, pending.goals.clone());
            self.begin_route(space, origin, &goals);
        }
    }
}

/// The division of a space that is `divided`.
fn division_of<'a, S: SpaceGraph>(
    divided: Option<Divided>,
    tiled: &'a mut TileDivision,
    pieced: &'a mut PieceDivision<S>,
) -> &'a mut dyn Division<S> {
    match divided {
        Some(Divided::ByTiles) => tiled,
        _ => pieced,
    }
}

impl<S: SpaceGraph> Clone for Hierarchy<S> {
    fn clone(&self) -> Self {
        Self {
            tables: self.tables.clone(),
            guides: self.guides.clone(),
            tiled: self.tiled.fresh(),
            pieced: self.pieced.fresh(),
            routes: self.routes.fresh(self.pending.is_some()),
            pending: self.pending.clone(),
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
        (self.seen, self.surveyed, self.pending, self.used) = (None, None, None, 0);
        self.routes = RouteSearch::default();
        (self.has_lost, self.came_many) = (false, false);
        (self.ration, self.share, self.spare) = (u64::MAX, u64::MAX, 0);
        (self.table_ration, self.left_over) = (u64::MAX, 0);
        self.pieced.forget_moves();
    }

    fn touch(&self, goals: &Goals, origin: NodeId) -> bool {
        let number = self.divided.and_then(|divided| self.known_number(divided, origin));
        let way = number.zip(self.guides.get(goals).and_then(|guide| guide.ways.first()));
        way.is_some_and(|(number, way)| way.cost(number, &Last::default()).is_some())
    }

    fn epoch(&mut self, space: &S, goals: &Goals, origin: NodeId) -> u64 {
        let Some(divided) = self.keep_up(space) else { return 0 };
        match self.find_guide(goals).map(|guide| &self.guides[guide]) {
            Some(guide) if !guide.by_table => {
                let number = self.known_number(divided, origin);
                let way = number
                    .and_then(|number| guide.ways.iter().find(|way| way.cost(number, &Last::default()).is_some()));
                way.map_or(ROUGH, |way| way.number)
            }
            _ => 0,
        }
    }

    fn begin_tick(&mut self, work: u64) {
        self.share_out(work);
    }

    fn end_tick(&mut self, space: &S, asks: &mut dyn Iterator<Item = (&Goals, NodeId)>, fuel: &mut Fuel) {
        self.use_rest(space, asks, fuel);
    }

    fn write_to(&self, space: &S, words: &mut Words) {
        self.write_all(space, words);
    }

    fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.read_all(space, words)
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        match self.to(space, goals, origin).0 {
            Kind::ByTable(_) => self.tables.renew(space, goals, origin, fuel),
            Kind::OnWay(mut way) => way.reach(space, origin, fuel).map(drop),
        }
    }

    /// Ways are of the present revision: at each question a way is given up if an edit has changed its window.
    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        let has_ways = self.seen.is_none() || self.divided.is_some();
        match self.find_guide(goals).filter(|_| has_ways) {
            Some(guide) if !self.guides[guide].by_table => space.revision(),
            _ => self.tables.revision(space, goals),
        }
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.tables.keep_only(needed);
    }

    fn release(&mut self, goals: &Goals) {
        self.pending.take_if(|pending| pending.goals == *goals);
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
