//! Tasks: the goals of an agent, one after the other.

use giveway_core::{Agent, AgentId, Goals, NodeId};
use rand::RngCore;
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
    /// How many numbers were drawn.
    drawn: u64,
}

impl Assignment {
    /// The beginning of `task` for the agent with the future id `id`.
    pub(crate) fn begin(task: Task, id: AgentId) -> Self {
        let seed = if let Task::Lifelong { seed, .. } = task { seed } else { 0 };
        // The generator's state must not be small numbers that differ in a few bits only.
        let state = (u128::from(seed) << 32 | u128::from(id.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        Self { task, sent: 0, random: Pcg64Mcg::new(state), drawn: 0 }
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
            Task::Lifelong { places, .. } => {
                places.draw(here, &mut Counting { random: &mut self.random, drawn: &mut self.drawn })
            }
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

/// A generator whose numbers are counted.
struct Counting<'a> {
    random: &'a mut Pcg64Mcg,
    drawn: &'a mut u64,
}

impl RngCore for Counting<'_> {
    fn next_u32(&mut self) -> u32 {
        *self.drawn += 1;
        self.random.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        *self.drawn += 1;
        self.random.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        *self.drawn += bytes.len().div_ceil(size_of::<u64>()) as u64;
        self.random.fill_bytes(bytes);
    }
}

impl Assignment {
    /// How far the task has come: how often the agent was sent, and how many numbers were drawn.
    pub(crate) fn progress(&self) -> [u64; 2] {
        [self.sent as u64, self.drawn]
    }

    /// The assignment of `task` to `id` that has come this [far](Self::progress).
    pub(crate) fn resumed(task: Task, id: AgentId, [sent, drawn]: [u64; 2]) -> Self {
        let mut begun = Self::begin(task, id);
        begun.random.advance(drawn.into());
        Self { sent: usize::try_from(sent).unwrap_or(usize::MAX / 2), drawn, ..begun }
    }
}
