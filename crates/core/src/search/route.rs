//! Routes: ways through a space, without time.

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
