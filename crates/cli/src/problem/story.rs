//! What came of a problem, for people and as JSON.

use std::fmt;

use giveway::scenario::ProblemFault;
use serde::Serialize;

use super::run::{Run, Work};
use crate::count::Count;
use crate::output_file::FileList;
use crate::table::{row, write_some};

/// The result: the object that `--json` prints. Other tools read it: the keys and their order are fixed.
#[derive(Serialize)]
pub(super) struct Summary {
    errands: usize,
    ticks: usize,
    agents: usize,
    moves: u64,
    failed: u64,
    postponed: u64,
    unreachable: u64,
    expansions: u64,
    reverse_expansions: u64,
    work: u64,
    conflicts: usize,
    tick_ms_median: f64,
    tick_ms_p99: f64,
    tick_ms_max: f64,
    milliseconds: f64,
    tick_ms_first: f64,
    distance_bytes: usize,
    bytes_per_agent: usize,
    throughput: f64,
}

impl Summary {
    /// The summary of `run` with a number of `agents`.
    #[allow(clippy::cast_precision_loss)] // a ratio
    pub(super) fn of(run: &Run<'_>, agents: usize) -> Self {
        let times = run.times.summary();
        let (errands, ticks) = (run.log.finished(), run.log.steps() as usize);
        let Work { moves, failed, postponed, unreachable, expansions, reverse_expansions, work } = run.work;
        Self {
            errands,
            ticks,
            agents,
            moves,
            failed,
            postponed,
            unreachable,
            expansions,
            reverse_expansions,
            work,
            conflicts: run.log.faults().len(),
            tick_ms_median: times.median,
            tick_ms_p99: times.p99,
            tick_ms_max: times.max,
            milliseconds: times.sum,
            tick_ms_first: times.first,
            distance_bytes: run.distance_bytes,
            bytes_per_agent: run.crowd_bytes / agents.max(1),
            throughput: errands as f64 / ticks.max(1) as f64,
        }
    }

    /// The result in one line, for viewers of the picture.
    pub(super) fn caption(&self) -> String {
        let (errands, ticks) = (Count(self.errands as u64, "errand"), Count(self.ticks as u64, "tick"));
        format!("{errands} in {ticks}")
    }
}

/// The summary for people.
pub(super) struct Story {
    pub(super) summary: Summary,
    pub(super) ended: bool,
    pub(super) faults: Vec<ProblemFault>,
    pub(super) written: FileList,
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { summary, ended, faults, written } = self;
        let (robots, ticks) = (Count(summary.agents as u64, "robot"), Count(summary.ticks as u64, "tick"));
        let limit = if *ended { "" } else { ", when the time limit came" };
        write!(f, "{robots}, {ticks}{limit}: each robot has one errand after the other, and the check finds ")?;
        match faults.len() {
            0 => writeln!(f, "no fault.")?,
            count => writeln!(f, "{}.", Count(count as u64, "fault"))?,
        }
        writeln!(f)?;
        row(f, "errands", &summary.errands, format_args!("finished"))?;
        row(f, "moves", &summary.moves, format_args!("steps forward, and turns"))?;
        row(f, "failed searches", &summary.failed, format_args!("in which other robots left no way"))?;
        if summary.postponed > 0 {
            row(f, "postponed", &summary.postponed, format_args!("turns, for want of work"))?;
        }
        if summary.unreachable > 0 {
            row(f, "unreachable", &summary.unreachable, format_args!("errands at places that cannot be reached"))?;
        }
        row(f, "expansions", &summary.expansions, format_args!("states, each a place and a tick"))?;
        row(f, "reverse expansions", &summary.reverse_expansions, format_args!("places, for true distances"))?;
        row(f, "time", &format_args!("{:.3}", summary.milliseconds), format_args!("ms, of all ticks"))?;
        row(f, "median tick", &format_args!("{:.3}", summary.tick_ms_median), format_args!("ms"))?;
        row(f, "99 % of ticks", &format_args!("{:.3}", summary.tick_ms_p99), format_args!("ms, at most"))?;
        row(f, "longest tick", &format_args!("{:.3}", summary.tick_ms_max), format_args!("ms"))?;
        writeln!(f)?;
        if !faults.is_empty() {
            writeln!(f, "Faults:")?;
            write_some(f, faults.iter(), faults.len())?;
        }
        written.fmt(f)
    }
}
