//! Cooperative A* (CA*) and hierarchical cooperative A* (HCA*): agents plan one after the other, each around all agents
//! planned before.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, sections 4 and 5. Differs from the paper: an agent that has arrived
//! keeps its goal for ever; a goal that another agent will pass later is not yet reached; starts are reserved before
//! any agent plans; and when an agent finds no path, planning begins again with that agent first, or in another order.

use std::ops::ControlFlow;

use crate::instance::Instance;
use giveway_core::heuristic::{HeuristicSource, Zero};
use giveway_core::store::WindowTable;
use giveway_core::{
    Agent, AgentId, AtEnd, Claim, ConflictRule, Cost, CostLayer, FOREVER, Footprint, Motion, Path, Plan, Query,
    Refused, ReservationStore, Scene, SpaceGraph, Tick, TimeModel,
};
use giveway_distance::TrueDistances;

use crate::attempts::Attempts;
use crate::no_plan::NoPlan;
use crate::order::{Order, Restart};
use crate::reachable::can_arrive;
use crate::solution::{CooperativeDetails, Solution, SolutionIn, Unplanned};
use crate::watch::Watch;
use crate::watched_search::WatchedSearch;

/// Cooperative planning: agents plan one after the other. Each agent searches space and time around the reservations of
/// the agents before it.
///
/// With [`ByMetric`](giveway_core::heuristic::ByMetric) heuristics this is CA*; with [`TrueDistances`] it is HCA*. CA*
/// and HCA* are not complete and not optimal: an early path may leave a later agent only a longer path, or no path.
#[derive(Clone, Debug)]
pub struct Cooperative<H, L = ()> {
    heuristics: H,
    layer: L,
    order: Order,
    restart: Restart,
    latest: Tick,
    time: TimeModel,
}

/// HCA*: cooperative planning by true distances, with one table per set of goals.
pub type Hca<S> = Cooperative<TrueDistances<S, Zero>>;

impl<S: SpaceGraph> Hca<S> {
    /// HCA* with the [default order](Order::NearestElseFarthest) and the default [restart](Restart).
    pub fn hca_star() -> Self {
        Self::new(TrueDistances::tables())
    }
}

impl<H> Cooperative<H> {
    /// Planning guided by `heuristics`, with the [default order](Order::NearestElseFarthest) and the default
    /// [restart](Restart).
    pub fn new(heuristics: H) -> Self {
        Self {
            heuristics,
            layer: (),
            order: Order::default(),
            restart: Restart::default(),
            latest: FOREVER,
            time: TimeModel::default(),
        }
    }
}

impl<H, L> Cooperative<H, L> {
    /// Sets the order in which agents plan.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets what happens when an agent finds no path.
    #[must_use]
    pub fn restart(self, restart: Restart) -> Self {
        Self { restart, ..self }
    }

    /// Sets the tick by which every agent must have arrived.
    #[must_use]
    pub fn latest(self, latest: Tick) -> Self {
        Self { latest, ..self }
    }

    /// Sets the time model. [`TimeModel::SafeIntervals`] is faster if steps take many ticks. The docs of
    /// `SafeIntervals` list the cases in which a search waits by quanta all the same.
    #[must_use]
    pub fn time_model(self, time: TimeModel) -> Self {
        Self { time, ..self }
    }

    /// Adds the surcharges of `layer` to the costs of moves.
    #[must_use]
    pub fn layer<M>(self, layer: M) -> Cooperative<H, M> {
        let Self { heuristics, order, restart, latest, time, .. } = self;
        Cooperative { heuristics, layer, order, restart, latest, time }
    }

    /// Plans all agents of `instance` on a new store that suits the footprint; see [`solve_on`](Self::solve_on).
    pub fn solve<S: SpaceGraph, F: Footprint<S>>(
        &mut self,
        instance: &Instance<'_, S, F>,
    ) -> SolutionIn<S, CooperativeDetails>
    where
        H: HeuristicSource<S>,
        L: CostLayer<S>,
    {
        self.solve_watched(instance, &mut ())
    }

    /// Like [`solve`](Self::solve), with a `watch` that may stop the planning.
    pub fn solve_watched<S: SpaceGraph, F: Footprint<S>>(
        &mut self,
        instance: &Instance<'_, S, F>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, CooperativeDetails>
    where
        H: HeuristicSource<S>,
        L: CostLayer<S>,
    {
        let cells = instance.footprint().cells(instance.space());
        let steps =
            self.time == TimeModel::Quanta && instance.footprint().uniform_duration(instance.space()) == Some(1);
        let horizon = if steps && cells.bound() <= MOST_WINDOWED_CELLS { HORIZON } else { 0 };
        self.solve_on_watched(instance, &mut WindowTable::new(cells, horizon), watch)
    }

    /// Plans all agents of `instance` on `store`. The store is cleared first, and holds the reservations of the plan
    /// afterwards.
    ///
    /// Before any agent plans, every start is reserved for its agent, until the earliest tick at which the agent can
    /// have left. Every path ends in an endless rest.
    ///
    /// Agents whose goals cannot be reached are [unreachable](NoPlan::Unreachable), even if the heuristics do not
    /// notice: they stand at their starts, and all other agents plan around them. Agents without a path after all
    /// restarts also stand at their starts. Agents that planned before such an agent may pass through its start.
    pub fn solve_on<S: SpaceGraph, F: Footprint<S>, R: ReservationStore>(
        &mut self,
        instance: &Instance<'_, S, F>,
        store: &mut R,
    ) -> SolutionIn<S, CooperativeDetails>
    where
        H: HeuristicSource<S>,
        L: CostLayer<S>,
    {
        self.solve_on_watched(instance, store, &mut ())
    }

    /// Like [`solve_on`](Self::solve_on), with a `watch` that may stop the planning.
    pub fn solve_on_watched<S: SpaceGraph, F: Footprint<S>, R: ReservationStore>(
        &mut self,
        instance: &Instance<'_, S, F>,
        store: &mut R,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, CooperativeDetails>
    where
        H: HeuristicSource<S>,
        L: CostLayer<S>,
    {
        let search = WatchedSearch::new(instance.agents().len(), watch);
        Planning { strategy: self, instance, store, search }.solve()
    }
}

/// A solve under way.
struct Planning<'p, 's, S: SpaceGraph, F, H, L, R> {
    strategy: &'p mut Cooperative<H, L>,
    instance: &'p Instance<'s, S, F>,
    store: &'p mut R,
    search: WatchedSearch<'p, S>,
}

impl<S, F, H, L, R> Planning<'_, '_, S, F, H, L, R>
where
    S: SpaceGraph,
    F: Footprint<S>,
    H: HeuristicSource<S>,
    L: CostLayer<S>,
    R: ReservationStore,
{
    fn solve(mut self) -> SolutionIn<S, CooperativeDetails> {
        self.strategy.heuristics.forget();
        let reverse_before = self.strategy.heuristics.reverse_expanded();
        let mut round =
            match self.search.distances(self.instance.space(), self.instance.agents(), &mut self.strategy.heuristics) {
                Ok(mut distances) => {
                    // Heuristics that know only positions, or ignore the footprint, may take an unreachable goal for
                    // reachable. A search for such a goal would expand all nodes at all ticks until nothing changes any
                    // more.
                    for (arrives, distance) in can_arrive(self.instance).into_iter().zip(&mut distances) {
                        if !arrives {
                            *distance = None;
                        }
                    }
                    self.rounds(&distances)
                }
                Err(why) => Round::new(self.instance.agents(), &vec![Some(why); self.instance.agents().len()]),
            };
        Unplanned::sort(&mut round.unplanned);
        Solution {
            plan: round.plan,
            unplanned: round.unplanned,
            expansions: self.search.expansions,
            reverse_expansions: self.strategy.heuristics.reverse_expanded() - reverse_before,
            details: CooperativeDetails { rounds: self.search.rounds },
        }
    }

    /// Plans in rounds until every agent has a path, or no restart is left.
    fn rounds(&mut self, distances: &[Option<S::Cost>]) -> RoundIn<S> {
        // Agents that no restart can help. They stand, and the others plan around them.
        let mut hopeless = unreachable(distances);
        let mut attempts = Attempts::new(self.strategy.order, self.strategy.restart, self.instance.agents(), distances);
        loop {
            attempts.retain(&|agent| hopeless[agent.index()].is_none());
            self.search.begin_round();
            let expanded_before = self.search.expansions;
            let (order, last) = (attempts.order(), attempts.is_last());
            match self.round(&hopeless, order, last) {
                ControlFlow::Break(round) => return round,
                ControlFlow::Continue(Unplanned { agent, why }) => {
                    if order.first() == Some(&agent) {
                        // The agent went first already: only agents that cannot go elsewhere were in its way.
                        hopeless[agent.index()] = Some(why);
                    }
                    attempts.again(agent, self.search.expansions - expanded_before);
                }
            }
        }
    }

    /// Plans the agents in `order`. Unless this is the `last` round, stops at the first agent that finds no path.
    fn round(
        &mut self,
        hopeless: &[Option<NoPlan>],
        order: &[AgentId],
        last: bool,
    ) -> ControlFlow<RoundIn<S>, Unplanned> {
        let mut round = Round::new(self.instance.agents(), hopeless);
        if let Err(refused) = reserve_starts(self.instance, &mut *self.store, hopeless) {
            // Two bodies overlap before any agent has moved; no order helps.
            for agent in order.iter().copied() {
                round.unplanned.push(Unplanned { agent, why: NoPlan::Refused(refused) });
            }
            return ControlFlow::Break(round);
        }
        let Self { strategy, instance, store, search } = self;
        let Cooperative { heuristics, layer, latest, time, .. } = &mut **strategy;
        let (space, footprint) = (instance.space(), instance.footprint());
        for id in order.iter().copied() {
            let agent = &instance.agents()[id.index()];
            let claim = Claim::plain(id);
            let scene = Scene { space, footprint, reservations: &**store, layer: &*layer };
            let query = Query { latest: *latest, time: *time, ..Query::new(claim, agent.start, agent.goals.clone()) };
            let planned = search.path(&scene, query, heuristics).and_then(|path| {
                let given = store.reserve(claim, &path.entries(space, footprint));
                given.map_err(NoPlan::Refused).map(|()| path)
            });
            match planned {
                Ok(path) => round.plan.paths[id.index()] = path,
                Err(why) => {
                    if why != NoPlan::Stopped && !last {
                        return ControlFlow::Continue(Unplanned { agent: id, why });
                    }
                    round.unplanned.push(Unplanned { agent: id, why });
                    // The agent stands at its start, in the way of later agents, unless an earlier agent is to pass
                    // there.
                    let standing = Path::standing(agent.start, 0, AtEnd::Stay);
                    let _ = store.reserve(claim, &standing.entries(space, footprint));
                }
            }
        }
        ControlFlow::Break(round)
    }
}

/// The agents whose goals cannot be reached.
fn unreachable<C>(distances: &[Option<C>]) -> Vec<Option<NoPlan>> {
    distances.iter().map(|distance| distance.is_none().then_some(NoPlan::Unreachable)).collect()
}

/// Empties the store, and reserves every agent's start: for ever if the agent is hopeless, otherwise until the
/// earliest tick at which the agent can have left.
///
/// Under the swap rule a start is reserved for tick 0 alone; more would forbid four agents to rotate. Under the
/// following rule it is reserved for the time of the quickest move out of the start: no other agent can be there
/// before that move is done.
fn reserve_starts<S: SpaceGraph, F: Footprint<S>>(
    instance: &Instance<'_, S, F>,
    store: &mut impl ReservationStore,
    hopeless: &[Option<NoPlan>],
) -> Result<(), Refused> {
    let (space, footprint) = (instance.space(), instance.footprint());
    store.clear();
    for (agent, id) in instance.agents().iter().zip((0..).map(AgentId)) {
        let quickest = || space.moves(agent.start).filter_map(|m| footprint.duration(space, &m)).min();
        let ticks = match footprint.cells(space).rule() {
            _ if hopeless[id.index()].is_some() => FOREVER,
            ConflictRule::Swap => 0,
            ConflictRule::Following => quickest().unwrap_or(FOREVER),
        };
        let rest = Motion::Rest { node: agent.start, ticks };
        store.reserve(Claim::plain(id), &footprint.entries(space, &rest, 0))?;
    }
    Ok(())
}

/// How far the fast part of the store reaches; blocks of it take memory only when they are used.
const HORIZON: Tick = 1 << 16;

/// With more cells than this, the window store takes too much memory: a block of it has 8 bytes per cell for each 64
/// ticks.
const MOST_WINDOWED_CELLS: usize = 1 << 20;

/// The result of one round of planning.
struct Round<A, C> {
    plan: Plan<A, C>,
    unplanned: Vec<Unplanned>,
}

/// The result of one round of planning in space `S`.
type RoundIn<S> = Round<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

impl<A: Copy, C: Cost> Round<A, C> {
    /// All agents stand; agents that have `failed` are not planned.
    fn new(agents: &[Agent], failed: &[Option<NoPlan>]) -> Self {
        Self { plan: Plan::standing(agents), unplanned: Unplanned::of(failed) }
    }
}
