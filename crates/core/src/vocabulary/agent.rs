//! Agents: their ids, and what they want.

use std::fmt;

use crate::vocabulary::goals::Goals;
use crate::vocabulary::motion::NodeId;

/// An agent of a crowd or an instance, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentId(pub u32);

impl AgentId {
    /// The id as an index into an array.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent {}", self.0)
    }
}

/// One unit: its start, goals and priority.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// The node of the agent at tick 0.
    pub start: NodeId,
    /// The nodes where the agent wants to go and stay: any one of them is enough.
    pub goals: Goals,
    /// How important the agent is: the larger, the more important. Orders "by priority" plan important agents first.
    pub priority: i32,
}

impl Agent {
    /// An agent that goes from `start` to `goals`, with priority 0.
    pub fn new(start: NodeId, goals: impl Into<Goals>) -> Self {
        Self { start, goals: goals.into(), priority: 0 }
    }

    /// A bystander at `start`, with priority 0. A bystander has no goal; in a crowd it lets other agents pass, and
    /// comes back.
    pub fn bystander(start: NodeId) -> Self {
        Self { start, goals: Goals::from_iter([]), priority: 0 }
    }

    /// The goals and the start of this agent, as a [heuristic source](crate::heuristic::HeuristicSource::prepare) takes
    /// them.
    pub fn ask(&self) -> (&Goals, NodeId) {
        (&self.goals, self.start)
    }

    /// Sets the priority: the larger the number, the more important is the agent.
    #[must_use]
    pub fn priority(self, priority: i32) -> Self {
        Self { priority, ..self }
    }
}
