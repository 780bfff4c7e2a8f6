//! Experiments on direction maps.
//!
//! **Without promises.** This crate exists to reproduce a paper's tables (Jansen and Sturtevant, "Direction Maps for Cooperative
//! Pathfinding", AIIDE 2008), and is reached from the command line: `giveway repro`. It does not follow semantic versioning. Anything here
//! may change or go at any time; whoever plans by direction maps needs the crate `giveway` alone.
//!
//! | type | what |
//! |---|---|
//! | [`Patrols`] | the paper's agents: they plan alone, reserve nothing, and bump |
//! | [`CrowdPatrols`] | the same patrols by a crowd, under the same clock |
//! | [`Chart`] | figures of experiments as lines over one quantity, as SVG |

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod chart;
mod patrols;

pub use chart::{Chart, Mark};
pub use patrols::{CrowdPatrols, PatrolError, PatrolMetrics, PatrolRules, Patrols};
