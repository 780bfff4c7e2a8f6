//! Direction maps as JSON: the learned directions of units, for a later crowd on the same map.

mod file;
mod head;
mod moves;
mod places;
mod world;

pub use head::OtherSpace;
pub use moves::EdgeDirectionMapFile;
pub use places::DirectionMapFile;
pub use world::WorldDirectionMapFile;
