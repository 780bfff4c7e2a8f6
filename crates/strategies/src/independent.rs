//! Independent planning: every agent plans as if alone.

use crate::instance::Instance;
use giveway_core::heuristic::HeuristicSource;
use giveway_core::store::Unreserved;
use giveway_core::{AgentId, AtEnd, Claim, Footprint, Path, Plan, Query, Scene, SpaceGraph};

use crate::no_plan::NoPlan;
use crate::solution::{Solution, SolutionIn, Unplanned};
use crate::watch::Watch;
use crate::watched_search::WatchedSearch;

/// Every agent plans as if it were alone. The paths are as cheap as possible, but agents may collide: a baseline to
/// compare cooperative planning with.
#[derive(Clone, Debug)]
pub struct Independent<H> {
    heuristics: H,
}

impl<H> Independent<H> {
    /// Planning guided by `heuristics`.
    pub fn new(heuristics: H) -> Self {
        Self { heuristics }
    }

    /// Plans a cheapest path for every agent that can reach a goal.
    pub fn solve<S: SpaceGraph, F: Footprint<S>>(&mut self, instance: &Instance<'_, S, F>) -> SolutionIn<S>
    where
        H: HeuristicSource<S>,
    {
        self.solve_watched(instance, &mut ())
    }

    /// Like [`solve`](Self::solve), with a `watch` that may stop the planning.
    pub fn solve_watched<S: SpaceGraph, F: Footprint<S>>(
        &mut self,
        instance: &Instance<'_, S, F>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S>
    where
        H: HeuristicSource<S>,
    {
        let (space, footprint) = (instance.space(), instance.footprint());
        let scene = Scene { space, footprint, reservations: &Unreserved, layer: &() };
        let mut search = WatchedSearch::new(instance.agents().len(), watch);
        search.begin_round();
        self.heuristics.forget();
        let reverse_before = self.heuristics.reverse_expanded();
        let mut unplanned = Vec::new();
        let mut paths = Vec::with_capacity(instance.agents().len());
        for (agent, id) in instance.agents().iter().zip((0..).map(AgentId)) {
            let query = Query::new(Claim::plain(id), agent.start, agent.goals.clone());
            let path = search.path(&scene, query, &mut self.heuristics);
            paths.push(path.unwrap_or_else(|why| {
                let why = if why == NoPlan::Stopped { why } else { NoPlan::Unreachable };
                unplanned.push(Unplanned { agent: id, why });
                Path::standing(agent.start, 0, AtEnd::Stay)
            }));
        }
        Solution {
            plan: Plan { paths },
            unplanned,
            expansions: search.expansions,
            reverse_expansions: self.heuristics.reverse_expanded() - reverse_before,
            details: (),
        }
    }
}
