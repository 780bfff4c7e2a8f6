//! Violations: what can be wrong with a plan.

use std::{fmt, slice};

use giveway_core::{AgentId, NodeId, Tick, Ticks};

/// One error in a plan, with the agents, nodes and ticks concerned.
///
/// Of two agents, the agent with the smaller id comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Violation {
    /// The number of paths is not the number of agents. The paths that exist are checked.
    Count {
        /// The number of agents.
        agents: usize,
        /// The number of paths.
        paths: usize,
    },
    /// A path does not begin at the start of its agent.
    WrongStart {
        /// The agent.
        agent: AgentId,
        /// The start of the agent.
        expected: NodeId,
        /// The start of the path.
        found: NodeId,
    },
    /// An agent stands on a wall, or on a node that does not exist.
    NoSuchNode {
        /// The agent.
        agent: AgentId,
        /// The node.
        node: NodeId,
        /// The first tick at which the agent stands there.
        tick: Tick,
    },
    /// A step does not begin at the tick at which the step before it ended, or the first step does not begin at tick 0.
    Gap {
        /// The agent.
        agent: AgentId,
        /// The node where the step before ended.
        node: NodeId,
        /// The tick at which the step before ended.
        arrive: Tick,
        /// The tick at which the step begins. Later than `arrive`: the path has a gap; earlier: two steps overlap.
        depart: Tick,
    },
    /// A step does not begin on the node where the step before it ended.
    Jump {
        /// The agent.
        agent: AgentId,
        /// The node where the step before ended.
        from: NodeId,
        /// The node where the step begins.
        to: NodeId,
        /// The tick at which the step begins.
        tick: Tick,
    },
    /// A step ends at or before the tick at which it begins, or has the wrong duration.
    WrongDuration {
        /// The agent.
        agent: AgentId,
        /// The node where the step begins.
        node: NodeId,
        /// The tick at which the step begins.
        depart: Tick,
        /// The tick at which the step ends.
        arrive: Tick,
        /// The right duration. For a rest, this is the number of ticks in its [`Rest`](giveway_core::Motion::Rest). For
        /// a move, this is 1 tick under `Swap`, and at least 1 tick under `Following`.
        expected: Ticks,
    },
    /// The move is not in the space.
    IllegalMove {
        /// The agent.
        agent: AgentId,
        /// The node where the move begins.
        from: NodeId,
        /// The node where the move ends.
        to: NodeId,
        /// The tick at which the move begins.
        tick: Tick,
    },
    /// The move may not begin at that tick: see `departs` of the space.
    OutOfTime {
        /// The agent.
        agent: AgentId,
        /// The node where the move begins.
        from: NodeId,
        /// The node where the move ends.
        to: NodeId,
        /// The tick at which the move begins.
        tick: Tick,
    },
    /// A vertex conflict: two agents hold one node at one time.
    Vertex {
        /// The agents.
        agents: [AgentId; 2],
        /// The node.
        node: NodeId,
        /// The first tick at which both agents hold the node.
        tick: Tick,
    },
    /// A swap conflict: two agents exchange their nodes.
    Swap {
        /// The agents.
        agents: [AgentId; 2],
        /// The node that the first agent leaves, and the node that the second agent leaves.
        nodes: [NodeId; 2],
        /// The first tick at which both agents are under way.
        tick: Tick,
    },
    /// Two agents cross between nodes, as on the two diagonals of a square.
    Crossing {
        /// The agents.
        agents: [AgentId; 2],
        /// For each agent, the nodes where its move begins and ends.
        moves: [[NodeId; 2]; 2],
        /// The first tick at which both agents are under way.
        tick: Tick,
    },
    /// A path does not end on a goal of its agent.
    WrongGoal {
        /// The agent.
        agent: AgentId,
        /// The node where the path ends.
        found: NodeId,
        /// The tick at which the path ends.
        tick: Tick,
    },
}

impl Violation {
    /// The first tick of the violation; 0 for violations without a tick.
    pub fn tick(&self) -> Tick {
        match *self {
            Self::Count { .. } | Self::WrongStart { .. } => 0,
            Self::Gap { arrive, depart, .. } => arrive.min(depart),
            Self::WrongDuration { depart, .. } => depart,
            Self::NoSuchNode { tick, .. }
            | Self::Jump { tick, .. }
            | Self::IllegalMove { tick, .. }
            | Self::OutOfTime { tick, .. }
            | Self::Vertex { tick, .. }
            | Self::Swap { tick, .. }
            | Self::Crossing { tick, .. }
            | Self::WrongGoal { tick, .. } => tick,
        }
    }

    /// The agents of the violation, ascending: no agent, one agent or two agents.
    pub fn agents(&self) -> &[AgentId] {
        match self {
            Self::Count { .. } => &[],
            Self::WrongStart { agent, .. }
            | Self::NoSuchNode { agent, .. }
            | Self::Gap { agent, .. }
            | Self::Jump { agent, .. }
            | Self::WrongDuration { agent, .. }
            | Self::IllegalMove { agent, .. }
            | Self::OutOfTime { agent, .. }
            | Self::WrongGoal { agent, .. } => slice::from_ref(agent),
            Self::Vertex { agents, .. } | Self::Swap { agents, .. } | Self::Crossing { agents, .. } => agents,
        }
    }
}

impl Violation {
    /// A text that describes the violation. `name` gives the name of each node in the text.
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
            Violation::OutOfTime { agent, from, to, tick } => {
                write!(f, "{agent} goes from {} to {} at tick {tick}, when no step begins there", name(from), name(to))
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
