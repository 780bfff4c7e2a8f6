//! Instances: agents that share a space, to be planned from start to end.

use std::fmt;

use indexmap::IndexMap;

use giveway_core::{Agent, AgentId, Footprint, NodeId, SpaceGraph, TooManyCells};

/// Agents of one class that share a space: the input of strategies.
///
/// Every start and every goal exists. No two agents have the same start, and no two agents have the same single goal.
#[derive(Clone, Debug)]
pub struct Instance<'a, S, F> {
    space: &'a S,
    footprint: &'a F,
    agents: Vec<Agent>,
}

impl<'a, S: SpaceGraph, F: Footprint<S>> Instance<'a, S, F> {
    /// The `agents` in `space`, all with `footprint`. The index of an agent is its [`AgentId`].
    ///
    /// # Errors
    /// A start or a goal does not exist; an agent has no goal; two agents have equal starts, or the same single goal;
    /// or the space's bounds are too large to number its cells.
    pub fn new(space: &'a S, footprint: &'a F, agents: Vec<Agent>) -> Result<Self, InstanceError> {
        TooManyCells::check(space).map_err(InstanceError::TooManyCells)?;
        let mut starts = IndexMap::new();
        let mut ends = IndexMap::new();
        for (agent, id) in agents.iter().zip((0..).map(AgentId)) {
            if !space.contains(agent.start) {
                return Err(InstanceError::NoSuchStart { agent: id, node: agent.start });
            }
            if let Some(node) = agent.goals.nodes().iter().find(|goal| !space.contains(**goal)) {
                return Err(InstanceError::NoSuchGoal { agent: id, node: *node });
            }
            if let Some(other) = starts.insert(agent.start, id) {
                return Err(InstanceError::SameStart { agents: [other, id], node: agent.start });
            }
            match agent.goals.nodes() {
                [] => return Err(InstanceError::NoGoal { agent: id }),
                [goal] => {
                    if let Some(other) = ends.insert(*goal, id) {
                        return Err(InstanceError::SameGoal { agents: [other, id], node: *goal });
                    }
                }
                _ => {}
            }
        }
        Ok(Self { space, footprint, agents })
    }

    /// The space.
    pub fn space(&self) -> &'a S {
        self.space
    }

    /// The footprint of every agent.
    pub fn footprint(&self) -> &'a F {
        self.footprint
    }

    /// The agents, by id.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }
}

/// The reason why agents in a space are not an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InstanceError {
    /// An agent's start is not a node of the space, or is a wall.
    NoSuchStart {
        /// The agent.
        agent: AgentId,
        /// The start.
        node: NodeId,
    },
    /// An agent's goal is not a node of the space, or is a wall.
    NoSuchGoal {
        /// The agent.
        agent: AgentId,
        /// The goal.
        node: NodeId,
    },
    /// An agent's set of goals is empty.
    NoGoal {
        /// The agent.
        agent: AgentId,
    },
    /// Two agents start on the same node.
    SameStart {
        /// The agents.
        agents: [AgentId; 2],
        /// Their start.
        node: NodeId,
    },
    /// Two agents have the same single goal: they cannot both stay there.
    SameGoal {
        /// The agents.
        agents: [AgentId; 2],
        /// Their goal.
        node: NodeId,
    },
    /// The space's bounds are too large.
    TooManyCells(TooManyCells),
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchStart { agent, node } => {
                write!(f, "the start of {agent}, node {}, is a wall or does not exist", node.0)
            }
            Self::NoSuchGoal { agent, node } => {
                write!(f, "the goal of {agent}, node {}, is a wall or does not exist", node.0)
            }
            Self::NoGoal { agent } => write!(f, "{agent} has no goal"),
            Self::SameStart { agents: [a, b], node } => {
                write!(f, "{a} and {b} both start on node {}", node.0)
            }
            Self::SameGoal { agents: [a, b], node } => {
                write!(f, "{a} and {b} both want to stay on node {}", node.0)
            }
            Self::TooManyCells(bounds) => bounds.fmt(f),
        }
    }
}

impl std::error::Error for InstanceError {}
