//! The roster: the agents of a crowd, their orders, and their progress. It knows nothing of plans and reservations.

mod approach;
mod itinerary;
mod member;
mod motion;
mod order;
mod turn;
mod window_memory;

use std::ops::{Index, IndexMut};

use giveway_core::AgentId;

use super::chain::Served;
use super::clock::Clock;

pub(super) use member::{ClassRules, Member};
pub(super) use order::Errand;

/// The position of a member in the roster, until a member is dismissed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot(u32);

impl Slot {
    /// The slot as an index into arrays with an element for each member.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The members of a crowd, in the order in which they were added, which is the order of their ids.
///
/// Members that rest on their goals may fall asleep: ticks skip them, and cost nothing. Access for a change wakes a
/// sleeper, and makes up for the ticks that were skipped. So a sleeper differs from other members only in the time that
/// it takes.
#[derive(Clone, Debug)]
pub(super) struct Roster {
    members: Vec<Member>,
    /// The id of each member, ascending.
    ids: Vec<AgentId>,
    next_id: u32,
    /// The slots of the members that are awake.
    awake: Vec<Slot>,
    /// Whether `awake` is in order.
    in_order: bool,
    /// Whether each member is asleep.
    sleeps: Vec<bool>,
    /// The sleepers, counted by their first planners.
    sleepers: Served,
    /// When members last took turns.
    turns: Clock,
}

impl Default for Roster {
    fn default() -> Self {
        Self {
            members: Vec::new(),
            ids: Vec::new(),
            next_id: 0,
            awake: Vec::new(),
            in_order: true,
            sleeps: Vec::new(),
            sleepers: Served::default(),
            turns: Clock { now: 0, ticks_per_step: 1 },
        }
    }
}

impl Roster {
    /// The id of the next member; `None`: there is none left.
    pub(super) fn next_id(&self) -> Option<AgentId> {
        (self.next_id < u32::MAX).then_some(AgentId(self.next_id))
    }

    /// Adds a member, whose id must be the [next](Self::next_id) one.
    pub(super) fn enlist(&mut self, member: Member) -> Slot {
        debug_assert_eq!(Some(member.id()), self.next_id());
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        let slot = Slot(self.members.len() as u32);
        self.next_id += 1;
        self.ids.push(member.id());
        self.members.push(member);
        self.awake.push(slot);
        self.sleeps.push(false);
        slot
    }

    /// Removes the member at `slot`; later members move up by one.
    pub(super) fn dismiss(&mut self, slot: Slot) -> Member {
        for slot in self.slots() {
            self.wake(slot);
        }
        self.sleeps.pop();
        self.awake = self.slots().take(self.sleeps.len()).collect();
        self.in_order = true;
        self.ids.remove(slot.index());
        self.members.remove(slot.index())
    }

    /// The members that are awake, in order.
    pub(super) fn awake(&self) -> &[Slot] {
        debug_assert!(self.in_order);
        &self.awake
    }

    /// Puts the members that are [awake](Self::awake) in order, after some have been woken.
    pub(super) fn muster(&mut self) {
        if !std::mem::replace(&mut self.in_order, true) {
            self.awake.sort_unstable();
        }
    }

    /// Notes that at `clock` members take turns.
    pub(super) fn take_turns(&mut self, clock: Clock) {
        self.turns = clock;
    }

    /// How many sleepers there are, by their first planners.
    pub(super) fn sleepers(&self) -> Served {
        self.sleepers
    }

    /// Puts members to sleep that are awake, that `may_sleep` permits, and that ticks would not change.
    pub(super) fn put_to_sleep(&mut self, may_sleep: impl Fn(Slot) -> bool) {
        let Self { members, awake, sleeps, sleepers, .. } = self;
        awake.retain(|slot| {
            let member = &members[slot.index()];
            let stays = !(member.may_sleep() && may_sleep(*slot));
            if !stays {
                sleeps[slot.index()] = true;
                sleepers.note(Some(member.chain().at(0)));
            }
            stays
        });
    }

    /// Wakes `slot`, if it is asleep.
    pub(super) fn wake(&mut self, slot: Slot) {
        if std::mem::take(&mut self.sleeps[slot.index()]) {
            self.in_order &= self.awake.last().is_none_or(|last| *last < slot);
            self.awake.push(slot);
            let member = &mut self.members[slot.index()];
            self.sleepers.forget(member.chain().at(0));
            member.take_turn(self.turns);
        }
    }

    /// The slot of `agent`; `None`: there is no such agent, or it was removed. Takes constant time if no agent was
    /// removed, else logarithmic time in the number of agents.
    pub(super) fn slot(&self, agent: AgentId) -> Option<Slot> {
        let stands_at_its_id = self.ids.get(agent.index()) == Some(&agent);
        let index = if stands_at_its_id { agent.index() } else { self.ids.binary_search(&agent).ok()? };
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        Some(Slot(index as u32))
    }

    /// The slots of `agents`; agents that are not in the roster are left out.
    pub(super) fn slots_of(&self, agents: Vec<AgentId>) -> Vec<Slot> {
        agents.into_iter().filter_map(|agent| self.slot(agent)).collect()
    }

    /// The member with the id `agent`; `None`: there is no such agent, or it was removed.
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
}

impl Index<Slot> for Roster {
    type Output = Member;

    #[inline]
    fn index(&self, slot: Slot) -> &Member {
        &self.members[slot.index()]
    }
}

impl IndexMut<Slot> for Roster {
    /// Wakes it, if it is asleep.
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut Member {
        if self.sleeps[slot.index()] {
            self.wake(slot);
        }
        &mut self.members[slot.index()]
    }
}
