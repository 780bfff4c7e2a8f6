//! Spatial A*: cheapest ways through a space without time, from a start to goals.

use std::marker::PhantomData;

use super::no_path::NoPath;
use super::reached::Reached;
use super::route::{Route, trace_ways};
use crate::estimate::Heuristic;
use crate::graph::open_list::{OpenList, Ties};
use crate::observer::Observer;
use crate::space::{SpaceGraph, may_begin};
use crate::vocabulary::{Cost, Fuel, Goals, NodeId, Suspended};

/// Spatial A* with reused memory: the time of a new search depends on the nodes expanded, not on the size of the map.
///
/// Memory: 16 bytes for each node id of the space, or 24 where costs have 64 bits; 8 bytes for each entry of the open
/// list; and 16 KiB. With integer costs, only the bytes that a search touches take memory. With other costs, the first
/// search fills all of this memory.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, Move, NodeId, SpaceGraph, SpatialSearch};
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
/// let route = search.find(&ring, NodeId(6), &Goals::one(NodeId(1)), &mut Zero).unwrap();
/// assert_eq!((route.moves.len(), route.cost), (3, 3000));
/// ```
#[derive(Clone, Debug)]
pub struct SpatialSearch<A, C: Cost> {
    reached: Reached<C>,
    open: OpenList<C, u32>,
    action: PhantomData<A>,
}

impl<A: Copy, C: Cost> Default for SpatialSearch<A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy, C: Cost> SpatialSearch<A, C> {
    /// A new search, which allocates memory when it is first used.
    pub fn new() -> Self {
        Self { reached: Reached::new(), open: OpenList::new(Ties::Newest), action: PhantomData }
    }

    /// A cheapest route from `start` to one of `goals`.
    ///
    /// `heuristic` must be consistent, or the route may not be cheapest.
    ///
    /// # Errors
    /// [`NoPath::Exhausted`] if no goal can be reached; [`Suspended::OutOfMemory`](crate::Suspended::OutOfMemory) if
    /// the heuristic ran out of memory first.
    pub fn find<S: SpaceGraph<Action = A, Cost = C>>(
        &mut self,
        space: &S,
        start: NodeId,
        goals: &Goals,
        heuristic: &mut impl Heuristic<S>,
    ) -> Result<Route<A, C>, NoPath> {
        self.find_with(space, start, goals, heuristic, &mut Fuel::unlimited(), &mut ())
    }

    /// [`find`](Self::find) with a bound on work, watched by `observer`. If the fuel runs out, the search is abandoned.
    ///
    /// # Errors
    /// As for `find`, and [`Suspended::OutOfFuel`](crate::Suspended::OutOfFuel) if the fuel ran out first.
    pub fn find_with<S: SpaceGraph<Action = A, Cost = C>>(
        &mut self,
        space: &S,
        start: NodeId,
        goals: &Goals,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Route<A, C>, NoPath> {
        self.reached.reset(space.node_bound());
        if !may_begin(space, start) {
            return Err(NoPath::Exhausted);
        }
        let mut heuristic = heuristic.begin(space);
        let estimate = heuristic.estimate(space, start, fuel)?;
        let Ok(Some(f)) = self.reached.offer(start, start, C::zero(), || Ok::<_, Suspended>(estimate)) else {
            return Err(NoPath::Exhausted);
        };
        self.open.begin(f);
        self.open.push(f, start.0);
        while let Some(node) = self.open.pop().map(NodeId) {
            // A node whose g fell while it was open is on the list twice.
            let Some(g) = self.reached.close(node) else {
                continue;
            };
            fuel.burn()?;
            observer.expanded(node, 0);
            if goals.contains(node) {
                return Ok(trace_ways(space, node, |node| self.reached.way(node)));
            }
            for m in space.moves(node) {
                let estimate = || heuristic.estimate(space, m.to, fuel);
                if let Some(f) = self.reached.offer(m.to, node, g.plus(m.cost), estimate)? {
                    self.open.push(f, m.to.0);
                }
            }
        }
        Err(NoPath::Exhausted)
    }
}
