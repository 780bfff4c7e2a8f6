//! Haste: an agent on a path of its own makes no way. Agents that stand in its way go before all others, and get a
//! [refuge] if they are still in its way after all have planned.

use giveway_core::{Claim, Entry, Fuel, NodeId, Tick, Ticks};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::refuge;
use crate::state::{State, Unit};
use giveway_members::leg::Leg;
use giveway_members::rank::PUSH;
use giveway_members::roster::Slot;

/// An agent has to hurry if its place is taken within so many steps, and within so many of the longest steps of a
/// class.
const STEPS: u32 = 5;
const LONGEST: Ticks = 2;

/// The work that a refuge takes, about.
const PER_REFUGE: u64 = 32;

/// This part of the budget is kept for refuges in any case, and no more than `MOST` of it.
const LEAST: u64 = 16;
const MOST: u64 = 2;

/// Makes all agents hurry whose plans end where an agent on a path of its own is about to come: at this tick they go
/// before all others. Returns how many there are.
pub(super) fn hurry(state: &mut State<'_>) -> usize {
    let (now, until) = (state.clock.now, soon(state));
    let hurried: Vec<Slot> =
        state.awake().filter(|unit| must_clear(state, *unit, until)).map(|unit| unit.slot).collect();
    for slot in &hurried {
        state.roster[*slot].hurry();
        state.roster[*slot].turn.ask(now);
    }
    hurried.len()
}

/// Keeps work for the refuges of the agents that stand where an agent on a path of its own is about to come: their
/// plans may still fail. Returns how much.
pub(super) fn work_for_refuges(context: &mut Context<'_, '_>) -> u64 {
    let (state, until) = (&*context.state, soon(context.state));
    let stands_in_the_way = |unit: &Unit<'_>| {
        let (node, from) = unit.member.motion.free_at(state.clock.now);
        unit.member.makes_way() && is_taken(state, unit.slot, (node, from), until)
    };
    let agents = state.awake().filter(stands_in_the_way).count() as u64;
    let left = context.work.fuel.left();
    let kept = (left / LEAST).saturating_add(agents.saturating_mul(PER_REFUGE)).min(left / MOST);
    context.work.fuel = Fuel::work(left - kept);
    kept
}

/// Gives a refuge to all agents that are still in the way of an agent on a path of its own: first to the agents whose
/// places are needed first. One of them may take three quarters of the work that is left.
pub(super) fn clear(context: &mut Context<'_, '_>) {
    context.state.wake();
    context.state.look_around();
    let (state, until) = (&*context.state, soon(context.state));
    let mut left: Vec<(Tick, Slot)> =
        state.awake().filter_map(|unit| Some((cleared_by(state, unit, until)?, unit.slot))).collect();
    let (stuck, caught) = stuck(state, until);
    left.extend(caught.into_iter().map(|slot| (until, slot)));
    left.sort_unstable();
    let mut sought: FxHashSet<Slot> = FxHashSet::default();
    for (_, slot) in left {
        if context.work.fuel.left() == 0 {
            break;
        }
        if sought.insert(slot) {
            seek(context, slot, &stuck, until);
        }
    }
}

/// Lets `slot` seek a refuge, unless it is shut in: then it waits for a while.
fn seek(context: &mut Context<'_, '_>, slot: Slot, stuck: &FxHashSet<Slot>, until: Tick) {
    let clock = context.state.clock;
    let member = &context.state.roster[slot];
    let (node, _) = member.motion.free_at(clock.now);
    if member.journey.is_shut_in(node, clock) {
        return;
    }
    let most = (context.work.fuel.left() / 4 * 3).max(PER_REFUGE);
    let (found, is_certain) = context.within(most, |context| {
        let found = refuge::seek(context, slot, stuck, until);
        (found, found || context.work.fuel.left() > 0)
    });
    // With more work there may be one.
    if is_certain {
        context.state.roster[slot].journey.seek(node, found, clock);
    }
}

/// The tick until which agents on paths of their own are about to come.
fn soon(state: &State<'_>) -> Tick {
    let longest = state.world.longest_step().unwrap_or(1);
    state.clock.now.saturating_add(state.clock.ticks(STEPS).max(longest.saturating_mul(LONGEST)))
}

/// Whether the plan of `unit` ends before `until` where somebody who makes no way is about to come.
fn must_clear(state: &State<'_>, unit: Unit<'_>, until: Tick) -> bool {
    unit.member.makes_way() && is_taken(state, unit.slot, end_of(state, unit), until)
}

/// Whether somebody who makes no way comes before `until` to the node where `slot` is from a tick on.
fn is_taken(state: &State<'_>, slot: Slot, (node, from): (NodeId, Tick), until: Tick) -> bool {
    let claim = Claim { agent: state.roster[slot].id(), rank: PUSH };
    from < until && !state.ledger.permits(&state.class(slot).room(node, from, until), claim)
}

/// The tick at which `unit` has to have left the place where its plan ends. `None`: it need not leave before `until`.
fn cleared_by(state: &State<'_>, unit: Unit<'_>, until: Tick) -> Option<Tick> {
    if !must_clear(state, unit, until) {
        return None;
    }
    // The last tick before which its place is free from the first one on.
    let (node, from) = end_of(state, unit);
    let (mut free, mut taken) = (from, until);
    while taken - free > 1 {
        let tick = free + (taken - free) / 2;
        if is_taken(state, unit.slot, (node, from), tick) {
            taken = tick;
        } else {
            free = tick;
        }
    }
    Some(free)
}

/// Where and when the plan of `unit` ends.
fn end_of(state: &State<'_>, unit: Unit<'_>) -> (NodeId, Tick) {
    let (node, free) = unit.member.motion.free_at(state.clock.now);
    unit.plan.ahead().last().map_or((node, free), |leg| (leg.to, leg.arrive.max(free)))
}

/// The agents that stay at this tick, though others have reserved their places, or the places to which they want to
/// go: they have no plan, or cannot begin their moves since others stay. And the agents of which one of these cuts off
/// the way out of a place where somebody who makes no way comes before `until`.
fn stuck(state: &State<'_>, until: Tick) -> (FxHashSet<Slot>, Vec<Slot>) {
    let now = state.clock.now;
    let is_bare = |unit: &Unit<'_>| {
        let (_, free) = unit.member.motion.free_at(now);
        free < until && !unit.plan.covers(free)
    };
    let mut left: Vec<Slot> = state.awake().filter(is_bare).map(|unit| unit.slot).collect();
    let mut stuck: FxHashSet<Slot> = left.iter().copied().collect();
    let mut caught = Vec::new();
    while let Some(slot) = left.pop() {
        let (node, from) = state.roster[slot].motion.free_at(now);
        let room = state.class(slot).room(node, from, until);
        let holders = room.iter().flat_map(|entry| state.ledger.holders(entry)).collect();
        for other in state.roster.slots_of(holders) {
            if other == slot || state.roster[other].goes_along() {
                continue;
            }
            let Some(leg) = leg_to(state, other, &room) else { continue };
            if state.roster[other].makes_way() && is_taken(state, other, (leg.from, leg.depart), until) {
                caught.push(other);
            }
            if leg.depart == now && stuck.insert(other) {
                left.push(other);
            }
        }
    }
    (stuck, caught)
}

/// The first move of the plan of `slot` that leads to the cells of `room`, or holds them.
fn leg_to(state: &State<'_>, slot: Slot, room: &[Entry]) -> Option<Leg> {
    let class = state.class(slot);
    let mut entries = Vec::new();
    let mut meets = |leg: &&Leg| {
        entries.clear();
        class.sweep(leg, &mut entries);
        leg.is_move() && entries.iter().any(|entry| room.iter().any(|other| other.cell == entry.cell))
    };
    state.ledger.plan(slot).ahead().iter().find(&mut meets).copied()
}
