//! The journey of an agent: the time taken for its order, compared with the distance at first; the time for which it
//! has stood; the agent for which it makes way; and refuges that it has sought in vain.

mod written;

use giveway_core::{AgentId, Digest, NodeId, Tick, Ticks};

use super::bits;
use crate::clock::Clock;

/// A journey may take this many steps, and this many times its first distance; an agent that takes longer starves.
const SPARE: Ticks = 20;
const TIMES: f64 = 5.0;

/// An agent seeks a refuge at every tick for so many steps; then at ever longer intervals, but after so many steps at
/// the latest.
const EAGER: Ticks = 8;
const LONGEST_PAUSE: Ticks = 16;

/// When the agent set out, and how far it had to go.
#[derive(Clone, Debug)]
pub struct Journey {
    since: Tick,
    /// Of agents that the step planner serves, or that had no refuge.
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
    shut_in: Option<ShutIn>,
}

/// An agent has sought a refuge in vain, again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ShutIn {
    /// Where it stood.
    node: NodeId,
    /// The first time.
    since: Tick,
    /// The last time.
    last: Tick,
}

impl ShutIn {
    /// The first tick at which the agent may seek a refuge again, and the first one at which it begins anew.
    fn ends(self, clock: Clock) -> [Tick; 2] {
        let [eager, longest] = [EAGER, LONGEST_PAUSE].map(|steps| clock.ticks(steps));
        let sought = self.last - self.since;
        let pause = if sought < eager { 1 } else { sought.min(longest) };
        // In between the agent may have found no work, or nobody may have come near.
        [pause, longest.saturating_mul(2)].map(|ticks| self.last.saturating_add(ticks))
    }
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
        if let Some(Notes { first, served, stands, host, shut_in }) = self.notes.as_deref() {
            digest.number(first.unwrap_or(f64::INFINITY));
            digest.pair(*served, bits([first.is_some(), stands.is_some(), host.is_some(), shut_in.is_some()]));
            let (node, since) = stands.unwrap_or((NodeId(0), 0));
            digest.pair(node.0, since);
            let (agent, until) = host.unwrap_or((AgentId(0), 0));
            digest.pair(agent.0, until);
            if let Some(ShutIn { node, since, last }) = *shut_in {
                digest.word(node.0.into());
                digest.pair(since, last);
            }
        }
    }

    #[inline]
    fn notes(&mut self) -> &mut Notes {
        let served = self.since;
        self.notes
            .get_or_insert_with(|| Box::new(Notes { first: None, served, stands: None, host: None, shut_in: None }))
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

    /// Whether the agent, which stands on `node`, has sought a refuge in vain so often that it waits before it seeks one
    /// again.
    pub fn is_shut_in(&self, node: NodeId, clock: Clock) -> bool {
        let shut_in = self.notes.as_ref().and_then(|notes| notes.shut_in).filter(|shut_in| shut_in.node == node);
        shut_in.is_some_and(|shut_in| clock.now < shut_in.ends(clock)[0])
    }

    /// Notes that the agent, which stands on `node`, has sought a refuge; `found`: and found one.
    pub fn seek(&mut self, node: NodeId, found: bool, clock: Clock) {
        if found && self.notes.is_none() {
            return;
        }
        let shut_in = &mut self.notes().shut_in;
        let known = shut_in.filter(|shut_in| shut_in.node == node && clock.now < shut_in.ends(clock)[1]);
        let since = known.map_or(clock.now, |known| known.since);
        *shut_in = (!found).then_some(ShutIn { node, since, last: clock.now });
    }

    /// Whether the agent has taken so long that it goes before all others.
    #[inline]
    pub fn starves(&self, clock: Clock) -> bool {
        let steps = clock.now.saturating_sub(self.since) / clock.ticks_per_step.max(1);
        let first = self.notes.as_ref().and_then(|notes| notes.first);
        first.is_some_and(|first| f64::from(steps) > f64::from(SPARE) + TIMES * first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ticks below `end` at which an agent on node 3 that finds no refuge seeks one.
    fn sought(journey: &mut Journey, ticks_per_step: Ticks, ticks: std::ops::Range<Tick>) -> Vec<Tick> {
        let seeks = |now: &Tick| {
            let clock = Clock { now: *now, ticks_per_step };
            let seeks = !journey.is_shut_in(NodeId(3), clock);
            if seeks {
                journey.seek(NodeId(3), false, clock);
            }
            seeks
        };
        ticks.filter(seeks).collect()
    }

    #[test]
    fn a_refuge_is_sought_in_vain_less_and_less() {
        let mut journey = Journey::setting_out(0);
        assert_eq!(sought(&mut journey, 1, 5..80), [5, 6, 7, 8, 9, 10, 11, 12, 13, 21, 37, 53, 69]);
        let clock = Clock { now: 80, ticks_per_step: 1 };
        assert!(journey.is_shut_in(NodeId(3), clock) && !journey.is_shut_in(NodeId(4), clock), "elsewhere");
        assert_eq!(sought(&mut journey, 1, 101..113), [101, 102, 103, 104, 105, 106, 107, 108, 109], "long after");
        journey.seek(NodeId(3), true, clock);
        assert_eq!(sought(&mut journey, 1, 113..116), [113, 114, 115], "after a refuge");
        assert_eq!(sought(&mut Journey::setting_out(0), 10, 0..500).len(), 81 + 3, "steps count, not ticks");
    }
}
