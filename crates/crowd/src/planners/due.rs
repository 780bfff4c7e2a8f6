//! When a plan is renewed: which agents are due at a tick, and when their next turn comes.
//!
//! An agent plans again after half of its own depth (Silver, "Cooperative Pathfinding", AIIDE 2005, section 6), so that
//! at any time at least the other half is reserved. The turn may also come shortly before that tick: it comes at the
//! tick at which the fewest other agents plan. So all ticks take about equal work. Who leaves gives its turn to an agent
//! that would plan at the tick at which the most agents do; that turn may come later, as long as the agent's plan lasts.
//!
//! That is for windows. Local repair and the step planner say on their own which agents are due.

use giveway_core::Tick;

use super::depth::depth_of;
use crate::settings::Replanning;
use crate::state::{State, Unit};
use giveway_members::chain::{Kind, Planner};
use giveway_members::roster::Slot;

/// Whether `unit` has to plan at this tick: an event asks for it, it is its turn, its plan was made by another planner,
/// or it has no plan.
pub(super) fn is_due(state: &State<'_>, unit: Unit<'_>) -> bool {
    let Unit { member, plan, .. } = unit;
    let now = state.clock.now;
    if member.turn.due().is_some() || !plan.covers(member.motion.free_at(now).1) {
        return true;
    }
    // Steps are good enough until its turn comes.
    let has_step = || plan.is_by(Planner::Step) && member.chain().has_steps();
    let by_another =
        || plan.by.is_some_and(|by| by != Kind::Windowed) && !has_step() && !plan.follows_another(Planner::Windowed);
    let asks = member.turn.is_over(now) || member.kind() == Kind::Windowed && by_another();
    asks && !unit.is_in_knot() && !unit.is_at_ease()
}

/// The earliest and the latest tick of the next turn of `slot`, whose turn has come.
pub(super) fn next_turn(state: &State<'_>, slot: Slot) -> (Tick, Tick) {
    let (now, clock) = (state.clock.now, state.clock_of(slot));
    let depth = depth_of(state, slot);
    let steps = state.settings.interval.unwrap_or(depth / 2).max(1);
    let interval = clock.ticks(steps);
    match state.settings.replanning {
        // First the agents take turns by their ids.
        Replanning::Staggered if state.roster[slot].turn.next().is_none() => {
            let next = now.saturating_add(interval - now.wrapping_add(state.roster[slot].id().0) % interval);
            (next, next)
        }
        Replanning::Staggered => (now.saturating_add(interval - interval / 4), now.saturating_add(interval)),
        Replanning::AllAtOnce => {
            let next = (now / interval).saturating_add(1).saturating_mul(interval);
            (next, next)
        }
    }
}
