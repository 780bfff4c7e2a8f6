//! Planning: from a map file and a strategy's name to a solution.

use std::path::Path;

use anyhow::{Context as _, Result};
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan, Metric, Octile, TrueDistances, Zero};
use giveway::plan::AtEnd;
use giveway::scenario::MapFile;
use giveway::search::Cost;
use giveway::spaces::{Connectivity, Grid, SyncSpace};
use giveway::strategies::{
    self, Chain, Cooperative, CrowdDetails, CrowdSettings, CrowdSolver, Independent, Lra, NoPlan, Replanning, Restart,
    Served, SolutionIn, Unplanned, WaitPenalty, Watch,
};
use giveway::time::{FOREVER, Tick};
use giveway::{AgentId, Footprint, Instance, Point, SpaceGraph};

use crate::arguments::{self, CrowdArguments, Order, Strategy};
use crate::input_file;
use crate::learning::Directions;

/// The map at `path`.
pub(crate) fn read_map(path: &Path) -> Result<MapFile> {
    input_file::read(path, MapFile::read, MapFile::parse)
}

/// The grid of `map`, which was read from `path`.
pub(crate) fn to_grid(map: &MapFile, path: &Path, connectivity: arguments::Connectivity) -> Result<Grid> {
    let grid = map.grid().with_context(|| path.display().to_string())?;
    Ok(grid.with_connectivity(connectivity.into()))
}

/// Details of a solution, for all strategies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Details {
    /// The number of rounds of planning.
    pub(crate) rounds: u32,
    /// For crowds, agent-ticks by the planner that made the plan being executed.
    pub(crate) served: Option<Served>,
}

impl Details {
    fn of_crowd(crowd: CrowdDetails) -> Self {
        Self { rounds: 1, served: Some(crowd.served) }
    }
}

/// How an instance is to be planned.
#[derive(Clone, Debug)]
pub(crate) struct ChosenStrategy {
    pub(crate) strategy: Strategy,
    pub(crate) order: Option<Order>,
    pub(crate) seed: u64,
    pub(crate) restarts: Option<u32>,
    pub(crate) crowd: CrowdArguments,
    pub(crate) max_ticks: Option<Tick>,
}

impl ChosenStrategy {
    /// The settings of a crowd that plans by the strategy.
    fn settings(&self) -> CrowdSettings {
        crowd(self.strategy, self.order, &self.crowd, self.seed)
    }

    /// The plan of `instance` on a grid, by true `distances` where the strategy needs them. Only a crowd learns from
    /// the direction map `directions`, and pays for it.
    pub(crate) fn plan(
        &self,
        instance: &Instance<'_, Grid, Point>,
        directions: Option<&Directions>,
        distances: &mut TrueDistances<Grid, Zero>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Grid, Details> {
        let step = u32::STEP;
        match (directions, instance.space().connectivity()) {
            (Some(directions), _) => {
                let solver = CrowdSolver::new(self.settings()).latest(self.max_ticks);
                let solution = match directions.distances() {
                    Some(priced) => solver.solve_under(instance, priced, &directions.map, watch),
                    None => solver.solve_under(instance, distances, &directions.map, watch),
                };
                solution.map_details(Details::of_crowd)
            }
            (None, Connectivity::Four) => self.plan_by(distances, Manhattan { step }, instance, watch),
            (None, Connectivity::Eight) => self.plan_by(distances, Octile { step, diagonal: 1414 }, instance, watch),
        }
    }

    /// The plan of `instance` in any space, by true `distances`, or by the `metric` where the strategy needs no more.
    pub(crate) fn plan_by<S, F, H, M>(
        &self,
        distances: H,
        metric: M,
        instance: &Instance<'_, S, F>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, Details>
    where
        S: SyncSpace,
        F: Footprint<S> + Send + Sync,
        H: HeuristicSource<S> + Send + Sync,
        M: Metric<S> + Clone,
    {
        match self.strategy {
            Strategy::Hca => self.cooperate(Cooperative::new(distances), instance, watch),
            Strategy::Ca => self.cooperate(Cooperative::new(ByMetric(metric)), instance, watch),
            Strategy::Whca | Strategy::Lra | Strategy::Dm => {
                let solver = CrowdSolver::new(self.settings()).latest(self.max_ticks);
                solver.solve_under(instance, distances, (), watch).map_details(Details::of_crowd)
            }
            Strategy::Independent => {
                let mut solution = Independent::new(distances).solve_watched(instance, watch);
                drop_late_paths::<S>(&mut solution, self.max_ticks.unwrap_or(FOREVER));
                solution.map_details(|()| Details { rounds: 1, served: None })
            }
        }
    }

    fn cooperate<S: SpaceGraph, F: Footprint<S>, H: HeuristicSource<S>>(
        &self,
        cooperative: Cooperative<H>,
        instance: &Instance<'_, S, F>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, Details> {
        let times = self.restarts.unwrap_or(Restart::default().times());
        let seed = self.seed;
        let order = self.order.map_or_else(strategies::Order::default, |order| to_order(order, seed));
        let restart = match order {
            strategies::Order::Random { .. } => Restart::Shuffled { times, seed },
            _ => Restart::FailedFirst { times },
        };
        cooperative
            .order(order)
            .restart(restart)
            .latest(self.max_ticks.unwrap_or(FOREVER))
            .solve_watched(instance, watch)
            .map_details(|planning| Details { rounds: planning.rounds, served: None })
    }
}

/// The settings of a crowd that plans by `strategy`, which must be one for crowds, with the given `arguments`.
pub(crate) fn crowd(strategy: Strategy, order: Option<Order>, arguments: &CrowdArguments, seed: u64) -> CrowdSettings {
    let mut settings = CrowdSettings::new().order(to_order(order.unwrap_or(Order::Rotating), seed));
    settings = match strategy {
        Strategy::Lra => settings.chain(strategies::Planner::LocalRepair(Lra::new(seed))),
        Strategy::Dm => settings.chain(Chain::followers(seed)),
        _ => settings,
    };
    if let Some(window) = arguments.window {
        settings = settings.window(window);
    }
    if let Some(interval) = arguments.interval {
        settings = settings.interval(interval);
    }
    if arguments.at_once {
        settings = settings.replanning(Replanning::AllAtOnce);
    }
    if arguments.wait_penalty {
        settings = settings.wait_penalty(WaitPenalty::default());
    }
    settings
}

fn to_order(order: Order, seed: u64) -> strategies::Order {
    match order {
        Order::AsGiven => strategies::Order::AsGiven,
        Order::Nearest => strategies::Order::NearestFirst,
        Order::Farthest => strategies::Order::FarthestFirst,
        Order::Rotating => strategies::Order::Rotating,
        Order::Random => strategies::Order::Random { seed },
    }
}

/// Makes agents that would arrive after tick `latest` stand at their starts.
fn drop_late_paths<S: SpaceGraph>(solution: &mut SolutionIn<S>, latest: Tick) {
    for (path, agent) in solution.plan.paths.iter_mut().zip((0..).map(AgentId)) {
        if path.arrival() > latest {
            *path = giveway::plan::Path::standing(path.start, 0, AtEnd::Stay);
            let why = NoPlan::TooLate;
            solution.unplanned.push(Unplanned { agent, why });
        }
    }
    solution.unplanned.sort_unstable_by_key(|unplanned| unplanned.agent);
}
