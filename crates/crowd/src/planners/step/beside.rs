//! Beside: which agents take part in plain steps. Agents at rest beside those that walk do, and agents in the way of an
//! operation do not.

use giveway_core::{Entry, FOREVER};

use super::plain::can_step;
use crate::ledger::Presence;
use crate::planners::windowed::ENTRIES;
use crate::state::{State, Unit};
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;

/// The number of agents at rest that are looked at in the time of a unit of work.
pub(super) const LOOKED_AT_ONCE: u64 = 2;

/// `walking`, and the agents at rest that can step aside for them, and for each other; and the number of agents that
/// were looked beside, or would have been if somebody were at rest. No more agents at rest take part than
/// `MOST_AT_REST` for each agent that walks.
pub(super) fn with_those_beside(state: &State<'_>, mut walking: Vec<Slot>, presence: &Presence) -> (Vec<Slot>, u64) {
    let mut walks = vec![false; state.roster.bound()];
    walking.iter().for_each(|slot| walks[slot.index()] = true);
    if state.roster.len() == walking.len() {
        return (walking, 0);
    }
    // Where nobody rests there is nobody to find.
    if !state.roster.iter().any(|(slot, _)| !walks[slot.index()] && state.unit(slot).is_at_ease()) {
        let looked_at = walking.len() as u64;
        return (walking, looked_at);
    }
    let most = walking.len().saturating_mul(MOST_AT_REST);
    let mut next = 0;
    let mut room = Vec::new();
    while let Some(slot) = walking.get(next).copied().filter(|_| walking.len() < most) {
        next += 1;
        room.clear();
        add_room_of_moves(state, slot, &mut room);
        for other in state.roster.slots_of(presence.all_met(state.roster[slot].id(), &room)) {
            let is_new = !walks[other.index()] && state.unit(other).is_at_ease() && can_step(state, other);
            if is_new {
                walks[other.index()] = true;
                walking.push(other);
            }
        }
    }
    (walking, next as u64)
}

/// So many agents at rest take part for each agent that walks.
const MOST_AT_REST: usize = 32;

/// Adds to `room` what `slot` would occupy by each of its next moves, and afterwards.
fn add_room_of_moves(state: &State<'_>, slot: Slot, room: &mut Vec<Entry>) {
    let class = state.class(slot);
    let (node, from) = state.roster[slot].motion.free_at(state.clock.now);
    class.for_each_move(node, from, &mut |leg, _| {
        class.sweep(&leg, room);
        class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), room);
    });
}

/// Moves those of `walking` to `others`, which compare operations, that are in the way of what `others` hold:
/// operations last longer than plain steps, and may lead through a place that a plain step holds for now. Where agents
/// take no plain steps, whoever is in the way of their next moves joins them, too. Returns the units of work that this
/// took.
pub(super) fn join_others(
    state: &State<'_>,
    others: &mut Vec<Slot>,
    walking: &mut Vec<Slot>,
    presence: &Presence,
) -> u64 {
    let mut walks = vec![false; state.roster.bound()];
    walking.iter().for_each(|slot| walks[slot.index()] = true);
    let (mut room, mut entries, mut next) = (Vec::new(), 0, 0);
    while let Some(slot) = others.get(next).copied() {
        next += 1;
        let Unit { member, plan, .. } = state.unit(slot);
        let class = state.class(slot);
        room.clear();
        plan.ahead().iter().filter(|leg| leg.is_move()).for_each(|leg| class.sweep(leg, &mut room));
        if state.plain.pace(member.class()).is_none() {
            add_room_of_moves(state, slot, &mut room);
        }
        entries += room.len() as u64;
        for other in state.roster.slots_of(presence.all_met(member.id(), &room)) {
            if std::mem::take(&mut walks[other.index()]) {
                others.push(other);
            }
        }
    }
    walking.retain(|slot| walks[slot.index()]);
    entries / ENTRIES
}
