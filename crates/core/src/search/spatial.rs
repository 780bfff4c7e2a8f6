//! Spatial A*: cheapest ways through a space without time, forwards for one path or backwards for a field of distances.

use super::NoPath;
use super::open_list::{FEW, OpenList};
use crate::cost::Cost;
use crate::fuel::{Fuel, OutOfFuel};
use crate::goals::Goals;
use crate::heuristic::Heuristic;
use crate::observer::Observer;
use crate::space::{Move, NodeId, SpaceGraph, move_by_action};

/// A cheapest way through a space, without times.
#[derive(Clone, PartialEq, Debug)]
pub struct Route<A, C> {
    /// Where it begins.
    pub start: NodeId,
    /// Its moves, each beginning where the one before ends.
    pub moves: Vec<Move<A, C>>,
    /// What they cost together.
    pub cost: C,
}

/// Spatial A* with reused memory: a new search costs what it expands, not what the map holds.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Fuel, Goals, Move, NodeId, SpaceGraph, SpatialSearch};
///
/// # struct Ring(u32);
/// # impl SpaceGraph for Ring {
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         let to = NodeId((from.0 + 1) % self.0);
/// #         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
/// #     }
/// # }
/// let ring = Ring(8); // a one-way ring road
/// let mut search = SpatialSearch::new();
/// let route = search
///     .find(&ring, NodeId(6), &Goals::one(NodeId(1)), &mut Zero, &mut Fuel::unlimited(), &mut ())
///     .unwrap();
/// assert_eq!((route.moves.len(), route.cost), (3, 3000));
/// ```
#[derive(Clone, Debug)]
pub struct SpatialSearch<A, C: Cost> {
    flood: Flood<A, C>,
}

impl<A: Copy, C: Cost> Default for SpatialSearch<A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy, C: Cost> SpatialSearch<A, C> {
    /// A search that has not been used yet.
    pub fn new() -> Self {
        Self { flood: Flood::new() }
    }

    /// A cheapest route from `start` to one of `goals`.
    ///
    /// `heuristic` must be consistent, or the route may not be cheapest. Running out of fuel abandons the search.
    ///
    /// # Errors
    /// [`NoPath::Exhausted`] if no goal can be reached, [`NoPath::OutOfFuel`] if `fuel` ended first.
    pub fn find<S: SpaceGraph<Action = A, Cost = C>>(
        &mut self,
        space: &S,
        start: NodeId,
        goals: &Goals,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Route<A, C>, NoPath> {
        self.flood.reset(space.node_bound());
        if !space.contains(start) {
            return Err(NoPath::Exhausted);
        }
        let Some(h) = heuristic.estimate(space, start, fuel)? else {
            return Err(NoPath::Exhausted);
        };
        self.flood.seed(start, h);
        loop {
            let Some(reached) = self.flood.close_next(fuel, observer)? else {
                return Err(NoPath::Exhausted);
            };
            if goals.contains(reached.node) {
                return Ok(self.flood.route_to(space, reached.slot));
            }
            self.flood.relax(reached.slot, space.moves(reached.node), |node| heuristic.estimate(space, node, fuel))?;
        }
    }
}

/// The loop that forward and reverse spatial searches share: a best-first flood over nodes, resumable between
/// closings, along whatever moves it is given.
#[derive(Clone, Debug)]
pub(crate) struct Flood<A, C: Cost> {
    /// Per node: generation << 32 | slot. Zeroed memory is "not seen"; untouched pages are never paid for.
    index: Vec<u64>,
    generation: u32,
    records: Vec<Record<A, C>>,
    open: OpenList<C>,
    closed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Record<A, C> {
    node: NodeId,
    /// The slot it was reached from, and by which action; a seed has none.
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

impl<A: Copy, C: Cost> Flood<A, C> {
    pub(crate) fn new() -> Self {
        Self { index: Vec::new(), generation: 0, records: Vec::new(), open: OpenList::new(), closed: 0 }
    }

    /// Forgets everything, and makes room for nodes below `bound`.
    pub(crate) fn reset(&mut self, bound: usize) {
        if self.index.len() < bound || self.generation == u32::MAX {
            self.index = vec![0; bound];
            self.generation = 0;
        }
        self.generation += 1;
        self.records.clear();
        self.records.reserve(bound.min(FEW));
        self.open.clear();
        self.closed = 0;
    }

    /// Begins from `node` at cost zero, with the estimate `h`. Out of bounds: ignored.
    pub(crate) fn seed(&mut self, node: NodeId, h: C) {
        if node.index() < self.index.len() && self.slot(node).is_none() {
            self.insert(Record { node, via: None, g: C::zero(), h, closed: false });
        }
    }

    /// The cheapest cost from a seed to `node`, once that is certain.
    #[inline]
    pub(crate) fn distance(&self, node: NodeId) -> Option<C> {
        let record = &self.records[self.slot(node)? as usize];
        record.closed.then_some(record.g)
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
    ) -> Result<Option<Closed>, OutOfFuel> {
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

    /// Offers `moves` out of the closed node at `slot`. Where `estimate` gives `None`, the node is left out.
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
            match self.slot(m.to) {
                Some(known) => {
                    let record = &mut self.records[known as usize];
                    if g < record.g && !record.closed {
                        record.g = g;
                        record.via = via;
                        let f = g.plus(record.h);
                        self.open.push(f, g, known);
                    }
                }
                None if m.to.index() < self.index.len() => {
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
    fn slot(&self, node: NodeId) -> Option<u32> {
        let entry = *self.index.get(node.index())?;
        #[allow(clippy::cast_possible_truncation)] // the low half is the slot
        ((entry >> 32) as u32 == self.generation).then_some(entry as u32)
    }

    #[inline]
    fn insert(&mut self, record: Record<A, C>) {
        #[allow(clippy::cast_possible_truncation)] // there are no more records than nodes
        let slot = self.records.len() as u32;
        self.index[record.node.index()] = u64::from(self.generation) << 32 | u64::from(slot);
        self.open.push(record.g.plus(record.h), record.g, slot);
        self.records.push(record);
    }

    fn route_to<S>(&self, space: &S, slot: u32) -> Route<A, C>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let mut record = &self.records[slot as usize];
        let cost = record.g;
        let mut moves = Vec::new();
        while let Some((from, action)) = record.via {
            record = &self.records[from as usize];
            moves.extend(move_by_action(space, record.node, action));
        }
        moves.reverse();
        Route { start: record.node, moves, cost }
    }
}
