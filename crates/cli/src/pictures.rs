//! Pictures of a plan: a player in one HTML file, and an SVG.

use std::borrow::Cow;
use std::path::Path;

use anyhow::Result;
use giveway::plan::Trace;
use giveway::render::{Backdrop, Flow, PlanPicture, Player};
use giveway::spaces::Grid;

use crate::arguments::PictureArguments;
use crate::count::Count;
use crate::output_file::{OutputFile, StagedFile};

/// The requested pictures.
pub(crate) struct Pictures {
    html: Option<OutputFile>,
    svg: Option<OutputFile>,
}

impl Pictures {
    /// Claims the files that `arguments` name; they must be none of the `others`.
    pub(crate) fn claim<'a>(arguments: &'a PictureArguments, mut others: Vec<(&'a str, &'a Path)>) -> Result<Self> {
        Ok(Self {
            html: OutputFile::claim_next("--html", arguments.html.as_deref(), &mut others)?,
            svg: OutputFile::claim_next("--svg", arguments.svg.as_deref(), &mut others)?,
        })
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.html.is_none() && self.svg.is_none()
    }

    /// Refuses to be files that were read.
    pub(crate) fn spare_inputs(&self) -> Result<()> {
        [&self.html, &self.svg].into_iter().flatten().try_for_each(OutputFile::spare_inputs)
    }

    /// Draws `trace` on `backdrop`, valid or not. The `flow` and the `caption` appear in the player only.
    pub(crate) fn stage(
        self,
        backdrop: impl FnOnce() -> Backdrop,
        trace: &Trace,
        flow: Flow,
        title: &str,
        caption: &str,
    ) -> Result<Vec<StagedFile>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let backdrop = &backdrop();
        let player =
            |file: OutputFile| file.stage(&Player::new(trace, backdrop).flow(flow).title(title).caption(caption));
        let picture = |file: OutputFile| file.stage(&PlanPicture::new(trace, backdrop).title(title));
        let staged = [self.html.map(player).transpose()?, self.svg.map(picture).transpose()?];
        Ok(staged.into_iter().flatten().collect())
    }
}

/// The walls of `grid`.
pub(crate) fn backdrop(grid: &Grid) -> Backdrop {
    Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y))
}

/// The title of a picture of `agents` agents on the map in the file `map`, with the `solver` of their plan, if known.
pub(crate) fn title(agents: usize, map: &Path, solver: Option<&str>) -> String {
    let solver = solver.map(|solver| format!(" by {solver}")).unwrap_or_default();
    format!("{} on {}{solver}", Count(agents as u64, "agent"), map_name(map))
}

/// The name of the map in the file `map`.
pub(crate) fn map_name(map: &Path) -> Cow<'_, str> {
    map.file_stem().unwrap_or_default().to_string_lossy()
}
