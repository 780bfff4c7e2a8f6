//! Routers: routes for an agent alone in space.

mod written;

use super::noise::Noise;
use super::terrain::Terrain;
use giveway_core::stamped::Stamped;
use giveway_core::{
    Asker, Claim, Cost, CostLayer, Embedding, Footprint, Fuel, Goals, Heuristic, MoveIn, NoPath, NodeId, Observer,
    Route, SpaceGraph, SpatialSearch, Suspended, Tick,
};
use num_traits::Zero;

use super::passable::{Counted, Noisy, Passable};
use super::sectors::{Position, Sectors};
use super::survey::Survey;

/// How far a route leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Routing {
    /// A route leads to the goal, as cheaply as possible: A*.
    #[default]
    Whole,
    /// A route is one move, found by one expansion. If a move leads to a goal, the route is that move. Otherwise the
    /// route is the move with the least surcharge of the layer; among equals, the move that ends nearest to the goal by
    /// the heuristic; among equals again, the first move.
    ///
    /// An agent that takes greedy routes follows a direction map where the map charges. Elsewhere the agent follows the
    /// heuristic, also into dead ends.
    Greedy,
    /// A route leads to the goal if the goal is near. Otherwise it leads to the third sector of a route over sectors.
    Sectors(SectorRouting),
}

/// Routes found in two steps: first a route over sectors, then a route over nodes to the third sector of the first
/// route. The nodes of the space must have positions; in other spaces routes are [whole](Routing::Whole).
///
/// The world is cut into squares (cubes, if there are heights) that begin at the origin. A *sector* is a set of nodes
/// of one square that are connected by moves within the square, where each move counts in both directions. If a move
/// leads from one sector into another sector, the two sectors are connected. The cost of this connection is the octile
/// distance between the mean positions of the two sectors.
///
/// A* finds a route over sectors to the sector of the nearest goal. This search leaves out the layer and the
/// [walls](Trip::walls) of the trip. If the route over sectors has one or two sectors, the route over nodes leads to
/// the goals. Otherwise the route over nodes leads to one node of the third sector: the node that is cheapest to reach.
/// The route over nodes may lead through other sectors, too. If walls make the third sector unreachable, the route over
/// nodes leads to the goals.
///
/// An agent that follows such routes one after the other reaches the goal, if each move has a move back and the layer
/// does not change: each route brings the agent into a nearer sector, or nearer to the next sector. With one-way moves
/// the agent may enter a sector from which no way leads on.
///
/// Source: N. R. Sturtevant, "Memory-Efficient Abstractions for Pathfinding", AIIDE 2007.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "[u32; 2]", into = "[u32; 2]"))]
pub struct SectorRouting {
    side: u32,
    refine: u32,
}

impl SectorRouting {
    /// Routing with sectors in squares whose sides are `side` world units long; 0 counts as 1. Routes lead to the third
    /// sector: see [`refine`](Self::refine) for shorter routes.
    pub const fn new(side: u32) -> Self {
        Self { side: if side == 0 { 1 } else { side }, refine: 100 }
    }

    /// Cuts routes off after `percent` of their moves, rounded up; from 1 to 100. If the cut lies outside the first
    /// three sectors of the route over sectors, the route goes on until it is in one of these three.
    #[must_use]
    pub const fn refine(self, percent: u32) -> Self {
        let percent = if percent > 100 { 100 } else { percent };
        Self { refine: if percent == 0 { 1 } else { percent }, ..self }
    }
}

/// The side and the percentage.
impl From<[u32; 2]> for SectorRouting {
    fn from([side, percent]: [u32; 2]) -> Self {
        Self::new(side).refine(percent)
    }
}

/// The side and the percentage.
impl From<SectorRouting> for [u32; 2] {
    fn from(SectorRouting { side, refine }: SectorRouting) -> Self {
        [side, refine]
    }
}

/// The question for a route: the agent, the start, the goals, walls, the departure and noise.
#[derive(Clone, Copy, Debug)]
pub struct Trip<'a> {
    /// The agent; only the layer uses it.
    pub claim: Claim,
    /// The start.
    pub start: NodeId,
    /// The goals.
    pub goals: &'a Goals,
    /// Nodes that the route does not enter, even if they are goals. The start may be one of these nodes.
    pub walls: &'a [NodeId],
    /// The tick for which the layer gives the surcharges of the whole route.
    pub depart: Tick,
    /// Noise that is added to the heuristic.
    pub noise: Noise,
}

impl<'a> Trip<'a> {
    /// A trip from `start` to one of `goals`, without walls and noise, at tick 0.
    pub fn new(claim: Claim, start: NodeId, goals: &'a Goals) -> Self {
        Self { claim, start, goals, walls: &[], depart: 0, noise: Noise::default() }
    }
}

/// Finds routes, with reused memory: a search takes time in proportion to the nodes that it expands, not to the size of
/// the map. All routes of a router must be in one space, with one footprint.
///
/// Sectors are computed when they are first needed, and again when the [revision](SpaceGraph::revision) of the space
/// has grown. To compute all sectors takes a little more than two units of work for each node. With little fuel, the
/// first searches run out of fuel. After an edit, an eighth of the fuel of each search goes into new sectors; until
/// these are ready, routes use the sectors of the earlier map.
///
/// ```
/// use giveway_core::heuristic::{Manhattan, ToGoals};
/// use giveway_core::{AgentId, Claim, Goals, Point};
/// use giveway_spaces::Grid;
/// use giveway_strategies::{Router, Routing, SectorRouting, Terrain, Trip};
///
/// let grid = Grid::from_ascii("
///     ......
///     .@@@@.
///     ......
/// ")?;
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// let terrain = Terrain { space: &grid, footprint: &Point::swap_rule(&grid), layer: &() };
/// let goals = Goals::one(at(5, 1));
/// let trip = Trip::new(Claim::plain(AgentId(0)), at(0, 0), &goals);
/// let lengths = [Routing::Whole, Routing::Greedy, Routing::Sectors(SectorRouting::new(2))].map(|routing| {
///     let mut heuristic = ToGoals { metric: Manhattan { step: 1000 }, goals: goals.clone() };
///     let mut router = Router::embedded(routing);
///     let route = router.route(&terrain, &trip, &mut heuristic);
///     route.map(|route| route.moves.len())
/// });
/// // To the goal; one move; into the third square.
/// assert_eq!(lengths, [Ok(6), Ok(1), Ok(4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Router<S: SpaceGraph> {
    routing: Routing,
    position: Option<Position<S>>,
    walls: Stamped<()>,
    search: SpatialSearch<S::Action, S::Cost>,
    sectors: Option<Sectors>,
    /// The sectors of a later revision, as far as they are known.
    survey: Option<Survey>,
    over_sectors: SpatialSearch<u32, u64>,
    expanded: u64,
}

impl<S: SpaceGraph> Clone for Router<S> {
    fn clone(&self) -> Self {
        Self {
            walls: self.walls.clone(),
            search: self.search.clone(),
            sectors: self.sectors.clone(),
            survey: self.survey.clone(),
            over_sectors: self.over_sectors.clone(),
            ..*self
        }
    }
}

impl<S: SpaceGraph> Router<S> {
    /// A router for a space without positions.
    pub fn new(routing: Routing) -> Self {
        Self {
            routing,
            position: None,
            walls: Stamped::new(),
            search: SpatialSearch::new(),
            sectors: None,
            survey: None,
            over_sectors: SpatialSearch::new(),
            expanded: 0,
        }
    }

    /// A router for a space with positions.
    pub fn embedded(routing: Routing) -> Self
    where
        S: Embedding,
    {
        Self::new(routing).positions(S::position)
    }

    /// Sets a function that gives the position of a node, in world units. Only routing by [sectors](Routing::Sectors)
    /// needs positions.
    #[must_use]
    pub fn positions(self, position: fn(&S, NodeId) -> [f32; 3]) -> Self {
        Self { position: Some(position), ..self }
    }

    /// How far the routes lead.
    pub fn routing(&self) -> Routing {
        self.routing
    }

    /// The number of nodes and sectors expanded for the last route. Reverse searches of the heuristic do not count.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// A route for `trip`. The [routing](Routing) says how far the route leads. The route is without moves only if the
    /// trip starts on a goal. The cost of each move includes the surcharge of the layer; the cost of the route is the
    /// sum of these costs.
    ///
    /// `heuristic` must be consistent, and a lower bound on cost plus surcharge; otherwise the route may not be
    /// cheapest. Every lower bound on the cost without surcharges is such a bound.
    ///
    /// # Errors
    /// [`NoPath::Exhausted`] if there is no route, [`Suspended::OutOfMemory`](giveway_core::Suspended::OutOfMemory) if
    /// the heuristic ran out of memory first.
    pub fn route<F: Footprint<S>, L: CostLayer<S>>(
        &mut self,
        terrain: &Terrain<'_, S, F, L>,
        trip: &Trip<'_>,
        heuristic: &mut impl Heuristic<S>,
    ) -> Result<Route<S::Action, S::Cost>, NoPath> {
        self.route_with(terrain, trip, heuristic, &mut Fuel::unlimited(), &mut ())
    }

    /// Like [`route`](Self::route), with a bound on work: every expansion burns fuel. `observer` sees the expanded
    /// nodes, but not the expanded sectors. A search that runs out of fuel is abandoned.
    ///
    /// # Errors
    /// As for `route`, and [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel` ran out first.
    pub fn route_with<F: Footprint<S>, L: CostLayer<S>>(
        &mut self,
        terrain: &Terrain<'_, S, F, L>,
        trip: &Trip<'_>,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Route<S::Action, S::Cost>, NoPath> {
        self.expanded = 0;
        self.walls.reset(if trip.walls.is_empty() { 0 } else { terrain.space.node_bound() });
        trip.walls.iter().for_each(|wall| self.walls.put(*wall, ()));
        let asker = Asker { claim: trip.claim, goals: trip.goals, depart: trip.depart, yields_until: 0 };
        let passable = Passable { terrain, asker, walls: &self.walls };
        let mut counted = Counted { expanded: &mut self.expanded, observer };
        let mut heuristic = Noisy { heuristic, noise: trip.noise };
        let (routing, position) = match (self.routing, self.position) {
            (Routing::Greedy, _) => return one_move(&passable, trip, &mut heuristic, fuel, &mut counted),
            (Routing::Sectors(routing), Some(position)) => (routing, position),
            (Routing::Sectors(_), None) | (Routing::Whole, _) => {
                return self.search.find_with(&passable, trip.start, trip.goals, &mut heuristic, fuel, &mut counted);
            }
        };

        let is_old = |sectors: &Sectors| sectors.revision != terrain.space.revision();
        while self.sectors.as_ref().is_none_or(is_old) {
            // A survey begun before the last change goes on: otherwise none would ever end in a map that keeps
            // changing.
            let survey = self.survey.get_or_insert_with(|| Survey::begin(terrain.space));
            // Old sectors are good enough to set out.
            let parts = if self.sectors.is_some() { PARTS } else { 1 };
            let given = fuel.left() / parts;
            let mut part = Fuel::work(given);
            let found = survey.go_on(terrain, (routing.side, position), &mut part);
            *fuel = Fuel::work(fuel.left() - (given - part.left()));
            match found {
                Ok(sectors) => (self.sectors, self.survey) = (Some(sectors), None),
                Err(_) if self.sectors.is_some() => break,
                Err(out) => return Err(out.into()),
            }
        }
        let Some(sectors) = &self.sectors else { return Err(Suspended::OutOfFuel.into()) };
        let is_old = is_old(sectors);
        if sectors.at(trip.start).is_none() {
            // The unit stands on a place that it has to leave, or nowhere.
            return self.search.find_with(&passable, trip.start, trip.goals, &mut heuristic, fuel, &mut counted);
        }
        let mut unseen = Counted { expanded: &mut *counted.expanded, observer: &mut () };
        let way = match sectors.way(&mut self.over_sectors, trip.start, trip.goals, fuel, &mut unseen) {
            // There may be a way since.
            Err(NoPath::Exhausted) if is_old => Vec::new(),
            way => way?,
        };
        let found = match way.get(2) {
            None => self.search.find_with(&passable, trip.start, trip.goals, &mut heuristic, fuel, &mut counted),
            Some(sector) => {
                let nodes = sectors.nodes(*sector);
                let mut towards = Noisy { heuristic: sectors.towards(*sector, position), noise: trip.noise };
                match self.search.find_with(&passable, trip.start, nodes, &mut towards, fuel, &mut counted) {
                    Err(NoPath::Exhausted) => {
                        let goals = trip.goals;
                        return self.search.find_with(&passable, trip.start, goals, &mut heuristic, fuel, &mut counted);
                    }
                    found => found,
                }
            }
        };
        let near = |node| sectors.at(node).is_some_and(|sector| way.iter().take(3).any(|other| *other == sector));
        found.map(|route| first_part(route, routing.refine, near))
    }
}

/// Of the fuel of a search, this part goes into new sectors while old ones are known.
const PARTS: u64 = 8;

/// The best single move, or none on a goal.
pub(super) fn one_move<S: SpaceGraph, F: Footprint<S>, L: CostLayer<S>, H: Heuristic<S>>(
    passable: &Passable<'_, S, F, L>,
    trip: &Trip<'_>,
    heuristic: &mut Noisy<H>,
    fuel: &mut Fuel,
    observer: &mut impl Observer,
) -> Result<Route<S::Action, S::Cost>, NoPath> {
    let start = trip.start;
    // A unit may stand on a place that does not exist any more, and that it has to leave.
    if !passable.contains(start) && passable.open_moves(start).next().is_none() {
        return Err(NoPath::Exhausted);
    }
    fuel.burn()?;
    observer.expanded(start, 0);
    if trip.goals.contains(start) {
        return Ok(Route { start, moves: Vec::new(), cost: S::Cost::zero() });
    }
    let mut best: Option<(_, MoveIn<S>)> = None;
    for m in passable.open_moves(start) {
        let Some(left) = heuristic.estimate(passable, m.to, fuel)? else {
            continue;
        };
        let surcharge = passable.surcharge(&m);
        let rank = (!trip.goals.contains(m.to), surcharge, left);
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, MoveIn::<S> { cost: m.cost.plus(surcharge), ..m }));
        }
    }
    let (_, m) = best.ok_or(NoPath::Exhausted)?;
    Ok(Route { start, cost: m.cost, moves: vec![m] })
}

/// `refine` percent of `route`, rounded up, and on to the first node that is `near`.
pub(super) fn first_part<A, C: Cost>(
    mut route: Route<A, C>,
    refine: u32,
    near: impl Fn(NodeId) -> bool,
) -> Route<A, C> {
    let least = (route.moves.len() * refine as usize).div_ceil(100);
    let end = route.moves.iter().skip(least.saturating_sub(1)).position(|m| near(m.to));
    if let Some(more) = end
        && least > 0
    {
        route.moves.truncate(least + more);
        route.cost = route.moves.iter().fold(C::zero(), |sum, m| sum.plus(m.cost));
    }
    route
}
