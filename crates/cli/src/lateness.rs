//! Moves that are late: a stand-in for physics, which decides when a move is done.

use anyhow::Result;
use giveway::AgentId;
use giveway::sim::Simulation;
use giveway::time::{Tick, Ticks};

/// A late move is late by so many ticks at most.
const LATEST: u64 = 10;

/// Makes moves late. What is drawn depends on the seed, the agent and the tick alone, so a run that goes on draws what
/// the whole run would.
#[derive(Debug)]
pub(crate) struct Lateness {
    /// Of a hundred moves, how many are late.
    percent: f64,
    seed: u64,
    /// The moves that were late so far.
    pub(crate) late: u64,
}

impl Lateness {
    pub(crate) fn new(percent: f64, seed: u64) -> Self {
        Self { percent, seed, late: 0 }
    }

    /// Holds agents whose moves began at tick `begun`, the one before the present one.
    pub(crate) fn strike(&mut self, simulation: &mut Simulation<'_>, begun: Tick) -> Result<()> {
        let crowd = simulation.crowd();
        let begins = |agent: &AgentId| crowd.last_leg(*agent).is_some_and(|leg| leg.is_move() && leg.depart == begun);
        let agents: Vec<AgentId> = crowd.agents().filter(begins).collect();
        for agent in agents {
            if let Some(ticks) = self.draw(agent, begun) {
                simulation.crowd_mut().hold(agent, ticks)?;
                self.late += 1;
            }
        }
        Ok(())
    }

    /// By how many ticks a move of `agent` that began at `begun` is late; `None`: it is in time.
    fn draw(&self, agent: AgentId, begun: Tick) -> Option<Ticks> {
        let bits = mixed(self.seed ^ mixed(u64::from(agent.0) << 32 | u64::from(begun)));
        #[allow(clippy::cast_precision_loss)] // 53 bits are exact
        let share = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        #[allow(clippy::cast_possible_truncation)] // at most 10
        (share * 100.0 < self.percent).then(|| 1 + (mixed(bits) % LATEST) as Ticks)
    }
}

/// The bits of `number`, mixed: the output function of `SplitMix64` (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
fn mixed(number: u64) -> u64 {
    let bits = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_moves_are_late_as_was_said_and_by_all_delays_alike() {
        for percent in [0.0, 1.0, 20.0, 100.0] {
            let lateness = Lateness::new(percent, 7);
            let mut by = [0_u32; 10];
            for agent in 0..100 {
                for tick in 0..1000 {
                    if let Some(ticks) = lateness.draw(AgentId(agent), tick) {
                        by[ticks as usize - 1] += 1;
                    }
                }
            }
            let expected = percent * 1000.0 / 10.0;
            assert!(by.iter().all(|count| (f64::from(*count) - expected).abs() <= 0.06 * expected + 20.0), "{by:?}");
        }
    }
}
