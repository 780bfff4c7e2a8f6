//! Violations in words, with places instead of nodes.

use std::collections::BTreeSet;
use std::fmt;

use giveway::check::{Excursion, Overlap, Violation, WallOverlap};
use giveway::plan::{PlanIn, Trace};
use giveway::spaces::Grid;
use giveway::time::{Span, Tick};
use giveway::{AgentId, Checker, ConflictRule, NodeId};

use crate::places::{Place, Places};

/// One violation.
pub(crate) enum Conflict {
    /// Of the rules of points on cells, or of where an agent ends.
    Rule(Violation),
    Overlap(Overlap),
    OffMesh(Excursion),
    InWall(WallOverlap),
    /// An agent that comes to a position which is no place of its class.
    OffPlaces {
        agent: AgentId,
        tick: Tick,
        position: [f32; 3],
        class: String,
    },
}

impl Conflict {
    /// When it begins.
    pub(crate) fn tick(&self) -> f64 {
        match self {
            Self::Rule(violation) => violation.tick().into(),
            Self::Overlap(overlap) => overlap.tick,
            Self::OffMesh(excursion) => excursion.tick,
            Self::InWall(overlap) => overlap.tick,
            Self::OffPlaces { tick, .. } => (*tick).into(),
        }
    }
}

/// The violations of a plan, or of a recording.
#[derive(Default)]
pub(crate) struct Violations {
    pub(crate) named: Vec<Conflict>,
    /// Whether there are more violations, which are not named.
    pub(crate) cut: bool,
}

impl Violations {
    /// The violations of `plan`. If there are too many, as for a crowd on one cell, whose violations grow by the square
    /// of its size, only the violations of the earliest ticks are listed.
    pub(crate) fn of(plan: &PlanIn<Grid>, agents: &[giveway::Agent], grid: &Grid) -> Self {
        let steps: usize = plan.paths.iter().map(|path| path.steps.len()).sum();
        Self::first(plan.paths.len() + steps, Span::endless(0), grid, |checker| checker.check(agents, plan))
    }

    /// The violations of a recording, or of a piece of it, that begin during `span`.
    pub(crate) fn of_trace(trace: &Trace, span: Span, grid: &Grid) -> Self {
        Self::first(size(trace), span, grid, |checker| checker.check_trace(trace))
    }

    /// Adds the violations of the next piece of a recording. An overlap of two agents that goes on, or begins again, is
    /// named once, and so is an agent that stays off the mesh.
    pub(crate) fn extend(&mut self, next: Self) {
        let key = |conflict: &Conflict| match conflict {
            Conflict::Rule(_) | Conflict::OffPlaces { .. } => None,
            Conflict::Overlap(overlap) => Some((overlap.agents[0], Some(overlap.agents[1]))),
            Conflict::OffMesh(excursion) => Some((excursion.agent, None)),
            Conflict::InWall(overlap) => Some((overlap.agent, None)),
        };
        let known: BTreeSet<_> = self.named.iter().filter_map(key).collect();
        self.named
            .extend(next.named.into_iter().filter(|conflict| key(conflict).is_none_or(|key| !known.contains(&key))));
        self.cut |= next.cut || self.named.len() >= MOST;
    }

    fn first(size: usize, span: Span, grid: &Grid, check: impl Fn(&Checker<'_, Grid>) -> Vec<Violation>) -> Self {
        let most = MOST + size;
        let named = check(&Checker::new(grid, ConflictRule::Swap).with_crossings().at_most(most).during(span));
        Self { cut: named.len() >= most, named: named.into_iter().map(Conflict::Rule).collect() }
    }
}

/// The least number of violations that are named, if there are as many.
pub(crate) const MOST: usize = 100_000;

/// The number of agents and moves.
pub(crate) fn size(trace: &Trace) -> usize {
    trace.agents.iter().map(|agent| 1 + agent.moves.len()).sum()
}

/// The verdict over a number of violations; `cut` if there are more.
pub(crate) struct Found {
    pub(crate) violations: usize,
    pub(crate) cut: bool,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.violations, self.cut) {
            (0, _) => write!(f, "valid"),
            (1, _) => write!(f, "not valid, 1 violation"),
            (found, false) => write!(f, "not valid, {found} violations"),
            (found, true) => write!(f, "not valid, at least {found} violations, of which these are the first"),
        }
    }
}

/// Whether a violation only follows from agents that fail: an agent that `fails` does not arrive, and others pass
/// through an agent that `stands` at its start without a path.
pub(crate) fn is_of_standing(
    violation: &Conflict,
    stands: impl Fn(AgentId) -> bool,
    fails: impl Fn(AgentId) -> bool,
) -> bool {
    match violation {
        Conflict::Rule(Violation::WrongGoal { agent, .. }) => fails(*agent),
        Conflict::Rule(
            Violation::Vertex { agents, .. } | Violation::Swap { agents, .. } | Violation::Crossing { agents, .. },
        )
        | Conflict::Overlap(Overlap { agents, .. }) => agents.iter().any(|agent| stands(*agent)),
        _ => false,
    }
}

/// A violation, in words.
pub(crate) struct ViolationText<'a>(pub(crate) &'a Places, pub(crate) &'a Conflict);

impl fmt::Display for ViolationText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |node: NodeId| Place(self.0, node);
        match *self.1 {
            Conflict::Rule(Violation::NoSuchNode { agent, node, tick }) => {
                write!(f, "{agent} is on {} at tick {tick}, which is a wall", place(node))
            }
            Conflict::Rule(Violation::WrongGoal { agent, found, tick }) => {
                write!(f, "{agent} ends on {} at tick {tick}, which is not its goal", place(found))
            }
            // Violations of times, which the lines of a plan file cannot express.
            Conflict::Rule(ref other) => other.told(place).fmt(f),
            Conflict::Overlap(ref overlap) => OverlapText(overlap).fmt(f),
            Conflict::OffMesh(ref excursion) => OffMeshText(excursion).fmt(f),
            Conflict::InWall(ref overlap) => InWallText(overlap).fmt(f),
            Conflict::OffPlaces { agent, tick, position: [x, y, z], ref class } => {
                write!(f, "agent {} is at ({x},{y})", agent.0)?;
                if z != 0.0 {
                    write!(f, " at the height {z}")?;
                }
                write!(f, " at tick {tick}, where class {class:?} has no place")
            }
        }
    }
}

/// Two agents that overlap, in words.
pub(crate) struct OverlapText<'a>(pub(crate) &'a Overlap);

impl fmt::Display for OverlapText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overlap { agents: [a, b], tick, depth } = self.0;
        let (depth, tick) = (Rounded(f64::from(*depth)), Rounded(*tick));
        write!(f, "agent {} and agent {} overlap by {depth} from tick {tick} on", a.0, b.0)
    }
}

/// An agent off the mesh, in words.
pub(crate) struct OffMeshText<'a>(pub(crate) &'a Excursion);

impl fmt::Display for OffMeshText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excursion { agent, tick, depth, point } = self.0;
        let (depth, tick) = (Rounded(f64::from(*depth)), Rounded(*tick));
        let [x, y] = point.map(|side| Rounded(f64::from(side)));
        write!(f, "agent {} is {depth} off the mesh at ({x},{y}) from tick {tick} on", agent.0)
    }
}

/// An agent in a wall, in words.
pub(crate) struct InWallText<'a>(pub(crate) &'a WallOverlap);

impl fmt::Display for InWallText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WallOverlap { agent, tick, depth, point, .. } = self.0;
        let (depth, tick) = (Rounded(f64::from(*depth)), Rounded(*tick));
        let [x, y] = point.map(|side| Rounded(f64::from(side)));
        write!(f, "agent {} is {depth} deep in a wall at ({x},{y}) from tick {tick} on", agent.0)
    }
}

/// A number without the digits that are not exact.
pub(crate) struct Rounded(pub(crate) f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        match text.trim_end_matches('0').trim_end_matches('.') {
            "0" => write!(f, "{}", self.0),
            text => f.write_str(text),
        }
    }
}
