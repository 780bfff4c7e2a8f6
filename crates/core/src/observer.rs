//! Observers: watching a search from outside.

use crate::vocabulary::{Entry, NodeId, Tick};

/// Is told what a search does, step by step. By default every method does nothing; `()` is an observer that ignores all
/// calls, at no cost.
pub trait Observer {
    /// A state was expanded: `node` at `tick`. Spatial searches report tick 0.
    #[inline]
    fn expanded(&mut self, _node: NodeId, _tick: Tick) {}

    /// A motion out of `node` at `tick` was rejected because `entry` is not free.
    #[inline]
    fn blocked(&mut self, _node: NodeId, _tick: Tick, _entry: &Entry) {}
}

impl Observer for () {}

/// Counts the expansions of each node.
impl Observer for Vec<u32> {
    fn expanded(&mut self, node: NodeId, _tick: Tick) {
        if node.index() >= self.len() {
            self.resize(node.index() + 1, 0);
        }
        self[node.index()] += 1;
    }
}
