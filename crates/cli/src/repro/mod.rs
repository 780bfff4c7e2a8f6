//! `giveway repro`: the experiments on direction maps run again, the paper's figures beside ours.
//!
//! Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008.

mod experiment;
mod figures;
mod findings;
mod hybrid;
mod method;
mod metric;
mod notes;
mod numbers;
mod patrol;
mod published;
mod row;
mod setup;
mod summary;
mod table;
mod world;

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result};
use giveway::render::{Arrow, FlowPicture};

use crate::arguments::{Experiment, ReproArguments};
use crate::count::Count;
use crate::output_file::{FileList, OutputFile, claim_of_json};
use crate::pictures::backdrop;
use crate::verdict::Verdict;

use experiment::{Run, run_all};
use row::Row;
use setup::Setup;
use summary::MethodSummary;
use table::Reproduction;
use world::{AgentCount, Files, World};

pub(crate) use method::Method;
pub(crate) use metric::RunMetric;

/// Runs the experiment that `arguments` name, and writes the files that they ask for.
pub(crate) fn repro(arguments: &ReproArguments) -> Result<Verdict> {
    let mut setup = Setup::new(arguments)?;
    let plot = figures::plotted(setup.experiment, arguments.plot)?;
    let drawn = drawn(arguments, &setup)?;
    let files = Files::find(arguments, &setup.set)?;
    let mut others: Vec<(&str, &Path)> = vec![("--map", &files.map)];
    others.extend(files.scenarios.iter().map(|scen| ("--scen", scen.as_path())));
    others.extend(claim_of_json(arguments.json));
    let csv = OutputFile::claim_next("--csv", arguments.csv.as_deref(), &mut others)?;
    let svg = OutputFile::claim_next("--svg", arguments.svg.as_deref(), &mut others)?;
    let arrows = OutputFile::claim_next("--arrows", arguments.arrows.as_deref(), &mut others)?;

    let world = World::read(&files, AgentCount::new(arguments, &setup.set))?;
    if world.left_out > 0 {
        let [_, most] = world.agents();
        setup.changed.push(format!("the first {} of each scenario", Count(most as u64, "agent")));
    }
    let threads = arguments.threads.or(thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let runs = run_all(&setup, &world, arguments.seed, threads)?;
    let summaries: Vec<MethodSummary> =
        setup.methods.iter().zip(&runs).map(|(method, runs)| MethodSummary::of(&setup, *method, runs)).collect();

    let mut staged = Vec::new();
    if let Some(file) = svg {
        staged.push(file.stage(&figures::chart(&setup, &summaries, &runs, plot))?);
    }
    if let Some(file) = csv {
        staged.push(file.stage(&csv_of(&setup, &runs)?)?);
    }
    if let Some((file, run)) = arrows.zip(runs.get(drawn).and_then(|runs| runs.first())) {
        let (arrows, backdrop) = (Arrow::from_map(&world.grid, &run.map), backdrop(&world.grid));
        let title = format!("{} on {}", run.row.method, run.row.scenario);
        staged.push(file.stage(&FlowPicture::new(&arrows, &backdrop).title(title))?);
    }
    let written = FileList::of_options([&arguments.csv, &arguments.svg, &arguments.arrows]);
    let reproduction = Reproduction::new(&setup, &world, &files, arguments.seed, summaries, &runs, written);
    let text: Box<dyn std::fmt::Display> =
        if arguments.json { Box::new(reproduction.json()?) } else { Box::new(reproduction) };
    Ok(Verdict { good: true, text, files: staged })
}

/// The place among the methods of the one whose direction map is drawn.
fn drawn(arguments: &ReproArguments, setup: &Setup) -> Result<usize> {
    let Some(method) = arguments.arrows_of else {
        return Ok(setup.methods.len().saturating_sub(1));
    };
    let place = setup.methods.iter().position(|other| *other == method);
    place.with_context(|| format!("--arrows-of: {method} is not among the methods"))
}

fn csv_of(setup: &Setup, runs: &[Vec<Run>]) -> Result<String> {
    if setup.experiment == Experiment::Figure8 {
        return crate::table::csv(&figures::samples(setup, runs));
    }
    let rows: Vec<Row> = runs.iter().flatten().map(|run| run.row.clone()).collect();
    crate::table::csv(&rows)
}
