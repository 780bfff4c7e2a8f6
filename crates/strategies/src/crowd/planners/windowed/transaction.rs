//! Transactions: an agent plans at the expense of others, and they plan anew, or nothing happens.

use std::collections::VecDeque;

use giveway_core::{AtEnd, Rank, ReservationStore};

use super::attempt::{Terms, attempt};
use super::depth::window_of;
use crate::crowd::chain::Planner;
use crate::crowd::ledger::Schedule;
use crate::crowd::planners::Context;
use crate::crowd::rank;
use crate::crowd::roster::Slot;
use crate::crowd::settings::Holds;
use crate::crowd::state::State;
use crate::no_plan::NoPlan;

/// Why a transaction was rolled back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undone {
    /// The agent that began it finds no plan.
    NoPlan(NoPlan),
    /// Those whom it pushed aside cannot make way.
    InTheWay,
}

/// Plans `slot` around all who do not rank below `asks`, and then everybody whose reservations it overrode, at ranks below
/// `holds`, which it holds what it finds at. After an error nothing has changed.
pub(super) fn transact<R: ReservationStore>(
    context: &mut Context<'_, '_, R>,
    slot: Slot,
    asks: Rank,
    holds: Rank,
) -> Result<(), Undone> {
    let mut proposal = context.state.ledger.propose();
    let mut flagged: Vec<Slot> = Vec::new();
    let mut queue = VecDeque::from([(slot, 0)]);
    let mut attempts = 0;
    let planned_before = context.report.planned.len();
    while let Some((next, depth)) = queue.pop_front() {
        let mut evicted = Vec::new();
        let ranks = if depth == 0 { [asks, holds] } else { [rank_of_pushed(context.state, next, holds, depth); 2] };
        let terms = windowed(context.state, next, ranks);
        attempts += 1;
        let attempt = if attempts > context.state.settings.cascade {
            Err(NoPlan::Blocked)
        } else {
            attempt(context, next, terms, &mut proposal, &mut evicted)
        };
        if let Err(why) = attempt {
            context.state.ledger.roll_back(proposal);
            context.report.planned.truncate(planned_before);
            // Without fuel nobody knows whether they could.
            return Err(if depth == 0 || why == NoPlan::OutOfBudget { Undone::NoPlan(why) } else { Undone::InTheWay });
        }
        context.report.planned.push(context.state.roster[next].id);
        for loser in context.slots(evicted) {
            let unit = context.state.unit(loser);
            if context.state.settings.soft_rests.is_some() && unit.is_at_ease() {
                // It stays, and is walked through.
            } else if unit.member.is_new() {
                flagged.push(loser);
            } else if !queue.iter().any(|(queued, _)| *queued == loser) {
                queue.push_back((loser, depth + 1));
            }
        }
    }
    let planned: Vec<Slot> = proposal.slots().collect();
    // Who has lost part of its plan again, and loses the rest of it below, may have no rest to lower.
    for done in planned.iter().filter(|done| !flagged.contains(done)) {
        context.state.lower_rest(*done);
    }
    context.state.ledger.commit(proposal);
    for (turn, done) in planned.into_iter().enumerate() {
        context.set_tried(done, None);
        let (agent, overridden) = (context.state.roster[done].id, &mut context.report.overridden);
        if turn > 0 && !overridden.contains(&agent) {
            overridden.push(agent);
        }
    }
    let now = context.now();
    for loser in flagged {
        context.state.ledger.change_plan(loser, Schedule::default());
        let member = &mut context.state.roster[loser];
        member.due = member.due.or(Some(now));
    }
    Ok(())
}

/// How `slot` plans a window ahead, around those who do not rank below the first of `ranks`, to hold it at the second.
fn windowed<R: ReservationStore>(state: &State<'_, R>, slot: Slot, [asks, holds]: [Rank; 2]) -> Terms {
    let at_end = if state.settings.holds == Holds::Rest { AtEnd::Stay } else { AtEnd::Disappear };
    Terms { asks, holds, window: window_of(state, slot), at_end, by: Planner::Windowed }
}

/// At which rank `slot` plans that was pushed aside by somebody of rank `initiator`, or by one whom that pushed aside, and so on.
fn rank_of_pushed<R: ReservationStore>(state: &State<'_, R>, slot: Slot, initiator: Rank, depth: u32) -> Rank {
    if state.settings.promotion { rank::pushed_aside(initiator, depth) } else { state.claim(slot).rank }
}
