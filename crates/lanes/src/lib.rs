//! Direction maps: the directions in which units have been moving, learned from their moves; moving against them costs
//! more.
//!
//! Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008.

mod coherence;
mod directions;
mod fingerprint;
mod moves;
mod places;
mod rules;
mod vector;

pub use coherence::{Coherence, Target};
pub use directions::Directions;
pub use moves::{EdgeDirectionMap, InvalidValue, Moves};
pub use places::{DirectionMap, InvalidDirection, Places};
pub use rules::{Blank, DirectionRules, Ends};
