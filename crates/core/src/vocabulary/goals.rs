//! Goals: where an agent wants to go.

use crate::vocabulary::motion::NodeId;

/// A set of nodes: one cell, all cells of a sector, a place under any heading. An agent that reaches any of these nodes
/// has arrived.
///
/// The nodes are sorted and without duplicates, so that equal sets are equal values, and can share a heuristic.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Goals {
    nodes: Vec<NodeId>,
}

impl Goals {
    /// The set of one node, `goal`.
    pub fn one(goal: NodeId) -> Self {
        Self { nodes: vec![goal] }
    }

    /// Whether `node` is one of the goals.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        match self.nodes.as_slice() {
            [only] => *only == node,
            nodes => nodes.binary_search(&node).is_ok(),
        }
    }

    /// The nodes, ascending.
    #[inline]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }
}

impl From<NodeId> for Goals {
    fn from(goal: NodeId) -> Self {
        Self::one(goal)
    }
}

impl FromIterator<NodeId> for Goals {
    fn from_iter<I: IntoIterator<Item = NodeId>>(nodes: I) -> Self {
        let mut nodes: Vec<NodeId> = nodes.into_iter().collect();
        nodes.sort_unstable();
        nodes.dedup();
        Self { nodes }
    }
}
