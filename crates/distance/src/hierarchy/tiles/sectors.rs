//! Sectors: the connected parts of the tiles of a grid, and the steps between neighbouring sectors.

mod written;

use giveway_core::origins::Tiles;

use crate::hierarchy::division::is_large;
use crate::hierarchy::route::Link;
use crate::tile_search::{EAST, WEST};

/// The northernmost row of a tile.
const NORTH: u64 = 0xff;

/// The sectors of a map, found tile by tile when they are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Sectors {
    /// By tile: its first sector, and how many it has; `None`: not known yet.
    tiles: Vec<Option<(u32, u8)>>,
    sectors: Vec<Sector>,
    links: Vec<Link>,
    /// Work not yet paid for, in units.
    owed: u64,
}

/// A connected part of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sector {
    pub(super) tile: u32,
    /// A bit for each of its cells.
    pub(super) cells: u64,
    /// The bit of its central cell.
    centre: u8,
    /// The index of its first link, and the number of its links; `None`: they are not known yet.
    links: Option<(u32, u8)>,
}

impl Sector {
    /// The number of its central cell: 64 * tile + bit.
    pub(super) fn centre(&self) -> u32 {
        self.tile * 64 + u32::from(self.centre)
    }
}

/// If more than `MOST` sectors per tile are stored, most belong to earlier revisions, so all are forgotten.
const MOST: usize = 8;

/// The units of work that it takes to find the links of a sector.
const LINKED: u64 = 1;

impl Sectors {
    /// Forgets all sectors. `tiles` is the number of tiles of the map.
    pub(super) fn reset(&mut self, tiles: usize) {
        self.tiles.clear();
        self.tiles.resize(tiles, None);
        self.sectors.clear();
        self.links.clear();
    }

    /// The sectors that are known of `tile` and of the tiles beside it.
    pub(super) fn known_around(&self, tile: u32, tiles: Tiles<'_>) -> impl Iterator<Item = u32> {
        let nearby = std::iter::once(tile).chain(around(tile, tiles).map(|(tile, _)| tile));
        let known = nearby.filter_map(|tile| self.tiles.get(tile as usize).copied().flatten());
        known.flat_map(|(first, count)| first..first + u32::from(count))
    }

    /// Whether so many sectors are of earlier revisions that all should be forgotten.
    pub(super) fn is_stale(&self) -> bool {
        self.sectors.len() > MOST * self.tiles.len() + 64
    }

    /// Whether an edit may have opened cells of `tile`.
    pub(super) fn may_have_opened(&self, tile: u32, tiles: Tiles<'_>) -> bool {
        let Some((first, count)) = self.tiles.get(tile as usize).copied().flatten() else { return true };
        let known = &self.sectors[first as usize..][..usize::from(count)];
        let before = known.iter().fold(0, |cells, sector| cells | sector.cells);
        tiles.open()[tile as usize] & !before != 0
    }

    /// Forgets the sectors of `tile`, and the links to them.
    pub(super) fn forget(&mut self, tile: u32, tiles: Tiles<'_>) {
        for (other, _) in around(tile, tiles) {
            if let Some((first, count)) = self.tiles[other as usize] {
                self.sectors[first as usize..][..usize::from(count)].iter_mut().for_each(|sector| sector.links = None);
            }
        }
        if let Some(known) = self.tiles.get_mut(tile as usize) {
            *known = None;
        }
    }

    /// Returns the unpaid work, in units, and sets it to 0.
    pub(super) fn owed(&mut self) -> u64 {
        std::mem::take(&mut self.owed)
    }

    /// How many tiles the map has.
    pub(super) fn tiles(&self) -> usize {
        self.tiles.len()
    }

    /// Whether the map is [large](is_large).
    pub(super) fn is_large(&self) -> bool {
        is_large(64 * self.tiles.len())
    }

    /// How many sectors are known.
    pub(super) fn len(&self) -> usize {
        self.sectors.len()
    }

    pub(super) fn get(&self, sector: u32) -> &Sector {
        &self.sectors[sector as usize]
    }

    /// The sector of the cell with this `number`; `None`: the cell is closed.
    pub(super) fn at(&mut self, number: u32, tiles: Tiles<'_>) -> Option<u32> {
        let (first, count) = self.of_tile(number / 64, tiles)?;
        (first..first + u32::from(count)).find(|sector| self.get(*sector).cells >> (number % 64) & 1 == 1)
    }

    /// The first sector of `tile`, and how many sectors it has.
    pub(super) fn of_tile(&mut self, tile: u32, tiles: Tiles<'_>) -> Option<(u32, u8)> {
        let known = *self.tiles.get(tile as usize)?;
        if known.is_some() {
            return known;
        }
        let mut left = tiles.open()[tile as usize];
        let first = u32::try_from(self.sectors.len()).ok()?;
        while left != 0 {
            let cells = part_of(left, left & left.wrapping_neg());
            left &= !cells;
            self.sectors.push(Sector { tile, cells, centre: centre_of(cells), links: None });
        }
        let count = u8::try_from(self.sectors.len() - first as usize).ok()?;
        self.tiles[tile as usize] = Some((first, count));
        self.tiles[tile as usize]
    }

    /// The links of `sector`.
    pub(super) fn links(&mut self, sector: u32, tiles: Tiles<'_>) -> &[Link] {
        let (first, count) = match self.get(sector).links {
            Some(known) => known,
            None => self.find_links(sector, tiles),
        };
        &self.links[first as usize..][..usize::from(count)]
    }

    fn find_links(&mut self, sector: u32, tiles: Tiles<'_>) -> (u32, u8) {
        self.owed += LINKED;
        let Sector { tile, cells, centre, .. } = *self.get(sector);
        let first = self.links.len();
        for (beside, side) in around(tile, tiles) {
            let Some((others, count)) = self.of_tile(beside, tiles) else { continue };
            let reach = side.across(cells);
            for to in others..others + u32::from(count) {
                let other = *self.get(to);
                if reach & other.cells != 0 {
                    let open = [tiles.open()[tile as usize], tiles.open()[beside as usize]];
                    let steps = side.steps(open, centre, other.centre);
                    self.links.push(Link { to, length: steps });
                }
            }
        }
        // There are at most 32 cells along the sides of a tile.
        #[allow(clippy::cast_possible_truncation)]
        let known = (first as u32, (self.links.len() - first) as u8);
        self.sectors[sector as usize].links = Some(known);
        known
    }

    /// The cells of `sector` from which a step leads to `next`.
    pub(super) fn exits(&self, sector: u32, next: u32, tiles: Tiles<'_>) -> u64 {
        let (from, to) = (self.get(sector), self.get(next));
        let side = around(to.tile, tiles).find(|(tile, _)| *tile == from.tile);
        side.map_or(0, |(_, side)| side.across(to.cells) & from.cells)
    }
}

/// A side of a tile.
#[derive(Clone, Copy, Debug)]
enum Side {
    East,
    South,
    West,
    North,
}

impl Side {
    /// The cells of the tile beside into which steps lead from `cells` across this side.
    fn across(self, cells: u64) -> u64 {
        match self {
            Self::East => (cells & EAST) >> 7,
            Self::West => (cells & WEST) << 7,
            Self::South => cells >> 56,
            Self::North => cells << 56,
        }
    }

    fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::North => Self::South,
        }
    }

    /// The steps from one cell of a tile to a cell of the tile on this side, without leaving the two tiles.
    fn steps(self, [open, beyond]: [u64; 2], from: u8, to: u8) -> u32 {
        let (mut here, mut there, mut steps) = (1 << from, 0_u64, 0);
        while there >> to & 1 == 0 {
            let next = (here | beside(here) | self.opposite().across(there)) & open;
            let then = (there | beside(there) | self.across(here)) & beyond;
            if (next, then) == (here, there) {
                break;
            }
            (here, there) = (next, then);
            steps += 1;
        }
        steps
    }
}

/// The tiles beside `tile`, each with the side of `tile` on which it lies.
fn around(tile: u32, tiles: Tiles<'_>) -> impl Iterator<Item = (u32, Side)> {
    let beside = [
        (tile.checked_add(1), Side::East),
        (tile.checked_add(tiles.per_row()), Side::South),
        (tile.checked_sub(1), Side::West),
        (tile.checked_sub(tiles.per_row()), Side::North),
    ];
    let count = tiles.open().len();
    let beside = beside.into_iter().filter_map(|(other, side)| Some((other?, side)));
    // The last tile of a row is not beside the first one of the next row.
    beside.filter(move |(other, _)| (*other as usize) < count && tiles.are_neighbours(tile, *other))
}

/// The cells beside `cells` in their tile.
fn beside(cells: u64) -> u64 {
    (cells & !EAST) << 1 | (cells & !WEST) >> 1 | cells << 8 | cells >> 8
}

/// The cells of `open` that can be reached from `cells` within the tile.
fn part_of(open: u64, mut cells: u64) -> u64 {
    loop {
        let more = (cells | beside(cells)) & open;
        if more == cells {
            return cells;
        }
        cells = more;
    }
}

/// The bit of the cell nearest to the mean position of `cells`.
fn centre_of(cells: u64) -> u8 {
    let count = cells.count_ones();
    let (mut x, mut y) = (0, 0);
    for line in 0..8 {
        x += line * (cells & WEST << line).count_ones();
        y += line * (cells & NORTH << (8 * line)).count_ones();
    }
    let away = |bit: &u8| {
        let (column, row) = (u32::from(bit % 8), u32::from(bit / 8));
        (column * count).abs_diff(x) + (row * count).abs_diff(y)
    };
    (0..64).filter(|bit| cells >> bit & 1 == 1).min_by_key(away).unwrap_or(0)
}
