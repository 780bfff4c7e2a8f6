//! Journeys as words.

use giveway_core::{AgentId, Garbled, Tick, WordReader, Words};

use super::{Journey, Notes, ShutIn};
use crate::roster::read_past;

impl Journey {
    /// Appends the journey to `words`.
    pub fn write_to(&self, now: Tick, words: &mut Words) {
        words.difference(self.since, now);
        words.flag(self.notes.is_some());
        let Some(Notes { first, served, stands, host, shut_in }) = self.notes.as_deref() else { return };
        words.flag(first.is_some());
        first.iter().for_each(|first| words.number(*first));
        words.difference(*served, now);
        words.flag(stands.is_some());
        if let Some((node, since)) = stands {
            words.word(node.0.into());
            words.difference(*since, now);
        }
        words.flag(host.is_some());
        if let Some((agent, until)) = host {
            words.word(agent.0.into());
            words.difference(now, *until);
        }
        words.flag(shut_in.is_some());
        if let Some(ShutIn { node, since, last }) = shut_in {
            words.word(node.0.into());
            words.difference(*last, now);
            words.difference(*since, *last);
        }
    }

    /// Reads a journey over nodes below `bound`.
    pub fn read_from(now: Tick, bound: usize, words: &mut WordReader<'_>) -> Result<Self, Garbled> {
        let mut journey = Self::setting_out(read_past(now, words)?);
        if words.flag()? {
            let first = if words.flag()? { Some(words.real()?) } else { None };
            let served = read_past(now, words)?;
            let stands = if words.flag()? { Some((words.node(bound)?, read_past(now, words)?)) } else { None };
            let host = if words.flag()? { Some((AgentId(words.word_32()?), words.difference(now)?)) } else { None };
            let shut_in = if words.flag()? {
                let (node, last) = (words.node(bound)?, read_past(now, words)?);
                Some(ShutIn { node, since: read_past(last, words)?, last })
            } else {
                None
            };
            journey.notes = Some(Box::new(Notes { first, served, stands, host, shut_in }));
        }
        Ok(journey)
    }
}
