//! One kind of unit under every strategy.

use giveway_check::{Checker, Violation};
use giveway_core::heuristic::{ByMetric, Metric, Zero};
use giveway_core::{Agent, AgentId, ConflictRule, CostLayer, Footprint, PlanIn, SpaceGraph, SyncSpace};
use giveway_crowd::{Chain, CrowdSettings, CrowdSolver, Lra};
use giveway_distance::TrueDistances;
use giveway_lanes::{DirectionRules, EdgeDirectionMap};
use giveway_strategies::{Cooperative, Instance, SolutionIn, fewest_ticks};

use super::guide::Guide;
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
        // Two instances of generic code for five strategies.
        let cooperative = |guide: Guide<S, M>| Cooperative::new(guide).solve(&instance).map_details(|_| ());
        let crowd = |settings: CrowdSettings, layer: &(dyn CostLayer<S> + Sync)| {
            let tables = TrueDistances::<S, Zero>::tables();
            CrowdSolver::new(settings).solve_under(&instance, tables, layer, &mut ()).map_details(|_| ())
        };
        let outcome = |strategy: TrialStrategy| {
            let solution: SolutionIn<S> = match strategy {
                TrialStrategy::Ca => cooperative(Guide::Metric(ByMetric(metric.clone()))),
                TrialStrategy::Hca => cooperative(Guide::Distances(TrueDistances::tables())),
                TrialStrategy::Whca => crowd(CrowdSettings::new(), &()),
                TrialStrategy::Lra => crowd(CrowdSettings::new().chain(Lra::new(seed)), &()),
                TrialStrategy::DirectionMap => {
                    let map = EdgeDirectionMap::blank(space, DirectionRules::default());
                    crowd(CrowdSettings::new().chain(Chain::followers(seed)), &map)
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
