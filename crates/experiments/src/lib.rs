//! Experiments on direction maps.
//!
//! **Without promises.** This crate exists to reproduce a paper's tables (Jansen and Sturtevant, "Direction Maps for
//! Cooperative Pathfinding", AIIDE 2008). The command `giveway repro` runs the experiments. The crate does not follow
//! semantic versioning. Anything here may change or go at any time. To plan by direction maps, the crate `giveway` is
//! enough.
//!
//! | type | what |
//! |---|---|
//! | [`Setup`] | an experiment, with changes by [`Settings`] |
//! | [`World`] | the map and the scenarios of the experiment |
//! | [`Reproduction`] | a run of the experiment: rows for CSV, a chart, a [`Report`] beside the paper's figures |
//! | [`Patrols`] | the paper's agents: each plans alone and reserves nothing; a move into another agent fails |
//! | [`CrowdPatrols`] | a crowd on such patrols; a step takes 1.5 units of time, as in the paper |
//! | [`Chart`] | an SVG line chart of figures over one quantity |

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
pub use metric::{RunMetric, Spread};
pub use patrols::{CrowdPatrols, PatrolError, PatrolMetrics, PatrolRules, Patrols};
pub use report::Report;
pub use reproduction::Reproduction;
pub use row::Row;
pub use runs::RunEvent;
pub use setup::{Experiment, ScenarioSet, SetName, Settings, Setup};
pub use world::{Files, World};
