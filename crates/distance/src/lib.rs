//! Distances for cooperative pathfinding: how much cost is left from any node to the goals of an agent, found by
//! searches and not by positions.
//!
//! A search around other agents is quick if its heuristic knows the map: then it expands little more than the nodes of
//! its path. The distances of this crate know the map. All of them need nothing but the moves of a space, so they serve
//! any space, and all of them can be suspended when the [fuel](giveway_core::Fuel) of a tick has run out.
//!
//! Games and simulations usually depend on the crate `giveway`, which has these types in its module `heuristic`, beside
//! the metrics of `giveway-core`.
//!
//! # Which one
//!
//! | heuristic | estimates | finds |
//! |---|---|---|
//! | [`DistanceTable`] | true distances to one set of goals | in one search back from the goals, as far as it is asked for |
//! | [`ReverseAStar`] | true distances to one set of goals | in a search back from the goals that heads for the first asker |
//! | [`Landmarks`] | lower bounds between any two nodes, from distances to a few nodes | at once, when it is made |
//!
//! Strategies and crowds ask a [source](giveway_core::heuristic::HeuristicSource) for the heuristic of each agent:
//!
//! | source | heuristic | what |
//! |---|---|---|
//! | [`TrueDistances`] | [`TrueDistance`] | true distances, shared by agents with equal goals, within a bound on memory; they keep up with a space that changes |
//! | [`PricedDistances`] | [`PricedDistance`] | true distances with the surcharges of a layer |
//! | [`Hierarchy`] | [`Guided`] | ways in two levels. On large maps much less work and memory; the estimates are not always lower bounds |
//!
//! # Example
//!
//! Two trains on a single track with a siding have one goal, and share its distances.
//!
//! ```
//! use giveway_core::heuristic::{HeuristicSource, Zero};
//! use giveway_core::{Fuel, Goals, Heuristic, Move, NodeId, SpaceGraph};
//! use giveway_distance::TrueDistances;
//!
//! /// Stations 0 - 1 - 2 - 3 in a row, and a siding, 4, that leaves at 1.
//! struct Railway;
//!
//! const TRACKS: [(u32, u32); 4] = [(0, 1), (1, 2), (2, 3), (1, 4)];
//!
//! impl SpaceGraph for Railway {
//!     type Action = usize; // which track
//!     type Cost = u32; // in thousandths of a step
//!
//!     fn node_bound(&self) -> usize {
//!         5
//!     }
//!
//!     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<usize, u32>> {
//!         TRACKS.into_iter().enumerate().filter_map(move |(action, (a, b))| {
//!             let to = if from.0 == a { b } else if from.0 == b { a } else { return None };
//!             Some(Move { from, to: NodeId(to), action, cost: 1000, length: 1.0 })
//!         })
//!     }
//! }
//!
//! let goal = Goals::one(NodeId(3));
//! let mut distances: TrueDistances<Railway, Zero> = TrueDistances::tables();
//! for (train, cost) in [(0, 3000), (4, 3000), (3, 0)] {
//!     let mut heuristic = distances.heuristic(&Railway, &goal, NodeId(train));
//!     assert_eq!(heuristic.estimate(&Railway, NodeId(train), &mut Fuel::unlimited())?, Some(cost));
//! }
//! // One search served all of them: it expanded each of the five nodes at most once.
//! assert!(distances.reverse_expanded() <= 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! With the feature `rayon`, [`TrueDistances`] searches the distances of many agents on several threads, with equal
//! results. No feature is on by default.
//!
//! # Errors and panics
//!
//! A search that runs out of fuel or memory says so, keeps its work, and goes on at the next question. No input makes
//! this crate panic, unless memory runs out. Equal calls give equal results on every platform.
//!
//! # Sources
//!
//! * D. Silver, "Cooperative Pathfinding", AIIDE 2005: reverse resumable A*.
//! * A. V. Goldberg, C. Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005:
//!   [landmarks](Landmarks).

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]
#[cfg(feature = "rayon")]
mod ahead;
mod breadth_first;
mod buckets;
mod credit;
mod distance_table;
mod flood;
mod frontier;
mod hierarchy;
mod landmarks;
mod predecessors;
mod priced;
mod repair;
mod reverse_a_star;
mod reverse_search;
mod spread;
mod tile_search;
mod true_distance;
mod true_distances;
mod view;
mod whole_costs;

pub use distance_table::DistanceTable;
#[doc(hidden)] // for `crowd`, whose prices go by it, too
pub use hierarchy::is_large;
pub use hierarchy::{Guided, Hierarchy};
pub use landmarks::Landmarks;
pub use predecessors::{Predecessors, PredecessorsIn};
pub use priced::{PricedDistance, PricedDistances};
pub use reverse_a_star::ReverseAStar;
pub use true_distance::TrueDistance;
pub use true_distances::TrueDistances;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
