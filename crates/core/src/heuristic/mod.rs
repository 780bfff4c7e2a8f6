//! Heuristics: lower bounds on the cost that is left.
//!
//! [`Zero`] always estimates 0. [`Manhattan`], [`Octile`] and [`Euclidean`] use positions. [`Landmarks`] need none: they use distances to a few
//! nodes. [`DistanceTable`] and [`ReverseAStar`] find true distances, and [`TrueDistances`] shares them among agents.

#[cfg(feature = "rayon")]
mod ahead;
mod breadth_first;
mod distance_table;
mod frontier;
mod landmarks;
mod metric;
mod predecessors;
mod priced;
mod reverse_a_star;
mod reverse_search;
mod source;
mod spread;
mod tiled;
mod true_distance;
mod true_distances;
mod whole_costs;

pub use distance_table::DistanceTable;
pub use landmarks::Landmarks;
pub use metric::{Euclidean, Manhattan, Metric, Octile, ToGoals, Zero};
pub use predecessors::{Predecessors, PredecessorsIn};
pub use priced::{PricedDistance, PricedDistances};
pub use reverse_a_star::ReverseAStar;
pub use source::{ByMetric, HeuristicSource};
pub use true_distance::TrueDistance;
pub use true_distances::TrueDistances;

use crate::fuel::{Fuel, Suspended};
use crate::space::{NodeId, SpaceGraph};

/// A lower bound on the cost from a node to a fixed set of goals.
///
/// # Contract
/// * Consistent: the estimate of a node is at most the cost of any move out of it plus the estimate where the move ends.
/// * Zero on goals.
/// * Equal for equal nodes, as long as the space does not change.
pub trait Heuristic<S: SpaceGraph> {
    /// The estimate for `node`; `None` if the goals cannot be reached from it.
    ///
    /// # Errors
    /// The estimate needs more fuel or more memory than there is. The work done is kept: ask again with more to go on.
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended>;

    /// The same estimates for one search in `space`: what all of them share, such as where the goal is, is found once. By default there is
    /// nothing of that kind.
    #[inline]
    fn begin(&mut self, _space: &S) -> impl Heuristic<S>
    where
        Self: Sized,
    {
        self
    }
}

impl<S: SpaceGraph, H: Heuristic<S> + ?Sized> Heuristic<S> for &mut H {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        (**self).estimate(space, node, fuel)
    }
}
