//! Going on: an agent that goes straight to its goal, and can go on so, compares no operations, as none is better.

use super::choices::{LOOKED_UP, TICK, Terms, noise};
use super::guests::host_of;
use super::inheritance::{Round, occupied};
use crate::planners::context::Context;
use crate::planners::windowed::ENTRIES;
use crate::state::State;
use giveway_members::chain::Planner;
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;

/// A move leads straight on if the distance left falls by the duration of the move, or by at most `TOLERANCE` less.
const TOLERANCE: i64 = TICK / 4;

/// Adds moves to the operation of `slot` until there is no time for another one, if all of it leads straight to the
/// goal and meets nobody; where work is short, until it meets somebody. Returns whether it does; if not, nothing has
/// changed.
pub(super) fn goes_on(round: &mut Round, context: &mut Context<'_, '_>, slot: Slot) -> bool {
    let until = round.until();
    if host_of(context.state, slot) != slot {
        return false;
    }
    let State { world, roster, ledger, clock, .. } = &mut *context.state;
    let clock = *clock;
    let (member, plan) = (&roster[slot], ledger.plan(slot));
    let (from, depart) = member.motion.free_at(clock.now);
    let terms = Terms::of(member, clock, until);
    if !terms.goes_on || !plan.is_by(Planner::Step) {
        return false;
    }
    let class = &mut world[member.class()];
    let goals = member.order.goals();
    context.work.charge(LOOKED_UP);
    let mut legs: Vec<Leg> = plan.ahead().iter().copied().filter(|leg| leg.depart >= depart && leg.is_move()).collect();
    let held = legs.len();
    let (mut nodes, mut known) = (vec![from], Vec::new());
    nodes.extend(legs.iter().map(|leg| leg.to));
    class.distances(goals, &nodes, &mut known);
    let lefts: Option<Vec<i64>> = known.iter().map(|distance| distance.map(|known| terms.left(known))).collect();
    let Some(lefts) = lefts else { return false };
    let (mut node, mut at, mut left) = (from, depart, lefts[0]);
    for (leg, after) in legs.iter().zip(&lefts[1..]) {
        if left == 0 {
            return true;
        }
        if leg.depart != at || !is_straight(left, leg, *after) {
            return false;
        }
        (node, at, left) = (leg.to, leg.arrive, *after);
    }
    let agent = member.id();
    let class_id = member.class();
    let mut entries = Vec::new();
    while left > 0 {
        let State { world, roster, .. } = &mut *context.state;
        let class = &mut world[class_id];
        let goals = roster[slot].order.goals();
        let mut next: Vec<Leg> = Vec::new();
        class.for_each_move(node, at, &mut |leg, _| next.push(leg));
        nodes.clear();
        nodes.extend(next.iter().map(|leg| leg.to));
        known.clear();
        class.distances(goals, &nodes, &mut known);
        let after = |distance: &Option<f64>| distance.map_or(i64::MAX / 2, |distance| terms.left(distance));
        let mut nearer: Vec<_> = { next.into_iter().zip(&known) }
            .map(|(leg, distance)| (after(distance), leg))
            .filter(|(after, leg)| is_straight(left, leg, *after) && !class.must_wait(leg))
            .zip(0_u32..)
            .map(|((after, leg), place)| (after, noise(agent, at, place), leg))
            .collect();
        let is_known = !nearer.is_empty();
        nearer.retain(|(.., leg)| leg.arrive < until);
        if nearer.is_empty() {
            // Who has no move at all compares operations, so that a move longer than all before becomes known.
            if is_known && !legs.is_empty() {
                break;
            }
            return false;
        }
        nearer.sort_unstable_by_key(|(after, noise, _)| (*after, *noise));
        let mut goes = |leg: &Leg| {
            let class = &context.state.world[class_id];
            entries.clear();
            class.sweep(leg, &mut entries);
            class.sweep(&Leg::resting(leg.to, leg.arrive, until), &mut entries);
            let is_paid = context.work.fuel.burn().is_ok();
            context.report.operations += u64::from(is_paid);
            is_paid && round.is_free(context, slot, &entries)
        };
        let Some((after, _, leg)) = nearer.into_iter().find(|(.., leg)| goes(leg)) else {
            if round.is_short() && legs.len() > held {
                break;
            }
            return false;
        };
        legs.push(leg);
        (node, at, left) = (leg.to, leg.arrive, after);
    }
    if legs.len() == held {
        return true;
    }
    legs.push(Leg::resting(node, at, until));
    entries.clear();
    let State { world, roster, .. } = &*context.state;
    occupied(world, &roster[slot], clock, &legs, &mut entries);
    context.work.charge(entries.len() as u64 / ENTRIES);
    let goes = round.is_free(context, slot, &entries);
    if goes {
        round.take_legs(context, slot, legs, &entries);
    }
    goes
}

/// Whether `leg`, by which `left` becomes `after`, leads straight to the goal.
fn is_straight(left: i64, leg: &Leg, after: i64) -> bool {
    after <= left - TICK * i64::from(leg.arrive - leg.depart) + TOLERANCE
}
