//! Shortage: whether the budget is short of what a crowd needs.

use giveway_core::{Tick, Ticks};

use crate::clock::Clock;
use crate::report::Report;

/// The budget counts as short if at least so many agents were postponed, and at least one in so many of all; and for so
/// many steps from then on. A few agents do better with a window each in turn.
const FEWEST: usize = 8;
const SHARE: usize = 4;
const STEPS: Ticks = 8;

/// Until when the budget counts as short.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shortage {
    until: Tick,
}

impl Shortage {
    /// Whether the budget is short at `now`.
    #[inline]
    pub(crate) fn lasts_at(&self, now: Tick) -> bool {
        now < self.until
    }

    /// Notes whether many of `agents` agents were postponed for want of budget at the tick of `report`, which is now.
    pub(crate) fn note(&mut self, report: &Report, agents: usize, clock: Clock) {
        let postponed = report.postponed.len() - report.out_of_memory.len();
        if postponed >= FEWEST && postponed * SHARE >= agents {
            self.until = clock.now.saturating_add(1).saturating_add(clock.ticks(STEPS));
        }
    }
}
