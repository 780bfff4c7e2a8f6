//! Routes: ways through a space, without time.

use crate::space::{Move, NodeId};

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
