//! The turn of an agent: notes when the agent next has to plan, and after which others. `planners/due.rs` decides
//! whether it plans.

mod written;

use giveway_core::{Digest, Tick};

use super::or_never;

/// When an agent has to plan, and when it has tried.
#[derive(Clone, Debug)]
pub struct Turn {
    due: Option<Tick>,
    /// When its turn comes, if nothing happens before; `None`: it has had none yet.
    next: Option<Tick>,
    place: u32,
    tried: Option<Tick>,
    knows_since: Option<Tick>,
}

impl Turn {
    /// The turn of an agent that is added at `now`.
    #[inline]
    pub(super) fn new(now: Tick) -> Self {
        Self { due: Some(now), next: None, place: 0, tried: None, knows_since: None }
    }

    /// Adds the turn to `digest`.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        digest.pair(or_never(self.due), or_never(self.next));
        digest.pair(or_never(self.tried), or_never(self.knows_since));
        digest.word(self.place.into());
    }

    /// The tick since which the agent has to plan; `None`: its turn will come.
    #[inline]
    pub fn due(&self) -> Option<Tick> {
        self.due
    }

    /// The tick at which its turn comes, unless it has to plan before; `None`: it has had no turn yet.
    #[inline]
    pub fn next(&self) -> Option<Tick> {
        self.next
    }

    /// Whether its turn has come by `now`, or it has had none yet.
    #[inline]
    pub fn is_over(&self, now: Tick) -> bool {
        self.next.is_none_or(|next| next <= now)
    }

    /// Sets the tick at which its turn comes.
    #[inline]
    pub fn set_next(&mut self, next: Tick) {
        self.next = Some(next);
    }

    /// How many agents came before it when its turn came.
    #[inline]
    pub fn place(&self) -> u32 {
        self.place
    }

    /// The tick since which the distance to the goals is known; `None`: the distance is not known.
    #[inline]
    pub fn knows_since(&self) -> Option<Tick> {
        self.knows_since
    }

    /// Whether the agent has tried to plan since it was added.
    #[inline]
    pub(super) fn has_tried(&self) -> bool {
        self.tried.is_some()
    }

    /// Whether the agent has tried to plan at `now`.
    #[inline]
    pub fn has_tried_at(&self, now: Tick) -> bool {
        self.tried == Some(now)
    }

    /// Makes an agent with new goals find its way and plan at `now`.
    #[inline]
    pub fn begin_anew(&mut self, now: Tick) {
        (self.due, self.knows_since) = (Some(now), None);
    }

    /// Makes the agent plan at `now`, unless it has been due since an earlier tick.
    #[inline]
    pub fn ask(&mut self, now: Tick) {
        self.due = self.due.or(Some(now));
    }

    /// Makes the agent plan anew at `due`. If it still waits to find its way, it keeps its place in the queue.
    #[inline]
    pub fn put_in_line(&mut self, due: Tick) {
        let waits = self.due.filter(|_| self.knows_since.is_none());
        self.due = waits.or(Some(due));
    }

    /// Makes the agent plan after all others that wait for work at `now`.
    #[inline]
    pub fn queue_up(&mut self, now: Tick) {
        (self.due, self.place) = (Some(now), u32::MAX);
    }

    /// Notes how many agents come before it.
    #[inline]
    pub fn set_place(&mut self, place: u32) {
        self.place = place;
    }

    /// Notes that the agent has tried to plan at `now`.
    #[inline]
    pub fn try_at(&mut self, now: Tick) {
        self.tried = Some(now);
    }

    /// Sets when the agent plans again; `None`: when its turn comes.
    #[inline]
    pub fn set_due(&mut self, due: Option<Tick>) {
        self.due = due;
    }

    /// Notes whether the distance to the goals is known at `now`.
    #[inline]
    pub fn note_way(&mut self, is_known: bool, now: Tick) {
        self.knows_since = is_known.then(|| self.knows_since.unwrap_or(now));
    }
}
