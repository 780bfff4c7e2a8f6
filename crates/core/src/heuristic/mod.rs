//! Heuristics: lower bounds on the cost that is left.
//!
//! [`Zero`] knows nothing; [`Manhattan`], [`Octile`] and [`Euclidean`] know positions; [`DistanceTable`] and
//! [`ReverseAStar`] know the true distance, and [`TrueDistances`] shares them among agents.

mod breadth_first;
mod distance_table;
mod metric;
mod predecessors;
mod priced;
mod reverse_a_star;
mod reverse_search;
mod source;
mod true_distance;
mod true_distances;

pub use distance_table::DistanceTable;
pub use metric::{Euclidean, Manhattan, Metric, Octile, ToGoals, Zero};
pub use predecessors::{Predecessors, PredecessorsIn};
pub use priced::{PricedDistance, PricedDistances};
pub use reverse_a_star::ReverseAStar;
pub use source::{ByMetric, HeuristicSource};
pub use true_distance::TrueDistance;
pub use true_distances::TrueDistances;

use crate::fuel::{Fuel, Suspended};
use crate::space::{NodeId, SpaceGraph};

/// A lower bound on the cost from a node to the goals it was made for.
///
/// # Contract
/// Consistent: the estimate of a node is at most the cost of any move out of it plus the estimate of where that move
/// leads; and zero on goals. The same node gets the same estimate as long as the space does not change.
pub trait Heuristic<S: SpaceGraph> {
    /// The estimate for `node`; `None` if the goals cannot be reached from it.
    ///
    /// # Errors
    /// The estimate needs more expansions than there is fuel, or more memory than there may be. What was done is kept, so that
    /// asking again with more goes on from there.
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended>;
}

impl<S: SpaceGraph, H: Heuristic<S> + ?Sized> Heuristic<S> for &mut H {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        (**self).estimate(space, node, fuel)
    }
}
