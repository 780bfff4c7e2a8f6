//! The memory of windows: the effort that an agent may ask for.

mod written;

use giveway_core::Digest;

use super::bits;

/// The memory of windows for one agent.
#[derive(Clone, Debug, Default)]
pub struct WindowMemory {
    /// How often the window is halved, because the whole budget of a tick was not enough to search it.
    halvings: u32,
    /// Whether the agent plans around all others, because the whole budget of a tick was not enough for the agents that
    /// it pushed aside.
    is_thrifty: bool,
    /// Whether the guard has stopped a long move of the agent since it last planned.
    is_stopped: bool,
    /// The attempts that failed at the last tick, before the agent was deferred.
    failed: u32,
}

/// After this many halvings a window of 2^32 ticks is one tick.
const MOST_HALVINGS: u32 = 31;

impl WindowMemory {
    /// Adds the memory to `digest`.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        let Self { halvings, is_thrifty, is_stopped, failed } = *self;
        digest.pair(halvings << 2 | bits([is_thrifty, is_stopped]), failed);
    }

    /// Notes that the whole budget of a tick was not enough for the agent itself, or, if `in_cascade`, for the agents
    /// that it pushed aside. Next time the agent asks for less.
    #[inline]
    pub fn save(&mut self, in_cascade: bool) {
        if in_cascade {
            self.is_thrifty = true;
        } else {
            self.halvings = (self.halvings + 1).min(MOST_HALVINGS);
        }
    }

    /// Notes that a plan was found: the next one may take more work.
    #[inline]
    pub fn spend(&mut self) {
        self.failed = 0;
        self.is_thrifty &= self.halvings > 0;
        self.halvings = self.halvings.saturating_sub(1);
    }

    /// Whether the agent plans around all others, so that no other agent has to plan.
    #[inline]
    pub fn is_thrifty(&self) -> bool {
        self.is_thrifty
    }

    /// How often the window is halved.
    #[inline]
    pub fn halvings(&self) -> u32 {
        self.halvings
    }

    /// Notes that `attempts` attempts have failed at this tick, and that the agent is deferred.
    #[inline]
    pub fn note_failed(&mut self, attempts: u32) {
        self.failed = attempts;
    }

    /// The attempts that failed at the last tick, for an agent that plans now.
    #[inline]
    pub fn take_failed(&mut self) -> u32 {
        std::mem::take(&mut self.failed)
    }

    /// Notes that the guard has stopped a move of the agent; `is_long`: a move of several ticks.
    #[inline]
    pub fn stop(&mut self, is_long: bool) {
        self.is_stopped = is_long;
    }

    /// Whether the guard has stopped a long move of the agent since it last planned.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// [`is_stopped`](Self::is_stopped), for an agent that plans now.
    #[inline]
    pub fn take_stopped(&mut self) -> bool {
        std::mem::take(&mut self.is_stopped)
    }
}
