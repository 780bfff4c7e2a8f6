//! Simulations: a crowd over time. Tasks send the agents of the crowd from goal to goal. Metrics count moves, waits and
//! arrivals. A recording keeps the moves for pictures.
//!
//! Make a [`Crowd`](giveway_crowd::Crowd), put it into a [`Simulation`], [add](Simulation::add) agents with a
//! [`Task`] each, [run](Simulation::run) it, and read its [metrics](Simulation::metrics). For pictures, begin with
//! [`recorded`](Simulation::recorded), and give the [trace](Simulation::trace) to `giveway-render`.
//!
//! ```
//! use giveway_core::{Agent, Point};
//! use giveway_sim::{Simulation, Task};
//! use giveway_spaces::Grid;
//! use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
//!
//! let grid = Grid::open(12, 5)?;
//! let at = |x, y| grid.node(x, y).expect("on the grid");
//! let mut crowd = Crowd::new(CrowdSettings::new());
//! let guards = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
//! let mut simulation = Simulation::new(crowd).recorded();
//! for y in 0..5 {
//!     let ends = vec![at(11, y), at(0, y)];
//!     simulation.add(guards, Agent::bystander(at(0, y)), Task::Patrol(ends))?;
//! }
//! simulation.run(110, Budget::unlimited());
//! // Eleven steps to the other end; each guard arrives ten times.
//! assert_eq!(simulation.metrics().arrivals, 50);
//! assert_eq!(simulation.metrics().flow_time, 550);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod calibration;
mod endpoints;
mod metrics;
mod recording;
mod simulation;
mod task;

pub use calibration::Calibration;
pub use endpoints::Endpoints;
pub use metrics::{AgentMetrics, Metrics};
pub use simulation::Simulation;
pub use task::Task;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
