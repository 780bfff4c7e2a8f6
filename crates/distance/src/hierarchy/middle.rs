//! Spaces of middle size: too small for ways to be worth their detours, and too large for a thousand tables at once. So
//! goals have tables as far as a tick has time for them, and ways until then.

use giveway_core::{Fuel, Goals, SpaceGraph};

use super::{Divided, Hierarchy, pieces, tiles};

/// The units of work that may go into new tables at a tick where ways serve as well: about half a millisecond.
const TABLE_RATION: u64 = 4096;

/// A way turns to a table only where there is fuel for so many tables, so that nobody waits for fuel because of it.
const PLENTY: u64 = 64;

/// So much smaller than spaces with ways a space may be to have ways, too, where many goals are new at once.
pub(super) const SMALLER: usize = 8;

impl<S: SpaceGraph> Hierarchy<S> {
    /// The work of a table of `space`, if it is smaller than spaces with ways, but large enough for ways.
    pub(super) fn small_as(&self, space: &S) -> Option<u64> {
        let (nodes, work) = match tiles::tiles_of(space) {
            Some((tiles, _)) => (tiles.open().len() * 64, tiles.open().len() as u64),
            None if !self.pieced.can_divide(space) => return None,
            None => (space.node_bound(), pieces::table_work(space.node_bound(), pieces::is_uniform(space))),
        };
        (nodes < self.least_nodes && nodes >= self.least_nodes / SMALLER).then_some(work)
    }

    /// How the space is divided from now on: a small one, if there is no time left for a table for `goals` at this
    /// tick. `None`: not at all.
    #[inline]
    pub(super) fn divide_for(&mut self, space: &S, goals: &Goals) -> Option<Divided> {
        let work = self.small?;
        if self.tables.holds(goals) || self.tables.has_room() && take(&mut self.table_ration, work) {
            return None;
        }
        (self.came_many, self.left_over) = (true, 0);
        self.look_at(space)
    }

    /// Whether `way` of the guide at `guide` is to turn to a table now, with `fuel` left. New goals come first. What
    /// they left at the last tick serves longer ways.
    #[inline]
    pub(super) fn can_buy_table(&mut self, guide: usize, way: Option<usize>, fuel: &Fuel) -> bool {
        let Some(work) = self.small.filter(|work| fuel.left() / PLENTY >= *work) else { return false };
        let guide = &self.guides[guide];
        if !self.tables.has_room() {
            return false;
        }
        if guide.ways.is_empty() {
            let is_new = take(&mut self.table_ration, work);
            if !is_new {
                // A way that is found at this tick stays for a while.
                self.left_over = 0;
            }
            return is_new;
        }
        way.is_some_and(|way| guide.ways[way].is_long()) && take(&mut self.left_over, work)
    }

    /// Begins to count the tables of a tick anew. If all goals have tables again, no guides are needed.
    pub(super) fn share_out_tables(&mut self) {
        if self.came_many && self.small.is_some() && self.guides.values().all(|guide| guide.by_table) {
            self.guides.clear();
            (self.came_many, self.has_lost, self.divided) = (false, false, None);
        }
        self.left_over = self.table_ration.min(TABLE_RATION);
        self.table_ration = TABLE_RATION;
    }
}

/// Takes `work` out of `ration`, if there is so much, or if nothing was taken before.
fn take(ration: &mut u64, work: u64) -> bool {
    let is_enough = *ration >= work.min(TABLE_RATION);
    if is_enough {
        *ration = ration.saturating_sub(work);
    }
    is_enough
}
