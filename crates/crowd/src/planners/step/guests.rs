//! Guests: slow inheritance. A push along a file of slow units takes more time than an operation has. So an agent that
//! has stood for long asks the agents in its way to go ahead of it for a while, along its own way. These agents ask the
//! next agents in turn.

use giveway_core::Ticks;

use super::inheritance::Round;
use crate::planners::context::Context;
use crate::state::State;
use giveway_members::roster::Slot;

/// An agent asks after it has stood for this many of the longest moves.
const PATIENCE: Ticks = 3;

/// Lets the agents of `order`, the first one first, that have stood for long ask the agents in the way of their best
/// operations. Nobody asks for a host whose goal is nearer than an operation leads: the guests would end on that goal.
pub(super) fn ask(context: &mut Context<'_, '_>, order: &[Slot], round: &mut Round) {
    if !round.has_slow() {
        return;
    }
    let longest = context.state.world.longest_move();
    let now = context.now();
    let patience = longest.saturating_mul(PATIENCE);
    let steps = context.state.clock.ticks(super::STEPS);
    let until = now.saturating_add(2 * patience).saturating_add(steps);
    let near = f64::from(round.until().saturating_sub(now)) / f64::from(context.state.clock.ticks_per_step.max(1));
    for slot in order {
        let asks = context.state.roster[*slot].journey.stands_for(now) >= patience && !round.has_moves(context, *slot);
        let host = host_of(context.state, *slot);
        if !asks || context.state.roster[host].returns() || !context.state.roster[host].is_under_way() {
            continue;
        }
        let State { world, roster, .. } = &mut *context.state;
        let is_near = world.known_distance(&roster[host]).is_some_and(|left| left < near);
        let Some(precedence) = round.precedence(host).filter(|_| !is_near) else { continue };
        let agent = context.state.roster[host].id();
        for other in round.in_the_best_way(context, *slot) {
            let is_later = |slot| round.precedence(slot).is_none_or(|its| its >= precedence);
            let is_asked = other != host && round.precedence(other).is_some() && is_later(other);
            if is_asked && is_later(host_of(context.state, other)) && are_alike(context.state, other, host) {
                context.state.roster[other].journey.serve_host(agent, until);
            }
        }
    }
}

/// Whether agents ask others to go ahead of them: some are slow. Units that all move in one step follow each other.
pub(super) fn are_asked(state: &State<'_>) -> bool {
    state.world.has_slow_units(state.clock)
}

/// The agent to whose goals `slot` goes: mostly its own.
pub(super) fn host_of(state: &State<'_>, slot: Slot) -> Slot {
    let host = state.roster[slot].journey.host(state.clock.now).and_then(|agent| state.roster.slot(agent));
    host.filter(|host| are_alike(state, slot, *host)).unwrap_or(slot)
}

/// Whether distances of the class of `host` tell `slot` where to go: both number their nodes alike.
fn are_alike(state: &State<'_>, slot: Slot, host: Slot) -> bool {
    let (own, other) = (state.class(slot), state.class(host));
    let (node, _) = state.roster[slot].motion.free_at(state.clock.now);
    let is_one = state.roster[slot].class() == state.roster[host].class();
    is_one
        || own.node_bound() == other.node_bound()
            && (own.position(node), own.heading(node)) == (other.position(node), other.heading(node))
}
