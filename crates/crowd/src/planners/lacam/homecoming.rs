//! Homecoming: the last agents under way plan one after the other, each to its goal, around all plans so far.
//!
//! Windows look ahead for some steps only. Where little room is left, an agent that comes home by windows may push
//! another one from its goal, which pushes a third one on its way back, and so on: some are always away. Plans to the
//! end show whom each agent would push, and where that agent would be then. An agent at rest is pushed only if its way
//! back is known.
//!
//! HCA* (Silver, "Cooperative Pathfinding", AIIDE 2005, section 5). An agent that finds no way comes first in the next
//! order, as by Andreychuk and Yakovlev, "Two Techniques That Enhance the Performance of Multi-robot Prioritized Path
//! Planning", AAMAS 2018.

use std::collections::VecDeque;

use giveway_core::{AgentId, Ticks};
use giveway_members::chain::Planner;
use giveway_members::rank::ABOVE_RESTING;
use giveway_members::roster::{Member, Slot};

use super::improving::farthest_first;
use super::jams::has_lacam;
use super::{LONGEST, comes_home, hold_starts, note_planned, to_the_end};
use crate::ledger::Proposal;
use crate::planners::context::Context;
use crate::planners::windowed::{RestAtEnd, attempt};
use crate::state::{State, Unit};

/// Agents plan to the end at one step in `PERIOD`.
const PERIOD: Ticks = 32;

/// No more agents than this plan to the end.
const MOST_AGENTS: usize = 32;

/// An agent that has come no nearer to its goal for so many steps is in trouble. An agent on its way back is, too.
const PATIENCE: u32 = 16;

/// Of two orders, the farthest agents first and the nearest first, the better one is taken. Each is mended `MENDS`
/// times at most. The second takes no more than `TIMES` times the work of the first if the first one has worked.
const MENDS: usize = 7;
const TIMES: u64 = 2;

/// The most work that all attempts take together, and the search of one agent. The better order is planned again, for
/// no more than that. A way that is found mostly takes 100 to 200; without `ENOUGH` for each agent there is no attempt.
const MOST_FOR_ATTEMPTS: u64 = 32_768;
const MOST_FOR_EACH: u64 = 4096;
const ENOUGH: u64 = 128;

/// Plans all agents to the end that are under way or make way for others, if they are few, one of them is in trouble,
/// orders do not keep coming, and none has farther to go than a plan may lead. At most half of the work that is left
/// goes there. Agents under way without LaCAM in their chains, and those that cannot reach their goals, go on as they
/// do. There is no homecoming where others may walk through agents at rest.
pub(in crate::planners) fn bring_home(context: &mut Context<'_, '_>) {
    let State { settings, clock, roster, jam, .. } = &*context.state;
    let is_time = clock.now.is_multiple_of(clock.ticks(PERIOD));
    if !is_time || settings.soft_rests.is_some() || jam.orders_keep_coming(roster.len()) {
        return;
    }
    let is_away = |unit: Unit<'_>| !unit.is_at_ease() && may_be_planned(unit.member);
    context.state.wake();
    if context.state.awake().filter(|unit| is_away(*unit)).nth(MOST_AGENTS).is_some() {
        return;
    }
    let mut away = context.by_rank(is_away);
    let State { world, roster, ledger, clock, .. } = &mut *context.state;
    let mut left = |slot: &Slot| world.known_distance(&roster[*slot]).unwrap_or(f64::INFINITY);
    away.retain(|slot| left(slot).is_finite());
    let is_troubled = |slot: &Slot| {
        let member = &roster[*slot];
        !member.is_home() && (member.returns() || member.approach.steps(*clock) >= PATIENCE)
    };
    let leads_home = |slot: &Slot| {
        let (plan, goals) = (ledger.plan(*slot), roster[*slot].order.goals());
        plan.is_by(Planner::Lacam) && plan.ahead().last().is_some_and(|leg| goals.contains(leg.to))
    };
    if !away.iter().any(is_troubled) || away.iter().all(leads_home) {
        return;
    }
    let is_near = |slot: &Slot| {
        let most = f64::from(roster[*slot].clock(*clock).ticks(LONGEST));
        left(slot) * f64::from(clock.ticks_per_step) <= most
    };
    let most = (context.work.fuel.left() / 4).min(MOST_FOR_ATTEMPTS);
    if most < ENOUGH * away.len() as u64 || !away.iter().all(is_near) {
        return;
    }
    let farthest_first = farthest_first(context.state, &away);
    let nearest_first = farthest_first.iter().rev().copied().collect();
    let before = context.work.fuel.left();
    let one = context.within(most, |context| mend(context, farthest_first));
    let spent = before - context.work.fuel.left();
    let left = most.saturating_sub(spent);
    let other = match one {
        Mended::Home { .. } => context.within(left.min(spent * TIMES), |context| mend(context, nearest_first)),
        Mended::NotHome => context.within(left, |context| mend(context, nearest_first)),
        Mended::Hopeless => return,
    };
    let ordered = |mended| if let Mended::Home { ticks, order } = mended { Some((ticks, order)) } else { None };
    let best = [one, other].into_iter().filter_map(ordered).min_by_key(|(ticks, _)| *ticks);
    if let Some((_, order)) = best
        && let Ok((_, planned)) = context.within(most, |context| plan_home(context, &order, true))
    {
        note_planned(context, &planned);
    }
}

/// What has become of an order.
enum Mended {
    /// In this order all agents come home, after so many ticks, as [`plan_home`] counts them.
    Home { ticks: u64, order: Vec<Slot> },
    /// No order has been found.
    NotHome,
    /// An agent finds no way although it comes first. Another order hardly helps.
    Hopeless,
}

/// Looks for an order in which all agents of `order` come home. An agent that finds no way comes first in the next
/// order that is tried.
fn mend(context: &mut Context<'_, '_>, mut order: Vec<Slot>) -> Mended {
    let mut tried: Vec<Vec<Slot>> = Vec::new();
    while tried.len() <= MENDS && !tried.contains(&order) {
        tried.push(order.clone());
        match plan_home(context, &order, false) {
            Ok((ticks, _)) => return Mended::Home { ticks, order },
            Err(Some(failed)) if order.first() == Some(&failed) => return Mended::Hopeless,
            Err(Some(failed)) => {
                order.retain(|slot| *slot != failed);
                order.insert(0, failed);
            }
            Err(None) => return Mended::NotHome,
        }
    }
    Mended::NotHome
}

/// Whether `member` may be planned with others.
fn may_be_planned(member: &Member) -> bool {
    member.makes_way() && has_lacam(member)
}

/// Plans the agents of `order` one after the other, and then those at rest that they push. Returns the sum of the ticks
/// until each is home for good, and all that have been planned. An error is the agent that finds no way; `None`: the
/// work has run out, or an agent at rest is in the way that may not be planned. After an error, and unless the plans
/// are to be `kept`, nothing has changed.
fn plan_home(context: &mut Context<'_, '_>, order: &[Slot], kept: bool) -> Result<(u64, Vec<Slot>), Option<Slot>> {
    let mut proposal = context.state.ledger.propose();
    let planned = propose_home(context, order, &mut proposal);
    let planned = planned.map(|planned| {
        let State { ledger, clock, .. } = &*context.state;
        let last = |slot: &Slot| ledger.plan(*slot).ahead().iter().rev().find(|leg| leg.is_move());
        let ticks = planned.iter().filter_map(last).map(|leg| u64::from(leg.arrive.saturating_sub(clock.now))).sum();
        (ticks, planned)
    });
    match &planned {
        Ok((_, planned)) if kept => {
            planned.iter().for_each(|slot| context.state.lower_rest(*slot));
            context.state.ledger.commit(proposal);
        }
        _ => context.state.ledger.roll_back(proposal),
    }
    planned
}

/// Adds plans to `proposal`, as [`plan_home`] says. After an error, `proposal` has to be rolled back.
fn propose_home(
    context: &mut Context<'_, '_>,
    order: &[Slot],
    proposal: &mut Proposal,
) -> Result<Vec<Slot>, Option<Slot>> {
    if !hold_starts(context.state, order) {
        return Err(None);
    }
    let mut queue = VecDeque::from_iter(order.iter().copied());
    let (mut planned, mut evicted) = (Vec::new(), Vec::<AgentId>::new());
    while let Some(slot) = queue.pop_front() {
        if context.work.fuel.left() == 0 {
            return Err(None);
        }
        let terms = to_the_end(ABOVE_RESTING, context.state.clock_of(slot).ticks(LONGEST), RestAtEnd::Firm);
        let found = context.within(MOST_FOR_EACH, |context| attempt(context, slot, terms, proposal, &mut evicted));
        if found.is_err() || !comes_home(context.state.unit(slot), context.now()) {
            return Err(Some(slot));
        }
        planned.push(slot);
        let roster = &context.state.roster;
        for loser in roster.slots_of(std::mem::take(&mut evicted)) {
            if planned.contains(&loser) || !may_be_planned(&roster[loser]) {
                return Err(None);
            }
            if !queue.contains(&loser) {
                queue.push_back(loser);
            }
        }
    }
    Ok(planned)
}
