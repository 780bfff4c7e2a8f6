//! `giveway simulate`: runs a crowd, and counts what it does.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use giveway::direction::Coherence;
use giveway::plan::{Trace, fewest_ticks};
use giveway::render::Flow;
use giveway::scenario::{AnyMapFile, MovedGoal};
use giveway::sim::{Metrics, Simulation, Task};
use giveway::strategies::{Budget, ClassId, Crowd, Report};
use giveway::time::Tick;
use giveway::{Agent, NodeId};
use serde::Serialize;

use crate::arguments::{SimulateArguments, Strategy, TaskName};
use crate::cells::Cells;
use crate::count::Count;
use crate::learning::{FlowRecorder, Learned};
use crate::mesh_world::MeshWorld;
use crate::moved_goals::MovedGoals;
use crate::output_file::FileList;
use crate::outputs::Outputs;
use crate::pictures;
use crate::places::Places;
use crate::planning::{crowd as crowd_of, read_any_map};
use crate::problem;
use crate::site::Site;
use crate::table::{self, Ratio, expanded, row, write_served, write_some};
use crate::verdict::Verdict;
use crate::violation_text::{ViolationText, Violations};
use crate::watch::bar;

/// Runs the crowd that `arguments` describe, and writes the files that they ask for.
pub(crate) fn simulate(arguments: &SimulateArguments) -> Result<Verdict> {
    let idle = arguments.crowd.given().into_iter().find(|(_, given)| *given && arguments.strategy == Strategy::Lra);
    if let Some((flag, _)) = idle {
        bail!("{flag} does nothing with --strategy lra, where each agent looks one step ahead");
    }
    if let Some(path) = &arguments.problem.problem {
        return problem::play(arguments, path);
    }
    arguments.problem.refuse_idle(arguments.out.is_some())?;
    arguments.learning.refuse_idle(arguments.strategy)?;
    let SimulateArguments { instance, csv, trace, learning, pictures, json, .. } = arguments;
    let outputs = Outputs::claim(instance, ("--csv", csv), trace, learning, pictures, *json)?;
    match read_any_map(arguments.instance.map())? {
        AnyMapFile::Cells(map) => {
            simulate_on(&Cells::new(&map, instance, learning, arguments.strategy)?, arguments, outputs)
        }
        AnyMapFile::Mesh(mesh) => {
            let once = arguments.task == TaskName::Once;
            simulate_on(&MeshWorld::new(mesh, instance, learning, arguments.strategy, once)?, arguments, outputs)
        }
    }
}

fn simulate_on(site: &impl Site, arguments: &SimulateArguments, outputs: Outputs) -> Result<Verdict> {
    let SimulateArguments { strategy, task, .. } = *arguments;
    // Starts must differ; with the task `once`, goals must differ, too.
    let instance = site.instance()?;
    let settings = crowd_of(strategy, arguments.order, &site.crowd(&arguments.crowd), arguments.seed);
    let mut crowd = Crowd::new(settings);
    let class = site.add_class(&mut crowd)?;
    let simulation = Simulation::new(crowd).recorded();
    let simulation = if arguments.instance.nearest { simulation.nearest() } else { simulation };
    let mut recorder = site.learning().map(FlowRecorder::new);
    let agents = (class, instance.agents(), &site.goals());
    let run = Run::to_the_end(arguments, simulation, agents, recorder.as_mut())?;
    let trace = site.traced(run.trace);

    let violations = site.violations_of_trace(&trace);
    let learned = Learned {
        flow: recorder.map_or_else(Flow::new, FlowRecorder::flow),
        directions: site.learning().map(|(_, directions)| directions),
    };
    let moved_goals = site.moved_goals();
    let once = task == TaskName::Once;
    let lower_bound = || fewest_ticks(&instance).into_iter().map(|ticks| Some(u64::from(ticks?))).sum();
    let summary = Summary {
        metrics: run.metrics,
        sum_of_costs: run.sum_of_costs.filter(|_| once),
        sum_of_costs_lower_bound: if once { lower_bound() } else { None },
        milliseconds: milliseconds(run.spent),
        worst_milliseconds: milliseconds(run.worst),
        conflicts: violations.named.len(),
        moved_goals: moved_goals.as_ref().map(Vec::len),
        coherence: site.learning().and_then(|(grid, directions)| Coherence::default().of(grid, &directions.map)),
    };
    let good = run.ended && violations.named.is_empty();
    let title = pictures::title(trace.agents.len(), arguments.instance.map(), Some(&strategy.to_string()));
    let (written, caption) = (outputs.written.clone(), summary.caption(task));
    let files = outputs.stage(|| table::csv(&run.rows), || site.backdrop(), || trace, learned, [&title, &caption])?;
    let text: Box<dyn fmt::Display> = if arguments.json {
        Box::new(serde_json::to_string(&summary)? + "\n")
    } else {
        let (agents, ended, places) = (instance.agents().len(), run.ended, site.places());
        Box::new(Story { summary, strategy, task, agents, ended, violations, places, moved_goals, written })
    };
    Ok(Verdict { good, text, files })
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
            let waiting = simulation.crowd_mut().waiting().len();
            rows.push(Row::of(&report, waiting, simulation.metrics().arrivals - arrivals));
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
    fn of(report: &Report, waiting: usize, arrivals: u64) -> Self {
        Self {
            tick: report.tick,
            moves: report.moves,
            waiting,
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
            Self::Once => "each agent goes to its goal and stays there",
            Self::Patrol => "each agent goes to its goal and back, again and again",
            Self::Lifelong => "each agent goes to one goal after another",
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
    moved_goals: Option<Vec<MovedGoal>>,
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
            MovedGoals(places, moved).fmt(f)?;
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
    /// The work of the agents.
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
            (TaskName::Once, ..) => {
                row(f, "sum of costs", &"-", format_args!("ticks: not all agents are on their goals"))?;
            }
            _ => {}
        }
        row(f, "path length", &path_length, format_args!("moves"))?;
        row(f, "waits", &waits, format_args!("ticks in which an agent was under way and did not move"))?;
        row(f, "revisits", &revisits, format_args!("cells in which an agent was again before it arrived"))?;
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
            row(f, "unreachable", &unreachable, format_args!("orders that could not be fulfilled"))?;
        }
        Ok(())
    }

    /// The effort.
    fn write_effort(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Metrics { stopped, failed, overridden, rolled_back, expansions, reverse_expansions, .. } =
            self.summary.metrics;
        let Metrics { worst_tick, worst_tick_expansions, postponed, out_of_memory, .. } = self.summary.metrics;
        row(f, "overridden", &overridden, format_args!("rests that had to make way; {rolled_back} could not"))?;
        row(f, "failed searches", &failed, format_args!("in which other agents left no way"))?;
        row(f, "guard stops", &stopped, format_args!("moves that were no longer safe"))?;
        if postponed > 0 {
            row(f, "postponed", &postponed, format_args!("turns, because the budget was spent"))?;
        }
        if out_of_memory > 0 {
            row(
                f,
                "out of memory",
                &out_of_memory,
                format_args!("of these, because distances reached their memory limit"),
            )?;
        }
        row(f, "expansions", &expansions, format_args!("{}", expanded(self.strategy)))?;
        row(f, "reverse expansions", &reverse_expansions, format_args!("cells, for true distances"))?;
        row(f, "worst tick", &worst_tick_expansions, format_args!("expansions, at tick {worst_tick}"))?;
        let Summary { milliseconds, worst_milliseconds, .. } = self.summary;
        row(f, "time", &format_args!("{milliseconds:.3}"), format_args!("ms"))?;
        row(f, "longest tick", &format_args!("{worst_milliseconds:.3}"), format_args!("ms"))
    }
}
