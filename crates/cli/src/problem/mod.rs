//! `giveway simulate --problem`: plays a problem of the League of Robot Runners.

mod run;
mod story;
mod team;

use std::path::Path;

use anyhow::{Result, bail};
use giveway::render::Flow;
use giveway::scenario::{Problem, ProblemFile, ProblemLog, TraceFile};
use giveway::strategies::{Chain, CrowdSettings, Planner};

use crate::arguments::{Connectivity, SimulateArguments, Strategy, Turning};
use crate::input_file;
use crate::output_file::{FileList, OutputFile, claim_of_json};
use crate::pictures::{self, Pictures};
use crate::planning::{self, to_grid};
use crate::verdict::Verdict;

use run::Run;
use team::{Plain, Team, Turners, trace};

/// The chain of the robots, unless another strategy than the default is asked for: teams are dense, and have new goals
/// all the time. With a window of a given depth they plan by windows, and by steps where windows leave them without a
/// plan.
fn chain_of_problems(has_window: bool) -> Chain {
    if has_window { Chain::default().with_steps() } else { Chain::new(Planner::Step) }
}

/// Plays the problem in the file at `path`, and writes the files that `arguments` ask for.
pub(crate) fn play(arguments: &SimulateArguments, path: &Path) -> Result<Verdict> {
    if arguments.strategy == Strategy::Dm {
        bail!("--strategy dm does nothing with --problem: direction maps are learned on the cells of a --map");
    }
    let head = input_file::read(path, ProblemFile::read, ProblemFile::parse)?;
    let outputs = Outputs::claim(arguments, path, &head)?;
    let problem = Problem::of(&head)?;
    let [map, ..] = head.files();
    let grid = to_grid(problem.map(), map, Connectivity::Four)?;
    match arguments.problem.turning.unwrap_or_default() {
        Turning::Yes => play_with(&Turners::new(grid), arguments, &problem, outputs, map),
        Turning::No => play_with(&Plain::new(grid), arguments, &problem, outputs, map),
    }
}

fn play_with(
    team: &impl Team,
    arguments: &SimulateArguments,
    problem: &Problem,
    outputs: Outputs,
    map: &Path,
) -> Result<Verdict> {
    let log = ProblemLog::new(problem, arguments.problem.turning.unwrap_or_default() == Turning::Yes);
    let log = if outputs.need_record() { log.recorded() } else { log };
    let run = Run::to_the_end(team, arguments, problem, log, settings(arguments))?;
    let faults = run.log.faults().to_vec();
    let good = run.ended && faults.is_empty();
    let robots = problem.starts().len();
    let summary = story::Summary::of(&run, robots);
    let title = pictures::title(robots, map, Some(&arguments.strategy.to_string()));
    let written = outputs.written.clone();

    let mut files = Vec::new();
    if let Some(record) = run.log.record() {
        let needs_trace = outputs.need_trace();
        if let Some(file) = outputs.result {
            files.push(file.stage(&record)?);
        }
        if needs_trace {
            let trace = trace(team, record, problem.starts());
            let backdrop = || pictures::backdrop(team.grid());
            files.extend(outputs.pictures.stage(backdrop, &trace, Flow::new(), &title, &summary.caption())?);
            if let Some(file) = outputs.trace {
                files.push(file.stage(&TraceFile::new(trace)?)?);
            }
        }
    }
    let text: Box<dyn std::fmt::Display> = if arguments.json {
        Box::new(serde_json::to_string(&summary)? + "\n")
    } else {
        Box::new(story::Story { summary, ended: run.ended, faults, written })
    };
    Ok(Verdict { good, text, files })
}

/// The settings of the crowd.
fn settings(arguments: &SimulateArguments) -> CrowdSettings {
    let SimulateArguments { strategy, order, crowd, seed, .. } = arguments;
    let settings = planning::crowd(*strategy, *order, crowd, *seed);
    if *strategy == Strategy::Whca { settings.chain(chain_of_problems(crowd.window.is_some())) } else { settings }
}

/// The files that are asked for.
struct Outputs {
    result: Option<OutputFile>,
    trace: Option<OutputFile>,
    pictures: Pictures,
    written: FileList,
}

impl Outputs {
    /// Whether a file needs every action.
    fn need_record(&self) -> bool {
        self.result.is_some() || self.need_trace()
    }

    fn need_trace(&self) -> bool {
        self.trace.is_some() || !self.pictures.is_empty()
    }

    /// Claims the files. No output may be another output, or an input.
    fn claim(arguments: &SimulateArguments, path: &Path, head: &ProblemFile) -> Result<Self> {
        let SimulateArguments { out, trace, pictures, json, .. } = arguments;
        let [map, agents, tasks] = head.files();
        let inputs = [("--problem", path), ("mapFile", map), ("agentFile", agents), ("taskFile", tasks)];
        let mut others = input_file::files(inputs);
        others.extend(claim_of_json(*json));
        Ok(Self {
            written: FileList::of_options([out, trace].into_iter().chain(pictures.files())),
            result: OutputFile::claim_next("--out", out.as_deref(), &mut others)?,
            trace: OutputFile::claim_next("--trace", trace.as_deref(), &mut others)?,
            pictures: Pictures::claim(pictures, others)?,
        })
    }
}
