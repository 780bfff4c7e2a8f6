//! Stopped paths, and what the last tick left undone, as words.

use giveway_core::{AgentId, Garbled, WordReader, Words};

use crate::state::State;
use giveway_members::leg::{Before, Leg};

impl State<'_> {
    /// Appends the paths of agents that were stopped to `words`.
    pub(crate) fn write_stopped_paths(&self, words: &mut Words) {
        words.size(self.stopped_paths.len());
        for (agent, legs) in &self.stopped_paths {
            words.word(agent.0.into());
            words.size(legs.len());
            let node = self
                .roster
                .get(*agent)
                .map_or(giveway_core::NodeId(0), |member| member.motion.free_at(self.clock.now).0);
            legs.iter().fold(Before(node, self.clock.now), |before, leg| leg.write_to(before, words));
        }
    }

    /// Appends what the last tick had no work and no memory for to `words`.
    pub(crate) fn write_last_tick(&self, words: &mut Words) {
        for agents in [&self.last_tick.postponed, &self.last_tick.out_of_memory] {
            words.size(agents.len());
            words.series(agents.iter().map(|agent| agent.0));
        }
    }

    /// Reads what the last tick had no work and no memory for.
    pub(crate) fn read_last_tick(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let next_id = self.roster.next_id().map_or(u32::MAX, |id| id.0);
        for agents in [&mut self.last_tick.postponed, &mut self.last_tick.out_of_memory] {
            let count = words.at_most(next_id as usize)?;
            words.series(count, |agent| {
                agents.push(AgentId(agent));
                if agent < next_id { Ok(()) } else { Err(Garbled::new("an agent that was added")) }
            })?;
        }
        Ok(())
    }

    /// Reads the paths of agents that were stopped.
    pub(crate) fn read_stopped_paths(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let garbled = || Garbled::new("a path of an agent");
        self.stopped_paths.clear();
        for _ in 0..words.count()? {
            let agent = AgentId(words.word_32()?);
            let member = self.roster.get(agent).filter(|member| member.goes_along()).ok_or_else(garbled)?;
            let (node, _) = member.motion.free_at(self.clock.now);
            let bound = self.world[member.class()].node_bound();
            let mut before = Before(node, self.clock.now);
            let mut legs: Vec<Leg> = Vec::new();
            for _ in 0..words.count()? {
                let leg = Leg::read_from(before, bound, words)?;
                let (at, since) = legs.last().map_or((node, 0), |last| (last.to, last.arrive));
                if leg.from != at || leg.depart < since {
                    return Err(garbled());
                }
                before = Before(leg.to, leg.arrive);
                legs.push(leg);
            }
            let is_new = self.stopped_paths.iter().all(|(other, _)| *other != agent);
            if legs.is_empty() || !is_new {
                return Err(garbled());
            }
            self.stopped_paths.push((agent, legs));
        }
        Ok(())
    }
}
