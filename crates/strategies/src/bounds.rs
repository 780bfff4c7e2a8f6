//! Lower bounds on the cost of a plan: the time that each agent would take alone.

use crate::instance::Instance;
use giveway_core::Cost as _;
use giveway_core::heuristic::{Euclidean, Metric};
use giveway_core::{
    Agent, Embedding, Facts, Footprint, Fuel, Heuristic, Move, MoveIn, NodeId, SpaceGraph, Tick, Ticks,
};
use giveway_distance::{DistanceTable, Predecessors, ReverseAStar, TrueDistances};

/// A space whose moves cost the ticks that a footprint takes for them.
struct InTicks<'a, S, F> {
    space: &'a S,
    footprint: &'a F,
}

impl<S: SpaceGraph, F: Footprint<S>> InTicks<'_, S, F> {
    fn price(&self, m: &MoveIn<S>) -> Option<Move<S::Action, Ticks>> {
        let Move { from, to, action, length, .. } = *m;
        Some(Move { from, to, action, cost: self.footprint.duration(self.space, m)?, length })
    }
}

impl<S: SpaceGraph, F: Footprint<S>> SpaceGraph for InTicks<'_, S, F> {
    type Action = S::Action;
    type Cost = Ticks;

    fn node_bound(&self) -> usize {
        self.space.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<S::Action, Ticks>> {
        self.space.moves(from).filter_map(|m| self.price(&m))
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<S::Action, Ticks>>> {
        Some(self.space.moves_into(to)?.filter_map(|m| self.price(&m)))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.space.contains(node)
    }

    fn facts(&self) -> Facts<'_, Ticks> {
        let Facts { uniform_length, step, period, origins, .. } = self.space.facts();
        Facts {
            uniform_cost: self.footprint.uniform_duration(self.space),
            uniform_length,
            step,
            // Only distances are asked.
            crossing_bound: 0,
            period,
            origins: origins.filter(|_| self.footprint.makes_all_moves(self.space)),
        }
    }
}

impl<S: Embedding, F: Footprint<S>> Embedding for InTicks<'_, S, F> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.space.position(node)
    }
}

/// For each agent, the fewest ticks that it would need to reach one of its goals without other agents. `None`: the
/// agent can reach no goal.
///
/// The sum of these numbers is a lower bound on the sum of costs of every plan; the largest of them is a lower bound on
/// the makespan. Takes one reverse search per agent, up to the agent's start.
pub fn fewest_ticks<S: SpaceGraph, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> Vec<Option<Tick>> {
    let space = InTicks { space: instance.space(), footprint: instance.footprint() };
    let predecessors = Predecessors::from_space(&space);
    instance.agents().iter().map(|agent| by_table(&space, &predecessors, agent)).collect()
}

/// Like [`fewest_ticks`], with equal answers, but with less work.
///
/// `distances` must belong to the space of `instance`. If all moves cost equally much and take equally long, the
/// answers come from `distances`. Most of these answers are already known if a strategy has solved the instance by
/// `distances`. If durations differ, each answer comes from a reverse A* search that is aimed at the agent's start by
/// the positions of the space.
pub fn fewest_ticks_by<S, F, M>(instance: &Instance<'_, S, F>, distances: &mut TrueDistances<S, M>) -> Vec<Option<Tick>>
where
    S: Embedding,
    F: Footprint<S>,
    M: Metric<S> + Clone,
{
    let (plain, agents) = (instance.space(), instance.agents().iter());
    let space = InTicks { space: plain, footprint: instance.footprint() };
    let predecessors = Predecessors::from_space(&space);
    match (space.facts().uniform_cost, plain.facts().uniform_cost) {
        (Some(duration), Some(_)) => agents
            .map(|agent| match distances.to(plain, &agent.goals, agent.start).moves(plain, agent.start) {
                Some(moves) => Some(duration.times(moves)),
                None => by_table(&space, &predecessors, agent),
            })
            .collect(),
        (Some(_), None) => agents.map(|agent| by_table(&space, &predecessors, agent)).collect(),
        (None, _) => {
            let metric = Euclidean::from_space(&space);
            let aimed =
                |agent: &Agent| ReverseAStar::new(predecessors.clone(), agent.goals.clone(), agent.start, metric);
            agents.map(|agent| ticks(&space, aimed(agent), agent)).collect()
        }
    }
}

/// An agent's ticks, by an unaimed search.
fn by_table<S: SpaceGraph, F: Footprint<S>>(
    space: &InTicks<'_, S, F>,
    predecessors: &Predecessors<S::Action, Ticks>,
    agent: &Agent,
) -> Option<Tick> {
    ticks(space, DistanceTable::new(space, predecessors.clone(), agent.goals.clone()), agent)
}

fn ticks<S: SpaceGraph<Cost = Ticks>>(space: &S, mut search: impl Heuristic<S>, agent: &Agent) -> Option<Tick> {
    // With unlimited fuel there is always an answer.
    search.estimate(space, agent.start, &mut Fuel::unlimited()).unwrap_or(None)
}
