//! Patrols: the experiment of the direction-map paper, by its own rules and by a crowd under the same clock.

mod bumping;
mod by_crowd;
mod error;
mod legs;
mod metrics;
mod rules;

pub use bumping::Patrols;
pub use by_crowd::CrowdPatrols;
pub use error::PatrolError;
pub use metrics::PatrolMetrics;
pub use rules::PatrolRules;
