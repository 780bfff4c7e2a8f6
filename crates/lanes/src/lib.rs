//! Direction maps: the directions in which units have been moving, learned from their moves; moving against them costs
//! more.
//!
//! Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008.

mod coherence;
mod edges;
mod fingerprint;
mod map;
mod rules;
mod vector;

pub use coherence::{Coherence, Target};
pub use edges::{EdgeDirectionMap, InvalidValue};
pub use map::{DirectionMap, InvalidDirection};
pub use rules::{Blank, DirectionRules, Ends};
