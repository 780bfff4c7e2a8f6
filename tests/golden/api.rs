//! The strategies as the cases use them: what is renamed there is renamed here, and nowhere else.

use giveway::heuristic::{ByMetric, HeuristicSource, Metric, TrueDistances, Zero};
use giveway::search::TimeModel;
use giveway::spaces::SyncSpace;
use giveway::store::{IntervalTable, SparseTable, WindowTable};
use giveway::strategies::{
    Cooperative, CrowdDetails, CrowdSettings, CrowdSolver, Depth, Hca, Independent, Replanning, Restart, SectorRouting,
    SoftRests, WaitPenalty,
};
use giveway::time::{FOREVER, Tick};
use giveway::{CostLayer, Footprint, Instance, SpaceGraph};

pub(crate) use giveway::strategies::{
    Budget, Chain, Class, ClassId, Crowd, CrowdError, Explanation, Leg, Lra, NoPlan, Order, Planner, Report, Routing,
    Served, SolutionIn, Waiting,
};

/// The settings of a crowd.
pub(crate) type Settings = CrowdSettings;

/// What is told of a solution beside the plan.
pub(crate) struct Details {
    pub(crate) rounds: u32,
    pub(crate) served: Served,
}

impl From<CrowdDetails> for Details {
    fn from(crowd: CrowdDetails) -> Self {
        Self { rounds: 1, served: crowd.served }
    }
}

fn solver(settings: Settings, limit: Option<Tick>) -> CrowdSolver {
    let solver = CrowdSolver::new(settings);
    match limit {
        Some(limit) => solver.latest(limit),
        None => solver,
    }
}

/// How one agent after the other is planned to the end.
#[derive(Clone, Copy)]
pub(crate) struct Turns {
    pub(crate) order: Order,
    pub(crate) restart: Restart,
    pub(crate) time: TimeModel,
    pub(crate) latest: Tick,
    pub(crate) table: Table,
}

/// On which reservation table.
#[derive(Clone, Copy)]
pub(crate) enum Table {
    Own,
    Window,
    Interval,
    Sparse,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            order: Order::default(),
            restart: Restart::default(),
            time: TimeModel::Quanta,
            latest: FOREVER,
            table: Table::Own,
        }
    }
}

pub(crate) const ORDERS: [(&str, Order); 7] = [
    ("as-given", Order::AsGiven),
    ("farthest", Order::FarthestFirst),
    ("nearest", Order::NearestFirst),
    ("nearest-else-farthest", Order::NearestElseFarthest),
    ("priority", Order::ByPriority),
    ("rotating", Order::Rotating),
    ("random", Order::Random { seed: 2005 }),
];

pub(crate) const RESTARTS: [(&str, Restart); 3] = [
    ("never", Restart::Never),
    ("failed-first", Restart::FailedFirst { times: 3 }),
    ("shuffled", Restart::Shuffled { times: 4, seed: 7 }),
];

/// Everyone as if alone.
pub(crate) fn independent<S: SpaceGraph, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> SolutionIn<S, Details> {
    Independent::new(TrueDistances::<S, Zero>::tables())
        .solve(instance)
        .map_details(|()| Details { rounds: 1, served: Served::default() })
}

/// CA*.
pub(crate) fn ca<S, F, M>(instance: &Instance<'_, S, F>, metric: M, turns: Turns) -> SolutionIn<S, Details>
where
    S: SpaceGraph,
    F: Footprint<S>,
    M: Metric<S> + Clone,
{
    in_turns(instance, Cooperative::new(ByMetric(metric)), turns)
}

/// HCA*.
pub(crate) fn hca<S: SpaceGraph, F: Footprint<S>>(
    instance: &Instance<'_, S, F>,
    turns: Turns,
) -> SolutionIn<S, Details> {
    in_turns(instance, Hca::hca_star(), turns)
}

/// The same under a layer.
pub(crate) fn hca_under<S, F, H, L>(instance: &Instance<'_, S, F>, heuristics: H, layer: L) -> SolutionIn<S, Details>
where
    S: SpaceGraph,
    F: Footprint<S>,
    H: HeuristicSource<S>,
    L: CostLayer<S>,
{
    in_turns(instance, Cooperative::new(heuristics).layer(layer), Turns::default())
}

fn in_turns<S, F, H, L>(
    instance: &Instance<'_, S, F>,
    planner: Cooperative<H, L>,
    turns: Turns,
) -> SolutionIn<S, Details>
where
    S: SpaceGraph,
    F: Footprint<S>,
    H: HeuristicSource<S>,
    L: CostLayer<S>,
{
    let Turns { order, restart, time, latest, table } = turns;
    let mut planner = planner.order(order).restart(restart).time_model(time).latest(latest);
    let cells = instance.footprint().cells(instance.space());
    let solution = match table {
        Table::Own => planner.solve(instance),
        Table::Window => planner.solve_on(instance, &mut WindowTable::new(cells, 64)),
        Table::Interval => planner.solve_on(instance, &mut IntervalTable::new(cells)),
        Table::Sparse => planner.solve_on(instance, &mut SparseTable::new(cells)),
    };
    solution.map_details(|details| Details { rounds: details.rounds, served: Served::default() })
}

/// WHCA*, or whatever the chain of `settings` says.
pub(crate) fn windows<S, F>(
    instance: &Instance<'_, S, F>,
    settings: &Settings,
    limit: Option<Tick>,
) -> SolutionIn<S, Details>
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
{
    solver(settings.clone(), limit).solve(instance).map_details(Details::from)
}

/// The same under a layer.
pub(crate) fn windows_under<S, F, H, L>(
    instance: &Instance<'_, S, F>,
    settings: &Settings,
    heuristics: H,
    layer: L,
    limit: Option<Tick>,
) -> SolutionIn<S, Details>
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
    H: HeuristicSource<S> + Send + Sync,
    L: CostLayer<S> + Send + Sync,
{
    solver(settings.clone(), limit).solve_under(instance, heuristics, layer, &mut ()).map_details(Details::from)
}

/// LRA*.
pub(crate) fn repairs<S, F>(instance: &Instance<'_, S, F>, lra: Lra, limit: Option<Tick>) -> SolutionIn<S, Details>
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
{
    solver(by_chain(lra), limit).solve(instance).map_details(Details::from)
}

pub(crate) fn crowd<'a>(settings: Settings) -> Crowd<'a> {
    Crowd::new(settings)
}

pub(crate) fn crowd_on_intervals<'a>(settings: Settings) -> Crowd<'a> {
    Crowd::new_on(settings, |cells, _| IntervalTable::new(cells))
}

/// `None`: as much as it takes.
pub(crate) fn budget(work: Option<u64>) -> Budget {
    work.map_or(Budget::unlimited(), Budget::work)
}

pub(crate) fn plain() -> Settings {
    CrowdSettings::new()
}

pub(crate) fn window(steps: u32) -> Settings {
    CrowdSettings::new().window(steps)
}

pub(crate) fn by_crowding(least: u32, most: u32) -> Settings {
    CrowdSettings::new().depth(Depth::ByCrowding { least, most })
}

pub(crate) fn by_chain(chain: impl Into<Chain>) -> Settings {
    CrowdSettings::new().chain(chain)
}

pub(crate) const WINDOWED: Planner = Planner::Windowed;
pub(crate) const PUSH: Planner = Planner::Pibt;
pub(crate) const JOINT: Planner = Planner::Lacam;

pub(crate) fn repair(lra: Lra) -> Planner {
    Planner::LocalRepair(lra)
}

pub(crate) fn sectors(side: u32, refine: u32) -> Routing {
    Routing::Sectors(SectorRouting::new(side).refine(refine))
}

/// One planner, and its fallbacks.
pub(crate) fn chain(first: Planner, others: &[(Planner, u32)]) -> Chain {
    others.iter().fold(Chain::new(first), |chain, (planner, after)| chain.fallback(*planner, *after))
}

/// Chains of every kind.
pub(crate) fn chains() -> Vec<(&'static str, Chain)> {
    let lra = repair(Lra::new(5));
    vec![
        ("windowed", WINDOWED.into()),
        ("push", PUSH.into()),
        ("joint", JOINT.into()),
        ("repair", lra.into()),
        ("windowed-push", chain(WINDOWED, &[(PUSH, 4)])),
        ("windowed-joint", chain(WINDOWED, &[(JOINT, 4)])),
        ("push-windowed", chain(PUSH, &[(WINDOWED, 6)])),
        ("push-joint", chain(PUSH, &[(JOINT, 5)])),
        ("repair-windowed", chain(lra, &[(WINDOWED, 3)])),
        ("repair-push-joint", chain(lra, &[(PUSH, 3), (JOINT, 3)])),
        ("all", chain(WINDOWED, &[(lra, 3), (PUSH, 3), (JOINT, 5)])),
    ]
}

/// How those who rest are dealt with.
pub(crate) fn manners() -> Vec<(&'static str, Settings)> {
    let polite = |first, decay| plain().wait_penalty(WaitPenalty { first, decay });
    vec![
        ("plain", plain()),
        ("polite", plain().wait_penalty(WaitPenalty::default())),
        ("polite-at-once", polite(900, 3)),
        ("polite-for-long", polite(50, 60)),
        ("soft", plain().soft_rests(SoftRests::default())),
        ("free", plain().override_price(0)),
        ("cascade-8", plain().cascade(8)),
        ("no-promotion", plain().promotion(false)),
    ]
}

/// Every setting on its own.
pub(crate) fn settings() -> Vec<(String, Settings)> {
    let mut all: Vec<(String, Settings)> = [
        ("plain", plain()),
        ("window-1", window(1)),
        ("window-4", window(4)),
        ("window-32", window(32)),
        ("by-crowding", by_crowding(4, 24)),
        ("interval-1", plain().interval(1)),
        ("interval-5", plain().interval(5)),
        ("interval-40", plain().interval(40)),
        ("all-at-once", plain().replanning(Replanning::AllAtOnce)),
        ("wait-penalty", plain().wait_penalty(WaitPenalty::default())),
        ("override-price-0", plain().override_price(0)),
        ("override-price-9000", plain().override_price(9000)),
        ("soft-rests", plain().soft_rests(SoftRests { price: 2500 })),
        ("no-promotion", plain().promotion(false)),
        ("cascade-1", plain().cascade(1)),
        ("cascade-4", plain().cascade(4)),
        ("no-growth", plain().growth(None)),
        ("growth-2", plain().growth(Some(2))),
        ("descent", plain().descent(true)),
    ]
    .map(|(name, settings)| (name.to_owned(), settings))
    .into();
    let others = ORDERS.iter().filter(|(name, _)| *name != "rotating");
    all.extend(others.map(|(name, order)| (format!("order-{name}"), plain().order(*order))));
    all.extend(chains().into_iter().map(|(name, chain)| (format!("chain-{name}"), by_chain(chain))));
    all
}
