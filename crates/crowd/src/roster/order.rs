//! The order of an agent: where it is to go, and whether it has been there.

use giveway_core::{Agent, Entry, Goals};

/// The errand of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errand {
    /// No order: the agent stands by, lets others pass and comes back.
    StandBy,
    /// An order to go somewhere, to a place of its own.
    Go,
    /// An order to go somewhere, where others may be sent as well.
    Share,
}

impl Errand {
    /// The errand of `agent` when it is added.
    pub(crate) fn of(agent: &Agent) -> Self {
        if agent.goals.nodes().is_empty() { Self::StandBy } else { Self::Go }
    }
}

/// The errand of an agent, its goals, and how far the order has been carried out.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    errand: Errand,
    goals: Goals,
    claimed: Box<[Entry]>,
    arrived: bool,
}

impl Order {
    /// The order of an agent that has no goals yet.
    pub(super) fn new(errand: Errand) -> Self {
        Self { errand, goals: Goals::from_iter([]), claimed: Box::default(), arrived: false }
    }

    pub(crate) fn errand(&self) -> Errand {
        self.errand
    }

    /// Whether the agent stands by.
    pub(crate) fn stands_by(&self) -> bool {
        self.errand == Errand::StandBy
    }

    /// The goals; for a bystander, its place.
    pub(crate) fn goals(&self) -> &Goals {
        &self.goals
    }

    /// Whether this is the order of `errand` to `goals`.
    pub(crate) fn is_to(&self, errand: Errand, goals: &Goals) -> bool {
        self.errand == errand && self.goals == *goals
    }

    /// The cells of the one goal, which no other agent may have as a goal. None if there are several goals, or they are
    /// shared.
    pub(crate) fn claimed(&self) -> &[Entry] {
        &self.claimed
    }

    /// Whether the agent has been on a goal since it was sent there.
    pub(crate) fn has_arrived(&self) -> bool {
        self.arrived
    }

    /// Gives the agent another order, which claims the cells `claimed`.
    pub(crate) fn give(&mut self, errand: Errand, goals: Goals, claimed: Vec<Entry>) {
        *self = Self { errand, goals, claimed: claimed.into(), arrived: false };
    }

    /// Sets whether the agent has been on a goal. If it has not, its next arrival counts.
    pub(crate) fn set_arrived(&mut self, arrived: bool) {
        self.arrived = arrived;
    }

    /// Claims no cells any more.
    pub(crate) fn disclaim(&mut self) {
        self.claimed = Box::default();
    }

    /// Takes the goals away, and what they claim.
    pub(crate) fn clear(&mut self) {
        self.disclaim();
        self.goals = Goals::from_iter([]);
    }

    /// Notes that the agent stands on a goal. Returns whether it has just arrived there by order.
    pub(crate) fn arrives(&mut self) -> bool {
        let arrives = !self.stands_by() && !self.arrived;
        self.arrived |= arrives;
        arrives
    }
}
