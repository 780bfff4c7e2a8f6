//! Resters: where agents rest that others would have to push aside.

use giveway_core::{AgentId, CellId, Entry, FOREVER, Tick};

/// Where agents rest, or will rest, so that others would have to push them aside: the agent, and its first tick, by
/// cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resters {
    from: Vec<(Tick, AgentId)>,
}

impl Resters {
    /// Notes that `agent` rests in `cells` from `from` on.
    pub(crate) fn note(&mut self, agent: AgentId, from: Tick, cells: &[CellId]) {
        for cell in cells {
            if cell.index() >= self.from.len() {
                self.from.resize(cell.index() + 1, (FOREVER, agent));
            }
            self.from[cell.index()] = (from, agent);
        }
    }

    /// Notes that `agent` no longer rests in `cells`. An agent that has come to rest there since keeps its entry.
    pub(crate) fn forget(&mut self, agent: AgentId, cells: &[CellId]) {
        for cell in cells {
            if let Some(noted) = self.from.get_mut(cell.index()).filter(|(_, owner)| *owner == agent) {
                *noted = (FOREVER, agent);
            }
        }
    }

    /// Whether an agent rests in `entry`.
    #[inline]
    pub(crate) fn meet(&self, entry: &Entry) -> bool {
        self.from.get(entry.cell.index()).is_some_and(|(from, _)| *from < entry.span.end)
    }
}
