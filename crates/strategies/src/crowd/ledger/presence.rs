//! Presence: where each agent is if no other move begins.

use giveway_core::{AgentId, CellId, Entry, Span, Tick};
use rustc_hash::FxHashMap;

/// Where each agent is from now on, if no other move begins.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Presence {
    entries: FxHashMap<CellId, Vec<(Span, AgentId)>>,
}

impl Presence {
    pub(in crate::crowd) fn note(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            self.entries.entry(entry.cell).or_default().push((entry.span, agent));
        }
    }

    /// An agent that `agent` would meet in `entries`.
    pub(in crate::crowd) fn meets(&self, agent: AgentId, entries: &[Entry]) -> Option<AgentId> {
        self.met(agent, entries).min()
    }

    /// All agents that `agent` would meet in `entries`, in ascending order.
    pub(in crate::crowd) fn all_met(&self, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
        let mut others: Vec<AgentId> = self.met(agent, entries).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    fn met(&self, agent: AgentId, entries: &[Entry]) -> impl Iterator<Item = AgentId> {
        let others = entries.iter().flat_map(move |entry| {
            let held = self.entries.get(&entry.cell).into_iter().flatten();
            held.filter(move |(span, other)| *other != agent && span.overlaps(entry.span))
        });
        others.map(|(_, other)| *other)
    }

    /// Removes what was noted of `agent` in the cells of `entries`.
    pub(in crate::crowd) fn forget(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            if let Some(held) = self.entries.get_mut(&entry.cell) {
                held.retain(|(_, other)| *other != agent);
            }
        }
    }

    /// The number of pairs of agents that share a place at `now`.
    pub(in crate::crowd) fn overlaps(&self, now: Tick) -> usize {
        let mut pairs: Vec<[AgentId; 2]> = Vec::new();
        #[allow(clippy::iter_over_hash_type)] // sorted below
        for held in self.entries.values() {
            let here: Vec<AgentId> =
                held.iter().filter(|(span, _)| span.contains(now)).map(|(_, agent)| *agent).collect();
            let ordered = |[a, b]: [AgentId; 2]| if a < b { [a, b] } else { [b, a] };
            let others = |index: usize| here[index + 1..].iter().copied();
            pairs.extend(
                (0..here.len())
                    .flat_map(|index| others(index).map(move |other| (index, other)))
                    .map(|(index, other)| ordered([here[index], other])),
            );
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|[a, b]| a != b);
        pairs.len()
    }
}
