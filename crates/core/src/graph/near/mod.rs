//! Nearest places: where a unit goes if it cannot reach the place it was sent to.
//!
//! "Nearest" has one meaning, for crowds and for files:
//!
//! 1. A place counts if it is free and the unit can reach it.
//! 2. The place with the least straight-line distance to the target wins.
//! 3. Ties: the place with the least path cost from the unit wins; [`Ground::for_each_move`] gives the unit of cost. In
//!    a large group that a crowd sends out, the place nearest to the unit by straight line wins.
//! 4. Ties again: the lower node id wins.
//!
//! [`Parts`] knows what can be reached, [`ByLine`] lists places by straight-line distance, and [`Ways`] compares path
//! costs. [`Nearest`] combines the three for a caller that asks for one place after another. [`Districts`] keeps parts while
//! the ground changes.

mod by_line;
mod districts;
mod ground;
mod nearest;
mod pace;
mod parts;
mod passable;
mod ways;

pub use by_line::{ByLine, Listed};
pub use districts::Districts;
pub use ground::Ground;
pub use nearest::Nearest;
pub use pace::Pace;
pub use parts::{Part, Parts, Reach};
pub use passable::Passable;
pub use ways::Ways;
