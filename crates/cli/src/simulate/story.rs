//! What a simulation came to, for people and as JSON.

use std::fmt;

use giveway::scenario::MovedGoal;
use giveway::sim::Metrics;
use giveway::time::Ticks;
use serde::Serialize;

use crate::arguments::{Strategy, TaskName};
use crate::count::Count;
use crate::moved_goals::MovedGoals;
use crate::output_file::FileList;
use crate::places::Places;
use crate::table::{Ratio, expanded, row, write_served, write_some};
use crate::violation_text::{ViolationText, Violations};

/// What agents are about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goes {
    Task(TaskName),
    /// As the file of the world says, in steps of so many ticks.
    World(Ticks),
}

/// The result: the object that `--json` prints. Other tools read it: the keys and their order are fixed.
#[derive(Serialize)]
pub(super) struct Summary {
    #[serde(flatten)]
    pub(super) metrics: Metrics,
    pub(super) sum_of_costs: Option<u64>,
    pub(super) sum_of_costs_lower_bound: Option<u64>,
    pub(super) milliseconds: f64,
    pub(super) worst_milliseconds: f64,
    pub(super) tick_ms_median: f64,
    pub(super) tick_ms_p99: f64,
    pub(super) tick_ms_first: f64,
    pub(super) distance_bytes: usize,
    pub(super) bytes_per_agent: usize,
    pub(super) throughput: f64,
    pub(super) conflicts: usize,
    /// The final coherence of the direction map; `None`: there is no map, or nothing was learned.
    pub(super) coherence: Option<f64>,
    /// `None`: no moves were to be late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) late_moves: Option<u64>,
    /// `None`: goals were not to be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moved_goals: Option<usize>,
}

impl Summary {
    /// The result in one line, for viewers of the picture.
    pub(super) fn caption(&self, goes: Goes) -> String {
        let Metrics { arrivals, ticks, .. } = self.metrics;
        let costs = self.sum_of_costs.map(|costs| format!(", sum of costs {costs}")).unwrap_or_default();
        format!("{} in {}{costs}, {}", Count(arrivals, "arrival"), Count(ticks, "tick"), goes.words())
    }
}

impl Goes {
    fn words(self) -> String {
        let task = match self {
            Self::Task(task) => task,
            Self::World(1) => return "each of them a step".to_owned(),
            Self::World(ticks) => return format!("{ticks} to a step"),
        };
        let words = match task {
            TaskName::Once => "each agent goes to its goal and stays there",
            TaskName::Patrol => "each agent goes to its goal and back, again and again",
            TaskName::Lifelong => "each agent goes to one goal after another",
        };
        words.to_owned()
    }
}

/// The summary for people.
pub(super) struct Story {
    pub(super) summary: Summary,
    pub(super) strategy: Strategy,
    pub(super) goes: Goes,
    pub(super) agents: usize,
    pub(super) ended: bool,
    pub(super) violations: Violations,
    pub(super) places: Places,
    pub(super) moved_goals: Option<Vec<MovedGoal>>,
    pub(super) written: FileList,
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { summary, goes, agents, ended, violations, places, moved_goals, written, .. } = self;
        let metrics = &summary.metrics;
        let (agents, ticks) = (Count(*agents as u64, "agent"), Count(metrics.ticks, "tick"));
        write!(f, "{agents}, {ticks}{}", if *ended { "" } else { ", when the time limit came" })?;
        match summary.conflicts {
            0 => writeln!(f, ": {}, and the check finds no conflict.", goes.words())?,
            count => writeln!(f, ": {}, and the check finds {}.", goes.words(), Count(count as u64, "conflict"))?,
        }
        writeln!(f)?;
        self.write_work(f)?;
        self.write_effort(f)?;
        writeln!(f)?;
        if let Some(moved) = moved_goals {
            MovedGoals(places, moved).fmt(f)?;
        }
        if summary.conflicts > 0 {
            writeln!(f, "Conflicts:")?;
            let named = violations.named.iter().map(|violation| ViolationText(places, violation));
            write_some(f, named, summary.conflicts)?;
        }
        written.fmt(f)
    }
}

impl Story {
    /// The work of the agents.
    #[allow(clippy::cast_precision_loss)] // few decimals are shown
    fn write_work(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metrics = &self.summary.metrics;
        let Metrics { arrivals, flow_time, path_length, waits, revisits, replans, unreachable, .. } = *metrics;
        let mean = if arrivals == 0 { 0.0 } else { flow_time as f64 / arrivals as f64 };
        let throughput = metrics.throughput();
        row(f, "arrivals", &arrivals, format_args!("orders fulfilled, {throughput:.3} per tick"))?;
        row(
            f,
            "flow time",
            &format_args!("{mean:.1}"),
            format_args!("ticks from an order to its fulfilment, in the mean"),
        )?;
        match (self.goes, self.summary.sum_of_costs, self.summary.sum_of_costs_lower_bound) {
            (Goes::Task(TaskName::Once), Some(costs), Some(bound)) => {
                row(f, "sum of costs", &costs, format_args!("ticks{}", Ratio(costs, bound)))?;
            }
            (Goes::Task(TaskName::Once), ..) => {
                row(f, "sum of costs", &"-", format_args!("ticks: not all agents are on their goals"))?;
            }
            _ => {}
        }
        row(f, "path length", &path_length, format_args!("moves"))?;
        row(f, "waits", &waits, format_args!("ticks in which an agent was under way and did not move"))?;
        row(f, "revisits", &revisits, format_args!("cells in which an agent was again before it arrived"))?;
        row(f, "replans", &replans, format_args!("plans after the first one for an order"))?;
        write_served(f, &metrics.served)?;
        if let Some(late) = self.summary.late_moves {
            row(f, "late moves", &late, format_args!("in this part of the run, by 1 to 10 ticks"))?;
        }
        if let Some(coherence) = self.summary.coherence {
            row(
                f,
                "coherence",
                &format_args!("{coherence:.3}"),
                format_args!("of the direction map: 1 if its directions go on into each other"),
            )?;
        }
        if unreachable > 0 {
            row(f, "unreachable", &unreachable, format_args!("orders that could not be fulfilled"))?;
        }
        Ok(())
    }

    /// The effort.
    fn write_effort(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Metrics { stopped, failed, overridden, rolled_back, expansions, reverse_expansions, .. } =
            self.summary.metrics;
        let Metrics { worst_tick, worst_tick_expansions, postponed, out_of_memory, .. } = self.summary.metrics;
        row(f, "overridden", &overridden, format_args!("rests that had to make way; {rolled_back} could not"))?;
        row(f, "failed searches", &failed, format_args!("in which other agents left no way"))?;
        row(f, "guard stops", &stopped, format_args!("moves that were no longer safe"))?;
        if postponed > 0 {
            row(f, "postponed", &postponed, format_args!("turns, for want of work"))?;
        }
        if out_of_memory > 0 {
            row(
                f,
                "out of memory",
                &out_of_memory,
                format_args!("of these, because distances reached their memory limit"),
            )?;
        }
        row(f, "expansions", &expansions, format_args!("{}", expanded(self.strategy)))?;
        row(f, "reverse expansions", &reverse_expansions, format_args!("cells, for true distances"))?;
        row(f, "worst tick", &worst_tick_expansions, format_args!("expansions, at tick {worst_tick}"))?;
        let Summary { milliseconds, worst_milliseconds, .. } = self.summary;
        row(f, "time", &format_args!("{milliseconds:.3}"), format_args!("ms"))?;
        row(f, "longest tick", &format_args!("{worst_milliseconds:.3}"), format_args!("ms"))
    }
}
