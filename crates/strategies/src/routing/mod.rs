//! Routing: routes in space alone, under the costs of a layer.

mod noise;
mod pace;
mod passable;
mod router;
mod sectors;
mod survey;
mod terrain;
#[cfg(test)]
mod tests;

pub use noise::Noise;
#[doc(hidden)]
pub use noise::thousandth_steps;
pub use router::{Router, Routing, SectorRouting, Trip};
pub use terrain::Terrain;
