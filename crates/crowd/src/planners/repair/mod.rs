//! LRA*: an agent follows a route of its own, and repairs it when others are in the way.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 3; after Zelinsky, "A Mobile Robot Exploration Algorithm",
//! 1992, and Stout, "Smart Moves: Intelligent Pathfinding", Game Developer, October 1996.

mod sight;

use giveway_core::{Claim, Entry, FOREVER, NodeId};

use super::context::Context;
use super::plan_agents::PlanAgents;
use crate::ledger::{Rest, Schedule};
use crate::state::{State, Unit};
use giveway_members::chain::{Lra, Planner};
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;
use giveway_strategies::{NoPlan, Noise, Trip};
use sight::in_sight;

/// Follows a route, and repairs it.
pub(super) struct Repair;

impl PlanAgents for Repair {
    /// The agent looks around before every step; but an agent that makes way by a window carries that plan out.
    fn is_due(&self, _state: &State<'_>, unit: Unit<'_>) -> bool {
        let Unit { member, plan, .. } = unit;
        let busy = unit.is_at_ease() || plan.follows_another(member.planner());
        !member.motion.is_moving() && (member.turn.due().is_some() || !busy)
    }

    fn plan(&self, context: &mut Context<'_, '_>, slot: Slot) {
        if let Planner::LocalRepair(lra) = context.state.roster[slot].planner() {
            repair(context, slot, lra);
        }
    }
}

/// The price of looking around and reserving a step, in units of work.
const STEP: u64 = 4;

/// Lets `slot` make the next step of its route, or of a route around the agents in its way.
fn repair(context: &mut Context<'_, '_>, slot: Slot, lra: Lra) {
    let first = context.report.searches == 0;
    let member = &mut context.state.roster[slot];
    if member.motion.is_moving() {
        return;
    }
    let stopped = member.itinerary.look_back(member.motion.node());
    let outcome = if member.is_home() {
        rest_at_home(context.state, slot, lra);
        Ok(())
    } else {
        step(context, slot, lra, stopped)
    };
    context.work.charge(STEP);
    match outcome {
        // If other agents used part of the budget before this agent, it plans first at the next tick; if not, planning
        // first would not help.
        Err(NoPlan::OutOfBudget) if !first => return context.put_off(slot, NoPlan::OutOfBudget),
        Err(NoPlan::OutOfMemory) => {
            context.hold_on(slot);
            return context.put_off(slot, NoPlan::OutOfMemory);
        }
        Err(why) => {
            context.fail(slot, why);
            context.hold_on(slot);
        }
        Ok(()) => {}
    }
    context.set_tried(slot, None);
}

/// Reserves the next step of `slot`, by a new route if need be. After an error `slot` keeps its plan.
fn step(context: &mut Context<'_, '_>, slot: Slot, lra: Lra, stopped: Option<NodeId>) -> Result<(), NoPlan> {
    let member = &context.state.roster[slot];
    let mut next = member.itinerary.ahead(member.motion.node());
    let (.., radius) = lra.parts();
    let (sees, is_new) = (radius > 0, next.is_none());
    if is_new {
        let walls = if sees { in_sight(context.state, slot, radius) } else { Vec::new() };
        next = find_route(context, slot, lra, &walls)?;
    }
    if next.is_some_and(|leg| context.state.class(slot).must_wait(&leg.begun_at(context.now()))) {
        return Err(NoPlan::Blocked);
    }
    let mut entries = Vec::new();
    if next.is_none_or(|leg| stopped == Some(leg.to) || !is_to_be_had(context.state, slot, &leg, &mut entries)) {
        context.state.roster[slot].itinerary.agitate();
        if sees && is_new {
            // The agents in sight have not changed.
            return Err(NoPlan::Blocked);
        }
        let state = &mut *context.state;
        let walls = if sees { in_sight(state, slot, radius) } else { taken_around(state, slot, stopped) };
        let next = find_route(context, slot, lra, &walls)?;
        if next.is_none_or(|leg| !is_to_be_had(context.state, slot, &leg, &mut entries)) {
            return Err(NoPlan::Blocked);
        }
    }
    take_step(context.state, slot, lra, &entries);
    Ok(())
}

/// Finds a route for `slot` that does not enter `walls`, and gives it to `slot`. Returns its first move.
fn find_route(context: &mut Context<'_, '_>, slot: Slot, lra: Lra, walls: &[NodeId]) -> Result<Option<Leg>, NoPlan> {
    let State { world, roster, clock, .. } = &mut *context.state;
    let member = &mut roster[slot];
    // If all goals are taken, there is nothing to look for.
    if member.order.goals().nodes().iter().all(|goal| walls.contains(goal)) {
        return Err(NoPlan::Blocked);
    }
    let (seed, noise, routing, _) = lra.parts();
    let amplitude = noise.saturating_mul(member.itinerary.agitation());
    let noise = Noise::new(amplitude, seed, member.id().0, clock.now);
    let claim = member.claim(*clock);
    let trip = Trip { walls, depart: clock.now, noise, ..Trip::new(claim, member.motion.node(), member.order.goals()) };
    context.report.searches += 1;
    let answer = world[member.class()].route(routing, &trip, &mut context.work.fuel);
    context.report.expansions += answer.expanded;
    let route = answer.found?;
    context.report.planned.push(member.id());
    let first = route.first().copied();
    member.itinerary.set_route(route);
    Ok(first)
}

/// Whether `slot` can make `leg` now without overriding a reservation, and stay at its end for a tick. `entries`
/// receives what the leg takes.
fn is_to_be_had(state: &State<'_>, slot: Slot, leg: &Leg, entries: &mut Vec<Entry>) -> bool {
    let class = state.class(slot);
    let leg = leg.begun_at(state.clock.now);
    if class.must_wait(&leg) {
        return false;
    }
    entries.clear();
    class.sweep(&leg, entries);
    class.sweep(&Leg::resting(leg.to, leg.arrive, leg.arrive.saturating_add(1)), entries);
    state.ledger.permits(entries, Claim::plain(state.roster[slot].id()))
}

/// The places to which `slot` cannot step at this tick, and the place to which the execution guard did not let it go.
fn taken_around(state: &State<'_>, slot: Slot, stopped: Option<NodeId>) -> Vec<NodeId> {
    let mut legs = Vec::new();
    state.class(slot).for_each_move(state.roster[slot].motion.node(), state.clock.now, &mut |leg, _| legs.push(leg));
    let mut entries = Vec::new();
    legs.retain(|leg| !is_to_be_had(state, slot, leg, &mut entries));
    legs.into_iter().map(|leg| leg.to).chain(stopped).collect()
}

/// Reserves `entries`, which are free, for the next step of `slot`, and what comes after it.
fn take_step(state: &mut State<'_>, slot: Slot, lra: Lra, entries: &[Entry]) {
    let State { world, roster, ledger, clock, .. } = state;
    let member = &mut roster[slot];
    let Some(leg) = member.itinerary.ahead(member.motion.node()).map(|leg| leg.begun_at(clock.now)) else {
        return;
    };
    member.itinerary.begin_step();
    let (claim, class) = (member.claim(*clock), &world[member.class()]);
    let arrives = member.order.goals().contains(leg.to);
    let rank_after = if arrives { member.claim_at_rest().rank } else { claim.rank };
    ledger.release(slot, clock.now);
    // Held until it has left. Another agent may hold the place; the guard stops that agent if this one does not get
    // away.
    let mut stands = class.room(leg.from, clock.now, clock.now);
    stands.retain(|entry| ledger.permits(&[*entry], Claim::plain(member.id())));
    stands.extend_from_slice(entries);
    if ledger.hold(slot, claim.rank, &stands).is_err() {
        return state.stand(slot);
    }
    let from = leg.arrive.saturating_add(1);
    let (until, room) = ledger.hold_while_free(slot, rank_after, class, leg.to, from);
    // No agent may plan through an agent under way.
    let rest = (until == FOREVER).then(|| Rest::new(from, if arrives { &room } else { &[] }));
    let mut legs = vec![leg];
    if rest.is_none() {
        legs.push(Leg::resting(leg.to, leg.arrive, until));
    }
    ledger.change_plan(slot, Schedule::new(legs, rest).by(Planner::LocalRepair(lra)));
}

/// Lets `slot` rest on its goal for as long as the place is free.
fn rest_at_home(state: &mut State<'_>, slot: Slot, lra: Lra) {
    let State { world, roster, ledger, clock, .. } = state;
    let (now, member) = (clock.now, &roster[slot]);
    ledger.release(slot, now);
    let rank = member.claim_at_rest().rank;
    let (until, room) = ledger.hold_while_free(slot, rank, &world[member.class()], member.motion.node(), now);
    let rest = (until == FOREVER).then(|| Rest::new(now, &room));
    let legs =
        if rest.is_none() && until > now { vec![Leg::resting(member.motion.node(), now, until)] } else { Vec::new() };
    ledger.change_plan(slot, Schedule::new(legs, rest).by(Planner::LocalRepair(lra)));
}
