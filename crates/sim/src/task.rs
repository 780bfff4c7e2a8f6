//! Tasks: what an agent is to do, one goal after the other.

use std::sync::Arc;

use giveway_core::{Agent, AgentId, Goals, NodeId};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// What an agent is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Task {
    /// To go where it was sent when it was added, and to stay there. A bystander stands by.
    Once,
    /// To visit these places, in this order, and then again from the first one, for ever. If there is none, to stand by.
    Patrol(Vec<NodeId>),
    /// To go to one of these places, drawn at random, and once it is there to another one, for ever. If there is none, to
    /// stand by.
    Lifelong {
        /// Where it may be sent. All are as likely, but for the one where it is.
        places: Arc<[NodeId]>,
        /// What decides, together with the agent's id: agents with the same seed and different ids go to different places.
        /// An agent draws from those that are not where it is, so one that was sent to a place near its goal instead, as
        /// somebody else has it, may go on elsewhere.
        seed: u64,
    },
}

/// A task that an agent has, and how far it is with that.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    task: Task,
    /// How many places of a patrol it has been sent to.
    sent: usize,
    random: Pcg64Mcg,
}

impl Assignment {
    /// The beginning of `task` for the agent that will be `id`.
    pub(crate) fn begin(task: Task, id: AgentId) -> Self {
        let seed = if let Task::Lifelong { seed, .. } = task { seed } else { 0 };
        // The generator's state must not be small numbers that differ in a few bits only.
        let state = (u128::from(seed) << 32 | u128::from(id.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        Self { task, sent: 0, random: Pcg64Mcg::new(state) }
    }

    /// The goals of `agent` at first.
    pub(crate) fn first_goals(&mut self, agent: &Agent) -> Goals {
        match self.task {
            Task::Once => agent.goals.clone(),
            _ => self.next_goal(agent.start).map_or_else(|| Goals::from_iter([]), Goals::one),
        }
    }

    /// Where to go from `here`; `None`: it may stay.
    pub(crate) fn next_goal(&mut self, here: NodeId) -> Option<NodeId> {
        match &self.task {
            Task::Once => None,
            Task::Patrol(places) => places.get(self.sent % places.len().max(1)).copied(),
            Task::Lifelong { places, .. } => {
                let elsewhere = places.iter().filter(|place| **place != here).count();
                if elsewhere == 0 {
                    return None;
                }
                let drawn = self.random.random_range(0..elsewhere);
                places.iter().filter(|place| **place != here).nth(drawn).copied()
            }
        }
    }

    /// It has been sent to the goal that it was told last.
    pub(crate) fn went(&mut self) {
        self.sent += 1;
    }

    /// The task.
    pub(crate) fn task(&self) -> &Task {
        &self.task
    }

    /// Whether it is to go to one place and stay there.
    pub(crate) fn is_once(&self) -> bool {
        self.task == Task::Once
    }
}
