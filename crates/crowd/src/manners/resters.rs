//! Resters: where agents rest that others would have to push aside.

use giveway_core::{AgentId, CellId, Entry, FOREVER, Tick};

/// Where agents rest, or will rest, so that others would have to push them aside: the agent, and its first tick, by
/// cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resters {
    from: Vec<(Tick, AgentId)>,
    /// A bit for each cell of `from` where an agent rests. Nearly all questions end here, in little memory.
    any: Vec<u64>,
}

/// The word of `cell` in `any`, and its bit.
#[inline]
fn bit_of(cell: CellId) -> (usize, u64) {
    (cell.index() / 64, 1 << (cell.index() % 64))
}

impl Resters {
    /// Notes that `agent` rests in `cells` from `from` on.
    pub(crate) fn note(&mut self, agent: AgentId, from: Tick, cells: &[CellId]) {
        for cell in cells {
            if cell.index() >= self.from.len() {
                self.from.resize(cell.index() + 1, (FOREVER, agent));
                self.any.resize(self.from.len().div_ceil(64), 0);
            }
            self.from[cell.index()] = (from, agent);
            let (word, bit) = bit_of(*cell);
            self.any[word] |= bit;
        }
    }

    /// Notes that `agent` no longer rests in `cells`. An agent that has come to rest there since keeps its entry.
    pub(crate) fn forget(&mut self, agent: AgentId, cells: &[CellId]) {
        for cell in cells {
            if let Some(noted) = self.from.get_mut(cell.index()).filter(|(_, owner)| *owner == agent) {
                *noted = (FOREVER, agent);
                let (word, bit) = bit_of(*cell);
                self.any[word] &= !bit;
            }
        }
    }

    /// Whether an agent rests in `entry`.
    #[inline]
    pub(crate) fn meet(&self, entry: &Entry) -> bool {
        let (word, bit) = bit_of(entry.cell);
        self.any.get(word).is_some_and(|word| word & bit != 0) && self.from[entry.cell.index()].0 < entry.span.end
    }
}
