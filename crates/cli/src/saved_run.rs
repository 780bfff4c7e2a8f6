//! Saved runs: a line of JSON for the command and its inputs, and a line in base64 for the simulation.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Parser as _;
use giveway::sim::Simulation;
use giveway::strategies::Save;
use giveway::time::Tick;

use crate::arguments::{Arguments, Command, SimulateArguments};
use crate::input_file::is_standard_input;
use crate::recording::Header;

const FORMAT: &str = "giveway-save";
const VERSION: u32 = 1;

/// A run that was saved.
pub(crate) struct SavedRun {
    pub(crate) file: PathBuf,
    pub(crate) header: Header,
    save: Save,
}

impl SavedRun {
    /// The run in the file at `path`, and the arguments with which it was begun.
    pub(crate) fn read(path: &Path) -> Result<(SimulateArguments, Self)> {
        let mut contents = Vec::new();
        if is_standard_input(path) {
            io::stdin().lock().read_to_end(&mut contents).context("-: standard input cannot be read")?;
        } else {
            contents = fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        }
        let what = "a saved run, as `giveway simulate --save-at` writes one";
        let text = String::from_utf8(contents).ok();
        let text = text.with_context(|| format!("{}:1: expected {what}", path.display()))?;
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let header = Header::parse(first, path, (FORMAT, VERSION), what)?;
        let command = std::iter::once("giveway").chain(header.arguments.iter().map(String::as_str));
        let arguments = match Arguments::try_parse_from(command).map(|arguments| arguments.command) {
            Ok(Command::Simulate(simulate)) if simulate.problem.problem.is_none() && simulate.resume.is_none() => {
                simulate
            }
            _ => bail!("{}:1: expected the arguments of `giveway simulate`, with a map", path.display()),
        };
        let bytes = STANDARD.decode(rest.trim_end()).ok();
        let bytes = bytes.with_context(|| format!("{}:2: expected a save in base64", path.display()))?;
        let save = Save::from_bytes(&bytes).with_context(|| format!("{}:2", path.display()))?;
        Ok((arguments, Self { file: path.to_owned(), header, save }))
    }

    /// Makes `simulation`, which has no agents yet, what was saved.
    pub(crate) fn load(&self, simulation: &mut Simulation<'_>) -> Result<()> {
        simulation.load(&self.save).with_context(|| {
            let written_by = &self.header.giveway;
            match written_by == env!("CARGO_PKG_VERSION") {
                true => format!("{}:2", self.file.display()),
                false => format!("{}:2: written by giveway {written_by}", self.file.display()),
            }
        })
    }

    /// Checks that a run of `ticks` ticks has some after the first `now`.
    pub(crate) fn check_ticks(&self, ticks: Tick, now: Tick) -> Result<()> {
        if ticks <= now {
            bail!("--ticks: expected more than {now}, the ticks that the saved run has had, found {ticks}");
        }
        Ok(())
    }
}

impl SimulateArguments {
    /// These arguments of a saved run, with the outputs and the end that `present` says.
    pub(crate) fn with_outputs_of(self, present: &SimulateArguments) -> Self {
        let SimulateArguments { csv, trace, hashes, save_at, pictures, json, ticks, time_limit, learning, .. } =
            present;
        let mut arguments = Self {
            csv: csv.clone(),
            trace: trace.clone(),
            hashes: hashes.clone(),
            record: None,
            save_at: save_at.clone(),
            pictures: pictures.clone(),
            json: *json,
            ticks: *ticks,
            time_limit: *time_limit,
            ..self
        };
        arguments.learning.learned.clone_from(&learning.learned);
        arguments
    }
}

/// When a run is to be saved, and where.
pub(crate) struct SaveAt {
    tick: Tick,
    pub(crate) file: PathBuf,
}

impl SaveAt {
    /// What `arguments` say.
    pub(crate) fn of(arguments: &SimulateArguments) -> Result<Option<Self>> {
        let [tick, file] = &arguments.save_at[..] else { return Ok(None) };
        let last = arguments.ticks - 1;
        let known = tick.to_str().and_then(|tick| tick.parse().ok()).filter(|tick| *tick <= last);
        let known = known.with_context(|| {
            format!("--save-at: expected a tick from 0 to {last}, found '{}'", tick.to_string_lossy())
        })?;
        Ok(Some(Self { tick: known, file: file.into() }))
    }
}

/// Where a run begins, and when it is saved.
pub(crate) struct Saving {
    pub(crate) saved: Option<SavedRun>,
    pub(crate) save_at: Option<SaveAt>,
}

impl Saving {
    /// Whether the run is to be saved after `tick`.
    pub(crate) fn is_due(&self, tick: Tick) -> bool {
        self.save_at.as_ref().is_some_and(|save_at| save_at.tick == tick)
    }

    /// The contents of the file.
    pub(crate) fn text(&self, simulation: &Simulation<'_>) -> Result<String> {
        let header = match &self.saved {
            Some(saved) => saved.header.clone(),
            None => Header::of_this_run(FORMAT, VERSION, "--save-at")?,
        };
        let save = simulation.save().context("--save-at")?;
        Ok(format!("{}\n{}\n", serde_json::to_string(&header)?, STANDARD.encode(save.to_bytes())))
    }

    /// Checks that the run was saved before it ended, after `now` ticks.
    pub(crate) fn check_written(&self, text: &str, now: Tick) -> Result<()> {
        match &self.save_at {
            Some(SaveAt { tick, .. }) if text.is_empty() => {
                bail!("--save-at: expected a tick of the run, found {tick}: the run has ended after {now} ticks")
            }
            _ => Ok(()),
        }
    }
}
