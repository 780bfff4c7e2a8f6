//! Predecessors: the moves into each node, for spaces that only give the moves out of it.

use std::sync::Arc;

use giveway_core::origins::Origins;
use giveway_core::rows::Rows;
use giveway_core::{Move, NodeId, SpaceGraph};

/// The moves into each node, inverted once or given by the space itself. A clone is cheap.
///
/// Valid for one revision of one space.
#[derive(Debug)]
pub struct Predecessors<A, C> {
    inverse: Option<Arc<Inverse<A, C>>>,
}

#[derive(Debug)]
struct Inverse<A, C> {
    /// By the node where they end.
    moves: Rows<Move<A, C>>,
    /// Where each of `moves` begins.
    origins: Vec<NodeId>,
}

impl<A, C> Inverse<A, C> {
    /// The inverse of `moves`, which are in order of their origins, as far as they end below `bound`.
    fn of(bound: usize, mut moves: Vec<Move<A, C>>) -> Self {
        moves.retain(|m| m.to.index() < bound);
        moves.sort_by_key(|m| m.to); // stable: within a node, ascending by origin, then as the space orders them
        let origins = moves.iter().map(|m| m.from).collect();
        Self { moves: Rows::of_sorted(bound, moves, |m| m.to.index()), origins }
    }
}

impl<A, C> Clone for Predecessors<A, C> {
    fn clone(&self) -> Self {
        Self { inverse: self.inverse.clone() }
    }
}

/// The [`Predecessors`] of a space of type `S`.
pub type PredecessorsIn<S> = Predecessors<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

impl<A: Copy, C: Copy> Predecessors<A, C> {
    /// Inverts the moves of `space`, in time linear in the number of moves. If the space gives
    /// [`moves_into`](SpaceGraph::moves_into), nothing is inverted.
    pub fn from_space<S: SpaceGraph<Action = A, Cost = C>>(space: &S) -> Self {
        if space.moves_into(NodeId(0)).is_some() {
            return Self { inverse: None };
        }
        let bound = space.node_bound();
        let mut moves: Vec<Move<A, C>> = Vec::new();
        for node in space.nodes() {
            moves.extend(space.moves(node));
        }
        Self { inverse: Some(Arc::new(Inverse::of(bound, moves))) }
    }

    /// Where the moves of `space` into each node begin, as tables, if there are such.
    pub(super) fn origins<'a, S>(&'a self, space: &'a S) -> Option<Origins<'a>>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        match self.inverse.as_deref() {
            None => space.facts().origins,
            Some(Inverse { moves, origins }) => Some(Origins::lists(moves.first(), origins)),
        }
    }

    /// Calls `each` for the moves of `space` that end in `to`. Faster than the iterator
    /// [`moves_into`](Self::moves_into).
    #[inline(always)]
    pub fn for_each_move_into<S>(&self, space: &S, to: NodeId, each: impl FnMut(Move<A, C>))
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        match &self.inverse {
            None => {
                if let Some(moves) = space.moves_into(to) {
                    moves.for_each(each);
                }
            }
            Some(inverse) => inverse.moves.get(to.index()).iter().copied().for_each(each),
        }
    }

    /// The moves of `space` that end in `to`.
    #[inline]
    pub fn moves_into<'a, S>(&'a self, space: &'a S, to: NodeId) -> impl Iterator<Item = Move<A, C>> + 'a
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let given = if self.inverse.is_none() { space.moves_into(to) } else { None };
        let inverted = self.inverse.as_deref().map(|inverse| inverse.moves.get(to.index()));
        given.into_iter().flatten().chain(inverted.unwrap_or_default().iter().copied())
    }
}
