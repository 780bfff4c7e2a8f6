//! The field: the units that LaCAM plans together, and their possible steps.

use giveway_core::{ConflictRule, Entry, Fuel, NodeId, Suspended};

/// One step of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The node before.
    pub from: NodeId,
    /// The node after.
    pub to: NodeId,
    /// The position of the move among the moves out of `from`. `None`: the unit stays.
    pub action: Option<u32>,
}

impl Step {
    /// To stay on `node`.
    #[inline]
    pub fn stay(node: NodeId) -> Self {
        Self { from: node, to: node, action: None }
    }
}

/// The units of a knot, and their possible steps. Units are numbered from 0. Units of the same kind have the same
/// moves, and occupy the same by them.
///
/// Answers must not depend on when or how often a question is asked, but for [`is_taken_now`](Self::is_taken_now).
pub trait Field {
    /// How many units there are.
    fn units(&self) -> usize;

    /// Whether a unit may enter a place as another one leaves it.
    fn rule(&self) -> ConflictRule;

    /// The kind of `unit`.
    fn kind(&self, unit: usize) -> u32;

    /// Where `unit` is before the first step.
    fn start(&self, unit: usize) -> NodeId;

    /// Appends the moves of units of `kind` out of `from`: where each leads, and its position among the moves out of
    /// `from`. Staying is always possible, and not among them.
    fn moves(&self, kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>);

    /// Appends what units of `kind` occupy by `step`, begun at tick 0, and by the stay after it. Two units can take
    /// their steps at the same time if they occupy no cell at the same tick.
    fn occupies(&self, kind: u32, step: Step, entries: &mut Vec<Entry>);

    /// Whether agents outside the knot are in the way of `entries` of a move.
    fn is_blocked(&self, entries: &[Entry]) -> bool;

    /// Whether an agent outside the knot has `entry`, of a move, at this step, or after it. [`Stepper`](crate::Stepper)
    /// alone asks, at each step anew, in place of [`is_blocked`](Self::is_blocked). By default none ever has.
    fn is_taken_now(&self, entry: &Entry) -> bool {
        let _ = entry;
        false
    }

    /// Appends to `found` a lower bound on the way of `unit` from each of `nodes` to a goal as if it were alone, in
    /// thousandths of a step; 0 on a goal. `None`: no goal can be reached. A lower value is no error, but a worse
    /// guide.
    ///
    /// # Errors
    /// The fuel ran out before the distances were known.
    fn distances(
        &mut self,
        unit: usize,
        nodes: &[NodeId],
        found: &mut Vec<Option<u32>>,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended>;

    /// Reads ahead from memory what the [distances](Self::distances) of `units` need. [`Stepper`](crate::Stepper) calls
    /// this method for some units at once, before it asks for the distances of each. Reads nothing by default.
    fn touch(&self, units: &[u32]) {
        let _ = units;
    }

    /// Whether `unit` may end on `node`, at `distance` from its goals.
    fn is_goal(&self, unit: usize, node: NodeId, distance: u32) -> bool;
}
