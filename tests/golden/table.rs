//! The table: what every case does, a row for each, in columns that tell what a change is about.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use giveway::AgentId;
use giveway::direction::{DirectionMap, EdgeDirectionMap};
use giveway::footprint::Motion;
use giveway::search::Cost;
use giveway::sim::Simulation;
use giveway::strategies::{
    CooperativeDetails, Crowd, CrowdDetails, CrowdError, Explanation, Report, Served, SolutionIn,
};
use giveway::{Footprint, Instance, SpaceGraph};
use giveway_experiments::PatrolMetrics;

/// The columns, and what they count. A case with several plans or crowds has their sums.
const COLUMNS: [(&str, &str); 27] = [
    ("agents", "the most agents at one time"),
    ("ticks", "makespans of plans, and ticks of crowds"),
    ("cost", "costs of paths, the flow time of simulations, the length of patrols, or the shortest paths of scenarios"),
    ("moves", "moves of all agents"),
    ("waits", "ticks that a plan waits, and agents of a crowd that wait for another in a tick"),
    ("arrived", "agents with a path to a goal, arrivals in a crowd, and loops of patrols"),
    ("failed", "agents without a path, plans of a crowd that failed, and goals that cannot be reached"),
    ("rounds", "rounds of planning"),
    ("searches", "searches of crowds"),
    ("expansions", "states that searches expanded"),
    ("reverse", "nodes that reverse searches expanded"),
    ("windowed", "agent-ticks of the windowed planner"),
    ("repair", "agent-ticks of local repair"),
    ("pibt", "agent-ticks of PIBT"),
    ("lacam", "agent-ticks of LaCAM"),
    ("standing", "agent-ticks of agents that stand"),
    ("postponed", "plans for which there was no work or memory left"),
    ("overridden", "plans that another agent took the ways of"),
    ("promoted", "promotions"),
    ("pushed", "agents pushed aside"),
    ("stopped", "agents stopped, and plans rolled back"),
    ("overlaps", "agents in one place"),
    ("refused", "orders that were refused"),
    ("blockers", "links of the chains that explain why agents wait"),
    ("distance", "distances that were asked for"),
    ("learned", "hundredths of what direction maps have learned"),
    ("bytes", "bytes of traces, pictures, maps and scenarios"),
];

/// The work of a case.
pub(crate) struct Row {
    counts: [u64; COLUMNS.len()],
}

impl Row {
    fn new() -> Self {
        Self { counts: [0; COLUMNS.len()] }
    }

    fn count(&mut self, column: &str) -> &mut u64 {
        let index = COLUMNS.iter().position(|(name, _)| *name == column);
        &mut self.counts[index.expect("a column of this name")]
    }

    fn add(&mut self, column: &str, count: impl TryInto<u64>) {
        *self.count(column) += count.try_into().unwrap_or(u64::MAX);
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers, none of them below zero
    fn add_real(&mut self, column: &str, number: f64) {
        // What cannot be reached is as far as a long way.
        *self.count(column) += number.min(1_000_000.0).round() as u64;
    }

    fn served(&mut self, served: Served) {
        let Served { windowed, local_repair, pibt, lacam, standing, .. } = served;
        self.add("windowed", windowed);
        self.add("repair", local_repair);
        self.add("pibt", pibt);
        self.add("lacam", lacam);
        self.add("standing", standing);
    }

    /// Adds the number of agents of a case.
    pub(crate) fn agents(&mut self, agents: usize) {
        let most = self.count("agents");
        *most = (*most).max(agents as u64);
    }

    /// Adds a solution of `instance`.
    pub(crate) fn plan<S, F, D>(&mut self, instance: &Instance<'_, S, F>, solution: &SolutionIn<S, D>)
    where
        S: SpaceGraph,
        F: Footprint<S>,
        D: Details,
    {
        let most = self.count("agents");
        *most = (*most).max(instance.agents().len() as u64);
        self.add("ticks", solution.plan.makespan());
        for path in &solution.plan.paths {
            self.add_real("cost", real(path.cost));
            for step in &path.steps {
                match step.motion {
                    Motion::Move(_) => self.add("moves", 1),
                    Motion::Rest { .. } => self.add("waits", step.arrive - step.depart),
                }
            }
        }
        self.add("arrived", solution.plan.paths.len() - solution.unplanned.len());
        self.add("failed", solution.unplanned.len());
        self.add("rounds", solution.details.rounds());
        self.add("expansions", solution.expansions);
        self.add("reverse", solution.reverse_expansions);
        self.served(solution.details.served());
    }

    /// Adds a tick of a crowd.
    pub(crate) fn tick(&mut self, crowd: &Crowd<'_>, report: &Report) {
        let most = self.count("agents");
        *most = (*most).max(crowd.agents().count() as u64);
        self.add("ticks", 1);
        self.add("moves", report.moves);
        let waits = |agent: &AgentId| {
            crowd.is_home(*agent) == Some(false) && crowd.last_leg(*agent).is_some_and(|leg| !leg.is_move())
        };
        self.add("waits", crowd.agents().filter(waits).count());
        self.add("arrived", report.arrived.len());
        self.add("failed", report.failed.len() + report.unreachable.len());
        self.add("searches", report.searches);
        self.add("expansions", report.expansions);
        self.add("reverse", report.reverse_expansions);
        self.add("postponed", report.postponed.len() + report.out_of_memory.len());
        self.add("overridden", report.overridden.len());
        self.add("promoted", report.promoted.len());
        self.add("pushed", report.pushed.len());
        self.add("stopped", report.stopped.len());
        self.add("stopped", report.rolled_back);
        self.add("overlaps", report.overlaps);
        self.served(report.served);
    }

    /// Adds the answer to an order.
    pub(crate) fn answer<T>(&mut self, answer: &Result<T, CrowdError>) {
        self.add("refused", u64::from(answer.is_err()));
    }

    /// Adds an explanation of why an agent waits.
    pub(crate) fn explanation(&mut self, explanation: &Explanation) {
        self.add("blockers", explanation.chain.len());
    }

    /// Adds a distance that was asked for.
    pub(crate) fn distance(&mut self, distance: Option<f64>) {
        self.add_real("distance", distance.unwrap_or(0.0));
    }

    /// Adds the flow time of a simulation whose ticks were added.
    pub(crate) fn simulation(&mut self, simulation: &Simulation<'_>) {
        self.add("cost", simulation.metrics().flow_time);
    }

    /// Adds the counts of patrols.
    pub(crate) fn patrols(&mut self, metrics: &PatrolMetrics) {
        self.add_real("ticks", metrics.time);
        self.add_real("cost", metrics.path);
        self.add("arrived", metrics.loops);
        self.add("failed", metrics.failed);
        self.add("expansions", metrics.nodes);
        self.add("reverse", metrics.reverse_nodes);
        self.add("stopped", metrics.stopped);
    }

    /// Adds what a direction map has learned.
    pub(crate) fn directions(&mut self, map: &DirectionMap) {
        for (_, vector) in map.directions() {
            self.add_real("learned", vector.iter().map(|side| 100.0 * f64::from(side.abs())).sum());
        }
    }

    /// Adds what a direction map of edges has learned.
    pub(crate) fn edge_directions(&mut self, map: &EdgeDirectionMap) {
        for (_, _, value) in map.values() {
            self.add_real("learned", 100.0 * f64::from(value.abs()));
        }
    }

    /// Adds the length of a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.add("bytes", text.len());
    }
}

fn real(cost: impl Cost) -> f64 {
    cost.to_f64().unwrap_or(f64::NAN)
}

/// Details of solutions that have columns.
pub(crate) trait Details {
    fn rounds(&self) -> u32 {
        1
    }

    fn served(&self) -> Served {
        Served::default()
    }
}

impl Details for () {}

impl Details for CooperativeDetails {
    fn rounds(&self) -> u32 {
        self.rounds
    }
}

impl Details for CrowdDetails {
    fn served(&self) -> Served {
        self.served
    }
}

/// The cases that were run, and their rows.
#[derive(Default)]
pub(crate) struct Cases(BTreeMap<String, Row>);

impl Cases {
    /// Runs a case.
    pub(crate) fn run(&mut self, name: impl Into<String>, case: impl FnOnce(&mut Row)) {
        let (name, mut row) = (name.into(), Row::new());
        assert!(!name.contains(' '), "{name:?} is one word");
        case(&mut row);
        assert!(self.0.insert(name.clone(), row).is_none(), "{name} is the name of one case");
    }

    /// The table: the meaning of the columns, a head, and a row for each case. Nothing is written as a dot.
    pub(crate) fn table(&self) -> String {
        let mut table = String::from("# Written by `GIVEWAY_UPDATE=1 cargo test -p giveway --test tests golden`.\n");
        for (name, meaning) in COLUMNS {
            let _ = writeln!(table, "# {name}: {meaning}");
        }
        let mut line = |name: &str, cells: [String; COLUMNS.len()]| {
            let cells = cells.iter().zip(COLUMNS).map(|(cell, (head, _))| format!("{cell:>0$}", head.len().max(7) + 1));
            let _ = writeln!(table, "{name:<38}{}", cells.collect::<String>());
        };
        line("case", COLUMNS.map(|(head, _)| head.to_owned()));
        for (name, row) in &self.0 {
            line(name, row.counts.map(|count| if count == 0 { ".".to_owned() } else { count.to_string() }));
        }
        table
    }
}

/// The rows of a table by name, with the numbers by column.
fn rows(table: &str) -> BTreeMap<&str, BTreeMap<&str, &str>> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#')).map(str::split_whitespace);
    let head: Vec<&str> = lines.next().into_iter().flatten().skip(1).collect();
    lines.filter_map(|mut cells| Some((cells.next()?, head.iter().copied().zip(cells).collect()))).collect()
}

/// A line for each case whose row differs, with the columns that do.
pub(crate) fn differences(before: &str, now: &str) -> String {
    let (before, now) = (rows(before), rows(now));
    let mut differences = String::new();
    for (name, row) in &now {
        let Some(old) = before.get(name) else {
            let _ = writeln!(differences, "{name}: a new case");
            continue;
        };
        let number = |count: &'_ str| if count == "." { "0".to_owned() } else { count.to_owned() };
        let changed = COLUMNS.iter().filter_map(|(column, _)| {
            let [old, new] = [old, row].map(|row| row.get(column).copied().unwrap_or("."));
            (old != new).then(|| format!("{column} before {}, now {}", number(old), number(new)))
        });
        let changed: Vec<String> = changed.collect();
        if !changed.is_empty() {
            let _ = writeln!(differences, "{name}: {}", changed.join("; "));
        }
    }
    for name in before.keys().filter(|name| !now.contains_key(*name)) {
        let _ = writeln!(differences, "{name}: no such case any more");
    }
    differences
}
