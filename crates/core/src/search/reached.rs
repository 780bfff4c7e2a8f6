//! What a spatial A* knows of the nodes that it has reached.

use std::hint::select_unpredictable;

use crate::cost::Cost;
use crate::paged::Paged;
use crate::space::NodeId;

/// The nodes reached, by node. Forgetting everything costs nothing.
///
/// Everything about a node is in one place: a search looks at most nodes only once or twice, and waits for their memory each time.
#[derive(Clone, Debug)]
pub(super) struct Reached<C: Cost> {
    records: Paged<Record<C>>,
    /// There is room for nodes below this.
    room: usize,
    /// Nodes are below this.
    bound: usize,
    /// The stamp of open nodes; that of closed ones is larger by one. Even, and larger than all older stamps.
    open: u32,
}

#[derive(Clone, Copy, Debug)]
struct Record<C> {
    stamp: u32,
    /// The node from which it was reached; itself for the start.
    from: NodeId,
    g: C,
    h: C,
}

impl<C: Cost> Default for Record<C> {
    fn default() -> Self {
        Self { stamp: 0, from: NodeId(0), g: C::zero(), h: C::zero() }
    }
}

impl<C: Cost> Reached<C> {
    pub(super) fn new() -> Self {
        Self { records: Paged::new(), room: 0, bound: 0, open: 0 }
    }

    /// Forgets everything, and makes room for nodes below `bound`.
    pub(super) fn reset(&mut self, bound: usize) {
        if self.room < bound || self.open > u32::MAX - 4 {
            self.records.reset(bound);
            self.room = bound;
            self.open = 0;
        }
        self.bound = bound;
        self.open += 2;
    }

    /// Offers a way to `node`: by a move out of the closed node `from`, at the cost `g`. Returns the f of the node if the way is better than any
    /// before.
    ///
    /// `estimate` is asked for new nodes. Those for which it gives `None` are left out, and so are nodes out of bounds.
    #[inline(always)]
    pub(super) fn offer<E>(
        &mut self,
        node: NodeId,
        from: NodeId,
        g: C,
        estimate: impl FnOnce() -> Result<Option<C>, E>,
    ) -> Result<Option<C>, E> {
        let Some(record) = self.records.get_mut(node.index()) else {
            return Ok(None);
        };
        let is_new = record.stamp < self.open;
        // One branch for both, as each is hard to foresee.
        if !select_unpredictable(is_new, true, g < record.g) {
            return Ok(None);
        }
        if is_new {
            if node.index() >= self.bound {
                return Ok(None);
            }
            let Some(h) = estimate()? else {
                return Ok(None);
            };
            (record.stamp, record.h) = (self.open, h);
        } else if record.stamp != self.open {
            return Ok(None);
        }
        (record.from, record.g) = (from, g);
        Ok(Some(g.plus(record.h)))
    }

    /// The least cost to `node`, which is now certain; `None` if it was certain before.
    #[inline(always)]
    pub(super) fn close(&mut self, node: NodeId) -> Option<C> {
        let record = self.records.get_mut(node.index()).filter(|record| record.stamp == self.open)?;
        record.stamp += 1;
        Some(record.g)
    }

    /// The node from which `node` was reached, and the cost to `node`. The start was reached from itself.
    #[inline]
    pub(super) fn way(&self, node: NodeId) -> (NodeId, C) {
        let record = self.records.get(node.index());
        (record.from, record.g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(reached: &mut Reached<u32>, node: u32, from: u32, g: u32, h: Option<u32>) -> Option<u32> {
        reached.offer(NodeId(node), NodeId(from), g, || Ok::<_, ()>(h)).unwrap()
    }

    #[test]
    fn only_better_ways_to_open_nodes_count() {
        let mut reached = Reached::new();
        reached.reset(10);
        assert_eq!(offer(&mut reached, 3, 1, 7, Some(2)), Some(9));
        assert_eq!(offer(&mut reached, 3, 2, 7, None), None);
        assert_eq!(offer(&mut reached, 3, 2, 6, None), Some(8));
        assert_eq!((reached.close(NodeId(3)), reached.close(NodeId(3))), (Some(6), None));
        assert_eq!(offer(&mut reached, 3, 4, 1, Some(0)), None, "it is closed");
        assert_eq!(reached.way(NodeId(3)), (NodeId(2), 6));
        assert_eq!(offer(&mut reached, 4, 3, 1, None), None, "it was left out");
        assert_eq!(offer(&mut reached, 4, 3, u32::MAX, Some(5)), Some(u32::MAX));
        assert_eq!(offer(&mut reached, 10, 3, 1, Some(0)), None, "it is out of bounds");
        assert_eq!(reached.close(NodeId(u32::MAX)), None);
    }

    #[test]
    fn stamps_run_out_without_reviving_the_dead() {
        let mut reached = Reached::new();
        for open in [0, u32::MAX - 5, u32::MAX - 3] {
            reached.open = open;
            reached.reset(10);
            assert_eq!(reached.close(NodeId(3)), None);
            assert_eq!(offer(&mut reached, 3, 1, 7, Some(2)), Some(9));
            assert_eq!(offer(&mut reached, 4, 1, 7, Some(2)), Some(9));
            assert_eq!(reached.close(NodeId(3)), Some(7));
        }
        assert_eq!(reached.open, 2);
    }
}
