//! Sight: which agents stand near an agent.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{FOREVER, NodeId};
use rustc_hash::FxHashSet;

use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;

/// The places less than `radius` away where `slot` cannot stand because other agents stand or end their moves there.
/// The goals of `slot` are left out. `radius` is in thousandths of a plain step, by the cost of moves of the class of
/// `slot`. Each place is visited once.
pub(super) fn in_sight(state: &mut State<'_>, slot: Slot, radius: u32) -> Vec<NodeId> {
    state.look_around();
    let (member, class, now) = (&state.roster[slot], state.class(slot), state.clock.now);
    let Some(presence) = state.ledger.presence() else {
        return Vec::new();
    };
    let mut taken = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = BinaryHeap::from([Reverse((0, member.motion.node()))]);
    let mut room = Vec::new();
    while let Some(Reverse((distance, node))) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        room.clear();
        class.sweep(&Leg::resting(node, now, FOREVER), &mut room);
        if node != member.motion.node()
            && !member.order.goals().contains(node)
            && presence.meets(member.id(), &room).is_some()
        {
            taken.push(node);
        }
        class.for_each_move(node, now, &mut |leg, steps| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
            let distance = ((steps * 1000.0).round() as u64).saturating_add(distance);
            if distance < u64::from(radius) {
                open.push(Reverse((distance, leg.to)));
            }
        });
    }
    taken
}
