//! Progress: how agents come on, and by how much they are late.

use giveway_core::{Tick, Ticks};

/// How an agent has come on since it last stood on a goal, or was told to go to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// How near it has been, in plain steps.
    nearest: f64,
    /// Since when it has not come nearer than that.
    pub(super) since: Tick,
    /// When it would have been as near as that if nobody had been in its way.
    pub(super) as_of: Tick,
}

impl Progress {
    /// The progress of an agent that sets out at `now`.
    pub(super) fn setting_out(now: Tick) -> Self {
        Self { nearest: f64::INFINITY, since: now, as_of: now }
    }

    /// Notes that a move of so many ticks has ended at `now`, so many plain steps from the goals. `None`: nobody knows how many, and it
    /// counts as one that led on.
    pub(super) fn note(&mut self, distance: Option<f64>, ticks: Ticks, now: Tick) {
        if distance.is_none_or(|distance| distance < self.nearest) {
            self.nearest = distance.unwrap_or(self.nearest);
            self.since = now;
            self.as_of = self.as_of.saturating_add(ticks).min(now);
        }
    }
}
