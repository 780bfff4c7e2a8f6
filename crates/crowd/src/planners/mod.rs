//! Planners: the ways to plan the agents of a crowd, behind one trait, over one context; and which agents plan at a
//! tick, in which order.
//!
//! First the planners that plan jointly do so. Then the last agents under way plan to the end, if they push each other
//! from home. Then each agent that is due plans alone. Its planner's `is_due` decides whether the agent is due, by
//! default as `due` says.
//!
//! A new planner is a file here, with its `mod` line below, and a line in the table of `chain/planner.rs`. Joint
//! planning goes from the last line of that table to the first.

pub(super) mod ahead;
mod context;
mod depth;
mod due;
mod haste;
mod lacam;
mod pibt;
mod plan_agents;
mod refuge;
mod repair;
mod step;
mod windowed;

use std::cmp::Reverse;

use giveway_core::{Fuel, Suspended};
use rand::seq::SliceRandom;

use super::state::{State, Unit};
use giveway_members::chain::Kind;
use giveway_members::roster::Slot;
use giveway_members::with_planners;
use giveway_strategies::{NoPlan, Order, random};

use plan_agents::PlanAgents;

pub(super) use context::Context;
pub(super) use depth::window_of;
pub(super) use step::PlainSteps;
pub(super) use windowed::would_move;

/// Maps each planner to the struct that does its work.
macro_rules! planners_work {
    ($($(#[$doc:meta])* $planner:ident $(($parameters:ty))? => $served:ident, $key:literal, $by:path;)*) => {
        /// The struct that does the work of planners of this kind.
        fn work_of<'r>(kind: Kind) -> &'r (dyn PlanAgents + 'r) {
            match kind {
                $(Kind::$planner => &$by,)*
            }
        }

        /// The structs of all planners, the last of the table first: the order of joint planning.
        fn work_of_all<'r>() -> impl Iterator<Item = &'r (dyn PlanAgents + 'r)> {
            let all: [&(dyn PlanAgents + 'r); [$($key),*].len()] = [$(&$by),*];
            all.into_iter().rev()
        }
    };
}
with_planners!(planners_work);

/// At a tick one in so many agents may plan, and so many at least; the others come first at the next tick. More are due
/// where a large crowd gets its orders at once, and where a joint plan of all ends.
const SHARE_AT_ONCE: usize = 5;
const LEAST_AT_ONCE: usize = 2048;

/// From so many on the agents that plan at one tick do so in the order of their nodes.
const MANY_AT_ONCE: usize = 1024;

/// Plans every agent that is due, while there is work left. `renewed` is the work that has gone into distances of
/// earlier maps at this tick. `need`: what the planners of the agents need.
pub(super) fn plan_all(context: &mut Context<'_, '_>, renewed: u64, need: Need) {
    let hurried = if need.haste { haste::hurry(context.state) } else { 0 };
    let for_refuges = if need.haste { haste::work_for_refuges(context) } else { 0 };
    if need.together || hurried > 0 {
        plan_jointly(context);
    }
    let clock = context.state.clock;
    context.state.jam.pass(clock);
    lacam::bring_home(context);
    context.state.wake();
    let kept = if need.steps { step::work_for_steps(context) } else { 0 };
    let (mut postponed, mut fresh) = whose_turn(context.state);
    let at_once = (context.state.roster.len() / SHARE_AT_ONCE).max(LEAST_AT_ONCE);
    let mut later = postponed.split_off(at_once.min(postponed.len()));
    // At most half of the budget goes into finding the way, so that a far goal does not keep all others waiting. What
    // is left at the end goes there, too.
    let half = context.work.fuel.left().saturating_add(renewed).div_ceil(2).saturating_sub(renewed);
    context.work.allot(half);
    let mut lost = Vec::new();
    plan_those(context, &postponed, &mut lost);
    arrange(context, &mut fresh);
    later.append(&mut fresh.split_off((at_once - postponed.len()).min(fresh.len())));
    plan_those(context, &fresh, &mut lost);
    for slot in later {
        if !is_to_plan(context, slot) {
            continue;
        }
        if context.work.fuel.left() == 0 {
            context.put_off(slot, NoPlan::OutOfBudget);
        } else {
            context.defer(slot);
        }
    }
    for slot in lost {
        if is_to_plan(context, slot) {
            plan_one(context, slot);
        }
    }
    context.work.fuel = Fuel::work(context.work.fuel.left().saturating_add(kept));
    if need.steps {
        step::plan_left(context);
    }
    if need.haste {
        // Others plan around those that wait for work, or make them step aside, and do not run into them.
        for slot in context.state.roster.slots_of(context.report.postponed.clone()) {
            context.hold_on(slot);
        }
        context.work.fuel = Fuel::work(context.work.fuel.left().saturating_add(for_refuges));
        haste::clear(context);
    }
}

/// What the planners of the agents that are awake need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Need {
    /// Some agent has a planner that plans several agents together.
    pub(super) together: bool,
    /// Some agent has a chain [with steps](crate::Chain::with_steps).
    pub(super) steps: bool,
    /// Some agent goes along a path of its own: those in its way have to hurry.
    pub(super) haste: bool,
}

/// If few agents plan alone, `SHARES` times their share of the work is kept for them.
const SHARES: u64 = 2;

/// Lets all planners plan jointly that do so. Other agents keep half of the work, or twice their share if that is less.
fn plan_jointly(context: &mut Context<'_, '_>) {
    let all = context.work.fuel.left();
    context.state.wake();
    let (mut agents, mut alone) = (0_u64, 0_u64);
    for unit in context.state.awake() {
        agents += 1;
        alone += u64::from(!unit.member.kind().plans_together());
    }
    let kept =
        if context.may_take_all() { 0 } else { (all / agents.max(1)).saturating_mul(alone * SHARES).min(all / 2) };
    context.work.fuel = Fuel::work(all - kept);
    for planner in work_of_all() {
        planner.plan_together(context);
    }
    context.work.fuel = Fuel::work(context.work.fuel.left() + kept);
}

/// The agents that have to plan at this tick: first the postponed ones, by priority, and then in their former order;
/// then the others, in roster order.
fn whose_turn(state: &State<'_>) -> (Vec<Slot>, Vec<Slot>) {
    let now = state.clock.now;
    let is_due = |unit: &Unit<'_>| !unit.member.goes_along() && work_of(unit.member.kind()).is_due(state, *unit);
    let due = state.awake().filter(is_due);
    let (mut postponed, fresh): (Vec<_>, Vec<_>) = due
        .map(|unit| (unit.slot, unit.member.turn.due().unwrap_or(now), unit.member.turn.place()))
        .partition(|(_, due, _)| *due < now);
    postponed.sort_by_key(|(slot, due, turn)| (Reverse(state.roster[*slot].priority()), *due, *turn));
    let slots = |turns: Vec<(Slot, _, _)>| turns.into_iter().map(|(slot, ..)| slot).collect();
    (slots(postponed), slots(fresh))
}

/// Sorts the agents that plan in one tick by the crowd's order; ties go to lower ids.
fn arrange(context: &mut Context<'_, '_>, turns: &mut [Slot]) {
    let (now, settings) = (context.now(), &context.state.settings);
    match settings.order {
        Order::Rotating if turns.is_empty() => {}
        Order::Rotating => {
            // Agents near each other, one after the other, use memory that is still in the processor's cache.
            if turns.len() >= MANY_AT_ONCE {
                let roster = &context.state.roster;
                turns.sort_by_cached_key(|slot| (roster[*slot].class(), roster[*slot].motion.node()));
            }
            let round = (now / settings.period(context.state.clock)) as usize;
            turns.rotate_left(round % turns.len());
        }
        Order::NearestFirst | Order::NearestElseFarthest => {
            turns.sort_by_cached_key(|slot| distance_bits(context, *slot));
        }
        Order::FarthestFirst => turns.sort_by_cached_key(|slot| Reverse(distance_bits(context, *slot))),
        Order::ByPriority => turns.sort_by_key(|slot| Reverse(context.state.roster[*slot].priority())),
        Order::Random { seed } => turns.shuffle(&mut random(seed.wrapping_add(u64::from(now)))),
        // As given: the roster is in the order of ids.
        _ => {}
    }
    for (slot, place) in turns.iter().zip(0..) {
        context.state.roster[*slot].turn.set_place(place);
    }
}

/// The distance of `slot` to its goals, as bits that sort like distances. A distance that the fuel does not suffice to
/// find sorts last.
fn distance_bits(context: &mut Context<'_, '_>, slot: Slot) -> u64 {
    let State { world, roster, .. } = &mut *context.state;
    let member = &roster[slot];
    let known =
        context.work.find_way(|fuel| world[member.class()].distance(member.order.goals(), member.motion.node(), fuel));
    known.map_or(u64::MAX, f64::to_bits)
}

/// Plans the agents of `turns` that know the way to their goals. Adds agents whose fuel ran out to `lost`.
fn plan_those(context: &mut Context<'_, '_>, turns: &[Slot], lost: &mut Vec<Slot>) {
    for (at, slot) in turns.iter().copied().enumerate() {
        ahead::of(turns, at, |soon| ahead::touch_for_windows(context.state, soon));
        if !is_to_plan(context, slot) {
            continue;
        }
        let State { world, roster, clock, .. } = &mut *context.state;
        let member = &mut roster[slot];
        match world.find_distance(member, *clock, &mut context.work) {
            Ok(_) => {
                plan_one(context, slot);
                lacam::end_jam(context);
            }
            Err(Suspended::OutOfFuel) => {
                member.turn.ask(clock.now);
                lost.push(slot);
            }
            Err(Suspended::OutOfMemory) => context.put_off(slot, NoPlan::OutOfMemory),
        }
    }
}

/// Whether `slot` has not tried yet at this tick: it may have planned because another agent needed its place.
fn is_to_plan(context: &Context<'_, '_>, slot: Slot) -> bool {
    !context.state.roster[slot].turn.has_tried_at(context.now())
}

/// Lets `slot` plan by its planner, if there is work left, and windows have not cost too much at this tick.
fn plan_one(context: &mut Context<'_, '_>, slot: Slot) {
    let State { roster, shortage, .. } = &*context.state;
    let kind = roster[slot].kind();
    // Every planner but local repair plans a window when an agent plans alone.
    let plans_window = kind != Kind::LocalRepair;
    if context.work.fuel.left() == 0 {
        context.put_off(slot, NoPlan::OutOfBudget);
    } else if plans_window && shortage.is_too_dear(0, || roster.len()) {
        context.defer(slot);
    } else {
        work_of(kind).plan(context, slot);
    }
}
