//! Routes: ways in space alone, of agents that do not see each other.

use giveway_core::{
    Asker, Cost, CostLayer, Footprint, Fuel, Goals, Heuristic, Move, NodeId, OutOfFuel, SpaceGraph, Tick,
};

use super::manners::thousandth_steps;

/// What is asked of a class for a route.
pub(super) struct Trip<'a> {
    pub(super) start: NodeId,
    pub(super) goals: &'a Goals,
    /// Where it does not lead.
    pub(super) avoided: &'a [NodeId],
    pub(super) noise: Noise,
}

/// What is added to the heuristic, so that two that meet again and again do not choose the same ways for ever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    key: u64,
    /// In thousandths of a plain step.
    amplitude: u32,
}

impl Noise {
    /// At most so many thousandths of a plain step, decided by the other three.
    pub(super) fn new(amplitude: u32, seed: u64, agent: u32, tick: Tick) -> Self {
        Self { key: mix(mix(seed) ^ ((u64::from(agent) << 32) | u64::from(tick))), amplitude }
    }

    /// That of `node`: from 0 to less than the amplitude, all as likely.
    fn at(self, node: NodeId) -> u64 {
        ((mix(self.key ^ u64::from(node.0)) >> 32) * u64::from(self.amplitude)) >> 32
    }
}

/// The finalizer of splitmix64: every bit in decides on every bit out.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The moves of a space that units can make with a footprint, without some places, at the price that a layer asks now.
pub(super) struct Passable<'a, S, F, L> {
    pub(super) space: &'a S,
    pub(super) footprint: &'a F,
    pub(super) layer: &'a L,
    pub(super) asker: Asker<'a>,
    pub(super) avoided: &'a [NodeId],
}

impl<S: SpaceGraph, F: Footprint<S>, L: CostLayer<S>> SpaceGraph for Passable<'_, S, F, L> {
    type Action = S::Action;
    type Cost = S::Cost;

    fn node_bound(&self) -> usize {
        self.space.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<S::Action, S::Cost>> {
        let can = |m: &Move<_, _>| !self.avoided.contains(&m.to) && self.footprint.duration(self.space, m).is_some();
        let price =
            |m: &Move<_, S::Cost>| m.cost.plus(self.layer.surcharge(self.space, m, self.asker.depart, &self.asker));
        self.space.moves(from).filter(can).map(move |m| Move { cost: price(&m), ..m })
    }

    fn contains(&self, node: NodeId) -> bool {
        self.space.contains(node)
    }
}

/// A heuristic with noise: not consistent any more.
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
    fn estimate(
        &mut self,
        space: &Passable<'_, S, F, L>,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<S::Cost>, OutOfFuel> {
        let estimate = self.heuristic.estimate(space.space, node, fuel)?;
        Ok(estimate.map(|left| left.plus(thousandth_steps(self.noise.at(node)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_uniform_and_everything_decides_on_it() {
        let sample = |noise: Noise| (0..1000).map(|node| noise.at(NodeId(node))).collect::<Vec<u64>>();
        let plain = sample(Noise::new(1000, 1, 2, 3));
        assert_eq!(plain, sample(Noise::new(1000, 1, 2, 3)));
        for other in [(2, 2, 3), (1, 3, 3), (1, 2, 4), (1, 3, 2)] {
            let other = sample(Noise::new(1000, other.0, other.1, other.2));
            let same = plain.iter().zip(&other).filter(|(a, b)| a == b).count();
            assert!(same < 10, "{same} of 1000 are the same");
        }
        for tenth in 0..10 {
            let count = plain.iter().filter(|noise| **noise / 100 == tenth).count();
            assert!((70..130).contains(&count), "{count} in tenth {tenth}");
        }
        assert!(sample(Noise::new(0, 1, 2, 3)).iter().all(|noise| *noise == 0));
        assert!(sample(Noise::new(u32::MAX, 1, 2, 3)).iter().all(|noise| *noise < u64::from(u32::MAX)));
    }
}
