//! Problems of the League of Robot Runners: a map, where robots start, and the errands that they get one after the
//! other.

mod check;
mod errands;
mod head;
mod log;
mod places;
mod record;
mod world;

pub use check::ProblemFault;
pub use errands::{Errand, Errands};
pub use head::{ProblemFile, TaskAssignment};
pub use log::{ProblemAction, ProblemLog};
pub use places::PlacesFile;
pub use record::ProblemRecord;
pub use world::Problem;
