//! Heuristics: lower bounds on the cost that is left.

use crate::space::SpaceGraph;
use crate::vocabulary::{Fuel, NodeId, Suspended};

/// A lower bound on the cost from a node to a fixed set of goals.
///
/// # Contract
/// * Consistent: the estimate of a node is at most the cost of any move out of it plus the estimate where the move
///   ends.
/// * Zero on goals.
/// * Equal for equal nodes, as long as the space does not change.
pub trait Heuristic<S: SpaceGraph> {
    /// The estimate for `node`; `None` if the goals cannot be reached from it.
    ///
    /// # Errors
    /// The estimate needs more fuel or more memory than there is. The work done is kept: ask again with more to go on.
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended>;

    /// The estimates of this heuristic for one search in `space`. What all estimates share, such as where the goal is,
    /// is found once. By default they share nothing.
    #[inline]
    fn begin(&mut self, _space: &S) -> impl Heuristic<S>
    where
        Self: Sized,
    {
        self
    }
}

impl<S: SpaceGraph, H: Heuristic<S> + ?Sized> Heuristic<S> for &mut H {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        (**self).estimate(space, node, fuel)
    }
}
