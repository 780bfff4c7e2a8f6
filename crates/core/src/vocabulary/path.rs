//! Paths: where one agent goes, and when.

use crate::vocabulary::cost::Cost;
use crate::vocabulary::motion::{Motion, NodeId};
use crate::vocabulary::time::{Tick, Ticks};

/// One motion of a path, with the ticks at which it begins and ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step<A, C> {
    /// What the agent does.
    pub motion: Motion<A, C>,
    /// The tick at which the motion begins.
    pub depart: Tick,
    /// The tick at which the motion ends, and the next step begins.
    pub arrive: Tick,
}

/// What an agent does at the end of its path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AtEnd {
    /// The agent stays for ever, and other agents must avoid it. So the path ends on a goal only when no other agent
    /// passes that goal later.
    #[default]
    Stay,
    /// The agent leaves the world on arrival.
    Disappear,
}

/// Where one agent goes, and when: steps without gaps in time or space.
#[derive(Clone, PartialEq, Debug)]
pub struct Path<A, C> {
    /// The node of the agent before the first step.
    pub start: NodeId,
    /// The tick at which the first step begins.
    pub depart: Tick,
    /// The motions, in order.
    pub steps: Vec<Step<A, C>>,
    /// The cost of all steps, as found by the search.
    pub cost: C,
    /// What the agent does at the end.
    pub at_end: AtEnd,
}

impl<A: Copy, C: Cost> Path<A, C> {
    /// The path of an agent that stands on `start` from tick `depart` on.
    pub fn standing(start: NodeId, depart: Tick, at_end: AtEnd) -> Self {
        Self { start, depart, steps: Vec::new(), cost: C::zero(), at_end }
    }

    /// The last node.
    pub fn end(&self) -> NodeId {
        match self.steps.last().map(|step| &step.motion) {
            None => self.start,
            Some(Motion::Move(m)) => m.to,
            Some(Motion::Rest { node, .. }) => *node,
        }
    }

    /// The tick at which the last move ends: the agent's final arrival. `depart` if the agent never moves.
    pub fn arrival(&self) -> Tick {
        let moves = self.steps.iter().rev();
        moves
            .filter(|step| matches!(step.motion, Motion::Move(_)))
            .map(|step| step.arrive)
            .next()
            .unwrap_or(self.depart)
    }

    /// The node of the agent at `tick`; during a move, the node where the move begins. Before the path begins, its
    /// start; after the path has ended, its end.
    pub fn node_at(&self, tick: Tick) -> NodeId {
        let done = self.steps.partition_point(|step| step.arrive <= tick);
        match done.checked_sub(1).map(|last| &self.steps[last].motion) {
            None => self.start,
            Some(Motion::Move(m)) => m.to,
            Some(Motion::Rest { node, .. }) => *node,
        }
    }

    /// Appends a wait of `ticks` ticks, or lengthens the wait at the end. The caller must add the cost of the wait to
    /// `cost`.
    pub fn push_rest(&mut self, node: NodeId, depart: Tick, ticks: Ticks) {
        let arrive = depart.saturating_add(ticks);
        match self.steps.last_mut() {
            Some(Step { motion: Motion::Rest { node: at, ticks: so_far }, arrive: end, .. })
                if *at == node && *end == depart =>
            {
                *so_far = so_far.saturating_add(ticks);
                *end = arrive;
            }
            _ => self.steps.push(Step { motion: Motion::Rest { node, ticks }, depart, arrive }),
        }
    }
}
