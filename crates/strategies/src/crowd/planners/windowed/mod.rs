//! Windows: WHCA*. An agent plans a window ahead, at the expense of those of lower rank if they can make way, else around everybody.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 6, and AI Game Programming Wisdom 3, 2006, section "The Game
//! Must Go On".

mod attempt;
mod depth;
mod transaction;

use giveway_core::ReservationStore;

use super::{Context, PlanAgents};
use crate::crowd::chain::Planner;
use crate::crowd::ledger::Schedule;
use crate::crowd::leg::Leg;
use crate::crowd::rank::{self, RESTING};
use crate::crowd::roster::Slot;
use crate::crowd::settings::{Holds, Replanning};
use crate::crowd::state::{State, Unit};
use crate::no_plan::NoPlan;
use transaction::{Undone, transact};

pub(super) use attempt::{Terms, attempt};

/// Plans a window ahead.
pub(super) struct Windowed;

impl<R: ReservationStore> PlanAgents<R> for Windowed {}

/// Whether `unit` ought to plan at this tick: because something asks for it, because it is its turn, because another planner planned it before,
/// or because it has no plan.
pub(super) fn is_due<R: ReservationStore>(state: &State<'_, R>, unit: Unit<'_>) -> bool {
    let Unit { member, plan, .. } = unit;
    let (now, period) = (state.clock.now, state.settings.period(state.clock));
    let goes_on = unit.is_in_knot() || unit.is_at_ease();
    let is_scheduled = match state.settings.replanning {
        Replanning::Staggered => now.wrapping_add(member.id.0).is_multiple_of(period),
        Replanning::AllAtOnce => now.is_multiple_of(period),
    };
    let planner = member.planner();
    let by_another = plan.by.is_some_and(|by| by != planner) && !plan.follows_another(planner);
    let is_taken_over = planner == Planner::Windowed && by_another;
    member.due.is_some() || !goes_on && (is_scheduled || is_taken_over) || !plan.covers(member.free_at(now).1)
}

/// Lets `slot` plan a window ahead.
pub(super) fn plan<R: ReservationStore>(context: &mut Context<'_, '_, R>, slot: Slot) {
    let first = context.report.searches == 0;
    let Err(why) = try_all(context, slot) else {
        return;
    };
    // Nobody else has planned, and it knows the way: a shorter window needs less.
    if why == NoPlan::OutOfBudget && first && context.knows_now(slot) {
        context.state.roster[slot].window.halve();
    }
    if why == NoPlan::OutOfBudget || why == NoPlan::OutOfMemory {
        return context.put_off(slot, why);
    }
    context.set_tried(slot, Some(context.now().saturating_add(1)));
    context.fail(slot, why);
    if why != NoPlan::Unreachable && context.state.settings.holds == Holds::Nothing {
        hold_out(context.state, slot);
    }
    context.hold_on(slot);
}

/// Lets `slot` plan at the expense of those of lower rank, or else of nobody, or else of all who are not promoted.
fn try_all<R: ReservationStore>(context: &mut Context<'_, '_, R>, slot: Slot) -> Result<(), NoPlan> {
    let own = context.state.claim(slot).rank;
    let member = &mut context.state.roster[slot];
    let agent = member.id;
    // Whoever was stopped in spite of its rank tries to get round first.
    let stopped = std::mem::take(&mut member.window.stopped);
    let first = if stopped { [RESTING, own] } else { [own, RESTING] };
    let promoted = context.state.settings.promotion.then(|| rank::promoted(own));
    for asks in first.into_iter().chain(promoted) {
        match transact(context, slot, asks, own.max(asks)) {
            Ok(()) => {
                if asks > own {
                    context.report.promoted.push(agent);
                }
                return Ok(());
            }
            Err(Undone::NoPlan(NoPlan::Blocked)) => {}
            Err(Undone::NoPlan(other)) => return Err(other),
            Err(Undone::InTheWay) => context.report.rolled_back += 1,
        }
    }
    Err(NoPlan::Blocked)
}

/// Lets an agent whose search has just found no plan go where it can hold out longest, if that is longer than it can by its
/// old plan: by then others may have moved.
fn hold_out<R: ReservationStore>(state: &mut State<'_, R>, slot: Slot) {
    let Unit { member, plan, .. } = state.unit(slot);
    let (_, depart) = member.free_at(state.clock.now);
    let until = |legs: &[Leg]| legs.last().map_or(depart, |leg| leg.arrive);
    let found = state.class(slot).longest(member.id).filter(|found| until(&found.legs) > until(plan.ahead()));
    let Some(found) = found.filter(|_| plan.rest.is_none()) else {
        return;
    };
    let rank = member.claim(state.clock).rank;
    let ledger = &mut state.ledger;
    let proposal = ledger.propose();
    let mut evicted = Vec::new();
    ledger.release(slot, depart);
    let had = ledger.take(slot, rank, &found.entries, &mut evicted);
    // It is no reason to push others aside.
    if had.is_ok() && evicted.is_empty() {
        ledger.commit(proposal);
        ledger.change_plan(slot, Schedule::new(found.legs, None).by(Planner::Windowed));
    } else {
        ledger.roll_back(proposal);
    }
}
