//! What is expected of outsiders, as words.

use giveway_core::{AgentId, Garbled, WordReader, Words};

use super::{Margin, Prediction};
use crate::leg::{Before, Leg};
use crate::state::State;

impl State<'_> {
    /// Appends what is expected of outsiders to `words`.
    pub(crate) fn write_outsiders(&self, words: &mut Words) {
        let now = self.clock.now;
        words.size(self.outsiders.len());
        for Prediction { agent, at, path, margin, since, reserved } in &self.outsiders {
            words.word(agent.0.into());
            words.word(at.0.into());
            margin.write_to(words);
            words.difference(now, *since);
            words.option(*reserved);
            words.size(path.len());
            path.iter().fold(Before(*at, now), |before, leg| leg.write_to(before, words));
        }
    }

    /// Reads what is expected of outsiders.
    pub(crate) fn read_outsiders(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let garbled = || Garbled::new("a prediction");
        let now = self.clock.now;
        self.outsiders.clear();
        for _ in 0..words.count()? {
            let agent = AgentId(words.word_32()?);
            let member = self.roster.get(agent).filter(|member| member.goes_along()).ok_or_else(garbled)?;
            let bound = self.world[member.class()].node_bound();
            let at = words.node(bound)?;
            let margin = Margin::read_from(words)?;
            let (since, reserved) = (words.difference(now)?, words.option()?);
            let mut path: Vec<Leg> = Vec::new();
            let mut before = Before(at, now);
            for _ in 0..words.count()? {
                let leg = Leg::read_from(before, bound, words)?;
                let (node, free) = path.last().map_or((at, 0), |last| (last.to, last.arrive));
                if leg.from != node || leg.depart < free {
                    return Err(garbled());
                }
                before = Before(leg.to, leg.arrive);
                path.push(leg);
            }
            let is_next = self.outsiders.last().is_none_or(|last| last.agent < agent);
            if !is_next || since > now || reserved.is_some_and(|tick| tick > now) {
                return Err(garbled());
            }
            self.outsiders.push(Prediction { agent, at, path, margin, since, reserved });
        }
        Ok(())
    }
}
