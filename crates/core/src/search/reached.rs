//! What a spatial A* knows of the nodes that it has reached.

use std::hint::select_unpredictable;

use crate::vocabulary::{Cost, NodeId};

/// The nodes reached, by node. Forgetting everything costs nothing.
///
/// Everything about a node is in one place, at its id: a search looks at most nodes only once or twice, and waits for
/// their memory each time.
#[derive(Clone, Debug)]
pub(super) struct Reached<C: Cost> {
    records: Vec<Record<C>>,
    /// Nodes are below this.
    bound: usize,
    /// The stamp of open nodes: even, and larger than all older stamps. The stamp of closed nodes is this one plus 1.
    open: u32,
}

/// The stamp of a node, the id of the node from which it was reached (its own for the start), g and h.
///
/// A tuple: where costs are integers, a vector of zeros is memory that the system gives zeroed, and that is not paid
/// for until it is touched.
type Record<C> = (u32, u32, C, C);

impl<C: Cost> Reached<C> {
    pub(super) fn new() -> Self {
        Self { records: Vec::new(), bound: 0, open: 0 }
    }

    /// Forgets everything, and makes room for nodes below `bound`.
    pub(super) fn reset(&mut self, bound: usize) {
        if self.records.len() < bound || self.open > u32::MAX - 4 {
            self.records = vec![(0, 0, C::zero(), C::zero()); bound];
            self.open = 0;
        }
        self.bound = bound;
        self.open += 2;
    }

    /// Offers a way to `node`: by a move out of the closed node `from`, at the cost `g`. Returns the f of the node if
    /// the way is better than any before.
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
        let Some((stamp, before, least, h)) = self.records.get_mut(node.index()) else {
            return Ok(None);
        };
        let is_new = *stamp < self.open;
        // One branch for both, as each is hard to foresee.
        if !select_unpredictable(is_new, true, g < *least) {
            return Ok(None);
        }
        if is_new {
            if node.index() >= self.bound {
                return Ok(None);
            }
            let Some(estimate) = estimate()? else {
                return Ok(None);
            };
            (*stamp, *h) = (self.open, estimate);
        } else if *stamp != self.open {
            return Ok(None);
        }
        (*before, *least) = (from.0, g);
        Ok(Some(g.plus(*h)))
    }

    /// The least cost to `node`, which is now certain; `None` if it was certain before.
    #[inline(always)]
    pub(super) fn close(&mut self, node: NodeId) -> Option<C> {
        let (stamp, _, g, _) = self.records.get_mut(node.index()).filter(|record| record.0 == self.open)?;
        *stamp += 1;
        Some(*g)
    }

    /// The node from which `node` was reached, and the cost to `node`, which is below the bound. The start was reached
    /// from itself.
    #[inline]
    pub(super) fn way(&self, node: NodeId) -> (NodeId, C) {
        let (_, from, g, _) = self.records[node.index()];
        (NodeId(from), g)
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
