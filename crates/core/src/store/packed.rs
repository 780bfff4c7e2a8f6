//! Packed tables: what a table holds, in little memory.

use super::accounts::{Accounts, PackedAccounts};
use super::occupancy::{HolderId, Occupancy};
use super::table::ReservationTable;
use crate::reservation::ReservationStore as _;
use crate::vocabulary::{CellId, Span, Tick};

/// All reservations of a [`ReservationTable`], packed to be kept for later. The memory is in proportion to the
/// reservations, and does not depend on the number of cells. To ask about the reservations,
/// [unpack](ReservationTable::unpack) them.
#[derive(Clone, Debug)]
pub struct Packed {
    accounts: PackedAccounts,
    /// What is held, and by whom.
    held: Vec<(CellId, HolderId)>,
    /// When: each span counts for so many elements of `held`, one run after the other.
    runs: Vec<(Span, u32)>,
    settled_from: Tick,
    marks: u64,
}

/// What a hash table lists in the order of its places would gather at one end of a smaller hash table, and take time in
/// the square of its length. So each run is read in so many passes, each of which is spread over all places.
const PASSES: usize = 64;

impl Packed {
    /// What is held of cells below `bound`.
    fn held(&self, bound: usize) -> impl Iterator<Item = (CellId, Span, HolderId)> + Clone {
        let runs = self.runs.iter().scan(0, |end, (span, count)| {
            let begin = std::mem::replace(end, *end + *count as usize);
            Some((*span, &self.held[begin..*end]))
        });
        let held = runs.flat_map(|(span, run)| {
            let passes = (0..PASSES).flat_map(|first| run.iter().skip(first).step_by(PASSES));
            passes.map(move |(cell, by)| (*cell, span, *by))
        });
        held.filter(move |(cell, ..)| cell.index() < bound)
    }
}

impl<O: Occupancy> ReservationTable<O> {
    /// Packs what the table holds, as if all transactions were settled. Takes time in proportion to the reservations,
    /// and in a [`WindowTable`](super::WindowTable) or an [`IntervalTable`](super::IntervalTable) a look at each cell.
    pub fn pack(&self) -> Packed {
        let accounts = self.accounts.pack();
        let past = accounts.past;
        let (mut held, mut runs): (Vec<_>, Vec<(Span, u32)>) = (Vec::new(), Vec::new());
        self.occupancy.for_each_held(|cell, span, by| {
            let span = Span::new(span.start.max(past), span.end);
            if span.is_empty() {
                return;
            }
            held.push((cell, by));
            match runs.last_mut() {
                Some((last, count)) if *last == span && *count < u32::MAX => *count += 1,
                _ => runs.push((span, 1)),
            }
        });
        held.shrink_to_fit();
        runs.shrink_to_fit();
        Packed { accounts, held, runs, settled_from: self.settled_from, marks: self.marks }
    }

    /// Makes the table hold what was `packed`, and nothing else. Marks from before are stale. Cells out of the bound
    /// of this table are left out.
    pub fn unpack(&mut self, packed: &Packed) {
        self.clear();
        let held = packed.held(self.occupancy.bound());
        self.accounts = Accounts::unpack(&packed.accounts, held.clone());
        self.occupancy.forget_before(packed.accounts.past);
        held.for_each(|(cell, span, by)| self.occupancy.assign(cell, span, Some(by)));
        self.settled_from = packed.settled_from;
        self.marks = self.marks.max(packed.marks);
    }
}
