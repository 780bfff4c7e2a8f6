//! The field: the units that LaCAM plans together, and their possible steps.

use giveway_core::{ConflictRule, Fuel, NodeId, Suspended};

/// One step of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step {
    /// The node before.
    pub(crate) from: NodeId,
    /// The node after.
    pub(crate) to: NodeId,
    /// The position of the move among the moves out of `from`. `None`: the unit stays.
    pub(crate) action: Option<u32>,
}

impl Step {
    /// To stay on `node`.
    pub(crate) fn stay(node: NodeId) -> Self {
        Self { from: node, to: node, action: None }
    }
}

/// The units of a knot, and their possible steps. Units are numbered from 0.
///
/// Answers must not depend on when or how often a question is asked. The question asked most is for conflicts, many
/// times for each pair of steps.
pub(crate) trait Field {
    /// The effect of a step on other units. The search asks once for each unit and step, and remembers the answer.
    type Doing;

    /// How many units there are.
    fn units(&self) -> usize;

    /// Whether a unit may enter a place as another one leaves it.
    fn rule(&self) -> ConflictRule;

    /// Where `unit` is before the first step.
    fn start(&self, unit: usize) -> NodeId;

    /// Appends the moves of `unit` out of `from`: where each leads, and its position among the moves out of `from`.
    /// Staying is always possible, and not among them.
    fn moves(&self, unit: usize, from: NodeId, found: &mut Vec<(NodeId, u32)>);

    /// A lower bound on the way of `unit` from `node` to a goal as if it were alone, in thousandths of a step; 0 on a
    /// goal. `None`: no goal can be reached. A lower value is no error, but a worse guide.
    ///
    /// # Errors
    /// The fuel ran out before the distance was known.
    fn distance(&mut self, unit: usize, node: NodeId, fuel: &mut Fuel) -> Result<Option<u32>, Suspended>;

    /// Whether `node` is one of the goals of `unit`.
    fn is_goal(&self, unit: usize, node: NodeId) -> bool;

    /// The effect of `step` of `unit`.
    fn doing(&mut self, unit: usize, step: Step) -> Self::Doing;

    /// Whether two units cannot take these steps at the same time. Symmetric.
    fn conflict(&self, a: &Self::Doing, b: &Self::Doing) -> bool;

    /// Whether agents outside the knot forbid this as the `at`-th step, from 0. The answer does not depend on `at` from
    /// [`settled`](Self::settled) on.
    fn is_blocked(&self, doing: &Self::Doing, at: u32) -> bool;

    /// The step from which on nothing changes outside the knot.
    fn settled(&self) -> u32;
}
