//! Planning: from a map file and a strategy's name to a solution.

use std::path::Path;

use anyhow::{Context as _, Result};
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan, Octile, TrueDistances, Zero};
use giveway::scenario::MapFile;
use giveway::spaces::{Connectivity, Grid};
use giveway::strategies::{
    self, Chain, Cooperative, Failure, Hca, Independent, Link, Lra, Replanning, Restart, SolutionIn, Unplanned,
    WaitPenalty, Watch, Whca,
};
use giveway::{AgentId, AtEnd, Cost, FOREVER, Instance, NoPath, Point, Tick};

use crate::arguments::{self, CrowdArguments, Order, Strategy};
use crate::learning::Directions;

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
    /// The plan of a crowd that moves under the direction map `directions`, if there is one; no other learns from it or heeds it.
    pub(crate) fn plan(
        &self,
        instance: &Instance<'_, Grid, Point>,
        directions: Option<&Directions>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Grid> {
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
                let crowd = crowd(self.strategy, &self.crowd, self.seed).order(order);
                match directions {
                    Some(directions) => match directions.distances() {
                        Some(priced) => crowd.solve_under(instance, priced, &directions.map, self.max_ticks, watch),
                        None => {
                            let alone = TrueDistances::<_, Zero>::tables();
                            crowd.solve_under(instance, alone, &directions.map, self.max_ticks, watch)
                        }
                    },
                    None => crowd.solve(instance, self.max_ticks, watch),
                }
            }
            (Strategy::Independent, _) => {
                let mut solution =
                    Independent::new(TrueDistances::<Grid, Zero>::tables()).solve_watched(instance, watch);
                drop_late_paths(&mut solution, self.max_ticks.unwrap_or(FOREVER));
                solution
            }
        }
    }

    fn cooperate<H: HeuristicSource<Grid>>(
        &self,
        cooperative: Cooperative<H>,
        instance: &Instance<'_, Grid, Point>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Grid> {
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
    }
}

/// The parameters of a crowd that plans by `strategy`, which is one for crowds, as `arguments` ask for.
pub(crate) fn crowd(strategy: Strategy, arguments: &CrowdArguments, seed: u64) -> Whca {
    let mut whca = match strategy {
        Strategy::Lra => Whca::new().chain(Link::LocalRepair(Lra::new(seed))),
        Strategy::Dm => Whca::new().chain(followers(seed)),
        _ => Whca::new(),
    };
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

/// By which strategies units plan that follow a direction map: routes around those within sight, and what else there is where these lead
/// nowhere. A detour along a lane is no reason to give up a route, so that takes a while.
fn followers(seed: u64) -> Chain {
    const SIGHT: u32 = 5000;
    const PATIENCE: u32 = 24;
    let repair = Link::LocalRepair(Lra::new(seed).radius(SIGHT));
    Chain::of(repair).then(Link::Windowed, PATIENCE).then(Link::Push, PATIENCE).then(Link::Joint, PATIENCE)
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
