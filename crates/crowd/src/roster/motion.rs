//! The motion of an agent: where it is, the move under way, and what that occupies.

use giveway_core::{Entry, NodeId, Tick, Trajectory};

use crate::chain::Planner;
use crate::class_id::ClassId;
use crate::leg::Leg;

/// Where an agent is, and how it moves.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    node: NodeId,
    /// The move under way, if it takes longer than the tick in which it began.
    under_way: Option<Leg>,
    swept: Vec<Entry>,
    /// The class with whose body the agent ends the move under way, and the tick at which the move ends; `None`: its
    /// own class.
    moves_as: Option<(ClassId, Tick)>,
    trajectory: Option<Trajectory>,
    last: Leg,
    by: Option<Planner>,
}

impl Motion {
    /// An agent that stands on `node` at `now`.
    pub(super) fn standing(node: NodeId, now: Tick) -> Self {
        let last = Leg::resting(node, now, now);
        Self { node, under_way: None, swept: Vec::new(), moves_as: None, trajectory: None, last, by: None }
    }

    /// Where the agent is; while a move is under way, where the move began.
    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    /// Whether a move is under way.
    pub(crate) fn is_moving(&self) -> bool {
        self.under_way.is_some()
    }

    /// Where and when the agent can next decide.
    pub(crate) fn free_at(&self, now: Tick) -> (NodeId, Tick) {
        self.under_way.map_or((self.node, now), |leg| (leg.to, leg.arrive))
    }

    /// The entries that the last move still occupies, as they were when the move began: later changes of the space or
    /// of the class do not count. Footprints may hold more than the ticks of the move.
    pub(crate) fn swept(&self) -> &[Entry] {
        &self.swept
    }

    /// How the agent drives its last move; `None`: straight on.
    pub(crate) fn trajectory(&self) -> Option<&Trajectory> {
        self.trajectory.as_ref()
    }

    /// The motion in the tick that has passed.
    pub(crate) fn last(&self) -> &Leg {
        &self.last
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
        self.moves_as = self.under_way.map(|leg| (class, leg.arrive));
    }

    /// Puts the agent on `node` at `now`.
    pub(crate) fn put(&mut self, node: NodeId, now: Tick) {
        *self = Self::standing(node, now);
    }

    /// Begins `leg`, planned by `by`, along `trajectory`; `sweep` appends what the move occupies.
    pub(crate) fn begin(
        &mut self,
        leg: Leg,
        by: Option<Planner>,
        trajectory: Option<Trajectory>,
        sweep: impl FnOnce(&mut Vec<Entry>),
    ) {
        (self.under_way, self.last, self.by, self.trajectory) = (Some(leg), leg, by, trajectory);
        self.swept.clear();
        sweep(&mut self.swept);
    }

    /// Begins no move at `now`: a move under way goes on, or else the agent stays as planned by `by`.
    pub(crate) fn go_on(&mut self, by: Option<Planner>, now: Tick) {
        self.by = by;
        self.last = self.under_way.unwrap_or(Leg::resting(self.node, now, now + 1));
    }

    /// Lets time go on to `now`. Returns the move that has ended.
    pub(crate) fn pass(&mut self, now: Tick) -> Option<Leg> {
        self.swept.retain(|entry| entry.span.end > now);
        let ended = self.under_way.take_if(|leg| leg.arrive <= now)?;
        self.node = ended.to;
        Some(ended)
    }
}
