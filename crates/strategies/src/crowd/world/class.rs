//! Classes: units of one kind. Here the types of a class are erased; `any_class.rs` is what remains of them.

use std::ops::ControlFlow;

use giveway_core::heuristic::{HeuristicSource, TrueDistances, Zero};
use giveway_core::{
    AgentId, Area, Asker, Cells, Change, Cost, CostLayer, Editable, Embedding, Entry, FOREVER, Footprint, Fuel, Goals,
    Held, Heuristic, Motion, MotionIn, MoveIn, NoPath, NodeId, PathIn, Query, ReservationStore, Scene, SpaceGraph,
    SpaceTimeSearch, Suspended, SyncSpace, Tick, Ticks, TooCoarse, TooManyCells, TracedBody, Trajectory,
};

use num_traits::Zero as _;

use super::any_class::{Answer, AnyClass, Found, Question};
use super::descent::descend;
use crate::crowd::chain::Chain;
use crate::crowd::leg::Leg;
use crate::crowd::manners::Manners;
use crate::no_plan::NoPlan;
use crate::routing::{Router, Routing, Terrain, Trip};

/// A class of units: where they can go, what they occupy, what guides them, and what moves cost them.
///
/// When the [revision](SpaceGraph::revision) of its space grows, all agents of the class plan anew at the next tick. Plans that can no longer
/// be carried out are dropped; moves under way end as they began. Until the budget allows for new distances, agents use the distances of the
/// earlier map. A space that changes without a new revision breaks the promise that agents never collide.
///
/// ```
/// use giveway_core::Point;
/// use giveway_core::heuristic::{Manhattan, TrueDistances};
/// use giveway_spaces::Grid;
/// use giveway_strategies::{Class, Crowd, CrowdSettings};
///
/// let grid = Grid::open(100, 100)?;
/// let point = Point::swap_rule(&grid);
/// // On a large map, aimed reverse searches expand fewer nodes than tables.
/// let class = Class::new(grid, point).heuristics(TrueDistances::aimed(Manhattan { step: 1000 }));
/// let mut crowd = Crowd::new(CrowdSettings::new());
/// crowd.add_class(class.embedded())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Class<'a, S: SpaceGraph, F, H = TrueDistances<S, Zero>, L = ()> {
    space: Held<'a, S>,
    footprint: F,
    heuristics: H,
    layer: L,
    embedding: Option<Embedded<S>>,
    body: Option<TracedBody>,
    edits: Option<Edits<S>>,
    chain: Option<Chain>,
}

impl<'a, S: SpaceGraph, F: Footprint<S>> Class<'a, S, F> {
    /// Units that move in `space` and occupy `footprint`, guided by true distances. Give an `S`, a `&S` or an [`Arc<S>`](std::sync::Arc): the
    /// crowd owns the space, borrows it, or shares it.
    pub fn new(space: impl Into<Held<'a, S>>, footprint: F) -> Self {
        Self {
            space: space.into(),
            footprint,
            heuristics: TrueDistances::tables(),
            layer: (),
            embedding: None,
            body: None,
            edits: None,
            chain: None,
        }
    }
}

impl<'a, S: SpaceGraph, F, H, L> Class<'a, S, F, H, L> {
    /// Sets the heuristics; true distances by default.
    #[must_use]
    pub fn heuristics<G: HeuristicSource<S>>(self, heuristics: G) -> Class<'a, S, F, G, L> {
        let Self { space, footprint, layer, embedding, body, edits, chain, .. } = self;
        Class { space, footprint, heuristics, layer, embedding, body, edits, chain }
    }

    /// Adds the surcharges of `layer` to the costs of moves. The layer is [told](CostLayer::moved) of every move that a unit of the class has made.
    ///
    /// If surcharges are large, use [heuristics](Self::heuristics) that include them, such as
    /// [`PricedDistances`](giveway_core::heuristic::PricedDistances); otherwise a unit may wait forever. A window compares moves with waits, and a
    /// unit stays if its way costs more than it seems to bring it nearer.
    ///
    /// The layer is written for the space `S` itself, whether the crowd owns, borrows or shares that space:
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use giveway_core::{Asker, CostLayer, MoveIn, Point, Tick};
    /// use giveway_spaces::Grid;
    /// use giveway_strategies::{Class, Crowd, CrowdSettings};
    ///
    /// /// Downhill from west to east.
    /// struct Slope;
    ///
    /// impl CostLayer<Grid> for Slope {
    ///     fn surcharge(&self, grid: &Grid, m: &MoveIn<Grid>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
    ///         let [from, to] = [m.from, m.to].map(|node| grid.xy(node).0);
    ///         if to < from { 500 } else { 0 }
    ///     }
    /// }
    ///
    /// let grid = Grid::open(6, 2)?;
    /// let point = || Point::swap_rule(&grid);
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// crowd.add_class(Class::new(&grid, point()).layer(Slope))?;
    /// crowd.add_class(Class::new(Arc::new(grid.clone()), point()).layer(Slope))?;
    /// crowd.add_class(Class::new(grid.clone(), point()).layer(Slope))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn layer<M: CostLayer<S>>(self, layer: M) -> Class<'a, S, F, H, M> {
        let Self { space, footprint, heuristics, embedding, body, edits, chain, .. } = self;
        Class { space, footprint, heuristics, layer, embedding, body, edits, chain }
    }

    /// Gives [poses](crate::Crowd::poses) positions and headings.
    #[must_use]
    pub fn embedded(self) -> Self
    where
        S: Embedding,
    {
        Self {
            embedding: Some(Embedded { position: S::position, heading: S::heading, trajectory: S::trajectory }),
            ..self
        }
    }

    /// Sets a shape, for traces and pictures. The footprint alone decides what is reserved.
    #[must_use]
    pub fn body(self, body: TracedBody) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Lets nodes be [closed and opened](crate::Crowd::set_open) while units are about, and [areas](crate::Crowd::close) change, which needs all
    /// classes to be editable. The class must own its space: a crowd
    /// [refuses](crate::Crowd::add_class) an editable class whose space is borrowed or shared.
    #[must_use]
    pub fn editable(self) -> Self
    where
        S: Editable,
    {
        let edits = Edits { set_open: S::set_open, needs: S::needs, is_inside: S::is_inside, change: S::change };
        Self { edits: Some(edits), ..self }
    }

    /// Sets the chain of planners for units of the class, instead of that of the crowd; see [`CrowdSettings::chain`](crate::CrowdSettings::chain).
    #[must_use]
    pub fn chain(self, chain: impl Into<Chain>) -> Self {
        Self { chain: Some(chain.into()), ..self }
    }

    /// Whether the nodes and crossings of the space can be numbered as cells.
    pub(in crate::crowd) fn check_bounds(&self) -> Result<(), TooManyCells> {
        TooManyCells::check(&*self.space)
    }

    /// Whether the class is editable but does not own its space.
    pub(in crate::crowd) fn edits_in_vain(&self) -> bool {
        self.edits.is_some() && !matches!(self.space, Held::Owned(_))
    }

    /// Erases the types of the class.
    pub(in crate::crowd) fn erase<R>(self) -> Box<dyn AnyClass<R> + 'a>
    where
        S: SyncSpace + 'a,
        F: Footprint<S> + Send + Sync + 'a,
        H: HeuristicSource<S> + Send + Sync + 'a,
        L: CostLayer<S> + Send + Sync + 'a,
        R: ReservationStore,
    {
        Box::new(Typed { class: self, search: SpaceTimeSearch::new(), routers: Vec::new(), asked: None })
    }
}

/// The methods of [`Embedding`], for a space whose type does not show that it has them.
#[derive(Debug)]
struct Embedded<S: SpaceGraph> {
    position: fn(&S, NodeId) -> [f32; 3],
    heading: fn(&S, NodeId) -> f32,
    trajectory: for<'s> fn(&'s S, &MoveIn<S>) -> Option<&'s Trajectory>,
}

/// The methods of [`Editable`], for a space whose type does not show that it has them.
#[derive(Debug)]
struct Edits<S: SpaceGraph> {
    set_open: fn(&mut S, NodeId, bool) -> bool,
    needs: fn(&S, NodeId, NodeId) -> bool,
    is_inside: fn(&S, NodeId, &Area) -> bool,
    change: fn(&mut S, &Area, Change) -> bool,
}

/// A class and the memory of its search.
struct Typed<'a, S: SpaceGraph, F, H, L> {
    class: Class<'a, S, F, H, L>,
    search: SpaceTimeSearch<S::Action, S::Cost>,
    /// One router for each routing asked for so far.
    routers: Vec<Router<S>>,
    /// The agent of the last search.
    asked: Option<AgentId>,
}

impl<S: SpaceGraph, F: Footprint<S>, H, L> Typed<'_, S, F, H, L> {
    /// The move that `leg` is. `None`: the leg is a rest, or the space has changed and no longer has this move.
    fn move_of(&self, leg: &Leg) -> Option<MoveIn<S>> {
        let space: &S = &self.class.space;
        leg.in_space(space, self.class.footprint.ticks_per_step().max(1))
    }
}

impl<S, F, H, L, R> AnyClass<R> for Typed<'_, S, F, H, L>
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
    H: HeuristicSource<S> + Send + Sync,
    L: CostLayer<S> + Send + Sync,
    R: ReservationStore,
{
    fn cells(&self) -> Cells {
        self.class.footprint.cells(&self.class.space)
    }

    fn ticks_per_step(&self) -> Ticks {
        self.class.footprint.ticks_per_step().max(1)
    }

    fn revision(&self) -> u64 {
        self.class.space.revision()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.class.space.contains(node)
    }

    fn plan(&mut self, question: &Question<'_>, reservations: &R, manners: &Manners<'_>, fuel: &mut Fuel) -> Answer {
        self.asked = None;
        let Class { space, footprint, heuristics, layer, .. } = &mut self.class;
        let (space, footprint): (&S, &F) = (space, footprint);
        let mut heuristic = heuristics.heuristic(space, question.goals, question.start);
        match heuristic.estimate(space, question.start, fuel) {
            Ok(Some(_)) => {}
            Ok(None) => return Answer { found: Err(NoPlan::Unreachable), expanded: 0 },
            Err(why) => return Answer { found: Err(why.into()), expanded: 0 },
        }
        let manners = manners.of(footprint);
        let layer = (&*layer, &manners);
        let scene = Scene { space, footprint, reservations, layer: &layer };
        let mut stepped = 0;
        if question.descends {
            match descend(&scene, question, &mut heuristic, fuel, &mut stepped) {
                Ok(Some(path)) => return Answer { found: Ok(Found::of(space, footprint, &path)), expanded: stepped },
                Ok(None) => {}
                Err(why) => return Answer { found: Err(why.into()), expanded: stepped },
            }
        }
        self.asked = Some(question.claim.agent);
        self.search.begin(Query {
            depart: question.depart,
            horizon: question.horizon,
            at_end: question.at_end,
            yields_until: question.yields_until,
            ..Query::new(question.claim, question.start, question.goals.clone())
        });
        let found = match self.search.advance(&scene, &mut heuristic, fuel, &mut ()) {
            Ok(path) => Ok(Found::of(space, footprint, &path)),
            Err(NoPath::Suspended(why)) => Err(why.into()),
            Err(_) => Err(NoPlan::Blocked),
        };
        Answer { found, expanded: stepped + self.search.expanded() }
    }

    fn extend(
        &mut self,
        question: &Question<'_>,
        kept: &[Leg],
        reservations: &R,
        manners: &Manners<'_>,
        fuel: &mut Fuel,
    ) -> Answer {
        let ticks_per_step = <Self as AnyClass<R>>::ticks_per_step(self);
        let Class { space, footprint, heuristics, layer, .. } = &mut self.class;
        let (space, footprint): (&S, &F) = (space, footprint);
        let mut heuristic = heuristics.heuristic(space, question.goals, question.start);
        let manners = manners.of(footprint);
        let layer = (&*layer, &manners);
        let Question { claim, goals, depart, yields_until, .. } = *question;
        let asker = Asker { claim, goals, depart, yields_until };
        let scene = Scene { space, footprint, reservations, layer: &layer };
        let blocked = || Answer { found: Err(NoPlan::Blocked), expanded: 0 };
        let mut cost = S::Cost::zero();
        for leg in kept {
            let Some(m) = leg.in_space(space, ticks_per_step) else { return blocked() };
            cost = cost.plus(m.cost).plus(layer.surcharge(space, &m, leg.depart, &asker));
        }
        let (end, arrive) = kept.last().map_or((question.start, depart), |leg| (leg.to, leg.arrive));
        let (Ok(Some(here)), Ok(Some(left))) =
            (heuristic.estimate(space, question.start, fuel), heuristic.estimate(space, end, fuel))
        else {
            return blocked();
        };
        if cost.plus(left) > here {
            return blocked();
        }
        let question = Question { start: end, depart: arrive, ..*question };
        let mut stepped = 0;
        let found = match descend(&scene, &question, &mut heuristic, fuel, &mut stepped) {
            Ok(Some(path)) => Ok(Found::of(space, footprint, &path)),
            Ok(None) => Err(NoPlan::Blocked),
            Err(why) => Err(why.into()),
        };
        Answer { found, expanded: stepped }
    }

    fn route(&mut self, routing: Routing, trip: &Trip<'_>, fuel: &mut Fuel) -> Answer<Vec<Leg>> {
        let Class { space, footprint, heuristics, layer, embedding, .. } = &mut self.class;
        let (space, footprint): (&S, &F) = (space, footprint);
        let terrain = Terrain { space, footprint, layer: &*layer };
        let mut heuristic = heuristics.heuristic(space, trip.goals, trip.start);
        let known = self.routers.iter().position(|router| router.routing() == routing);
        let index = known.unwrap_or_else(|| {
            let router = Router::new(routing);
            let position = embedding.as_ref().map(|embedded| embedded.position);
            self.routers.push(match position {
                Some(position) => router.positions(position),
                None => router,
            });
            self.routers.len() - 1
        });
        let router = &mut self.routers[index];
        let leg = |m: &MoveIn<S>| leg_of(space, footprint, m, trip.depart);
        let found = match router.route_with(&terrain, trip, &mut heuristic, fuel, &mut ()) {
            Ok(route) => Ok(route.moves.iter().filter_map(leg).collect()),
            Err(NoPath::Suspended(why)) => Err(why.into()),
            Err(_) if trip.walls.is_empty() => Err(NoPlan::Unreachable),
            Err(_) => Err(NoPlan::Blocked),
        };
        Answer { found, expanded: router.expanded() }
    }

    fn moved(&self, leg: &Leg) {
        if let Some(m) = self.move_of(leg) {
            self.class.layer.moved(&self.class.space, &m);
        }
    }

    fn longest(&self, agent: AgentId) -> Option<Found> {
        let Class { space, footprint, .. } = &self.class;
        if self.asked != Some(agent) {
            return None;
        }
        let space: &S = space;
        Some(Found::of(space, footprint, &self.search.longest(space)?))
    }

    fn sweep(&self, leg: &Leg, entries: &mut Vec<Entry>) {
        let Class { space, footprint, .. } = &self.class;
        let space: &S = space;
        let mut collect = |motion: MotionIn<S>, depart: Tick| {
            let _ = footprint.sweep(space, &motion, depart, &mut |entry| {
                entries.push(entry);
                ControlFlow::Continue(())
            });
        };
        let rest = |node| Motion::Rest { node, ticks: rest_of(leg.depart, leg.arrive) };
        if !leg.is_move() {
            return collect(rest(leg.to), leg.depart);
        }
        match self.move_of(leg) {
            Some(m) => collect(Motion::Move(m), leg.depart),
            None => [leg.from, leg.to].into_iter().for_each(|node| collect(rest(node), leg.depart)),
        }
    }

    fn uniform_duration(&self) -> Option<Ticks> {
        self.class.footprint.uniform_duration(&self.class.space).filter(|_| self.class.space.period() <= 1)
    }

    fn distance(&mut self, goals: &Goals, node: NodeId, fuel: &mut Fuel) -> Result<f64, Suspended> {
        let Class { space, heuristics, .. } = &mut self.class;
        let estimate = heuristics.heuristic(space, goals, node).estimate(space, node, fuel)?;
        Ok(estimate.map_or(f64::INFINITY, in_steps))
    }

    fn renew(&mut self, goals: &Goals, node: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Class { space, heuristics, .. } = &mut self.class;
        heuristics.renew(space, goals, node, fuel)
    }

    fn revision_of(&self, goals: &Goals) -> u64 {
        self.class.heuristics.revision(&self.class.space, goals)
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.class.heuristics.keep_only(needed);
    }

    fn must_wait(&self, leg: &Leg) -> bool {
        self.move_of(leg).is_some_and(|m| !self.class.space.departs(&m, leg.depart))
    }

    fn allows(&self, leg: &Leg) -> bool {
        let Class { space, footprint, .. } = &self.class;
        let space: &S = space;
        let in_time = |m: MoveIn<S>| {
            let departs = space.departs(&m, leg.depart);
            departs && footprint.duration(space, &m) == Some(leg.arrive - leg.depart)
        };
        if leg.is_move() { self.move_of(leg).is_some_and(in_time) } else { space.contains(leg.to) }
    }

    fn for_each_move(&self, from: NodeId, depart: Tick, each: &mut dyn FnMut(Leg, f64)) {
        let Class { space, footprint, .. } = &self.class;
        let space: &S = space;
        for (m, action) in space.moves(from).zip(0..) {
            if let Some(duration) = footprint.duration(space, &m) {
                each(Leg::moving(from, m.to, depart, depart.saturating_add(duration), action), in_steps(m.cost));
            }
        }
    }

    fn position(&self, node: NodeId) -> Option<[f32; 3]> {
        let Class { space, embedding, .. } = &self.class;
        embedding.as_ref().map(|embedded| (embedded.position)(space, node))
    }

    fn heading(&self, node: NodeId) -> f32 {
        let Class { space, embedding, .. } = &self.class;
        embedding.as_ref().map_or(0.0, |embedded| (embedded.heading)(space, node))
    }

    fn trajectory(&self, leg: &Leg) -> Option<&Trajectory> {
        let Class { space, embedding, .. } = &self.class;
        let embedded = embedding.as_ref()?;
        (embedded.trajectory)(space, &self.move_of(leg)?)
    }

    fn body(&self) -> Option<&TracedBody> {
        self.class.body.as_ref()
    }

    fn chain(&self) -> Option<&Chain> {
        self.class.chain.as_ref()
    }

    fn set_open(&mut self, node: NodeId, open: bool) -> Option<bool> {
        let Class { space, edits, .. } = &mut self.class;
        edits.as_ref().zip(space.get_mut()).map(|(edits, space)| (edits.set_open)(space, node, open))
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        let Class { space, edits, .. } = &self.class;
        edits.as_ref().is_some_and(|edits| (edits.needs)(space, node, closed))
    }

    fn is_editable(&self) -> bool {
        self.class.edits.is_some()
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        let Class { space, edits, .. } = &self.class;
        edits.as_ref().is_some_and(|edits| (edits.is_inside)(space, node, area))
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let Class { space, edits, .. } = &mut self.class;
        edits.as_ref().zip(space.get_mut()).is_some_and(|(edits, space)| (edits.change)(space, area, change))
    }

    fn check_slowness(&self, slowness: f32) -> Result<(), TooCoarse> {
        self.class.footprint.check_slowness(&self.class.space, slowness)
    }

    fn reverse_expanded(&self) -> u64 {
        self.class.heuristics.reverse_expanded()
    }

    fn distance_bytes(&self) -> usize {
        self.class.heuristics.bytes()
    }

    fn node_bound(&self) -> usize {
        self.class.space.node_bound()
    }
}

impl Found {
    fn of<S: SpaceGraph>(space: &S, footprint: &impl Footprint<S>, path: &PathIn<S>) -> Self {
        Self { entries: path.entries(space, footprint), legs: legs_of(space, path) }
    }
}

fn in_steps<C: Cost>(cost: C) -> f64 {
    cost.to_f64().unwrap_or(f64::INFINITY) / C::STEP.to_f64().unwrap_or(1.0)
}

fn rest_of(depart: Tick, arrive: Tick) -> Ticks {
    if arrive == FOREVER { FOREVER } else { arrive - depart }
}

/// `m`, begun at `depart`; `None`: units with `footprint` cannot make it.
fn leg_of<S: SpaceGraph>(space: &S, footprint: &impl Footprint<S>, m: &MoveIn<S>, depart: Tick) -> Option<Leg> {
    let arrive = depart.saturating_add(footprint.duration(space, m)?);
    let action = space.moves(m.from).position(|other| other.action == m.action)?;
    Some(Leg::moving(m.from, m.to, depart, arrive, u32::try_from(action).ok()?))
}

/// The steps of `path` as legs; each move is named by its position among the moves out of its node, unless it is a shortcut.
fn legs_of<S: SpaceGraph>(space: &S, path: &PathIn<S>) -> Vec<Leg> {
    let position = |m: &MoveIn<S>| space.moves(m.from).position(|other| other.action == m.action);
    let leg = |step: &giveway_core::Step<S::Action, S::Cost>| match &step.motion {
        Motion::Rest { node, .. } => Leg::resting(*node, step.depart, step.arrive),
        Motion::Move(m) => match position(m).and_then(|action| u32::try_from(action).ok()) {
            Some(action) => Leg::moving(m.from, m.to, step.depart, step.arrive, action),
            None => Leg::straight(m.from, m.to, step.depart, step.arrive, m.length),
        },
    };
    path.steps.iter().map(leg).collect()
}
