//! Adapters: spaces made of another space.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use crate::graph::facts::Facts;
use crate::space::{Embedding, MoveIn, SpaceGraph};
use crate::vocabulary::{Cost, Journal, Move, NodeId, Tick, Trajectory};

/// A space made of another space with positions, its base: the places where a body fits, or the poses of a robot. A
/// type that implements this trait is a [`SpaceGraph`] and an [`Embedding`].
///
/// No method has a default. So each adapter has to decide which properties of the base it has, too, and code that
/// forgets a method does not compile. A node has the position of its [node in the base](Self::base_node), and also the
/// [whole position](Embedding::whole_position) of that node, if there is one. An adapter numbers no
/// [crossings](SpaceGraph::crossing), and has no [straight ways](Embedding::straight).
pub trait Adapter {
    /// The type of the base.
    type Base: Embedding;

    /// As [`SpaceGraph::Action`].
    type Action: Copy + Eq + Debug;

    /// As [`SpaceGraph::Cost`].
    type Cost: Cost;

    /// The base.
    fn base(&self) -> &Self::Base;

    /// The node of the base on which a unit on `node` stands. For a node that does not exist, the result may be any
    /// node.
    fn base_node(&self, node: NodeId) -> NodeId;

    /// The move of the base that `m` follows: `m` [departs](SpaceGraph::departs) when the move of the base departs.
    /// `None`: `m` follows no move, and departs at any tick.
    fn base_move(&self, m: &Move<Self::Action, Self::Cost>) -> Option<MoveIn<Self::Base>>;

    /// As [`SpaceGraph::node_bound`].
    fn node_bound(&self) -> usize;

    /// As [`SpaceGraph::moves`].
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Self::Action, Self::Cost>>;

    /// As [`SpaceGraph::moves_into`].
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Self::Action, Self::Cost>>>;

    /// As [`SpaceGraph::contains`].
    fn contains(&self, node: NodeId) -> bool;

    /// As [`SpaceGraph::facts`]; `base` has the facts of the base. An implementation should name every field of
    /// [`Facts`], so that it decides for each fact whether the fact holds for the adapter, too.
    fn facts<'a>(&'a self, base: Facts<'a, <Self::Base as SpaceGraph>::Cost>) -> Facts<'a, Self::Cost>;

    /// As [`SpaceGraph::shortcut`].
    fn shortcut(&self, from: NodeId, to: NodeId, lengths: RangeInclusive<f32>) -> Option<Self::Action>;

    /// As [`SpaceGraph::journal`].
    fn journal(&self) -> Option<&Journal>;

    /// As [`Embedding::heading`].
    fn heading(&self, node: NodeId) -> f32;

    /// As [`Embedding::trajectory`].
    fn trajectory(&self, m: &Move<Self::Action, Self::Cost>) -> Option<&Trajectory>;
}

#[diagnostic::do_not_recommend] // a type that is no space is told to be a `SpaceGraph`
impl<T: Adapter> SpaceGraph for T {
    type Action = T::Action;
    type Cost = T::Cost;

    #[inline]
    fn node_bound(&self) -> usize {
        Adapter::node_bound(self)
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<T::Action, T::Cost>> {
        Adapter::moves(self, from)
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<T::Action, T::Cost>>> {
        Adapter::moves_into(self, to)
    }

    #[inline]
    fn contains(&self, node: NodeId) -> bool {
        Adapter::contains(self, node)
    }

    #[inline]
    fn facts(&self) -> Facts<'_, T::Cost> {
        Adapter::facts(self, self.base().facts())
    }

    #[inline]
    fn shortcut(&self, from: NodeId, to: NodeId, lengths: RangeInclusive<f32>) -> Option<T::Action> {
        Adapter::shortcut(self, from, to, lengths)
    }

    #[inline]
    fn departs(&self, m: &Move<T::Action, T::Cost>, tick: Tick) -> bool {
        self.base_move(m).is_none_or(|m| self.base().departs(&m, tick))
    }

    #[inline]
    fn journal(&self) -> Option<&Journal> {
        Adapter::journal(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Adapter> Embedding for T {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.base().position(self.base_node(node))
    }

    #[inline]
    fn whole_position(&self, node: NodeId) -> Option<[i32; 3]> {
        self.base().whole_position(self.base_node(node))
    }

    #[inline]
    fn heading(&self, node: NodeId) -> f32 {
        Adapter::heading(self, node)
    }

    #[inline]
    fn trajectory(&self, m: &Move<T::Action, T::Cost>) -> Option<&Trajectory> {
        Adapter::trajectory(self, m)
    }
}
