//! Checks a trace: bodies that overlap, and agents in walls.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};
use giveway::check::{BodyChecker, Overlap, WallOverlap};
use giveway::plan::Trace;
use giveway::scenario::TraceFile;
use giveway::time::Tick;

use super::walls::{MapWalls, WallPlace};
use crate::arguments::CheckArguments;
use crate::count::Count;
use crate::planning::read_map;
use crate::verdict::Verdict;
use crate::violation_text::Found;

/// Checks the trace in `file`.
pub(super) fn check(arguments: &CheckArguments, file: &Path) -> Result<Verdict> {
    let map = arguments.map.as_deref().map(read_map).transpose()?;
    let trace = TraceFile::read(file)?.into_trace();
    if trace.agents.is_empty() {
        bail!("{}: expected at least one agent, found none", file.display());
    }
    let points = trace.agents.iter().filter(|agent| agent.body.is_none()).count();
    if map.is_none() && points == trace.agents.len() {
        bail!(
            "{}: expected an agent with a body, or a --map whose walls can be checked; check --plan checks the rules of points",
            file.display()
        );
    }
    let walls = map.map(|map| MapWalls::new(&map, &trace));
    let check = TraceCheck {
        violations: Violations::of(&trace, walls.as_ref(), arguments),
        agents: trace.agents.len(),
        points,
        has_walls: walls.is_some(),
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

/// An agent in another agent or in a wall.
enum Violation {
    Overlap(Overlap),
    Wall(WallOverlap, WallPlace),
}

impl Violation {
    fn tick(&self) -> f64 {
        match self {
            Self::Overlap(overlap) => overlap.tick,
            Self::Wall(overlap, _) => overlap.tick,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap(Overlap { agents: [a, b], tick, depth }) => {
                let (depth, tick) = (Rounded(f64::from(*depth)), Rounded(*tick));
                write!(f, "agent {} and agent {} overlap by {depth} from tick {tick} on", a.0, b.0)
            }
            Self::Wall(WallOverlap { agent, tick, depth, .. }, place) => {
                let (depth, tick) = (Rounded(f64::from(*depth)), Rounded(*tick));
                write!(f, "agent {} is {depth} {place} from tick {tick} on", agent.0)
            }
        }
    }
}

/// A number without the digits that are not exact.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        match text.trim_end_matches('0').trim_end_matches('.') {
            "0" => write!(f, "{}", self.0),
            text => f.write_str(text),
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
    fn of(trace: &Trace, walls: Option<&MapWalls>, arguments: &CheckArguments) -> Self {
        let moves: usize = trace.agents.iter().map(|agent| agent.moves.len()).sum();
        let most = 100_000 + trace.agents.len() + moves;
        let checker = BodyChecker::new().at_most(most);
        let checker = arguments.tolerance.into_iter().fold(checker, BodyChecker::tolerance);
        let levels = arguments.levels.into_iter();
        let checker =
            levels.fold(checker, |checker, levels| checker.levels(levels.lowest, levels.height, levels.count));
        let mut named: Vec<Violation> = checker.check(trace).into_iter().map(Violation::Overlap).collect();
        if let Some(walls) = walls {
            let found = checker.check_walls(trace, walls.walls());
            named.extend(found.into_iter().map(|overlap| Violation::Wall(overlap, walls.place(&overlap))));
            named.sort_by(|a, b| a.tick().total_cmp(&b.tick()));
            named.truncate(most);
        }
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
        if self.points == self.agents {
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
