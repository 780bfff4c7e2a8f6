//! Heuristics: lower bounds on the cost that is left.
//!
//! [`Zero`] always estimates 0. [`Manhattan`], [`Octile`] and [`Euclidean`] use positions. [`ToGoals`] makes the
//! heuristic of one agent of any [`Metric`]. Strategies and crowds ask a [`HeuristicSource`] for the heuristic of each
//! agent; [`ByMetric`] is the plainest one.
//!
//! True distances, landmarks, and ways in two levels are in the crate `giveway-distance`.

mod metric;
mod source;

pub use metric::{Euclidean, Manhattan, Metric, Octile, ToGoals, Zero};
pub use source::{ByMetric, HeuristicSource, ROUGH};

pub use crate::estimate::Heuristic;
