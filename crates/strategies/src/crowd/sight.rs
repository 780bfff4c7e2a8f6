//! Sight: who stands near an agent.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{AgentId, FOREVER, NodeId, ReservationStore};
use rustc_hash::FxHashSet;

use super::Crowd;
use super::leg::Leg;

impl<R: ReservationStore> Crowd<'_, R> {
    /// Where `agent` cannot stand because others stand or end their moves there, of all places less than `radius` thousandths of a plain
    /// step away by the cost of moves of its class; its goals are not among them. Visits each of those places once.
    pub(super) fn in_sight(&mut self, agent: AgentId, radius: u32) -> Vec<NodeId> {
        if self.presence.is_none() {
            self.presence = Some(self.survey());
        }
        let (Some(member), Some(presence)) = (self.members.get(&agent), &self.presence) else {
            return Vec::new();
        };
        let class = &self.classes[member.class.0 as usize];
        let mut taken = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = BinaryHeap::from([Reverse((0, member.node))]);
        let mut room = Vec::new();
        while let Some(Reverse((distance, node))) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            room.clear();
            class.sweep(&Leg::resting(node, self.now, FOREVER), &mut room);
            if node != member.node && !member.goals.contains(node) && presence.meets(agent, &room).is_some() {
                taken.push(node);
            }
            class.for_each_move(node, self.now, &mut |leg, steps| {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
                let distance = ((steps * 1000.0).round() as u64).saturating_add(distance);
                if distance < u64::from(radius) {
                    open.push(Reverse((distance, leg.to)));
                }
            });
        }
        taken
    }
}
