//! Running a crowd over time: what its agents are to do, one goal after the other, what came of it in numbers, and a
//! recording that pictures are made from.
//!
//! ```
//! use giveway_core::{Agent, Point};
//! use giveway_sim::{Simulation, Task};
//! use giveway_spaces::Grid;
//! use giveway_strategies::{Budget, Class, Crowd, CrowdSettings};
//!
//! let grid = Grid::open(12, 5)?;
//! let at = |x, y| grid.node(x, y).expect("on the grid");
//! let mut crowd = Crowd::new(CrowdSettings::new());
//! let guards = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)).embedded())?;
//! let mut simulation = Simulation::new(crowd).recorded();
//! for y in 0..5 {
//!     let ends = vec![at(11, y), at(0, y)];
//!     simulation.add(guards, Agent::bystander(at(0, y)), Task::Patrol(ends))?;
//! }
//! simulation.run(110, Budget::unlimited());
//! // Eleven steps to the other end, ten times there or back.
//! assert_eq!(simulation.metrics().arrivals, 50);
//! assert_eq!(simulation.metrics().flow_time, 550);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod metrics;
mod patrols;
mod recording;
mod simulation;
mod task;

pub use metrics::{AgentMetrics, Metrics};
pub use patrols::{CrowdPatrols, PatrolError, PatrolMetrics, PatrolRules, Patrols};
pub use simulation::Simulation;
pub use task::Task;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
