//! The clock: the time in a crowd, and the length of a step.

use giveway_core::{Tick, Ticks};

/// The time, and the length of a step.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The tick that begins next.
    pub now: Tick,
    /// The ticks that a plain step takes.
    pub ticks_per_step: Ticks,
}

impl Clock {
    /// The clock of units that count in steps of their own; `None`: in plain steps.
    #[inline]
    pub fn of(self, step: Option<Ticks>) -> Self {
        Self { ticks_per_step: step.unwrap_or(self.ticks_per_step), ..self }
    }

    /// What is left of `amount` after a tick, if one part in `parts` of it is forgotten in each step.
    #[inline]
    pub fn fade(self, amount: u64, parts: u64) -> u64 {
        amount - amount / parts.saturating_mul(self.ticks_per_step.max(1).into())
    }

    /// The ticks that `steps` steps take.
    #[inline]
    pub fn ticks(self, steps: u32) -> Ticks {
        steps.saturating_mul(self.ticks_per_step)
    }
}
