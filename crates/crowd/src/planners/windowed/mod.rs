//! Windows: WHCA*. An agent plans a window ahead, at the expense of agents of lower rank if they can make way,
//! otherwise around all others.
//!
//! Planning at the expense of others is a transaction: the others plan anew, or nothing happens.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 6, and AI Game Programming Wisdom 3, 2006, section "The Game
//! Must Go On".

mod going_on;
mod yields;

use giveway_core::{AgentId, AtEnd, Claim, FOREVER, Rank, Ticks};

use super::context::{Cascade, Context};
use super::depth::window_of;
use super::plan_agents::PlanAgents;
use crate::ledger::{Proposal, Schedule};
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::leg::Leg;
use giveway_members::manners::Manners;
use giveway_members::rank::{self, RESTING};
use giveway_members::roster::Slot;
use giveway_members::world::{Answer, Question};
use giveway_strategies::NoPlan;
use yields::yields_until;

/// Plans a window ahead.
pub(super) struct Windowed;

impl PlanAgents for Windowed {}

/// Lets `slot` plan a window ahead.
pub(super) fn plan(context: &mut Context<'_, '_>, slot: Slot) {
    let first = context.report.searches == 0;
    let before = context.work.fuel.left();
    let planned = if going_on::goes_on(context, slot) { Ok(()) } else { try_all(context, slot) };
    let work = before - context.work.fuel.left();
    context.state.shortage.pay(work, planned.is_ok());
    if let Err(Undone::NoPlan(NoPlan::Blocked) | Undone::InTheWay | Undone::Deferred) = planned {
        context.state.jam.waste(work);
    }
    let why = match planned {
        Ok(()) => return context.state.roster[slot].window.spend(),
        Err(Undone::NoPlan(why)) => why,
        Err(Undone::TooDear) => NoPlan::OutOfBudget,
        Err(Undone::InTheWay) => NoPlan::Blocked,
        Err(Undone::Deferred) => return context.defer(slot),
    };
    if why == NoPlan::OutOfBudget || why == NoPlan::OutOfMemory {
        context.put_off(slot, why);
        // No other agent has planned at this tick, and the way is known: the agent's own search needs too much work.
        if why == NoPlan::OutOfBudget && first && context.knows_now(slot) {
            let (now, member) = (context.now(), &mut context.state.roster[slot]);
            member.window.save(planned == Err(Undone::TooDear));
            member.turn.queue_up(now);
        }
        return;
    }
    if context.state.roster[slot].chain().has_steps() && why != NoPlan::Unreachable {
        // The step planner serves it until its next turn.
        context.set_tried(slot, None);
        return context.fail(slot, why);
    }
    context.set_tried(slot, Some(context.now().saturating_add(1)));
    context.fail(slot, why);
    if why != NoPlan::Unreachable {
        hold_out(context.state, slot);
    }
    context.hold_on(slot);
}

/// Lets `slot` plan at the expense of lower ranks; if that fails, around all others; if that fails, at the expense of
/// all agents that are not promoted. In a crowd of `MANY`, the first attempt is at the expense of lower priorities, the
/// second one at the expense of lower ranks, and the third one, around all others, is for agents that lower priorities
/// do not let through. A thrifty agent plans around all others: replanning the agents that it overrides could take any
/// amount of work.
///
/// If windows have cost too much at this tick, the agent goes on with the next of these attempts at the next tick.
fn try_all(context: &mut Context<'_, '_>, slot: Slot) -> Result<(), Undone> {
    let own = context.state.claim(slot).rank;
    let has_steps = context.state.roster[slot].chain().has_steps();
    let is_of_many = context.state.roster.len() >= MANY;
    let member = &mut context.state.roster[slot];
    let agent = member.id();
    let is_thrifty = member.window.is_thrifty();
    // An agent that was stopped in spite of its rank first tries to get around the others.
    let is_stopped = member.window.take_stopped();
    // An agent at rest has no rank between its own and that of all others.
    let is_of_many = is_of_many && !is_stopped && !is_thrifty && own != RESTING;
    let first = if is_stopped {
        [RESTING, own]
    } else if is_of_many {
        [rank::least_of_priority(own), own]
    } else {
        [own, RESTING]
    };
    let promoted = (context.state.settings.promotion && !has_steps).then(|| rank::promoted(own));
    let failed = member.window.take_failed();
    let before = context.work.fuel.left();
    let around = is_of_many.then_some(RESTING);
    let attempts = first.into_iter().chain(around).chain(promoted).filter(|asks| !is_thrifty || *asks == RESTING);
    // Whether agents of lower priority did not let it through.
    let mut is_refused = failed > 0;
    for (attempt, asks) in (0..).zip(attempts).skip_while(|(attempt, _)| *attempt < failed) {
        if is_of_many && asks == RESTING && !is_refused {
            continue;
        }
        let State { roster, shortage, .. } = &mut *context.state;
        let work = before - context.work.fuel.left();
        if attempt > failed && shortage.is_too_dear(work, || roster.len()) {
            roster[slot].window.note_failed(attempt);
            return Err(Undone::Deferred);
        }
        let most = shortage.most_for_attempt(work);
        let is_limited = context.work.fuel.left() > most;
        let outcome = context.within(most, |context| transact(context, slot, asks, own.max(asks)));
        match outcome {
            Ok(()) => {
                if asks > own {
                    context.report.promoted.push(agent);
                }
                return Ok(());
            }
            Err(Undone::NoPlan(NoPlan::Blocked)) => {}
            Err(undone) if undone == Undone::InTheWay || undone == Undone::TooDear && is_limited => {
                context.report.rolled_back += 1;
                is_refused |= attempt == 0;
            }
            Err(Undone::NoPlan(NoPlan::OutOfBudget)) if is_limited => {
                let window = &mut context.state.roster[slot].window;
                window.save(false);
                window.note_failed(attempt);
                return Err(Undone::Deferred);
            }
            Err(other) => return Err(other),
        }
    }
    Err(Undone::NoPlan(NoPlan::Blocked))
}

/// In a crowd of so many agents, a late one first looks for a way around late ones of its priority. Then fewer agents
/// have to plan anew: 10,000 of them take 0.8 of the time, and 0.3 % fewer arrive. A few hundred agents on a small map
/// would take up to 30 % longer ways.
const MANY: usize = 1024;

/// Agents [with steps](crate::Chain::with_steps) begin no longer cascades than this: the step planner does better
/// there.
const LONGEST_WITH_STEPS: u32 = 4;

/// Why a transaction was rolled back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undone {
    /// The agent that began the transaction finds no plan.
    NoPlan(NoPlan),
    /// The agents that it pushed aside cannot make way.
    InTheWay,
    /// There is not enough work for the agents that it pushed aside.
    TooDear,
    /// Windows have cost too much at this tick for another attempt.
    Deferred,
}

/// Plans `slot` around all reservations of rank `asks` and above, and reserves the plan at rank `holds`. Then plans
/// every agent that lost a reservation, at ranks below `holds`. After an error nothing has changed.
fn transact(context: &mut Context<'_, '_>, slot: Slot, asks: Rank, holds: Rank) -> Result<(), Undone> {
    let mut cascade = std::mem::take(&mut context.cascade);
    cascade.begin(slot);
    let outcome = plan_cascade(context, &mut cascade, slot, asks, holds);
    context.cascade = cascade;
    outcome
}

fn plan_cascade(
    context: &mut Context<'_, '_>,
    cascade: &mut Cascade,
    slot: Slot,
    asks: Rank,
    holds: Rank,
) -> Result<(), Undone> {
    let mut proposal = context.state.ledger.propose();
    let planned_before = context.report.planned.len();
    if let Err(why) = propose_cascade(context, cascade, &mut proposal, slot, [asks, holds]) {
        context.state.ledger.roll_back(proposal);
        context.report.planned.truncate(planned_before);
        return Err(why);
    }
    let Cascade { flagged, planned, .. } = cascade;
    planned.extend(proposal.slots());
    // An agent that has lost part of its new plan, and loses the rest of it below, may have no rest to lower.
    for done in planned.iter().filter(|done| !flagged.contains(done)) {
        context.state.lower_rest(*done);
    }
    context.state.ledger.commit(proposal);
    for (turn, done) in planned.drain(..).enumerate() {
        context.set_tried(done, None);
        context.state.roster[done].approach.plan();
        let (agent, overridden) = (context.state.roster[done].id(), &mut context.report.overridden);
        if turn > 0 && !overridden.contains(&agent) {
            overridden.push(agent);
        }
    }
    let now = context.now();
    for loser in flagged.drain(..) {
        context.state.ledger.change_plan(loser, Schedule::default());
        let member = &mut context.state.roster[loser];
        member.turn.ask(now);
    }
    Ok(())
}

/// Adds the plan of `slot` to `proposal`, and those of the agents that lose something to it. After an error, `proposal`
/// has to be rolled back.
fn propose_cascade(
    context: &mut Context<'_, '_>,
    cascade: &mut Cascade,
    proposal: &mut Proposal,
    slot: Slot,
    [asks, holds]: [Rank; 2],
) -> Result<(), Undone> {
    let Cascade { queue, flagged, evicted, .. } = cascade;
    let mut attempts = 0;
    while let Some((next, depth)) = queue.pop_front() {
        context.state.roster.wake(next);
        let ranks = if depth == 0 { [asks, holds] } else { [rank_of_pushed(context.state, next, holds, depth); 2] };
        let terms = windowed(context.state, next, ranks);
        attempts += 1;
        let most = context.state.settings.cascade;
        let most = if context.state.roster[slot].chain().has_steps() { most.min(LONGEST_WITH_STEPS) } else { most };
        let attempt =
            if attempts > most { Err(NoPlan::Blocked) } else { attempt(context, next, terms, proposal, evicted) };
        if let Err(why) = attempt {
            return Err(match why {
                why if depth == 0 => Undone::NoPlan(why),
                // Without fuel it is not known whether they could make way.
                NoPlan::OutOfBudget => Undone::TooDear,
                _ => Undone::InTheWay,
            });
        }
        context.report.planned.push(context.state.roster[next].id());
        for loser in evicted.drain(..) {
            let Some(loser) = context.state.roster.slot(loser) else {
                continue;
            };
            let unit = context.state.unit(loser);
            if context.state.settings.soft_rests.is_some() && unit.is_at_ease() {
                // The agent stays, and others walk through it.
            } else if unit.member.is_new() {
                flagged.push(loser);
            } else if !queue.iter().any(|(queued, _)| *queued == loser) {
                queue.push_back((loser, depth + 1));
            }
        }
    }
    Ok(())
}

/// A plan that is only tried out takes no more work than this, at each of two ranks.
const MOST_WORK_OF_TRIAL: u64 = 32_768;

/// Whether `slot` would begin a move at this tick if it planned now, without promotion, and the agents `gone` held
/// nothing. Nothing changes.
pub(crate) fn would_move(context: &mut Context<'_, '_>, slot: Slot, gone: &[Slot]) -> bool {
    let own = context.state.claim(slot).rank;
    for asks in [own, RESTING] {
        let mut proposal = context.state.ledger.propose();
        context.state.ledger.set_aside(gone);
        let mut cascade = std::mem::take(&mut context.cascade);
        cascade.begin(slot);
        let outcome = context.within(MOST_WORK_OF_TRIAL, |context| {
            propose_cascade(context, &mut cascade, &mut proposal, slot, [asks, own.max(asks)])
        });
        context.cascade = cascade;
        let moves = context.state.ledger.plan(slot).move_at(context.now()).is_some();
        let planned: Vec<Slot> = proposal.slots().chain([slot]).collect();
        context.state.ledger.roll_back(proposal);
        context.state.ledger.put_back(gone);
        planned.into_iter().for_each(|slot| context.state.ledger.forget_attempt(slot));
        if outcome.is_ok() {
            return moves;
        }
    }
    false
}

/// The terms on which `slot` plans a window ahead: around ranks from `asks` on, holding its plan at `holds`.
fn windowed(state: &State<'_>, slot: Slot, [asks, holds]: [Rank; 2]) -> Terms {
    Terms {
        asks,
        holds,
        window: window_of(state, slot),
        at_end: AtEnd::Disappear,
        rest: RestAtEnd::AfterMoves,
        by: Planner::Windowed,
    }
}

/// The rank at which `slot` plans after `depth` pushes that began with an agent of rank `initiator`.
fn rank_of_pushed(state: &State<'_>, slot: Slot, initiator: Rank, depth: u32) -> Rank {
    if state.settings.promotion { rank::pushed_aside(initiator, depth) } else { state.claim(slot).rank }
}

/// The terms on which an agent looks for a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// The agent plans around reservations of this rank and above.
    pub(super) asks: Rank,
    /// The rank at which the agent holds what it finds.
    pub(super) holds: Rank,
    /// The window, in ticks.
    pub(super) window: Ticks,
    pub(super) at_end: AtEnd,
    /// How a plan ends that ends on a goal.
    pub(super) rest: RestAtEnd,
    pub(super) by: Planner,
}

/// A rest on a goal, at the end of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RestAtEnd {
    /// There is none.
    Never,
    /// The rest holds the rank of the plan if the agent moves. If it stays, others may plan through the rest.
    AfterMoves,
    /// The rest holds the rank of the plan, which has to end with it.
    Firm,
}

/// The price of releasing what an agent holds and beginning a search, in units of work.
const BEGINNING: u64 = 3;

/// The number of entries that are reserved in the time of a unit of work.
pub(super) const ENTRIES: u64 = 8;

/// Releases what `slot` holds, searches, and reserves the plan, as part of `proposal`. After an error, `proposal` has
/// to be rolled back. Agents that lose something are added to `evicted`.
pub(super) fn attempt(
    context: &mut Context<'_, '_>,
    slot: Slot,
    terms: Terms,
    proposal: &mut Proposal,
    evicted: &mut Vec<AgentId>,
) -> Result<(), NoPlan> {
    let State { settings, world, roster, ledger, clock, .. } = &mut *context.state;
    let member = &mut roster[slot];
    let asks = Claim { agent: member.id(), rank: terms.asks };
    let (start, depart) = member.motion.free_at(clock.now);
    let class = &mut world[member.class()];
    // An agent does not push itself aside.
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
        goals: member.order.goals(),
        at_end: terms.at_end,
        to_goal: terms.rest == RestAtEnd::Firm,
        yields_until,
        descends: settings.descent && terms.by == Planner::Windowed,
    };
    let manners = Manners {
        wait_penalty: settings.wait_penalty,
        price: settings.price_of_resters(member.priority()),
        resters: ledger.resters(),
    };
    context.report.searches += 1;
    let Answer { found, expanded } = class.plan(&question, ledger.reservations(), &manners, &mut context.work.fuel);
    context.report.expansions += expanded;
    ledger.put_down(slot);
    context.work.charge(BEGINNING + found.as_ref().map_or(0, |found| found.entries.len() as u64 / ENTRIES));
    let found = found?;
    // Free entries are taken; overridden agents are reported.
    ledger.take(slot, terms.holds, &found.entries, evicted).map_err(|_| NoPlan::Blocked)?;

    let last_move = found.legs.iter().rev().find(|leg| leg.is_move());
    let (moves, end) = (last_move.is_some(), last_move.map_or((start, depart), |leg| (leg.to, leg.arrive)));
    let legs = ledger.copied(&found.legs);
    // The end of the plan. On a goal, or without one, it is a rest that others may plan through, for as long as it is
    // free.
    let is_at_goal = member.order.goals().contains(end.0) || member.order.stands_by();
    let rest = if is_at_goal && terms.rest != RestAtEnd::Never {
        let rank = if moves || terms.rest == RestAtEnd::Firm { terms.holds } else { RESTING };
        ledger.rest_at_end(slot, rank, class, end, moves, settings.soft_rests.is_some())
    } else {
        None
    };
    proposal.note(slot, ledger.change_plan(slot, Schedule::new(legs, rest).by(terms.by)));
    Ok(())
}

/// Lets an agent whose search has just failed go where it can hold out longest, if that is longer than by its old plan.
/// Meanwhile others may move.
fn hold_out(state: &mut State<'_>, slot: Slot) {
    let Unit { member, plan, .. } = state.unit(slot);
    let (_, depart) = member.motion.free_at(state.clock.now);
    let until = |legs: &[Leg]| legs.last().map_or(depart, |leg| leg.arrive);
    let found = state.class(slot).longest(member.id()).filter(|found| until(&found.legs) > until(plan.ahead()));
    let Some(found) = found.filter(|_| plan.rest.is_none()) else {
        return;
    };
    let rank = member.claim(state.clock).rank;
    let ledger = &mut state.ledger;
    let proposal = ledger.propose();
    let mut evicted = Vec::new();
    ledger.release(slot, depart);
    let had = ledger.take(slot, rank, &found.entries, &mut evicted);
    // Holding out is no reason to push others aside.
    if had.is_ok() && evicted.is_empty() {
        ledger.commit(proposal);
        ledger.change_plan(slot, Schedule::new(found.legs, None).by(Planner::Windowed));
    } else {
        ledger.roll_back(proposal);
    }
}
