//! How a jam ends: all agents are planned together, or steps take over.

use super::improving::improve;
use super::{Extent, MOST, MOST_TOGETHER, SHARE, everybody, is_free, note_planned, plan_together};
use crate::jam::{FEW, Price};
use crate::planners::context::Context;
use crate::state::State;
use giveway_members::chain::Planner;
use giveway_members::roster::{Member, Roster};
use giveway_members::world::World;

/// Less work in vain than this is no jam: it takes a millisecond or two, and windows cost less than a joint plan.
const LEAST_JAM: u64 = 8192;

/// The approximate price of a joint plan of all, in units of work, for each unit and each step of the longest way.
const PER_PLACE: u64 = 2;

/// The search for a joint plan of all ends at `MOST_PRICES` times its price. The plan then leads as far as is known.
/// As much again is left for what makes the plan better.
const MOST_PRICES: u64 = 2;

/// Plans all agents together that can make way, if as much work as that takes has gone into windows in vain, or a quarter
/// soon after the last such plan; if as much is left, and many agents under way have LaCAM in their chains. Where steps
/// do better than a joint plan, they take over, and earlier.
pub(in crate::planners) fn end_jam(context: &mut Context<'_, '_>) {
    let left = context.work.fuel.left();
    let State { world, roster, clock, jam, shortage, .. } = &mut *context.state;
    if !clock.now.is_multiple_of(clock.ticks_per_step) {
        return;
    }
    let each = if shortage.is_over_for_a_while(*clock) { FOR_STEPS } else { FOR_STEPS_AGAIN };
    // Steps take work at each tick, and windows once in several steps.
    let each = each.saturating_mul(clock.ticks_per_step.into());
    let agents = roster.len() as u64;
    // Elsewhere steps are to end a jam.
    let moves_resters = roster.len() <= MOST_TOGETHER && !jam.orders_keep_coming(roster.len());
    let is_due = agents > FEW as u64 && jam.asks_for_steps(LEAST_JAM.max(each.saturating_mul(agents)))
        || jam.pays(LEAST_JAM, left, |limit| price(world, roster, moves_resters, limit));
    if !is_due {
        return;
    }
    if is_left_to_steps(context.state) {
        let State { shortage, jam, clock, .. } = &mut *context.state;
        shortage.begin(*clock);
        shortage.end_windows();
        return jam.leave_to_steps();
    }
    let State { world, roster, jam, .. } = &mut *context.state;
    if !jam.pays(LEAST_JAM, left, |limit| price(world, roster, moves_resters, limit)) {
        return;
    }
    let State { clock, jam, roster, .. } = &*context.state;
    let ahead = jam.length(roster.len(), *clock);
    let first = context.by_rank(|unit| is_jammed(unit.member) && is_free(unit)).first().copied();
    let all = first.map_or_else(Vec::new, |first| everybody(context, first));
    context.state.look_around();
    let mut staying = context.state.ledger.take_presence().unwrap_or_else(|| context.state.survey());
    let most = context.state.jam.price().saturating_mul(MOST_PRICES);
    let plan = |context: &mut Context<'_, '_>| plan_together(context, &all, &mut staying, Extent::Ahead(ahead));
    let until = if all.is_empty() { None } else { context.within(most, plan) };
    context.state.ledger.note_presence(staying);
    if let Some(until) = until {
        context.state.jam.plan(until);
        // A few units on narrow ground would shut each other in: 24 carts at two bridges carry out 149 orders then, and
        // 192 without.
        if agents > FEW as u64 {
            context.within(most, |context| improve(context, &all, until));
        }
        note_planned(context, &all);
    } else {
        context.state.jam.fail();
    }
}

/// A jam is left to steps once so much work for each agent, and for each tick of a plain step, has gone into windows in
/// vain, and `LEAST_JAM` in all; or `FOR_STEPS_AGAIN` soon after steps have served in place of windows.
const FOR_STEPS: u64 = 256;
const FOR_STEPS_AGAIN: u64 = 64;

/// A jam is left to steps only if at most one in `OTHERS` of its agents may not take steps.
const OTHERS: usize = 8;

/// Whether steps do better in a jam than a joint plan. Nearly all agents that are in the jam may take steps, and steps
/// do not serve yet. And orders keep coming, or the crowd is large.
fn is_left_to_steps(state: &State<'_>) -> bool {
    let State { world, roster, clock, jam, shortage, .. } = state;
    if shortage.lasts_at(clock.now) || roster.len() <= MOST_TOGETHER && !jam.orders_keep_coming(roster.len()) {
        return false;
    }
    let terms: Vec<_> = world.turn_terms(true, shortage.work(), roster, *clock).collect();
    let takes_steps = |member: &&Member| {
        let is_served = terms.get(member.class().0 as usize).is_some_and(|terms| terms.is_short);
        is_served && member.chain().has_steps_when_short()
    };
    let jammed: Vec<&Member> = roster.members().filter(|member| is_jammed(member)).collect();
    let others = jammed.len() - jammed.iter().copied().filter(takes_steps).count();
    jammed.len() > MOST && jammed.len() * SHARE >= roster.len() && others * OTHERS <= jammed.len()
}

/// Whether `member` is under way, and has LaCAM in its chain.
fn is_jammed(member: &Member) -> bool {
    member.is_under_way() && has_lacam(member)
}

/// Whether LaCAM is in the chain of `member`.
pub(super) fn has_lacam(member: &Member) -> bool {
    member.chain().planners().any(|(planner, _)| planner == Planner::Lacam)
}

/// About the work that it takes to plan all together; without end if they are few. It need not be exact beyond `limit`.
///
/// Where fewer than one in `SHARE` of all are under way, a joint plan moves many agents at rest, too. The price is in
/// proportion higher then; without end unless it `moves_resters`.
fn price(world: &mut World<'_>, roster: &Roster, moves_resters: bool, limit: u64) -> Price {
    let all = roster.len();
    let count = roster.members().filter(|member| is_jammed(member)).count();
    if count <= MOST || count * SHARE < all && !moves_resters {
        return Price::AtLeast(u64::MAX);
    }
    let (all, enough) = (all as u64, (count * SHARE) as u64);
    let mut most = 0;
    for member in roster.members().filter(|member| is_jammed(member)) {
        let distance = world.known_distance(member).filter(|distance| distance.is_finite()).unwrap_or(0.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
        let steps = distance as u64;
        let price = all.saturating_mul(steps).saturating_mul(PER_PLACE);
        most = most.max(price.saturating_mul(all.max(enough)) / enough);
        if most > limit {
            return Price::AtLeast(most);
        }
    }
    Price::Exactly(most)
}
