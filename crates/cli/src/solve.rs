//! `giveway solve`: from files to a plan.

use std::fmt::Display;
use std::mem;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use giveway::heuristic::{TrueDistances, Zero};
use giveway::plan::{Trace, fewest_ticks_by};
use giveway::render::Flow;
use giveway::scenario::{AgentsFile, AnyMapFile, MapFile, MeshFile, PlanHeader, PlanText, Scenario};
use giveway::spaces::Grid;
use giveway::strategies::{NoPlan, SolutionIn, Unplanned};
use giveway::time::Tick;
use giveway::{Footprint, Instance, Point, SpaceGraph};

use crate::arguments::{Order, SolveArguments, Strategy};
use crate::input_file;
use crate::learning::{Directions, FlowRecorder, Learned, Recorded};
use crate::mesh_world::{self, MeshWorld};
use crate::moved_goals;
use crate::output_file::{FileList, StagedFile};
use crate::outputs::Outputs;
use crate::pictures;
use crate::places::Places;
use crate::planning::{ChosenStrategy, Details, Guides, read_any_map, to_grid};
use crate::solve_report::SolveReport;
use crate::unarrived::Unarrived;
use crate::verdict::Verdict;
use crate::violation_text::Violations;
use crate::watch::Overseer;

/// Solves the instance that `arguments` name, and writes the files that they ask for.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Verdict> {
    refuse_idle_arguments(arguments)?;
    // Before the work, which may take hours and must not be lost.
    let SolveArguments { instance, out, trace, learning, pictures, json, .. } = arguments;
    let outputs = Outputs::claim(instance, ("--out", out), trace, learning, pictures, *json)?;
    match read_any_map(&arguments.instance.map)? {
        AnyMapFile::Cells(map) => on_cells(arguments, outputs, &map),
        AnyMapFile::Mesh(mesh) => on_mesh(arguments, outputs, mesh),
    }
}

fn on_cells(arguments: &SolveArguments, outputs: Outputs, map: &MapFile) -> Result<Verdict> {
    let (scen, count, connectivity) = arguments.instance.on_cells()?;
    let scenario = input_file::read(scen, Scenario::read, Scenario::parse)?;

    let begin = Instant::now();
    let grid = to_grid(map, &arguments.instance.map, connectivity)?;
    let (agents, moved_goals) = moved_goals::agents(&scenario, count, &grid, arguments.nearest)?;
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents).with_context(|| scen.display().to_string())?;
    let directions = Directions::begin(&arguments.learning, arguments.strategy, &grid)?;
    let mut watch = Recorded {
        watch: Overseer::new(begin, arguments.time_limit, count),
        recorder: directions.as_ref().map(|directions| FlowRecorder::new(&grid, directions)),
    };
    let mut distances = TrueDistances::<Grid, Zero>::tables();
    let solution = chosen(arguments).plan(&instance, directions.as_ref(), &mut distances, &mut watch);
    let planning = begin.elapsed();
    let learned = Learned { flow: watch.flow(), directions: directions.as_ref() };

    let violations = Violations::of(&solution.plan, instance.agents(), &grid);
    let bounds = || fewest_ticks_by(&instance, &mut distances);
    let report = report(arguments, &instance, &solution, bounds, planning, violations, Places::Cells(grid.clone()));
    // The program ends soon; to give back the tables page by page takes longer than to leave them.
    mem::forget(distances);
    let report = SolveReport { moved_goals, written: outputs.written.clone(), ..report };
    let agents = instance.agents();
    let text = || {
        let map_file = arguments.instance.map.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let header = PlanHeader { map_file, solver: arguments.strategy.to_string(), solved: report.solved };
        Ok(PlanText::from_plan(&grid, agents, &solution.plan, header))
    };
    let trace = || Trace::from_plan(&grid, agents, &solution.plan, 1);
    let [title, caption] = captions(arguments, &report);
    let files = outputs.stage(text, || pictures::backdrop(&grid), trace, learned, [&title, &caption])?;
    verdict(arguments, report, files)
}

fn on_mesh(arguments: &SolveArguments, outputs: Outputs, mesh: MeshFile) -> Result<Verdict> {
    let file = input_file::read(arguments.instance.on_mesh()?, AgentsFile::read, AgentsFile::parse)?;
    mesh_world::refuse_idle(arguments.strategy, &arguments.learning, arguments.nearest)?;
    if arguments.out.is_some() {
        bail!("--out is a plan of cells, and a mesh has none: --trace writes every move, with positions");
    }

    let begin = Instant::now();
    let world = MeshWorld::new(mesh, &file, &arguments.instance, true)?;
    let instance = Instance::new(&world.space, &world.footprint, world.agents.clone())?;
    let chosen = ChosenStrategy { crowd: world.crowd(&arguments.crowd), ..chosen(arguments) };
    let agents = u32::try_from(world.agents.len()).unwrap_or(u32::MAX);
    let mut watch = Overseer::new(begin, arguments.time_limit, agents);
    let mut distances = world.distances();
    let guides = Guides { distances: &mut distances, metric: world.metric() };
    let solution = chosen.plan_by(chosen.settings(), guides, &instance, &mut watch);
    let planning = begin.elapsed();
    drop(watch);

    let trace = world.trace(&solution.plan);
    let violations = world.violations(&trace, Some(&solution.plan));
    let bounds = || fewest_ticks_by(&instance, &mut distances);
    let report = report(arguments, &instance, &solution, bounds, planning, violations, world.places());
    let report = SolveReport { written: outputs.written.clone(), ..report };
    let [title, caption] = captions(arguments, &report);
    let learned = Learned { flow: Flow::new(), directions: None };
    let files = outputs.stage(|| Ok(""), || world.backdrop(), || trace, learned, [&title, &caption])?;
    verdict(arguments, report, files)
}

fn chosen(arguments: &SolveArguments) -> ChosenStrategy {
    ChosenStrategy {
        strategy: arguments.strategy,
        order: arguments.order,
        seed: arguments.seed,
        restarts: arguments.restarts,
        crowd: arguments.crowd.clone(),
        max_ticks: arguments.max_ticks,
    }
}

/// The report on `solution`, without what only one kind of map has.
fn report<S: SpaceGraph, F: Footprint<S>>(
    arguments: &SolveArguments,
    instance: &Instance<'_, S, F>,
    solution: &SolutionIn<S, Details>,
    fewest_ticks: impl FnOnce() -> Vec<Option<Tick>>,
    planning: Duration,
    violations: Violations,
    places: Places,
) -> SolveReport {
    let stopped = solution.unplanned.iter().any(|unplanned| unplanned.why == NoPlan::Stopped);
    let unarrived = |unplanned: &Unplanned| Unarrived::new(unplanned, instance, arguments.max_ticks);
    SolveReport {
        solved: solution.is_complete() && violations.named.is_empty(),
        strategy: arguments.strategy,
        agents: instance.agents().len(),
        sum_of_costs: solution.plan.sum_of_costs(),
        makespan: solution.plan.makespan(),
        // Lower bounds take a search per agent, too: without time there are none.
        fewest_ticks: if stopped { None } else { fewest_ticks().into_iter().collect() },
        expansions: solution.expansions,
        reverse_expansions: solution.reverse_expansions,
        rounds: solution.details.rounds,
        served: solution.details.served.unwrap_or_default(),
        planning,
        unarrived: solution.unplanned.iter().map(unarrived).collect(),
        violations,
        moved_goals: None,
        written: FileList::default(),
        places,
    }
}

/// The title of pictures, and what stands below it.
fn captions(arguments: &SolveArguments, report: &SolveReport) -> [String; 2] {
    let mut title = pictures::title(report.agents, &arguments.instance.map, Some(&arguments.strategy.to_string()));
    if !report.solved {
        title += ", not solved";
    }
    [title, format!("Planned by {}: {}", arguments.strategy, report.outcome())]
}

fn verdict(arguments: &SolveArguments, report: SolveReport, files: Vec<StagedFile>) -> Result<Verdict> {
    let good = report.solved;
    let text: Box<dyn Display> = if arguments.json { Box::new(report.json()?) } else { Box::new(report) };
    Ok(Verdict { good, text, files })
}

/// Refuses what the strategy would ignore.
fn refuse_idle_arguments(arguments: &SolveArguments) -> Result<()> {
    let strategy = arguments.strategy;
    let (order, restarts) = (("--order", arguments.order.is_some()), ("--restarts", arguments.restarts.is_some()));
    let crowd = arguments.crowd.given();
    let rotating = ("--order rotating", arguments.order == Some(Order::Rotating));
    let (idle, why) = match strategy {
        Strategy::Independent => ([vec![order, restarts], crowd].concat(), "where nobody plans around anybody"),
        Strategy::Whca | Strategy::Dm => (vec![restarts], "where everybody plans again and again"),
        Strategy::Lra => ([vec![restarts], crowd].concat(), "where everybody looks one step ahead"),
        Strategy::Hca | Strategy::Ca => ([crowd, vec![rotating]].concat(), "where everybody plans once, to the end"),
    };
    match idle.into_iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("{flag} does nothing with --strategy {strategy}, {why}"),
        None => arguments.learning.refuse_idle(strategy),
    }
}
