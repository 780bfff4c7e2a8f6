//! Haste: an agent on a path of its own makes no way. Agents that stand in its way go before all others.

use giveway_core::{Claim, Ticks};

use crate::rank::PUSH;
use crate::roster::Slot;
use crate::state::{State, Unit};

/// An agent has to hurry if its place is taken within so many steps, and within so many of the longest steps of a
/// class.
const STEPS: u32 = 5;
const LONGEST: Ticks = 2;

/// Makes all agents hurry whose plans end where an agent on a path of its own is about to come: at this tick they go
/// before all others. Returns whether there are any.
pub(super) fn hurry(state: &mut State<'_>) -> bool {
    let hurried: Vec<Slot> = state.awake().filter(|unit| must_clear(state, *unit)).map(|unit| unit.slot).collect();
    let now = state.clock.now;
    for slot in &hurried {
        state.roster[*slot].hurry();
        state.roster[*slot].turn.ask(now);
    }
    !hurried.is_empty()
}

/// Whether the plan of `unit` ends soon, where nobody who makes way is about to come.
fn must_clear(state: &State<'_>, unit: Unit<'_>) -> bool {
    let Unit { slot, member, plan } = unit;
    if !member.makes_way() {
        return false;
    }
    let (now, longest) = (state.clock.now, state.world.longest_step().unwrap_or(1));
    let soon = now.saturating_add(state.clock.ticks(STEPS).max(longest.saturating_mul(LONGEST)));
    let free = member.motion.free_at(now);
    let (node, from) = plan.ahead().last().map_or(free, |leg| (leg.to, leg.arrive.max(free.1)));
    let claim = Claim { agent: member.id(), rank: PUSH };
    from < soon && !state.ledger.permits(&state.class(slot).room(node, from, soon), claim)
}
