//! Searches, heuristics and strategies against oracles, over random worlds.

mod roles;
mod scenarios;
mod spaces;

mod distances;
mod effort;
mod one_agent;
mod several_agents;
mod time_models;

use giveway_core::NodeId;
use ordered_float::OrderedFloat;
use proptest::prelude::ProptestConfig;

/// The cost type of those spaces that do not count in integers.
type Float = OrderedFloat<f64>;

/// Where a way begins and ends.
type Ends = [NodeId; 2];

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
