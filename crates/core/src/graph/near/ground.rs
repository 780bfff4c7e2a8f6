//! Ground: a space without its types.

use crate::vocabulary::NodeId;

/// Tells where units of one kind can stand, and which moves they can make.
pub trait Ground {
    /// One more than the largest node id.
    fn node_bound(&self) -> usize;

    /// Whether a unit can stand on `node`.
    fn contains(&self, node: NodeId) -> bool;

    /// The position of `node` in world units, for every node below [`node_bound`](Self::node_bound), walls included.
    /// `None`: the space has no positions.
    fn position(&self, node: NodeId) -> Option<[f32; 3]>;

    /// Calls `each` for every move out of `from` that a unit can make. The arguments are the node where the move ends,
    /// and the cost of the move in whole thousandths of a plain step.
    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64));
}
