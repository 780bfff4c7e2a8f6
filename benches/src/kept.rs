//! HCA* that does not forget the distances between two solves of the same instance: what is timed is the space-time
//! search.

use giveway::heuristic::{HeuristicSource, TrueDistance, TrueDistances, Zero};
use giveway::strategies::{Cooperative, Restart};
use giveway::{Goals, NodeId, SpaceGraph};

/// HCA* without restarts, with kept distances.
pub type WarmHca<S> = Cooperative<Kept<S>>;

/// True distances that outlive a solve.
pub struct Kept<S: SpaceGraph>(TrueDistances<S, Zero>);

/// HCA* in one round; the second solve of an instance finds all distances known.
pub fn warm_hca<S: SpaceGraph>() -> WarmHca<S> {
    Cooperative::new(Kept(TrueDistances::tables())).restart(Restart::Never)
}

impl<S: SpaceGraph> HeuristicSource<S> for Kept<S> {
    type Heuristic<'a>
        = TrueDistance<'a, S, Zero>
    where
        S: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Self::Heuristic<'a> {
        self.0.heuristic(space, goals, origin)
    }

    fn reverse_expanded(&self) -> u64 {
        self.0.reverse_expanded()
    }
}
