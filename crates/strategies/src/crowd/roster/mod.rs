//! The roster: the agents of a crowd, their orders, and their progress. It knows nothing of plans and reservations.

mod approach;
mod itinerary;
mod member;

use std::ops::{Index, IndexMut};

use giveway_core::AgentId;

pub(super) use member::{Errand, Member};

/// The position of a member in the roster, until a member is dismissed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot(u32);

impl Slot {
    /// The slot as an index into arrays with an element for each member.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The members of a crowd, in the order in which they were added, which is that of their ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    members: Vec<Member>,
    /// The id of each member, ascending.
    ids: Vec<AgentId>,
    next_id: u32,
}

impl Roster {
    /// The id of the next member; `None`: there is none left.
    pub(super) fn next_id(&self) -> Option<AgentId> {
        (self.next_id < u32::MAX).then_some(AgentId(self.next_id))
    }

    /// Adds a member, whose id must be the [next](Self::next_id) one.
    pub(super) fn enlist(&mut self, member: Member) -> Slot {
        debug_assert_eq!(Some(member.id), self.next_id());
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        let slot = Slot(self.members.len() as u32);
        self.next_id += 1;
        self.ids.push(member.id);
        self.members.push(member);
        slot
    }

    /// Removes the member at `slot`; later members move up by one.
    pub(super) fn dismiss(&mut self, slot: Slot) -> Member {
        self.ids.remove(slot.index());
        self.members.remove(slot.index())
    }

    /// The slot of `agent`; `None`: there is no such agent, or it was removed. Takes constant time if no agent was removed, else logarithmic time in
    /// the number of agents.
    pub(super) fn slot(&self, agent: AgentId) -> Option<Slot> {
        let stands_at_its_id = self.ids.get(agent.index()) == Some(&agent);
        let index = if stands_at_its_id { agent.index() } else { self.ids.binary_search(&agent).ok()? };
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        Some(Slot(index as u32))
    }

    /// The slots of those of `agents` that are in the roster.
    pub(super) fn slots_of(&self, agents: Vec<AgentId>) -> Vec<Slot> {
        agents.into_iter().filter_map(|agent| self.slot(agent)).collect()
    }

    /// What is known of `agent`; `None`: there is no such agent, or it was removed.
    pub(super) fn get(&self, agent: AgentId) -> Option<&Member> {
        Some(&self[self.slot(agent)?])
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// All slots, in order.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.members.len()).zip((0..).map(Slot)).map(|(_, slot)| slot)
    }

    /// All members, in order.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter()
    }

    /// All members with their slots, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Slot, &Member)> {
        self.slots().zip(&self.members)
    }

    /// All members with their slots, in order.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut Member)> {
        self.slots().zip(&mut self.members)
    }
}

impl Index<Slot> for Roster {
    type Output = Member;

    #[inline]
    fn index(&self, slot: Slot) -> &Member {
        &self.members[slot.index()]
    }
}

impl IndexMut<Slot> for Roster {
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut Member {
        &mut self.members[slot.index()]
    }
}
