//! What came of a problem, for people and as JSON.

use std::fmt;
use std::time::Duration;

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
    conflicts: usize,
    tick_ms_median: f64,
    tick_ms_p99: f64,
    tick_ms_max: f64,
    milliseconds: f64,
}

impl Summary {
    /// The summary of `run`, in which a check has found `conflicts` faults.
    pub(super) fn of(run: &Run<'_>, conflicts: usize) -> Self {
        let mut spent = run.spent.clone();
        spent.sort_unstable();
        // The least time that is enough for this share of the ticks.
        let share = |hundredths: usize| {
            let ticks = (spent.len() * hundredths).div_ceil(100).max(1);
            milliseconds(spent.get(ticks - 1).copied().unwrap_or_default())
        };
        let Work { moves, failed, postponed, unreachable, expansions, reverse_expansions } = run.work;
        Self {
            errands: run.log.finished(),
            ticks: spent.len(),
            agents: run.log.actions().len(),
            moves,
            failed,
            postponed,
            unreachable,
            expansions,
            reverse_expansions,
            conflicts,
            tick_ms_median: share(50),
            tick_ms_p99: share(99),
            tick_ms_max: share(100),
            milliseconds: milliseconds(spent.iter().sum()),
        }
    }

    /// The result in one line, for viewers of the picture.
    pub(super) fn caption(&self) -> String {
        let (errands, ticks) = (Count(self.errands as u64, "errand"), Count(self.ticks as u64, "tick"));
        format!("{errands} in {ticks}")
    }
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
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
            row(f, "postponed", &summary.postponed, format_args!("turns, because the budget was spent"))?;
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
