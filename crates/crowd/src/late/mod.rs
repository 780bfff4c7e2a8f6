//! Late units: motions that take longer than planned, and what becomes of the plans that count on them.
//!
//! A motion under way that is late stands still for some ticks, and then goes on. Others that are under way, and would
//! run into it, stand still for as many ticks, from now on, too. That suffices: what units occupy from now on if no
//! other move begins excludes each other, and if all units that are under way stood still for some ticks, they would
//! occupy what they occupy now for as much longer, and all of the rest as much later. So a set of units that can stand
//! still is found by adding whoever is met, until nobody is.

mod order;

use giveway_core::{AgentId, Entry, FOREVER, NodeId, Span, Ticks};

use crate::settings::Lateness;
use crate::state::State;
use crate::tick::note_move;
use giveway_members::leg::Leg;
use giveway_members::rank::RESTING;
use giveway_members::roster::{Member, Slot, after_pause};
use giveway_members::world::AnyClass;
use order::Delays;

/// Nobody is held for more ticks than this at a time.
pub(crate) const LONGEST_HOLD: Ticks = 1 << 20;

impl State<'_> {
    /// Makes the move under way of `slot`, or its stay, take `ticks` longer. Returns all units whose moves under way
    /// are held, `slot` included, in the order in which they were met.
    pub(crate) fn hold_up(&mut self, slot: Slot, ticks: Ticks) -> Vec<Slot> {
        let now = self.clock.now;
        self.roster.wake(slot);
        self.look_around();
        let (_, free) = self.roster[slot].motion.free_at(now);
        let mut ticks = ticks.min(LONGEST_HOLD).min((FOREVER - free) / 4);
        let mut held = Vec::new();
        while ticks > 0 {
            held = self.held_with(slot, ticks);
            // The motions of others may end later; for fewer ticks not more of them are met.
            let last = held.iter().map(|slot| self.roster[*slot].motion.free_at(now).1).max().unwrap_or(free);
            let most = (FOREVER - last) / 4;
            if ticks <= most {
                break;
            }
            ticks = most;
        }
        if ticks == 0 {
            return Vec::new();
        }
        let keeps_order = match self.settings.lateness {
            Lateness::KeepOrder => true,
            Lateness::PlanAnew => false,
            Lateness::ByLength => ticks < self.clock.ticks_per_step,
        };
        let mut delays = if keeps_order { Delays::find(self, &held, ticks) } else { Delays::default() };
        // Paths of their own are kept as they were to be gone.
        for slot in &held {
            if self.roster[*slot].goes_along() {
                self.stop_on_path(*slot);
            }
        }
        delays.release(self);
        for slot in &held {
            self.ledger.release(*slot, now);
            self.stand_still(*slot, ticks);
        }
        let mut evicted = Vec::new();
        for slot in &held {
            evicted.append(&mut self.keep_motion(*slot));
            let room = self.room_of(&self.roster[*slot]);
            self.ledger.move_presence(*slot, &room);
        }
        let mut losers = delays.take(self, &mut evicted);
        losers.extend(held.iter().copied().filter(|slot| !delays.has_plan(*slot)));
        losers.extend(self.roster.slots_of(evicted));
        losers.sort_unstable();
        losers.dedup();
        losers.into_iter().for_each(|slot| self.lose_plan(slot, now));
        held
    }

    /// Reserves what the motion of `slot` occupies, at the expense of all plans. Returns the agents that lose
    /// something.
    pub(crate) fn keep_motion(&mut self, slot: Slot) -> Vec<AgentId> {
        let swept = self.roster[slot].motion.swept().to_vec();
        if swept.is_empty() {
            return Vec::new();
        }
        if self.settings.soft_rests.is_some() && !is_on_a_move(&self.roster[slot]) {
            // Others may be walking through it.
            let _ = self.ledger.hold(slot, RESTING, &swept);
            return Vec::new();
        }
        self.ledger.evict(slot, &swept)
    }

    /// Holds all for a tick whose moves were to have ended and are not done. Returns all that are held, in ascending
    /// order.
    pub(crate) fn hold_overdue(&mut self) -> Vec<AgentId> {
        let (now, roster) = (self.clock.now, &self.roster);
        self.reported.retain(|agent| roster.get(*agent).is_some_and(|member| member.motion.is_reported()));
        let mut held = Vec::new();
        for agent in self.reported.clone() {
            let Some(slot) = self.roster.slot(agent) else { continue };
            // Another one may have held it by now.
            if self.roster[slot].motion.is_overdue(now) {
                held.extend(self.hold_up(slot, 1).into_iter().map(|slot| self.roster[slot].id()));
            }
        }
        held.sort_unstable();
        held.dedup();
        held
    }

    /// Finds out which agents report their moves.
    pub(crate) fn look_for_reported(&mut self) {
        let members = self.roster.members().filter(|member| member.motion.is_reported());
        self.reported = members.map(Member::id).collect();
    }

    /// Notes that the move under way of `slot` is done. It ends when it was to end: now, if that is past.
    pub(crate) fn end_reported(&mut self, slot: Slot) {
        let now = self.clock.now;
        let Self { world, roster, .. } = self;
        let member = &mut roster[slot];
        if !is_on_a_move(member) {
            return;
        }
        if !member.motion.is_overdue(now) {
            return member.motion.note_done();
        }
        let leg = member.motion.end();
        note_move(world, member, &leg, now);
    }

    /// `slot`, and all units under way that have to stand still for `ticks` from now on if it does. Units that are to
    /// have another body after their stay are under way, too.
    fn held_with(&self, slot: Slot, ticks: Ticks) -> Vec<Slot> {
        let now = self.clock.now;
        let is_under_way = |member: &Member| is_on_a_move(member) || member.body_class(now) != member.class();
        let mut held = vec![slot];
        let mut next = 0;
        while let Some(one) = held.get(next).copied() {
            next += 1;
            let member = &self.roster[one];
            let Some(presence) = self.ledger.presence().filter(|_| is_under_way(member)) else { continue };
            let (node, free) = member.motion.free_at(now);
            let mut room: Vec<Entry> = after_pause(member.motion.swept(), now, ticks).collect();
            room.iter_mut().for_each(|entry| entry.span.start = entry.span.start.max(now));
            self.world[member.class()].sweep(&Leg::resting(node, free.saturating_add(ticks), FOREVER), &mut room);
            for other in self.roster.slots_of(presence.all_met(member.id(), &room)) {
                let is_met = is_under_way(&self.roster[other]) && !held.contains(&other);
                debug_assert!(is_met || held.contains(&other) || self.settings.soft_rests.is_some());
                if is_met {
                    held.push(other);
                }
            }
        }
        held
    }

    /// Makes the motion of `slot` take `ticks` longer.
    fn stand_still(&mut self, slot: Slot, ticks: Ticks) {
        let now = self.clock.now;
        let member = &self.roster[slot];
        if is_on_a_move(member) {
            return self.roster[slot].motion.pause(now, ticks);
        }
        let (node, _) = member.motion.free_at(now);
        let body = &self.world[member.body_class(now)];
        let Some(stay) = member.motion.stays() else {
            let span = Span::lasting(now, ticks);
            let room = room_of_stay(body, node, span);
            return self.roster[slot].motion.stay(span, &room, &[]);
        };
        let span = Span::new(stay.start, stay.end + ticks);
        let before = room_of_stay(body, node, stay);
        // It keeps its body until the stay has ended.
        let room = room_of_stay(body, node, span);
        self.roster[slot].motion.stay(span, &room, &before);
    }
}

/// What a unit of `class` occupies that stays on `node` during `span`: nothing after that.
pub(crate) fn room_of_stay(class: &dyn AnyClass, node: NodeId, span: Span) -> Vec<Entry> {
    let mut room = class.room(node, span.start, span.end);
    room.iter_mut().for_each(|entry| entry.span = entry.span.intersection(span));
    room
}

/// Whether `member` is between two nodes.
fn is_on_a_move(member: &Member) -> bool {
    member.motion.is_moving() && member.motion.stays().is_none()
}
