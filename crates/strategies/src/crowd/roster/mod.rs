//! The roster: who there is in a crowd, what each was told, and how it comes on. It knows nothing of plans and reservations.

mod approach;
mod itinerary;
mod member;

use std::ops::{Index, IndexMut};

use giveway_core::AgentId;

pub(super) use member::{Errand, Member};

/// Where a member stands in the roster, until somebody is dismissed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot(u32);

impl Slot {
    /// The slot as an index into arrays with an element for each member.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The members of a crowd, one after the other, in the order in which they came: that of their ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    members: Vec<Member>,
    /// The slot of each id that was ever given; [`DISMISSED`]: none any more.
    slots: Vec<Slot>,
}

const DISMISSED: Slot = Slot(u32::MAX);

impl Roster {
    /// The id of whoever is enlisted next; `None`: there is none left.
    pub(super) fn next_id(&self) -> Option<AgentId> {
        u32::try_from(self.slots.len()).ok().filter(|id| *id < u32::MAX).map(AgentId)
    }

    /// Adds a member, whose id must be the [next](Self::next_id) one.
    pub(super) fn enlist(&mut self, member: Member) -> Slot {
        debug_assert_eq!(Some(member.id), self.next_id());
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        let slot = Slot(self.members.len() as u32);
        self.members.push(member);
        self.slots.push(slot);
        slot
    }

    /// Removes the member at `slot`: those after it move up by one. Takes time in proportion to their number.
    pub(super) fn dismiss(&mut self, slot: Slot) -> Member {
        let member = self.members.remove(slot.index());
        self.slots[member.id.index()] = DISMISSED;
        for after in &self.members[slot.index()..] {
            self.slots[after.id.index()].0 -= 1;
        }
        member
    }

    /// The slot of `agent`; `None`: there is no such agent, or not any more.
    pub(super) fn slot(&self, agent: AgentId) -> Option<Slot> {
        self.slots.get(agent.index()).copied().filter(|slot| *slot != DISMISSED)
    }

    /// What is known of `agent`; `None`: there is no such agent, or not any more.
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
