//! Sources of heuristics: strategies ask them for the heuristic of each agent.

use super::metric::{Metric, ToGoals};
use crate::estimate::Heuristic;
use crate::space::SpaceGraph;
use crate::vocabulary::{Fuel, Goals, NodeId, Suspended};

/// Makes, or keeps, a heuristic for each set of goals. CA* is cooperative search with [`ByMetric`]; HCA* is cooperative
/// search with [`TrueDistances`](super::TrueDistances).
pub trait HeuristicSource<S: SpaceGraph> {
    /// The heuristic of one agent.
    type Heuristic<'a>: Heuristic<S>
    where
        Self: 'a;

    /// The heuristic to `goals`. `origin` is the node of the asking agent.
    ///
    /// If the space has changed since the goals were first asked for, the heuristic may be of an [earlier
    /// revision](Self::revision). It is then no lower bound, but it never calls reachable goals unreachable.
    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Self::Heuristic<'a>;

    /// Forgets everything found: the next question is about another space. Strategies call this method before they
    /// solve an instance, since two spaces may have equal [revisions](SpaceGraph::revision).
    fn forget(&mut self) {}

    /// Tells which estimates will be asked for next: for goals, from the origin of the asking agent, in this order. A
    /// source may find them ahead, on several threads. This changes neither answers nor counts.
    /// [`TrueDistances`](super::TrueDistances) does so with the feature `rayon`, and says when.
    fn prepare(&mut self, _space: &S, _asks: &[(&Goals, NodeId)]) {}

    /// Brings the heuristic to `goals` up to the present [revision](SpaceGraph::revision) of `space`, as far as an
    /// agent at `origin` needs it.
    ///
    /// # Errors
    /// The work needs more fuel or more memory. The work done is kept.
    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.heuristic(space, goals, origin).estimate(space, origin, fuel).map(drop)
    }

    /// The revision of `space` for which the heuristic to `goals` was made; the present one, if there is no such
    /// heuristic yet.
    fn revision(&self, space: &S, _goals: &Goals) -> u64 {
        space.revision()
    }

    /// Makes room in memory after an estimate was [suspended](Suspended::OutOfMemory): distances to goals that are not
    /// `needed` may be given up. A source that suspends estimates for want of memory must make room here; otherwise
    /// those estimates are suspended for ever.
    fn keep_only(&mut self, _needed: &mut dyn FnMut(&Goals) -> bool) {}

    /// Tells that no agent has `goals` any more. Their distances may be given up, at once or later. The default keeps
    /// them.
    fn release(&mut self, _goals: &Goals) {}

    /// How many bytes its distances take.
    fn bytes(&self) -> usize {
        0
    }

    /// The number of nodes that reverse searches have expanded so far.
    fn reverse_expanded(&self) -> u64 {
        0
    }
}

/// The given metric for every agent.
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

/// A borrowed source outlives the strategy that asks it: what has been found can be used afterwards.
impl<S: SpaceGraph, H: HeuristicSource<S> + ?Sized> HeuristicSource<S> for &mut H {
    type Heuristic<'a>
        = H::Heuristic<'a>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> H::Heuristic<'a> {
        (**self).heuristic(space, goals, origin)
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn prepare(&mut self, space: &S, asks: &[(&Goals, NodeId)]) {
        (**self).prepare(space, asks);
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        (**self).renew(space, goals, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        (**self).revision(space, goals)
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        (**self).keep_only(needed);
    }

    fn release(&mut self, goals: &Goals) {
        (**self).release(goals);
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn reverse_expanded(&self) -> u64 {
        (**self).reverse_expanded()
    }
}
