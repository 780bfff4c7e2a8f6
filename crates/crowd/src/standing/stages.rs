//! Stages: goals, one after the other.

use std::collections::VecDeque;

use giveway_core::{Digest, Goals, NodeId, Tick};

/// Goals that an agent goes to one after the other, in a [queue](crate::Crowd::queue) or on a
/// [patrol](crate::Crowd::patrol).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Stages {
    goals: Vec<Goals>,
    waits: bool,
}

impl Stages {
    /// Stages that lead to `goals`, in this order.
    pub fn new<G: Into<Goals>>(goals: impl IntoIterator<Item = G>) -> Self {
        Self { goals: goals.into_iter().map(Into::into).collect(), waits: false }
    }

    /// Makes the agent wait for its goals. If a goal cannot be reached, is closed, or has no free place, the agent
    /// stands by, and tries again every 16 steps. Without this setting, the agent skips such a goal.
    #[must_use]
    pub fn waiting(self) -> Self {
        Self { waits: true, ..self }
    }

    /// The goals.
    pub fn goals(&self) -> &[Goals] {
        &self.goals
    }

    /// The goals, and whether the agent waits for each.
    pub(crate) fn into_stages(self) -> impl Iterator<Item = (Goals, bool)> {
        let waits = self.waits;
        self.goals.into_iter().map(move |goals| (goals, waits))
    }
}

impl From<NodeId> for Stages {
    fn from(goal: NodeId) -> Self {
        Self::new([goal])
    }
}

impl From<Goals> for Stages {
    fn from(goals: Goals) -> Self {
        Self::new([goals])
    }
}

impl From<Vec<NodeId>> for Stages {
    fn from(goals: Vec<NodeId>) -> Self {
        Self::new(goals)
    }
}

impl From<&[NodeId]> for Stages {
    fn from(goals: &[NodeId]) -> Self {
        Self::new(goals.iter().copied())
    }
}

impl<const N: usize> From<[NodeId; N]> for Stages {
    fn from(goals: [NodeId; N]) -> Self {
        Self::new(goals)
    }
}

impl From<Vec<Goals>> for Stages {
    fn from(goals: Vec<Goals>) -> Self {
        Self::new(goals)
    }
}

/// How a [patrol](crate::Crowd::patrol) goes on after its last goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Round {
    /// From the last goal to the first one.
    #[default]
    Around,
    /// To and fro: after the last goal, through all goals in reverse order; after the first goal, in the given order
    /// again.
    ToAndFro,
}

/// One goal of a route, or any one of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stage {
    pub(crate) number: u32,
    pub(crate) goals: Goals,
    /// Whether the agent waits if it cannot get there.
    pub(crate) waits: bool,
}

/// An agent that goes from goal to goal, and how far it has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Route {
    /// The stages that are left, the present one first. On a patrol all of them.
    pub(super) stages: VecDeque<Stage>,
    /// `None`: it is a queue.
    pub(super) round: Option<Round>,
    /// The present stage of a patrol.
    pub(super) at: u32,
    /// Whether a patrol to and fro goes back.
    pub(super) goes_back: bool,
    /// Whether the agent is on its way to the present stage.
    pub(crate) is_sent: bool,
    /// When the agent last tried to go to the present stage in vain.
    pub(crate) failed: Option<Tick>,
    /// Whether the agent has reached the only stage of its round, and was told so.
    pub(crate) is_reached: bool,
    /// How many stages in a row it had to skip.
    pub(super) skipped: u32,
    /// The number of the next stage that is added.
    pub(super) next: u32,
}

impl Route {
    /// A queue without goals.
    pub(crate) fn queue() -> Self {
        Self::of(VecDeque::new(), None)
    }

    /// A patrol.
    pub(crate) fn patrol(stages: Stages, round: Round) -> Self {
        let mut route = Self::of(VecDeque::new(), Some(round));
        route.append(stages);
        route
    }

    fn of(stages: VecDeque<Stage>, round: Option<Round>) -> Self {
        Self {
            stages,
            round,
            at: 0,
            goes_back: false,
            is_sent: false,
            failed: None,
            is_reached: false,
            skipped: 0,
            next: 0,
        }
    }

    /// Appends `stages`.
    pub(crate) fn append(&mut self, stages: Stages) {
        for (goals, waits) in stages.into_stages() {
            self.stages.push_back(Stage { number: self.next, goals, waits });
            self.next = self.next.saturating_add(1);
        }
    }

    /// Whether it is a queue.
    pub(crate) fn is_queue(&self) -> bool {
        self.round.is_none()
    }

    /// The present stage; `None`: there is none left.
    pub(crate) fn present(&self) -> Option<&Stage> {
        self.stages.get(self.at as usize)
    }

    /// The stages that are left, the present one first. On a patrol all of them.
    pub(crate) fn left(&self) -> impl Iterator<Item = &Stage> {
        let count = self.stages.len();
        (0..count).map(move |index| &self.stages[(self.at as usize + index) % count])
    }

    /// Whether the next stage is the present one: a round of one goal.
    pub(crate) fn is_single(&self) -> bool {
        self.round.is_some() && self.stages.len() == 1
    }

    /// Goes on to the next stage, after the present one was reached, or skipped.
    pub(crate) fn go_on(&mut self, was_reached: bool) {
        (self.is_sent, self.failed) = (false, None);
        self.skipped = if was_reached { 0 } else { self.skipped.saturating_add(1) };
        let last = u32::try_from(self.stages.len()).unwrap_or(u32::MAX).saturating_sub(1);
        match self.round {
            None => drop(self.stages.pop_front()),
            Some(Round::Around) => self.at = if self.at >= last { 0 } else { self.at + 1 },
            Some(Round::ToAndFro) => {
                self.goes_back = if self.goes_back { self.at > 0 } else { self.at >= last };
                self.at = if self.goes_back { self.at.saturating_sub(1) } else { (self.at + 1).min(last) };
            }
        }
    }

    /// Drops stages with nodes that are not below `bound`. Returns whether one is left.
    pub(super) fn keep_below(&mut self, bound: usize) -> bool {
        let before = self.stages.len();
        self.stages.retain(|stage| stage.goals.nodes().iter().all(|node| node.index() < bound));
        if self.stages.len() < before {
            (self.at, self.is_sent) = (0, false);
        }
        !self.stages.is_empty()
    }

    /// Whether it has skipped all stages of a round in a row.
    pub(crate) fn is_in_vain(&self) -> bool {
        self.round.is_some() && self.skipped as usize >= self.stages.len()
    }

    /// Adds it to `digest`.
    pub(super) fn feed(&self, digest: &mut Digest) {
        digest.pair(3, self.round.map_or(0, |round| 1 + round as u32));
        let flags = [self.goes_back, self.is_sent, self.is_reached];
        digest.pair(self.at, (0..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum());
        digest.pair(self.failed.unwrap_or(Tick::MAX), self.skipped);
        digest.pair(self.next, u32::try_from(self.stages.len()).unwrap_or(u32::MAX));
        for Stage { number, goals, waits } in &self.stages {
            digest.pair(*number, (*waits).into());
            digest.word(goals.nodes().len() as u64);
            goals.nodes().iter().for_each(|node| digest.word(node.0.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(round: Round, goals: u32, stages: usize) -> Vec<u32> {
        let mut route = Route::patrol(Stages::new((0..goals).map(NodeId)), round);
        let mut next = || {
            let present = route.present().map_or(99, |stage| stage.number);
            route.go_on(true);
            present
        };
        (0..stages).map(|_| next()).collect()
    }

    #[test]
    fn rounds_go_on_for_ever() {
        assert_eq!(order(Round::Around, 3, 7), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(order(Round::ToAndFro, 3, 9), [0, 1, 2, 1, 0, 1, 2, 1, 0]);
        assert_eq!(order(Round::ToAndFro, 2, 4), [0, 1, 0, 1]);
        assert_eq!(order(Round::ToAndFro, 1, 3), [0, 0, 0]);
        assert_eq!(order(Round::Around, 1, 3), [0, 0, 0]);
    }

    #[test]
    fn a_queue_ends() {
        let mut route = Route::queue();
        route.append(Stages::from([NodeId(4), NodeId(5)]));
        route.go_on(true);
        route.append(Stages::from(NodeId(9)));
        let left: Vec<(u32, u32)> = route.left().map(|stage| (stage.number, stage.goals.nodes()[0].0)).collect();
        assert_eq!(left, [(1, 5), (2, 9)]);
        route.go_on(false);
        route.go_on(true);
        assert_eq!(route.present(), None);
    }
}
