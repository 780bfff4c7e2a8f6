//! Heuristics made of true costs.

use giveway_core::{Cost, Fuel, Goals, Heuristic, NodeId, Suspended};

use crate::roads::{Distances, Roads};

/// A heuristic that is a share of the true cost for each node: never too high, and seldom consistent.
pub(crate) struct Shares<C>(Vec<Option<C>>);

impl<C: Cost> Shares<C> {
    /// One part in `parts` of the least cost of each place, to the nearest of `goals`. With equal parts for all places
    /// the heuristic is consistent, up to rounding.
    pub(crate) fn new(roads: &Roads<C>, truth: &Distances<C>, goals: &Goals, mut parts: impl FnMut() -> u32) -> Self {
        Self(roads.nodes().map(|node| Some(truth.to_nearest(node, goals)?.part(parts()))).collect())
    }
}

impl<C: Cost> Heuristic<Roads<C>> for Shares<C> {
    fn estimate(&mut self, _: &Roads<C>, node: NodeId, _: &mut Fuel) -> Result<Option<C>, Suspended> {
        Ok(self.0[node.index()])
    }
}
