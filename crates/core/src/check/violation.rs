//! Violations: what can be wrong with a plan.

use std::fmt;
use std::slice;

use crate::reservation::AgentId;
use crate::space::NodeId;
use crate::time::{Tick, Ticks};

/// One thing that is wrong with a plan: who, where and when.
///
/// Of two agents the one with the smaller id stands first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Violation {
    /// There is not one path for each agent. The paths that there are have been checked all the same.
    Count {
        /// The number of agents.
        agents: usize,
        /// The number of paths.
        paths: usize,
    },
    /// A path begins elsewhere than its agent.
    WrongStart {
        /// Whose.
        agent: AgentId,
        /// Where the agent is.
        expected: NodeId,
        /// Where the path begins.
        found: NodeId,
    },
    /// An agent stands where nobody can: on a wall, or on no node of the space at all.
    NoSuchNode {
        /// Who.
        agent: AgentId,
        /// Where.
        node: NodeId,
        /// From when on.
        tick: Tick,
    },
    /// A step does not begin when the one before ended, or the first step does not begin at tick 0.
    Gap {
        /// Whose.
        agent: AgentId,
        /// Where the step before ended.
        node: NodeId,
        /// When the step before ended.
        arrive: Tick,
        /// When the step begins: later for a gap, earlier for an overlap.
        depart: Tick,
    },
    /// A step does not begin where the one before ended.
    Jump {
        /// Whose.
        agent: AgentId,
        /// Where the step before ended.
        from: NodeId,
        /// Where the step begins.
        to: NodeId,
        /// When the step begins.
        tick: Tick,
    },
    /// A step ends before it begins or as it begins, or does not last as long as it must.
    WrongDuration {
        /// Whose.
        agent: AgentId,
        /// Where the step begins.
        node: NodeId,
        /// When it begins.
        depart: Tick,
        /// When it ends.
        arrive: Tick,
        /// How long it must last: a rest as long as it says itself; a move 1 tick, which under
        /// [`Following`](crate::ConflictRule::Following) is only the least.
        expected: Ticks,
    },
    /// The space offers no such move.
    IllegalMove {
        /// Whose.
        agent: AgentId,
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// When it begins.
        tick: Tick,
    },
    /// Two agents hold one node at the same time.
    Vertex {
        /// Which.
        agents: [AgentId; 2],
        /// Where.
        node: NodeId,
        /// The first tick at which both do.
        tick: Tick,
    },
    /// Two agents exchange their nodes.
    Swap {
        /// Which.
        agents: [AgentId; 2],
        /// Where each of them comes from, and the other goes.
        nodes: [NodeId; 2],
        /// The first tick at which both are under way.
        tick: Tick,
    },
    /// Two agents cross between nodes, as on the two diagonals of a square.
    Crossing {
        /// Which.
        agents: [AgentId; 2],
        /// From where to where each of them goes.
        moves: [[NodeId; 2]; 2],
        /// The first tick at which both are under way.
        tick: Tick,
    },
    /// A path ends elsewhere than on a goal of its agent.
    WrongGoal {
        /// Whose.
        agent: AgentId,
        /// Where it ends.
        found: NodeId,
        /// When it ends.
        tick: Tick,
    },
}

impl Violation {
    /// The first tick at which it shows; 0 for what concerns no tick.
    pub fn tick(&self) -> Tick {
        match *self {
            Self::Count { .. } | Self::WrongStart { .. } => 0,
            Self::Gap { arrive, depart, .. } => arrive.min(depart),
            Self::WrongDuration { depart, .. } => depart,
            Self::NoSuchNode { tick, .. }
            | Self::Jump { tick, .. }
            | Self::IllegalMove { tick, .. }
            | Self::Vertex { tick, .. }
            | Self::Swap { tick, .. }
            | Self::Crossing { tick, .. }
            | Self::WrongGoal { tick, .. } => tick,
        }
    }

    /// The agents it concerns, ascending: none, one or two.
    pub fn agents(&self) -> &[AgentId] {
        match self {
            Self::Count { .. } => &[],
            Self::WrongStart { agent, .. }
            | Self::NoSuchNode { agent, .. }
            | Self::Gap { agent, .. }
            | Self::Jump { agent, .. }
            | Self::WrongDuration { agent, .. }
            | Self::IllegalMove { agent, .. }
            | Self::WrongGoal { agent, .. } => slice::from_ref(agent),
            Self::Vertex { agents, .. } | Self::Swap { agents, .. } | Self::Crossing { agents, .. } => agents,
        }
    }
}

impl Violation {
    /// What it is, in words, with the name of every node as `name` says.
    pub fn told<N: fmt::Display>(&self, name: impl Fn(NodeId) -> N) -> impl fmt::Display {
        Told(*self, name)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told(NodeName).fmt(f)
    }
}

struct NodeName(NodeId);

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.0.0)
    }
}

struct Told<F>(Violation, F);

impl<N: fmt::Display, F: Fn(NodeId) -> N> fmt::Display for Told<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(violation, name) = self;
        match *violation {
            Violation::Count { agents, paths } => {
                write!(f, "the number of paths, {paths}, is not that of the agents, {agents}")
            }
            Violation::WrongStart { agent, expected, found } => {
                write!(f, "{agent} is on {} at tick 0, its start is {}", name(found), name(expected))
            }
            Violation::NoSuchNode { agent, node, tick } => {
                write!(f, "{agent} is on {} at tick {tick}, where nobody can stand", name(node))
            }
            Violation::Gap { agent, node, arrive, depart } => {
                write!(f, "{agent} is on {} at tick {arrive} but its next step begins at tick {depart}", name(node))
            }
            Violation::Jump { agent, from, to, tick } => {
                write!(f, "{agent} is on {} but its step at tick {tick} begins on {}", name(from), name(to))
            }
            Violation::WrongDuration { agent, node, depart, arrive, expected } => {
                let node = name(node);
                write!(
                    f,
                    "the step of {agent} from {node} at tick {depart} ends at tick {arrive} but must last {expected}"
                )
            }
            Violation::IllegalMove { agent, from, to, tick } => {
                write!(f, "{agent} goes from {} to {} at tick {tick}, where no step leads", name(from), name(to))
            }
            Violation::Vertex { agents: [a, b], node, tick } => {
                write!(f, "{a} and {b} are both on {} at tick {tick}", name(node))
            }
            Violation::Swap { agents: [a, b], nodes: [c, d], tick } => {
                write!(f, "{a} and {b} exchange {} and {} at tick {tick}", name(c), name(d))
            }
            Violation::Crossing { agents: [a, b], moves, tick } => {
                let [[a_from, a_to], [b_from, b_to]] = moves.map(|ends| ends.map(name));
                write!(f, "{a}, from {a_from} to {a_to}, and {b}, from {b_from} to {b_to}, cross at tick {tick}")
            }
            Violation::WrongGoal { agent, found, tick } => {
                write!(f, "{agent} ends on {} at tick {tick}, which is none of its goals", name(found))
            }
        }
    }
}

impl std::error::Error for Violation {}
