//! Waiting: another agent holds what an agent needs for its next move nearer to the goal. `reason` tells more.

use giveway_core::{Fuel, Probe, ReservationStore as _};

use crate::report::Waiting;
use crate::state::{State, Unit};
use giveway_members::roster::{Member, Slot};

/// The agents that stay although they would like to go on.
pub(super) fn all(state: &mut State<'_>) -> Vec<Waiting> {
    // Orders since the last tick may have woken some.
    state.roster.muster();
    let stays = |member: &Member| member.is_under_way() && !member.motion.is_moving();
    let stayers: Vec<Slot> = state.awake().filter(|unit| stays(unit.member)).map(|unit| unit.slot).collect();
    stayers.into_iter().filter_map(|slot| waits_for(state, slot)).collect()
}

/// The reservation that keeps `slot` from a move nearer to its goal at this tick, if `slot` does not move.
fn waits_for(state: &mut State<'_>, slot: Slot) -> Option<Waiting> {
    let now = state.clock.now;
    let Unit { member, plan, .. } = state.unit(slot);
    let is_bound = member.motion.is_moving() || plan.move_at(now).is_some() || state.is_outsider(member.id());
    if !member.is_under_way() || is_bound {
        return None;
    }
    let State { world, roster, ledger, clock, .. } = state;
    let member = &roster[slot];
    let class = &mut world[member.class()];
    // A distance that is not known by now is no reason to search.
    let fuel = &mut Fuel::none();
    let here = class.distance(member.order.goals(), member.motion.node(), fuel).ok()?;
    let mut moves = Vec::new();
    class.for_each_move(member.motion.node(), now, &mut |leg, _| moves.push(leg));
    let mut nearer = Vec::new();
    for leg in moves {
        match class.distance(member.order.goals(), leg.to, fuel) {
            Ok(distance) if distance < here => nearer.push((distance, leg)),
            _ => {}
        }
    }
    nearer.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let (agent, claim) = (member.id(), member.claim(*clock));
    let mut entries = Vec::new();
    nearer.into_iter().find_map(|(_, leg)| {
        entries.clear();
        class.sweep(&leg, &mut entries);
        entries.iter().find_map(|entry| match ledger.reservations().probe(entry, claim) {
            Probe::Blocked { by, until } => Some(Waiting { agent, to: leg.to, entry: *entry, by, until }),
            Probe::Overrides(by) => Some(Waiting { agent, to: leg.to, entry: *entry, by, until: entry.span.end }),
            _ => None,
        })
    })
}
