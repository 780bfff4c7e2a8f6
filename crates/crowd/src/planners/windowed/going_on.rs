//! Going on: a plan that leads straight to the goal is kept, and only its tail is planned.

use giveway_core::{AtEnd, FOREVER};

use super::ENTRIES;
use crate::planners::context::Context;
use crate::planners::depth::window_of;
use crate::state::State;
use giveway_members::chain::Planner;
use giveway_members::manners::Manners;
use giveway_members::roster::Slot;
use giveway_members::world::{Answer, Question};

/// Keeps the plan of `slot` if it leads straight to the goal, and extends it to the end of the window if no other agent
/// is in the way. No plan costs less, so nothing is searched. Returns whether the plan was kept; if not, nothing has
/// changed.
///
/// Only where all moves take equally long: there no move was replaced by a shortcut, and none could be.
pub(super) fn goes_on(context: &mut Context<'_, '_>, slot: Slot) -> bool {
    let window = window_of(context.state, slot);
    let State { settings, world, roster, ledger, clock, .. } = &mut *context.state;
    let (member, plan) = (&mut roster[slot], ledger.plan(slot));
    let is_on_its_way = member.is_under_way() && member.turn.due().is_none() && !member.window.is_stopped();
    if !is_on_its_way || !plan.is_by(Planner::Windowed) {
        return false;
    }
    let class = &mut world[member.class()];
    let (start, depart) = member.motion.free_at(clock.now);
    // Legs are in order.
    let passed = plan.ahead().iter().take_while(|leg| leg.depart < depart).count();
    let ahead = &plan.ahead()[passed..];
    let kept = &ahead[..ahead.iter().take_while(|leg| leg.is_move()).count()];
    let is_plain = kept.iter().all(|leg| leg.action().is_some()) && class.uniform_duration().is_some();
    let begins = kept.first().is_some_and(|leg| (leg.from, leg.depart) == (start, depart));
    let Some(last) = kept.last().copied().filter(|_| is_plain && begins) else { return false };
    // After the moves there may be a rest on the goal, and nothing else.
    let at_goal = member.order.goals().contains(last.to);
    if at_goal && (plan.rest.is_none() || plan.has_moves_after(last.arrive)) || !at_goal && ahead.len() > kept.len() {
        return false;
    }
    let claim = member.claim(*clock);
    let question = Question {
        claim,
        start,
        depart,
        horizon: depart.saturating_add(window).min(FOREVER - 1),
        goals: member.order.goals(),
        at_end: AtEnd::Disappear,
        to_goal: false,
        yields_until: 0,
        descends: settings.descent,
    };
    let manners = Manners {
        wait_penalty: settings.wait_penalty,
        price: settings.price_of_resters(member.priority()),
        resters: ledger.resters(),
    };
    let Answer { found, expanded } =
        class.extend(&question, kept, ledger.reservations(), &manners, &mut context.work.fuel);
    context.report.expansions += expanded;
    let Ok(found) = found else { return false };
    context.work.charge(1 + found.entries.len() as u64 / ENTRIES);
    if !at_goal && !found.legs.is_empty() {
        // A free entry is always taken.
        if ledger.hold(slot, claim.rank, &found.entries).is_err() {
            return false;
        }
        let end = found.legs.iter().rev().find(|leg| leg.is_move()).unwrap_or(&last);
        let end = (end.to, end.arrive);
        if !member.approach.plan() {
            ledger.forget_distances(slot);
        }
        ledger.extend_plan(slot, &found.legs);
        if member.order.goals().contains(end.0) {
            let is_soft = settings.soft_rests.is_some();
            let rest = ledger.rest_at_end(slot, claim.rank, class, end, true, is_soft);
            ledger.set_rest(slot, rest);
            context.state.lower_rest(slot);
        }
    }
    context.report.planned.push(context.state.roster[slot].id());
    context.set_tried(slot, None);
    true
}
