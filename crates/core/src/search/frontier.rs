//! The open list of the spatial A*: smaller f first, then the newer state.

use super::groups::Groups;
use super::ring::Ring;
use crate::cost::Cost;

/// Open nodes. Most of those that come have the least f, and are the next to go: they are pushed on a stack and popped again.
///
/// Among nodes of equal f the larger g would need fewer expansions, by one or two in a hundred, but its order takes longer than they do.
#[derive(Clone, Debug)]
pub(super) struct Frontier<C: Cost> {
    /// The least f, or the one just used up.
    f: C,
    /// The nodes with f = `f`; the next one is the last.
    present: Vec<u32>,
    /// Nodes with a larger f that is whole and near.
    near: Ring,
    /// All other nodes with a larger f. Where some have the same f as nodes in `near`, they came before these.
    far: Groups<C, u32>,
}

impl<C: Cost> Frontier<C> {
    pub(super) fn new() -> Self {
        Self { f: C::zero(), present: Vec::new(), near: Ring::new(), far: Groups::new() }
    }

    /// Forgets everything, and begins with `node`.
    pub(super) fn begin(&mut self, f: C, node: u32) {
        self.f = f;
        self.present.clear();
        self.near.clear();
        self.near.advance(f);
        self.far.clear();
        self.present.push(node);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, f: C, node: u32) {
        if f > self.f {
            if !self.near.push(f, node) {
                self.push_far(f, node);
            }
            return;
        }
        if f < self.f {
            self.step_back(f);
        }
        self.present.push(node);
    }

    #[inline(never)]
    fn push_far(&mut self, f: C, node: u32) {
        self.far.push(f, node);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        if self.present.is_empty() {
            self.step_forward();
        }
        self.present.pop()
    }

    /// Makes the nodes with the least f the present ones.
    #[inline(never)]
    fn step_forward(&mut self) {
        let (near, far) = (self.near.least::<C>(), self.far.least());
        let Some(f) = near.into_iter().chain(far).min() else {
            return;
        };
        self.f = f;
        if far == Some(f) {
            self.far.take_least(&mut self.present);
        }
        if near == Some(f) {
            self.near.take_least(&mut self.present);
        }
        self.near.advance(f);
    }

    /// Makes `f` the present one although it is smaller: the heuristic is inconsistent, or consistent only up to rounding.
    #[cold]
    #[inline(never)]
    fn step_back(&mut self, f: C) {
        let before = std::mem::replace(&mut self.f, f);
        for node in self.present.drain(..) {
            self.far.push(before, node);
        }
    }
}
