//! Cooperative pathfinding on any graph: units that share a world plan in space **and** time, so that they give way
//! instead of bumping.
//!
//! ```
//! use giveway::spaces::Grid;
//! use giveway::strategies::Hca;
//! use giveway::{Agent, Checker, ConflictRule, Instance, Point};
//!
//! // A corridor, and a bay in it. One unit wants to go east, the other west.
//! let grid = Grid::from_ascii("
//!     .......
//!     @@@.@@@
//! ")?;
//! let at = |x, y| grid.node(x, y).expect("on the grid");
//! let agents = vec![Agent::new(at(0, 0), at(6, 0)), Agent::new(at(6, 0), at(3, 1))];
//!
//! let point = Point::swap_rule(&grid);
//! let instance = Instance::new(&grid, &point, agents)?;
//! let solution = Hca::hca_star().solve(&instance);
//!
//! assert!(solution.is_complete());
//! // The second turns off into the bay, in 4 ticks. The first gives way for one tick, then passes: 7.
//! assert_eq!((solution.plan.sum_of_costs(), solution.plan.makespan()), (11, 7));
//! let violations = Checker::new(&grid, ConflictRule::Swap).check(instance.agents(), &solution.plan);
//! assert!(violations.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! * The root holds the traits, the search, the reservations, the checker and [`DirectionMap`]s, of `giveway-core`: its page is the first
//!   chapter of this documentation, with a graph of one's own.
//! * [`spaces`]: grids, graphs of the petgraph crate, graphs from closures; bodies of any size, shape and speed on a ground that all share;
//!   vehicles that drive along curves, on lattices of poses.
//! * [`strategies`]: from one agent's path to a plan for all: independent planning, CA*, HCA*; and
//!   [`Crowd`](strategies::Crowd), units that are given orders at any time: WHCA* and LRA*.
//! * [`sim`]: a crowd over time: tasks, metrics, recordings.
//! * [`scenario`]: files in and out: Moving AI maps and scenarios, plans, traces, direction maps; made maps and scenarios.
//! * [`render`]: pictures of plans and searches, and a player for the browser.
//!
//! Data flows one way: map, space, search, plan, simulation, picture.

pub use giveway_core::*;
pub use giveway_render as render;
pub use giveway_scenario as scenario;
pub use giveway_sim as sim;
pub use giveway_spaces as spaces;
pub use giveway_strategies as strategies;
