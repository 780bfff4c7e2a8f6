//! The kinds of maps.

use std::fmt;

use super::chance::Density;

/// A kind of map. All kinds except [`Caves`](Self::Caves) and [`Random`](Self::Random) are connected: every free cell
/// can be reached from every other free cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MapKind {
    /// No walls. This kind has no density.
    Open,
    /// Walls at random. The density is the share of walls; usually 0.2.
    Random,
    /// Rooms, joined by doors one cell wide. A room and its wall take 8 x 8 cells; the rooms at the right and lower
    /// edges take the remaining 3 to 11 cells. Enough doors are made to connect all rooms. The density is the share of
    /// the other doors that are left out; usually 0.5.
    Room,
    /// Corridors one cell wide. The density is the share of inner walls that stay; usually 0.875. The other inner walls
    /// are opened, which makes loops: the nearer the density is to 1, the fewer loops there are. If the width is even,
    /// the last column is a wall; if the height is even, the last row is a wall.
    Maze,
    /// Shelves of 10 x 2 cells with aisles one cell wide between them, and open floor at the sides. This kind has no
    /// density.
    Warehouse,
    /// Caves, smoothed out of random walls. The density is the share of walls before smoothing; usually 0.45. Caves of
    /// a few cells are filled, unless all caves are that small.
    Caves,
}

impl MapKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Open, Self::Random, Self::Room, Self::Maze, Self::Warehouse, Self::Caves];

    /// The default density; `None`: this kind has no density.
    pub fn usual_density(self) -> Option<Density> {
        match self {
            Self::Open | Self::Warehouse => None,
            Self::Random => Some(Density::ratio(1, 5)),
            Self::Room => Some(Density::ratio(1, 2)),
            Self::Maze => Some(Density::ratio(7, 8)),
            Self::Caves => Some(Density::ratio(45, 100)),
        }
    }
}

/// The kind's name on the command line.
impl fmt::Display for MapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Random => "random",
            Self::Room => "room",
            Self::Maze => "maze",
            Self::Warehouse => "warehouse",
            Self::Caves => "caves",
        })
    }
}
