//! Standing orders: what an agent goes on doing without another call. It follows a target, goes from goal to goal,
//! stops within a range, or keeps together with a group.
//!
//! Few agents have such an order. So they stand in a list of their own, in ascending order of agents, and a tick passes
//! over nobody else.

mod beacons;
mod follow;
mod group;

mod stages;
mod written;

use giveway_core::{AgentId, Digest};
use rustc_hash::FxHashSet;

pub(crate) use beacons::{Beacons, Cursor};
pub(crate) use follow::{Aim, Approach, Pursuit};
pub use follow::{Follow, Target};
pub(crate) use group::{Group, Marcher};
pub(crate) use stages::Route;
pub use stages::{Round, Stages};

/// What an agent goes on doing.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Standing {
    /// It follows a target.
    Follow(Pursuit),
    /// It goes from goal to goal.
    Route(Route),
    /// It stops within a range of its goals.
    Approach(Approach),
}

/// The standing orders of a crowd.
#[derive(Clone, Debug, Default)]
pub(crate) struct StandingOrders {
    /// In ascending order of agents.
    of: Vec<(AgentId, Standing)>,
    /// The groups that keep together, in the order in which they set out.
    marches: Vec<Group>,
    /// A cache: whoever is in a group is in here.
    marching: FxHashSet<AgentId>,
    /// A cache: the nodes of classes by their positions.
    pub(crate) beacons: Beacons,
}

impl StandingOrders {
    /// Whether there is no such order.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty() && self.marches.is_empty()
    }

    /// The order of `agent`.
    pub(crate) fn get(&self, agent: AgentId) -> Option<&Standing> {
        let index = self.of.binary_search_by_key(&agent, |(agent, _)| *agent).ok()?;
        Some(&self.of[index].1)
    }

    /// The order of `agent`, to be changed.
    pub(crate) fn get_mut(&mut self, agent: AgentId) -> Option<&mut Standing> {
        let index = self.of.binary_search_by_key(&agent, |(agent, _)| *agent).ok()?;
        Some(&mut self.of[index].1)
    }

    /// Gives `agent` an order in place of any other.
    pub(crate) fn give(&mut self, agent: AgentId, order: Standing) {
        self.forget(agent);
        let index = self.of.partition_point(|(other, _)| *other < agent);
        self.of.insert(index, (agent, order));
    }

    /// Adds a group that keeps together. Its agents have no other standing order.
    pub(crate) fn set_out(&mut self, march: Group) {
        self.marching.extend(march.of.iter().map(|marcher| marcher.agent));
        self.marches.push(march);
    }

    /// Takes the order of `agent` away, and takes it out of its group.
    pub(crate) fn forget(&mut self, agent: AgentId) {
        if self.is_empty() {
            return;
        }
        if let Ok(index) = self.of.binary_search_by_key(&agent, |(agent, _)| *agent) {
            self.of.remove(index);
        }
        if self.marching.remove(&agent) {
            self.marches.iter_mut().for_each(|march| march.leave(agent));
            // The last one of a group may be held, and is let go at the end of the tick.
            self.marches.retain(|march| march.units() > 0);
        }
    }

    /// Notes that `agent` has become a unit of a class with so many nodes: what it has in mind beyond them is no longer
    /// there.
    pub(crate) fn change_class(&mut self, agent: AgentId, bound: usize) {
        let has_nodes = match self.get_mut(agent) {
            Some(Standing::Follow(pursuit)) => pursuit.look_anew(bound),
            Some(Standing::Route(route)) => route.keep_below(bound),
            Some(Standing::Approach(_)) | None => true,
        };
        let marches_beyond = self.marches(agent) && self.marches.iter().any(|march| march.goes_beyond(agent, bound));
        if !has_nodes || marches_beyond {
            self.forget(agent);
        }
    }

    /// Whether `agent` may be in a group that keeps together: who is in none may have been in one that is no more.
    fn marches(&self, agent: AgentId) -> bool {
        self.marching.contains(&agent)
    }

    /// Takes all orders out, to be [put back](Self::put_back).
    pub(crate) fn take(&mut self) -> (Vec<(AgentId, Standing)>, Vec<Group>) {
        (std::mem::take(&mut self.of), std::mem::take(&mut self.marches))
    }

    /// Puts the orders back that are left.
    pub(crate) fn put_back(&mut self, of: Vec<(AgentId, Standing)>, marches: Vec<Group>) {
        (self.of, self.marches) = (of, marches);
        let marching = self.marches.iter().map(Group::units).sum::<usize>();
        if marching < self.marching.len() {
            let all = self.marches.iter().flat_map(|march| &march.of);
            self.marching = all.map(|marcher| marcher.agent).collect();
        }
    }

    /// Adds the orders to `digest`.
    pub(crate) fn feed(&self, digest: &mut Digest) {
        // A crowd without such orders has the hash that it had before there were any.
        for (agent, order) in &self.of {
            digest.word(agent.0.into());
            match order {
                Standing::Follow(pursuit) => pursuit.feed(digest),
                Standing::Route(route) => route.feed(digest),
                Standing::Approach(approach) => approach.feed(digest),
            }
        }
        self.marches.iter().for_each(|march| march.feed(digest));
    }
}
