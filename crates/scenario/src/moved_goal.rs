//! Moved goals: replacements for unsuitable goals of agents.

use std::collections::HashMap;

use giveway_core::near::{Ground, Nearest};
use giveway_core::{Agent, AgentId, Embedding as _, NodeId, SpaceGraph as _};
use giveway_spaces::Grid;

/// A goal that was replaced by a cell nearby: see [`Scenario::agents_near`](crate::Scenario::agents_near).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovedGoal {
    /// The agent.
    pub agent: AgentId,
    /// The former goal.
    pub from: NodeId,
    /// The new goal.
    pub to: NodeId,
    /// The reason.
    pub why: WhyMoved,
}

/// Why a goal was moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WhyMoved {
    /// The former goal is a wall.
    Wall,
    /// No way leads from the agent's start to the former goal.
    Unreachable,
    /// The former goal is the goal of an earlier agent.
    Taken {
        /// The earlier agent.
        by: AgentId,
    },
}

/// A grid, for units that can make all of its moves.
struct GridGround<'g>(&'g Grid);

impl Ground for GridGround<'_> {
    fn node_bound(&self) -> usize {
        self.0.node_bound()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.0.contains(node)
    }

    fn position(&self, node: NodeId) -> Option<[f32; 3]> {
        Some(self.0.position(node))
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        // A plain step of a grid costs 1000.
        self.0.moves(from).for_each(|m| each(m.to, u64::from(m.cost)));
    }
}

/// The agents with these (start, goal) on `grid`, with unsuitable goals moved; and the moved goals. All starts are
/// free.
///
/// # Errors
/// No place is left for this agent.
pub(crate) fn moved_goals(ends: &[(NodeId, NodeId)], grid: &Grid) -> Result<(Vec<Agent>, Vec<MovedGoal>), AgentId> {
    let (ground, mut nearest) = (GridGround(grid), Nearest::new());
    let mut taken: HashMap<NodeId, AgentId> = HashMap::new();
    let mut misplaced = Vec::new();
    for ((start, goal), agent) in ends.iter().copied().zip((0..).map(AgentId)) {
        let why = match taken.get(&goal) {
            _ if !grid.contains(goal) => WhyMoved::Wall,
            _ if !nearest.is_reachable(&ground, start, goal) => WhyMoved::Unreachable,
            Some(by) => WhyMoved::Taken { by: *by },
            None => {
                taken.insert(goal, agent);
                continue;
            }
        };
        misplaced.push((agent, why));
    }
    let mut agents: Vec<Agent> = ends.iter().map(|(start, goal)| Agent::new(*start, *goal)).collect();
    let mut moved = Vec::new();
    for (agent, why) in misplaced {
        let (start, from) = ends[agent.index()];
        let to = nearest.find(&ground, start, from, |node| !taken.contains_key(&node)).ok_or(agent)?;
        taken.insert(to, agent);
        agents[agent.index()] = Agent::new(start, to);
        moved.push(MovedGoal { agent, from, to, why });
    }
    Ok((agents, moved))
}
