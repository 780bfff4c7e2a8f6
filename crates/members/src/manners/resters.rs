//! Resters: where agents rest that others would have to push aside.

mod written;

use giveway_core::{AgentId, CellId, Entry, Tick};
use rustc_hash::FxHashMap;

/// Where agents rest, or will rest, so that others would have to push them aside.
#[derive(Clone, Debug, Default)]
pub struct Resters {
    /// A bit for each cell where an agent rests. Nearly all questions end here, in little memory.
    any: Vec<u64>,
    /// The first tick of the rest, and the agent, by cell.
    from: FxHashMap<CellId, (Tick, AgentId)>,
}

/// The word of `cell` in `any`, and its bit.
#[inline]
fn bit_of(cell: CellId) -> (usize, u64) {
    (cell.index() / 64, 1 << (cell.index() % 64))
}

impl Resters {
    /// Notes that `agent` rests in `cells` from `from` on.
    #[inline]
    pub fn note(&mut self, agent: AgentId, from: Tick, cells: &[CellId]) {
        for cell in cells {
            let (word, bit) = bit_of(*cell);
            if word >= self.any.len() {
                self.any.resize(word + 1, 0);
            }
            self.any[word] |= bit;
            self.from.insert(*cell, (from, agent));
        }
    }

    /// Notes that `agent` no longer rests in `cells`. An agent that has come to rest there since keeps its entry.
    #[inline]
    pub fn forget(&mut self, agent: AgentId, cells: &[CellId]) {
        for cell in cells {
            if self.from.get(cell).is_some_and(|(_, owner)| *owner == agent) {
                let (word, bit) = bit_of(*cell);
                self.any[word] &= !bit;
                self.from.remove(cell);
            }
        }
    }

    /// Whether an agent rests in `cell` at any tick.
    #[inline]
    pub fn are_in(&self, cell: CellId) -> bool {
        let (word, bit) = bit_of(cell);
        self.any.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Whether an agent rests in `entry`.
    pub fn meet(&self, entry: &Entry) -> bool {
        self.from.get(&entry.cell).is_some_and(|(from, _)| *from < entry.span.end)
    }
}
