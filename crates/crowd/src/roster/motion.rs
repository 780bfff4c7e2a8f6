//! The motion of an agent: where it is, the move under way, and what that occupies.

use giveway_core::{Entry, NodeId, Tick, Trajectory};

use crate::chain::Planner;
use crate::class_id::ClassId;
use crate::leg::Leg;

/// Where an agent is, and how it moves.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    node: NodeId,
    /// Whether `last` is under way: it takes longer than the tick in which it began.
    is_moving: bool,
    /// The last move, or the rest with which the agent appeared.
    last: Leg,
    /// What that move still occupies.
    swept: Vec<Entry>,
    /// The planner of that move.
    by: Option<Planner>,
    /// The class with whose body the agent ends the move under way, and the tick at which the move ends; `None`: its
    /// own class.
    moves_as: Option<(ClassId, Tick)>,
    /// Few moves are bent.
    trajectory: Option<Box<Trajectory>>,
}

impl Motion {
    /// An agent that stands on `node` at `now`.
    pub(super) fn standing(node: NodeId, now: Tick) -> Self {
        let last = Leg::resting(node, now, now);
        Self { node, is_moving: false, last, swept: Vec::new(), by: None, moves_as: None, trajectory: None }
    }

    /// Where the agent is; while a move is under way, where the move began.
    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    /// Whether a move is under way.
    #[inline]
    pub(crate) fn is_moving(&self) -> bool {
        self.is_moving
    }

    /// Where and when the agent can next decide.
    pub(crate) fn free_at(&self, now: Tick) -> (NodeId, Tick) {
        if self.is_moving { (self.last.to, self.last.arrive) } else { (self.node, now) }
    }

    /// The entries that the last move still occupies, as they were when the move began: later changes of the space or
    /// of the class do not count. Footprints may hold more than the ticks of the move.
    pub(crate) fn swept(&self) -> &[Entry] {
        &self.swept
    }

    /// How the agent drives its last move; `None`: straight on.
    pub(crate) fn trajectory(&self) -> Option<&Trajectory> {
        self.trajectory.as_deref()
    }

    /// The motion in the tick before `now`.
    pub(crate) fn last(&self, now: Tick) -> Leg {
        let is_of_the_past = self.last.arrive < now;
        if is_of_the_past { Leg::resting(self.node, now - 1, now) } else { self.last }
    }

    /// The planner of the move that began last.
    pub(crate) fn by(&self) -> Option<Planner> {
        self.by
    }

    /// The class with whose body the agent ends a move at `now`; `None`: its own class.
    pub(super) fn moves_as(&self, now: Tick) -> Option<ClassId> {
        self.moves_as.filter(|(_, until)| now < *until).map(|(class, _)| class)
    }

    /// Makes the agent end the move under way with the body of `class`.
    pub(super) fn end_as(&mut self, class: ClassId) {
        self.moves_as = self.is_moving.then_some((class, self.last.arrive));
    }

    /// Puts the agent on `node` at `now`.
    pub(crate) fn put(&mut self, node: NodeId, now: Tick) {
        *self = Self::standing(node, now);
    }

    /// Begins `leg`, planned by `by`. `sweep` appends what the move occupies, and returns its trajectory.
    pub(crate) fn begin(
        &mut self,
        leg: Leg,
        by: Option<Planner>,
        sweep: impl FnOnce(&mut Vec<Entry>) -> Option<Trajectory>,
    ) {
        (self.is_moving, self.last, self.by) = (true, leg, by);
        self.swept.clear();
        self.trajectory = sweep(&mut self.swept).map(Box::new);
    }

    /// Lets time go on to `now`. Returns the move that has ended.
    pub(crate) fn pass(&mut self, now: Tick) -> Option<Leg> {
        self.swept.retain(|entry| entry.span.end > now);
        if !self.is_moving || self.last.arrive > now {
            return None;
        }
        (self.is_moving, self.node) = (false, self.last.to);
        Some(self.last)
    }
}
