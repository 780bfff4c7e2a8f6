//! A frontier: the nodes of one distance, in the order in which a breadth-first search has seen them.

/// A list of nodes that grows without branches: whether an offered node is new decides how far the list reaches, not what is executed. Which nodes are
/// new is hard to predict, and a wrong prediction costs as much as several nodes.
#[derive(Clone, Debug)]
pub(super) struct Frontier<T> {
    /// The nodes, and room for more.
    nodes: Vec<T>,
    len: usize,
}

impl<T: Copy> Frontier<T> {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), len: 0 }
    }

    pub(super) fn nodes(&self) -> &[T] {
        &self.nodes[..self.len]
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds `nodes`.
    pub(super) fn extend(&mut self, nodes: impl Iterator<Item = T>) {
        for node in nodes {
            self.make_room(1, node);
            self.offer(node, true);
        }
    }

    /// Makes room for `count` more nodes, with any node in it.
    #[inline]
    pub(super) fn make_room(&mut self, count: usize, any: T) {
        // One more: a node that is not new is written, too.
        let needed = self.len + count + 1;
        if self.nodes.len() < needed {
            self.nodes.resize(needed.next_power_of_two(), any);
        }
    }

    /// Adds `node` if it is new. There must be [room](Self::make_room).
    #[inline(always)]
    pub(super) fn offer(&mut self, node: T, is_new: bool) {
        if let Some(place) = self.nodes.get_mut(self.len) {
            *place = node;
            self.len += usize::from(is_new);
        }
    }
}
