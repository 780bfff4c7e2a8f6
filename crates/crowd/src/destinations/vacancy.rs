//! Vacancies: which places of a list are known to be taken, and what may make them free again.

use std::collections::BTreeSet;

use giveway_core::{AgentId, CellId, Entry};
use rustc_hash::FxHashMap;

use super::owners::{Owners, taken_by};

/// Knowledge of the places of a list. Each place that was looked at is either known to be taken or in doubt. The proof
/// that a place is taken is a cell that is an agent's goal. A proof holds for every agent but the owner of the cell,
/// until that cell is given up.
#[derive(Clone, Debug, Default)]
pub(super) struct Vacancies {
    /// The number of places, from the first on, that have been looked at.
    looked_at: usize,
    /// The taken places, by the cell that proves it.
    taken: FxHashMap<CellId, Vec<usize>>,
    doubtful: BTreeSet<usize>,
}

impl Vacancies {
    /// Notes that `cell` proves nothing any more: it was given up, or its owner asks.
    pub(super) fn doubt(&mut self, cell: CellId) {
        if let Some(places) = self.taken.remove(&cell) {
            self.doubtful.extend(places);
        }
    }

    /// The first place that is free for `agent`; `None`: there is none. `room` returns what a unit there would occupy,
    /// and `None` beyond the end of the list. Cells that are the goals of `agent` itself must be in doubt.
    pub(super) fn first(
        &mut self,
        of: &Owners,
        agent: AgentId,
        mut room: impl FnMut(usize) -> Option<Vec<Entry>>,
    ) -> Option<usize> {
        loop {
            let place = self.doubtful.first().copied().unwrap_or(self.looked_at);
            let room = room(place)?;
            self.looked_at = self.looked_at.max(place + 1);
            let Some(cell) = taken_by(of, agent, &room) else {
                // The place is not given to any agent yet.
                self.doubtful.insert(place);
                return Some(place);
            };
            self.doubtful.remove(&place);
            self.taken.entry(cell).or_default().push(place);
        }
    }
}
