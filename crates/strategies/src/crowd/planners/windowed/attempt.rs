//! Attempts: an agent searches for a plan on given terms, and reserves what it finds.

use giveway_core::{AgentId, AtEnd, Claim, Entry, FOREVER, Probe, Rank, ReservationStore, Tick, Ticks};

use crate::crowd::chain::Planner;
use crate::crowd::ledger::{Proposal, Rest, Schedule};
use crate::crowd::leg::Leg;
use crate::crowd::manners::Manners;
use crate::crowd::planners::Context;
use crate::crowd::roster::{Errand, Member, Slot};
use crate::crowd::settings::Holds;
use crate::crowd::state::State;
use crate::crowd::world::{Answer, AnyClass, Question};
use crate::no_plan::NoPlan;

/// On which terms an agent looks for a plan.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd::planners) struct Terms {
    /// It plans around those who do not rank below this.
    pub(in crate::crowd::planners) asks: Rank,
    /// At what rank it holds what it finds.
    pub(in crate::crowd::planners) holds: Rank,
    /// For how many ticks it plans.
    pub(in crate::crowd::planners) window: Ticks,
    pub(in crate::crowd::planners) at_end: AtEnd,
    pub(in crate::crowd::planners) by: Planner,
}

/// Releases what `slot` holds, searches, and reserves what it finds, as part of `proposal`, which has to be rolled back after an error. Those
/// who lose something by that are added to `evicted`.
pub(in crate::crowd::planners) fn attempt<R: ReservationStore>(
    context: &mut Context<'_, '_, R>,
    slot: Slot,
    terms: Terms,
    proposal: &mut Proposal<R::Mark>,
    evicted: &mut Vec<AgentId>,
) -> Result<(), NoPlan> {
    let State { settings, world, roster, ledger, clock, .. } = &mut *context.state;
    let member = &mut roster[slot];
    let asks = Claim { agent: member.id, rank: terms.asks };
    let (start, depart) = member.free_at(clock.now);
    let class = &mut world[member.class];
    // It does not push itself aside.
    ledger.lift(slot, depart);

    let horizon = depart.saturating_add(terms.window).min(FOREVER - 1);
    let yields = settings.wait_penalty.is_some();
    let yields_until =
        if yields { yields_until(class, ledger.reservations(), member, asks, depart, horizon) } else { 0 };
    let question = Question {
        claim: asks,
        start,
        depart,
        horizon,
        goals: &member.goals,
        at_end: terms.at_end,
        yields_until,
        descends: settings.descent && terms.by == Planner::Windowed,
    };
    let manners = Manners {
        wait_penalty: settings.wait_penalty,
        price: settings.price_of_resters(member.priority),
        resters: ledger.resters(),
    };
    context.report.searches += 1;
    let Answer { found, expanded } = class.plan(&question, ledger.reservations(), &manners, &mut context.work.fuel);
    context.report.expansions += expanded;
    ledger.put_down(slot);
    let found = found?;
    // What nobody else needs is had; what is overridden is told.
    ledger.take(slot, terms.holds, &found.entries, evicted).map_err(|_| NoPlan::Blocked)?;

    // The end of the plan. On a goal, or without one, it is a rest that others may plan through, as far as it is free.
    let last_move = found.legs.iter().rev().find(|leg| leg.is_move());
    let end = last_move.map_or((start, depart), |leg| (leg.to, leg.arrive));
    let rest = if member.goals.contains(end.0) || member.errand == Errand::StandBy {
        ledger.rest_at_end(slot, terms.holds, class, end, last_move.is_some(), settings.soft_rests.is_some())
    } else {
        (settings.holds == Holds::Rest).then(|| Rest::new(end.1, &[]))
    };
    member.window.forget_halvings();
    proposal.note(slot, ledger.change_plan(slot, Schedule::new(found.legs, rest).by(terms.by)));
    Ok(())
}

/// Until when `member` must make way for somebody who comes where it has been resting, or would be if it had not made way
/// already; 0: for nobody.
fn yields_until<R: ReservationStore>(
    class: &dyn AnyClass<R>,
    store: &R,
    member: &Member,
    claim: Claim,
    depart: Tick,
    horizon: Tick,
) -> Tick {
    let rests = member.arrived || member.is_home() || member.errand == Errand::StandBy;
    let place = match member.goals.nodes() {
        [only] => Some(*only),
        _ => member.is_home().then_some(member.node),
    };
    let Some(place) = place.filter(|_| rests) else {
        return 0;
    };
    let mut room: Vec<Entry> = Vec::new();
    class.sweep(&Leg::resting(place, depart, horizon), &mut room);
    room.into_iter().map(|entry| last_blocked(store, entry, claim)).max().unwrap_or(0)
}

/// The first tick after the last one of `entry` that `claim` may not have; 0: it may have all of it.
fn last_blocked(store: &impl ReservationStore, mut entry: Entry, claim: Claim) -> Tick {
    let mut last = 0;
    while let Probe::Blocked { until, .. } = store.probe(&entry, claim) {
        last = until;
        entry.span.start = until;
    }
    last
}
