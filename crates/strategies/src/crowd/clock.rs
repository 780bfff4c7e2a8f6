//! The clock: what time it is in a crowd, and how it is measured.

use giveway_core::{Tick, Ticks};

/// What time it is, and how it is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// The tick that begins next.
    pub(super) now: Tick,
    /// How many ticks a plain step takes.
    pub(super) ticks_per_step: Ticks,
}

impl Clock {
    /// How many ticks `steps` steps take.
    pub(super) fn ticks(self, steps: u32) -> Ticks {
        steps.saturating_mul(self.ticks_per_step)
    }
}
