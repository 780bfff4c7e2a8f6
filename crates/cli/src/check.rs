//! `giveway check`: the violations of a plan or a trace.

mod trace;
mod walls;
mod world;

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use giveway::Agent;
use giveway::plan::PlanIn;
use giveway::scenario::{PlanText, Scenario};
use giveway::spaces::Grid;
use giveway::time::Tick;

use crate::arguments::{CheckArguments, Connectivity};
use crate::count::Count;
use crate::input_file;
use crate::places::{Place, Places};
use crate::verdict::Verdict;
use crate::violation_text::{Found, ViolationText, Violations};
use crate::world::World;
pub(crate) use walls::MapWalls;

/// Checks the plan or trace that `arguments` name.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Verdict> {
    arguments.refuse_idle()?;
    match (arguments, &arguments.trace) {
        (CheckArguments { world: Some(world), plan, .. }, trace) => {
            world::check(arguments, world, plan.as_deref(), trace.as_deref())
        }
        (CheckArguments { map: Some(map), plan: Some(plan), .. }, None) => check_plan(arguments, map, plan),
        (_, Some(trace)) => trace::check(arguments, trace),
        _ => bail!("expected --map and --plan, or --trace"),
    }
}

fn check_plan(arguments: &CheckArguments, map: &Path, file: &Path) -> Result<Verdict> {
    let connectivity = arguments.connectivity.unwrap_or(Connectivity::Four);
    let what = "with --plan, whose agents are on cells, or else --trace";
    let cells = World::read(map, &arguments.of_map)?.into_cells(map, what)?;
    let grid = cells.grid(map, connectivity)?;
    let text = read_plan(file)?;
    let other_map = other_map(&text, map);
    let fitted = Fitted::new(&text, &grid, |stated| match &arguments.scen {
        Some(scen) => {
            let scenario = input_file::read(scen, Scenario::read, Scenario::parse)?;
            Ok((scenario.agents(text.agents, &grid)?, GoalSource::OfScenario))
        }
        None if text.goals.is_some() => Ok((stated.to_vec(), GoalSource::OfHeader)),
        None => Ok((stated.to_vec(), GoalSource::Anywhere)),
    });
    let fitted = match &other_map {
        Some(other) => fitted.with_context(|| other.clone())?,
        None => fitted?,
    };
    Ok(fitted.verdict(&text, grid, other_map))
}

/// The plan in `file`, with agents.
fn read_plan(file: &Path) -> Result<PlanText> {
    let text = input_file::read(file, PlanText::read, PlanText::parse)?;
    if text.agents == 0 {
        bail!("{}: expected at least one agent, found none", file.display());
    }
    Ok(text)
}

/// A plan, placed on a map.
struct Fitted {
    plan: PlanIn<Grid>,
    /// The agents as the plan states them.
    stated: Vec<Agent>,
    /// The agents as they should be.
    agents: Vec<Agent>,
    goals: GoalSource,
}

impl Fitted {
    /// The plan in `text` on `grid`. `expected` says which agents it should have, given those that it states.
    ///
    /// # Errors
    /// The plan does not fit on `grid`, or it is not known what is expected.
    fn new(
        text: &PlanText,
        grid: &Grid,
        expected: impl FnOnce(&[Agent]) -> Result<(Vec<Agent>, GoalSource)>,
    ) -> Result<Self> {
        let plan = text.to_plan(grid)?;
        let stated = text.to_agents(grid)?;
        let (agents, goals) = expected(&stated)?;
        Ok(Self { plan, stated, agents, goals })
    }

    fn verdict(self, text: &PlanText, grid: Grid, other_map: Option<String>) -> Verdict {
        let Self { plan, stated, agents, goals } = self;
        let check = Check {
            other_map,
            violations: Violations::of(&plan, &agents, &grid),
            other_goals: match text.goals {
                Some(_) => {
                    stated.into_iter().zip(agents).enumerate().filter(|(_, (a, b))| a.goals != b.goals).collect()
                }
                None => Vec::new(),
            },
            agents: text.agents,
            goals,
            sum_of_costs: plan.sum_of_costs(),
            makespan: plan.makespan(),
            claims: Claims { solved: text.solved, soc: text.soc, makespan: text.makespan },
            places: Places::Cells(grid),
        };
        Verdict { good: check.is_valid(), text: Box::new(check), files: Vec::new() }
    }
}

/// A note that the plan names another map than `map`, if it does. Files get renamed, so this alone is no violation;
/// folders are not compared.
pub(crate) fn other_map(text: &PlanText, map: &Path) -> Option<String> {
    let named = text.map_file.as_deref()?.trim();
    // Any separator of folders, of the platform where the plan was made.
    let named = named.rsplit(['/', '\\']).next().filter(|named| !named.is_empty())?;
    if input_file::is_standard_input(map) {
        return None;
    }
    let found = map.file_name()?.to_string_lossy();
    (named != found).then(|| format!("the plan was made for {named}, and this is {found}"))
}

/// Where the goals of agents come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoalSource {
    OfScenario,
    OfHeader,
    /// Nothing says where agents end.
    Anywhere,
    OfWorld,
    /// The world says where some agents end, and nothing where others do.
    PartlyOfWorld,
}

/// The claims of the plan about itself.
struct Claims {
    solved: Option<bool>,
    soc: Option<u64>,
    makespan: Option<Tick>,
}

/// The result of a check.
struct Check {
    places: Places,
    /// A note that the plan is for another map, judged by names.
    other_map: Option<String>,
    violations: Violations,
    /// The agents whose goals differ between the plan's header and the scenario or the world: the two agents.
    other_goals: Vec<(usize, (Agent, Agent))>,
    agents: usize,
    goals: GoalSource,
    sum_of_costs: u64,
    makespan: Tick,
    claims: Claims,
}

impl Check {
    fn is_valid(&self) -> bool {
        self.violations.named.is_empty() && self.other_goals.is_empty()
    }

    /// Claims of the plan that are not what the check found.
    fn write_false_claims(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claims { solved, soc, makespan } = &self.claims;
        if let Some(soc) = soc.filter(|soc| *soc != self.sum_of_costs) {
            writeln!(f, "note: the plan says soc={soc}, found {}", self.sum_of_costs)?;
        }
        if let Some(makespan) = makespan.filter(|makespan| *makespan != self.makespan) {
            writeln!(f, "note: the plan says makespan={makespan}, found {}", self.makespan)?;
        }
        if let Some(solved) = solved.filter(|solved| *solved != self.is_valid()) {
            let found = if solved { "not valid" } else { "valid" };
            writeln!(f, "note: the plan says solved={}, found it {found}", u8::from(solved))?;
        }
        Ok(())
    }
}

/// A line for each violation, then the summary.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = |f: &mut fmt::Formatter<'_>| match &self.other_map {
            Some(other) => writeln!(f, "note: {other}"),
            None => Ok(()),
        };
        // Explanations of the violations come before them.
        if !self.is_valid() {
            note(f)?;
        }
        for (agent, (stated, expected)) in &self.other_goals {
            let goals = [stated, expected].map(|agent| agent.goals.nodes().first());
            if let [Some(stated), Some(expected)] = goals {
                let [stated, expected] = [stated, expected].map(|node| Place(&self.places, *node));
                let source = if self.goals == GoalSource::OfScenario { "scenario" } else { "world" };
                writeln!(f, "agent {agent} has the goal {stated} in the plan and {expected} in the {source}")?;
            }
        }
        for violation in &self.violations.named {
            writeln!(f, "{}", ViolationText(&self.places, violation))?;
        }
        let found = self.other_goals.len() + self.violations.named.len();
        write!(f, "{}: ", Found { violations: found, cut: self.violations.cut })?;
        let [sum_of_costs, makespan] = [self.sum_of_costs, self.makespan.into()].map(|ticks| Count(ticks, "tick"));
        let agents = Count(self.agents as u64, "agent");
        writeln!(f, "{agents}, sum of costs {sum_of_costs}, makespan {makespan}")?;
        if self.is_valid() {
            note(f)?;
        }
        if self.goals == GoalSource::Anywhere {
            writeln!(f, "note: there is neither a scenario nor a line goals=, so agents may end anywhere")?;
        }
        if self.goals == GoalSource::PartlyOfWorld {
            writeln!(
                f,
                "note: goals are drawn, and there is no line goals=, so agents without a goal may end anywhere"
            )?;
        }
        self.write_false_claims(f)
    }
}
