//! Crowds: units that are given orders at any time, plan a little ahead, and never collide.
//!
//! Each part uses only the parts above it in this list:
//!
//! * the crate `giveway-members`: the agents, their orders and their progress; the classes, and the distances in their
//!   spaces; the reservation store;
//! * `budget`, `settings`, `news`, `report`, `error`: what users say to a crowd and hear from it;
//! * `class`: a class as a user describes it;
//! * `standing`: what agents go on doing without another call;
//! * `destinations`: which agent owns which goal;
//! * `ledger`: reservations and plans; nothing else in a crowd changes its reservation store;
//! * `jam`, `shortage`: how much work windows have spent in vain lately, and whether the budget is short;
//! * `outsiders`: agents that the game moves itself;
//! * `state`: all of these together;
//! * `late`: motions that take longer than planned, and what becomes of the plans behind them;
//! * `orders`: what a crowd is told: `send`, `stop`, `place` and the like;
//! * `planners`: the ways to plan an agent, one file each;
//! * `waiting`, `reason`: which agents wait, and why;
//! * `stuck`: which agents come no nearer;
//! * `guard`: which moves are not safe;
//! * `pose`: where to draw an agent;
//! * `tick`: what happens in a tick;
//! * `hash`, `calls`, `snapshot`, `rewind`, `save`: a crowd as a number, going back in time, and bytes;
//! * [`Crowd`], the facade, and `solver`, which runs a crowd until all agents are at their goals.

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod budget;
mod calls;
mod class;
mod crowd;
mod currents;
mod destinations;
mod error;
mod guard;
#[cfg(test)]
mod guard_oracle;
mod hash;
mod jam;
mod late;
mod ledger;
mod news;
mod orders;
mod outsiders;
mod planners;
mod pose;
mod reason;
mod report;
mod rewind;
mod save;
mod settings;
mod shortage;
mod snapshot;
mod solver;
mod spell;
mod standing;
mod state;
mod stuck;
mod tick;
mod waiting;

pub use budget::Budget;
pub use calls::Call;
pub use class::Class;
pub use crowd::Crowd;
pub use error::CrowdError;
pub use giveway_members::world::currents::Current;
#[doc(inline)]
pub use giveway_members::{Chain, ClassId, Depth, Leg, Lra, Planner, Served, SoftRests, WaitPenalty};
pub use news::News;
pub use orders::{Formation, March, Muster, Region, Reservation};
pub use outsiders::Margin;
pub use pose::Pose;
pub use report::{Explanation, Reason, Report, Stuck, Waiting};
pub use rewind::{OutOfReach, Rewind};
pub use save::{OtherWorld, Save, SaveError};
pub use settings::{CrowdSettings, Lateness, Replanning};
pub use snapshot::Snapshot;
pub use solver::{CrowdDetails, CrowdSolver};
pub use standing::{Follow, Round, Stages, Target};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
