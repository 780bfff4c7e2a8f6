//! Planning: from a map file and a strategy's name to a solution.

use std::path::Path;

use anyhow::{Context as _, Result};
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan, Octile, TrueDistances, Zero};
use giveway::scenario::MapFile;
use giveway::spaces::{Connectivity, Grid};
use giveway::strategies::{
    self, Cooperative, Failure, Hca, Independent, Link, Lra, Replanning, Restart, SolutionIn, Unplanned, WaitPenalty,
    Whca,
};
use giveway::{AgentId, AtEnd, Cost, FOREVER, Instance, NoPath, Point, Tick};

use crate::arguments::{self, CrowdArguments, Order, Strategy};
use crate::watch::Overseer;

/// The map at `path`.
pub(crate) fn read_map(path: &Path) -> Result<MapFile> {
    Ok(MapFile::read(path)?)
}

/// The grid of `map`, which is in the file `path`.
pub(crate) fn to_grid(map: &MapFile, path: &Path, connectivity: arguments::Connectivity) -> Result<Grid> {
    let grid = map.grid().with_context(|| path.display().to_string())?;
    Ok(grid.with_connectivity(connectivity.into()))
}

/// How an instance is to be planned.
#[derive(Clone, Debug)]
pub(crate) struct Planner {
    pub(crate) strategy: Strategy,
    pub(crate) order: Option<Order>,
    pub(crate) seed: u64,
    pub(crate) restarts: Option<u32>,
    pub(crate) crowd: CrowdArguments,
    pub(crate) max_ticks: Option<Tick>,
}

impl Planner {
    pub(crate) fn plan(&self, instance: &Instance<'_, Grid, Point>, overseer: &mut Overseer) -> SolutionIn<Grid> {
        let step = u32::STEP;
        match (self.strategy, instance.space().connectivity()) {
            (Strategy::Hca, _) => self.cooperate(Hca::hca_star(), instance, overseer),
            (Strategy::Ca, Connectivity::Four) => {
                self.cooperate(Cooperative::new(ByMetric(Manhattan { step })), instance, overseer)
            }
            (Strategy::Ca, Connectivity::Eight) => {
                let octile = ByMetric(Octile { step, diagonal: 1414 });
                self.cooperate(Cooperative::new(octile), instance, overseer)
            }
            (Strategy::Whca | Strategy::Lra, _) => {
                let order = to_order(self.order.unwrap_or(Order::Rotating), self.seed);
                crowd(self.strategy, &self.crowd, self.seed).order(order).solve(instance, self.max_ticks, overseer)
            }
            (Strategy::Independent, _) => {
                let mut solution = Independent::new(TrueDistances::<Grid, Zero>::tables()).solve(instance, overseer);
                drop_late_paths(&mut solution, self.max_ticks.unwrap_or(FOREVER));
                solution
            }
        }
    }

    fn cooperate<H: HeuristicSource<Grid>>(
        &self,
        cooperative: Cooperative<H>,
        instance: &Instance<'_, Grid, Point>,
        overseer: &mut Overseer,
    ) -> SolutionIn<Grid> {
        let times = self.restarts.unwrap_or(Restart::default().times());
        let seed = self.seed;
        let order = to_order(self.order.unwrap_or_default(), seed);
        let restart = match order {
            strategies::Order::Random { .. } => Restart::Shuffled { times, seed },
            _ => Restart::FailedFirst { times },
        };
        cooperative.order(order).restart(restart).latest(self.max_ticks.unwrap_or(FOREVER)).solve(instance, overseer)
    }
}

/// The parameters of a crowd that plans by `strategy`, which is one for crowds, as `arguments` ask for.
pub(crate) fn crowd(strategy: Strategy, arguments: &CrowdArguments, seed: u64) -> Whca {
    let mut whca = Whca::new();
    if strategy == Strategy::Lra {
        whca = whca.chain(Link::LocalRepair(Lra::new(seed)));
    }
    if let Some(window) = arguments.window {
        whca = whca.window(window);
    }
    if let Some(interval) = arguments.interval {
        whca = whca.interval(interval);
    }
    if arguments.at_once {
        whca = whca.replanning(Replanning::AllAtOnce);
    }
    if arguments.wait_penalty {
        whca = whca.wait_penalty(WaitPenalty::default());
    }
    whca
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

/// Lets those who would arrive after tick `latest` stand at their starts.
fn drop_late_paths(solution: &mut SolutionIn<Grid>, latest: Tick) {
    for (path, agent) in solution.plan.paths.iter_mut().zip((0..).map(AgentId)) {
        if path.arrival() > latest {
            *path = giveway::Path::standing(path.start, 0, AtEnd::Stay);
            let why = Failure::CutOff(NoPath::LimitReached);
            solution.unplanned.push(Unplanned { agent, why });
        }
    }
    solution.unplanned.sort_unstable_by_key(|unplanned| unplanned.agent);
}
