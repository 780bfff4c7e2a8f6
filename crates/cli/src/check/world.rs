//! Checks plans and traces in a world: its file says which bodies agents have, and where they may be.

use std::path::Path;

use anyhow::{Result, bail};
use giveway::plan::Trace;
use giveway::scenario::PlanText;

use super::trace::TraceCheck;
use super::{Fitted, GoalSource, read_plan};
use crate::arguments::CheckArguments;
use crate::count::Count;
use crate::traces::{self, end_of};
use crate::verdict::Verdict;
use crate::violation_text::ViolationText;
use crate::worlds::{KindSpace, LoadedWorld, UNKNOWN};

/// Checks the plan, or else the trace, in the world in the file at `path`.
pub(super) fn check(
    arguments: &CheckArguments,
    path: &Path,
    plan: Option<&Path>,
    trace: Option<&Path>,
) -> Result<Verdict> {
    let world = LoadedWorld::read_to_check(path)?;
    match (plan, trace) {
        (Some(plan), _) => check_plan(&world, path, plan),
        (None, Some(trace)) => check_trace(arguments, &world, path, trace),
        (None, None) => bail!("expected --plan or --trace"),
    }
}

/// Refuses a file with more or fewer agents than the world.
fn refuse_others(world: &LoadedWorld, path: &Path, file: &Path, found: usize) -> Result<()> {
    let count = world.crew.len();
    if found != count {
        let expected = Count(count as u64, "agent");
        bail!("{}: expected {expected}, as in {}, found {found}", file.display(), path.display());
    }
    Ok(())
}

fn check_plan(world: &LoadedWorld, path: &Path, file: &Path) -> Result<Verdict> {
    let Some(KindSpace::Grid(on)) = world.kinds.first().map(|kind| &kind.space) else {
        bail!("{}: expected a world of points on one map of square cells with --plan, or else --trace", path.display())
    };
    if world.file.document().areas.iter().any(|area| !area.opens.is_empty()) {
        bail!("{}: expected a world in which no area opens with --plan, or else --trace", path.display());
    }
    let text = read_plan(file)?;
    refuse_others(world, path, file, text.agents)?;
    let grid = &on.space;
    let fitted = Fitted::new(&text, grid, |stated| {
        let mut agents = stated.to_vec();
        for (agent, member) in agents.iter_mut().zip(&world.crew) {
            if member.agent.start != UNKNOWN {
                agent.start = member.agent.start;
            }
            if !member.agent.goals.nodes().is_empty() {
                agent.goals = member.agent.goals.clone();
            }
        }
        let is_known = text.goals.is_some() || world.crew.iter().all(|member| !member.agent.goals.nodes().is_empty());
        Ok((agents, if is_known { GoalSource::OfWorld } else { GoalSource::PartlyOfWorld }))
    })?;
    let other_map = named_otherwise(world, &text);
    Ok(fitted.verdict(&text, grid.clone(), other_map))
}

/// A note that the plan names another map than the world does.
fn named_otherwise(world: &LoadedWorld, text: &PlanText) -> Option<String> {
    let map = world.file.document().maps.first()?.file.as_ref()?;
    super::other_map(text, &map.value)
}

fn check_trace(arguments: &CheckArguments, world: &LoadedWorld, path: &Path, file: &Path) -> Result<Verdict> {
    let mut trace: Trace = traces::read(file, None)?;
    refuse_others(world, path, file, trace.agents.len())?;
    let mut others = Vec::new();
    for (number, (agent, member)) in trace.agents.iter_mut().zip(&world.crew).enumerate() {
        let kind = &world.kinds[member.kind];
        if agent.body != kind.outline || !agent.changes.is_empty() {
            others.push(format!("agent {number} has another body in the trace than class {:?}", kind.name));
        }
        agent.body.clone_from(&kind.outline);
        agent.changes.clear();
    }
    let mut notes = Vec::new();
    if let Some(first) = others.first() {
        let more = others.len() - 1;
        let rest = if more == 0 { String::new() } else { format!(", and so have {}", Count(more as u64, "other")) };
        notes.push(format!("{first}{rest}: bodies are those of the world"));
    }
    let found = world.check(&trace, arguments.tolerance);
    let places = world.places();
    let mut named: Vec<(f64, String)> =
        found.named.iter().map(|conflict| (conflict.tick(), ViolationText(&places, conflict).to_string())).collect();
    named.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let check = TraceCheck {
        violations: named.into_iter().map(|(_, violation)| violation).collect(),
        cut: found.cut,
        agents: trace.agents.len(),
        moves: trace.agents.iter().map(|agent| agent.moves.len()).sum(),
        end: end_of(&trace),
        notes,
    };
    Ok(Verdict { good: check.violations.is_empty(), text: Box::new(check), files: Vec::new() })
}
