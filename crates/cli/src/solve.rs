//! `giveway solve`: from files to a plan.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan, Octile, TrueDistances, Zero};
use giveway::scenario::{MapFile, PlanHeader, PlanText, Scenario, TraceFile};
use giveway::spaces::Grid;
use giveway::strategies::{self, Cooperative, Failure, Hca, Independent, Restart, SolutionIn, Unplanned, Whca};
use giveway::{AgentId, AtEnd, Cost, FOREVER, Instance, NoPath, Point, Tick, Trace, fewest_ticks};

use crate::arguments::{Connectivity, Order, SolveArguments, Strategy};
use crate::fault_text::Faults;
use crate::output_file::{OutputFile, StagedFile};
use crate::pictures::{self, Pictures};
use crate::report::{Report, Unarrived};
use crate::verdict::Verdict;
use crate::watch::Overseer;

/// Solves the instance that `arguments` name, and writes the files that they ask for.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Verdict> {
    refuse_idle_arguments(arguments)?;
    // Before the work, which may take hours and must not be lost.
    let outputs = Outputs::claim(arguments)?;
    let map = read_map(&arguments.map)?;
    let scenario = Scenario::read(&arguments.scen)?;

    let begin = Instant::now();
    let grid = to_grid(&map, &arguments.map, arguments.connectivity)?;
    let agents = scenario.agents(arguments.agents as usize, &grid)?;
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents).with_context(|| arguments.scen.display().to_string())?;
    let solution = plan(arguments, &instance, begin);
    let planning = begin.elapsed();

    let stopped = solution.unplanned.iter().any(|unplanned| unplanned.why == Failure::Stopped);
    let faults = Faults::of(&solution.plan, instance.agents(), &grid);
    let solved = solution.is_complete() && faults.named.is_empty();
    let unarrived = |unplanned: &Unplanned| Unarrived::new(unplanned, &instance, arguments.max_ticks);
    let report = Report {
        solved,
        strategy: arguments.strategy,
        agents: instance.agents().len(),
        sum_of_costs: solution.plan.sum_of_costs(),
        makespan: solution.plan.makespan(),
        // Lower bounds take a search per agent, too: whoever is out of time has none for them.
        fewest_ticks: if stopped { None } else { fewest_ticks(&instance).into_iter().collect() },
        expansions: solution.expansions,
        reverse_expansions: solution.reverse_expansions,
        rounds: solution.rounds,
        planning,
        unarrived: solution.unplanned.iter().map(unarrived).collect(),
        faults,
        written: [&arguments.out, &arguments.trace]
            .into_iter()
            .chain(arguments.pictures.files())
            .flatten()
            .cloned()
            .collect(),
        grid: grid.clone(),
    };
    outputs.write(arguments, &instance, &solution, &report.outcome(), solved)?;
    Ok(Verdict { good: solved, text: if arguments.json { Box::new(report.json()?) } else { Box::new(report) } })
}

/// The map at `path`.
pub(crate) fn read_map(path: &Path) -> Result<MapFile> {
    Ok(MapFile::read(path)?)
}

/// The grid of `map`, which is in the file `path`.
pub(crate) fn to_grid(map: &MapFile, path: &Path, connectivity: Connectivity) -> Result<Grid> {
    let grid = map.grid().with_context(|| path.display().to_string())?;
    Ok(grid.with_connectivity(connectivity.into()))
}

/// Refuses what the strategy would ignore.
fn refuse_idle_arguments(arguments: &SolveArguments) -> Result<()> {
    let strategy = arguments.strategy;
    let (order, restarts) = (("--order", arguments.order.is_some()), ("--restarts", arguments.restarts.is_some()));
    let window = ("--window", arguments.window.is_some());
    let rotating = ("--order rotating", arguments.order == Some(Order::Rotating));
    let (idle, why) = match strategy {
        Strategy::Independent => (vec![order, restarts, window], "where nobody plans around anybody"),
        Strategy::Whca => (vec![restarts], "where everybody plans again and again"),
        Strategy::Hca | Strategy::Ca => (vec![window, rotating], "where everybody plans once, to the end"),
    };
    match idle.into_iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("{flag} does nothing with --strategy {strategy}, {why}"),
        None => Ok(()),
    }
}

fn plan(arguments: &SolveArguments, instance: &Instance<'_, Grid, Point>, begin: Instant) -> SolutionIn<Grid> {
    let mut overseer = Overseer::new(begin, arguments.time_limit, arguments.agents);
    let step = u32::STEP;
    match (arguments.strategy, arguments.connectivity) {
        (Strategy::Hca, _) => cooperate(Hca::hca_star(), arguments, instance, &mut overseer),
        (Strategy::Ca, Connectivity::Four) => {
            let manhattan = ByMetric(Manhattan { step });
            cooperate(Cooperative::new(manhattan), arguments, instance, &mut overseer)
        }
        (Strategy::Ca, Connectivity::Eight) => {
            let octile = ByMetric(Octile { step, diagonal: 1414 });
            cooperate(Cooperative::new(octile), arguments, instance, &mut overseer)
        }
        (Strategy::Whca, _) => {
            let mut whca = Whca::new().order(to_order(arguments.order.unwrap_or(Order::Rotating), arguments.seed));
            if let Some(window) = arguments.window {
                whca = whca.window(window);
            }
            whca.solve(instance, arguments.max_ticks, &mut overseer)
        }
        (Strategy::Independent, _) => {
            let mut solution = Independent::new(TrueDistances::<Grid, Zero>::tables()).solve(instance, &mut overseer);
            drop_late_paths(&mut solution, arguments.max_ticks.unwrap_or(FOREVER));
            solution
        }
    }
}

fn cooperate<H: HeuristicSource<Grid>>(
    cooperative: Cooperative<H>,
    arguments: &SolveArguments,
    instance: &Instance<'_, Grid, Point>,
    overseer: &mut Overseer,
) -> SolutionIn<Grid> {
    let times = arguments.restarts.unwrap_or(Restart::default().times());
    let seed = arguments.seed;
    let order = to_order(arguments.order.unwrap_or_default(), seed);
    let restart = match order {
        strategies::Order::Random { .. } => Restart::Shuffled { times, seed },
        _ => Restart::FailedFirst { times },
    };
    cooperative.order(order).restart(restart).latest(arguments.max_ticks.unwrap_or(FOREVER)).solve(instance, overseer)
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

/// The files that are asked for.
struct Outputs {
    out: Option<OutputFile>,
    trace: Option<OutputFile>,
    pictures: Pictures,
}

impl Outputs {
    fn claim(arguments: &SolveArguments) -> Result<Self> {
        let mut others = vec![("--map", arguments.map.as_path()), ("--scen", arguments.scen.as_path())];
        Ok(Self {
            out: OutputFile::claim_next("--out", arguments.out.as_deref(), &mut others)?,
            trace: OutputFile::claim_next("--trace", arguments.trace.as_deref(), &mut others)?,
            pictures: Pictures::claim(&arguments.pictures, others)?,
        })
    }

    /// Writes all, or none.
    fn write(
        self,
        arguments: &SolveArguments,
        instance: &Instance<'_, Grid, Point>,
        solution: &SolutionIn<Grid>,
        outcome: &str,
        solved: bool,
    ) -> Result<()> {
        let (grid, agents) = (instance.space(), instance.agents());
        let mut staged = Vec::new();
        if let Some(out) = self.out {
            let header = PlanHeader {
                map_file: arguments.map.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                solver: arguments.strategy.to_string(),
                solved,
            };
            staged.push(out.stage(&PlanText::of_plan(grid, agents, &solution.plan, header))?);
        }
        if let Some(trace) = self.trace {
            staged.push(trace.stage(&TraceFile::new(Trace::of_plan(grid, agents, &solution.plan, 1))?)?);
        }
        let mut title = pictures::title(agents.len(), &arguments.map);
        if !solved {
            title += ", not solved";
        }
        let caption = format!("Planned by {}: {outcome}", arguments.strategy);
        staged.extend(self.pictures.stage(grid, agents, &solution.plan, &title, &caption)?);
        staged.into_iter().try_for_each(StagedFile::commit)
    }
}
