//! Progress: how agents come on, by how much they are late, and whose turn it is to plan them.

use giveway_core::{Fuel, ReservationStore, Tick, Ticks};

use super::Crowd;
use super::chain::{Chain, Link};
use super::member::Member;

/// Who has stood on its goal for fewer steps than this may have to leave it again for the same reason as before.
const SETTLED: Ticks = 96;

/// How an agent has come on since it was told where to go, or had stood on a goal for a while.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// How near it has been, in plain steps.
    nearest: f64,
    /// Since when its links take turns.
    pub(super) since: Tick,
    /// Whether it has come nearer since another link than its first one took over.
    nearer: bool,
    /// The position of the link that plans it.
    link: usize,
    /// Since when it has stood on its goal; `None`: it does not.
    home_since: Option<Tick>,
    /// When it would have been where it is if nobody had been in its way since it last stood on a goal.
    pub(super) as_of: Tick,
}

impl Progress {
    /// The progress of an agent that sets out at `now`.
    pub(super) fn setting_out(now: Tick) -> Self {
        Self { nearest: f64::INFINITY, since: now, nearer: false, link: 0, home_since: None, as_of: now }
    }

    /// Notes that a move of so many ticks has ended at `now`, so many plain steps from the goals. `None`: nobody knows how many, and it
    /// counts as one that led on.
    pub(super) fn moved(&mut self, distance: Option<f64>, ticks: Ticks, now: Tick) {
        self.home_since = None;
        if distance.is_none_or(|distance| distance < self.nearest) {
            self.nearest = distance.unwrap_or(self.nearest);
            self.nearer = true;
            self.as_of = self.as_of.saturating_add(ticks).min(now);
        }
    }

    /// Notes that the agent stands on its goal.
    pub(super) fn rests(&mut self, now: Tick, ticks_per_step: Ticks) {
        let since = *self.home_since.get_or_insert(now);
        self.as_of = now;
        if now - since >= SETTLED.saturating_mul(ticks_per_step) {
            *self = Self { home_since: Some(since), ..Self::setting_out(now) };
        }
    }

    /// Lets the next link of `chain` take over, if its time has come.
    pub(super) fn take_turns(&mut self, chain: &Chain, now: Tick, ticks_per_step: Ticks) {
        if self.link == 0 && std::mem::take(&mut self.nearer) {
            self.since = now;
        }
        let serving = chain.turn(self.steps(now, ticks_per_step)).0;
        if serving != self.link && std::mem::take(&mut self.nearer) {
            (self.since, self.link) = (now, 0);
        } else {
            self.link = serving;
        }
    }

    /// For how many steps its links have been taking turns.
    pub(super) fn steps(self, now: Tick, ticks_per_step: Ticks) -> u32 {
        now.saturating_sub(self.since) / ticks_per_step.max(1)
    }
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets those links take over whose time has come.
    pub(super) fn take_turns(&mut self) {
        let (now, ticks_per_step) = (self.now, self.ticks_per_step);
        for member in self.members.values_mut() {
            if member.is_home() {
                member.progress.rests(now, ticks_per_step);
            }
            member.progress.take_turns(&member.chain, now, ticks_per_step);
        }
    }

    /// Notes that `member` has just ended a move that took so many ticks.
    pub(super) fn note_move(&mut self, agent: giveway_core::AgentId, ticks: Ticks) {
        let now = self.now;
        let Some(member) = self.members.get_mut(&agent) else { return };
        let class = &mut self.classes[member.class.0 as usize];
        // What is not known by now is no reason to search.
        let distance = class.distance(&member.goals, member.node, &mut Fuel::expansions(0)).ok();
        member.progress.moved(distance, ticks, now);
    }
}

impl Member {
    /// Which link plans it.
    pub(super) fn link(&self) -> Link {
        self.chain.link(self.progress.link)
    }
}
