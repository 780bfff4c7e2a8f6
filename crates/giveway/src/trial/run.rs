//! One kind of unit under every strategy.

use giveway_check::{Checker, Violation};
use giveway_core::heuristic::{ByMetric, Metric, TrueDistances, Zero};
use giveway_core::{Agent, AgentId, ConflictRule, Footprint, PlanIn, SpaceGraph, SyncSpace};
use giveway_crowd::{Chain, CrowdSettings, CrowdSolver, Lra};
use giveway_lanes::{DirectionRules, EdgeDirectionMap};
use giveway_strategies::{Cooperative, Hca, Instance, SolutionIn, fewest_ticks};

use super::table::{Outcome, TrialStrategy};

/// Agents of one kind in a space.
pub(super) struct Run<'a, S, F, M> {
    pub(super) space: &'a S,
    pub(super) footprint: &'a F,
    pub(super) metric: M,
    pub(super) agents: Vec<Agent>,
    pub(super) seed: u64,
}

impl<S, F, M> Run<'_, S, F, M>
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
    M: Metric<S> + Clone + Send + Sync,
{
    /// The outcome of each strategy. `check` names the faults of a plan.
    pub(super) fn outcomes(self, check: impl Fn(&[Agent], &PlanIn<S>) -> Vec<Found>) -> Result<Vec<Outcome>, String> {
        let Self { space, footprint, ref metric, seed, .. } = self;
        let instance = Instance::new(space, footprint, self.agents.clone()).map_err(|error| error.to_string())?;
        if instance.agents().is_empty() {
            return Err("no two places from which units can come to each other".to_owned());
        }
        let bound = fewest_ticks(&instance).into_iter().flatten().map(u64::from).sum::<u64>();
        let outcome = |strategy: TrialStrategy| {
            let solution: SolutionIn<S> = match strategy {
                TrialStrategy::Ca => Cooperative::new(ByMetric(metric.clone())).solve(&instance).map_details(|_| ()),
                TrialStrategy::Hca => Hca::hca_star().solve(&instance).map_details(|_| ()),
                TrialStrategy::Whca => CrowdSolver::whca_star().solve(&instance).map_details(|_| ()),
                TrialStrategy::Lra => {
                    CrowdSolver::new(CrowdSettings::new().chain(Lra::new(seed))).solve(&instance).map_details(|_| ())
                }
                TrialStrategy::DirectionMap => {
                    let map = EdgeDirectionMap::blank(space, DirectionRules::default());
                    let solver = CrowdSolver::new(CrowdSettings::new().chain(Chain::followers(seed)));
                    let tables = TrueDistances::<S, Zero>::tables();
                    solver.solve_under(&instance, tables, &map, &mut ()).map_details(|_| ())
                }
            };
            let arrived = instance.agents().len() - solution.unplanned.len();
            #[allow(clippy::cast_precision_loss)] // a ratio for people
            let ratio = solution.plan.sum_of_costs() as f64 / bound.max(1) as f64;
            let late: Vec<AgentId> = solution.unplanned.iter().map(|unplanned| unplanned.agent).collect();
            // These two leave agents without a path where they stand, and others pass there.
            let stands =
                |agent: &AgentId| matches!(strategy, TrialStrategy::Ca | TrialStrategy::Hca) && late.contains(agent);
            let found = check(instance.agents(), &solution.plan).into_iter();
            let violations = found.filter(|found| !found.agents.iter().any(stands)).map(|found| found.what).collect();
            Outcome {
                strategy,
                agents: instance.agents().len(),
                arrived,
                cost_over_bound: late.is_empty().then_some(ratio),
                violations,
            }
        };
        Ok(TrialStrategy::ALL.into_iter().map(outcome).collect())
    }
}

/// A finding of a checker.
pub(super) struct Found {
    pub(super) agents: Vec<AgentId>,
    pub(super) what: String,
}

/// The violations that the checker finds in `plan`, if they `count`. Agents that do not arrive are no violation.
pub(super) fn violations<S: SpaceGraph>(
    space: &S,
    rule: ConflictRule,
    agents: &[Agent],
    plan: &PlanIn<S>,
    counts: impl Fn(&Violation) -> bool,
) -> Vec<Found> {
    let found = Checker::new(space, rule).check(agents, plan);
    let found = found.into_iter().filter(|violation| !matches!(violation, Violation::WrongGoal { .. }));
    let tell = |violation: Violation| Found { agents: violation.agents().to_vec(), what: violation.to_string() };
    found.filter(counts).map(tell).collect()
}
