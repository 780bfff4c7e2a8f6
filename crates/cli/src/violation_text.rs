//! Violations in words, with cells instead of nodes.

use std::fmt;

use giveway::check::Violation;
use giveway::plan::{PlanIn, Trace};
use giveway::spaces::Grid;
use giveway::{AgentId, Checker, ConflictRule, NodeId};

/// The cell of a node, as plans write it.
pub(crate) struct Cell<'a>(pub(crate) &'a Grid, pub(crate) NodeId);

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.0.xy(self.1);
        write!(f, "({x},{y})")
    }
}

/// The violations of a plan.
pub(crate) struct Violations {
    pub(crate) named: Vec<Violation>,
    /// Whether there are more violations, which are not named.
    pub(crate) cut: bool,
}

impl Violations {
    /// The violations of `plan`. If there are too many, such as those of a crowd on one cell, which grow by the square of its size, only the
    /// violations of the earliest ticks are listed.
    pub(crate) fn of(plan: &PlanIn<Grid>, agents: &[giveway::Agent], grid: &Grid) -> Self {
        let steps: usize = plan.paths.iter().map(|path| path.steps.len()).sum();
        Self::first(plan.paths.len() + steps, grid, |checker| checker.check(agents, plan))
    }

    /// The violations of a recording.
    pub(crate) fn of_trace(trace: &Trace, grid: &Grid) -> Self {
        let moves: usize = trace.agents.iter().map(|agent| agent.moves.len()).sum();
        Self::first(trace.agents.len() + moves, grid, |checker| checker.check_trace(trace))
    }

    fn first(size: usize, grid: &Grid, check: impl Fn(&Checker<'_, Grid>) -> Vec<Violation>) -> Self {
        let most = 100_000 + size;
        let named = check(&Checker::new(grid, ConflictRule::Swap).with_crossings().at_most(most));
        Self { cut: named.len() >= most, named }
    }
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

/// Whether a violation only follows from agents that fail: an agent that `fails` does not arrive, and others pass through an agent that `stands` at
/// its start without a path.
pub(crate) fn is_of_standing(
    violation: &Violation,
    stands: impl Fn(AgentId) -> bool,
    fails: impl Fn(AgentId) -> bool,
) -> bool {
    match violation {
        Violation::WrongGoal { agent, .. } => fails(*agent),
        Violation::Vertex { agents, .. } | Violation::Swap { agents, .. } | Violation::Crossing { agents, .. } => {
            agents.iter().any(|agent| stands(*agent))
        }
        _ => false,
    }
}

/// A violation, in words.
pub(crate) struct ViolationText<'a>(pub(crate) &'a Grid, pub(crate) &'a Violation);

impl fmt::Display for ViolationText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |node: NodeId| Cell(self.0, node);
        match *self.1 {
            Violation::NoSuchNode { agent, node, tick } => {
                write!(f, "{agent} is on {} at tick {tick}, which is a wall", cell(node))
            }
            Violation::WrongGoal { agent, found, tick } => {
                write!(f, "{agent} ends on {} at tick {tick}, which is not its goal", cell(found))
            }
            // Violations of times, which the lines of a plan file cannot express.
            ref other => other.told(cell).fmt(f),
        }
    }
}
