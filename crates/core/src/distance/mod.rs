//! Heuristics: lower bounds on the cost that is left.
//!
//! [`Zero`] always estimates 0. [`Manhattan`], [`Octile`] and [`Euclidean`] use positions. [`Landmarks`] need none:
//! they use distances to a few nodes. [`DistanceTable`] and [`ReverseAStar`] find true distances, and [`TrueDistances`]
//! shares them among agents.

#[cfg(feature = "rayon")]
mod ahead;
mod breadth_first;
mod buckets;
mod credit;
mod distance_table;
mod frontier;
mod hierarchy;
mod landmarks;
mod metric;
mod predecessors;
mod priced;
mod repair;
mod reverse_a_star;
mod reverse_search;
mod source;
mod spread;
mod tiled;
mod true_distance;
mod true_distances;
mod view;
mod whole_costs;

pub use distance_table::DistanceTable;
pub use hierarchy::{Guided, Hierarchy};
pub use landmarks::Landmarks;
pub use metric::{Euclidean, Manhattan, Metric, Octile, ToGoals, Zero};
pub use predecessors::{Predecessors, PredecessorsIn};
pub use priced::{PricedDistance, PricedDistances};
pub use reverse_a_star::ReverseAStar;
pub use source::{ByMetric, HeuristicSource};
pub use true_distance::TrueDistance;
pub use true_distances::TrueDistances;
