//! Groups that keep together.

use giveway_core::{AgentId, Digest, Goals};

/// A group whose agents wait for each other on their ways.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Group {
    /// By how many plain steps an agent may be nearer to its goal than the last one.
    pub(crate) spread: f64,
    /// In ascending order of agents.
    pub(crate) of: Vec<Marcher>,
}

/// An agent of such a group.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Marcher {
    pub(crate) agent: AgentId,
    /// Where it was sent.
    pub(crate) goals: Goals,
    /// It waits for others, so many plain steps from its goal; `None`: it is on its way.
    pub(crate) held: Option<f64>,
}

impl Group {
    /// The number of agents.
    pub(super) fn units(&self) -> usize {
        self.of.len()
    }

    /// Whether `agent` is in the group, and has a goal that is not below `bound`.
    pub(super) fn goes_beyond(&self, agent: AgentId, bound: usize) -> bool {
        let own = self.of.binary_search_by_key(&agent, |marcher| marcher.agent);
        own.is_ok_and(|index| self.of[index].goals.nodes().iter().any(|node| node.index() >= bound))
    }

    /// Takes `agent` out.
    pub(super) fn leave(&mut self, agent: AgentId) {
        self.of.retain(|marcher| marcher.agent != agent);
    }

    /// Adds the group to `digest`.
    pub(super) fn feed(&self, digest: &mut Digest) {
        digest.pair(5, u32::try_from(self.of.len()).unwrap_or(u32::MAX));
        digest.number(self.spread);
        for Marcher { agent, goals, held } in &self.of {
            digest.word(agent.0.into());
            digest.number(held.unwrap_or(-1.0));
            goals.nodes().iter().for_each(|node| digest.word(node.0.into()));
        }
    }
}
