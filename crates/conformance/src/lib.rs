//! Conformance: checks whether an implementation keeps the contract of its trait. For tests of your own
//! implementations.
//!
//! One line of a test checks your space, footprint, heuristic, cost layer or reservation store, and says in plain words
//! what is wrong:
//!
//! ```
//! use giveway_conformance as conformance;
//! use giveway_core::{Move, NodeId, SpaceGraph};
//!
//! /// Stops in a row. Its author forgot that the line ends.
//! struct Line(u32);
//!
//! impl SpaceGraph for Line {
//!     type Action = ();
//!     type Cost = u32;
//!
//!     fn node_bound(&self) -> usize {
//!         self.0 as usize
//!     }
//!
//!     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
//!         let to = NodeId(from.0 + 1);
//!         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
//!     }
//! }
//!
//! let breach = conformance::space_graph(&Line(4)).unwrap_err();
//! assert_eq!(
//!     breach.to_string(),
//!     "moves(node 3) leads to node 4, which is out of bounds: node_bound is 4"
//! );
//! ```
//!
//! All checks are deterministic, and take time about linear in the number of nodes and moves that they examine. Of a
//! large space they examine only some nodes, spread evenly over all ids, and the same nodes each time. The
//! documentation of a check says how many nodes it examines.

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod breach;
mod edits;
mod footprint;
mod heuristic;
mod layer;
mod space;
mod store;
pub use breach::Breach;
pub use edits::edits;
pub use footprint::footprint;
pub use heuristic::heuristic;
pub use layer::cost_layer;
pub use space::{embedding, space_graph};
pub use store::{free_intervals, reservation_store};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
