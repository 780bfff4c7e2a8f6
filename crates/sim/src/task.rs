//! Tasks: the goals of an agent, one after the other.

use giveway_core::{Agent, AgentId, Goals, NodeId};
use rand_pcg::Pcg64Mcg;

use crate::endpoints::Endpoints;

/// The task of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Task {
    /// Go to the agent's own goals, and stay there. A bystander stands by.
    Once,
    /// Visit these places in this order, and again from the first place, for ever. Without places, stand by.
    Patrol(Vec<NodeId>),
    /// Go to one of these places, drawn at random, then to another of these places, and so on for ever. Without places,
    /// stand by.
    Lifelong {
        /// The places. At each draw all places are equally likely, except the place where the agent is: the agent never
        /// draws that place.
        places: Endpoints,
        /// The seed. Draws depend on the seed and the agent's id, so agents with the same seed go to different places.
        /// If a drawn place belongs to another agent, the agent goes to a free place nearby instead. Its next draw may
        /// then give any of the places.
        seed: u64,
    },
}

/// A task of an agent, and its progress.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    task: Task,
    /// How many places of a patrol the agent has been sent to.
    sent: usize,
    random: Pcg64Mcg,
}

impl Assignment {
    /// The beginning of `task` for the agent with the future id `id`.
    pub(crate) fn begin(task: Task, id: AgentId) -> Self {
        let seed = if let Task::Lifelong { seed, .. } = task { seed } else { 0 };
        // The generator's state must not be small numbers that differ in a few bits only.
        let state = (u128::from(seed) << 32 | u128::from(id.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        Self { task, sent: 0, random: Pcg64Mcg::new(state) }
    }

    /// The first goals of `agent`.
    pub(crate) fn first_goals(&mut self, agent: &Agent) -> Goals {
        match self.task {
            Task::Once => agent.goals.clone(),
            _ => self.next_goal(agent.start).map_or_else(|| Goals::from_iter([]), Goals::one),
        }
    }

    /// Where to go from `here`; `None`: the agent may stay.
    pub(crate) fn next_goal(&mut self, here: NodeId) -> Option<NodeId> {
        match &self.task {
            Task::Once => None,
            Task::Patrol(places) => places.get(self.sent % places.len().max(1)).copied(),
            Task::Lifelong { places, .. } => places.draw(here, &mut self.random),
        }
    }

    /// Notes that the agent has been sent to the last goal given.
    pub(crate) fn went(&mut self) {
        self.sent += 1;
    }

    /// The task.
    pub(crate) fn task(&self) -> &Task {
        &self.task
    }

    /// Whether the task is [`Task::Once`].
    pub(crate) fn is_once(&self) -> bool {
        matches!(self.task, Task::Once)
    }
}
