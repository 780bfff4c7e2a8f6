//! Noise, which makes routes less straight.

use giveway_core::{Cost, NodeId, Tick};

/// Noise that is added to the heuristic of each node. With noise, two agents that meet again and again do not choose
/// equal ways for ever. With noise the heuristic is not a lower bound, and routes may not be cheapest. The default is
/// no noise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Noise {
    key: u64,
    /// In thousandths of a plain step.
    amplitude: u32,
}

impl Noise {
    /// Noise below `amplitude` thousandths of a plain step. The noise of a node depends on `seed`, `agent`, `tick` and
    /// the node.
    pub fn new(amplitude: u32, seed: u64, agent: u32, tick: Tick) -> Self {
        Self { key: mix(mix(seed) ^ ((u64::from(agent) << 32) | u64::from(tick))), amplitude }
    }

    /// The noise of `node`: uniform from 0 to less than the amplitude.
    #[inline]
    pub(super) fn at<C: Cost>(self, node: NodeId) -> C {
        thousandth_steps(self.thousandths(node))
    }

    fn thousandths(self, node: NodeId) -> u64 {
        ((mix(self.key ^ u64::from(node.0)) >> 32) * u64::from(self.amplitude)) >> 32
    }
}

/// The cost of `count` thousandths of a plain step.
pub fn thousandth_steps<C: Cost>(count: u64) -> C {
    let whole = u32::try_from(count / 1000).unwrap_or(u32::MAX);
    let rest = u32::try_from(count % 1000).unwrap_or(0);
    C::STEP.times(whole).plus(C::STEP.times(rest).part(1000))
}

/// The finalizer of splitmix64: every input bit affects every output bit.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
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
        for none in [Noise::default(), Noise::new(0, 1, 2, 3)] {
            assert!(sample(none).iter().all(|noise| *noise == 0));
        }
        assert!(sample(Noise::new(u32::MAX, 1, 2, 3)).iter().all(|noise| *noise < u64::from(u32::MAX)));
    }
}
