//! The roster: the agents of a crowd, their orders, and their progress. It knows nothing of plans and reservations.

mod approach;
mod changes;
mod itinerary;
mod journey;
mod loads;
mod member;
mod motion;
mod order;
mod patience;
mod turn;
mod window_memory;
mod written;

use std::ops::{Index, IndexMut};

use giveway_core::{AgentId, Digest, Tick, push_sparingly};

use super::chain::Served;
use super::clock::Clock;
use loads::Loads;

pub use changes::Changes;
pub use member::{ClassRules, Frame, Member, SPREAD, TurnTerms};
pub use motion::{after_pause, paused};
pub use order::Errand;
pub use patience::Patience;
use written::read_past;

/// The position of a member in the roster. It stays until the roster is [packed](Roster::pack).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(u32);

impl Slot {
    /// The slot as an index into arrays with an element for each member.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The slot with this [index](Self::index).
    #[inline]
    pub const fn at(index: u32) -> Self {
        Self(index)
    }
}

/// The members of a crowd, in the order in which they were added, which is the order of their ids.
///
/// A member that is dismissed leaves its slot empty, so that all others stay where they are. Once most slots are empty,
/// the roster is packed.
///
/// Members that rest on their goals may fall asleep: ticks skip them, and cost nothing. Access for a change wakes a
/// sleeper, and makes up for the ticks that were skipped. So a sleeper differs from other members only in the time that
/// it takes.
#[derive(Clone, Debug)]
pub struct Roster {
    /// By slot; `None`: the member was dismissed.
    members: Vec<Option<Member>>,
    /// The number of members.
    count: usize,
    /// The id of the member of each slot, ascending, also of members that were dismissed.
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
    /// On which terms they did so, by class.
    terms: Vec<TurnTerms>,
    loads: Loads,
    /// Who is not awake, but was, or is no longer there.
    changes: Changes,
}

impl Default for Roster {
    fn default() -> Self {
        Self {
            members: Vec::new(),
            count: 0,
            ids: Vec::new(),
            next_id: 0,
            awake: Vec::new(),
            in_order: true,
            sleeps: Vec::new(),
            sleepers: Served::default(),
            turns: Clock { now: 0, ticks_per_step: 1 },
            terms: Vec::new(),
            loads: Loads::default(),
            changes: Changes::default(),
        }
    }
}

impl Roster {
    /// The id of the next member; `None`: there is none left.
    #[inline]
    pub fn next_id(&self) -> Option<AgentId> {
        (self.next_id < u32::MAX).then_some(AgentId(self.next_id))
    }

    /// The number of members.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // nobody asks whether a crowd is empty
    pub fn len(&self) -> usize {
        self.count
    }

    /// Adds a member, whose id must be the [next](Self::next_id) one.
    #[inline]
    pub fn enlist(&mut self, member: Member) -> Slot {
        debug_assert_eq!(Some(member.id()), self.next_id());
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        let slot = Slot(self.members.len() as u32);
        self.next_id += 1;
        self.ids.push(member.id());
        push_sparingly(&mut self.members, Some(member));
        self.count += 1;
        self.awake.push(slot);
        self.sleeps.push(false);
        slot
    }

    /// Removes the member at `slot`, which stays empty. `None`: it was empty.
    #[inline]
    pub fn dismiss(&mut self, slot: Slot) -> Option<Member> {
        self.wake(slot);
        self.awake.retain(|other| *other != slot);
        let gone = self.members[slot.index()].take();
        self.count -= usize::from(gone.is_some());
        if let Some(next) = gone.as_ref().and_then(|member| member.turn.next()) {
            self.loads.clear(next);
        }
        self.changes.note(slot);
        gone
    }

    /// Whether most slots are empty, and it is time to [pack](Self::pack).
    #[inline]
    pub fn is_sparse(&self) -> bool {
        self.members.len() > 2 * self.count + FEWEST_EMPTY
    }

    /// Takes out the empty slots: slots change. Returns which slots stay, in order.
    pub fn pack(&mut self) -> Vec<bool> {
        let stays: Vec<bool> = self.members.iter().map(Option::is_some).collect();
        let mut packed = 0;
        let mut next = |stays: &bool| {
            packed += u32::from(*stays);
            Slot(packed.saturating_sub(1))
        };
        let new: Vec<Slot> = stays.iter().map(&mut next).collect();
        self.awake.iter_mut().for_each(|slot| *slot = new[slot.index()]);
        self.members.retain(Option::is_some);
        retain_by(&mut self.ids, &stays);
        retain_by(&mut self.sleeps, &stays);
        self.changes.note_all();
        stays
    }

    /// The members that are awake, in order.
    #[inline]
    pub fn awake(&self) -> &[Slot] {
        debug_assert!(self.in_order);
        &self.awake
    }

    /// Puts the members that are [awake](Self::awake) in order, after some have been woken.
    #[inline]
    pub fn muster(&mut self) {
        if !std::mem::replace(&mut self.in_order, true) {
            self.awake.sort_unstable();
        }
    }

    /// Lets the members that are awake [take their turns](Member::take_turn) at `clock`. Tells `each` of every member,
    /// and whether it has just arrived: it may have been sent to the place where it is. `terms`: by class.
    #[inline]
    pub fn take_turns(&mut self, clock: Clock, terms: Vec<TurnTerms>, mut each: impl FnMut(&Member, bool)) {
        self.turns = clock;
        self.terms = terms;
        self.loads.pass(clock.now);
        for slot in &self.awake {
            let Some(member) = &mut self.members[slot.index()] else { continue };
            let arrives = member.is_home() && member.order.arrives();
            member.take_turn(clock, terms_of(&self.terms, member));
            each(member, arrives);
        }
    }

    /// Sets the next turn of `slot`: at one of the ticks from `earliest` to `latest`, where the fewest have theirs.
    #[inline]
    pub fn set_turn(&mut self, slot: Slot, earliest: Tick, latest: Tick) {
        let next = self.loads.set(earliest, latest);
        self[slot].turn.set_next(next);
    }

    /// A member has left `slot`, whose next turn was to come at `tick`, not before `now`. If another tick has two turns
    /// more, the turn of a member that `may_take` it comes at `tick` instead. Looks at the next few members after
    /// `slot`.
    pub fn fill_turn(&mut self, slot: Slot, (tick, now): (Tick, Tick), may_take: impl Fn(Slot) -> bool) {
        self.loads.pass(now);
        let Some(busiest) = self.loads.busiest_beside(tick) else { return };
        let (before, after) = self.awake.split_at(self.awake.partition_point(|other| *other < slot));
        let takes = |other: &Slot| self[*other].turn.next() == Some(busiest) && may_take(*other);
        if let Some(other) = after.iter().chain(before).take(MOST_ASKED).copied().find(takes) {
            self.loads.clear(busiest);
            self.loads.add(tick);
            self[other].turn.set_next(tick);
        }
    }

    /// How many sleepers there are, by their first planners.
    #[inline]
    pub fn sleepers(&self) -> Served {
        self.sleepers
    }

    /// Puts members to sleep that are awake, that `may_sleep` permits, and that ticks would not change.
    #[inline]
    pub fn put_to_sleep(&mut self, may_sleep: impl Fn(Slot) -> bool) {
        let Self { members, awake, sleeps, sleepers, changes, .. } = self;
        awake.retain(|slot| {
            let Some(member) = &members[slot.index()] else { return false };
            let stays = !(member.may_sleep() && may_sleep(*slot));
            if !stays {
                sleeps[slot.index()] = true;
                changes.note(*slot);
                sleepers.note(Some(member.chain().kind_at(0)));
            }
            stays
        });
    }

    /// Wakes `slot`, if it is asleep.
    #[inline]
    pub fn wake(&mut self, slot: Slot) {
        if std::mem::take(&mut self.sleeps[slot.index()]) {
            self.in_order &= self.awake.last().is_none_or(|last| *last < slot);
            self.awake.push(slot);
            if let Some(member) = &mut self.members[slot.index()] {
                self.sleepers.forget(member.chain().kind_at(0));
                member.take_turn(self.turns, terms_of(&self.terms, member));
            }
        }
    }

    /// Whether the member at `slot` is asleep.
    #[inline]
    pub fn sleeps(&self, slot: Slot) -> bool {
        self.sleeps[slot.index()]
    }

    /// Whether `slot` has a member that is awake.
    #[inline]
    pub fn is_awake(&self, slot: Slot) -> bool {
        self.has(slot) && !self.sleeps(slot)
    }

    /// The member at `slot`, which stays awake or asleep.
    #[inline]
    pub fn at_rest_or_not(&mut self, slot: Slot) -> &mut Member {
        self.members[slot.index()].as_mut().expect(EMPTY)
    }

    /// The id of the member at `slot`, or of the one that was there.
    #[inline]
    pub fn id_at(&self, slot: Slot) -> AgentId {
        self.ids[slot.index()]
    }

    /// Whether `slot` has a member.
    #[inline]
    pub fn has(&self, slot: Slot) -> bool {
        self.members[slot.index()].is_some()
    }

    /// The members that are awake, in any order.
    #[inline]
    pub fn all_awake(&self) -> &[Slot] {
        &self.awake
    }

    /// Appends the slots to `changed` that are not awake, but have changed since the last call; `false`: all may have
    /// changed.
    #[inline]
    pub fn take_changed(&mut self, changed: &mut Vec<Slot>) -> bool {
        self.changes.take(changed)
    }

    /// Adds to `digest` what concerns all members, and those that fell asleep: as of when they did.
    pub fn feed(&self, digest: &mut Digest) {
        digest.word(self.members.len() as u64);
        digest.pair(self.turns.now, self.turns.ticks_per_step);
        for TurnTerms { fits_knots, is_short, patience, over_for } in &self.terms {
            digest.pair(bits([*fits_knots, *is_short]) | (*patience as u32) << 2, *over_for);
        }
        self.loads.feed(digest);
    }

    /// The slot of `agent`; `None`: there is no such agent, or it was removed. Takes constant time until the roster is
    /// first packed, then logarithmic time in the number of agents.
    #[inline]
    pub fn slot(&self, agent: AgentId) -> Option<Slot> {
        let stands_at_its_id = self.ids.get(agent.index()) == Some(&agent);
        let index = if stands_at_its_id { agent.index() } else { self.ids.binary_search(&agent).ok()? };
        #[allow(clippy::cast_possible_truncation)] // no more than there are ids
        self.members[index].is_some().then_some(Slot(index as u32))
    }

    /// The slots of `agents`; agents that are not in the roster are left out.
    #[inline]
    pub fn slots_of(&self, agents: Vec<AgentId>) -> Vec<Slot> {
        agents.into_iter().filter_map(|agent| self.slot(agent)).collect()
    }

    /// The member with the id `agent`; `None`: there is no such agent, or it was removed.
    #[inline]
    pub fn get(&self, agent: AgentId) -> Option<&Member> {
        Some(&self[self.slot(agent)?])
    }

    /// One more than the largest index of a slot.
    #[inline]
    pub fn bound(&self) -> usize {
        self.members.len()
    }

    /// The slots of all members, in order.
    #[inline]
    pub fn slots(&self) -> Vec<Slot> {
        self.iter().map(|(slot, _)| slot).collect()
    }

    /// All members, in order.
    #[inline]
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().flatten()
    }

    /// The slots of the members whose turn it is in a round of `length` ticks, at tick `at` of the round; in `length`
    /// ticks every member that stays has its turn.
    #[inline]
    pub fn of_round(&self, at: Tick, length: Tick) -> Vec<Slot> {
        let turns = (at..).step_by(length as usize).take_while(|index| (*index as usize) < self.members.len());
        turns.map(Slot).filter(|slot| self.members[slot.index()].is_some()).collect()
    }

    /// All members with their slots, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &Member)> {
        (0..).map(Slot).zip(&self.members).filter_map(|(slot, member)| Some((slot, member.as_ref()?)))
    }
}

impl Index<Slot> for Roster {
    type Output = Member;

    #[inline]
    fn index(&self, slot: Slot) -> &Member {
        self.members[slot.index()].as_ref().expect(EMPTY)
    }
}

impl IndexMut<Slot> for Roster {
    /// Wakes it, if it is asleep.
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut Member {
        if self.sleeps[slot.index()] {
            self.wake(slot);
        }
        self.members[slot.index()].as_mut().expect(EMPTY)
    }
}

/// The terms of `member`, which may be of a class that is new.
#[inline]
fn terms_of(by_class: &[TurnTerms], member: &Member) -> TurnTerms {
    let of_new = TurnTerms { fits_knots: true, is_short: false, patience: Patience::Long, over_for: 0 };
    by_class.get(member.class().0 as usize).copied().unwrap_or(of_new)
}

/// A slot is asked for only while it has a member.
const EMPTY: &str = "the slot of a member";

/// So many members are asked to take the turn of one that has left.
const MOST_ASKED: usize = 64;

/// With fewer empty slots than this the roster is not packed.
const FEWEST_EMPTY: usize = 64;

/// `flags` as the bits of a number, the first one as the lowest.
#[inline]
fn bits<const N: usize>(flags: [bool; N]) -> u32 {
    flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(flag))
}

/// A tick as a number; `None`: one that is no tick.
#[inline]
fn or_never(tick: Option<Tick>) -> u32 {
    tick.unwrap_or(Tick::MAX)
}

/// Keeps the elements whose positions `stay`.
#[inline]
pub fn retain_by<T>(elements: &mut Vec<T>, stay: &[bool]) {
    let mut stays = stay.iter();
    elements.retain(|_| stays.next().copied().unwrap_or(true));
}
