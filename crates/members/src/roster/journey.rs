//! The journey of an agent: the time taken for its order, compared with the distance at first; the time for which it
//! has stood; and the agent for which it makes way.

mod written;

use giveway_core::{AgentId, Digest, NodeId, Tick, Ticks};

use super::bits;
use crate::clock::Clock;

/// A journey may take this many steps, and this many times its first distance; an agent that takes longer starves.
const SPARE: Ticks = 20;
const TIMES: f64 = 5.0;

/// When the agent set out, and how far it had to go.
#[derive(Clone, Debug)]
pub struct Journey {
    since: Tick,
    /// Of agents that the step planner serves.
    notes: Option<Box<Notes>>,
}

/// What is noted on the way.
#[derive(Clone, Debug)]
struct Notes {
    /// In plain steps; `None`: it was not known yet.
    first: Option<f64>,
    /// The last tick at which there was work left for it.
    served: Tick,
    /// Where it stands, and since when; `None`: it was not seen yet.
    stands: Option<(NodeId, Tick)>,
    /// The agent to whose goals it goes, before that agent, and until when.
    host: Option<(AgentId, Tick)>,
}

impl Journey {
    /// The journey of an agent that sets out at `now`.
    #[inline]
    pub(super) fn setting_out(now: Tick) -> Self {
        Self { since: now, notes: None }
    }

    /// Adds the journey to `digest`.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        digest.pair(self.since, self.notes.is_some().into());
        if let Some(Notes { first, served, stands, host }) = self.notes.as_deref() {
            digest.number(first.unwrap_or(f64::INFINITY));
            digest.pair(*served, bits([first.is_some(), stands.is_some(), host.is_some()]));
            let (node, since) = stands.unwrap_or((NodeId(0), 0));
            digest.pair(node.0, since);
            let (agent, until) = host.unwrap_or((AgentId(0), 0));
            digest.pair(agent.0, until);
        }
    }

    #[inline]
    fn notes(&mut self) -> &mut Notes {
        let served = self.since;
        self.notes.get_or_insert_with(|| Box::new(Notes { first: None, served, stands: None, host: None }))
    }

    /// Notes that the agent is `distance` plain steps from its goals. Only the first distance counts.
    #[inline]
    pub fn note(&mut self, distance: f64) {
        self.notes().first.get_or_insert(distance);
    }

    /// When the agent set out.
    #[inline]
    pub fn since(&self) -> Tick {
        self.since
    }

    /// Notes that there is work left for the agent at `now`.
    #[inline]
    pub fn serve(&mut self, now: Tick) {
        self.notes().served = now;
    }

    /// The last tick at which there was work left for it.
    #[inline]
    pub fn served_at(&self) -> Tick {
        self.notes.as_ref().map_or(self.since, |notes| notes.served)
    }

    /// Notes that the agent is on `node` at `now`.
    #[inline]
    pub fn pass_by(&mut self, node: NodeId, now: Tick) {
        let stands = &mut self.notes().stands;
        if stands.is_none_or(|(known, _)| known != node) {
            *stands = Some((node, now));
        }
    }

    /// The ticks for which the agent has stood in one place.
    #[inline]
    pub fn stands_for(&self, now: Tick) -> Ticks {
        let stands = self.notes.as_ref().and_then(|notes| notes.stands);
        stands.map_or(0, |(_, since)| now.saturating_sub(since))
    }

    /// Makes the agent go to the goals of `host` until `until`.
    #[inline]
    pub fn serve_host(&mut self, host: AgentId, until: Tick) {
        self.notes().host = Some((host, until));
    }

    /// The agent to whose goals it goes at `now`; `None`: to its own.
    #[inline]
    pub fn host(&self, now: Tick) -> Option<AgentId> {
        self.notes.as_ref()?.host.filter(|(_, until)| now < *until).map(|(host, _)| host)
    }

    /// Whether the agent has taken so long that it goes before all others.
    #[inline]
    pub fn starves(&self, clock: Clock) -> bool {
        let steps = clock.now.saturating_sub(self.since) / clock.ticks_per_step.max(1);
        let first = self.notes.as_ref().and_then(|notes| notes.first);
        first.is_some_and(|first| f64::from(steps) > f64::from(SPARE) + TIMES * first)
    }
}
