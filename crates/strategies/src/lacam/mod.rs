//! LaCAM: the few units of a knot, which block each other, planned together.
//!
//! Planning one after the other, each around those before it, is quick and incomplete: two that meet in a corridor with a bay
//! can only be planned together. [`plan_jointly`] does that, for at most some sixteen units, in synchronous steps. It knows nothing of
//! crowds: it asks a [`Field`] what there is to do, and what excludes what.
//!
//! The search is LaCAM (Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", AAAI 2023): over
//! configurations, whose successors are generated under constraints that are added one at a time, so that in the end every successor of
//! every configuration was generated. Which successor a set of constraints gives, PIBT says (Okumura et al., "Priority Inheritance with
//! Backtracking for Iterative Multi-agent Path Finding", Artificial Intelligence 2022). What was found is improved as in LaCAM*
//! (Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", IJCAI 2023): whenever a way between two known
//! configurations turns up, ways to all that follows are made cheaper by it.
//!
//! One thing is different. In the papers the next configuration is the last one found. Here the search dives: from the configuration
//! under which the fewest constraints were tried (of those, the one with the least cost so far and estimate) on as long as what
//! comes is new, and then from another. Depth first, some dense knots of sixteen took more than a million configurations that take some
//! hundred by diving, and the improvement kept changing the end of the first plan.

mod choices;
mod generator;
mod search;
#[cfg(test)]
mod tests;

use giveway_core::{Fuel, NoPath, NodeId, Suspended};

use search::Search;

/// What a unit does in one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step {
    /// Where it is before.
    pub(crate) from: NodeId,
    /// Where it is after.
    pub(crate) to: NodeId,
    /// The position of the move among the moves out of `from`. `None`: it stays.
    pub(crate) action: Option<u32>,
}

impl Step {
    /// Stays on `node`.
    pub(crate) fn stay(node: NodeId) -> Self {
        Self { from: node, to: node, action: None }
    }
}

/// The units of a knot, and what they may do. Units are numbered from 0.
///
/// Answers must not depend on when or how often a question is asked. Conflicts are asked for most, many times for each pair of
/// steps.
pub(crate) trait Field {
    /// What a unit does by a step, as far as that matters to others. The search asks once for each unit and step, and remembers it.
    type Doing;

    /// How many units there are.
    fn units(&self) -> usize;

    /// Where `unit` is before the first step.
    fn start(&self, unit: usize) -> NodeId;

    /// Appends the moves of `unit` out of `from`: where each leads, and its position among the moves out of `from`. Staying is
    /// always on offer, and not among them.
    fn moves(&self, unit: usize, from: NodeId, found: &mut Vec<(NodeId, u32)>);

    /// How many thousandths of a step `unit` needs at least from `node` to a goal, were it alone; 0 on a goal. `None`: it cannot reach
    /// any. Fewer are no error, but a worse guide.
    ///
    /// # Errors
    /// The fuel ran out before that was known.
    fn distance(&mut self, unit: usize, node: NodeId, fuel: &mut Fuel) -> Result<Option<u32>, Suspended>;

    /// Whether `node` is one of the goals of `unit`.
    fn is_goal(&self, unit: usize, node: NodeId) -> bool;

    /// What `unit` does by `step`.
    fn doing(&mut self, unit: usize, step: Step) -> Self::Doing;

    /// Whether two units cannot take these steps at the same time. Symmetric.
    fn conflict(&self, a: &Self::Doing, b: &Self::Doing) -> bool;

    /// Whether somebody outside the knot keeps a unit from doing this as the `at`-th one, from 0. The same for all `at` from
    /// [`settled`](Self::settled) on.
    fn is_blocked(&self, doing: &Self::Doing, at: u32) -> bool;

    /// From which step on nothing changes outside the knot.
    fn settled(&self) -> u32;
}

/// How the units of a knot get to their goals, together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JointPlan {
    /// The steps of each unit, the same number for all. After them everyone stays for ever, on a goal, and nothing changes any more.
    pub(crate) steps: Vec<Vec<Step>>,
    /// How many steps are taken, by all units together; to stay on a goal is none.
    pub(crate) sum_of_costs: u64,
    /// Whether no plan has a smaller sum of costs, as far as the search could tell.
    pub(crate) is_optimal: bool,
    /// How many configurations were generated, those that were known already and failed attempts included.
    pub(crate) expanded: u64,
}

/// Steps for all units of `field` at once, from their starts to a configuration in which each is on one of its goals, for ever.
///
/// `fuel` is for the first plan, `improvement` for making it cheaper; each configuration that is generated is one expansion. With
/// enough of both the plan is optimal. Deterministic. Memory grows with what is burnt.
///
/// # Errors
/// [`NoPath::Exhausted`] if there is no plan, [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel` ended before that was decided.
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
