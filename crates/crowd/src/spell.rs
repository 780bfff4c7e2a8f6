//! Spells: times that begin when they are needed, and last longer each time they are needed again soon.

use giveway_core::{Tick, Ticks};

use giveway_members::clock::Clock;

/// The length doubles at most so many times.
const DOUBLINGS: u32 = 3;

/// A time that lasts a number of steps at first. If it begins again within its length after its end, it lasts twice as
/// long as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spell {
    pub(crate) until: Tick,
    /// The spells in a row.
    pub(crate) times: u32,
}

impl Spell {
    /// Whether it lasts at `now`.
    #[inline]
    pub(crate) fn lasts_at(self, now: Tick) -> bool {
        now < self.until
    }

    /// Begins at the next tick. The first spell lasts for `steps` steps.
    pub(crate) fn begin(&mut self, steps: Ticks, clock: Clock) {
        self.times = if self.would_be_again(steps, clock) { self.times.saturating_add(1) } else { 0 };
        self.until = clock.now.saturating_add(1).saturating_add(self.length(steps, clock));
    }

    /// Whether a spell that begins at the next tick follows this one.
    pub(crate) fn would_be_again(&self, steps: Ticks, clock: Clock) -> bool {
        self.until > 0 && clock.now < self.until.saturating_add(self.length(steps, clock))
    }

    fn length(&self, steps: Ticks, clock: Clock) -> Ticks {
        clock.ticks(steps << self.times.min(DOUBLINGS))
    }
}
