//! Errors: why patrols cannot begin.

use std::fmt;

use giveway_core::{AgentId, NodeId};
use giveway_crowd::CrowdError;

/// Why patrols cannot begin.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PatrolError {
    /// A patrol has an end that does not exist.
    NoSuchNode {
        /// The position of the patrol in the list, from 0.
        patrol: usize,
        /// The end.
        node: NodeId,
    },
    /// A patrol begins where an earlier patrol begins.
    SameStart {
        /// The position of the later patrol in the list, from 0.
        patrol: usize,
        /// The place where both begin.
        node: NodeId,
    },
    /// The agent of a patrol has an earlier patrol.
    SameAgent {
        /// The position of the later patrol in the list, from 0.
        patrol: usize,
        /// The agent of both patrols.
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
