//! `giveway repro`: the experiments on direction maps run again, the paper's figures beside ours.
//!
//! Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008.

mod files;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result, anyhow, bail};
use giveway::render::{Arrow, FlowPicture};
use giveway::scenario::Escaped;
use giveway_experiments::{Experiment, Method, Report, Reproduction, RunEvent, Setup, World};

use crate::arguments::ReproArguments;
use crate::input_file;
use crate::output_file::{FileList, OutputFile, claim_of_json};
use crate::pictures::backdrop;
use crate::table;
use crate::verdict::Verdict;
use crate::watch::bar;

/// Runs the experiment that `arguments` name, and writes the files that they ask for.
pub(crate) fn repro(arguments: &ReproArguments) -> Result<Verdict> {
    let experiment = arguments.experiment;
    let setup = setup(arguments)?;
    let plot = experiment.plotted(arguments.plot).map_err(|why| anyhow!("--plot: {why}"))?;
    let drawn = drawn(arguments, &setup)?;
    let files = files::find(arguments, setup.set())?;
    let mut others: Vec<(&str, &Path)> = vec![("--map", &files.map)];
    others.extend(files.scenarios.iter().map(|scen| ("--scen", scen.as_path())));
    others.extend(claim_of_json(arguments.json));
    if others.iter().any(|(flag, path)| *flag != "--json" && input_file::is_standard_input(path)) {
        bail!("-: repro reads no standard input; a file of that name is ./-");
    }
    let csv = OutputFile::claim_next("--csv", arguments.csv.as_deref(), &mut others)?;
    let svg = OutputFile::claim_next("--svg", arguments.svg.as_deref(), &mut others)?;
    let arrows = OutputFile::claim_next("--arrows", arguments.arrows.as_deref(), &mut others)?;

    let world = World::read(&setup, &files, arguments.agents)?;
    let threads = arguments.threads.or(thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let bar = bar((setup.methods().len() * files.scenarios.len()) as u64, "runs");
    let reproduction = Reproduction::run(&setup, &world, threads, |event| match event {
        RunEvent::Begun(run) => bar.set_message(Escaped(run).to_string()),
        RunEvent::Ended => bar.inc(1),
    });
    bar.finish_and_clear();
    let reproduction = reproduction?;

    let mut staged = Vec::new();
    if let Some(file) = svg {
        staged.push(file.stage(&reproduction.chart(plot))?);
    }
    if let Some(file) = csv {
        let lines = match experiment {
            Experiment::Figure8 => table::csv(&reproduction.samples())?,
            _ => table::csv(&reproduction.rows())?,
        };
        staged.push(file.stage(&lines)?);
    }
    if let Some((file, method)) = arrows.zip(drawn)
        && let Some((scenario, map)) = reproduction.learned(method)
    {
        let (arrows, backdrop) = (Arrow::from_map(world.grid(), map), backdrop(world.grid()));
        let title = format!("{method} on {scenario}");
        staged.push(file.stage(&FlowPicture::new(&arrows, &backdrop).title(title))?);
    }
    let report = reproduction.report();
    let text: Box<dyn fmt::Display> = if arguments.json {
        Box::new(serde_json::to_string(&report).context("JSON")? + "\n")
    } else {
        let written = FileList::of_options([&arguments.csv, &arguments.svg, &arguments.arrows]);
        Box::new(Told { report, written })
    };
    Ok(Verdict { good: true, text, files: staged })
}

/// The experiment as `arguments` ask for it.
///
/// # Errors
/// A given argument makes no difference in this experiment.
fn setup(arguments: &ReproArguments) -> Result<Setup> {
    let experiment = arguments.experiment;
    if arguments.set.is_some() && experiment.own_set().is_some() {
        bail!("--set: only figure8 and hybrids have a choice of scenarios");
    }
    let setup = Setup::new(experiment, arguments.settings());
    if arguments.weight.is_some() && !setup.depends_on_weight() {
        bail!("--weight: none of the methods depends on it; \"dm\" would, in --methods");
    }
    Ok(setup)
}

/// The method whose direction map is drawn.
fn drawn(arguments: &ReproArguments, setup: &Setup) -> Result<Option<Method>> {
    match arguments.arrows_of {
        Some(method) if !setup.methods().contains(&method) => bail!("--arrows-of: {method} is not among the methods"),
        Some(method) => Ok(Some(method)),
        None => Ok(setup.methods().last().copied()),
    }
}

/// The report on an experiment, and the written files.
struct Told {
    report: Report,
    written: FileList,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)?;
        if !self.written.is_empty() {
            writeln!(f)?;
        }
        self.written.fmt(f)
    }
}
