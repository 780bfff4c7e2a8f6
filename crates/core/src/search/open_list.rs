//! The open list: states by smaller f, then larger g, then the newer first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::Cost;

/// A min-heap of packed keys. Comparing one integer is twice as fast as comparing a struct field by field.
#[derive(Clone, Debug)]
pub(crate) struct OpenList<C: Cost> {
    keys: BinaryHeap<Reverse<C::Key>>,
}

impl<C: Cost> OpenList<C> {
    pub(crate) fn new() -> Self {
        Self {
            keys: BinaryHeap::new(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, f: C, g: C, slot: u32) {
        self.keys.push(Reverse(C::key(f, g, slot)));
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.keys.pop().map(|Reverse(key)| C::slot(key))
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }
}
