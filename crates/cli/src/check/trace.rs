//! Checks a trace: bodies that overlap, and agents in walls or off the mesh.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};
use giveway::check::{BodyChecker, Enclosure, Excursion, Overlap, WallOverlap};
use giveway::plan::{Trace, TracedAgent, TracedBody};
use giveway::scenario::{AnyMapFile, TraceFile};
use giveway::time::Tick;

use super::walls::{MapWalls, WallPlace};
use crate::arguments::CheckArguments;
use crate::count::Count;
use crate::input_file;
use crate::planning::read_any_map;
use crate::verdict::Verdict;
use crate::violation_text::{Found, OffMeshText, OverlapText, Rounded};

/// Checks the trace in `file`.
pub(super) fn check(arguments: &CheckArguments, file: &Path) -> Result<Verdict> {
    let map = arguments.map.as_deref().map(read_any_map).transpose()?;
    let mut trace = input_file::read(file, TraceFile::read, TraceFile::parse)?.into_trace();
    if trace.agents.is_empty() {
        bail!("{}: expected at least one agent, found none", file.display());
    }
    if let Some(radius) = arguments.radius {
        for agent in &mut trace.agents {
            agent.body = Some(TracedBody::Disc { center: [0.0; 2], radius });
            agent.changes.clear();
        }
    }
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
    let check = TraceCheck {
        violations: Violations::of(&trace, walls.as_ref(), arguments),
        agents: trace.agents.len(),
        points,
        has_walls: walls.is_some(),
        on_mesh: matches!(walls, Some(Walls::OfMesh(_))),
        moves: trace.agents.iter().map(|agent| agent.moves.len()).sum(),
        end: end_of(&trace),
    };
    Ok(Verdict { good: check.violations.named.is_empty(), text: Box::new(check), files: Vec::new() })
}

/// The last tick at which something happens.
pub(crate) fn end_of(trace: &Trace) -> Tick {
    let ends = trace.agents.iter().flat_map(|agent| {
        let moved = agent.moves.last().map_or(agent.appears, |step| step.arrive);
        [Some(moved), agent.vanishes]
    });
    ends.chain([trace.until]).flatten().max().unwrap_or(0)
}

/// What agents must not leave or be in.
enum Walls {
    OfCells(MapWalls),
    OfMesh(Enclosure),
}

/// An agent in another agent or in a wall, or off the mesh.
enum Violation {
    Overlap(Overlap),
    Wall(WallOverlap, WallPlace),
    OffMesh(Excursion),
}

impl Violation {
    fn tick(&self) -> f64 {
        match self {
            Self::Overlap(overlap) => overlap.tick,
            Self::Wall(overlap, _) => overlap.tick,
            Self::OffMesh(excursion) => excursion.tick,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap(overlap) => OverlapText(overlap).fmt(f),
            Self::Wall(WallOverlap { agent, tick, depth, .. }, place) => {
                let (depth, tick) = (Rounded(f64::from(*depth)), Rounded(*tick));
                write!(f, "agent {} is {depth} {place} from tick {tick} on", agent.0)
            }
            Self::OffMesh(excursion) => OffMeshText(excursion).fmt(f),
        }
    }
}

/// The violations of a trace, by time.
struct Violations {
    named: Vec<Violation>,
    /// Whether there may be more violations, which are not named.
    cut: bool,
}

impl Violations {
    /// The violations of `trace`. If there are too many, only the earliest are listed.
    fn of(trace: &Trace, walls: Option<&Walls>, arguments: &CheckArguments) -> Self {
        let moves: usize = trace.agents.iter().map(|agent| agent.moves.len()).sum();
        let most = 100_000 + trace.agents.len() + moves;
        let checker = BodyChecker::new().at_most(most);
        let checker = arguments.tolerance.into_iter().fold(checker, BodyChecker::tolerance);
        let levels = arguments.levels.into_iter();
        let checker =
            levels.fold(checker, |checker, levels| checker.levels(levels.lowest, levels.height, levels.count));
        let mut named: Vec<Violation> = checker.check(trace).into_iter().map(Violation::Overlap).collect();
        match walls {
            None => {}
            Some(Walls::OfCells(walls)) => {
                let found = checker.check_walls(trace, walls.walls());
                named.extend(found.into_iter().map(|overlap| Violation::Wall(overlap, walls.place(&overlap))));
            }
            Some(Walls::OfMesh(mesh)) => {
                named.extend(checker.check_enclosure(trace, mesh).into_iter().map(Violation::OffMesh));
            }
        }
        named.sort_by(|a, b| a.tick().total_cmp(&b.tick()));
        named.truncate(most);
        Self { cut: named.len() >= most, named }
    }
}

/// The result of a check.
struct TraceCheck {
    violations: Violations,
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
        let Violations { named, cut } = &self.violations;
        for violation in named {
            writeln!(f, "{violation}")?;
        }
        let found = Found { violations: named.len(), cut: *cut };
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
