//! A joint plan gets better: afterwards each agent looks for a better way through it on its own.
//!
//! LaCAM finds a plan quickly, and a poor one: agents step aside for others that do not need it. Searches for one agent
//! at a time around all others are the smallest neighbourhoods of a large neighbourhood search (Li et al., "Anytime
//! Multi-Agent Path Finding via Large Neighborhood Search", IJCAI 2021).

use giveway_core::{AtEnd, Tick};
use giveway_members::chain::Planner;
use giveway_members::rank::{JOINT, RESTING};
use giveway_members::roster::Slot;

use crate::planners::context::Context;
use crate::planners::windowed::{RestAtEnd, Terms, attempt};
use crate::state::State;

/// The most work that one agent's search takes, or `PER_TICK` for each tick that is left of the plan. Nearly all ways
/// are found for less.
const PER_AGENT: u64 = 256;
const PER_TICK: u64 = 4;

/// Lets the agents at `slots`, that follow a joint plan until `until`, look for better ways around all others, one after
/// the other: the agents that are under way, and those at rest that the plan moves. The agents farthest from their goals
/// come first. An agent that finds no way keeps what it has, and so do all others once the work is used up.
pub(super) fn improve(context: &mut Context<'_, '_>, slots: &[Slot], until: Tick) {
    let window = until.saturating_sub(context.now());
    let most = PER_AGENT.max(PER_TICK * u64::from(window));
    let mut evicted = Vec::new();
    let State { roster, ledger, .. } = &*context.state;
    let moving = |slot: &Slot| roster[*slot].is_under_way() || ledger.plan(*slot).has_moves();
    let moving: Vec<Slot> = slots.iter().copied().filter(moving).collect();
    for slot in farthest_first(context.state, &moving) {
        if context.work.fuel.left() == 0 {
            break;
        }
        // Whoever arrives may rest for longer than the joint plan lasts. At its end all others plan anew.
        let rest = if context.state.roster[slot].is_under_way() { RestAtEnd::AfterMoves } else { RestAtEnd::Never };
        let terms = Terms { asks: RESTING, holds: JOINT, window, at_end: AtEnd::Disappear, rest, by: Planner::Lacam };
        let mut proposal = context.state.ledger.propose();
        let found = context.within(most, |context| attempt(context, slot, terms, &mut proposal, &mut evicted));
        if found.is_ok() && evicted.is_empty() {
            context.state.lower_rest(slot);
            context.state.ledger.commit(proposal);
        } else {
            context.state.ledger.roll_back(proposal);
        }
        evicted.clear();
    }
}

/// `slots`, the agent farthest from its goals first; ties go to the higher rank, then to the lower slot.
pub(super) fn farthest_first(state: &mut State<'_>, slots: &[Slot]) -> Vec<Slot> {
    let State { world, roster, clock, .. } = state;
    let measured = |slot: &Slot| {
        let member = &roster[*slot];
        (world.known_distance(member).unwrap_or(f64::INFINITY), member.claim(*clock).rank, *slot)
    };
    let mut order: Vec<_> = slots.iter().map(measured).collect();
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    order.into_iter().map(|(.., slot)| slot).collect()
}
