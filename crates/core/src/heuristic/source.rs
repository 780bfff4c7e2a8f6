//! Where strategies get the heuristic of each agent from.

use super::Heuristic;
use super::metric::{Metric, ToGoals};
use crate::fuel::{Fuel, Suspended};
use crate::goals::Goals;
use crate::space::{NodeId, SpaceGraph};

/// Makes, or keeps, a heuristic for each set of goals. CA* is cooperative search over [`ByMetric`], HCA* over
/// [`TrueDistances`](super::TrueDistances).
pub trait HeuristicSource<S: SpaceGraph> {
    /// The heuristic of one agent.
    type Heuristic<'a>: Heuristic<S>
    where
        Self: 'a;

    /// The heuristic to `goals`. `origin` is where the asking agent is.
    ///
    /// If the space has changed since its goals were first asked for, it may be that of an [earlier revision](Self::revision): it then is no
    /// lower bound, but never says that goals cannot be reached that can.
    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Self::Heuristic<'a>;

    /// Forgets all that was found: the next question is about another space. Strategies call it when they begin to solve
    /// an instance, since two spaces may have the same [revision](SpaceGraph::revision).
    fn forget(&mut self) {}

    /// Brings the heuristic to `goals` up to the present [revision](SpaceGraph::revision) of `space`, as far as an agent at `origin` needs it.
    ///
    /// # Errors
    /// That needs more fuel, or more memory. What was done is kept.
    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.heuristic(space, goals, origin).estimate(space, origin, fuel).map(drop)
    }

    /// Of which revision of `space` the heuristic to `goals` is; the present one, if there is none yet.
    fn revision(&self, space: &S, _goals: &Goals) -> u64 {
        space.revision()
    }

    /// Makes room in memory, after an estimate was [suspended](Suspended::OutOfMemory) for it: what was found for goals of which `needed` is
    /// not true may be given up. A source that suspends estimates for want of memory has to make room here, or whoever asks
    /// again and again never gets an answer.
    fn keep_only(&mut self, _needed: &mut dyn FnMut(&Goals) -> bool) {}

    /// How many bytes its distances take.
    fn bytes(&self) -> usize {
        0
    }

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
