//! The store of a crowd: the default table, or a store of the user's own behind one type, so that no other part of a crowd is generic over it.

use giveway_core::store::WindowTable;
use giveway_core::{
    AgentId, Cells, Claim, Entry, FreeIntervals, Probe, Refused, ReservationStore, StaleMark, Tick, Ticks,
};

/// Makes an empty store from the number of cells and the longest window in ticks.
pub(crate) type MakeStore = Box<dyn Fn(Cells, Ticks) -> Store + Send + Sync>;

/// Beyond this many ticks, the bits of the default table would take more memory than they save time.
const LONGEST_WINDOW_IN_BITS: Ticks = 256;

/// The reservations of a crowd. Searches probe the default table without a virtual call.
pub(crate) enum Store {
    Default(Numbered<WindowTable>),
    Own(Box<dyn ReservationStore<Mark = usize> + Send + Sync>),
}

impl Store {
    /// The default table for `cells`, and windows of up to `horizon` ticks.
    pub(crate) fn new(cells: Cells, horizon: Ticks) -> Self {
        Self::Default(Numbered::new(WindowTable::new(cells, horizon.min(LONGEST_WINDOW_IN_BITS))))
    }

    /// `store` as a store of the user's own.
    pub(crate) fn own<R>(store: R) -> Self
    where
        R: ReservationStore<Mark: Send + Sync> + Send + Sync + 'static,
    {
        Self::Own(Box::new(Numbered::new(store)))
    }
}

/// A store whose marks are numbers: positions among its open transactions.
pub(crate) struct Numbered<R: ReservationStore> {
    store: R,
    open: Vec<R::Mark>,
}

impl<R: ReservationStore> Numbered<R> {
    fn new(store: R) -> Self {
        Self { store, open: Vec::new() }
    }
}

impl<R: ReservationStore> ReservationStore for Numbered<R> {
    type Mark = usize;

    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        self.store.probe(entry, claim)
    }

    #[inline]
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        self.store.permits(entry, claim)
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        self.store.commit(claim, entries, evicted)
    }

    fn reserve(&mut self, claim: Claim, entries: &[Entry]) -> Result<(), Refused> {
        self.store.reserve(claim, entries)
    }

    fn release(&mut self, agent: AgentId, from: Tick) {
        self.store.release(agent, from);
    }

    fn forget_before(&mut self, now: Tick) {
        self.open.clear();
        self.store.forget_before(now);
    }

    fn clear(&mut self) {
        self.open.clear();
        self.store.clear();
    }

    fn settled_from(&self) -> Tick {
        self.store.settled_from()
    }

    fn mark(&mut self) -> usize {
        self.open.push(self.store.mark());
        self.open.len() - 1
    }

    fn rollback(&mut self, to: usize) -> Result<(), StaleMark> {
        self.store.rollback(*self.open.get(to).ok_or(StaleMark)?)?;
        self.open.truncate(to + 1);
        Ok(())
    }

    fn settle(&mut self) {
        self.open.clear();
        self.store.settle();
    }

    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        self.store.free_intervals()
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
    type Mark = usize;

    fn probe(&self, entry: &Entry, claim: Claim) -> Probe {
        either!(self, probe(entry, claim))
    }

    #[inline]
    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        either!(self, permits(entry, claim))
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        either!(self, commit(claim, entries, evicted))
    }

    fn reserve(&mut self, claim: Claim, entries: &[Entry]) -> Result<(), Refused> {
        either!(self, reserve(claim, entries))
    }

    fn release(&mut self, agent: AgentId, from: Tick) {
        either!(self, release(agent, from));
    }

    fn forget_before(&mut self, now: Tick) {
        either!(self, forget_before(now));
    }

    fn clear(&mut self) {
        either!(self, clear());
    }

    fn settled_from(&self) -> Tick {
        either!(self, settled_from())
    }

    fn mark(&mut self) -> usize {
        either!(self, mark())
    }

    fn rollback(&mut self, to: usize) -> Result<(), StaleMark> {
        either!(self, rollback(to))
    }

    fn settle(&mut self) {
        either!(self, settle());
    }

    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        either!(self, free_intervals())
    }
}
