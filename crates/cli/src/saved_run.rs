//! Saved runs: a line of JSON for the command and its inputs, and a line in base64 for the crowd, what is attached to
//! its save, and what is around it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use giveway::strategies::{Save, SaveError};
use giveway::time::Tick;
use giveway::words::{Garbled, WordReader, Words};

use crate::arguments::SimulateArguments;
use crate::input_file;
use crate::recording::Header;

const FORMAT: &str = "giveway-save";
const VERSION: u32 = 1;

/// A run that was saved.
pub(crate) struct SavedRun {
    pub(crate) file: PathBuf,
    header: Header,
    save: Save,
}

impl SavedRun {
    /// The run in the file at `path`, and the arguments with which it was begun.
    pub(crate) fn read(path: &Path) -> Result<(SimulateArguments, Self)> {
        let what = "a saved run, as `giveway simulate --save-at` writes one";
        let text = String::from_utf8(input_file::bytes(path)?).ok();
        let text = text.with_context(|| format!("{}:1: expected {what}", path.display()))?;
        let (header, arguments, rest) = Header::read(&text, path, (FORMAT, VERSION), what)?;
        let bytes = STANDARD.decode(rest.trim_end()).ok();
        let bytes = bytes.with_context(|| format!("{}:2: expected a save in base64", path.display()))?;
        let save = Save::from_bytes(&bytes).with_context(|| format!("{}:2", path.display()))?;
        Ok((arguments, Self { file: path.to_owned(), header, save }))
    }

    /// From now on inputs come from the saved run.
    pub(crate) fn provide_inputs(&self) {
        input_file::read_from(self.header.inputs(), "the saved run");
    }

    /// Calls `load` with the save of the crowd and what was attached to it, and then `around` for what is around the
    /// crowd.
    pub(crate) fn load(
        &self,
        load: impl FnOnce(&Save) -> Result<(), SaveError>,
        around: impl FnOnce(&mut WordReader<'_>) -> Result<(), Garbled>,
    ) -> Result<()> {
        self.explain(self.load_parts(load, around))
    }

    /// Checks that what is around the crowd fits the crowd, when both are loaded.
    pub(crate) fn check(&self, fits: Result<(), Garbled>) -> Result<()> {
        self.explain(fits.map_err(SaveError::from))
    }

    fn explain(&self, loaded: Result<(), SaveError>) -> Result<()> {
        loaded.with_context(|| {
            let written_by = &self.header.giveway;
            match written_by == env!("CARGO_PKG_VERSION") {
                true => format!("{}:2", self.file.display()),
                false => format!("{}:2: written by giveway {written_by}", self.file.display()),
            }
        })
    }

    fn load_parts(
        &self,
        load: impl FnOnce(&Save) -> Result<(), SaveError>,
        around: impl FnOnce(&mut WordReader<'_>) -> Result<(), Garbled>,
    ) -> Result<(), SaveError> {
        let mut words = WordReader::new(self.save.attached());
        let mut save = self.save.clone();
        save.attach(words.all_bytes()?.to_vec());
        load(&save)?;
        around(&mut words)?;
        if words.is_at_end() { Ok(()) } else { Err(Garbled::new("the end of the run").into()) }
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
            out: None,
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

    /// The contents of the file for a crowd with this `save`; `around` writes what is around the crowd.
    pub(crate) fn text(&self, save: Result<Save, SaveError>, around: impl FnOnce(&mut Words)) -> Result<String> {
        let header = match &self.saved {
            Some(saved) => saved.header.clone(),
            None => Header::of_this_run(FORMAT, VERSION, "--save-at")?,
        };
        let mut save = save.context("--save-at")?;
        let mut words = Words::new();
        words.all_bytes(save.attached());
        around(&mut words);
        save.attach(words.into_bytes());
        Ok(format!("{}\n{}\n", serde_json::to_string(&header)?, STANDARD.encode(save.to_bytes())))
    }

    /// Checks that the run was saved before it ended, after `now` ticks. `Some`: it was not, because of the time limit.
    pub(crate) fn missed(&self, text: &str, now: Tick, time_is_over: bool) -> Result<Option<String>> {
        match &self.save_at {
            Some(SaveAt { tick, .. }) if text.is_empty() && time_is_over => {
                Ok(Some(format!("the time limit came after {now} ticks, before tick {tick} was over")))
            }
            Some(SaveAt { tick, .. }) if text.is_empty() => {
                bail!("--save-at: expected a tick of the run, found {tick}: the run has ended after {now} ticks")
            }
            _ => Ok(None),
        }
    }
}
