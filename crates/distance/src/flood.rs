//! A best-first flood over nodes: the loop of reverse searches that can pause.

mod written;

use giveway_core::open_list::{OpenList, Ties};
use giveway_core::paged::Paged;
use giveway_core::{Cost, Fuel, Move, NodeId, Suspended};

/// A best-first flood over nodes, along any moves that it is given; it can pause between closings.
#[derive(Clone, Debug)]
pub(crate) struct Flood<C: Cost> {
    bound: usize,
    /// Per node, the slot of its record + 1, and 0 for none: one search of many sees a small part of a large map.
    slots: Paged<u32>,
    records: Vec<Record<C>>,
    open: OpenList<C, (C, u32)>,
    closed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Record<C> {
    node: NodeId,
    g: C,
    h: C,
    closed: bool,
}

/// There is room for this many nodes at once.
const FEW: usize = 64;

/// A node that was just closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    pub(crate) node: NodeId,
    pub(crate) slot: u32,
}

impl<C: Cost> Flood<C> {
    pub(crate) fn new() -> Self {
        Self { bound: 0, slots: Paged::new(), records: Vec::new(), open: OpenList::small(Ties::Farthest), closed: 0 }
    }

    /// Forgets everything, and makes room for nodes below `bound`.
    pub(crate) fn reset(&mut self, bound: usize) {
        self.bound = bound;
        self.slots.reset(bound);
        self.records.clear();
        self.records.reserve(bound.min(FEW));
        self.open.begin(C::zero());
        self.closed = 0;
    }

    /// Begins from `node` at cost zero, with the estimate `h`. A node out of bounds is ignored.
    pub(crate) fn seed(&mut self, node: NodeId, h: C) {
        if node.index() < self.bound && self.slot(node).is_none() {
            self.insert(Record { node, g: C::zero(), h, closed: false });
        }
    }

    /// The least cost from a seed to `node`, once certain.
    #[inline]
    pub(crate) fn distance(&self, node: NodeId) -> Option<C> {
        let record = &self.records[self.slot(node)? as usize];
        record.closed.then_some(record.g)
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.bytes() + self.records.len() * size_of::<Record<C>>() + self.open.bytes()
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
    pub(crate) fn close_next(&mut self, fuel: &mut Fuel) -> Result<Option<Closed>, Suspended> {
        while let Some((_, slot)) = self.open.pop() {
            let record = &mut self.records[slot as usize];
            // A state whose g fell while it was open is on the list twice.
            if record.closed {
                continue;
            }
            if let Err(out) = fuel.burn() {
                let (f, g) = (record.g.plus(record.h), record.g);
                self.open.push(f, (g, slot));
                return Err(out);
            }
            record.closed = true;
            self.closed += 1;
            return Ok(Some(Closed { node: record.node, slot }));
        }
        Ok(None)
    }

    /// Offers `moves` out of the closed node at `slot`.
    #[inline]
    pub(crate) fn relax<A>(
        &mut self,
        slot: u32,
        moves: impl Iterator<Item = Move<A, C>>,
        mut estimate: impl FnMut(NodeId) -> C,
    ) {
        let g = self.records[slot as usize].g;
        moves.for_each(|m| {
            let g = g.plus(m.cost);
            match self.slot(m.to) {
                Some(known) => {
                    let record = &mut self.records[known as usize];
                    if g < record.g && !record.closed {
                        record.g = g;
                        let f = g.plus(record.h);
                        self.open.push(f, (g, known));
                    }
                }
                None if m.to.index() < self.bound => {
                    let h = estimate(m.to);
                    self.insert(Record { node: m.to, g, h, closed: false });
                }
                None => {}
            }
        });
    }

    #[inline]
    fn insert(&mut self, record: Record<C>) {
        #[allow(clippy::cast_possible_truncation)] // there are no more records than nodes
        let slot = self.records.len() as u32;
        if let Some(place) = self.slots.get_mut(record.node.index()) {
            *place = slot + 1;
        }
        self.open.push(record.g.plus(record.h), (record.g, slot));
        self.records.push(record);
    }

    #[inline]
    fn slot(&self, node: NodeId) -> Option<u32> {
        self.slots.get(node.index()).checked_sub(1)
    }
}
