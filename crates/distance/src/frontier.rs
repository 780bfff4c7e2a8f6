//! A frontier: the nodes of one distance, in the order in which a breadth-first search has seen them.

use giveway_core::NodeId;

/// A list of nodes that grows without branches: whether an offered node is new decides how far the list reaches, not
/// what is executed. Which nodes are new is hard to predict, and a wrong prediction costs as much as several nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    /// The nodes, and room for more.
    nodes: Vec<NodeId>,
    len: usize,
}

impl Frontier {
    pub(super) fn nodes(&self) -> &[NodeId] {
        &self.nodes[..self.len]
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds `nodes`.
    pub(super) fn extend(&mut self, nodes: impl Iterator<Item = NodeId>) {
        for node in nodes {
            self.make_room(1);
            self.offer(node, true);
        }
    }

    /// Makes room for `count` more nodes.
    pub(super) fn make_room(&mut self, count: usize) {
        // One more: a node that is not new is written, too.
        let needed = self.len + count + 1;
        if self.nodes.len() < needed {
            self.nodes.resize(needed.next_power_of_two(), NodeId(0));
        }
    }

    /// Adds `node` if it is new. There must be [room](Self::make_room).
    #[inline(always)]
    pub(super) fn offer(&mut self, node: NodeId, is_new: bool) {
        if let Some(place) = self.nodes.get_mut(self.len) {
            *place = node;
            self.len += usize::from(is_new);
        }
    }
}
