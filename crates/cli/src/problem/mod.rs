//! `giveway simulate --problem`: plays a problem of the League of Robot Runners.

mod lanes;
mod run;
mod story;
mod team;

use std::fmt::Display;
use std::path::Path;

use anyhow::{Result, bail};
use giveway::plan::Trace;
use giveway::scenario::{MapFile, PlacesFile, Problem, ProblemFile};
use giveway::strategies::{Chain, Crowd, CrowdSettings, Planner};

use crate::arguments::{Connectivity, SimulateArguments, Strategy};
use crate::input_file;
use crate::learning::Learned;
use crate::node_map::Labels;
use crate::outputs::Outputs;
use crate::pictures;
use crate::planning::{self, to_grid};
use crate::saved_run::{SaveAt, SavedRun, Saving};
use crate::verdict::Verdict;

use run::{Run, empty_crowd};
use team::{Plain, Team, Turners, trace};

/// The chain of the robots, unless another strategy than the default is asked for: teams are dense, and have new goals
/// all the time. With a window of a given depth they plan by windows, and by steps where windows leave them without a
/// plan.
fn chain_of_problems(has_window: bool) -> Chain {
    if has_window { Chain::default().with_steps() } else { Chain::new(Planner::Step) }
}

/// The position of the saved run among the outputs of its own.
const SAVE: usize = 3;

/// Plays the problem in the file at `path` from the beginning, or from where it was `saved`, and writes the files that
/// `arguments` ask for.
pub(crate) fn play(arguments: &SimulateArguments, path: &Path, saved: Option<SavedRun>) -> Result<Verdict> {
    if arguments.strategy == Strategy::Dm {
        bail!("--strategy dm does nothing with --problem: direction maps are learned on the cells of a --map");
    }
    arguments.refuse_beside_problem()?;
    let save_at = SaveAt::of(arguments)?;
    if let Some(saved) = &saved {
        saved.provide_inputs();
    } else if arguments.record.is_some() || save_at.is_some() {
        input_file::keep();
    }
    let head = input_file::read(path, ProblemFile::read, ProblemFile::parse)?;
    let SimulateArguments { out, hashes, record, trace, learning, pictures, json, .. } = arguments;
    let [map, agents, tasks] = head.files();
    let inputs: Vec<(&str, &Path)> = match &saved {
        Some(saved) => vec![("--resume", &saved.file)],
        None => vec![("--problem", path), ("mapFile", map), ("agentFile", agents), ("taskFile", tasks)],
    };
    let save = save_at.as_ref().map(|save_at| save_at.file.clone());
    let own = [("--out", out), ("--hashes", hashes), ("--record", record), ("--save-at", &save)];
    let outputs = Outputs::claim(inputs, &own, trace, learning, pictures, *json)?;
    let saving = Saving { saved, save_at };
    with_team(arguments, &head, Playing { arguments, outputs, map, saving })
}

/// The crowd of the problem in the file at `path`, without robots, in which `replay` plays a recording.
pub(crate) fn replay_in(
    arguments: &SimulateArguments,
    path: &Path,
    replay: impl FnOnce(Crowd<'_>) -> Result<Verdict>,
) -> Result<Verdict> {
    let head = input_file::read(path, ProblemFile::read, ProblemFile::parse)?;
    with_team(arguments, &head, Replaying { arguments, replay })
}

/// A command that needs a team.
trait WithTeam {
    fn run(self, team: &impl Team, problem: &Problem) -> Result<Verdict>;
}

/// Reads the problem of `head`, and runs `command` with the robots that `arguments` say.
fn with_team(arguments: &SimulateArguments, head: &ProblemFile, command: impl WithTeam) -> Result<Verdict> {
    let [map, agents, tasks] = head.files();
    let places = |path| input_file::read(path, PlacesFile::read, PlacesFile::parse);
    let cells = input_file::read(map, MapFile::read_beginning, MapFile::parse_beginning)?;
    let problem = Problem::new(head, cells, &places(agents)?, &places(tasks)?)?;
    let grid = to_grid(problem.map(), map, Connectivity::Four)?;
    if arguments.problem.is_turning() {
        command.run(&Turners::new(grid), &problem)
    } else {
        command.run(&Plain::new(grid), &problem)
    }
}

/// The command, once it has its outputs.
struct Playing<'a> {
    arguments: &'a SimulateArguments,
    outputs: Outputs,
    map: &'a Path,
    saving: Saving,
}

impl WithTeam for Playing<'_> {
    fn run(self, team: &impl Team, problem: &Problem) -> Result<Verdict> {
        let Self { arguments, mut outputs, map, saving } = self;
        outputs.spare_inputs()?;
        let keeps = outputs.need_trace() || arguments.out.is_some();
        let run = Run::to_the_end(team, arguments, problem, keeps, settings(arguments), &saving)?;
        if let Some(why) = &run.missed_save {
            outputs.give_up(SAVE, why.clone());
        }
        let faults = run.log.faults().to_vec();
        let good = run.ended && faults.is_empty();
        let robots = problem.starts().len();
        let summary = story::Summary::of(&run, robots);
        let title = pictures::title(robots, map, Some(&arguments.strategy.to_string()));
        let written = outputs.written.clone();

        let learned = Learned::nothing();
        let backdrop = || pictures::backdrop(team.grid());
        let traced = |record| trace(team, record, &run.starts);
        let trace = || (run.log.record().map_or_else(|| Trace::new(1, Vec::new()), traced), Labels::default());
        let own = |position| -> Result<Box<dyn Display + '_>> {
            Ok(match (position, run.log.record()) {
                (0, Some(record)) => Box::new(record),
                (1, _) => Box::new(&run.hashes),
                (2, _) => Box::new(&run.recording),
                _ => Box::new(&run.save),
            })
        };
        let files = outputs.stage(own, backdrop, trace, learned, [&title, &summary.caption()])?;
        let text: Box<dyn Display> = if arguments.json {
            Box::new(serde_json::to_string(&summary)? + "\n")
        } else {
            Box::new(story::Story { summary, ended: run.ended, faults, written })
        };
        Ok(Verdict { good, text, files })
    }
}

/// The replay of a recording.
struct Replaying<'a, F> {
    arguments: &'a SimulateArguments,
    replay: F,
}

impl<F: FnOnce(Crowd<'_>) -> Result<Verdict>> WithTeam for Replaying<'_, F> {
    fn run(self, team: &impl Team, problem: &Problem) -> Result<Verdict> {
        (self.replay)(empty_crowd(team, self.arguments, problem, settings(self.arguments))?.0)
    }
}

/// The settings of the crowd.
fn settings(arguments: &SimulateArguments) -> CrowdSettings {
    let SimulateArguments { strategy, order, crowd, seed, .. } = arguments;
    let settings = planning::crowd(*strategy, *order, crowd, *seed);
    if *strategy == Strategy::Whca { settings.chain(chain_of_problems(crowd.window.is_some())) } else { settings }
}
