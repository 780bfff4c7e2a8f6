//! Owners: which agent has which cell as its goal.

use giveway_core::{AgentId, CellId, Entry};
use rustc_hash::FxHashMap;

/// The owner of each goal cell.
pub(super) type Owners = FxHashMap<CellId, AgentId>;

/// The agents other than `agent` that have a cell of `entries` as their goal.
pub(super) fn owners(of: &Owners, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
    let mut owners: Vec<AgentId> = entries.iter().filter_map(|entry| of.get(&entry.cell)).copied().collect();
    owners.retain(|owner| *owner != agent);
    owners.sort_unstable();
    owners.dedup();
    owners
}

/// A cell of `room` that is the goal of another agent than `agent`.
pub(super) fn taken_by(of: &Owners, agent: AgentId, room: &[Entry]) -> Option<CellId> {
    let is_taken = |cell: &CellId| of.get(cell).is_some_and(|owner| *owner != agent);
    room.iter().map(|entry| entry.cell).find(is_taken)
}
