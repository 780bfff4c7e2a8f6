//! Heuristics: lower bounds on the cost that is left.

use crate::space::SpaceGraph;
use crate::vocabulary::{Fuel, NodeId, Suspended};

/// A lower bound on the cost from a node to a fixed set of goals.
///
/// # Contract
/// * Consistent: the estimate of a node is at most the cost of any move out of the node, plus the estimate of the node
///   where the move ends.
/// * Zero on goals.
/// * Equal for equal nodes, as long as the space does not change.
pub trait Heuristic<S: SpaceGraph> {
    /// The estimate for `node`; `None` if no goal can be reached from `node`.
    ///
    /// # Errors
    /// The estimate needs more fuel or more memory than there is. The work done is kept: ask again with more fuel or
    /// memory.
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended>;

    /// This heuristic, made ready for one search in `space`. Work that all estimates share, such as finding the
    /// position of the goal, is done once, in this call. By default nothing is shared.
    #[inline]
    fn begin(&mut self, _space: &S) -> impl Heuristic<S>
    where
        Self: Sized,
    {
        self
    }

    /// About how many moves there are from `node` to where estimates end; `None`: they do not end. Nodes farther on
    /// count as nodes from which no goal can be reached. So a search that looks farther ahead finds nothing there.
    #[inline]
    fn reach(&mut self, _space: &S, _node: NodeId) -> Option<u32> {
        None
    }
}

impl<S: SpaceGraph, H: Heuristic<S> + ?Sized> Heuristic<S> for &mut H {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        (**self).estimate(space, node, fuel)
    }

    #[inline]
    fn reach(&mut self, space: &S, node: NodeId) -> Option<u32> {
        (**self).reach(space, node)
    }
}
