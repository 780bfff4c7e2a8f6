//! Routes: ways through a space, without time.

use crate::cost::Cost as _;
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

/// A node that a search has reached: where it is, and the slot and the action by which it was reached; `None` for the start.
pub(super) type Reached<A> = (NodeId, Option<(u32, A)>);

/// The route to the node at `slot`, which costs `cost`. `reached` tells the node at each slot.
pub(super) fn trace_back<S: SpaceGraph>(
    space: &S,
    slot: u32,
    cost: S::Cost,
    reached: impl Fn(u32) -> Reached<S::Action>,
) -> Route<S::Action, S::Cost> {
    let mut moves = Vec::new();
    let (mut start, mut via) = reached(slot);
    while let Some((before, action)) = via {
        (start, via) = reached(before);
        moves.extend(move_by_action(space, start, action));
    }
    moves.reverse();
    Route { start, moves, cost }
}

/// The route to `goal`. `way` tells the node before each one, and the cost to it; the start comes after itself.
pub(super) fn trace_ways<S: SpaceGraph>(
    space: &S,
    goal: NodeId,
    way: impl Fn(NodeId) -> (NodeId, S::Cost),
) -> Route<S::Action, S::Cost> {
    let (mut node, (mut before, cost)) = (goal, way(goal));
    let mut count = 0;
    while before != node {
        count += 1;
        (node, before) = (before, way(before).0);
    }
    let start = node;
    let mut moves = Vec::with_capacity(count);
    let mut to = (goal, cost);
    while to.0 != start {
        let from = way(to.0).0;
        let g = way(from).1;
        // The first of those that the search could have taken.
        moves.extend(space.moves(from).find(|m| m.to == to.0 && g.plus(m.cost) == to.1));
        to = (from, g);
    }
    moves.reverse();
    Route { start, moves, cost }
}
