//! Lower bounds on the cost of a plan: how long each agent would take alone.

use crate::footprint::{Footprint, MoveIn};
use crate::fuel::Fuel;
use crate::heuristic::{DistanceTable, Heuristic, Predecessors};
use crate::instance::Instance;
use crate::space::{Move, NodeId, SpaceGraph};
use crate::time::{Tick, Ticks};

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

    fn uniform_cost(&self) -> Option<Ticks> {
        self.footprint.uniform_duration(self.space)
    }
}

/// For each agent, the fewest ticks to one of its goals if it were alone; `None`: it cannot reach any.
///
/// The sum is a lower bound on the sum of costs of every plan, the maximum on the makespan. Takes one reverse search per
/// agent, up to its start.
pub fn fewest_ticks<S: SpaceGraph, F: Footprint<S>>(instance: &Instance<'_, S, F>) -> Vec<Option<Tick>> {
    let space = InTicks { space: instance.space(), footprint: instance.footprint() };
    let predecessors = Predecessors::from_space(&space);
    let ticks = |agent: &crate::Agent| {
        let mut table = DistanceTable::new(&space, predecessors.clone(), agent.goals.clone());
        // With unlimited fuel there is always an answer.
        table.estimate(&space, agent.start, &mut Fuel::unlimited()).unwrap_or(None)
    };
    instance.agents().iter().map(ticks).collect()
}
