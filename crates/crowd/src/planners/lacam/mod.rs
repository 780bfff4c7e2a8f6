//! LaCAM: a knot, the units that block each other, is planned together; afterwards each unit goes on alone.
//!
//! First the units of a small knot plan one after the other, to the end, in a few orders (HCA*, Silver, "Cooperative
//! Pathfinding", AIIDE 2005, section 5). If no order works, LaCAM searches their joint configurations; see
//! `giveway-lacam`. A knot grows each time that LaCAM tries again. Where LaCAM serves many of the agents under
//! way, all units are one knot.

mod field;
mod homecoming;
mod improving;
mod jams;

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use giveway_core::{AgentId, AtEnd, FOREVER, Fuel, Rank, Span, Tick, Ticks};
use giveway_lacam::{Step, plan_jointly, plan_jointly_as_far};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::plan_agents::PlanAgents;
use super::step;
use super::windowed::{RestAtEnd, Terms, attempt};
use crate::jam::FEW;
use crate::ledger::{Presence, Schedule};
use crate::state::{State, Unit};
pub(super) use field::leg_of;
use field::{Knot, KnotUnit};
use giveway_members::chain::Planner;
use giveway_members::clock::Clock;
use giveway_members::leg::Leg;
use giveway_members::rank::{JOINT, RESTING};
use giveway_members::roster::{Member, Slot};
use giveway_members::work::burn_part;
pub(super) use homecoming::bring_home;
pub(super) use jams::end_jam;

/// The number of units planned together: at first, and at most when the first turn of LaCAM ends. Each further round of
/// the chain begins and ends with twice as many, a few times.
const FEWEST: usize = 4;
const MOST: usize = 16;
const ROUNDS: u64 = 6;

/// After this many steps LaCAM tries again, with twice as many units.
const PAUSE: u64 = 8;

/// The number of orders in which the units of a small knot plan one after the other.
const ORDERS: usize = 2;

/// The most work that an order of a small knot takes for each unit. A way that is found takes far less.
const PER_UNIT: u64 = 768;

/// How far around an agent the other units of its knot are looked for, in places per unit of the knot.
const AROUND: usize = 40;

/// The number of places whose look-up takes as long as a unit of work.
const PLACES: usize = 2;

/// How far ahead units plan one after the other, in steps.
const LONGEST: Ticks = 128;

/// How many configurations are generated for a knot, beside some for each step of the longest way; twice as many each
/// time that the turn of LaCAM comes again, a few times.
const CONFIGURATIONS: u64 = 1000;
const PER_STEP: u64 = 8;
const DOUBLINGS: u64 = 2;

/// In a crowd of more than [`FEW`] agents, a knot gets `EFFORT` units of work in place of `CONFIGURATIONS`, less for each
/// step, and more doublings. Nearly all joint plans that are found take less than the first effort, and those that are
/// not found would take most of the time.
const EFFORT: u64 = 1024;
const PER_STEP_OF_MANY: u64 = 2;
const DOUBLINGS_OF_MANY: u64 = 6;

/// The most work that a knot takes. The memory is in proportion to the work.
const MOST_WORK: u64 = 1 << 23;

/// In a crowd of more than [`MOST_TOGETHER`] agents, and of more than [`FEW`] agents where orders keep coming, or beside
/// steps, a knot takes no more work than `MOST_WHERE_BUSY`, and no further knot is planned at a tick in which knots have
/// taken `MOST_AT_ONCE`. The others are planned when LaCAM tries again. Where all go on, units that stop for a joint plan
/// are in the way of all others.
const MOST_AT_ONCE: u64 = 8192;
const MOST_WHERE_BUSY: u64 = 32_768;

/// Units farther from their goals than this, in plain steps, are planned for a part of the way only.
const FAR: f64 = 24.0;

/// How much nearer to its goal a far unit comes if the knot is planned for it, in plain steps.
const GAIN: f64 = 8.0;

/// A jam of a larger crowd is no reason to plan all agents together: that would take seconds at one tick.
const MOST_TOGETHER: usize = 1024;

/// If LaCAM serves more agents under way than fit into a small knot, and at least one in `SHARE` of all agents, all
/// agents are planned together.
const SHARE: usize = 4;

/// Plans knots.
pub(super) struct Lacam;

impl PlanAgents for Lacam {
    /// Plans knots around the agents that LaCAM serves now, the highest rank first.
    fn plan_together(&self, context: &mut Context<'_, '_>) {
        let clock = context.state.clock;
        let is_stuck = |unit: Unit<'_>| {
            let member = unit.member;
            member.planner() == Planner::Lacam
                && member.is_under_way()
                && is_free(unit)
                && size(member, clock).is_some()
        };
        let stuck = context.by_rank(is_stuck);
        if stuck.is_empty() {
            return;
        }
        context.state.look_around();
        let mut staying = context.state.ledger.take_presence().unwrap_or_else(|| context.state.survey());
        let mut done = vec![false; context.state.roster.bound()];
        let State { roster, jam, shortage, .. } = &*context.state;
        let take_steps = stuck.iter().all(|slot| roster[*slot].chain().has_steps_when_short());
        let is_busy =
            take_steps && (jam.is_in_traffic(roster.len()) || roster.len() > FEW && shortage.lasts_at(clock.now));
        let is_large = roster.len() > MOST_TOGETHER;
        if !is_busy && are_many(context.state) {
            let all = everybody(context, stuck[0]);
            if plan_together(context, &all, &mut staying, Extent::Whole).is_some() {
                note_planned(context, &all);
                all.iter().for_each(|planned| done[planned.index()] = true);
            }
        }
        let before = context.work.fuel.left();
        // A knot could take all of the work of a tick, and all others would stand at this tick.
        let kept = if is_busy { step::work_for_served(context.state).min(before / 2) } else { 0 };
        let is_limited = is_busy || is_large;
        for slot in stuck {
            let left = context.work.fuel.left();
            if left <= kept || is_limited && before - left > MOST_AT_ONCE {
                break;
            }
            let Some(size) = size(&context.state.roster[slot], clock).filter(|_| !done[slot.index()]) else {
                continue;
            };
            let (knot, places) = knot_of(context.state, slot, size, &staying, &done);
            context.work.charge(((places / PLACES) as u64).min(left - kept));
            let most = (context.work.fuel.left() - kept).min(if is_limited { MOST_WHERE_BUSY } else { u64::MAX });
            let is_found = context.within(most, |context| {
                plan_in_some_order(context, &knot)
                    || plan_together(context, &knot, &mut staying, Extent::Near).is_some()
            });
            if is_found {
                note_planned(context, &knot);
                knot.iter().for_each(|planned| done[planned.index()] = true);
            }
        }
        context.state.ledger.note_presence(staying);
    }
}

/// Notes that the units of `knot` have been planned.
fn note_planned(context: &mut Context<'_, '_>, knot: &[Slot]) {
    knot.iter().for_each(|planned| context.set_tried(*planned, None));
    let agents: Vec<AgentId> = knot.iter().map(|slot| context.state.roster[*slot].id()).collect();
    context.report.planned.extend_from_slice(&agents);
    context.report.knots.push(agents);
}

/// Whether LaCAM serves enough agents to plan all agents together.
fn are_many(state: &State<'_>) -> bool {
    let is_served = |unit: &Unit<'_>| {
        let member = unit.member;
        member.planner() == Planner::Lacam && member.is_under_way() && !member.goes_along() && !unit.is_in_knot()
    };
    let served = state.awake().filter(is_served).count();
    served > MOST && served * SHARE >= state.roster.len()
}

/// All units that can be planned with `slot`, with `slot` first. Units that follow a joint plan are included. New units
/// find their ways now, so that they are not walls for other units.
fn everybody(context: &mut Context<'_, '_>, slot: Slot) -> Vec<Slot> {
    let State { world, roster, clock, .. } = &mut *context.state;
    let ticks = world[roster[slot].class()].uniform_duration();
    if ticks.is_none() {
        return Vec::new();
    }
    let mut others = roster.slots();
    others.retain(|other| {
        let member = &mut roster[*other];
        let is_free = !member.motion.is_moving() && member.makes_way();
        let fits = *other != slot && is_free && world[member.class()].uniform_duration() == ticks;
        fits && world.find_distance(member, *clock, &mut context.work).is_ok()
    });
    std::iter::once(slot).chain(others).collect()
}

/// The largest knot in which `member` is planned at this tick; `None`: it is not planned jointly.
fn size(member: &Member, clock: Clock) -> Option<usize> {
    let (steps, chain) = (member.approach.steps(clock), member.chain());
    let (_, turn) = chain.turn(steps, true);
    let rounds = chain.rounds(steps).min(ROUNDS);
    let is_time = turn.is_multiple_of(PAUSE) && clock.now.is_multiple_of(clock.ticks_per_step);
    is_time.then(|| (FEWEST << (turn / PAUSE).min(ROUNDS)).min(MOST) << rounds)
}

/// Whether `unit` can be planned anew with others now.
fn is_free(unit: Unit<'_>) -> bool {
    !unit.member.motion.is_moving() && unit.member.makes_way() && !unit.is_in_knot()
}

/// `slot`, and the units nearest to it that are not `done`; at most `size` units. Empty: the moves of `slot` do not all
/// take equally long.
///
/// Returns also the number of places that were looked at.
fn knot_of(state: &State<'_>, slot: Slot, size: usize, staying: &Presence, done: &[bool]) -> (Vec<Slot>, usize) {
    let (agent, start, class, now) =
        (state.roster[slot].id(), state.roster[slot].motion.node(), state.class(slot), state.clock.now);
    let Some(ticks) = class.uniform_duration() else {
        return (Vec::new(), 0);
    };
    let joins = |other: &Slot| {
        let fits = || is_free(state.unit(*other)) && state.class(*other).uniform_duration() == Some(ticks);
        !done[other.index()] && fits()
    };
    let mut knot = vec![slot];
    let mut room = Vec::new();
    let mut seen = FxHashSet::from_iter([start]);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front().filter(|_| knot.len() < size && seen.len() < AROUND * size) {
        room.clear();
        class.sweep(&Leg::resting(node, now, FOREVER), &mut room);
        let here = staying.all_met(agent, &room).into_iter().filter_map(|other| state.roster.slot(other));
        let new: Vec<Slot> = here.filter(joins).filter(|other| !knot.contains(other)).collect();
        knot.extend(new);
        class.for_each_move(node, now, &mut |leg, _| {
            if seen.insert(leg.to) {
                queue.push_back(leg.to);
            }
        });
    }
    knot.truncate(size);
    (knot, seen.len())
}

/// Plans the units of `knot`, if it is small, one after the other, another one first in each round, until all come to
/// their goals. Returns whether they do.
fn plan_in_some_order(context: &mut Context<'_, '_>, knot: &[Slot]) -> bool {
    let mut order = knot.to_vec();
    let is_small = knot.len() <= MOST;
    is_small
        && (0..knot.len().min(ORDERS)).any(|_| {
            let most = PER_UNIT * knot.len() as u64;
            let done = context.work.fuel.left() > 0 && context.within(most, |context| plan_in_order(context, &order));
            order.rotate_left(1);
            done
        })
}

/// Plans the units of `order` one after the other, around all others. Returns whether all come to their goals; if not,
/// nothing has changed.
fn plan_in_order(context: &mut Context<'_, '_>, order: &[Slot]) -> bool {
    let window = order.iter().map(|slot| context.state.clock_of(*slot).ticks(LONGEST)).max().unwrap_or(1);
    let terms = to_the_end(RESTING, window, RestAtEnd::AfterMoves);
    let mut proposal = context.state.ledger.propose();
    let mut evicted = Vec::new();
    let done = hold_starts(context.state, order)
        && order.iter().all(|slot| {
            let planned = attempt(context, *slot, terms, &mut proposal, &mut evicted);
            planned.is_ok() && comes_home(context.state.unit(*slot), context.now()) && evicted.is_empty()
        });
    if done {
        order.iter().for_each(|slot| context.state.lower_rest(*slot));
        context.state.ledger.commit(proposal);
    } else {
        context.state.ledger.roll_back(proposal);
    }
    done
}

/// The terms on which a unit plans to its goal, which it reaches within `window` ticks, around ranks from `asks` on.
fn to_the_end(asks: Rank, window: Ticks, rest: RestAtEnd) -> Terms {
    Terms { asks, holds: JOINT, window, at_end: AtEnd::Stay, rest, by: Planner::Lacam }
}

/// Releases what the units at `slots` hold, except for their motions under way, and for the first tick of their places
/// at the ends of these motions. Returns whether no other agent has reserved these places.
fn hold_starts(state: &mut State<'_>, slots: &[Slot]) -> bool {
    let State { world, roster, ledger, clock, .. } = state;
    for slot in slots {
        let (_, depart) = roster[*slot].motion.free_at(clock.now);
        ledger.release(*slot, depart);
    }
    let (mut evicted, mut held) = (Vec::new(), true);
    for slot in slots {
        let member = &roster[*slot];
        let (node, depart) = member.motion.free_at(clock.now);
        let mut room = world[member.class()].room(node, depart, FOREVER);
        room.retain(|entry| entry.span.contains(depart));
        room.iter_mut().for_each(|entry| entry.span = Span::tick(depart));
        held &= ledger.take(*slot, JOINT, &room, &mut evicted).is_ok();
    }
    held && evicted.is_empty()
}

/// Whether the plan of `unit` ends with a rest on one of its goals.
fn comes_home(unit: Unit<'_>, now: Tick) -> bool {
    let end = unit.plan.ahead().last().map_or(unit.member.motion.free_at(now).0, |leg| leg.to);
    unit.plan.rest.is_some() && unit.member.order.goals().contains(end)
}

/// How far a joint plan goes.
#[derive(Clone, PartialEq, Eq)]
enum Extent {
    /// Far units come nearer to their goals.
    Near,
    /// All units come to their goals.
    Whole,
    /// All units go towards their goals, as far as the work suffices, for so many ticks at least and at most.
    Ahead(RangeInclusive<Ticks>),
}

/// Plans the units of `knot` jointly, while all others stand where they are. Returns until when the plan is carried out;
/// `None`: there is none, and nothing has changed.
fn plan_together(context: &mut Context<'_, '_>, knot: &[Slot], staying: &mut Presence, extent: Extent) -> Option<Tick> {
    let (units, longest) = units_of(context.state, knot, extent != Extent::Near);
    let state = &mut *context.state;
    let step = units.first().and_then(|unit| state.world[unit.class].uniform_duration())?;
    for unit in &units {
        staying.forget(unit.agent);
    }
    let now = state.clock.now;
    let mut field = Knot::new(&mut state.world, staying, &units, now, step);
    let first = &state.roster[units[0].slot];
    let rounds = first.chain().rounds(first.approach.steps(state.clock));
    let per_configuration = units.len() as u64 * 2 + 1;
    let is_of_many = extent == Extent::Near && state.roster.len() > FEW;
    let (least, per_step, doublings) = if is_of_many {
        (EFFORT, PER_STEP_OF_MANY, DOUBLINGS_OF_MANY)
    } else {
        (CONFIGURATIONS * per_configuration, PER_STEP, DOUBLINGS)
    };
    let effort = least.saturating_add((per_step * longest).saturating_mul(per_configuration));
    let effort = effort.saturating_mul(1 << rounds.min(doublings)).min(MOST_WORK);
    let search = |fuel: &mut Fuel| match &extent {
        Extent::Ahead(ticks) => plan_jointly_as_far(&mut field, (ticks.start() / step) as usize, fuel),
        Extent::Near | Extent::Whole => plan_jointly(&mut field, fuel),
    };
    let (found, burnt) = burn_part(&mut context.work.fuel, effort, search);
    context.report.expansions += burnt;
    for member in units.iter().map(|unit| &state.roster[unit.slot]) {
        staying.note(member.id(), &state.room_of(member));
    }
    let steps = found.ok()?;
    let ahead = if let Extent::Ahead(ticks) = extent { ticks } else { 0..=FOREVER };
    let until = now.saturating_add(*ahead.end());
    let legs = |steps: &Vec<Step>| {
        let mut legs: Vec<Leg> = Vec::new();
        let mut depart = now;
        for taken in steps {
            let leg = leg_of(*taken, depart, step);
            if leg.arrive > until {
                break;
            }
            depart = leg.arrive;
            match legs.last_mut() {
                // One stay after the other is one.
                Some(last) if !last.is_move() && !leg.is_move() => {
                    *last = Leg::resting(leg.to, last.depart, leg.arrive);
                }
                _ => legs.push(leg),
            }
        }
        legs
    };
    #[allow(clippy::cast_possible_truncation)] // as many steps as configurations, which memory bounds
    let ticks = step.saturating_mul(steps.first().map_or(0, Vec::len) as Ticks);
    let end = now.saturating_add(ticks.clamp(*ahead.start(), *ahead.end()));
    take_plans(context, &units, steps.iter().map(legs).collect()).then_some(end)
}

/// The units of `knot` that are to be planned, without units whose way is not known; and the steps of the longest way.
fn units_of(state: &mut State<'_>, knot: &[Slot], whole: bool) -> (Vec<KnotUnit>, u64) {
    let (mut units, mut longest) = (Vec::new(), 0.0_f64);
    for slot in knot {
        let member = &state.roster[*slot];
        let Some(distance) = state.world.known_distance(member).filter(|distance| distance.is_finite()) else {
            continue;
        };
        let gain = if units.is_empty() { GAIN } else { 0.0 };
        let left = if distance > FAR && !whole { distance - gain } else { 0.0 };
        longest = longest.max(distance - left);
        let (agent, class, goals) = (member.id(), member.class(), member.order.goals().clone());
        units.push(KnotUnit { slot: *slot, agent, class, start: member.motion.node(), goals, left });
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
    let longest = longest as u64;
    (units, longest)
}

/// Reserves `plans`, at the expense of other reservations. Returns whether that is permitted.
fn take_plans(context: &mut Context<'_, '_>, units: &[KnotUnit], plans: Vec<Vec<Leg>>) -> bool {
    let State { world, ledger, clock, .. } = &mut *context.state;
    let now = clock.now;
    let proposal = ledger.propose();
    for unit in units {
        ledger.release(unit.slot, now);
    }
    let mut evicted = Vec::new();
    let mut entries = Vec::new();
    for (unit, legs) in units.iter().zip(&plans) {
        entries.clear();
        legs.iter().for_each(|leg| world[unit.class].sweep(leg, &mut entries));
        if ledger.take(unit.slot, JOINT, &entries, &mut evicted).is_err() {
            ledger.roll_back(proposal);
            return false;
        }
    }
    ledger.commit(proposal);
    for (unit, legs) in units.iter().zip(plans) {
        ledger.change_plan(unit.slot, Schedule::new(legs, None).by(Planner::Lacam));
    }
    for slot in context.state.roster.slots_of(evicted) {
        if !units.iter().any(|unit| unit.slot == slot) {
            context.state.lose_plan(slot, now);
        }
    }
    true
}
