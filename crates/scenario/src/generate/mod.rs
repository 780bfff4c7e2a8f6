//! Generated worlds: maps of a kind, and agents on any map, from a seed.
//!
//! Equal settings give equal worlds on every platform: only whole numbers are drawn and compared.

mod caves;
mod chance;
mod error;
mod frame;
mod kind;
mod maze;
mod open;
mod parts;
mod random;
mod room;
mod scenario;
mod warehouse;
mod world;

pub use chance::Density;
pub use error::CannotGenerate;
pub use kind::MapKind;
pub use scenario::ScenarioGenerator;
pub use world::{WorldGenerator, WorldKind};

use frame::Frame;

use crate::map::MapFile;

/// Makes a map of a kind. Every map has at least one free cell.
///
/// ```
/// use giveway_scenario::{MapGenerator, MapKind, ScenarioGenerator};
///
/// let map = MapGenerator::new(MapKind::Maze, 9, 5).seed(1).generate()?;
/// assert_eq!((map.width(), map.height()), (9, 5));
///
/// let generator = ScenarioGenerator::new(&map)?;
/// let scenario = generator.generate("small.map", 4, 1)?;
/// let agents = scenario.agents(4, &map.grid()?)?;
/// assert_eq!(agents.len(), 4);
///
/// let crowded = generator.generate("small.map", 100, 1).unwrap_err();
/// assert!(crowded.to_string().starts_with("100 agents are too many"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapGenerator {
    kind: MapKind,
    width: u32,
    height: u32,
    density: Option<Density>,
    seed: u64,
}

impl MapGenerator {
    /// The largest number of cells of a generated map: 10,000 x 10,000. A map takes up to 8 bytes per cell while it is
    /// made.
    pub const MOST_CELLS: u32 = 100_000_000;

    /// A generator of maps of `width` columns and `height` rows, with the usual density and seed 0.
    pub fn new(kind: MapKind, width: u32, height: u32) -> Self {
        Self { kind, width, height, density: None, seed: 0 }
    }

    /// Sets the density; its meaning depends on the [kind](MapKind).
    #[must_use]
    pub fn density(self, density: Density) -> Self {
        Self { density: Some(density), ..self }
    }

    /// Sets the seed, which decides all random draws.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Makes the map.
    ///
    /// # Errors
    /// The width or the height is 0; there are more than [`MOST_CELLS`](Self::MOST_CELLS) cells; or a density was given
    /// for a kind that has no density.
    pub fn generate(&self) -> Result<MapFile, CannotGenerate> {
        let Self { kind, width, height, density, seed } = *self;
        let frame = Frame::new(width, height, Self::MOST_CELLS)?;
        let usual = kind.usual_density();
        if density.is_some() && usual.is_none() {
            return Err(CannotGenerate::DensityMeansNothing(kind));
        }
        let density = density.or(usual).unwrap_or_default();
        let mut chance = chance::of_map(seed);
        let free = match kind {
            MapKind::Open => open::open(frame),
            MapKind::Random => random::random(frame, density, &mut chance),
            MapKind::Room => room::room(frame, density, &mut chance),
            MapKind::Maze => maze::maze(frame, density, &mut chance),
            MapKind::Warehouse => warehouse::warehouse(frame),
            MapKind::Caves => caves::caves(frame, density, &mut chance),
        };
        Ok(MapFile::of_cells(width, height, free))
    }
}
