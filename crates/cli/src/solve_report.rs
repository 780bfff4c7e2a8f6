//! Reports on solving an instance, for people and as JSON.

use std::fmt;
use std::time::Duration;

use anyhow::Result;
use giveway::AgentId;
use giveway::scenario::MovedGoal;
use giveway::strategies::Served;
use giveway::time::Tick;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::arguments::Strategy;
use crate::count::Count;
use crate::moved_goals::MovedGoals;
use crate::output_file::FileList;
use crate::places::Places;
use crate::table::{Ratio, expanded, row, write_served, write_some};
use crate::unarrived::{Reasons, Unarrived, UnarrivedText};
use crate::violation_text::{Conflict, ViolationText, Violations, is_of_standing};

/// The result of solving an instance.
pub(crate) struct SolveReport {
    pub(crate) places: Places,
    pub(crate) solved: bool,
    pub(crate) strategy: Strategy,
    pub(crate) agents: usize,
    /// Of the plan, solved or not.
    pub(crate) sum_of_costs: u64,
    /// Of the plan, solved or not.
    pub(crate) makespan: Tick,
    /// For each agent as if it were alone; `None` if one of them cannot reach its goal.
    pub(crate) fewest_ticks: Option<Vec<Tick>>,
    pub(crate) expansions: u64,
    pub(crate) reverse_expansions: u64,
    pub(crate) rounds: u32,
    pub(crate) served: Served,
    pub(crate) planning: Duration,
    pub(crate) unarrived: Vec<Unarrived>,
    pub(crate) violations: Violations,
    /// `None`: goals were not to be moved.
    pub(crate) moved_goals: Option<Vec<MovedGoal>>,
    pub(crate) written: FileList,
}

/// The object that `--json` prints. Other tools read it: the keys and their order are fixed.
#[derive(Serialize)]
struct Json {
    solved: bool,
    strategy: String,
    agents: usize,
    sum_of_costs: Option<u64>,
    sum_of_costs_lower_bound: Option<u64>,
    makespan: Option<Tick>,
    makespan_lower_bound: Option<Tick>,
    expansions: u64,
    reverse_expansions: u64,
    planning_ms: Box<RawValue>,
    conflicts: usize,
    served: Option<Served>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_goals: Option<usize>,
}

impl SolveReport {
    /// The report as one JSON object on one line.
    pub(crate) fn json(&self) -> Result<String> {
        let json = Json {
            solved: self.solved,
            strategy: self.strategy.to_string(),
            agents: self.agents,
            sum_of_costs: self.solved.then_some(self.sum_of_costs),
            sum_of_costs_lower_bound: self.sum_of_costs_lower_bound(),
            makespan: self.solved.then_some(self.makespan),
            makespan_lower_bound: self.makespan_lower_bound(),
            expansions: self.expansions,
            reverse_expansions: self.reverse_expansions,
            planning_ms: RawValue::from_string(self.planning_ms())?,
            conflicts: self.violations.named.len(),
            served: Some(self.served).filter(|served| served.total() > 0),
            moved_goals: self.moved_goals.as_ref().map(Vec::len),
        };
        Ok(serde_json::to_string(&json)? + "\n")
    }

    fn sum_of_costs_lower_bound(&self) -> Option<u64> {
        Some(self.fewest_ticks.as_ref()?.iter().map(|ticks| u64::from(*ticks)).sum())
    }

    fn makespan_lower_bound(&self) -> Option<Tick> {
        self.fewest_ticks.as_ref()?.iter().copied().max()
    }

    fn planning_ms(&self) -> String {
        format!("{:.3}", self.planning.as_secs_f64() * 1000.0)
    }

    /// The result in one line, for viewers of the picture.
    pub(crate) fn outcome(&self) -> String {
        if self.solved {
            return format!("solved, sum of costs {}, makespan {}", self.sum_of_costs, self.makespan);
        }
        let conflicts = self.conflicts().count();
        let found = format!("{}{}", self.at_least(), Count(conflicts as u64, "conflict"));
        let agents = Count(self.agents as u64, "agent");
        let without = if self.strategy.is_crowd() { "not on its goal" } else { "without a path" };
        match (self.unarrived.len(), conflicts) {
            (0, _) => format!("not solved, {found}"),
            (missing, 0) => format!("not solved, {missing} of {agents} {without}"),
            (missing, _) => format!("not solved, {missing} of {agents} {without}, {found} between the others"),
        }
    }

    fn at_least(&self) -> &'static str {
        if self.violations.cut { "at least " } else { "" }
    }

    fn write_headline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (agents, missing) = (self.agents, self.unarrived.len());
        if self.solved {
            let all = if agents == 1 { "the agent arrives" } else { "all agents arrive" };
            return writeln!(f, "Solved: {all}, and the check finds no conflict.");
        }
        let conflicts = self.conflicts().count();
        let found = format!("{}{}", self.at_least(), Count(conflicts as u64, "conflict"));
        if missing == 0 {
            return writeln!(f, "Not solved: every agent has a path to its goal, and the check finds {found}.");
        }
        let fails = match (self.strategy.is_crowd(), missing) {
            (true, 1) => "does not arrive",
            (true, _) => "do not arrive",
            (false, 1) => "has no path to its goal",
            (false, _) => "have no path to their goals",
        };
        let agents = Count(agents as u64, "agent");
        writeln!(f, "Not solved: {missing} of {agents} {fails}{}.", Reasons(&self.unarrived))?;
        match (conflicts, self.unarrived.len() < self.agents) {
            (0, true) => writeln!(f, "The check finds no conflict between the others."),
            (0, false) => Ok(()),
            _ => writeln!(f, "The check finds {found} between the others."),
        }
    }

    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("sum of costs", self.sum_of_costs, self.sum_of_costs_lower_bound()),
            ("makespan", self.makespan.into(), self.makespan_lower_bound().map(u64::from)),
        ];
        row(f, "agents", &self.agents, format_args!("planned by {}{}", self.strategy, Rounds(self.rounds)))?;
        for (name, number, bound) in numbers {
            match (self.solved, bound) {
                (true, Some(bound)) => row(f, name, &number, format_args!("ticks{}", Ratio(number, bound)))?,
                (true, None) => row(f, name, &number, format_args!("ticks"))?,
                (false, Some(bound)) => row(f, name, &"-", format_args!("ticks; at least {bound}, were it solved"))?,
                (false, None) => row(f, name, &"-", format_args!("ticks"))?,
            }
        }
        row(f, "expansions", &self.expansions, format_args!("{}", expanded(self.strategy)))?;
        row(
            f,
            "reverse expansions",
            &self.reverse_expansions,
            format_args!("{}, for true distances", self.places.unit()),
        )?;
        row(f, "planning", &self.planning_ms(), format_args!("ms, without reading files, lower bounds and the check"))?;
        write_served(f, &self.served)
    }

    /// All violations except consequences of agents that fail.
    fn conflicts(&self) -> impl Iterator<Item = &Conflict> {
        self.violations
            .named
            .iter()
            .filter(|violation| !is_of_standing(violation, |id| self.stands(id), |id| self.fails(id)))
    }

    /// How often other agents pass through agents that stand at their starts without a path.
    fn passed(&self) -> usize {
        self.violations
            .named
            .iter()
            .filter(|violation| is_of_standing(violation, |id| self.stands(id), |_| false))
            .count()
    }

    fn fails(&self, id: AgentId) -> bool {
        self.unarrived.binary_search_by_key(&id, |unarrived| unarrived.agent).is_ok()
    }

    fn stands(&self, id: AgentId) -> bool {
        !self.strategy.is_crowd() && self.fails(id)
    }
}

struct Rounds(u32);

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 | 1 => Ok(()),
            2 => f.write_str(", in 2 rounds; in the first an agent found no path"),
            rounds => write!(f, ", in {rounds} rounds; in the first {} an agent found no path", rounds - 1),
        }
    }
}

/// The summary for people.
impl fmt::Display for SolveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_headline(f)?;
        writeln!(f)?;
        self.write_table(f)?;
        writeln!(f)?;
        if let Some(moved) = &self.moved_goals {
            MovedGoals(&self.places, moved).fmt(f)?;
        }
        if !self.unarrived.is_empty() {
            match (self.strategy.is_crowd(), self.passed()) {
                (true, _) => writeln!(f, "Not on their goals:")?,
                (false, 0) => writeln!(f, "Without a path:")?,
                (false, passed) => {
                    let times = format!("{}{}", self.at_least(), Count(passed as u64, "time"));
                    writeln!(
                        f,
                        "Without a path (in the plan they stand at their starts, and others pass through them {times}):"
                    )?;
                }
            }
            let named = self.unarrived.iter().map(|unarrived| UnarrivedText(&self.places, unarrived));
            write_some(f, named, self.unarrived.len())?;
        }
        let conflicts = self.conflicts().count();
        if conflicts > 0 {
            writeln!(f, "Conflicts (for all of them, --out the plan and `giveway check` it):")?;
            write_some(f, self.conflicts().map(|violation| ViolationText(&self.places, violation)), conflicts)?;
        }
        writeln!(
            f,
            "An agent's cost is the tick at which it arrives for good; the makespan is the tick at which the last agent\n\
             arrives. The lower bounds are the ticks that each agent would take alone on the map."
        )?;
        self.written.fmt(f)
    }
}
