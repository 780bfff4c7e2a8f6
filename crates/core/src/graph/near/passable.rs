//! A space as ground, where only reachability is asked.

use super::ground::Ground;
use crate::space::{MoveIn, SpaceGraph};
use crate::vocabulary::NodeId;

/// A space as a [`Ground`], with only the moves that a unit can make. Positions are unknown, and all costs are 0.
#[derive(Clone, Copy, Debug)]
pub struct Passable<'a, S, P> {
    space: &'a S,
    can_make: P,
}

impl<'a, S: SpaceGraph, P: Fn(&MoveIn<S>) -> bool> Passable<'a, S, P> {
    /// `space` with only the moves for which `can_make` returns `true`.
    pub fn new(space: &'a S, can_make: P) -> Self {
        Self { space, can_make }
    }
}

impl<S: SpaceGraph, P: Fn(&MoveIn<S>) -> bool> Ground for Passable<'_, S, P> {
    fn node_bound(&self) -> usize {
        self.space.node_bound()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.space.contains(node)
    }

    fn position(&self, _node: NodeId) -> Option<[f32; 3]> {
        None
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        self.space.moves(from).filter(&self.can_make).for_each(|m| each(m.to, 0));
    }
}
