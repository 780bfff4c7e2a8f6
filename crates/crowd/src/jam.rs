//! Jams: how much work windows have spent in vain lately.
//!
//! Once that is as much as a joint plan of all agents takes, a joint plan pays: whatever comes, both together take at
//! most twice as much as is needed. The agents carry the joint plan out for a while, and then plan windows again, as
//! these cost less where there is room. If the jam goes on, the next joint plan is carried out for longer.

use giveway_core::{Tick, Ticks};

use crate::clock::Clock;

/// In each step, one part in so many of what was wasted is forgotten.
const MEMORY: u64 = 64;

/// For so many steps the first joint plan of a jam is carried out; each later one for twice as long as the one before
/// it, at most so many times.
const STEPS: Ticks = 64;
const DOUBLINGS: u32 = 8;

/// What windows have spent in vain, and what was done about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jam {
    /// In units of work.
    wasted: u64,
    /// What a joint plan takes at this tick; `None`: nobody has asked.
    price: Option<u64>,
    /// When the last joint plan ends.
    until: Tick,
    /// The joint plans of this jam.
    plans: u32,
    /// How often a joint plan was not found since the last one that was.
    failures: u32,
}

impl Jam {
    /// Notes work on a window that was not found, or was taken back.
    #[inline]
    pub(crate) fn waste(&mut self, work: u64) {
        self.wasted = self.wasted.saturating_add(work);
    }

    /// Lets a tick go by.
    pub(crate) fn pass(&mut self, clock: Clock) {
        self.price = None;
        self.wasted -= self.wasted / MEMORY.saturating_mul(clock.ticks_per_step.max(1).into());
        if self.plans > 0 && clock.now > self.until.saturating_add(self.length(clock)) {
            self.plans = 0;
        }
    }

    /// Whether a joint plan pays, and there is enough work `left` for it. The work that it takes is `estimate`d once a
    /// tick, if at least `least` was wasted.
    #[inline]
    pub(crate) fn pays(&mut self, least: u64, left: u64, estimate: impl FnOnce() -> u64) -> bool {
        if self.wasted < least {
            return false;
        }
        let work = *self.price.get_or_insert_with(estimate);
        left >= work && self.wasted >= work.max(least).saturating_mul(1 << self.failures)
    }

    /// For how long the next joint plan is carried out.
    pub(crate) fn length(&self, clock: Clock) -> Ticks {
        clock.ticks(STEPS << self.plans.min(DOUBLINGS))
    }

    /// Whether a joint plan is carried out at `now`.
    pub(crate) fn is_ended_at(&self, now: Tick) -> bool {
        now < self.until
    }

    /// Notes that a joint plan is carried out until `until`.
    pub(crate) fn plan(&mut self, until: Tick) {
        (self.wasted, self.failures, self.until) = (0, 0, until);
        self.plans = self.plans.saturating_add(1);
    }

    /// Notes that a joint plan was not found. The next one waits until twice as much is wasted.
    pub(crate) fn fail(&mut self) {
        (self.wasted, self.failures) = (0, (self.failures + 1).min(DOUBLINGS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_plan_pays_once_as_much_is_wasted() {
        let mut jam = Jam::default();
        jam.waste(99);
        assert!(!jam.pays(100, u64::MAX, || unreachable!("too little to ask")));
        jam.waste(101);
        assert!(!jam.pays(100, u64::MAX, || 201) && !jam.pays(100, u64::MAX, || 0), "a price holds for a tick");
        jam.waste(1);
        assert!(jam.pays(100, 201, || 0) && !jam.pays(100, 200, || 0), "there has to be as much work");
        jam.fail();
        jam.waste(401);
        assert!(!jam.pays(100, u64::MAX, || 0), "after a failure it has to be twice as much");
        jam.waste(1);
        assert!(jam.pays(100, u64::MAX, || 0));
    }

    #[test]
    fn waste_is_forgotten_and_plans_grow_while_a_jam_lasts() {
        let mut clock = Clock { now: 0, ticks_per_step: 2 };
        let mut jam = Jam::default();
        jam.waste(100_000);
        for _ in 0..128 {
            jam.pass(clock);
        }
        assert!(
            jam.pays(36_000, u64::MAX, || 0) && !jam.pays(38_000, u64::MAX, || 0),
            "after 64 steps about a third is left"
        );
        assert_eq!(jam.length(clock), 128);
        jam.plan(128);
        assert_eq!(jam.length(clock), 256);
        clock.now = 128 + 256;
        jam.pass(clock);
        assert_eq!(jam.length(clock), 256);
        clock.now += 1;
        jam.pass(clock);
        assert_eq!(jam.length(clock), 128, "that jam is over");
    }
}
