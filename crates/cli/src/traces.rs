//! Traces that are read.

use std::path::Path;

use anyhow::{Result, bail};
use giveway::plan::{Trace, TracedBody};
use giveway::scenario::TraceFile;
use giveway::time::Tick;

use crate::input_file;

/// The trace in `file`; with a `radius`, its agents are discs.
pub(crate) fn read(file: &Path, radius: Option<f32>) -> Result<Trace> {
    let mut trace = input_file::read(file, TraceFile::read, TraceFile::parse)?.into_trace();
    if trace.agents.is_empty() {
        bail!("{}: expected at least one agent, found none", file.display());
    }
    if let Some(radius) = radius {
        for agent in &mut trace.agents {
            agent.body = Some(TracedBody::Disc { center: [0.0; 2], radius });
            agent.changes.clear();
        }
    }
    Ok(trace)
}

/// The last tick at which something happens.
pub(crate) fn end_of(trace: &Trace) -> Tick {
    let ends = trace.agents.iter().flat_map(|agent| {
        let moved = agent.moves.last().map_or(agent.appears, |step| step.arrive);
        [Some(moved), agent.vanishes]
    });
    ends.chain([trace.until]).flatten().max().unwrap_or(0)
}
