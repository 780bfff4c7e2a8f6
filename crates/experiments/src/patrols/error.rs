//! Errors: why patrols cannot begin.

use std::fmt;

use giveway_core::{AgentId, NodeId};
use giveway_crowd::CrowdError;

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
    /// The agent of the patrol at this position has an earlier patrol.
    SameAgent {
        /// Which patrol.
        patrol: usize,
        /// The agent.
        agent: AgentId,
    },
    /// The crowd refuses to send an agent.
    Crowd(CrowdError),
}

impl fmt::Display for PatrolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
