//! The files that `solve` and `simulate` write.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::Result;
use giveway::plan::Trace;
use giveway::render::{Backdrop, FloorPlan};
use giveway::scenario::TraceFile;

use crate::arguments::{LearningArguments, PictureArguments};
use crate::input_file;
use crate::learning::{self, Learned};
use crate::node_map::Labels;
use crate::output_file::{FileList, OutputFile, StagedFile, claim_of_json};
use crate::pictures::Pictures;

/// The files that are asked for.
pub(crate) struct Outputs {
    /// In the order in which they were claimed.
    own: Vec<Option<OutputFile>>,
    learned: Option<OutputFile>,
    trace: Option<OutputFile>,
    pictures: Pictures,
    /// How pictures show floors; `None`: there is one.
    floors: Option<FloorPlan>,
    /// Their names.
    pub(crate) written: FileList,
}

impl Outputs {
    /// Claims the files. No output may be another output, or an input. `own` are the files that the other command does
    /// not write, each after its flag.
    pub(crate) fn claim<'a>(
        inputs: impl IntoIterator<Item = (&'a str, &'a Path)>,
        own: &[(&'a str, &'a Option<PathBuf>)],
        trace: &'a Option<PathBuf>,
        learning: &'a LearningArguments,
        pictures: &'a PictureArguments,
        json: bool,
    ) -> Result<Self> {
        let mut others = input_file::files(inputs);
        others.extend(claim_of_json(json));
        Ok(Self {
            written: FileList::of_options(
                own.iter().map(|(_, own)| *own).chain([trace, &learning.learned]).chain(pictures.files()),
            ),
            learned: learning::claim(learning, &mut others)?,
            own: { own.iter() }
                .map(|(flag, own)| OutputFile::claim_next(flag, own.as_deref(), &mut others))
                .collect::<Result<_>>()?,
            trace: OutputFile::claim_next("--trace", trace.as_deref(), &mut others)?,
            pictures: Pictures::claim(pictures, others)?,
            floors: None,
        })
    }

    /// Makes pictures show floors beside each other by `plan`.
    pub(crate) fn on_floors(self, plan: Option<FloorPlan>) -> Self {
        Self { floors: plan, ..self }
    }

    /// Refuses files that were read so far, as a map that a world names. Call this when all is read, before the work.
    pub(crate) fn spare_inputs(&self) -> Result<()> {
        let Self { own, learned, trace, pictures, .. } = self;
        own.iter().chain([learned, trace]).flatten().try_for_each(OutputFile::spare_inputs)?;
        pictures.spare_inputs()
    }

    /// Gives up the file of its own at `position`, for this reason. The others are written.
    pub(crate) fn give_up(&mut self, position: usize, why: String) {
        if let Some(file) = self.own.get_mut(position).and_then(Option::take) {
            self.written.miss(file.name(), why);
        }
    }

    /// Whether a file needs the trace.
    pub(crate) fn need_trace(&self) -> bool {
        self.trace.is_some() || !self.pictures.is_empty()
    }

    /// Writes `own`, which tells the contents of the file of its own at a position, and the others beside their places.
    pub(crate) fn stage<T: Display>(
        self,
        mut own: impl FnMut(usize) -> Result<T>,
        backdrop: impl FnOnce() -> Backdrop,
        trace: impl FnOnce() -> (Trace, Labels),
        learned: Learned<'_>,
        [title, caption]: [&str; 2],
    ) -> Result<Vec<StagedFile>> {
        let (mut staged, needs_trace) = (Vec::new(), self.need_trace());
        for (position, file) in self.own.into_iter().enumerate() {
            if let Some(file) = file {
                staged.push(file.stage(&own(position)?)?);
            }
        }
        if needs_trace {
            let (trace, labels) = trace();
            let shown = self.floors.map(|plan| plan.trace(&trace));
            let shown = shown.as_ref().unwrap_or(&trace);
            staged.extend(self.pictures.stage(backdrop, shown, learned.flow, title, caption)?);
            if let Some(file) = self.trace {
                staged.push(file.stage(&labels.of(TraceFile::new(trace)?))?);
            }
        }
        staged.extend(learning::stage(self.learned, learned.map)?);
        Ok(staged)
    }
}
