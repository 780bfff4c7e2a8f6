//! Planning: from a map file and a strategy's name to a solution.

use std::path::Path;

use anyhow::{Context as _, Result};
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan, Octile, TrueDistances, Zero};
use giveway::plan::AtEnd;
use giveway::scenario::{AnyMapFile, MapFile};
use giveway::search::Cost;
use giveway::spaces::{Connectivity, Grid};
use giveway::strategies::{
    self, Chain, Cooperative, CrowdSettings, CrowdSolver, Hca, Independent, Lra, NoPlan, Replanning, Restart, Served,
    SolutionIn, Unplanned, WaitPenalty, Watch,
};
use giveway::time::{FOREVER, Tick};
use giveway::{AgentId, Instance, Point};

use crate::arguments::{self, CrowdArguments, Order, Strategy};
use crate::learning::Directions;

/// The map at `path`.
pub(crate) fn read_map(path: &Path) -> Result<MapFile> {
    Ok(MapFile::read(path)?)
}

/// The map or the mesh at `path`.
pub(crate) fn read_any_map(path: &Path) -> Result<AnyMapFile> {
    Ok(AnyMapFile::read(path)?)
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
    /// The plan of `instance`. Only a crowd learns from the direction map `directions`, and pays for it.
    pub(crate) fn plan(
        &self,
        instance: &Instance<'_, Grid, Point>,
        directions: Option<&Directions>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Grid, Details> {
        let step = u32::STEP;
        match (self.strategy, instance.space().connectivity()) {
            (Strategy::Hca, _) => self.cooperate(Hca::hca_star(), instance, watch),
            (Strategy::Ca, Connectivity::Four) => {
                self.cooperate(Cooperative::new(ByMetric(Manhattan { step })), instance, watch)
            }
            (Strategy::Ca, Connectivity::Eight) => {
                let octile = ByMetric(Octile { step, diagonal: 1414 });
                self.cooperate(Cooperative::new(octile), instance, watch)
            }
            (Strategy::Whca | Strategy::Lra | Strategy::Dm, _) => {
                let order = to_order(self.order.unwrap_or(Order::Rotating), self.seed);
                let settings = crowd(self.strategy, &self.crowd, self.seed).order(order);
                let solver = CrowdSolver::new(settings).latest(self.max_ticks);
                let solution = match directions {
                    Some(directions) => match directions.distances() {
                        Some(priced) => solver.solve_under(instance, priced, &directions.map, watch),
                        None => {
                            let alone = TrueDistances::<_, Zero>::tables();
                            solver.solve_under(instance, alone, &directions.map, watch)
                        }
                    },
                    None => solver.solve_watched(instance, watch),
                };
                solution.map_details(|crowd| Details { rounds: 1, served: Some(crowd.served) })
            }
            (Strategy::Independent, _) => {
                let mut solution =
                    Independent::new(TrueDistances::<Grid, Zero>::tables()).solve_watched(instance, watch);
                drop_late_paths(&mut solution, self.max_ticks.unwrap_or(FOREVER));
                solution.map_details(|()| Details { rounds: 1, served: None })
            }
        }
    }

    fn cooperate<H: HeuristicSource<Grid>>(
        &self,
        cooperative: Cooperative<H>,
        instance: &Instance<'_, Grid, Point>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Grid, Details> {
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
pub(crate) fn crowd(strategy: Strategy, arguments: &CrowdArguments, seed: u64) -> CrowdSettings {
    let mut settings = match strategy {
        Strategy::Lra => CrowdSettings::new().chain(strategies::Planner::LocalRepair(Lra::new(seed))),
        Strategy::Dm => CrowdSettings::new().chain(Chain::followers(seed)),
        _ => CrowdSettings::new(),
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

pub(crate) fn to_order(order: Order, seed: u64) -> strategies::Order {
    match order {
        Order::AsGiven => strategies::Order::AsGiven,
        Order::Nearest => strategies::Order::NearestFirst,
        Order::Farthest => strategies::Order::FarthestFirst,
        Order::Rotating => strategies::Order::Rotating,
        Order::Random => strategies::Order::Random { seed },
    }
}

/// Makes agents that would arrive after tick `latest` stand at their starts.
fn drop_late_paths(solution: &mut SolutionIn<Grid>, latest: Tick) {
    for (path, agent) in solution.plan.paths.iter_mut().zip((0..).map(AgentId)) {
        if path.arrival() > latest {
            *path = giveway::plan::Path::standing(path.start, 0, AtEnd::Stay);
            let why = NoPlan::TooLate;
            solution.unplanned.push(Unplanned { agent, why });
        }
    }
    solution.unplanned.sort_unstable_by_key(|unplanned| unplanned.agent);
}
