//! Destinations: no two agents are sent to the same place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{AgentId, CellId, Entry, FOREVER, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::class::AnyClass;
use super::leg::Leg;

/// Whose goal each cell belongs to.
#[derive(Clone, Debug, Default)]
pub(super) struct Destinations {
    of: FxHashMap<CellId, AgentId>,
}

impl Destinations {
    pub(super) fn claim(&mut self, agent: AgentId, entries: &[Entry]) {
        self.of.extend(entries.iter().map(|entry| (entry.cell, agent)));
    }

    pub(super) fn give_up(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            if self.of.get(&entry.cell) == Some(&agent) {
                self.of.remove(&entry.cell);
            }
        }
    }

    /// Who else has one of the cells of `entries` as its goal.
    pub(super) fn owners(&self, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
        let mut owners: Vec<AgentId> = entries.iter().filter_map(|entry| self.of.get(&entry.cell)).copied().collect();
        owners.retain(|owner| *owner != agent);
        owners.sort_unstable();
        owners.dedup();
        owners
    }
}

/// What an agent of `class` occupies while it stays on `node`.
pub(super) fn room_at<R>(class: &dyn AnyClass<R>, node: NodeId) -> Vec<Entry> {
    let mut entries = Vec::new();
    class.sweep(&Leg::resting(node, 0, FOREVER), &mut entries);
    entries
}

/// The place nearest to one of `goals`, over the moves that `class` can make from there, that `fits`.
///
/// Ties go to what is found first, which the order of the space's moves decides.
pub(super) fn nearest<R>(
    class: &dyn AnyClass<R>,
    goals: &[NodeId],
    mut fits: impl FnMut(NodeId) -> bool,
) -> Option<NodeId> {
    let mut open = BinaryHeap::new();
    let mut found = 0_u64;
    // Costs are not negative, so their bits are ordered as they are.
    let mut push = |open: &mut BinaryHeap<_>, cost: f64, node| {
        found += 1;
        open.push(Reverse((cost.to_bits(), found, node)));
    };
    goals.iter().for_each(|goal| push(&mut open, 0.0, *goal));
    let mut closed = FxHashSet::default();
    while let Some(Reverse((bits, _, node))) = open.pop() {
        if !closed.insert(node) {
            continue;
        }
        if class.contains(node) && fits(node) {
            return Some(node);
        }
        class.for_each_move(node, 0, &mut |leg, cost| push(&mut open, f64::from_bits(bits) + cost, leg.to));
    }
    None
}
