//! Direction maps as JSON: which way units have learned to go, for a later crowd on the same map.

mod file;
mod head;
mod moves;
mod places;

pub use head::OtherSpace;
pub use moves::EdgeDirectionMapFile;
pub use places::DirectionMapFile;
