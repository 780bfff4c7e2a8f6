//! Ground: a space without its types.

use crate::vocabulary::NodeId;

/// Where units of one kind can stand, and which moves they can make.
pub trait Ground {
    /// One more than the largest node id.
    fn node_bound(&self) -> usize;

    /// Whether a unit can stand on `node`.
    fn contains(&self, node: NodeId) -> bool;

    /// The position of `node` in world units, for every node below [`node_bound`](Self::node_bound), walls included.
    /// `None`: the space does not know.
    fn position(&self, node: NodeId) -> Option<[f32; 3]>;

    /// Calls `each` for every move out of `from` that a unit can make, with the node where it ends and its cost in
    /// whole thousandths of a plain step.
    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64));
}
