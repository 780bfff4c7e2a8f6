//! `giveway simulate`: runs a crowd, and counts what it does.

mod in_world;
mod story;

pub(crate) use in_world::settings;

use std::fmt::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use giveway::Agent;
use giveway::direction::Coherence;
use giveway::plan::{Trace, fewest_ticks};
use giveway::render::{Backdrop, Flow};
use giveway::scenario::MovedGoal;
use giveway::sim::{Endpoints, Metrics, Simulation, Task};
use giveway::strategies::{Budget, ClassId, Crowd, Report};
use giveway::time::{Span, Tick};
use giveway::words::Words;
use serde::Serialize;

use crate::arguments::{SimulateArguments, Strategy, TaskName};
use crate::count::Count;
use crate::input_file;
use crate::lateness::Lateness;
use crate::learning::{FlowRecorder, Learned, LearnedMap};
use crate::memory::bytes_freed_by;
use crate::node_map::Labels;
use crate::outputs::Outputs;
use crate::pictures;
use crate::places::Places;
use crate::planning::crowd as crowd_of;
use crate::problem;
use crate::recording::{Hash, Recorder};
use crate::saved_run::{SaveAt, SavedRun, Saving};
use crate::site::Site;
use crate::table;
use crate::tick_times::TickTimes;
use crate::verdict::Verdict;
use crate::violation_text::Violations;
use crate::watch::bar;
use crate::world::{OnSite, SiteArguments};
use story::{Goes, Story, Summary};

/// The position of the saved run among the outputs of its own.
const SAVE: usize = 3;

/// Runs the crowd that `arguments` describe, and writes the files that they ask for.
pub(crate) fn simulate(arguments: &SimulateArguments) -> Result<Verdict> {
    let idle = arguments.crowd.given().into_iter().find(|(_, given)| *given && arguments.strategy == Strategy::Lra);
    if let Some((flag, _)) = idle {
        bail!("{flag} does nothing with --strategy lra, where each agent looks one step ahead");
    }
    if let Some(path) = &arguments.resume {
        let (resumed, saved) = SavedRun::read(path)?;
        return run(&resumed.with_outputs_of(arguments), Some(saved));
    }
    run(arguments, None)
}

/// Runs the crowd from the beginning, or from where it was `saved`.
fn run(arguments: &SimulateArguments, saved: Option<SavedRun>) -> Result<Verdict> {
    if let Some(path) = &arguments.problem.problem {
        return problem::play(arguments, path, saved);
    }
    arguments.problem.refuse_idle(arguments.out.is_some())?;
    if arguments.instance.world.is_some() {
        arguments.learning.refuse_in_worlds(arguments.strategy)?;
    } else {
        arguments.learning.refuse_idle(arguments.strategy)?;
    }
    let SimulateArguments { instance, csv, hashes, record, trace, learning, pictures, json, .. } = arguments;
    let save_at = SaveAt::of(arguments)?;
    let save = save_at.as_ref().map(|save_at| save_at.file.clone());
    let own = [("--csv", csv), ("--hashes", hashes), ("--record", record), ("--save-at", &save)];
    let inputs: Vec<(&str, &Path)> = match &saved {
        Some(saved) => vec![("--resume", &saved.file)],
        None => instance.files().collect(),
    };
    let outputs = Outputs::claim(inputs, &own, trace, learning, pictures, *json)?;
    if let Some(saved) = &saved {
        saved.provide_inputs();
    } else if record.is_some() || save_at.is_some() {
        input_file::keep();
    }
    if let Some(path) = &instance.world {
        return in_world::simulate(arguments, path, outputs, &Saving { saved, save_at });
    }
    let (strategy, once) = (arguments.strategy, arguments.task == TaskName::Once);
    let site = SiteArguments { instance, learning, strategy, once, seed: arguments.seed };
    site.run(Simulating { arguments, outputs, saving: Saving { saved, save_at } })
}

/// The command, once it has its outputs.
struct Simulating<'a> {
    arguments: &'a SimulateArguments,
    outputs: Outputs,
    saving: Saving,
}

impl OnSite for Simulating<'_> {
    type Output = Verdict;

    fn run(self, site: &impl Site) -> Result<Verdict> {
        simulate_on(site, self.arguments, self.outputs, &self.saving)
    }
}

fn simulate_on(site: &impl Site, arguments: &SimulateArguments, outputs: Outputs, saving: &Saving) -> Result<Verdict> {
    let SimulateArguments { strategy, task, .. } = *arguments;
    // Starts must differ; with the task `once`, goals must differ, too.
    let instance = site.instance()?;
    outputs.spare_inputs()?;
    let (mut crowd, class) = empty_crowd(site, arguments)?;
    crowd.record_calls(arguments.record.is_some());
    let simulation = Simulation::new(crowd).recorded();
    let mut simulation = if arguments.instance.nearest { simulation.nearest() } else { simulation };
    let places = site.goals();
    if let Some(saved) = &saving.saved {
        saved.load(|save| simulation.load(save), |_| Ok(()))?;
        saved.check_ticks(arguments.ticks, simulation.crowd().now())?;
    } else {
        for agent in instance.agents() {
            simulation.add(class, agent.clone(), self::task(arguments, agent, &places))?;
        }
    }
    let keeps = outputs.need_trace();
    let mut recorder = site.learning().filter(|_| keeps).map(FlowRecorder::new);
    let around = &mut OnSiteAlone(site, task);
    let run = Run::to_the_end(around, arguments, simulation, keeps, recorder.as_mut(), saving)?;
    let learned = Learned {
        flow: recorder.map_or_else(Flow::new, FlowRecorder::flow),
        map: site.learning().map(|(_, directions)| LearnedMap::OfGrid(&directions.map)),
    };
    let once = task == TaskName::Once;
    let lower_bound = || fewest_ticks(&instance).into_iter().map(|ticks| Some(u64::from(ticks?))).sum();
    let agents = instance.agents().len();
    let told = Told {
        agents,
        title: pictures::title(agents, arguments.instance.map(), Some(&strategy.to_string())),
        goes: Goes::Task(task),
        lower_bound: if once { lower_bound() } else { None },
        coherence: site.learning().and_then(|(grid, directions)| Coherence::default().of(grid, &directions.map)),
        moved_goals: site.moved_goals(),
        places: site.places(),
        learned,
    };
    told.conclude(run, arguments, outputs, || Ok(site.backdrop()), |trace| (site.traced(trace), site.labels()))
}

/// What a report tells beside the run.
struct Told<'a> {
    agents: usize,
    title: String,
    goes: Goes,
    lower_bound: Option<u64>,
    coherence: Option<f64>,
    /// `None`: goals were not to be moved.
    moved_goals: Option<Vec<MovedGoal>>,
    places: Places,
    learned: Learned<'a>,
}

impl Told<'_> {
    /// The verdict over `run`, and its files.
    fn conclude(
        self,
        run: Run,
        arguments: &SimulateArguments,
        mut outputs: Outputs,
        backdrop: impl FnOnce() -> Result<Backdrop>,
        traced: impl FnOnce(Trace) -> (Trace, Labels),
    ) -> Result<Verdict> {
        let Self { agents, title, goes, lower_bound, coherence, moved_goals, places, learned } = self;
        let Run { violations, trace, .. } = run;
        let times = run.times.summary();
        let summary = Summary {
            sum_of_costs: run.sum_of_costs.filter(|_| goes == Goes::Task(TaskName::Once)),
            sum_of_costs_lower_bound: lower_bound,
            milliseconds: times.sum,
            worst_milliseconds: times.max,
            tick_ms_median: times.median,
            tick_ms_p99: times.p99,
            tick_ms_first: times.first,
            distance_bytes: run.distance_bytes,
            bytes_per_agent: run.crowd_bytes / agents.max(1),
            throughput: run.metrics.throughput(),
            conflicts: violations.named.len(),
            moved_goals: moved_goals.as_ref().map(Vec::len),
            coherence,
            late_moves: run.late,
            metrics: run.metrics,
        };
        let good = run.ended && violations.named.is_empty();
        if let Some(why) = run.missed_save {
            outputs.give_up(SAVE, why);
        }
        let (written, caption) = (outputs.written.clone(), summary.caption(goes));
        let backdrop = if outputs.need_trace() { Some(backdrop()?) } else { None };
        let files = outputs.stage(
            |position| match position {
                0 => table::csv(&run.rows),
                1 => Ok(run.hashes.clone()),
                2 => Ok(run.recording.clone()),
                _ => Ok(run.save.clone()),
            },
            || backdrop.unwrap_or_else(|| Backdrop::cells(1, 1, |_, _| true)),
            || traced(trace),
            learned,
            [&title, &caption],
        )?;
        let strategy = arguments.strategy;
        let text: Box<dyn fmt::Display> = if arguments.json {
            Box::new(serde_json::to_string(&summary)? + "\n")
        } else {
            let ended = run.ended;
            Box::new(Story { summary, strategy, goes, agents, ended, violations, places, moved_goals, written })
        };
        Ok(Verdict { good, text, files })
    }
}

/// What is around a crowd: what happens beside it, and what is checked.
trait Surroundings {
    /// Called before each tick.
    fn go_on(&mut self, simulation: &mut Simulation<'_>) -> Result<()>;

    /// Whether the run may end before its last tick.
    fn is_over(&self, simulation: &Simulation<'_>) -> bool;

    /// Appends how far it has come, for a save.
    fn write_to(&self, words: &mut Words);

    /// The violations of a recording, or of a piece of it, that begin during `span`.
    fn violations(&self, trace: &Trace, span: Span) -> Violations;

    /// Called with the crowd as it is in the end.
    fn end(&mut self, crowd: &Crowd<'_>);
}

/// A site, where nothing happens beside the crowd.
struct OnSiteAlone<'a, S>(&'a S, TaskName);

impl<S: Site> Surroundings for OnSiteAlone<'_, S> {
    fn go_on(&mut self, _: &mut Simulation<'_>) -> Result<()> {
        Ok(())
    }

    fn is_over(&self, simulation: &Simulation<'_>) -> bool {
        self.1 == TaskName::Once && simulation.crowd().is_at_rest()
    }

    fn write_to(&self, _: &mut Words) {}

    fn violations(&self, trace: &Trace, span: Span) -> Violations {
        self.0.violations_of_trace(trace, span)
    }

    fn end(&mut self, _: &Crowd<'_>) {}
}

/// The crowd that `arguments` describe, before it has agents, and the class of these.
pub(crate) fn empty_crowd<'a>(site: &'a impl Site, arguments: &SimulateArguments) -> Result<(Crowd<'a>, ClassId)> {
    let SimulateArguments { strategy, order, crowd, seed, .. } = arguments;
    let mut crowd = Crowd::new(crowd_of(*strategy, *order, &site.crowd(crowd), *seed));
    let class = site.add_class(&mut crowd)?;
    Ok((crowd, class))
}

fn task(arguments: &SimulateArguments, agent: &Agent, places: &Endpoints) -> Task {
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
    violations: Violations,
    /// What was recorded; only the last piece, if no file needs it.
    trace: Trace,
    /// None, if they are not to be written.
    rows: Vec<Row>,
    /// The lines of the hashes, and the recording; empty, if they are not to be written.
    hashes: String,
    recording: String,
    /// The saved run; empty, if it is not to be written.
    save: String,
    /// Why the run was not saved, if it was to be.
    missed_save: Option<String>,
    times: TickTimes,
    /// The memory of the distances of the crowd in the end, and the memory of the whole crowd, in bytes.
    distance_bytes: usize,
    crowd_bytes: usize,
    /// The moves that were late; `None`: none were to be.
    late: Option<u64>,
    /// Whether the run was not stopped by the time limit.
    ended: bool,
}

/// A recording that no file needs is checked and forgotten when it has this many moves, or after this many ticks.
const PIECE: (usize, Tick) = (100_000, 1000);

impl Run {
    /// Checks the run as it goes. With `keeps`, keeps the whole recording.
    fn to_the_end(
        around: &mut impl Surroundings,
        arguments: &SimulateArguments,
        mut simulation: Simulation<'_>,
        keeps: bool,
        mut recorder: Option<&mut FlowRecorder<'_>>,
        saving: &Saving,
    ) -> Result<Self> {
        let begin = Instant::now();
        let budget = arguments.budget.map_or(Budget::unlimited(), Budget::work);
        let bar = bar(arguments.ticks.into(), "ticks");
        let (mut rows, mut times, mut ended) = (Vec::new(), TickTimes::default(), true);
        let (mut hashes, mut save) = (String::new(), String::new());
        let mut lateness = arguments.late.map(|percent| Lateness::new(percent, arguments.seed));
        let mut record = arguments.record.as_ref().map(|_| Recorder::begin()).transpose()?;
        let begun = simulation.crowd().now();
        let (mut violations, mut checked, mut moves) = (Violations::default(), begun, 0);
        for tick in begun..arguments.ticks {
            if around.is_over(&simulation) {
                break;
            }
            if arguments.time_limit.is_some_and(|limit| begin.elapsed() >= limit) {
                ended = false;
                break;
            }
            if let Some(recorder) = &mut recorder {
                recorder.note();
            }
            if let Some((lateness, begun)) = lateness.as_mut().zip(tick.checked_sub(1)) {
                lateness.strike(&mut simulation, begun)?;
            }
            around.go_on(&mut simulation)?;
            let arrivals = simulation.metrics().arrivals;
            let report = simulation.tick_by(|crowd| {
                let before = Instant::now();
                let report = crowd.tick(budget);
                times.add(before.elapsed());
                report
            });
            if arguments.csv.is_some() {
                let waiting = simulation.crowd_mut().waiting().len();
                rows.push(Row::of(&report, waiting, simulation.metrics().arrivals - arrivals));
            }
            if arguments.hashes.is_some() {
                let hash = Hash(simulation.crowd_mut().state_hash());
                writeln!(hashes, "{} {hash}", report.tick)?;
            }
            if let Some(recorder) = &mut record {
                recorder.note(report.tick, simulation.crowd_mut())?;
            }
            if saving.is_due(report.tick) {
                save = saving.text(simulation.save(), |words| around.write_to(words))?;
            }
            moves += report.moves;
            let now = simulation.crowd().now();
            if !keeps && (moves >= PIECE.0 || now - checked >= PIECE.1) {
                check(around, &mut simulation, Span::new(checked, now), &mut violations)?;
                (checked, moves) = (now, 0);
            }
            if !bar.is_hidden() {
                bar.set_message(Count(simulation.metrics().arrivals, "arrival").to_string());
                bar.set_position(u64::from(tick) + 1);
            }
        }
        bar.finish_and_clear();
        let missed_save = saving.missed(&save, simulation.crowd().now(), !ended)?;
        let trace = check(around, &mut simulation, Span::endless(checked), &mut violations)?;
        let (metrics, sum_of_costs) = (simulation.metrics(), simulation.sum_of_costs());
        let crowd = simulation.into_crowd();
        around.end(&crowd);
        let distance_bytes = crowd.distance_bytes();
        let crowd_bytes = bytes_freed_by(crowd);
        let recording = record.map(Recorder::finish).unwrap_or_default();
        Ok(Self {
            metrics,
            sum_of_costs,
            violations,
            trace,
            rows,
            hashes,
            recording,
            save,
            missed_save,
            times,
            distance_bytes,
            crowd_bytes,
            late: lateness.map(|lateness| lateness.late),
            ended,
        })
    }
}

/// Takes what `simulation` has recorded, and checks it during `span`, unless too much has been found already.
fn check(
    around: &impl Surroundings,
    simulation: &mut Simulation<'_>,
    span: Span,
    found: &mut Violations,
) -> Result<Trace> {
    let trace = simulation.take_trace().context("the run is not recorded")?;
    if !found.cut {
        found.extend(around.violations(&trace, span));
    }
    Ok(trace)
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
    work: u64,
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
            work: report.work,
        }
    }
}
