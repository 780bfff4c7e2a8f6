//! Goals: where an agent wants to go.

use std::cmp::Ordering;

use crate::vocabulary::motion::NodeId;

/// A set of nodes: one cell, all cells of a sector, a place under any heading. An agent that reaches any of these nodes
/// has arrived.
///
/// The nodes are sorted and without duplicates, so that equal sets are equal values, and can share a heuristic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<NodeId>", into = "Vec<NodeId>"))]
pub struct Goals(Nodes);

/// Nearly all agents have one goal, and then there is nothing to allocate. Equal sets have equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Nodes {
    One(NodeId),
    /// None, or several.
    Others(Box<[NodeId]>),
}

impl Goals {
    /// The set of one node, `goal`.
    pub const fn one(goal: NodeId) -> Self {
        Self(Nodes::One(goal))
    }

    /// Whether `node` is one of the goals.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        match &self.0 {
            Nodes::One(only) => *only == node,
            Nodes::Others(nodes) => nodes.binary_search(&node).is_ok(),
        }
    }

    /// The nodes, ascending.
    #[inline]
    pub fn nodes(&self) -> &[NodeId] {
        match &self.0 {
            Nodes::One(only) => std::slice::from_ref(only),
            Nodes::Others(nodes) => nodes,
        }
    }
}

impl From<Vec<NodeId>> for Goals {
    fn from(nodes: Vec<NodeId>) -> Self {
        nodes.into_iter().collect()
    }
}

impl From<Goals> for Vec<NodeId> {
    fn from(goals: Goals) -> Self {
        goals.nodes().to_vec()
    }
}

impl Ord for Goals {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nodes().cmp(other.nodes())
    }
}

impl PartialOrd for Goals {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
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
        match nodes[..] {
            [only] => Self::one(only),
            _ => Self(Nodes::Others(nodes.into_boxed_slice())),
        }
    }
}
