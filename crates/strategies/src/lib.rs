//! stub

mod cooperative;
mod independent;
mod order;
mod planner;
mod solution;
mod watch;

pub use cooperative::{Cooperative, Hca};
pub use independent::Independent;
pub use order::{Order, Restart};
pub use solution::{Failure, Solution, SolutionIn, Unplanned};
pub use watch::{Progress, Watch};
