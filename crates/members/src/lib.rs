//! The members of a crowd, and the classes that they are of: what `giveway-crowd` plans for.
//!
//! **Internal to `giveway-crowd`, and without promises:** anything but the types that the crate's root names may change
//! in any version. Depend on `giveway`, or on `giveway-crowd`.
//!
//! These are the parts of a crowd that need no crowd around them: a room of `giveway-crowd` with a wall of its own.
//! Nothing here decides which agent plans, when, or at whose expense. Each part uses only the parts above it in this
//! list:
//!
//! * `class_id`, `leg`, `clock`, `work`, `rank`, `chain`, `manners`, `depth`: the vocabulary;
//! * `roster`: the agents, their orders and their progress;
//! * `store`: the reservation store, whatever its type;
//! * `world`: the classes, and the distances in their spaces. Here the types of spaces and footprints are erased.

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[doc(hidden)]
pub mod chain;
#[doc(hidden)]
pub mod class_id;
#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod depth;
#[doc(hidden)]
pub mod leg;
#[doc(hidden)]
pub mod manners;
#[doc(hidden)]
pub mod rank;
#[doc(hidden)]
pub mod roster;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod work;
#[doc(hidden)]
pub mod world;

#[doc(inline)]
pub use chain::{Chain, Lra, Planner, Served};
#[doc(inline)]
pub use class_id::ClassId;
#[doc(inline)]
pub use depth::Depth;
#[doc(inline)]
pub use leg::Leg;
#[doc(inline)]
pub use manners::{SoftRests, WaitPenalty};
