//! The store of a crowd: the default table, or a store of the user's own behind one type, so that no other part of a
//! crowd is generic over it.

mod held;

use std::sync::Arc;

use giveway_core::store::{Packed, WindowTable};
use giveway_core::{
    AgentId, CellId, Cells, Claim, Entry, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, Span, StaleMark,
    Tick, Ticks,
};

use crate::rank::{FIRM, RESTING};

/// Makes an empty store from the number of cells and the longest window in ticks.
pub type MakeStore = Arc<dyn Fn(Cells, Ticks) -> Store + Send + Sync>;

/// Beyond this many ticks, the bits of the default table would take more memory than they save time.
const LONGEST_WINDOW_IN_BITS: Ticks = 256;

/// The reservations of a crowd. Searches probe the default table without a virtual call.
#[allow(clippy::large_enum_variant)] // a crowd has one store
#[derive(Clone)]
pub enum Store {
    Default(WindowTable),
    Own(Box<dyn OwnStore>),
}

/// A store of the user's own, without its type.
pub trait OwnStore: ReservationStore + Send + Sync {
    fn copy(&self) -> Box<dyn OwnStore>;
}

impl<R: ReservationStore + Clone + Send + Sync + 'static> OwnStore for R {
    #[inline]
    fn copy(&self) -> Box<dyn OwnStore> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn OwnStore> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

/// All that a store holds, for a time when it is wanted again.
#[derive(Clone)]
pub enum Kept {
    Default(Box<Packed>),
    /// A store of the user's own is copied.
    Own(Box<dyn OwnStore>),
}

impl Store {
    /// What the store holds.
    #[inline]
    pub fn keep(&self) -> Kept {
        match self {
            Self::Default(table) => Kept::Default(Box::new(table.pack())),
            Self::Own(own) => Kept::Own(own.clone()),
        }
    }

    /// Makes this store, which is as it was made, hold what was `kept`.
    #[inline]
    pub fn take_back(&mut self, kept: &Kept) {
        match (self, kept) {
            (Self::Default(table), Kept::Default(packed)) => table.unpack(packed),
            (store, Kept::Own(own)) => *store = Self::Own(own.clone()),
            // One and the same crowd has stores of one kind.
            (Self::Own(_), Kept::Default(_)) => {}
        }
    }

    /// The default table for `cells`, and windows of up to `horizon` ticks.
    #[inline]
    pub fn new(cells: Cells, horizon: Ticks) -> Self {
        Self::Default(WindowTable::new(cells, horizon.min(LONGEST_WINDOW_IN_BITS)))
    }

    /// Reads what the next reservation of `agent` needs from memory. The answer means nothing.
    #[inline]
    pub fn touch(&self, agent: AgentId) -> u32 {
        match self {
            Self::Default(table) => table.touch(agent),
            Self::Own(_) => 0,
        }
    }

    /// Calls `each` for the spans within `entry` that are held, in ascending order, with their holders, and whether
    /// they yield to a claim of the rank [`FIRM`].
    #[inline]
    pub fn for_each_holder(&self, entry: &Entry, each: &mut impl FnMut(Span, AgentId, bool)) {
        match self {
            Self::Default(table) => {
                table.for_each_holder(entry.cell, entry.span, |span, held| each(span, held.agent, held.rank < FIRM));
            }
            Self::Own(own) => each_holder_of(&**own, entry, each),
        }
    }
}

impl Store {
    /// The rank at which `cell` is held at `tick`; `None`: nobody holds it.
    #[inline]
    pub fn rank_at(&self, cell: CellId, tick: Tick) -> Option<Rank> {
        let mut rank = None;
        match self {
            Self::Default(table) => table.for_each_holder(cell, Span::tick(tick), |_, held| rank = Some(held.rank)),
            Self::Own(own) => {
                let stranger = Claim { agent: AgentId(u32::MAX), rank: RESTING };
                let is_held = !own.permits(&Entry { cell, span: Span::tick(tick) }, stranger);
                rank = is_held.then(|| held::rank_at(&**own, cell, tick));
            }
        }
        rank
    }
}

/// What [`Store::for_each_holder`] does, for a store that can only be asked which agent is in the way.
fn each_holder_of(store: &dyn OwnStore, entry: &Entry, each: &mut impl FnMut(Span, AgentId, bool)) {
    // To a stranger of the lowest rank everything that is held is refused.
    let stranger = AgentId(u32::MAX);
    let mut by = None;
    store.for_each_blocker(entry, Claim { agent: stranger, rank: RESTING }, &mut |agent| {
        by = Some(agent);
        false
    });
    let (Some(by), Span { start, end }) = (by, entry.span) else { return };
    if end - start <= 1 {
        each(entry.span, by, store.permits(entry, Claim { agent: stranger, rank: FIRM }));
    } else {
        let middle = start + (end - start) / 2;
        for span in [Span::new(start, middle), Span::new(middle, end)] {
            each_holder_of(store, &Entry { span, ..*entry }, each);
        }
    }
}

/// Calls a method of the store that there is.
macro_rules! either {
    ($store:expr, $method:ident($($argument:expr),*)) => {
        match $store {
            Store::Default(table) => table.$method($($argument),*),
            Store::Own(own) => own.$method($($argument),*),
        }
    };
}

impl ReservationStore for Store {
    #[inline]
    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        either!(self, probe(entry, claim))
    }

    #[inline(always)] // as in the default table
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        either!(self, permits(entry, claim))
    }

    #[inline]
    fn for_each_blocker(&self, entry: &Entry, claim: Claim, each: &mut dyn FnMut(AgentId) -> bool) -> bool {
        either!(self, for_each_blocker(entry, claim, each))
    }

    #[inline]
    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        either!(self, commit(claim, entries, evicted))
    }

    #[inline]
    fn reserve(&mut self, claim: Claim, entries: &[Entry]) -> Result<(), Refused> {
        either!(self, reserve(claim, entries))
    }

    #[inline]
    fn release(&mut self, agent: AgentId, from: Tick) {
        either!(self, release(agent, from));
    }

    #[inline]
    fn forget_before(&mut self, now: Tick) {
        either!(self, forget_before(now));
    }

    #[inline]
    fn clear(&mut self) {
        either!(self, clear());
    }

    #[inline]
    fn settled_from(&self) -> Tick {
        either!(self, settled_from())
    }

    #[inline]
    fn mark(&mut self) -> Mark {
        either!(self, mark())
    }

    #[inline]
    fn rollback(&mut self, to: Mark) -> Result<(), StaleMark> {
        either!(self, rollback(to))
    }

    #[inline]
    fn settle(&mut self) {
        either!(self, settle());
    }

    #[inline]
    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        either!(self, free_intervals())
    }
}
