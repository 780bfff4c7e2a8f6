//! Views: a space at costs that need not be its own.

use giveway_core::SpaceGraph;

/// A space `S` at some costs: its own, or its own with a layer's surcharges.
pub(super) trait View<S: SpaceGraph>: SpaceGraph<Action = S::Action, Cost = S::Cost> {
    /// The space at its own costs.
    fn plain(&self) -> &S;
}

impl<S: SpaceGraph> View<S> for S {
    #[inline]
    fn plain(&self) -> &S {
        self
    }
}
