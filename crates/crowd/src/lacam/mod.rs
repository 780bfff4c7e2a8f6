//! LaCAM: joint plans for the few units of a knot, which block each other.
//!
//! Planning one after the other is quick and incomplete: two units that meet in a corridor with a bay can only be planned together.
//! [`plan_jointly`] does that for up to about sixteen units, in synchronous steps. It knows nothing of crowds: it asks a [`Field`] which steps there
//! are, and which steps exclude each other.
//!
//! The search is LaCAM (Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", AAAI 2023). It searches configurations.
//! Successors are generated under constraints that are added one at a time, so that in the end every successor of every configuration is generated.
//! PIBT finds the successor for a set of constraints (Okumura et al., "Priority Inheritance with Backtracking for Iterative Multi-agent Path
//! Finding", Artificial Intelligence 2022). The plan is improved as in LaCAM* (Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent
//! Pathfinding", IJCAI 2023): a new transition between two known configurations makes the ways to all later ones cheaper.
//!
//! Differs from the papers: there the next configuration is the last one found. Here the search dives from the configuration under which the
//! fewest constraints were tried (among equals, the one with the least cost so far plus estimate). It goes on while it finds new
//! configurations, and then starts from another one. Depth first, some dense knots of sixteen took more than a million configurations that take a
//! few hundred by diving, and the improvement kept changing the end of the first plan.

mod choices;
mod generator;
mod search;
#[cfg(test)]
mod tests;

use giveway_core::{ConflictRule, Fuel, NoPath, NodeId, Suspended};

use search::Search;

/// What a unit does in one step.
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
/// Answers must not depend on when or how often a question is asked. The question asked most is for conflicts, many times for each pair of steps.
pub(crate) trait Field {
    /// The effect of a step on other units. The search asks once for each unit and step, and remembers the answer.
    type Doing;

    /// How many units there are.
    fn units(&self) -> usize;

    /// Whether a unit may enter a place as another one leaves it.
    fn rule(&self) -> ConflictRule;

    /// Where `unit` is before the first step.
    fn start(&self, unit: usize) -> NodeId;

    /// Appends the moves of `unit` out of `from`: where each leads, and its position among the moves out of `from`. Staying is always possible, and
    /// not among them.
    fn moves(&self, unit: usize, from: NodeId, found: &mut Vec<(NodeId, u32)>);

    /// A lower bound on the way of `unit` from `node` to a goal as if it were alone, in thousandths of a step; 0 on a goal. `None`: no goal can be
    /// reached. A lower value is no error, but a worse guide.
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

    /// Whether agents outside the knot forbid this as the `at`-th step, from 0. The answer does not depend on `at` from [`settled`](Self::settled)
    /// on.
    fn is_blocked(&self, doing: &Self::Doing, at: u32) -> bool;

    /// The step from which on nothing changes outside the knot.
    fn settled(&self) -> u32;
}

/// A joint plan for the units of a knot, to their goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JointPlan {
    /// The steps of each unit, equally many for all. After them every unit stays for ever on a goal, and nothing changes any more.
    pub(crate) steps: Vec<Vec<Step>>,
    /// The steps of all units together; to stay on a goal counts as none.
    pub(crate) sum_of_costs: u64,
    /// Whether no plan has a smaller sum of costs, as far as the search could tell.
    pub(crate) is_optimal: bool,
    /// The configurations generated, known ones and failed attempts included.
    pub(crate) expanded: u64,
}

/// Steps for all units of `field` at once, from their starts to a configuration in which each is on one of its goals, for ever.
///
/// `fuel` is for the first plan, `improvement` for making it cheaper; each generated configuration is one expansion. With enough of both the
/// plan is optimal. Deterministic. Memory grows with the fuel burnt.
///
/// # Errors
/// [`NoPath::Exhausted`] if there is no plan, [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel` ran out before that was decided.
pub(crate) fn plan_jointly<F: Field>(
    field: &mut F,
    fuel: &mut Fuel,
    improvement: &mut Fuel,
) -> Result<JointPlan, NoPath> {
    let mut search = Search::new(field, fuel)?;
    search.solve(fuel)?;
    let is_optimal = search.improve(improvement);
    search.plan(is_optimal).ok_or(NoPath::Exhausted)
}
