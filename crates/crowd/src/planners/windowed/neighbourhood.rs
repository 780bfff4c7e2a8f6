//! Neighbourhood search: agents that stand in each other's way give up what they hold, and plan windows anew, one after
//! the other. What they find is kept if it brings them nearer to their goals, all in all. An agent that finds no plan is
//! the first one in the next attempt.
//!
//! Li, Chen, Harabor, Stuckey, Koenig, "MAPF-LNS2: Fast Repairing for Multi-Agent Path Finding via Large Neighborhood
//! Search", AAAI 2022.

use giveway_core::{NodeId, Ticks};

use super::{attempt, keep, windowed};
use crate::ledger::Proposal;
use crate::planners::context::Context;
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::rank::RESTING;
use giveway_members::roster::Slot;
use giveway_members::world::currents::squared;

/// Agents that have come no nearer for so many steps look for a way together with those around them. Each agent may do so
/// once in `ROUND` steps, and one agent does so at each step.
const PATIENCE: Ticks = 16;
const ROUND: Ticks = 4;

/// So many agents plan anew together, in at most so many attempts.
const MOST: usize = 10;
const ATTEMPTS: usize = 12;

/// All in all they have to come nearer by so many plain steps.
const LEAST_GAIN: f64 = 4.0;

/// A search takes at most this part of the work of a tick, and no more than `MOST_WORK`. With less than `LEAST_WORK` few
/// searches would find anything.
const PART: u64 = 4;
const MOST_WORK: u64 = 16_384;
const LEAST_WORK: u64 = 4096;

/// The price of lifting an agent, in units of work.
const LIFTED: u64 = 4;

/// Lets an agent that stands plan anew together with the agents around it, if there is enough work. Only where orders
/// keep coming: where all are to come to rest, a place that leads everybody else past is worth more than to come nearer.
pub(in crate::planners) fn search(context: &mut Context<'_, '_>) {
    let State { roster, clock, world, jam, .. } = &*context.state;
    let step = clock.ticks_per_step.max(1);
    let most = (context.work.fuel.left() / PART).min(MOST_WORK);
    let is_asked_for = world.has_wide_units() && jam.orders_keep_coming(roster.len());
    if !clock.now.is_multiple_of(step) || !is_asked_for || most < LEAST_WORK {
        return;
    }
    let step = clock.now / step;
    let mut standing = roster.of_round(step % ROUND, ROUND);
    standing.retain(|slot| stands(context.state, *slot));
    if standing.is_empty() {
        return;
    }
    let first = standing[(step / ROUND) as usize % standing.len()];
    context.within(most, |context| {
        let mut order = around(context.state, first);
        for _ in 0..ATTEMPTS {
            let next = match plan_in_order(context, &order) {
                Outcome::Kept | Outcome::OutOfBudget | Outcome::Fails(0) => return,
                Outcome::Fails(place) => &mut order[..=place],
                // Who plans last has the least choice.
                Outcome::NoGain => &mut order,
            };
            next.rotate_right(1);
        }
    });
}

/// What has come of an attempt.
enum Outcome {
    Kept,
    /// The agent at this place finds no plan.
    Fails(usize),
    /// They all find plans, which do not bring them nearer.
    NoGain,
    OutOfBudget,
}

/// Whether `slot` has come no nearer for [`PATIENCE`] steps.
fn stands(state: &State<'_>, slot: Slot) -> bool {
    let member = &state.roster[slot];
    let stands_for = state.clock.now.saturating_sub(member.approach.no_nearer_since());
    may_plan(state, slot) && stands_for >= state.clock.ticks(PATIENCE)
}

/// Whether `slot` is under way, and may be planned together with others: LaCAM is in its chain.
fn may_plan(state: &State<'_>, slot: Slot) -> bool {
    let Unit { member, .. } = state.unit(slot);
    let plans_jointly = || member.chain().planners().any(|(planner, _)| planner == Planner::Lacam);
    member.is_under_way() && member.makes_way() && !state.is_outsider(member.id()) && plans_jointly()
}

/// The nearest agents to `first`, which is the first of them.
fn around(state: &State<'_>, first: Slot) -> Vec<Slot> {
    let at = |slot: Slot| state.class(slot).position(state.roster[slot].motion.node());
    let Some(here) = at(first) else { return vec![first] };
    let others = state.roster.iter().map(|(slot, _)| slot).filter(|slot| *slot != first && may_plan(state, *slot));
    let mut others: Vec<(u32, Slot)> =
        others.filter_map(|slot| at(slot).map(|there| (squared(here, there).to_bits(), slot))).collect();
    others.sort_unstable_by_key(|(distance, slot)| (*distance, slot.index()));
    others.truncate(MOST - 1);
    std::iter::once(first).chain(others.into_iter().map(|(_, slot)| slot)).collect()
}

/// Lets the agents of `order` plan windows one after the other, around all agents that are not among them.
fn plan_in_order(context: &mut Context<'_, '_>, order: &[Slot]) -> Outcome {
    let [before, held] = [left(context, order, |_, _, node| node), left(context, order, end_of)];
    let (Some(before), Some(held)) = (before, held) else { return Outcome::OutOfBudget };
    let mut proposal = context.state.ledger.propose();
    for slot in order {
        let (_, depart) = context.state.roster[*slot].motion.free_at(context.state.clock.now);
        context.state.ledger.lift(*slot, depart);
        context.work.charge(LIFTED);
    }
    let mut evicted = Vec::new();
    for (slot, tried) in order.iter().zip(1..) {
        let own = context.state.claim(*slot).rank;
        let terms = windowed(context.state, *slot, [RESTING, own]);
        if attempt(context, *slot, terms, &mut proposal, &mut evicted).is_err() || !evicted.is_empty() {
            undo(context, proposal, order, tried);
            let is_over = context.work.fuel.left() == 0;
            return if is_over { Outcome::OutOfBudget } else { Outcome::Fails(tried - 1) };
        }
    }
    let after = left(context, order, end_of);
    if after.is_none_or(|after| after + LEAST_GAIN > before.min(held)) {
        undo(context, proposal, order, order.len());
        return Outcome::NoGain;
    }
    keep(context, proposal, order);
    let agents = order.iter().map(|slot| context.state.roster[*slot].id());
    context.report.planned.extend(agents.clone());
    context.report.neighbourhoods.push(agents.collect());
    Outcome::Kept
}

/// Undoes an attempt in which the first `tried` agents of `order` looked for plans.
fn undo(context: &mut Context<'_, '_>, proposal: Proposal, order: &[Slot], tried: usize) {
    let ledger = &mut context.state.ledger;
    ledger.roll_back(proposal);
    order[tried..].iter().for_each(|slot| ledger.put_down(*slot));
    order.iter().for_each(|slot| ledger.forget_attempt(*slot));
}

/// Where the plan of `slot` ends; at `node` if it has none.
fn end_of(state: &State<'_>, slot: Slot, node: NodeId) -> NodeId {
    state.ledger.plan(slot).ahead().last().map_or(node, |leg| leg.to)
}

/// The sum of the distances of the agents of `order` to their goals, in plain steps. `None`: not all are known. `from` is
/// given the node where an agent may turn to another plan, and names the node from which its distance counts.
fn left(
    context: &mut Context<'_, '_>,
    order: &[Slot],
    from: impl Fn(&State<'_>, Slot, NodeId) -> NodeId,
) -> Option<f64> {
    let mut sum = 0.0;
    let mut known = Vec::with_capacity(1);
    for slot in order {
        let (node, _) = context.state.roster[*slot].motion.free_at(context.state.clock.now);
        let node = from(context.state, *slot, node);
        let State { world, roster, .. } = &mut *context.state;
        let member = &roster[*slot];
        known.clear();
        world[member.class()].distances(member.order.goals(), &[node], &mut known);
        sum += known[0].filter(|distance| distance.is_finite())?;
    }
    Some(sum)
}
