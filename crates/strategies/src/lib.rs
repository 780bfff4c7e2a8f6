//! Strategies: plans for all agents of an instance.
//!
//! You have an [`Instance`], and want one plan: use [`Hca`]. If `Hca` leaves agents without a path, try the
//! `CrowdSolver` of `giveway-crowd`, which runs a crowd until all agents are at their goals.
//!
//! | strategy | each agent plans | heuristic |
//! |---|---|---|
//! | [`Independent`] | as if alone; the plans collide | any |
//! | [`Cooperative`] over [`ByMetric`](giveway_core::heuristic::ByMetric): CA* | around the agents planned before it | metric on positions |
//! | [`Hca`], which is [`Cooperative`] over [`TrueDistances`](giveway_distance::TrueDistances): HCA* | around the agents planned before it | true distances |
//!
//! A [`Router`] finds routes in space alone: [whole](Routing), by [sectors](Routing::Sectors), or [one move at a
//! time](Routing::Greedy).
//!
//! [`Order`] sets the order in which agents plan. The order can decide whether all agents find a path. [`Restart`] sets
//! what happens when an agent finds no path. By default the agent that failed plans first in the next round. Rounds
//! that begin with the nearest agent take turns with rounds that begin with the farthest:
//! [`Order::NearestElseFarthest`].
//!
//! Strategies read no clock and print nothing. A [`Watch`] follows their progress, and may stop them.
//!
//! ```
//! use giveway_core::heuristic::{ByMetric, Manhattan};
//! use giveway_core::{Agent, Cost, Point};
//! use giveway_spaces::Grid;
//! use giveway_strategies::{Cooperative, Hca, Instance, Order, Restart};
//!
//! let grid = Grid::open(8, 8)?;
//! let corners = [(0, 0), (7, 7), (7, 0), (0, 7)].map(|(x, y)| grid.node(x, y).expect("on the grid"));
//! let [a, b, c, d] = corners;
//! let agents = vec![Agent::new(a, b), Agent::new(b, a), Agent::new(c, d), Agent::new(d, c)];
//! let point = Point::swap_rule(&grid);
//! let instance = Instance::new(&grid, &point, agents)?;
//!
//! let hca = Hca::hca_star().order(Order::FarthestFirst).restart(Restart::Never).solve(&instance);
//! let ca = Cooperative::new(ByMetric(Manhattan { step: u32::STEP })).solve(&instance);
//! assert!(hca.is_complete() && ca.is_complete());
//! assert!(hca.plan.sum_of_costs() >= 4 * 14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod attempts;
mod bounds;
mod cooperative;
mod independent;
mod instance;
mod no_plan;
mod order;
mod reachable;
mod routing;
mod solution;
mod watch;
mod watched_search;

pub use bounds::{fewest_ticks, fewest_ticks_by};
pub use cooperative::{Cooperative, Hca};
pub use independent::Independent;
pub use instance::{Instance, InstanceError};
pub use no_plan::NoPlan;
#[doc(hidden)]
pub use order::random;
pub use order::{Order, Restart};
#[doc(hidden)]
pub use routing::thousandth_steps;
pub use routing::{Noise, Router, Routing, SectorRouting, Terrain, Trip};
pub use solution::{CooperativeDetails, Solution, SolutionIn, Unplanned};
pub use watch::{Progress, Watch};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
