//! What a search knows of each node, for a search that is restarted often.

use crate::graph::generation::Generation;
use crate::vocabulary::NodeId;

/// A value for each node that has been seen. Forgetting all values takes constant time.
#[derive(Clone, Debug)]
pub struct Stamped<V> {
    /// Per node, the stamp of the generation that it was seen in, and its value.
    values: Vec<(u32, V)>,
    generation: Generation,
}

impl<V: Copy + Default> Default for Stamped<V> {
    /// An empty map, without room for nodes: [`reset`](Self::reset) makes room.
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Copy + Default> Stamped<V> {
    /// An empty map, without room for nodes: [`reset`](Self::reset) makes room.
    pub fn new() -> Self {
        Self { values: Vec::new(), generation: Generation::FIRST }
    }

    /// Forgets all values, and makes room for nodes below `bound`.
    pub fn reset(&mut self, bound: usize) {
        if self.values.len() < bound || !self.generation.advance() {
            self.values = vec![Default::default(); bound.max(self.values.len())];
        }
    }

    /// The value of `node`; `None`: it has not been seen.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<V> {
        let (stamp, value) = *self.values.get(node.index())?;
        (stamp == self.generation.stamp()).then_some(value)
    }

    /// Sets the value of `node`. Does nothing if there is no room for `node`.
    #[inline]
    pub fn put(&mut self, node: NodeId, value: V) {
        if let Some(known) = self.values.get_mut(node.index()) {
            *known = (self.generation.stamp(), value);
        }
    }
}
