//! `giveway simulate --problem`: plays a problem of the League of Robot Runners.

mod lanes;
mod run;
mod story;
mod team;

use std::path::Path;

use anyhow::{Result, bail};
use giveway::render::Flow;
use giveway::scenario::{Problem, ProblemFile, ProblemLog};
use giveway::strategies::{Chain, CrowdSettings, Planner};

use crate::arguments::{Connectivity, SimulateArguments, Strategy};
use crate::input_file;
use crate::learning::Learned;
use crate::node_map::Labels;
use crate::outputs::Outputs;
use crate::pictures;
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
    let SimulateArguments { out, trace, learning, pictures, json, .. } = arguments;
    let [map, agents, tasks] = head.files();
    let inputs = [("--problem", path), ("mapFile", map), ("agentFile", agents), ("taskFile", tasks)];
    let outputs = Outputs::claim(inputs, &[("--out", out)], trace, learning, pictures, *json)?;
    let problem = Problem::of(&head)?;
    let grid = to_grid(problem.map(), map, Connectivity::Four)?;
    if arguments.problem.is_turning() {
        play_with(&Turners::new(grid), arguments, &problem, outputs, map)
    } else {
        play_with(&Plain::new(grid), arguments, &problem, outputs, map)
    }
}

fn play_with(
    team: &impl Team,
    arguments: &SimulateArguments,
    problem: &Problem,
    outputs: Outputs,
    map: &Path,
) -> Result<Verdict> {
    let log = ProblemLog::new(problem, arguments.problem.is_turning());
    let log = if outputs.need_record() { log.recorded() } else { log };
    let run = Run::to_the_end(team, arguments, problem, log, settings(arguments))?;
    let faults = run.log.faults().to_vec();
    let good = run.ended && faults.is_empty();
    let robots = problem.starts().len();
    let summary = story::Summary::of(&run, robots);
    let title = pictures::title(robots, map, Some(&arguments.strategy.to_string()));
    let written = outputs.written.clone();

    let learned = Learned { flow: Flow::new(), directions: None };
    let files = run.log.record().map(|record| {
        let backdrop = || pictures::backdrop(team.grid());
        let trace = || (trace(team, record, problem.starts()), Labels::default());
        outputs.stage(|_| Ok(record), backdrop, trace, learned, [&title, &summary.caption()])
    });
    let files = files.transpose()?.unwrap_or_default();
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
