//! Going on: a plan that leads straight to the goal is kept, and its tail is extended.

use giveway_core::{AtEnd, FOREVER, ReservationStore};

use super::depth::window_of;
use crate::crowd::chain::Planner;
use crate::crowd::leg::Leg;
use crate::crowd::manners::Manners;
use crate::crowd::planners::Context;
use crate::crowd::roster::Slot;
use crate::crowd::state::State;
use crate::crowd::world::{Answer, Question};

/// Keeps the plan of `slot` if it leads straight to the goal, and extends it to the end of the window, if that needs no search and nobody is in the
/// way. Returns whether that is so; otherwise nothing has changed.
pub(super) fn goes_on<R: ReservationStore>(context: &mut Context<'_, '_, R>, slot: Slot) -> bool {
    let window = window_of(context.state, slot);
    let State { settings, world, roster, ledger, clock, .. } = &mut *context.state;
    let (member, plan) = (&roster[slot], ledger.plan(slot));
    let is_on_its_way = member.is_under_way() && member.due.is_none() && !member.window.stopped;
    if !is_on_its_way || plan.by != Some(Planner::Windowed) {
        return false;
    }
    let (start, depart) = member.free_at(clock.now);
    let kept: Vec<Leg> = plan.ahead().iter().copied().filter(|leg| leg.depart >= depart).collect();
    let Some(last) = kept.last().copied().filter(|_| kept.iter().all(Leg::is_move)) else { return false };
    let at_goal = member.goals.contains(last.to);
    if at_goal && plan.rest.is_none() {
        return false;
    }
    let class = &mut world[member.class];
    let horizon = depart.saturating_add(window).min(FOREVER - 1);
    let claim = member.claim(*clock);
    let question = Question {
        claim,
        start,
        depart,
        horizon,
        goals: &member.goals,
        at_end: AtEnd::Disappear,
        yields_until: 0,
        descends: settings.descent,
    };
    let manners = Manners {
        wait_penalty: settings.wait_penalty,
        price: settings.price_of_resters(member.priority),
        resters: ledger.resters(),
    };
    let Answer { found, expanded } =
        class.extend(&question, &kept, ledger.reservations(), &manners, &mut context.work.fuel);
    context.report.expansions += expanded;
    let Ok(found) = found else { return false };
    if !at_goal && !found.legs.is_empty() {
        let held = ledger.hold(slot, claim.rank, &found.entries);
        debug_assert!(held.is_ok(), "{held:?}");
        let end = found.legs.iter().rev().find(|leg| leg.is_move()).unwrap_or(&last);
        let rest = member.goals.contains(end.to).then(|| {
            ledger.rest_at_end(slot, claim.rank, class, (end.to, end.arrive), true, settings.soft_rests.is_some())
        });
        ledger.extend_plan(slot, &found.legs, rest.flatten());
        context.state.lower_rest(slot);
    }
    context.report.planned.push(context.state.roster[slot].id);
    context.set_tried(slot, None);
    true
}
