//! The passable moves of a space, and their prices.

use giveway_core::stamped::Stamped;
use giveway_core::{
    Asker, Cost, CostLayer, Facts, Footprint, Fuel, Heuristic, Move, MoveIn, NodeId, Observer, SpaceGraph, Suspended,
    Tick,
};

use super::noise::Noise;
use super::terrain::Terrain;

/// The moves of a space that units with a footprint can make, except into walls. Prices include the surcharges of a
/// layer at one tick.
pub(super) struct Passable<'a, S, F, L> {
    pub(super) terrain: &'a Terrain<'a, S, F, L>,
    pub(super) asker: Asker<'a>,
    pub(super) walls: &'a Stamped<()>,
}

impl<S: SpaceGraph, F: Footprint<S>, L: CostLayer<S>> Passable<'_, S, F, L> {
    /// The moves from `from`, as the space gives them.
    pub(super) fn open_moves(&self, from: NodeId) -> impl Iterator<Item = MoveIn<S>> {
        let Terrain { space, footprint, .. } = self.terrain;
        space.moves(from).filter(|m| self.walls.get(m.to).is_none() && footprint.duration(space, m).is_some())
    }

    /// The surcharge of the layer for `m`.
    #[inline]
    pub(super) fn surcharge(&self, m: &MoveIn<S>) -> S::Cost {
        self.terrain.layer.surcharge(self.terrain.space, m, self.asker.depart, &self.asker)
    }
}

impl<S: SpaceGraph, F: Footprint<S>, L: CostLayer<S>> SpaceGraph for Passable<'_, S, F, L> {
    type Action = S::Action;
    type Cost = S::Cost;

    fn node_bound(&self) -> usize {
        self.terrain.space.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<S::Action, S::Cost>> {
        self.open_moves(from).map(|m| Move { cost: m.cost.plus(self.surcharge(&m)), ..m })
    }

    fn contains(&self, node: NodeId) -> bool {
        self.terrain.space.contains(node)
    }

    /// A search for a route asks for moves only.
    fn facts(&self) -> Facts<'_, S::Cost> {
        Facts::NONE
    }
}

/// A heuristic with noise, for the passable part of a space.
pub(super) struct Noisy<H> {
    pub(super) heuristic: H,
    pub(super) noise: Noise,
}

impl<S, F, L, H> Heuristic<Passable<'_, S, F, L>> for Noisy<H>
where
    S: SpaceGraph,
    F: Footprint<S>,
    L: CostLayer<S>,
    H: Heuristic<S>,
{
    #[inline]
    fn estimate(
        &mut self,
        passable: &Passable<'_, S, F, L>,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<S::Cost>, Suspended> {
        let estimate = self.heuristic.estimate(passable.terrain.space, node, fuel)?;
        Ok(estimate.map(|left| left.plus(self.noise.at(node))))
    }
}

/// Counts expansions, and passes them on to an observer.
pub(super) struct Counted<'a, O> {
    pub(super) expanded: &'a mut u64,
    pub(super) observer: &'a mut O,
}

impl<O: Observer> Observer for Counted<'_, O> {
    #[inline]
    fn expanded(&mut self, node: NodeId, tick: Tick) {
        *self.expanded += 1;
        self.observer.expanded(node, tick);
    }
}
