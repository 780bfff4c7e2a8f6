//! `giveway compare`: strategies side by side.

mod in_world;

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use giveway::heuristic::TrueDistances;
use giveway::plan::fewest_ticks;
use giveway::scenario::{Escaped, Scenario};
use giveway::spaces::Grid;
use giveway::strategies::SolutionIn;
use giveway::time::Tick;
use giveway::{Agent, Instance, Point, SpaceGraph};
use giveway_experiments::{Chart, Mark, Spread};
use serde::Serialize;

use crate::arguments::{CompareArguments, Contender, Plotted};
use crate::count::Count;
use crate::input_file;
use crate::learning::Directions;
use crate::output_file::{FileList, OutputFile};
use crate::planning::{ChosenStrategy, Details, read_map, to_grid};
use crate::table;
use crate::verdict::Verdict;
use crate::violation_text::{Conflict, Violations, is_of_standing};
use crate::watch::{Overseer, bar};

/// Lets every strategy plan every instance, and writes the files that `arguments` ask for.
pub(crate) fn compare(arguments: &CompareArguments) -> Result<Verdict> {
    arguments.refuse_idle()?;
    let mut others = input_file::files(arguments.inputs());
    let csv = OutputFile::claim_next("--csv", arguments.csv.as_deref(), &mut others)?;
    let svg = OutputFile::claim_next("--svg", arguments.svg.as_deref(), &mut others)?;

    let comparison = match &arguments.world {
        Some(path) => in_world::compare(arguments, path, csv.iter().chain(&svg))?,
        None => on_cells(arguments)?,
    };
    let mut staged = Vec::new();
    if let Some(file) = svg {
        staged.push(file.stage(&comparison.chart(arguments.plot))?);
    }
    if let Some(file) = csv {
        staged.push(file.stage(&table::csv(&comparison.runs)?)?);
    }
    Ok(Verdict { good: true, text: Box::new(comparison), files: staged })
}

/// Compares on a map of cells.
fn on_cells(arguments: &CompareArguments) -> Result<Comparison> {
    let grid = to_grid(&read_map(arguments.map())?, arguments.map(), arguments.connectivity)?;
    let mut counts = arguments.agents.clone();
    counts.sort_unstable();
    counts.dedup();
    let strategies = arguments.contenders(false);
    let instances = instances(&arguments.scen, &counts, &grid)?;
    let runs = run_all(arguments, &strategies, &grid, &instances)?;
    let map = arguments.map().file_stem().unwrap_or_default().to_string_lossy();
    Ok(Comparison {
        title: format!("{map}, {}", Count(arguments.scen.len() as u64, "scenario")),
        strategies,
        counts,
        runs,
        written: FileList::of_options([&arguments.csv, &arguments.svg]),
    })
}

/// The agents of an instance, and the name of the scenario that they are from.
type Named = (String, Vec<Agent>);

/// All instances, before the work, which may take hours.
fn instances(files: &[PathBuf], counts: &[u32], grid: &Grid) -> Result<Vec<Named>> {
    let mut instances = Vec::new();
    for file in files {
        let scenario = input_file::read(file, Scenario::read, Scenario::parse)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        for count in counts {
            let agents = scenario.agents(*count as usize, grid)?;
            Instance::new(grid, &Point::swap_rule(grid), agents.clone()).with_context(|| file.display().to_string())?;
            instances.push((name.to_string(), agents));
        }
    }
    Ok(instances)
}

fn run_all(
    arguments: &CompareArguments,
    strategies: &[Contender],
    grid: &Grid,
    instances: &[Named],
) -> Result<Vec<Run>> {
    let point = Point::swap_rule(grid);
    let bar = bar((instances.len() * strategies.len()) as u64, "runs");
    let mut runs = Vec::new();
    for (scenario, agents) in instances {
        let instance = Instance::new(grid, &point, agents.clone())?;
        let bound: Option<Vec<Tick>> = fewest_ticks(&instance).into_iter().collect();
        for contender in strategies {
            let agents = Count(agents.len() as u64, "agent");
            bar.set_message(Escaped(format_args!("{contender}, {agents} of {scenario}")).to_string());
            runs.push(Run::of(arguments, *contender, scenario, &instance, bound.as_deref()));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(runs)
}

/// A run, as a line of CSV. Other tools read it: the names and their order are fixed.
#[derive(Serialize, Default)]
struct Run {
    scenario: String,
    #[serde(serialize_with = "by_name")]
    strategy: Contender,
    agents: u32,
    solved: bool,
    sum_of_costs: Option<u64>,
    sum_of_costs_lower_bound: Option<u64>,
    makespan: Option<Tick>,
    makespan_lower_bound: Option<Tick>,
    expansions: u64,
    reverse_expansions: u64,
    planning_ms: f64,
    conflicts: usize,
    /// There are conflicts between agents that have paths.
    #[serde(skip)]
    collides: bool,
}

fn by_name<S: serde::Serializer>(contender: &Contender, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(contender)
}

impl Run {
    fn of(
        arguments: &CompareArguments,
        contender: Contender,
        scenario: &str,
        instance: &Instance<'_, Grid, Point>,
        bound: Option<&[Tick]>,
    ) -> Self {
        let chosen = ChosenStrategy {
            strategy: contender.strategy,
            order: None,
            seed: arguments.seed,
            restarts: None,
            crowd: contender.crowd(),
            max_ticks: Some(arguments.max_ticks.unwrap_or(MAX_TICKS)),
        };
        let begin = Instant::now();
        let directions = Directions::blank(contender.strategy, arguments.weight, instance.space());
        let mut overseer = Overseer::without_bar(begin, Some(arguments.time_limit));
        let solution = chosen.plan(instance, directions.as_ref(), &mut TrueDistances::tables(), &mut overseer);
        let planning = begin.elapsed();
        let violations = Violations::of(&solution.plan, instance.agents(), instance.space()).named;
        Self::told::<Grid>(contender, scenario, &solution, &violations, planning, bound)
    }

    /// What `solution` says of a run.
    fn told<S: SpaceGraph>(
        contender: Contender,
        scenario: &str,
        solution: &SolutionIn<S, Details>,
        violations: &[Conflict],
        planning: Duration,
        bound: Option<&[Tick]>,
    ) -> Self {
        let solved = solution.is_complete() && violations.is_empty();
        let fails = |id| solution.unplanned.iter().any(|unplanned| unplanned.agent == id);
        let stands = |id| fails(id) && !contender.strategy.is_crowd();
        Self {
            scenario: scenario.to_owned(),
            strategy: contender,
            agents: u32::try_from(solution.plan.paths.len()).unwrap_or(u32::MAX),
            solved,
            sum_of_costs: solved.then(|| solution.plan.sum_of_costs()),
            sum_of_costs_lower_bound: bound.map(|ticks| ticks.iter().map(|ticks| u64::from(*ticks)).sum()),
            makespan: solved.then(|| solution.plan.makespan()),
            makespan_lower_bound: bound.and_then(|ticks| ticks.iter().copied().max()),
            expansions: solution.expansions,
            reverse_expansions: solution.reverse_expansions,
            planning_ms: milliseconds(planning),
            conflicts: violations.len(),
            collides: violations.iter().any(|violation| !is_of_standing(violation, stands, fails)),
        }
    }

    /// The compared figure, if it is known.
    #[allow(clippy::cast_precision_loss)] // for pictures and few decimals
    fn figure(&self, what: Plotted) -> Option<f64> {
        match what {
            Plotted::Cost => match (self.sum_of_costs?, self.sum_of_costs_lower_bound?) {
                (_, 0) => None,
                (costs, bound) => Some(costs as f64 / bound as f64),
            },
            Plotted::Solved => Some(if self.solved { 1.0 } else { 0.0 }),
            // These figures say little of instances that are not solved.
            Plotted::Time => self.solved.then_some(self.planning_ms),
            Plotted::Expansions => self.solved.then_some((self.expansions + self.reverse_expansions) as f64),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// All agents must have arrived by this tick, or by this step of a world, if the arguments do not say otherwise.
const MAX_TICKS: Tick = 1000;

/// The results, by strategy and number of agents.
struct Comparison {
    title: String,
    strategies: Vec<Contender>,
    counts: Vec<u32>,
    runs: Vec<Run>,
    written: FileList,
}

impl Comparison {
    fn group(&self, contender: Contender, agents: u32) -> Vec<&Run> {
        self.runs.iter().filter(|run| run.strategy == contender && run.agents == agents).collect()
    }

    fn chart(&self, what: Plotted) -> Chart {
        let label = match what {
            Plotted::Cost => "sum of costs / lower bound (mean, least, most)",
            Plotted::Solved => "share of scenarios solved",
            Plotted::Time => "planning, milliseconds (mean, least, most)",
            Plotted::Expansions => "expansions (mean, least, most)",
        };
        let empty = Chart::new("agents", label).title(&self.title);
        self.strategies.iter().fold(empty, |chart, contender| {
            let marks = self.counts.iter().filter_map(|agents| {
                let Spread { mean, least, most, .. } =
                    spread(&self.group(*contender, *agents), |run| run.figure(what))?;
                let [low, high] = if what == Plotted::Solved { [mean; 2] } else { [least, most] };
                Some(Mark { x: f64::from(*agents), y: mean, low, high })
            });
            chart.series(contender.to_string(), marks)
        })
    }
}

/// The spread over the runs in which a figure is known; `None`: there are none.
fn spread(runs: &[&Run], figure: impl Fn(&Run) -> Option<f64>) -> Option<Spread> {
    Spread::of(&runs.iter().filter_map(|run| figure(run)).collect::<Vec<f64>>())
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; means over the solved ones\n", self.title)?;
        writeln!(
            f,
            "  {:<12} {:>7} {:>8} {:>13} {:>9} {:>12} {:>12}",
            "strategy", "agents", "solved", "cost / bound", "makespan", "expansions", "planning ms"
        )?;
        for contender in &self.strategies {
            for agents in &self.counts {
                let runs = self.group(*contender, *agents);
                let solved: Vec<&Run> = runs.iter().copied().filter(|run| run.solved).collect();
                let column = |figure: &dyn Fn(&Run) -> Option<f64>, decimals: usize| {
                    spread(&solved, figure).map_or("-".to_owned(), |spread| format!("{:.decimals$}", spread.mean))
                };
                writeln!(
                    f,
                    "  {:<12} {agents:>7} {:>8} {:>13} {:>9} {:>12} {:>12}",
                    contender.to_string(),
                    format!("{}/{}", solved.len(), runs.len()),
                    column(&|run| run.figure(Plotted::Cost), 3),
                    column(&|run| run.makespan.map(f64::from), 1),
                    column(&|run| run.figure(Plotted::Expansions), 0),
                    column(&|run| run.figure(Plotted::Time), 3),
                )?;
            }
        }
        let conflicts = self.runs.iter().filter(|run| run.collides).count();
        if conflicts > 0 {
            writeln!(f, "\nPlans with conflicts, which do not count as solved: {conflicts}.")?;
        }
        if !self.written.is_empty() {
            writeln!(f)?;
        }
        self.written.fmt(f)
    }
}
