//! Paths: where one agent goes, and when.

use std::ops::ControlFlow;

use crate::cost::Cost;
use crate::footprint::{Entry, Footprint, Motion};
use crate::space::{NodeId, SpaceGraph};
use crate::time::{FOREVER, Tick, Ticks};

/// One motion of a path, and when it begins and ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step<A, C> {
    /// What the agent does.
    pub motion: Motion<A, C>,
    /// When it begins.
    pub depart: Tick,
    /// When it ends, and the next step begins.
    pub arrive: Tick,
}

/// What becomes of an agent at the end of its path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AtEnd {
    /// It stays there for ever and is in everybody's way. A goal that somebody else passes later is not yet reached.
    #[default]
    Stay,
    /// It leaves the world on arrival.
    Disappear,
}

/// Where one agent goes, and when: steps without a gap in time or space.
#[derive(Clone, PartialEq, Debug)]
pub struct Path<A, C> {
    /// Where the agent is before the first step.
    pub start: NodeId,
    /// When the first step begins.
    pub depart: Tick,
    /// What it does, one motion after the other.
    pub steps: Vec<Step<A, C>>,
    /// What all of it costs, by the search that found it.
    pub cost: C,
    /// What it does afterwards.
    pub at_end: AtEnd,
}

/// The path of a unit in space `S`.
pub type PathIn<S> = Path<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

impl<A: Copy, C: Cost> Path<A, C> {
    /// The path of an agent that is at `start` at tick `depart` and does nothing.
    pub fn standing(start: NodeId, depart: Tick, at_end: AtEnd) -> Self {
        Self { start, depart, steps: Vec::new(), cost: C::zero(), at_end }
    }

    /// The node at which it ends.
    pub fn end(&self) -> NodeId {
        match self.steps.last().map(|step| &step.motion) {
            None => self.start,
            Some(Motion::Move(m)) => m.to,
            Some(Motion::Rest { node, .. }) => *node,
        }
    }

    /// The tick at which its last move ends: when the agent arrives for good. `depart` if it never moves.
    pub fn arrival(&self) -> Tick {
        let moves = self.steps.iter().rev();
        moves
            .filter(|step| matches!(step.motion, Motion::Move(_)))
            .map(|step| step.arrive)
            .next()
            .unwrap_or(self.depart)
    }

    /// The node at which the agent is at `tick`, or from which it is under way; the start before, and the end after.
    pub fn node_at(&self, tick: Tick) -> NodeId {
        let done = self.steps.partition_point(|step| step.arrive <= tick);
        match done.checked_sub(1).map(|last| &self.steps[last].motion) {
            None => self.start,
            Some(Motion::Move(m)) => m.to,
            Some(Motion::Rest { node, .. }) => *node,
        }
    }

    /// Appends a wait of `ticks` to the steps, or lengthens the one at the end. Its cost is the caller's to add.
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

    /// Collects every reservation entry of the path: of standing at its start, of each step, and of what the agent
    /// does at its end.
    pub fn entries<S>(&self, space: &S, footprint: &impl Footprint<S>) -> Vec<Entry>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let mut entries = Vec::new();
        let mut collect = |motion: Motion<A, C>, depart: Tick| {
            let _ = footprint.sweep(space, &motion, depart, &mut |entry| {
                entries.push(entry);
                ControlFlow::Continue(())
            });
        };
        collect(Motion::Rest { node: self.start, ticks: 0 }, self.depart);
        for step in &self.steps {
            collect(step.motion, step.depart);
        }
        if self.at_end == AtEnd::Stay {
            let end = self.steps.last().map_or(self.depart, |step| step.arrive);
            collect(Motion::Rest { node: self.end(), ticks: FOREVER }, end);
        }
        entries
    }
}
