//! Errors: why a map or a scenario cannot be made.

use std::fmt;

use super::kind::MapKind;

/// Why a map, a scenario or a world cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CannotGenerate {
    /// A map without columns or without rows.
    Empty,
    /// The map would have more cells than allowed.
    TooManyCells {
        /// The requested columns.
        width: u32,
        /// The requested rows.
        height: u32,
        /// The largest number of cells.
        most: u32,
    },
    /// The width or the height of the world is below [`WorldGenerator::LEAST`](super::WorldGenerator::LEAST).
    TooSmall {
        /// The requested columns.
        width: u32,
        /// The requested rows.
        height: u32,
        /// The least width, which is also the least height.
        least: u32,
    },
    /// More agents were requested than can move freely in a world of the requested size.
    Crowded {
        /// The requested number of agents.
        agents: u32,
        /// The largest number of agents.
        room: u32,
    },
    /// A density was given for a kind of map that has no density.
    DensityMeansNothing(MapKind),
    /// More agents were requested than the map has free cells.
    TooManyAgents {
        /// The requested number of agents.
        agents: u32,
        /// The number of free cells of the map, which is the largest number of agents.
        room: u32,
    },
}

impl fmt::Display for CannotGenerate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a map needs at least one column and one row"),
            Self::TooManyCells { width, height, most } => {
                write!(f, "a map of {width} x {height} cells is too large: expected at most {most} cells")
            }
            Self::Crowded { agents, room } => {
                write!(f, "{agents} agents are too many for a world of this size: expected at most {room}")
            }
            Self::TooSmall { width, height, least } => {
                write!(f, "a world of {width} x {height} cells is too small: expected at least {least} x {least} cells")
            }
            Self::DensityMeansNothing(MapKind::Warehouse) => {
                f.write_str("warehouses have shelves and aisles of fixed sizes, and no density")
            }
            Self::DensityMeansNothing(kind) => write!(f, "maps of the kind {kind} have no walls, and no density"),
            Self::TooManyAgents { agents, room } => {
                let verb = if *agents == 1 { "agent is" } else { "agents are" };
                write!(f, "{agents} {verb} too many: the map has room for {room}, one for each free cell")
            }
        }
    }
}

impl std::error::Error for CannotGenerate {}
