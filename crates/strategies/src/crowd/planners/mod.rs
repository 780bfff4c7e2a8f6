//! Planners: the ways to plan the agents of a crowd, behind one trait, over one context; and who plans at a tick, in which order.
//!
//! First each planner plans those that it plans together. Then whoever is due plans alone: each planner says who that is, in `is_due`, by default as
//! `windowed` does.
//!
//! A new one is a file here, with its `mod` line below, and a line in the table of `chain/planner.rs`. Planners plan several agents together from the
//! last line of that table to the first.

mod context;
mod lacam;
mod pibt;
mod repair;
mod windowed;

use std::cmp::Reverse;

use giveway_core::{ReservationStore, Suspended};
use rand::seq::SliceRandom;

use super::chain::{Planner, with_planners};
use super::roster::Slot;
use super::state::{State, Unit};
use crate::no_plan::NoPlan;
use crate::order::{Order, random};

pub(super) use context::Context;

/// What a planner does. It has no memory of its own: what it remembers of an agent stands in the [roster](super::roster).
pub(super) trait PlanAgents<R: ReservationStore> {
    /// Plans those whose turn it is to be planned by this with others, before anybody plans for itself.
    fn plan_together(&self, _context: &mut Context<'_, '_, R>) {}

    /// Whether `unit`, which this planner serves, ought to plan at this tick. By default, as by windows.
    fn is_due(&self, state: &State<'_, R>, unit: Unit<'_>) -> bool {
        windowed::is_due(state, unit)
    }

    /// Plans `slot`, whose turn it is; it knows its way, and there is work left. By default a window ahead.
    fn plan(&self, context: &mut Context<'_, '_, R>, slot: Slot) {
        windowed::plan(context, slot);
    }
}

/// Says what does the work of each planner.
macro_rules! planners_work {
    ($($(#[$doc:meta])* $planner:ident $(($parameters:ty))? => $served:ident, $key:literal, $by:path;)*) => {
        /// What does the work of `planner`.
        fn work_of<'r, R: ReservationStore + 'r>(planner: Planner) -> &'r (dyn PlanAgents<R> + 'r) {
            match planner {
                $(Planner::$planner { .. } => &$by,)*
            }
        }

        /// What does the work of each planner, the last of the table first: in this order they plan together.
        fn work_of_all<'r, R: ReservationStore + 'r>() -> impl Iterator<Item = &'r (dyn PlanAgents<R> + 'r)> {
            let all: [&(dyn PlanAgents<R> + 'r); _] = [$(&$by),*];
            all.into_iter().rev()
        }
    };
}
with_planners!(planners_work);

/// Lets everyone plan whose turn it is, for as long as there is work left; so much has gone into distances of earlier maps at this tick.
pub(super) fn plan_all<R: ReservationStore>(context: &mut Context<'_, '_, R>, renewed: u64) {
    for planner in work_of_all() {
        planner.plan_together(context);
    }
    let (postponed, mut fresh) = whose_turn(context.state);
    // Half of the budget at most goes into finding the way, lest an order that leads far away keep everybody waiting; but
    // what is left in the end, too.
    let half = context.work.fuel.left().saturating_add(renewed).div_ceil(2).saturating_sub(renewed);
    context.work.allot(half);
    let mut lost = Vec::new();
    plan_those(context, &postponed, &mut lost);
    arrange(context, &mut fresh);
    plan_those(context, &fresh, &mut lost);
    for slot in lost {
        if is_to_plan(context, slot) {
            plan_one(context, slot);
        }
    }
}

/// Who ought to plan at this tick: those who were postponed, in the order of then, and the others, in that of the roster.
fn whose_turn<R: ReservationStore>(state: &State<'_, R>) -> (Vec<Slot>, Vec<Slot>) {
    let now = state.clock.now;
    let due = state.units().filter(|unit| work_of(unit.member.planner()).is_due(state, *unit));
    let (mut postponed, fresh): (Vec<_>, Vec<_>) = due
        .map(|unit| (unit.slot, unit.member.due.unwrap_or(now), unit.member.turn))
        .partition(|(_, due, _)| *due < now);
    postponed.sort_by_key(|(_, due, turn)| (*due, *turn));
    let slots = |turns: Vec<(Slot, _, _)>| turns.into_iter().map(|(slot, ..)| slot).collect();
    (slots(postponed), slots(fresh))
}

/// Sorts those who plan in one tick as the crowd's order says; ties go to lower ids.
fn arrange<R: ReservationStore>(context: &mut Context<'_, '_, R>, turns: &mut [Slot]) {
    let (now, settings) = (context.now(), &context.state.settings);
    match settings.order {
        Order::AsGiven => {}
        Order::Rotating if turns.is_empty() => {}
        Order::Rotating => {
            let round = (now / settings.period(context.state.clock)) as usize;
            turns.rotate_left(round % turns.len());
        }
        Order::NearestFirst | Order::NearestElseFarthest => {
            turns.sort_by_cached_key(|slot| distance_bits(context, *slot));
        }
        Order::FarthestFirst => turns.sort_by_cached_key(|slot| Reverse(distance_bits(context, *slot))),
        Order::ByPriority => turns.sort_by_key(|slot| Reverse(context.state.roster[*slot].priority)),
        Order::Random { seed } => turns.shuffle(&mut random(seed.wrapping_add(u64::from(now)))),
    }
    for (slot, turn) in turns.iter().zip(0..) {
        context.state.roster[*slot].turn = turn;
    }
}

/// The distance of `slot` to its goals, by bits that are ordered as distances are. What there is no fuel to find out is
/// farther than all else.
fn distance_bits<R: ReservationStore>(context: &mut Context<'_, '_, R>, slot: Slot) -> u64 {
    let State { world, roster, .. } = &mut *context.state;
    let member = &roster[slot];
    let known = context.work.find_way(|fuel| world[member.class].distance(&member.goals, member.node, fuel));
    known.map_or(u64::MAX, f64::to_bits)
}

/// Lets those of `turns` plan who know the way to their goals; the others are `lost`.
fn plan_those<R: ReservationStore>(context: &mut Context<'_, '_, R>, turns: &[Slot], lost: &mut Vec<Slot>) {
    for slot in turns.iter().copied() {
        if !is_to_plan(context, slot) {
            continue;
        }
        let State { world, roster, clock, .. } = &mut *context.state;
        let member = &mut roster[slot];
        member.due = member.due.or(Some(clock.now));
        match world.find_distance(member, *clock, &mut context.work) {
            Ok(()) => plan_one(context, slot),
            Err(Suspended::OutOfFuel) => lost.push(slot),
            Err(Suspended::OutOfMemory) => context.put_off(slot, NoPlan::OutOfMemory),
        }
    }
}

/// Whether `slot` has not tried yet at this tick: it may have planned because somebody needed its place.
fn is_to_plan<R: ReservationStore>(context: &Context<'_, '_, R>, slot: Slot) -> bool {
    context.state.roster[slot].tried != Some(context.now())
}

/// Lets `slot` plan by its planner, if there is work left.
fn plan_one<R: ReservationStore>(context: &mut Context<'_, '_, R>, slot: Slot) {
    if context.work.fuel.left() == 0 {
        context.put_off(slot, NoPlan::OutOfBudget);
    } else {
        work_of(context.state.roster[slot].planner()).plan(context, slot);
    }
}
