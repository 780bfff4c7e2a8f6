//! The order of an agent: where it is to go, and whether it has been there.

mod written;

use giveway_core::{Agent, Digest, Entry, Goals};

/// The errand of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errand {
    /// No order: the agent stands by, lets others pass and comes back.
    StandBy,
    /// An order to go somewhere, to a place of its own.
    Go,
    /// An order to go somewhere, where others may be sent as well.
    Share,
}

impl Errand {
    /// The errand of `agent` when it is added.
    #[inline]
    pub fn of(agent: &Agent) -> Self {
        if agent.goals.nodes().is_empty() { Self::StandBy } else { Self::Go }
    }
}

/// The errand of an agent, its goals, and how far the order has been carried out.
#[derive(Clone, Debug)]
pub struct Order {
    errand: Errand,
    goals: Goals,
    claimed: Box<[Entry]>,
    /// Of the goals and what they claim.
    hash: u64,
    arrived: bool,
}

impl Order {
    /// The order of an agent that has no goals yet.
    #[inline]
    pub(super) fn new(errand: Errand) -> Self {
        Self { errand, goals: Goals::from_iter([]), claimed: Box::default(), hash: 0, arrived: false }
    }

    /// Adds the order to `digest`.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        digest.pair(self.errand as u32, self.arrived.into());
        digest.word(self.hash);
    }

    /// The hash of the goals, and of the cells that they claim.
    #[inline]
    fn hash(goals: &Goals, claimed: &[Entry]) -> u64 {
        let mut digest = Digest::new();
        digest.word(goals.nodes().len() as u64);
        goals.nodes().iter().for_each(|goal| digest.word(goal.0.into()));
        claimed.iter().for_each(|entry| digest.word(entry.cell.0.into()));
        digest.finish()
    }

    #[inline]
    pub fn errand(&self) -> Errand {
        self.errand
    }

    /// Whether the agent stands by.
    #[inline]
    pub fn stands_by(&self) -> bool {
        self.errand == Errand::StandBy
    }

    /// The goals; for a bystander, its place.
    #[inline]
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// Whether this is the order of `errand` to `goals`.
    #[inline]
    pub fn is_to(&self, errand: Errand, goals: &Goals) -> bool {
        self.errand == errand && self.goals == *goals
    }

    /// The cells of the one goal, which no other agent may have as a goal. None if there are several goals, or they are
    /// shared.
    #[inline]
    pub fn claimed(&self) -> &[Entry] {
        &self.claimed
    }

    /// Whether the agent has been on a goal since it was sent there.
    #[inline]
    pub fn has_arrived(&self) -> bool {
        self.arrived
    }

    /// Gives the agent another order, which claims the cells `claimed`.
    #[inline]
    pub fn give(&mut self, errand: Errand, goals: Goals, claimed: Vec<Entry>) {
        let hash = Self::hash(&goals, &claimed);
        *self = Self { errand, goals, claimed: claimed.into(), hash, arrived: false };
    }

    /// Sets whether the agent has been on a goal. If it has not, its next arrival counts.
    #[inline]
    pub fn set_arrived(&mut self, arrived: bool) {
        self.arrived = arrived;
    }

    /// Claims no cells any more.
    #[inline]
    pub fn disclaim(&mut self) {
        self.claimed = Box::default();
        self.hash = Self::hash(&self.goals, &[]);
    }

    /// Takes the goals away, and what they claim.
    #[inline]
    pub fn clear(&mut self) {
        self.goals = Goals::from_iter([]);
        self.disclaim();
    }

    /// Notes that the agent stands on a goal. Returns whether it has just arrived there by order.
    #[inline]
    pub fn arrives(&mut self) -> bool {
        let arrives = !self.stands_by() && !self.arrived;
        self.arrived |= arrives;
        arrives
    }
}
