//! Spatial A*: cheapest ways through a space without time, from a start to goals.

use super::NoPath;
use super::flood::{Flood, Stamped};
use super::route::Route;
use crate::cost::Cost;
use crate::fuel::Fuel;
use crate::goals::Goals;
use crate::heuristic::Heuristic;
use crate::observer::Observer;
use crate::space::{NodeId, SpaceGraph, may_begin};

/// Spatial A* with reused memory: a new search costs time by the nodes expanded, not by the size of the map.
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
    flood: Flood<A, C, Stamped>,
}

impl<A: Copy, C: Cost> Default for SpatialSearch<A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy, C: Cost> SpatialSearch<A, C> {
    /// A search that has not been used.
    pub fn new() -> Self {
        Self { flood: Flood::new() }
    }

    /// A cheapest route from `start` to one of `goals`.
    ///
    /// `heuristic` must be consistent, or the route may not be cheapest.
    ///
    /// # Errors
    /// [`NoPath::Exhausted`] if no goal can be reached; [`Suspended::OutOfMemory`](crate::Suspended::OutOfMemory) if the heuristic ran out of memory
    /// first.
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
        self.flood.reset(space.node_bound());
        if !may_begin(space, start) {
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
