//! Routing: ways in space alone, under the costs of a layer: how far they lead, and how they are found.

mod noise;
mod pace;
mod passable;
mod sectors;
#[cfg(test)]
mod tests;

use giveway_core::{
    Asker, Claim, Cost, CostLayer, Embedding, Footprint, Fuel, Goals, Heuristic, MoveIn, NoPath, NodeId, Observer,
    Route, SpaceGraph, SpatialSearch, Tick,
};
use num_traits::Zero;

pub use noise::Noise;
pub(crate) use noise::thousandth_steps;

use passable::{Counted, Noisy, Passable, Walls};
use sectors::{Position, Sectors};

/// How far a route leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Routing {
    /// To the goal, as cheaply as can be: A*.
    #[default]
    Whole,
    /// One move: to a goal if one is next; else the one for which the layer asks the least surcharge, of those the one that ends
    /// nearest the goal by the heuristic, of those the first. That is one expansion, however far it is. Whoever goes by such moves
    /// follows a direction map where there is one, and otherwise the heuristic, into every dead end.
    Greedy,
    /// To the goal if it is near, else to the sector after next on a way over sectors.
    Sectors(SectorRouting),
}

/// Routes that are found in two steps: first over sectors, then over nodes to the sector after next. For spaces whose nodes have positions;
/// elsewhere routes are [whole](Routing::Whole).
///
/// Positions are cut into squares (cubes, where there are heights) that begin at the origin; the nodes of a square that moves within it
/// connect, taken both ways, are a *sector*. A move from one sector into another connects these, at the octile distance between the
/// means of the positions in each. A* finds a way over sectors to the nearest goal's; layer and walls do not count there. If it is of one or
/// two sectors, the route leads to the goals; else to whichever node of the third sector is the cheapest to reach. The route may lead
/// through other sectors than those. If walls make that sector unreachable, the route is whole.
///
/// Where moves can be undone and the layer asks the same again, who follows one such route after the other comes to the goal: either it is
/// in a sector that is nearer, or nearer to the next one. Where they cannot, a sector may be entered that no way leads on from.
///
/// Sturtevant, "Memory-Efficient Abstractions for Pathfinding", AIIDE 2007.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectorRouting {
    side: u32,
    refine: u32,
}

impl SectorRouting {
    /// Squares of `side` world units, of 1 at least; routes are followed to their ends.
    pub const fn new(side: u32) -> Self {
        Self { side: if side == 0 { 1 } else { side }, refine: 100 }
    }

    /// The same with routes that end after so many percent of their moves, rounded up; from 1 to 100. The part that is left leads on until it
    /// is in one of the three sectors on the way over sectors.
    #[must_use]
    pub const fn refine(self, percent: u32) -> Self {
        let percent = if percent > 100 { 100 } else { percent };
        Self { refine: if percent == 0 { 1 } else { percent }, ..self }
    }
}

/// Where routes lead: the same for all of a [`Router`]'s, but for what the layer asks.
#[derive(Debug)]
pub struct Terrain<'a, S, F, L> {
    /// Which moves there are.
    pub space: &'a S,
    /// Which of them can be made.
    pub footprint: &'a F,
    /// What they cost beyond the space's own cost.
    pub layer: &'a L,
}

/// Who wants to go where.
#[derive(Clone, Copy, Debug)]
pub struct Trip<'a> {
    /// Who; only the layer is interested.
    pub claim: Claim,
    /// From where.
    pub start: NodeId,
    /// Where to.
    pub goals: &'a Goals,
    /// Nodes that the route does not enter, goals included. Standing on one does no harm.
    pub walls: &'a [NodeId],
    /// When: the layer is asked for the surcharges of this tick, wherever on the route.
    pub depart: Tick,
    /// What is added to the heuristic.
    pub noise: Noise,
}

impl<'a> Trip<'a> {
    /// From `start` to one of `goals`, without walls and noise, at tick 0.
    pub fn new(claim: Claim, start: NodeId, goals: &'a Goals) -> Self {
        Self { claim, start, goals, walls: &[], depart: 0, noise: Noise::default() }
    }
}

/// Finds routes, with reused memory: a search costs what it expands, not what the map holds. Sectors are made when they are first needed,
/// and again when the [revision](SpaceGraph::revision) of the space has grown; so all routes of a router lead through one space with one
/// footprint.
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
    walls: Walls,
    search: SpatialSearch<S::Action, S::Cost>,
    sectors: Option<Sectors>,
    over_sectors: SpatialSearch<u32, u64>,
    expanded: u64,
}

impl<S: SpaceGraph> Clone for Router<S> {
    fn clone(&self) -> Self {
        Self {
            walls: self.walls.clone(),
            search: self.search.clone(),
            sectors: self.sectors.clone(),
            over_sectors: self.over_sectors.clone(),
            ..*self
        }
    }
}

impl<S: SpaceGraph> Router<S> {
    /// For a space that does not say where its nodes are.
    pub fn new(routing: Routing) -> Self {
        Self {
            routing,
            position: None,
            walls: Walls::default(),
            search: SpatialSearch::new(),
            sectors: None,
            over_sectors: SpatialSearch::new(),
            expanded: 0,
        }
    }

    /// For a space that says where its nodes are.
    pub fn embedded(routing: Routing) -> Self
    where
        S: Embedding,
    {
        Self::new(routing).positions(S::position)
    }

    /// The same for a space whose nodes are where `position` says, in world units.
    #[must_use]
    pub fn positions(self, position: fn(&S, NodeId) -> [f32; 3]) -> Self {
        Self { position: Some(position), ..self }
    }

    /// How far the routes lead.
    pub fn routing(&self) -> Routing {
        self.routing
    }

    /// How many nodes were expanded for the last route, sectors included. Reverse searches of the heuristic are not.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The first part, as the [routing](Routing) says, of a way of `trip`; without moves only if it starts on a goal. Its moves cost what the
    /// space and the layer ask together, and the route costs their sum.
    ///
    /// `heuristic` must be a lower bound on what space and layer ask together, and consistent, or the route may not be cheapest; one for the space alone always
    /// is.
    ///
    /// # Errors
    /// [`NoPath::Exhausted`] if there is no way, [`Suspended::OutOfMemory`](giveway_core::Suspended::OutOfMemory) if the heuristic's memory ended first.
    pub fn route<F: Footprint<S>, L: CostLayer<S>>(
        &mut self,
        terrain: &Terrain<'_, S, F, L>,
        trip: &Trip<'_>,
        heuristic: &mut impl Heuristic<S>,
    ) -> Result<Route<S::Action, S::Cost>, NoPath> {
        self.route_with(terrain, trip, heuristic, &mut Fuel::unlimited(), &mut ())
    }

    /// [`route`](Self::route) with a bound on work: every expansion burns fuel, and `observer` sees those of nodes. Running out of fuel abandons
    /// the search.
    ///
    /// # Errors
    /// As for `route`, and [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel` ended first.
    pub fn route_with<F: Footprint<S>, L: CostLayer<S>>(
        &mut self,
        terrain: &Terrain<'_, S, F, L>,
        trip: &Trip<'_>,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Route<S::Action, S::Cost>, NoPath> {
        self.expanded = 0;
        self.walls.set(trip.walls, terrain.space.node_bound());
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

        if self.sectors.as_ref().is_none_or(|sectors| sectors.revision != terrain.space.revision()) {
            self.sectors = None;
        }
        let sectors = self.sectors.get_or_insert_with(|| Sectors::of(terrain, routing.side, position));
        let mut unseen = Counted { expanded: &mut *counted.expanded, observer: &mut () };
        let way = sectors.way(&mut self.over_sectors, trip.start, trip.goals, fuel, &mut unseen)?;
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

/// The best single move, or none on a goal.
fn one_move<S: SpaceGraph, F: Footprint<S>, L: CostLayer<S>, H: Heuristic<S>>(
    passable: &Passable<'_, S, F, L>,
    trip: &Trip<'_>,
    heuristic: &mut Noisy<H>,
    fuel: &mut Fuel,
    observer: &mut impl Observer,
) -> Result<Route<S::Action, S::Cost>, NoPath> {
    let start = trip.start;
    if !passable.contains(start) {
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

/// `refine` percent of `route`, rounded up, and on to where it is `near`.
fn first_part<A, C: Cost>(mut route: Route<A, C>, refine: u32, near: impl Fn(NodeId) -> bool) -> Route<A, C> {
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
