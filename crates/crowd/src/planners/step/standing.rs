//! Standing: an agent without an operation holds the place where it is.

use giveway_core::{AgentId, FOREVER, Tick};

use super::inheritance::WRITTEN;
use crate::ledger::{Rest, Schedule};
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::leg::Leg;
use giveway_members::rank::{JOINT, RESTING};
use giveway_members::roster::Slot;

/// Makes the operation of `slot` last until `until`; without one, it is to stand. Returns whether `slot` holds an
/// operation. Agents that lose their plans are added to `losers`.
pub(super) fn stand_by(state: &mut State<'_>, slot: Slot, until: Tick, losers: &mut Vec<Slot>) -> bool {
    let State { world, roster, ledger, clock, .. } = state;
    let (node, from) = roster[slot].motion.free_at(clock.now);
    roster[slot].journey.pass_by(node, clock.now);
    let (member, plan) = (&roster[slot], ledger.plan(slot));
    if from >= until || plan.rest.is_some() && !plan.has_moves() && member.is_home() {
        return true;
    }
    let mut evicted = Vec::new();
    let is_operation = plan.is_by(Planner::Step) && plan.rest.is_none() && plan.covers(from);
    let class = &world[member.class()];
    let is_prolonged = is_operation && ledger.prolong(slot, JOINT, class, until, &mut evicted);
    let holds = is_prolonged || hold_place(state, slot, until, &mut evicted);
    let Unit { member, plan, .. } = state.unit(slot);
    if holds && member.is_home() && !plan.has_moves() {
        rest_at_home(state, slot);
    }
    for loser in state.roster.slots_of(evicted) {
        state.lose_plan(loser, state.clock.now);
        losers.push(loser);
    }
    if !holds {
        state.stand(slot);
    }
    holds
}

/// Makes `slot` hold the place where it is, or where its motion under way ends, until `until`, in place of all that it
/// holds. Returns whether it does; if not, it holds nothing. Agents that lose something are added to `evicted`.
fn hold_place(state: &mut State<'_>, slot: Slot, until: Tick, evicted: &mut Vec<AgentId>) -> bool {
    let State { world, roster, ledger, clock, .. } = state;
    let (node, from) = roster[slot].motion.free_at(clock.now);
    ledger.release(slot, from);
    let holds = ledger.take(slot, JOINT, &world[roster[slot].class()].room(node, from, until), evicted).is_ok();
    if holds {
        ledger.change_plan(slot, Schedule::new(vec![Leg::resting(node, from, until)], None).by(Planner::Step));
    }
    holds
}

/// Lets the agents of `served` that are `bare` hold the places where they are until `until`: agents with operations
/// over these places give them up, and hold their own places. An agent that stands where others are going to pass would
/// stop them, and they others in turn. Agents that lose their plans are added to `losers`. Returns the units of work
/// that this takes.
pub(super) fn clear_places(
    state: &mut State<'_>,
    served: &[Slot],
    bare: &mut [bool],
    until: Tick,
    losers: &mut Vec<Slot>,
) -> u64 {
    let mut left: Vec<Slot> = served.iter().copied().filter(|slot| bare[slot.index()]).collect();
    let mut held = 0;
    let mut gives_up = vec![false; bare.len()];
    served.iter().for_each(|slot| gives_up[slot.index()] = true);
    let mut evicted = Vec::new();
    while let Some(slot) = left.pop() {
        gives_up[slot.index()] = false;
        let (node, from) = state.roster[slot].motion.free_at(state.clock.now);
        let room = state.class(slot).room(node, from, until);
        let holders = room.iter().flat_map(|entry| state.ledger.holders(entry)).collect();
        for other in state.roster.slots_of(holders) {
            let makes_room =
                std::mem::take(&mut gives_up[other.index()]) && state.ledger.plan(other).is_by(Planner::Step);
            held += u64::from(makes_room);
            if makes_room && !hold_place(state, other, until, &mut evicted) {
                bare[other.index()] = true;
                left.push(other);
            }
        }
        held += 1;
        bare[slot.index()] = !hold_place(state, slot, until, &mut evicted);
    }
    for loser in state.roster.slots_of(evicted) {
        // It may hold its place by now.
        if !state.ledger.plan(loser).is_by(Planner::Step) {
            state.lose_plan(loser, state.clock.now);
            losers.push(loser);
        }
    }
    for slot in served.iter().filter(|slot| bare[slot.index()]) {
        state.stand(*slot);
    }
    held * WRITTEN
}

/// Makes `slot`, which stands on its goal, rest there for ever, where others may make it step aside, if nobody else is
/// to come there.
pub(super) fn rest_at_home(state: &mut State<'_>, slot: Slot) {
    let State { world, roster, ledger, clock, .. } = state;
    let (member, now) = (&roster[slot], clock.now);
    let room = world[member.class()].room(member.motion.node(), now, FOREVER);
    if ledger.hold(slot, RESTING, &room).is_ok() {
        ledger.change_plan(slot, Schedule::new(Vec::new(), Some(Rest::new(now, &room))).by(Planner::Step));
    }
}
