//! Tile sets: what is known about tiles.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::element::{Element, Source};
use super::files::Files;
use super::objects::MapObject;
use super::properties::Properties;
use crate::file_error::FileError;

/// More are a mistake.
const MOST_SETS: usize = 1000;

/// The tiles of a set that have properties, by their ids in the set: the properties of the tile, and of the objects
/// that the collision editor puts on it.
pub(super) type SetTiles = BTreeMap<u32, Vec<Properties>>;

/// The tile sets of a map.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct TileSets {
    /// The first global id of each set, ascending, and what is known about its tiles. Sets from one file share it.
    sets: Vec<(u32, Arc<SetTiles>)>,
}

impl TileSets {
    /// The tile sets of `map`, in the file of `source`.
    pub(super) fn read(map: &Element<'_>, source: &Source<'_>, files: &mut Files<'_>) -> Result<Self, FileError> {
        let mut sets = Vec::new();
        for set in map.named("tileset") {
            if sets.len() >= MOST_SETS {
                return Err(source.expected(set.at, format_args!("at most {MOST_SETS} tile sets"), "more"));
            }
            let first = set.whole(source, "firstgid")?.unwrap_or(1);
            let tiles = match set.field("source") {
                None => Arc::new(tiles(set, source, files)?),
                Some(field) => files.set(&field.value, field.at, source)?,
            };
            sets.push((first, tiles));
        }
        sets.sort_by_key(|(first, _)| *first);
        Ok(Self { sets })
    }

    /// What is known about a tile, by its global id.
    pub(super) fn properties(&self, tile: u32) -> &[Properties] {
        let set = self.sets.partition_point(|(first, _)| *first <= tile).checked_sub(1);
        let known = set.and_then(|set| self.sets.get(set)).and_then(|(first, tiles)| tiles.get(&(tile - first)));
        known.map_or(&[], Vec::as_slice)
    }

    /// What is known about all tiles.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Properties> {
        self.sets.iter().flat_map(|(_, tiles)| tiles.values().flatten())
    }
}

/// What is known about the tiles of `set`.
pub(super) fn tiles(set: &Element<'_>, source: &Source<'_>, files: &mut Files<'_>) -> Result<SetTiles, FileError> {
    let mut tiles = BTreeMap::new();
    for tile in set.named("tile") {
        let id = tile.require_whole(source, "id")?;
        let mut known = vec![Properties::of(tile, source)?];
        for object in tile.named("objectgroup").flat_map(|group| group.named("object")) {
            known.extend(MapObject::read(object, source, files)?.properties);
        }
        known.retain(|properties| !properties.is_empty());
        if !known.is_empty() {
            tiles.insert(id, known);
        }
    }
    Ok(tiles)
}
