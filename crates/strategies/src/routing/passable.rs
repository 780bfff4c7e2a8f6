//! What a route may lead through, and at which price.

use giveway_core::{
    Asker, Cost, CostLayer, Footprint, Fuel, Heuristic, Move, MoveIn, NodeId, Observer, SpaceGraph, Suspended, Tick,
};

use super::{Noise, Terrain};

/// The moves of a space that units can make with a footprint, without some places, at the price of a layer at one tick.
pub(super) struct Passable<'a, S, F, L> {
    pub(super) terrain: &'a Terrain<'a, S, F, L>,
    pub(super) asker: Asker<'a>,
    pub(super) walls: &'a Walls,
}

impl<S: SpaceGraph, F: Footprint<S>, L: CostLayer<S>> Passable<'_, S, F, L> {
    /// The moves from `from`, as the space gives them.
    pub(super) fn open_moves(&self, from: NodeId) -> impl Iterator<Item = MoveIn<S>> {
        let Terrain { space, footprint, .. } = self.terrain;
        space.moves(from).filter(|m| !self.walls.contain(m.to) && footprint.duration(space, m).is_some())
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

/// A set of nodes that is emptied in constant time.
#[derive(Clone, Debug, Default)]
pub(super) struct Walls {
    /// The generation of which each node is a member.
    members: Vec<u32>,
    generation: u32,
}

impl Walls {
    /// Replaces the set by `nodes`; nodes from `bound` on are ignored.
    pub(super) fn set(&mut self, nodes: &[NodeId], bound: usize) {
        if self.generation == u32::MAX || (self.members.len() < bound && !nodes.is_empty()) {
            self.members = vec![0; bound];
            self.generation = 0;
        }
        self.generation += 1;
        for node in nodes {
            if let Some(member) = self.members.get_mut(node.index()) {
                *member = self.generation;
            }
        }
    }

    #[inline]
    pub(super) fn contain(&self, node: NodeId) -> bool {
        self.members.get(node.index()).is_some_and(|member| *member == self.generation)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_fall_when_others_are_set() {
        let mut walls = Walls::default();
        let standing = |walls: &Walls| (0..6).filter(|node| walls.contain(NodeId(*node))).collect::<Vec<u32>>();
        assert_eq!(standing(&walls), []);
        for nodes in [vec![], vec![1, 3], vec![3], vec![], vec![0, 4, 9]] {
            walls.set(&nodes.iter().copied().map(NodeId).collect::<Vec<NodeId>>(), 5);
            assert_eq!(standing(&walls), nodes.iter().copied().filter(|node| *node < 5).collect::<Vec<u32>>());
        }
        walls.set(&[NodeId(5)], 6);
        assert_eq!(standing(&walls), [5]);
        walls.generation = u32::MAX;
        walls.set(&[NodeId(2)], 6);
        assert_eq!(standing(&walls), [2]);
    }
}
