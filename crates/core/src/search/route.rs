//! Routes: ways through a space, without time.

use num_traits::Zero as _;

use crate::space::{SpaceGraph, move_by_action};
use crate::vocabulary::{Cost as _, Move, NodeId};

/// Room is made for this many nodes at once: in small searches, growing step by step takes longer than tracing the way.
const FEW: usize = 256;

/// A cheapest way through a space, without times.
#[derive(Clone, PartialEq, Debug)]
pub struct Route<A, C> {
    /// The node where the route begins.
    pub start: NodeId,
    /// The moves of the route, in order. Each move begins where the move before it ends.
    pub moves: Vec<Move<A, C>>,
    /// The sum of the costs of all moves.
    pub cost: C,
}

/// A node that a search has reached: where it is, and the slot and the action by which it was reached; `None` for the
/// start.
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
    let (mut start, (mut before, cost)) = (goal, way(goal));
    let mut nodes = Vec::with_capacity(FEW);
    nodes.push(start);
    while before != start {
        nodes.push(before);
        (start, before) = (before, way(before).0);
    }
    let mut moves = Vec::with_capacity(nodes.len() - 1);
    let mut from = start;
    let mut g = S::Cost::zero();
    for to in nodes.into_iter().rev().skip(1) {
        let cost = way(to).1;
        // The first move that the search could have taken. `Iterator::find` would copy moves about twice as often.
        for m in space.moves(from) {
            if m.to == to && g.plus(m.cost) == cost {
                moves.push(m);
                break;
            }
        }
        (from, g) = (to, cost);
    }
    Route { start, moves, cost }
}
