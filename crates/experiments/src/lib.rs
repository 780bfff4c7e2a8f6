//! Experiments on direction maps.
//!
//! **Without promises.** This crate exists to reproduce a paper's tables (Jansen and Sturtevant, "Direction Maps for Cooperative
//! Pathfinding", AIIDE 2008), and is reached from the command line: `giveway repro`. It does not follow semantic versioning. Anything here
//! may change or go at any time; whoever plans by direction maps needs the crate `giveway` alone.
//!
//! | type | what |
//! |---|---|
//! | [`Setup`] | an experiment, as the paper prescribes it but for [`Settings`] |
//! | [`World`] | the map and the scenarios on which it is run |
//! | [`Reproduction`] | the experiment, run again: rows for CSV, a chart, a [`Report`] beside the paper's figures |
//! | [`Patrols`] | the paper's agents: they plan alone, reserve nothing, and bump |
//! | [`CrowdPatrols`] | the same patrols by a crowd, under the same clock |
//! | [`Chart`] | figures of experiments as lines over one quantity, as SVG |

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod chart;
mod course;
mod figures;
mod findings;
mod hybrid;
mod method;
mod metric;
mod notes;
mod numbers;
mod patrols;
mod published;
mod report;
mod reproduction;
mod row;
mod runs;
mod setup;
mod summary;
mod world;

pub use chart::{Chart, Mark};
pub use figures::Sample;
pub use method::Method;
pub use metric::RunMetric;
pub use patrols::{CrowdPatrols, PatrolError, PatrolMetrics, PatrolRules, Patrols};
pub use report::Report;
pub use reproduction::Reproduction;
pub use row::Row;
pub use runs::RunEvent;
pub use setup::{Experiment, ScenarioSet, SetName, Settings, Setup};
pub use world::{Files, World};
