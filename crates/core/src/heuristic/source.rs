//! Where strategies get the heuristic of each agent from.

use super::metric::{Metric, ToGoals};
use super::{Heuristic, ReverseSearch, TrueDistances};
use crate::goals::Goals;
use crate::space::{NodeId, SpaceGraph};

/// Makes, or keeps, a heuristic for each set of goals. CA* is cooperative search over [`ByMetric`], HCA* over
/// [`TrueDistances`].
pub trait HeuristicSource<S: SpaceGraph> {
    /// The heuristic of one agent.
    type Heuristic<'a>: Heuristic<S>
    where
        Self: 'a;

    /// The heuristic to `goals`. `origin` is where the asking agent is.
    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Self::Heuristic<'a>;

    /// Forgets all that was found: the next question is about another space. Strategies call it when they begin to solve
    /// an instance, since two spaces may have the same [revision](SpaceGraph::revision).
    fn forget(&mut self) {}

    /// How many nodes reverse searches have expanded so far.
    fn reverse_expanded(&self) -> u64 {
        0
    }
}

/// A metric for every agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ByMetric<M>(pub M);

impl<S: SpaceGraph, M: Metric<S> + Clone> HeuristicSource<S> for ByMetric<M> {
    type Heuristic<'a>
        = ToGoals<M>
    where
        Self: 'a;

    fn heuristic(&mut self, _space: &S, goals: &Goals, _origin: NodeId) -> ToGoals<M> {
        ToGoals { metric: self.0.clone(), goals: goals.clone() }
    }
}

impl<S: SpaceGraph, M: Metric<S> + Clone> HeuristicSource<S> for TrueDistances<S, M> {
    type Heuristic<'a>
        = &'a mut ReverseSearch<S, M>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> &'a mut ReverseSearch<S, M> {
        self.to(space, goals, origin)
    }

    fn forget(&mut self) {
        TrueDistances::forget(self);
    }

    fn reverse_expanded(&self) -> u64 {
        self.expanded()
    }
}
