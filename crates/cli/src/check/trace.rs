//! Checks a trace: bodies that overlap, and agents in walls or off the mesh.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};
use giveway::Checker;
use giveway::check::{BodyChecker, Enclosure, Wall, WallOverlap};
use giveway::plan::{Trace, TracedAgent, TracedBody};
use giveway::time::Tick;

use super::walls::MapWalls;
use crate::arguments::{CheckArguments, Connectivity};
use crate::count::Count;
use crate::node_map::{NodeMap, NodeSpace};
use crate::traces::{self, end_of};
use crate::verdict::Verdict;
use crate::violation_text::{Conflict, Found, InWallText, OffMeshText, OverlapText, Rounded, ViolationText};
use crate::world::World;

/// Checks the trace in `file`.
pub(super) fn check(arguments: &CheckArguments, file: &Path) -> Result<Verdict> {
    let map = arguments.map.as_deref().map(|map| World::read(map, &arguments.of_map)).transpose()?;
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
        Some(World::Cells(cells)) if cells.one_ways.is_some() => {
            let path = arguments.map.as_deref().unwrap_or(Path::new(""));
            Some(Walls::Nodes(Box::new(NodeMap::of_one_ways(&cells, path, Connectivity::Eight)?)))
        }
        Some(World::Cells(cells)) => Some(Walls::Cells(MapWalls::new(&cells.map, &trace))),
        Some(World::Mesh(mesh)) => {
            let mesh = mesh.mesh();
            Some(Walls::Mesh(Enclosure::new(mesh.outlines(), mesh.walls())))
        }
        Some(World::Nodes(nodes)) => Some(Walls::Nodes(Box::new(nodes))),
    };
    let (agents, moves) = (trace.agents.len(), trace.agents.iter().map(|agent| agent.moves.len()).sum());
    let most = 100_000 + agents + moves;
    let violations = violations(&trace, walls.as_ref(), arguments, most);
    let mut notes = Vec::new();
    if walls.is_none() {
        notes.push("there is no --map, so no walls were checked".to_owned());
    }
    if points == agents {
        let (checked, instead) = match walls {
            Some(Walls::Mesh(_)) => ("the mesh", "--radius makes all agents discs"),
            Some(Walls::Nodes(_)) => {
                ("their moves on the map, and that they do not meet,", "--radius makes all agents discs")
            }
            _ => ("walls", "check --plan checks the rules of points"),
        };
        notes.push(format!("no agent has a body, so nothing but {checked} was checked; {instead}"));
    } else if points > 1 {
        notes.push(format!("{points} agents have no body, so they were not checked against each other"));
    }
    let cut = violations.len() >= most;
    let check = TraceCheck { violations, cut, agents, moves, end: end_of(&trace), notes };
    Ok(Verdict { good: check.violations.is_empty(), text: Box::new(check), files: Vec::new() })
}

/// The mesh that agents must not leave, or the walls that they must not enter.
enum Walls {
    Cells(MapWalls),
    Mesh(Enclosure),
    Nodes(Box<NodeMap>),
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
        Some(Walls::Cells(walls)) => {
            told.extend(checker.check_walls(trace, walls.walls()).into_iter().map(|overlap| {
                let WallOverlap { agent, tick, depth, .. } = overlap;
                let (depth, place, begin) = (Rounded(f64::from(depth)), walls.place(&overlap), Rounded(tick));
                (tick, format!("agent {} is {depth} {place} from tick {begin} on", agent.0))
            }));
        }
        Some(Walls::Mesh(mesh)) => {
            let excursions = checker.check_enclosure(trace, mesh).into_iter();
            told.extend(excursions.map(|excursion| (excursion.tick, OffMeshText(&excursion).to_string())));
        }
        Some(Walls::Nodes(nodes)) => {
            let shapes = nodes.facts.walls.iter();
            let shapes = shapes.map(|corners| Wall::new(TracedBody::Polygon { corners: corners.clone() }));
            let overlaps = checker.check_walls(trace, &shapes.collect::<Vec<Wall>>()).into_iter();
            told.extend(overlaps.map(|overlap| (overlap.tick, InWallText(&overlap).to_string())));
            // The rules of points are for a crowd of points.
            if trace.agents.iter().all(|agent| agent.bodies().iter().all(|(_, body)| body.is_none())) {
                let rule = nodes.facts.rule;
                let named = match &nodes.space {
                    NodeSpace::Hexes(hexes) => Checker::new(hexes, rule).at_most(most).check_trace(trace),
                    NodeSpace::Graph(graph) => Checker::new(graph, rule).at_most(most).check_trace(trace),
                };
                told.extend(named.into_iter().map(|violation| {
                    let conflict = Conflict::Rule(violation);
                    (f64::from(violation.tick()), ViolationText(&nodes.facts.places, &conflict).to_string())
                }));
            }
        }
    }
    told.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    told.truncate(most);
    told.into_iter().map(|(_, violation)| violation).collect()
}

/// The result of a check.
pub(super) struct TraceCheck {
    pub(super) violations: Vec<String>,
    /// Whether there may be more violations, which are not listed.
    pub(super) cut: bool,
    pub(super) agents: usize,
    pub(super) moves: usize,
    pub(super) end: Tick,
    /// What was not checked, and the like.
    pub(super) notes: Vec<String>,
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
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }
}
