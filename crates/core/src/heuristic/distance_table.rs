//! The true distance by an unaimed reverse search: breadth-first where all moves cost the same, else Dijkstra.

use super::predecessors::PredecessorsIn;
use super::{Heuristic, ReverseAStar, Zero};
use crate::cost::Cost;
use crate::fuel::{Fuel, OutOfFuel};
use crate::goals::Goals;
use crate::space::{NodeId, SpaceGraph};

/// The true distance to a set of goals, found outwards from them as far as has been asked.
///
/// Expands more nodes than [`ReverseAStar`], each for much less where the space has a
/// [uniform cost](SpaceGraph::uniform_cost); and it suits agents that come from everywhere.
#[derive(Debug)]
pub struct DistanceTable<S: SpaceGraph> {
    search: Search<S>,
}

#[derive(Debug)]
enum Search<S: SpaceGraph> {
    Uniform { frontier: BreadthFirst, cost: S::Cost, predecessors: PredecessorsIn<S> },
    Weighted(Box<ReverseAStar<S>>),
}

/// A breadth-first search that can be interrupted between any two expansions.
#[derive(Clone, Debug)]
struct BreadthFirst {
    /// Per node, one more than the number of moves to a goal; 0: not seen.
    steps: Vec<u32>,
    /// Every node seen, in order; those before `next` have been expanded.
    queue: Vec<NodeId>,
    next: usize,
}

impl BreadthFirst {
    #[inline]
    fn see(&mut self, node: NodeId, steps: u32) {
        if let Some(known @ 0) = self.steps.get_mut(node.index()) {
            *known = steps;
            self.queue.push(node);
        }
    }
}

impl<S: SpaceGraph> DistanceTable<S> {
    /// The distances to `goals`. Goals that do not exist are ignored. Nothing is searched yet.
    pub fn new(space: &S, predecessors: PredecessorsIn<S>, goals: Goals) -> Self {
        let Some(cost) = space.uniform_cost() else {
            let search = ReverseAStar::new(space, predecessors, goals, NodeId(0), Zero);
            return Self { search: Search::Weighted(Box::new(search)) };
        };
        let mut frontier = BreadthFirst { steps: vec![0; space.node_bound()], queue: Vec::new(), next: 0 };
        for goal in goals.nodes().iter().filter(|goal| space.contains(**goal)) {
            frontier.see(*goal, 1);
        }
        Self { search: Search::Uniform { frontier, cost, predecessors } }
    }

    /// How many nodes have been expanded.
    pub fn expanded(&self) -> u64 {
        match &self.search {
            Search::Uniform { frontier, .. } => frontier.next as u64,
            Search::Weighted(search) => search.expanded(),
        }
    }
}

impl<S: SpaceGraph> Heuristic<S> for DistanceTable<S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, OutOfFuel> {
        let (frontier, cost, predecessors) = match &mut self.search {
            Search::Uniform { frontier, cost, predecessors } => (frontier, *cost, predecessors),
            Search::Weighted(search) => return search.estimate(space, node, fuel),
        };
        loop {
            // Seen is certain: breadth-first, the first sight is along a shortest way.
            match frontier.steps.get(node.index()) {
                None => return Ok(None),
                Some(0) => {}
                Some(steps) => return Ok(Some(cost.times(steps - 1))),
            }
            let Some(&expanded) = frontier.queue.get(frontier.next) else {
                return Ok(None);
            };
            fuel.burn()?;
            frontier.next += 1;
            let steps = frontier.steps[expanded.index()].saturating_add(1);
            predecessors.for_each_move_into(space, expanded, |m| frontier.see(m.from, steps));
        }
    }
}
