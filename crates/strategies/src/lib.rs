//! Strategies: from an instance to a plan for all of its agents, and crowds that are given orders as they go.
//!
//! | strategy | each agent plans | guided by |
//! |---|---|---|
//! | [`Independent`] | as if alone; its plans collide | anything |
//! | [`Cooperative`] over [`ByMetric`](giveway_core::heuristic::ByMetric): CA* | around all before it | positions |
//! | [`Hca`], which is [`Cooperative`] over [`TrueDistances`](giveway_core::heuristic::TrueDistances): HCA* | around all before it | true distances |
//! | [`CrowdSolver`]: WHCA* | a window ahead, again and again | true distances |
//! | [`CrowdSolver::lra_star`]: LRA* | its route, as if alone, and repairs it on the way | true distances, and noise |
//! | [`Lra`] by other [`Routing`] than whole | part of its route, by sectors or a move at a time | a [layer](giveway_core::CostLayer), such as a direction map |
//!
//! The last two run a [`Crowd`], which takes orders at any time; a [`CrowdSolver`] runs one until all agents are at their goals. In one
//! crowd some agents may plan by the one and some by the other, and a [`Chain`] says to which an agent falls back when one leads nowhere.
//!
//! A [`Router`] finds such routes without a crowd, too.
//!
//! In which [`Order`] agents plan decides whether all of them find a path; what happens when one does not, [`Restart`]
//! says. By default who fails goes first, and two orders take turns: [`Order::NearestElseFarthest`]. Strategies have no clock and print nothing: a [`Watch`] follows their progress and may stop them.
//!
//! ```
//! use giveway_core::heuristic::{ByMetric, Manhattan};
//! use giveway_core::{Agent, Cost, Instance, Point};
//! use giveway_spaces::Grid;
//! use giveway_strategies::{Cooperative, Hca, Order, Restart};
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
mod cooperative;
mod crowd;
mod independent;
mod lacam;
mod no_plan;
mod order;
mod reachable;
mod routing;
mod solution;
mod watch;
mod watched_search;

pub use cooperative::{Cooperative, Hca};
pub use crowd::{
    Budget, Chain, Class, ClassId, Crowd, CrowdDetails, CrowdError, CrowdSettings, CrowdSolver, Depth, Explanation,
    Leg, Lra, Planner, Pose, Replanning, Report, Served, SoftRests, WaitPenalty, Waiting,
};
pub use independent::Independent;
pub use no_plan::NoPlan;
pub use order::{Order, Restart};
pub use routing::{Noise, Router, Routing, SectorRouting, Terrain, Trip};
pub use solution::{CooperativeDetails, Solution, SolutionIn, Unplanned};
pub use watch::{Progress, Watch};
