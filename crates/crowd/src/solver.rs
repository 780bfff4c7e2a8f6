//! The crowd solver: solves an instance by running a crowd to the end.

use giveway_core::heuristic::{HeuristicSource, Zero};
use giveway_core::store::SparseTable;
use giveway_core::{
    Agent, AgentId, AtEnd, Claim, Cost, CostLayer, Footprint, Goals, Held, Motion, NodeId, Path, PathIn, Plan, Refused,
    ReservationStore as _, SpaceGraph, Step, SyncSpace, Tick, Ticks,
};
use giveway_distance::TrueDistances;
use giveway_strategies::Instance;

use crate::budget::Budget;
use crate::class::Class;
use crate::crowd::Crowd;
use crate::settings::CrowdSettings;
use giveway_members::chain::{Lra, Served};
use giveway_members::class_id::ClassId;
use giveway_members::clock::Clock;
use giveway_members::leg::Leg;
use giveway_strategies::{NoPlan, Progress, Solution, SolutionIn, Unplanned, Watch};

/// The number of steps, beside twice the longest way, after which a crowd without progress is given up. Progress means
/// that an agent comes nearer to its goal than ever before.
const PATIENCE: f64 = 500.0;

/// Room is made for at most this many steps of a path at once.
const MOST_AT_ONCE: f64 = 4096.0;

/// Solves an instance by running a crowd of its agents until all of them stand on their goals at one tick. The plan
/// consists of the motions that the agents made.
///
/// The crowd is given up at tick [`latest`](Self::latest). Without a latest tick, the crowd is given up after a time
/// without progress. Progress means that an agent comes nearer to its goal than ever before. The time without progress
/// is the sum of 500 plain steps, twice the longest way of an agent, and twice the
/// [period](giveway_core::Facts::period) of departures. When the crowd is given up, the agents that are not on a goal
/// are [`unplanned`](Solution::unplanned), and their paths end where they are.
///
/// ```
/// use giveway_check::Checker;
/// use giveway_core::{Agent, ConflictRule, Point};
/// use giveway_strategies::Instance;
/// use giveway_spaces::Grid;
/// use giveway_crowd::CrowdSolver;
///
/// let grid = Grid::open(6, 1)?;
/// let at = |x| grid.node(x, 0).expect("on the grid");
/// let agents = vec![Agent::new(at(1), at(5)), Agent::new(at(0), at(4))];
/// let point = Point::swap_rule(&grid);
/// let instance = Instance::new(&grid, &point, agents)?;
/// let solution = CrowdSolver::whca_star().solve(&instance);
/// assert!(solution.is_complete());
/// assert_eq!(solution.plan.sum_of_costs(), 8);
/// assert_eq!(Checker::new(&grid, ConflictRule::Swap).check(instance.agents(), &solution.plan), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdSolver {
    settings: CrowdSettings,
    latest: Option<Tick>,
}

/// Details of the solution of a [`CrowdSolver`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CrowdDetails {
    /// For each planner, the number of agent-ticks in which an agent executed a plan of that planner.
    pub served: Served,
}

impl CrowdSolver {
    /// A solver whose crowds plan according to `settings`.
    pub fn new(settings: CrowdSettings) -> Self {
        Self { settings, latest: None }
    }

    /// A solver with default settings: WHCA*, with LaCAM and steps as fallbacks.
    pub fn whca_star() -> Self {
        Self::new(CrowdSettings::new())
    }

    /// A solver by LRA* alone, with the parameters `repair`.
    pub fn lra_star(repair: Lra) -> Self {
        Self::new(CrowdSettings::new().chain(repair))
    }

    /// Sets the tick at which the crowd is given up. `None`, the default: the crowd is given up when no agent makes
    /// progress any more; see [`CrowdSolver`].
    #[must_use]
    pub fn latest(self, latest: impl Into<Option<Tick>>) -> Self {
        Self { latest: latest.into(), ..self }
    }

    /// Solves `instance`, guided by true distances. If the bodies of two agents overlap at their starts, no agent
    /// moves, and all agents that are not on a goal are [`unplanned`](Solution::unplanned).
    pub fn solve<S, F>(&self, instance: &Instance<'_, S, F>) -> SolutionIn<S, CrowdDetails>
    where
        S: SyncSpace,
        F: Footprint<S> + Send + Sync,
    {
        self.solve_watched(instance, &mut ())
    }

    /// Like [`solve`](Self::solve), with a `watch`. The watch is told the progress before every tick, and may stop the
    /// crowd.
    pub fn solve_watched<S, F>(
        &self,
        instance: &Instance<'_, S, F>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, CrowdDetails>
    where
        S: SyncSpace,
        F: Footprint<S> + Send + Sync,
    {
        self.solve_under(instance, TrueDistances::<S, Zero>::tables(), (), watch)
    }

    /// Like [`solve_watched`](Self::solve_watched), but guided by `heuristics`, and with the surcharges of `layer`. The
    /// layer is told of every move. Costs in the plan are the costs of the space, without surcharges.
    ///
    /// ```
    /// use giveway_core::heuristic::Zero;
    /// use giveway_distance::TrueDistances;
    /// use giveway_core::{Agent, Point};
    /// use giveway_lanes::{DirectionMap, DirectionRules};
    /// use giveway_strategies::Instance;
    /// use giveway_spaces::Grid;
    /// use giveway_crowd::CrowdSolver;
    ///
    /// let grid = Grid::open(6, 1)?;
    /// let at = |x| grid.node(x, 0).expect("on the grid");
    /// let point = Point::swap_rule(&grid);
    /// let instance = Instance::new(&grid, &point, vec![Agent::new(at(1), at(5))])?;
    /// let map = DirectionMap::blank(&grid, DirectionRules::default());
    /// let solution = CrowdSolver::whca_star().solve_under(&instance, TrueDistances::<_, Zero>::tables(), &map, &mut ());
    /// assert!(solution.is_complete());
    /// assert_eq!(map.directions().count(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_under<S, F, H, L>(
        &self,
        instance: &Instance<'_, S, F>,
        mut heuristics: H,
        layer: L,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, CrowdDetails>
    where
        S: SyncSpace,
        F: Footprint<S> + Send + Sync,
        H: HeuristicSource<S> + Send + Sync,
        L: CostLayer<S> + Send + Sync,
    {
        let space = instance.space();
        let agents = instance.agents();
        let mut crowd = Crowd::new(self.settings.clone());
        let mut failures = vec![Some(NoPlan::TimeUp); agents.len()];
        let mut plan = Plan::standing(agents);
        let paths = &mut plan.paths;
        let (mut expansions, mut served) = (0, Served::default());

        let asks: Vec<(&Goals, NodeId)> = agents.iter().map(Agent::ask).collect();
        heuristics.prepare(space, &asks);
        let class = Class::held(Held::Borrowed(space), Held::Borrowed(instance.footprint()));
        let class = class.heuristics(heuristics).layer(layer);
        let class = crowd.enter(class, None);
        // Each agent has its own start and its own goal, so a crowd accepts all of them, unless bodies overlap at their
        // starts.
        let ids = add(&mut crowd, class.ok(), agents);
        let refused = if ids.contains(&None) { refused_start(instance) } else { None };
        if let Some(refused) = refused {
            // Agents would go through agents that the crowd does not know, so no agent goes.
            failures.fill(Some(NoPlan::Refused(refused)));
            let unplanned = missing(&crowd, agents, &vec![None; agents.len()], &failures);
            return Solution { plan, unplanned, expansions, reverse_expansions: 0, details: CrowdDetails { served } };
        }
        // The crowd numbers the agents that it has.
        let index_of = known(&ids);
        // Ticks that each agent has waited on the way. Pauses on the goal are free.
        let mut waited: Vec<Ticks> = vec![0; agents.len()];
        let mut patience = Patience::new(&mut crowd, space.facts().period);
        for (index, steps) in index_of.iter().zip(patience.fewest_steps()) {
            paths[*index].steps.reserve(steps);
        }
        loop {
            if crowd.is_at_rest() || self.latest.is_some_and(|latest| crowd.now() >= latest) {
                break;
            }
            if self.latest.is_none() && !patience.lasts(&crowd) {
                break;
            }
            let at_goals = at_goals(&crowd, agents, &ids);
            if !watch.go_on(&Progress::Running { at_goals, agents: agents.len(), expansions }) {
                failures.fill(Some(NoPlan::Stopped));
                break;
            }
            let report = crowd.tick(Budget::unlimited());
            expansions += report.expansions;
            served += report.served;
            for agent in report.unreachable {
                failures[index_of[agent.index()]] = Some(NoPlan::Unreachable);
            }
            // Agents that the tick has skipped rest; a rest is noted when its agent goes on.
            for unit in crowd.state.awake() {
                let index = index_of[unit.member.id().index()];
                waited[index] += rest(&mut paths[index], &agents[index], report.tick);
                note(
                    space,
                    crowd.ticks_per_step(),
                    &mut paths[index],
                    &unit.member.motion.last(crowd.now()),
                    report.tick,
                );
            }
        }
        for index in &index_of {
            waited[*index] += rest(&mut paths[*index], &agents[*index], crowd.now());
        }
        for (path, ticks) in paths.iter_mut().zip(waited) {
            path.cost = path.cost.plus(S::Cost::STEP.times(ticks).part(crowd.ticks_per_step()));
        }
        let unplanned = missing(&crowd, agents, &ids, &failures);
        let reverse_expansions = crowd.reverse_expanded();
        Solution { plan, unplanned, expansions, reverse_expansions, details: CrowdDetails { served } }
    }
}

/// Why the store would refuse one of the agents at its start.
fn refused_start<S: SpaceGraph, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> Option<Refused> {
    let mut store = SparseTable::new(instance.footprint().cells(instance.space()));
    instance.agents().iter().zip((0..).map(AgentId)).find_map(|(agent, id)| {
        let standing = Path::<S::Action, S::Cost>::standing(agent.start, 0, AtEnd::Stay);
        store.reserve(Claim::plain(id), &standing.entries(instance.space(), instance.footprint())).err()
    })
}

/// Adds `agents` to a class of the crowd. `None`: the crowd has refused the agent.
fn add(crowd: &mut Crowd<'_>, class: Option<ClassId>, agents: &[Agent]) -> Vec<Option<AgentId>> {
    agents.iter().map(|agent| crowd.add(class?, agent.clone()).ok()).collect()
}

/// The indices of the agents that the crowd has.
fn known(ids: &[Option<AgentId>]) -> Vec<usize> {
    (0..ids.len()).filter(|index| ids[*index].is_some()).collect()
}

/// How many of `agents` are on a goal.
fn at_goals(crowd: &Crowd<'_>, agents: &[Agent], ids: &[Option<AgentId>]) -> usize {
    agents.iter().zip(ids).filter(|(agent, id)| is_there(crowd, agent, **id)).count()
}

/// The agents that are not on a goal, and what has become of them.
fn missing(
    crowd: &Crowd<'_>,
    agents: &[Agent],
    ids: &[Option<AgentId>],
    failures: &[Option<NoPlan>],
) -> Vec<Unplanned> {
    let missing = agents.iter().zip(ids).zip(failures).zip((0..).map(AgentId));
    missing
        .filter(|(((agent, id), _), _)| !is_there(crowd, agent, **id))
        .map(|((_, why), agent)| Unplanned { agent, why: why.unwrap_or(NoPlan::TimeUp) })
        .collect()
}

fn is_there(crowd: &Crowd<'_>, agent: &Agent, id: Option<AgentId>) -> bool {
    id.and_then(|id| crowd.node(id)).is_some_and(|node| agent.goals.contains(node))
}

/// Lets `path` of `agent`, if it ends before `now`, go on by a rest until then. Returns for how many ticks that is, if
/// the agent is not on a goal: pauses on the goal are free. The caller adds the cost.
fn rest<A: Copy + PartialEq, C: Cost>(path: &mut Path<A, C>, agent: &Agent, now: Tick) -> Ticks {
    let (node, end) = (path.end(), path.steps.last().map_or(0, |step| step.arrive));
    let ticks = now.saturating_sub(end);
    if ticks > 0 {
        path.push_rest(node, end, ticks);
    }
    if agent.goals.contains(node) { 0 } else { ticks }
}

/// Appends the move that an agent began at `tick` to its path.
fn note<S: SpaceGraph>(space: &S, ticks_per_step: Ticks, path: &mut PathIn<S>, leg: &Leg, tick: Tick) {
    if leg.is_move()
        && leg.depart == tick
        && let Some(m) = leg.in_space(space, ticks_per_step)
    {
        path.steps.push(Step { motion: Motion::Move(m), depart: leg.depart, arrive: leg.arrive });
        path.cost = path.cost.plus(m.cost);
    }
    // Other moves were noted when they began. Rests are noted when they end.
}

/// Notices when no agent comes nearer to its goal any more.
struct Patience {
    /// The least distance that each agent has had.
    nearest: Vec<f64>,
    /// The tick of the last such progress.
    since: Tick,
    /// The longest way of an agent.
    longest: f64,
    /// The ticks after which departures repeat; agents may have to wait for this long.
    period: Ticks,
}

impl Patience {
    /// Before the first tick. These distances are what planning asks for first anyway.
    fn new(crowd: &mut Crowd<'_>, period: Ticks) -> Self {
        let agents: Vec<AgentId> = crowd.agents().collect();
        let distance = |agent| crowd.distance(agent, Budget::unlimited()).unwrap_or(f64::INFINITY);
        let nearest: Vec<f64> = agents.into_iter().map(distance).collect();
        let longest = nearest.iter().copied().filter(|distance| distance.is_finite()).fold(0.0, f64::max);
        Self { nearest, since: 0, longest, period }
    }

    /// About how many steps each agent has before it, with a few waits; 0 where no way is known.
    fn fewest_steps(&self) -> impl Iterator<Item = usize> {
        let steps = |distance: f64| (distance * 1.125).min(MOST_AT_ONCE);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // bounded
        self.nearest.iter().map(move |distance| if distance.is_finite() { steps(*distance) as usize } else { 0 })
    }

    /// Whether some agent has come nearer lately.
    fn lasts(&mut self, crowd: &Crowd<'_>) -> bool {
        let Clock { now, ticks_per_step } = crowd.state.clock;
        for unit in crowd.state.awake() {
            let nearest = &mut self.nearest[unit.slot.index()];
            let nearer = unit.member.approach.nearest_ever();
            if nearer < *nearest {
                if nearest.is_infinite() {
                    // The distance was not known at first.
                    self.longest = self.longest.max(nearer);
                }
                (*nearest, self.since) = (nearer, now);
            }
        }
        let steps = PATIENCE + 2.0 * self.longest;
        f64::from(now - self.since)
            <= steps * f64::from(ticks_per_step) + 2.0 * f64::from(self.period.saturating_sub(1))
    }
}
