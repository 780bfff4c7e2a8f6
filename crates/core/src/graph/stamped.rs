//! Which record belongs to which node, for a search that is restarted often.

use crate::vocabulary::motion::NodeId;

/// A slot for each node. Forgetting everything costs nothing.
#[derive(Clone, Debug)]
pub(crate) struct Stamped {
    /// Per node: generation << 32 | slot. Zeroed memory is "not seen"; untouched pages are never paid for.
    index: Vec<u64>,
    generation: u32,
}

impl Stamped {
    /// Without nodes.
    pub(crate) fn new() -> Self {
        Self { index: Vec::new(), generation: 0 }
    }

    /// Forgets everything, and makes room for nodes below `bound`.
    pub(crate) fn reset(&mut self, bound: usize) {
        if self.index.len() < bound || self.generation == u32::MAX {
            self.index = vec![0; bound];
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    pub(crate) fn slot(&self, node: NodeId) -> Option<u32> {
        let entry = *self.index.get(node.index())?;
        #[allow(clippy::cast_possible_truncation)] // the low half is the slot
        ((entry >> 32) as u32 == self.generation).then_some(entry as u32)
    }

    /// Sets the slot of `node`, which is below the bound.
    #[inline]
    pub(crate) fn put(&mut self, node: NodeId, slot: u32) {
        self.index[node.index()] = u64::from(self.generation) << 32 | u64::from(slot);
    }
}
