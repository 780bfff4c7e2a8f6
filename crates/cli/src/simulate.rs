//! `giveway simulate`: runs a crowd, and counts what it does.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use giveway::direction::Coherence;
use giveway::plan::{Trace, fewest_ticks};
use giveway::render::{Backdrop, Flow};
use giveway::scenario::{AgentsFile, AnyMapFile, MapFile, MeshFile, Scenario};
use giveway::sim::{Metrics, Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings, Report};
use giveway::time::Tick;
use giveway::{Agent, Footprint, Instance, NodeId, Point, SpaceGraph};
use serde::Serialize;

use crate::arguments::{CrowdArguments, Order, SimulateArguments, Strategy, TaskName};
use crate::count::Count;
use crate::input_file;
use crate::learning::{Directions, FlowRecorder, Learned};
use crate::mesh_world::{self, MeshWorld};
use crate::moved_goals::{self, MovedGoals};
use crate::output_file::FileList;
use crate::outputs::Outputs;
use crate::pictures;
use crate::places::Places;
use crate::planning::{crowd as crowd_of, read_any_map, to_grid, to_order};
use crate::table::{self, Ratio, expanded, row, write_served, write_some};
use crate::verdict::Verdict;
use crate::violation_text::{ViolationText, Violations};
use crate::watch::bar;

/// Runs the crowd that `arguments` describe, and writes the files that they ask for.
pub(crate) fn simulate(arguments: &SimulateArguments) -> Result<Verdict> {
    let idle = arguments.crowd.given().into_iter().find(|(_, given)| *given && arguments.strategy == Strategy::Lra);
    if let Some((flag, _)) = idle {
        bail!("{flag} does nothing with --strategy lra, where everybody looks one step ahead");
    }
    arguments.learning.refuse_idle(arguments.strategy)?;
    let SimulateArguments { instance, csv, trace, learning, pictures, json, .. } = arguments;
    let outputs = Outputs::claim(instance, ("--csv", csv), trace, learning, pictures, *json)?;
    match read_any_map(&arguments.instance.map)? {
        AnyMapFile::Cells(map) => on_cells(arguments, outputs, &map),
        AnyMapFile::Mesh(mesh) => on_mesh(arguments, outputs, mesh),
    }
}

fn on_cells(arguments: &SimulateArguments, outputs: Outputs, map: &MapFile) -> Result<Verdict> {
    let (scen, count, connectivity) = arguments.instance.on_cells()?;
    let scenario = input_file::read(scen, Scenario::read, Scenario::parse)?;
    let grid = to_grid(map, &arguments.instance.map, connectivity)?;
    let (agents, moved_goals) = moved_goals::agents(&scenario, count, &grid, arguments.nearest)?;
    let point = Point::swap_rule(&grid);
    // Starts must differ; with the task `once`, goals must differ, too.
    let instance = Instance::new(&grid, &point, agents).with_context(|| scen.display().to_string())?;
    let places = places(&scenario, instance.agents(), &grid);

    let directions = Directions::begin(&arguments.learning, arguments.strategy, &grid)?;
    let mut crowd = Crowd::new(settings(arguments, &arguments.crowd));
    let class = Class::new(&grid, Point::swap_rule(&grid));
    let class = match (&directions, directions.as_ref().and_then(Directions::distances)) {
        (Some(directions), Some(priced)) => crowd.add_class(class.heuristics(priced).layer(&directions.map))?,
        (Some(directions), None) => crowd.add_class(class.layer(&directions.map))?,
        (None, _) => crowd.add_class(class)?,
    };
    let simulation = Simulation::new(crowd).recorded();
    let simulation = if arguments.nearest { simulation.nearest() } else { simulation };
    let mut recorder = directions.as_ref().map(|directions| FlowRecorder::new(&grid, directions));
    let run = Run::to_the_end(arguments, simulation, (class, instance.agents(), &places), recorder.as_mut())?;
    let outcome = Outcome {
        violations: Violations::of_trace(&run.trace, &grid),
        learned: Learned { flow: recorder.map_or_else(Flow::new, FlowRecorder::flow), directions: directions.as_ref() },
        moved_goals,
        places: Places::Cells(grid.clone()),
        run,
    };
    outcome.verdict(arguments, outputs, &instance, || pictures::backdrop(&grid))
}

fn on_mesh(arguments: &SimulateArguments, outputs: Outputs, mesh: MeshFile) -> Result<Verdict> {
    let file = input_file::read(arguments.instance.on_mesh()?, AgentsFile::read, AgentsFile::parse)?;
    mesh_world::refuse_idle(arguments.strategy, &arguments.learning, arguments.nearest)?;
    let world = MeshWorld::new(mesh, &file, &arguments.instance, arguments.task == TaskName::Once)?;
    let instance = Instance::new(&world.space, &world.footprint, world.agents.clone())?;
    let mut crowd = Crowd::new(settings(arguments, &world.crowd(&arguments.crowd)));
    let class = Class::new(&world.space, &world.footprint).heuristics(world.distances());
    let class = crowd.add_class(class)?;
    let simulation = Simulation::new(crowd).recorded();
    let places: Arc<[NodeId]> = world.goals.clone().into();
    let mut run = Run::to_the_end(arguments, simulation, (class, &world.agents, &places), None)?;
    run.trace = world.traced(run.trace);
    let outcome = Outcome {
        violations: world.violations(&run.trace, None),
        learned: Learned { flow: Flow::new(), directions: None },
        moved_goals: None,
        places: world.places(),
        run,
    };
    outcome.verdict(arguments, outputs, &instance, || world.backdrop())
}

fn settings(arguments: &SimulateArguments, crowd: &CrowdArguments) -> CrowdSettings {
    let order = to_order(arguments.order.unwrap_or(Order::Rotating), arguments.seed);
    crowd_of(arguments.strategy, crowd, arguments.seed).order(order)
}

/// What came of a run.
struct Outcome<'a> {
    run: Run,
    violations: Violations,
    learned: Learned<'a>,
    moved_goals: Option<MovedGoals>,
    places: Places,
}

impl Outcome<'_> {
    fn verdict<S: SpaceGraph, F: Footprint<S>>(
        self,
        arguments: &SimulateArguments,
        outputs: Outputs,
        instance: &Instance<'_, S, F>,
        backdrop: impl FnOnce() -> Backdrop,
    ) -> Result<Verdict> {
        let Self { run, violations, learned, moved_goals, places } = self;
        let once = arguments.task == TaskName::Once;
        let lower_bound = || fewest_ticks(instance).into_iter().map(|ticks| Some(u64::from(ticks?))).sum();
        let coherence = learned.directions.and_then(|directions| match &places {
            Places::Cells(grid) => Coherence::default().of(grid, &directions.map),
            Places::Mesh(_) => None,
        });
        let summary = Summary {
            metrics: run.metrics,
            sum_of_costs: run.sum_of_costs.filter(|_| once),
            sum_of_costs_lower_bound: if once { lower_bound() } else { None },
            milliseconds: milliseconds(run.spent),
            worst_milliseconds: milliseconds(run.worst),
            conflicts: violations.named.len(),
            moved_goals: moved_goals.as_ref().map(MovedGoals::count),
            coherence,
        };
        let good = run.ended && violations.named.is_empty();
        let strategy = arguments.strategy.to_string();
        let title = pictures::title(run.trace.agents.len(), &arguments.instance.map, Some(&strategy));
        let (written, caption) = (outputs.written.clone(), summary.caption(arguments.task));
        let files = outputs.stage(|| table::csv(&run.rows), backdrop, || run.trace, learned, [&title, &caption])?;
        let text: Box<dyn fmt::Display> = if arguments.json {
            Box::new(serde_json::to_string(&summary)? + "\n")
        } else {
            Box::new(Story {
                summary,
                strategy: arguments.strategy,
                task: arguments.task,
                agents: instance.agents().len(),
                ended: run.ended,
                violations,
                places,
                moved_goals,
                written,
            })
        };
        Ok(Verdict { good, text, files })
    }
}

/// The goals of `agents`, which may have been moved, and the goals of all lines of `scenario` that are no walls, each
/// once.
fn places(scenario: &Scenario, agents: &[Agent], grid: &Grid) -> Arc<[NodeId]> {
    let goals = scenario.entries().iter().filter(|entry| grid.is_passable(entry.goal.0, entry.goal.1));
    let mut nodes: Vec<NodeId> = goals.filter_map(|entry| grid.node(entry.goal.0, entry.goal.1)).collect();
    nodes.extend(agents.iter().flat_map(|agent| agent.goals.nodes()));
    nodes.sort_unstable();
    nodes.dedup();
    nodes.into()
}

fn task(arguments: &SimulateArguments, agent: &Agent, places: &Arc<[NodeId]>) -> Task {
    match arguments.task {
        TaskName::Once => Task::Once,
        TaskName::Patrol => Task::Patrol(agent.goals.nodes().iter().copied().chain([agent.start]).collect()),
        TaskName::Lifelong => Task::Lifelong { places: places.clone(), seed: arguments.seed },
    }
}

/// A run that has ended.
struct Run {
    metrics: Metrics,
    sum_of_costs: Option<u64>,
    trace: Trace,
    rows: Vec<Row>,
    spent: Duration,
    worst: Duration,
    /// Whether the run was not stopped by the time limit.
    ended: bool,
}

impl Run {
    fn to_the_end(
        arguments: &SimulateArguments,
        mut simulation: Simulation<'_>,
        (class, agents, places): (ClassId, &[Agent], &Arc<[NodeId]>),
        mut recorder: Option<&mut FlowRecorder<'_>>,
    ) -> Result<Self> {
        for agent in agents {
            simulation.add(class, agent.clone(), task(arguments, agent, places))?;
        }
        let begin = Instant::now();
        let budget = arguments.budget.map_or(Budget::unlimited(), Budget::work);
        let bar = bar(arguments.ticks.into(), "ticks");
        let (mut rows, mut spent, mut worst) = (Vec::new(), Duration::ZERO, Duration::ZERO);
        let mut ended = true;
        for tick in 0..arguments.ticks {
            if arguments.task == TaskName::Once && simulation.crowd().is_at_rest() {
                break;
            }
            if arguments.time_limit.is_some_and(|limit| begin.elapsed() >= limit) {
                ended = false;
                break;
            }
            if let Some(recorder) = &mut recorder {
                recorder.note();
            }
            let (before, arrivals) = (Instant::now(), simulation.metrics().arrivals);
            let report = simulation.tick(budget);
            let took = before.elapsed();
            (spent, worst) = (spent + took, worst.max(took));
            rows.push(Row::of(&report, simulation.metrics().arrivals - arrivals));
            if !bar.is_hidden() {
                bar.set_message(Count(simulation.metrics().arrivals, "arrival").to_string());
                bar.set_position(u64::from(tick) + 1);
            }
        }
        bar.finish_and_clear();
        let trace = simulation.trace().context("the run is not recorded")?;
        let (metrics, sum_of_costs) = (simulation.metrics(), simulation.sum_of_costs());
        Ok(Self { metrics, sum_of_costs, trace, rows, spent, worst, ended })
    }
}

/// The events of one tick, as a line of CSV.
#[derive(Serialize, Default)]
struct Row {
    tick: Tick,
    moves: usize,
    waiting: usize,
    arrivals: u64,
    planned: usize,
    failed: usize,
    postponed: usize,
    stopped: usize,
    overridden: usize,
    rolled_back: u32,
    searches: u32,
    expansions: u64,
    reverse_expansions: u64,
}

impl Row {
    fn of(report: &Report, arrivals: u64) -> Self {
        Self {
            tick: report.tick,
            moves: report.moves,
            waiting: report.waiting.len(),
            arrivals,
            planned: report.planned.len(),
            failed: report.failed.len(),
            postponed: report.postponed.len(),
            stopped: report.stopped.len(),
            overridden: report.overridden.len(),
            rolled_back: report.rolled_back,
            searches: report.searches,
            expansions: report.expansions,
            reverse_expansions: report.reverse_expansions,
        }
    }
}

/// The result: the object that `--json` prints. Other tools read it: the keys and their order are fixed.
#[derive(Serialize)]
struct Summary {
    #[serde(flatten)]
    metrics: Metrics,
    sum_of_costs: Option<u64>,
    sum_of_costs_lower_bound: Option<u64>,
    milliseconds: f64,
    worst_milliseconds: f64,
    conflicts: usize,
    /// The final coherence of the direction map; `None`: there is no map, or nothing was learned.
    coherence: Option<f64>,
    /// `None`: goals were not to be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_goals: Option<usize>,
}

impl Summary {
    /// The result in one line, for viewers of the picture.
    fn caption(&self, task: TaskName) -> String {
        let Metrics { arrivals, ticks, .. } = self.metrics;
        let costs = self.sum_of_costs.map(|costs| format!(", sum of costs {costs}")).unwrap_or_default();
        format!("{} in {}{costs}, {}", Count(arrivals, "arrival"), Count(ticks, "tick"), task.words())
    }
}

impl TaskName {
    fn words(self) -> &'static str {
        match self {
            Self::Once => "everyone goes to its goal and stays there",
            Self::Patrol => "everyone goes to its goal and back, again and again",
            Self::Lifelong => "everyone goes to one goal after another",
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// The summary for people.
struct Story {
    summary: Summary,
    strategy: Strategy,
    task: TaskName,
    agents: usize,
    ended: bool,
    violations: Violations,
    places: Places,
    moved_goals: Option<MovedGoals>,
    written: FileList,
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { summary, task, agents, ended, violations, places, moved_goals, written, .. } = self;
        let metrics = &summary.metrics;
        let (agents, ticks) = (Count(*agents as u64, "agent"), Count(metrics.ticks, "tick"));
        write!(f, "{agents}, {ticks}{}", if *ended { "" } else { ", when the time limit came" })?;
        match summary.conflicts {
            0 => writeln!(f, ": {}, and the check finds no conflict.", task.words())?,
            count => writeln!(f, ": {}, and the check finds {}.", task.words(), Count(count as u64, "conflict"))?,
        }
        writeln!(f)?;
        self.write_work(f)?;
        self.write_effort(f)?;
        writeln!(f)?;
        if let Some(moved) = moved_goals {
            write!(f, "{moved}")?;
        }
        if summary.conflicts > 0 {
            writeln!(f, "Conflicts:")?;
            let named = violations.named.iter().map(|violation| ViolationText(places, violation));
            write_some(f, named, summary.conflicts)?;
        }
        written.fmt(f)
    }
}

impl Story {
    /// What the agents did.
    #[allow(clippy::cast_precision_loss)] // few decimals are shown
    fn write_work(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metrics = &self.summary.metrics;
        let Metrics { arrivals, flow_time, path_length, waits, revisits, replans, unreachable, .. } = *metrics;
        let mean = if arrivals == 0 { 0.0 } else { flow_time as f64 / arrivals as f64 };
        let throughput = metrics.throughput();
        row(f, "arrivals", &arrivals, format_args!("orders fulfilled, {throughput:.3} per tick"))?;
        row(
            f,
            "flow time",
            &format_args!("{mean:.1}"),
            format_args!("ticks from an order to its fulfilment, in the mean"),
        )?;
        match (self.task, self.summary.sum_of_costs, self.summary.sum_of_costs_lower_bound) {
            (TaskName::Once, Some(costs), Some(bound)) => {
                row(f, "sum of costs", &costs, format_args!("ticks{}", Ratio(costs, bound)))?;
            }
            (TaskName::Once, ..) => row(f, "sum of costs", &"-", format_args!("ticks: not everyone is on its goal"))?,
            _ => {}
        }
        row(f, "path length", &path_length, format_args!("moves"))?;
        row(f, "waits", &waits, format_args!("ticks in which somebody was under way and did not move"))?;
        row(f, "revisits", &revisits, format_args!("cells in which somebody was again before it arrived"))?;
        row(f, "replans", &replans, format_args!("plans after the first one for an order"))?;
        write_served(f, &metrics.served)?;
        if let Some(coherence) = self.summary.coherence {
            row(
                f,
                "coherence",
                &format_args!("{coherence:.3}"),
                format_args!("of the direction map: 1 if its directions go on into each other"),
            )?;
        }
        if unreachable > 0 {
            row(f, "unreachable", &unreachable, format_args!("orders that nobody could fulfil"))?;
        }
        Ok(())
    }

    /// The effort.
    fn write_effort(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Metrics { stopped, failed, overridden, rolled_back, expansions, reverse_expansions, .. } =
            self.summary.metrics;
        let Metrics { worst_tick, worst_tick_expansions, postponed, out_of_memory, .. } = self.summary.metrics;
        row(f, "overridden", &overridden, format_args!("rests that had to make way; {rolled_back} could not"))?;
        row(f, "failed searches", &failed, format_args!("in which others left no way"))?;
        row(f, "guard stops", &stopped, format_args!("moves that were not safe any more"))?;
        if postponed > 0 {
            row(f, "postponed", &postponed, format_args!("turns, as the budget was gone"))?;
        }
        if out_of_memory > 0 {
            row(f, "out of memory", &out_of_memory, format_args!("of these, as distances took all that they may"))?;
        }
        row(f, "expansions", &expansions, format_args!("{}", expanded(self.strategy)))?;
        row(f, "reverse expansions", &reverse_expansions, format_args!("cells, for true distances"))?;
        row(f, "worst tick", &worst_tick_expansions, format_args!("expansions, at tick {worst_tick}"))?;
        let Summary { milliseconds, worst_milliseconds, .. } = self.summary;
        row(f, "time", &format_args!("{milliseconds:.3}"), format_args!("ms"))?;
        row(f, "longest tick", &format_args!("{worst_milliseconds:.3}"), format_args!("ms"))
    }
}
