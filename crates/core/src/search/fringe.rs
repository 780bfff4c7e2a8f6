//! Fringe search: cheapest ways through a space without time, without an order among open nodes.
//!
//! Björnsson, Enzenberger, Holte & Schaeffer, "Fringe Search: Beating A* at Pathfinding on Game Maps", CIG 2005.
//!
//! Differs from the paper: the estimate of a node is asked once and kept; looking at nodes and leaving them costs fuel.

use super::no_path::NoPath;
use super::route::{Route, trace_back};
use crate::estimate::Heuristic;
use crate::graph::stamped::Stamped;
use crate::observer::Observer;
use crate::space::{SpaceGraph, may_begin};
use crate::vocabulary::{Cost, Fuel, Goals, Move, NodeId, Suspended};

/// Fringe search with reused memory: an alternative to the A* of [`SpatialSearch`](crate::SpatialSearch), with equal
/// costs of routes.
///
/// A* keeps its open nodes in order, and always expands a node with the least f (cost so far plus estimate). Fringe
/// search keeps its open nodes in a list without order. The search goes through the list again and again. Each pass
/// expands the nodes whose f is at most a limit, and leaves all other nodes in the list. After each pass the limit
/// rises to the least f in the list.
///
/// Fringe search is about as fast as A* where f has few values, as on grids with four neighbours, and where a good
/// heuristic keeps the list short. Where most values of f differ, as with diagonals or lengths of roads, a pass goes
/// through the whole list for a few expansions. A* is then several times as fast.
///
/// # Contract
/// The route is cheapest for any heuristic that never exceeds the cost that is left; the heuristic need not be
/// consistent. With a consistent heuristic each node is expanded once, apart from effects of rounding. With an
/// inconsistent heuristic a node may be expanded several times.
///
/// Time: at most one pass for each value of f. Memory: about 40 bytes for each node reached, and 8 bytes for each node
/// id of the space.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{FringeSearch, Goals, Move, NodeId, SpaceGraph};
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
/// let mut search = FringeSearch::new();
/// let route = search.find(&ring, NodeId(6), &Goals::one(NodeId(1)), &mut Zero).unwrap();
/// assert_eq!((route.moves.len(), route.cost), (3, 3000));
/// ```
#[derive(Clone, Debug)]
pub struct FringeSearch<A, C: Cost> {
    bound: usize,
    slots: Stamped<u32>,
    records: Vec<Record<A, C>>,
    /// The first node of the fringe.
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Record<A, C> {
    node: NodeId,
    /// The slot from which it was reached, and the action; `None` for the start.
    via: Option<(u32, A)>,
    g: C,
    h: C,
    /// The slot before it in the fringe; [`NONE`]: it is the first.
    before: u32,
    /// The slot after it in the fringe; [`NONE`]: it is the last. [`EXPANDED`]: it is not in the fringe.
    after: u32,
}

/// No slot.
const NONE: u32 = u32::MAX;
/// Not in the fringe.
const EXPANDED: u32 = u32::MAX - 1;

/// Looking at this many nodes and leaving them takes about as long as an expansion.
const LEFT_PER_EXPANSION: u32 = 16;

impl<A: Copy, C: Cost> Default for FringeSearch<A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy, C: Cost> FringeSearch<A, C> {
    /// A new search, which allocates memory when it is first used.
    pub fn new() -> Self {
        Self { bound: 0, slots: Stamped::new(), records: Vec::new(), first: NONE }
    }

    /// A cheapest route from `start` to one of `goals`.
    ///
    /// # Errors
    /// [`NoPath::Exhausted`] if no goal can be reached; [`Suspended::OutOfMemory`] if the heuristic ran out of memory
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
    /// Each expansion burns one unit of fuel. For every 16 nodes that passes leave in the list, one more unit is burnt.
    /// The observer sees expansions.
    ///
    /// # Errors
    /// As for `find`, and [`Suspended::OutOfFuel`] if the fuel ran out first.
    pub fn find_with<S: SpaceGraph<Action = A, Cost = C>>(
        &mut self,
        space: &S,
        start: NodeId,
        goals: &Goals,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Route<A, C>, NoPath> {
        self.reset(space.node_bound());
        if start.index() >= self.bound || !may_begin(space, start) {
            return Err(NoPath::Exhausted);
        }
        let Some(h) = heuristic.estimate(space, start, fuel)? else {
            return Err(NoPath::Exhausted);
        };
        self.slots.put(start, 0);
        self.records.push(Record { node: start, via: None, g: C::zero(), h, before: NONE, after: NONE });
        self.first = 0;
        let mut limit = h;
        let mut left = 0;
        while self.first != NONE {
            // The least f of the nodes left.
            let mut next_limit: Option<C> = None;
            let mut slot = self.first;
            while slot != NONE {
                let record = self.records[slot as usize];
                let f = record.g.plus(record.h);
                if f > limit {
                    next_limit = Some(next_limit.map_or(f, |least| least.min(f)));
                    left += 1;
                    if left == LEFT_PER_EXPANSION {
                        left = 0;
                        fuel.burn()?;
                    }
                    slot = record.after;
                    continue;
                }
                fuel.burn()?;
                observer.expanded(record.node, 0);
                if goals.contains(record.node) {
                    return Ok(self.route_to(space, slot));
                }
                self.expand(slot, space.moves(record.node), |node| heuristic.estimate(space, node, fuel))?;
                slot = self.take_out(slot);
            }
            // A node that was left may have got a smaller f since. The limit may then be the f of no node, and a pass
            // is lost.
            limit = next_limit.unwrap_or(limit);
        }
        Err(NoPath::Exhausted)
    }

    fn reset(&mut self, bound: usize) {
        self.bound = bound;
        self.slots.reset(bound);
        self.records.clear();
        self.first = NONE;
    }

    /// Puts the ends of `moves` behind the node at `slot`, in their order. Nodes for which `estimate` gives `None` are
    /// left out.
    #[inline]
    fn expand(
        &mut self,
        slot: u32,
        moves: impl Iterator<Item = Move<A, C>>,
        mut estimate: impl FnMut(NodeId) -> Result<Option<C>, Suspended>,
    ) -> Result<(), Suspended> {
        let before = self.records[slot as usize].g;
        let mut last = slot;
        for m in moves {
            let g = before.plus(m.cost);
            let via = Some((slot, m.action));
            if let Some(known) = self.slots.get(m.to) {
                let record = &mut self.records[known as usize];
                if g >= record.g {
                    continue;
                }
                (record.g, record.via) = (g, via);
                if known != last {
                    if record.after != EXPANDED {
                        self.take_out(known);
                    }
                    self.put_behind(last, known);
                    last = known;
                }
            } else if m.to.index() < self.bound
                && let Some(h) = estimate(m.to)?
            {
                #[allow(clippy::cast_possible_truncation)] // there are no more records than nodes
                let new = self.records.len() as u32;
                self.slots.put(m.to, new);
                self.records.push(Record { node: m.to, via, g, h, before: NONE, after: EXPANDED });
                self.put_behind(last, new);
                last = new;
            }
        }
        Ok(())
    }

    #[inline]
    fn put_behind(&mut self, place: u32, slot: u32) {
        let after = std::mem::replace(&mut self.records[place as usize].after, slot);
        if after != NONE {
            self.records[after as usize].before = slot;
        }
        let record = &mut self.records[slot as usize];
        (record.before, record.after) = (place, after);
    }

    /// Takes a node out of the fringe; returns the one after it.
    #[inline]
    fn take_out(&mut self, slot: u32) -> u32 {
        let record = &mut self.records[slot as usize];
        let (before, after) = (record.before, std::mem::replace(&mut record.after, EXPANDED));
        if before == NONE {
            self.first = after;
        } else {
            self.records[before as usize].after = after;
        }
        if after != NONE {
            self.records[after as usize].before = before;
        }
        after
    }

    fn route_to<S>(&self, space: &S, slot: u32) -> Route<A, C>
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
