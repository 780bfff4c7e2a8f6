//! Moves that are late: a stand-in for physics, which decides when a move is done.

use anyhow::Result;
use giveway::AgentId;
use giveway::sim::Simulation;
use giveway::time::{Tick, Ticks};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

/// A late move is late by so many ticks at most.
const LATEST: Ticks = 10;

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
        // Mixed, so that neighbouring seeds do not draw alike for neighbouring ticks.
        Self { percent, seed: Pcg32::seed_from_u64(seed).random(), late: 0 }
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
        let mut random = Pcg32::seed_from_u64(self.seed ^ (u64::from(agent.0) << 32 | u64::from(begun)));
        random.random_bool(self.percent / 100.0).then(|| random.random_range(1..=LATEST))
    }
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
