//! Checks a trace: bodies that overlap, and agents in walls or off the mesh.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};
use giveway::check::{BodyChecker, Enclosure, WallOverlap};
use giveway::plan::{Trace, TracedAgent};
use giveway::scenario::AnyMapFile;
use giveway::time::Tick;

use super::walls::MapWalls;
use crate::arguments::CheckArguments;
use crate::count::Count;
use crate::planning::read_any_map;
use crate::traces::{self, end_of};
use crate::verdict::Verdict;
use crate::violation_text::{Found, OffMeshText, OverlapText, Rounded};

/// Checks the trace in `file`.
pub(super) fn check(arguments: &CheckArguments, file: &Path) -> Result<Verdict> {
    let map = arguments.map.as_deref().map(read_any_map).transpose()?;
    let trace = traces::read(file, arguments.radius)?;
    let is_point = |agent: &&TracedAgent| agent.bodies().iter().all(|(_, body)| body.is_none());
    let points = trace.agents.iter().filter(is_point).count();
    if map.is_none() && points == trace.agents.len() {
        bail!(
            "{}: expected an agent with a body, a --radius for all, or a --map whose walls can be checked; check --plan checks the rules of points",
            file.display()
        );
    }
    let walls = match map {
        None => None,
        Some(AnyMapFile::Cells(map)) => Some(Walls::OfCells(MapWalls::new(&map, &trace))),
        Some(AnyMapFile::Mesh(mesh)) => {
            let mesh = mesh.mesh();
            Some(Walls::OfMesh(Enclosure::new(mesh.outlines(), mesh.walls())))
        }
    };
    let (agents, moves) = (trace.agents.len(), trace.agents.iter().map(|agent| agent.moves.len()).sum());
    let most = 100_000 + agents + moves;
    let violations = violations(&trace, walls.as_ref(), arguments, most);
    let check = TraceCheck {
        cut: violations.len() >= most,
        violations,
        agents,
        points,
        has_walls: walls.is_some(),
        on_mesh: matches!(walls, Some(Walls::OfMesh(_))),
        moves,
        end: end_of(&trace),
    };
    Ok(Verdict { good: check.violations.is_empty(), text: Box::new(check), files: Vec::new() })
}

/// The mesh that agents must not leave, or the walls that they must not enter.
enum Walls {
    OfCells(MapWalls),
    OfMesh(Enclosure),
}

/// The violations of `trace` in words, by time. If there are `most` of them, only the earliest are listed.
fn violations(trace: &Trace, walls: Option<&Walls>, arguments: &CheckArguments, most: usize) -> Vec<String> {
    let checker = BodyChecker::new().at_most(most);
    let checker = arguments.tolerance.into_iter().fold(checker, BodyChecker::tolerance);
    let levels = arguments.levels.into_iter();
    let checker = levels.fold(checker, |checker, levels| checker.levels(levels.lowest, levels.height, levels.count));
    let overlaps = checker.check(trace).into_iter();
    let mut told: Vec<(f64, String)> =
        overlaps.map(|overlap| (overlap.tick, OverlapText(&overlap).to_string())).collect();
    match walls {
        None => {}
        Some(Walls::OfCells(walls)) => {
            told.extend(checker.check_walls(trace, walls.walls()).into_iter().map(|overlap| {
                let WallOverlap { agent, tick, depth, .. } = overlap;
                let (depth, place, begin) = (Rounded(f64::from(depth)), walls.place(&overlap), Rounded(tick));
                (tick, format!("agent {} is {depth} {place} from tick {begin} on", agent.0))
            }));
        }
        Some(Walls::OfMesh(mesh)) => {
            let excursions = checker.check_enclosure(trace, mesh).into_iter();
            told.extend(excursions.map(|excursion| (excursion.tick, OffMeshText(&excursion).to_string())));
        }
    }
    told.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    told.truncate(most);
    told.into_iter().map(|(_, violation)| violation).collect()
}

/// The result of a check.
struct TraceCheck {
    violations: Vec<String>,
    /// Whether there may be more violations, which are not listed.
    cut: bool,
    agents: usize,
    /// The agents without a body.
    points: usize,
    has_walls: bool,
    on_mesh: bool,
    moves: usize,
    end: Tick,
}

/// A line for each violation, then the summary.
impl fmt::Display for TraceCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for violation in &self.violations {
            writeln!(f, "{violation}")?;
        }
        let found = Found { violations: self.violations.len(), cut: self.cut };
        let (agents, moves) = (Count(self.agents as u64, "agent"), Count(self.moves as u64, "move"));
        writeln!(f, "{found}: {agents}, {moves}, {}", Count(self.end.into(), "tick"))?;
        if !self.has_walls {
            writeln!(f, "note: there is no --map, so no walls were checked")?;
        }
        if self.points == self.agents && self.on_mesh {
            writeln!(
                f,
                "note: no agent has a body, so nothing but the mesh was checked; --radius makes all agents discs"
            )?;
        } else if self.points == self.agents {
            writeln!(
                f,
                "note: no agent has a body, so nothing but walls was checked; check --plan checks the rules of points"
            )?;
        } else if self.points > 1 {
            writeln!(f, "note: {} agents have no body, so they were not checked against each other", self.points)?;
        }
        Ok(())
    }
}
