//! A best-first flood over nodes: the loop that forward and reverse spatial searches share.

use super::open_list::{FEW, OpenList};
use super::route::{Route, trace_back};
use crate::cost::Cost;
use crate::fuel::{Fuel, Suspended};
use crate::observer::Observer;
use crate::paged::Paged;
use crate::space::{Move, NodeId, SpaceGraph};

/// Which record belongs to which node.
pub(crate) trait Slots {
    /// An empty map.
    fn new() -> Self;

    /// Forgets everything, and makes room for nodes below `bound`.
    fn reset(&mut self, bound: usize);

    /// How many bytes it takes.
    fn bytes(&self) -> usize;

    fn slot(&self, node: NodeId) -> Option<u32>;

    /// Sets the slot of `node`, which is below the bound.
    fn put(&mut self, node: NodeId, slot: u32);
}

/// For a search that is restarted often: forgetting everything costs nothing.
#[derive(Clone, Debug)]
pub(crate) struct Stamped {
    /// Per node: generation << 32 | slot. Zeroed memory is "not seen"; untouched pages are never paid for.
    index: Vec<u64>,
    generation: u32,
}

impl Slots for Stamped {
    fn new() -> Self {
        Self { index: Vec::new(), generation: 0 }
    }

    fn reset(&mut self, bound: usize) {
        if self.index.len() < bound || self.generation == u32::MAX {
            self.index = vec![0; bound];
            self.generation = 0;
        }
        self.generation += 1;
    }

    fn bytes(&self) -> usize {
        self.index.len() * size_of::<u64>()
    }

    #[inline]
    fn slot(&self, node: NodeId) -> Option<u32> {
        let entry = *self.index.get(node.index())?;
        #[allow(clippy::cast_possible_truncation)] // the low half is the slot
        ((entry >> 32) as u32 == self.generation).then_some(entry as u32)
    }

    #[inline]
    fn put(&mut self, node: NodeId, slot: u32) {
        self.index[node.index()] = u64::from(self.generation) << 32 | u64::from(slot);
    }
}

/// For one search of many, which sees a small part of a large map: slot + 1, and 0 for none.
impl Slots for Paged<u32> {
    fn new() -> Self {
        Self::new()
    }

    fn reset(&mut self, bound: usize) {
        self.reset(bound);
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    #[inline]
    fn slot(&self, node: NodeId) -> Option<u32> {
        self.get(node.index()).checked_sub(1)
    }

    #[inline]
    fn put(&mut self, node: NodeId, slot: u32) {
        if let Some(place) = self.get_mut(node.index()) {
            *place = slot + 1;
        }
    }
}

/// A best-first flood over nodes, along any moves that it is given; it can pause between closings.
#[derive(Clone, Debug)]
pub(crate) struct Flood<A, C: Cost, I> {
    bound: usize,
    slots: I,
    records: Vec<Record<A, C>>,
    open: OpenList<C>,
    closed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Record<A, C> {
    node: NodeId,
    /// The slot from which it was reached, and the action; `None` for a seed.
    via: Option<(u32, A)>,
    g: C,
    h: C,
    closed: bool,
}

/// A node that was just closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    pub(crate) node: NodeId,
    pub(crate) slot: u32,
}

impl<A: Copy, C: Cost, I: Slots> Flood<A, C, I> {
    pub(crate) fn new() -> Self {
        Self { bound: 0, slots: I::new(), records: Vec::new(), open: OpenList::new(), closed: 0 }
    }

    /// Forgets everything, and makes room for nodes below `bound`.
    pub(crate) fn reset(&mut self, bound: usize) {
        self.bound = bound;
        self.slots.reset(bound);
        self.records.clear();
        self.records.reserve(bound.min(FEW));
        self.open.clear();
        self.closed = 0;
    }

    /// Begins from `node` at cost zero, with the estimate `h`. A node out of bounds is ignored.
    pub(crate) fn seed(&mut self, node: NodeId, h: C) {
        if node.index() < self.bound && self.slots.slot(node).is_none() {
            self.insert(Record { node, via: None, g: C::zero(), h, closed: false });
        }
    }

    /// The least cost from a seed to `node`, once certain.
    #[inline]
    pub(crate) fn distance(&self, node: NodeId) -> Option<C> {
        let record = &self.records[self.slots.slot(node)? as usize];
        record.closed.then_some(record.g)
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.bytes() + self.records.len() * size_of::<Record<A, C>>() + self.open.bytes()
    }

    /// Whether there is nothing left to close.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.open.is_empty()
    }

    /// How many nodes have been closed since the reset.
    pub(crate) fn closed(&self) -> usize {
        self.closed
    }

    /// Takes the next node off the open list; its cost is now certain. `None` if there is none.
    #[inline]
    pub(crate) fn close_next(
        &mut self,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Option<Closed>, Suspended> {
        while let Some(slot) = self.open.pop() {
            let record = &mut self.records[slot as usize];
            // A state whose g fell while it was open is on the list twice.
            if record.closed {
                continue;
            }
            if let Err(out) = fuel.burn() {
                let (f, g) = (record.g.plus(record.h), record.g);
                self.open.push(f, g, slot);
                return Err(out);
            }
            record.closed = true;
            self.closed += 1;
            observer.expanded(record.node, 0);
            return Ok(Some(Closed { node: record.node, slot }));
        }
        Ok(None)
    }

    /// Offers `moves` out of the closed node at `slot`. Nodes for which `estimate` gives `None` are left out.
    #[inline]
    pub(crate) fn relax<E>(
        &mut self,
        slot: u32,
        mut moves: impl Iterator<Item = Move<A, C>>,
        mut estimate: impl FnMut(NodeId) -> Result<Option<C>, E>,
    ) -> Result<(), E> {
        let g = self.records[slot as usize].g;
        moves.try_for_each(|m| {
            let g = g.plus(m.cost);
            let via = Some((slot, m.action));
            match self.slots.slot(m.to) {
                Some(known) => {
                    let record = &mut self.records[known as usize];
                    if g < record.g && !record.closed {
                        record.g = g;
                        record.via = via;
                        let f = g.plus(record.h);
                        self.open.push(f, g, known);
                    }
                }
                None if m.to.index() < self.bound => {
                    if let Some(h) = estimate(m.to)? {
                        self.insert(Record { node: m.to, via, g, h, closed: false });
                    }
                }
                None => {}
            }
            Ok(())
        })
    }

    #[inline]
    fn insert(&mut self, record: Record<A, C>) {
        #[allow(clippy::cast_possible_truncation)] // there are no more records than nodes
        let slot = self.records.len() as u32;
        self.slots.put(record.node, slot);
        self.open.push(record.g.plus(record.h), record.g, slot);
        self.records.push(record);
    }

    pub(super) fn route_to<S>(&self, space: &S, slot: u32) -> Route<A, C>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let reached = |slot: u32| {
            let record = &self.records[slot as usize];
            (record.node, record.via)
        };
        trace_back(space, slot, self.records[slot as usize].g, reached)
    }
}
