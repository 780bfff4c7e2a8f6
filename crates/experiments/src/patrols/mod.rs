//! Patrols: the experiment of the direction-map paper, by its own rules and by a crowd under the same clock.

mod bumping;
mod by_crowd;

use giveway_core::{AgentId, NodeId};
use giveway_crowd::CrowdError;
use giveway_strategies::Routing;

pub use bumping::Patrols;
pub use by_crowd::CrowdPatrols;

/// How patrols go.
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Experimental Results*. They print the radius only; the rest
/// is what their figures were matched with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PatrolRules {
    pub(crate) loops: u32,
    pub(crate) radius: f64,
    pub(crate) routing: Routing,
    pub(crate) seed: u64,
}

impl PatrolRules {
    /// How many units of time an action takes, on the paper's clock.
    pub const ACTION: f64 = 1.5;

    /// So many times there and back, for each agent. Agents see five steps far, plan whole routes, and draw random steps from seed 0.
    pub fn loops(loops: u32) -> Self {
        Self { loops, radius: 5.0, routing: Routing::Whole, seed: 0 }
    }

    /// The same where an agent sees others that are less than so many world units away, in octile distance: steps, where cells are one unit wide, and walls do not
    /// matter. NaN and below 0: nobody.
    #[must_use]
    pub fn radius(self, steps: f64) -> Self {
        Self { radius: steps, ..self }
    }

    /// The same with routes that lead as far as `routing` says.
    #[must_use]
    pub fn routing(self, routing: Routing) -> Self {
        Self { routing, ..self }
    }

    /// The same with other random steps.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// What came of patrols: sums over all agents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PatrolMetrics {
    /// How many times there and back.
    pub loops: u64,
    /// How many nodes, sectors or states were expanded by searches of agents.
    pub nodes: u64,
    /// How many nodes were expanded by reverse searches.
    pub reverse_nodes: u64,
    /// How far they went, in world units along straight lines: a diagonal is the root of 2 long.
    pub path: f64,
    /// How often somebody tried to move to where somebody else stood. 0 for crowds, by construction.
    pub failed: u64,
    /// How often a crowd's guard kept somebody from beginning the move that it had planned; 0 without a crowd.
    pub stopped: u64,
    /// How many random steps were made or tried next to an occupied goal.
    pub random_steps: u64,
    /// How often somebody stood because it found no route; for a crowd, for how many ticks somebody stood under way.
    pub stood: u64,
    /// When the last one was done, or now, in units of time.
    pub time: f64,
}

impl PatrolMetrics {
    /// A sum over all agents per loop, of each agent; 0 before the first loop is done.
    #[allow(clippy::cast_precision_loss)] // counts of an experiment
    pub fn per_loop(&self, sum: f64) -> f64 {
        if self.loops == 0 { 0.0 } else { sum / self.loops as f64 }
    }
}

/// Why patrols cannot begin.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PatrolError {
    /// The patrol at this position has an end that does not exist.
    NoSuchNode {
        /// Which patrol.
        patrol: usize,
        /// Which node.
        node: NodeId,
    },
    /// The patrol at this position begins where an earlier one does.
    SameStart {
        /// Which patrol.
        patrol: usize,
        /// Where.
        node: NodeId,
    },
    /// The patrol at this position is of an agent that has another one already.
    SameAgent {
        /// Which patrol.
        patrol: usize,
        /// Who.
        agent: AgentId,
    },
    /// The crowd refuses to send somebody.
    Crowd(CrowdError),
}

impl std::fmt::Display for PatrolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchNode { patrol, node } => {
                write!(f, "patrol {patrol} ends at node {}, which does not exist", node.0)
            }
            Self::SameStart { patrol, node } => {
                write!(f, "patrol {patrol} begins at node {}, where an earlier one does", node.0)
            }
            Self::SameAgent { patrol, agent } => {
                write!(f, "patrol {patrol} is of agent {}, as an earlier one is", agent.0)
            }
            Self::Crowd(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PatrolError {}

impl From<CrowdError> for PatrolError {
    fn from(error: CrowdError) -> Self {
        Self::Crowd(error)
    }
}

/// The end to which an agent goes after it has been at so many.
fn towards(ends: [NodeId; 2], legs: u64) -> NodeId {
    if legs.is_multiple_of(2) { ends[1] } else { ends[0] }
}

/// The straight line from one place to another.
fn straight(a: [f32; 3], b: [f32; 3]) -> f64 {
    let squares = [0, 1, 2].map(|axis| (f64::from(a[axis]) - f64::from(b[axis])).powi(2));
    squares.iter().sum::<f64>().sqrt()
}
