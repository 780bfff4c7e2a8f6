//! Depth: how far ahead each agent plans.

use giveway_core::{Claim, NodeId, Ticks};

use crate::settings::GROWN;
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::rank::RESTING;
use giveway_members::roster::{Member, Slot};

/// If a place has very many neighbours, this many are enough to see how crowded it is.
const MOST_LOOKED_AT: usize = 200;

/// The window of `slot`, in ticks.
pub(crate) fn window_of(state: &State<'_>, slot: Slot) -> Ticks {
    let steps = depth_of(state, slot);
    let member = &state.roster[slot];
    let steps = steps.saturating_add(growth_of(state, member, steps));
    (state.clock_of(slot).ticks(steps) >> member.window.halvings()).max(1)
}

/// The depth of the windows of `slot`, in steps, at least 1: before they grow for want of progress, or are halved for
/// want of budget.
pub(super) fn depth_of(state: &State<'_>, slot: Slot) -> u32 {
    let member = &state.roster[slot];
    let depth = state.settings.depth_with(member.depth(), member.counts_own_steps());
    depth.at(|| crowding(state, slot))
}

/// The steps by which a window of `steps` steps is deeper for `member`, because it comes no nearer to its goal.
fn growth_of(state: &State<'_>, member: &Member, steps: u32) -> u32 {
    let Some(every) = state.settings.growth.filter(|_| !member.chain().has_steps()) else {
        return 0;
    };
    let kept = member.approach.steps(state.clock);
    let more = u64::from(steps) * u64::from(kept) / (4 * u64::from(every.max(1)));
    u32::try_from(more).unwrap_or(u32::MAX).min(steps.saturating_mul(GROWN - 1))
}

/// The share, from 0 to 1, of the places within three moves of `slot` that others hold at some time during the longest
/// window.
fn crowding(state: &State<'_>, slot: Slot) -> f64 {
    let (member, class) = (&state.roster[slot], state.class(slot));
    let (start, depart) = member.motion.free_at(state.clock.now);
    let until = depart.saturating_add(state.ledger.longest_window());
    let mut near = vec![start];
    let mut begin = 0;
    for _ in 0..3 {
        let end = near.len();
        for index in begin..end.min(MOST_LOOKED_AT) {
            class.for_each_move(near[index], depart, &mut |leg, _| {
                if !near.contains(&leg.to) {
                    near.push(leg.to);
                }
            });
        }
        begin = end;
    }
    let claim = Claim { agent: member.id(), rank: RESTING };
    let mut room = Vec::new();
    let mut held = |node: &NodeId| {
        room.clear();
        class.sweep(&Leg::resting(*node, depart, until), &mut room);
        !state.ledger.permits(&room, claim)
    };
    near.truncate(MOST_LOOKED_AT);
    let reserved = near.iter().skip(1).filter(|node| held(node)).count();
    #[allow(clippy::cast_precision_loss)] // a few dozen
    let share = reserved as f64 / (near.len() - 1).max(1) as f64;
    share
}
