//! The motion of an agent: where it is, the move under way, and what that occupies.

mod late;
mod written;

use giveway_core::{Digest, Entry, NodeId, Span, Tick, Trajectory};

use crate::chain::Kind;
use crate::class_id::ClassId;
use crate::leg::Leg;

use super::bits;
pub use late::{after_pause, paused};

/// Where an agent is, and how it moves.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The last move, or the rest with which the agent appeared.
    last: Leg,
    /// Whether `last` is under way: it takes longer than the tick in which it began. Or the agent is held where it
    /// stands.
    is_moving: bool,
    /// The planner of that move.
    by: Option<Kind>,
    swept: Swept,
    /// What few motions have.
    rare: Option<Box<Rare>>,
}

/// What a move still occupies.
#[derive(Clone, Debug)]
enum Swept {
    /// All that is left of a point's move of one tick: nothing is allocated for it.
    One(Entry),
    Others(Vec<Entry>),
}

/// What few motions have.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// The class with whose body the agent makes, or made, its last move; `None`: its own class.
    moves_as: Option<ClassId>,
    /// The class with whose body the agent stays where it is held; `None`: its own class.
    stays_as: Option<ClassId>,
    /// How the agent drives its last move; `None`: straight on.
    trajectory: Option<Trajectory>,
    /// When the agent is held on its last move, in ascending order, apart from each other.
    pauses: Vec<Span>,
    /// When the agent is held where it stands; `None`: it is not.
    stays: Option<Span>,
    /// Whether moves end only when that is told.
    is_reported: bool,
    /// Whether that was told of the move under way.
    is_done: bool,
}

impl Motion {
    /// An agent that stands on `node` at `now`.
    #[inline]
    pub(super) fn standing(node: NodeId, now: Tick) -> Self {
        let last = Leg::resting(node, now, now);
        Self { last, is_moving: false, by: None, swept: Swept::Others(Vec::new()), rare: None }
    }

    /// Where the agent is; while a move is under way, where the move began.
    #[inline]
    pub fn node(&self) -> NodeId {
        if self.is_moving && self.stays_until().is_none() { self.last.from } else { self.last.to }
    }

    /// Whether a move is under way, or the agent is held where it stands.
    #[inline]
    pub fn is_moving(&self) -> bool {
        self.is_moving
    }

    /// Where and when the agent can next decide.
    #[inline]
    pub fn free_at(&self, now: Tick) -> (NodeId, Tick) {
        (self.last.to, if self.is_moving { self.stays_until().unwrap_or(self.last.arrive) } else { now })
    }

    /// The entries that the last move still occupies, as they were when the move began: later changes of the space or
    /// of the class do not count. Footprints may hold more than the ticks of the move.
    #[inline]
    pub fn swept(&self) -> &[Entry] {
        match &self.swept {
            Swept::One(entry) => std::slice::from_ref(entry),
            Swept::Others(entries) => entries,
        }
    }

    /// How the agent drives its last move; `None`: straight on.
    #[inline]
    pub fn trajectory(&self) -> Option<&Trajectory> {
        self.rare.as_ref()?.trajectory.as_ref()
    }

    /// Adds the motion to `digest`. How it is driven follows from the rest.
    #[inline]
    pub(super) fn feed(&self, digest: &mut Digest) {
        self.last.feed(digest);
        let bodies = self.bodies();
        let is_late = self.is_late();
        let [moves_as, stays_as] = bodies.map(|class| class.is_some());
        digest.pair(self.by.map_or(0, |by| 1 + by as u32), bits([self.is_moving, moves_as, is_late, stays_as]));
        bodies.into_iter().flatten().for_each(|class| digest.word(class.0.into()));
        if is_late {
            self.feed_lateness(digest);
        }
        digest.word(self.swept().len() as u64);
        for Entry { cell, span } in self.swept() {
            digest.word(cell.0.into());
            digest.pair(span.start, span.end);
        }
    }

    /// The motion in the tick before `now`.
    #[inline]
    pub fn last(&self, now: Tick) -> Leg {
        let is_of_the_past = self.last.arrive < now;
        if is_of_the_past { Leg::resting(self.node(), now - 1, now) } else { self.last }
    }

    /// The end of the last move, or the tick at which the agent appeared.
    #[inline]
    pub fn rests_since(&self) -> Tick {
        self.last.arrive
    }

    /// The planner of the move that began last.
    #[inline]
    pub fn by(&self) -> Option<Kind> {
        self.by
    }

    /// The class with whose body the agent ends a move, or a stay, at `now`; `None`: its own class.
    #[inline]
    pub(super) fn ends_as(&self, now: Tick) -> Option<ClassId> {
        let rare = self.rare.as_ref().filter(|_| self.is_moving)?;
        rare.stays.map_or(rare.moves_as, |span| rare.stays_as.filter(|_| now < span.end))
    }

    /// The class with whose body the agent made its last move; `None`: its own class.
    #[inline]
    pub(super) fn moves_as(&self) -> Option<ClassId> {
        self.rare.as_ref()?.moves_as
    }

    /// The classes with whose bodies the agent makes its last move, and stays where it is held, if they are others.
    #[inline]
    fn bodies(&self) -> [Option<ClassId>; 2] {
        self.rare.as_ref().map_or([None; 2], |rare| [rare.moves_as, rare.stays_as])
    }

    /// Notes that the agent is a unit of another class than `class` from now on. It ends the move under way, and the
    /// place where it is held, with the body that it has.
    #[inline]
    pub(super) fn end_as(&mut self, class: ClassId) {
        let (is_move, stays) = (self.last.is_move(), self.stays().is_some());
        if is_move || stays {
            let rare = self.rare.get_or_insert_default();
            if is_move {
                rare.moves_as.get_or_insert(class);
            }
            if stays {
                rare.stays_as.get_or_insert(class);
            }
        }
    }

    /// Puts the agent on `node` at `now`.
    #[inline]
    pub fn put(&mut self, node: NodeId, now: Tick) {
        let is_reported = self.is_reported();
        *self = Self::standing(node, now);
        self.set_reported(is_reported);
    }

    /// Begins `leg`, planned by `by`, which occupies `swept`, in the tick before `next`. It is driven along
    /// `trajectory`.
    #[inline]
    pub fn begin(&mut self, leg: Leg, by: Option<Kind>, swept: &[Entry], trajectory: Option<Trajectory>, next: Tick) {
        (self.is_moving, self.last, self.by) = (true, leg, by);
        match &mut self.rare {
            Some(rare) => {
                rare.trajectory = trajectory;
                rare.pauses.clear();
                rare.is_done = false;
                (rare.moves_as, rare.stays_as) = (None, None);
            }
            None if trajectory.is_some() => self.rare = Some(Box::new(Rare { trajectory, ..Rare::default() })),
            None => {}
        }
        self.swept.set(swept, next);
    }

    /// Lets time go on to `now`. Returns the move that has ended, as it was planned: without its pauses.
    #[inline]
    pub fn pass(&mut self, now: Tick) -> Option<Leg> {
        self.swept.forget_before(now);
        if !self.is_moving {
            return None;
        }
        if self.stays_until().is_some() {
            self.end_stay(now);
            return None;
        }
        if self.last.arrive > now || self.awaits_report() {
            return None;
        }
        Some(self.end())
    }
}

impl Swept {
    /// Keeps of `entries` what ends after `now`.
    #[inline]
    fn set(&mut self, entries: &[Entry], now: Tick) {
        let is_left = |entry: &&Entry| entry.span.end > now;
        let mut left = entries.iter().filter(is_left);
        match (&mut *self, left.next(), left.next()) {
            (Self::Others(kept), first, _) if kept.capacity() > 0 => {
                kept.clear();
                kept.extend(first.into_iter().chain(entries.iter().filter(is_left).skip(1)));
            }
            (_, Some(only), None) => *self = Self::One(*only),
            _ => *self = Self::Others(entries.iter().filter(is_left).copied().collect()),
        }
    }

    /// Forgets what ends by `now`.
    #[inline]
    fn forget_before(&mut self, now: Tick) {
        match self {
            Self::One(entry) if entry.span.end <= now => *self = Self::Others(Vec::new()),
            Self::One(_) => {}
            Self::Others(entries) => entries.retain(|entry| entry.span.end > now),
        }
    }
}
