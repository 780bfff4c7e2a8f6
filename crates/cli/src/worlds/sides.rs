//! The sides of a world: what classes learn together.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use giveway::direction::{DirectionRules, Raster, WorldDirectionMap};
use giveway::scenario::{At, WorldDirectionMapFile, WorldFile, WorldSide};
use giveway::search::SharedLayer;

use super::floors::Floors;
use super::maps::WorldPart;
use crate::input_file;

/// The direction map of each side, as a crowd begins with it.
#[derive(Clone, Default)]
pub(super) struct Sides(BTreeMap<String, WorldDirectionMap>);

/// The direction map of each side of one crowd.
pub(super) type SharedSides = BTreeMap<String, SharedLayer<WorldDirectionMap>>;

impl Sides {
    /// The sides of `world` on `maps`.
    pub(super) fn new(world: &WorldFile, maps: &[WorldPart], floors: Floors) -> Result<Self> {
        let sides = world.document().sides.iter();
        let of_side = |(name, side): (&String, &At<WorldSide>)| Ok((name.clone(), map_of(world, side, maps, floors)?));
        sides.map(of_side).collect::<Result<_>>().map(Self)
    }

    /// The maps for one crowd, which learns on its own.
    pub(super) fn begin(&self) -> SharedSides {
        self.0.iter().map(|(name, map)| (name.clone(), SharedLayer::new(map.clone()))).collect()
    }
}

/// The direction map of `side` at the beginning.
fn map_of(world: &WorldFile, side: &At<WorldSide>, maps: &[WorldPart], floors: Floors) -> Result<WorldDirectionMap> {
    let raster = raster(maps, floors, side.cell.as_ref().map_or(1.0, |cell| cell.value));
    let raster = raster.map_err(|why| world.error_why(side.cell.as_ref().map_or(side.at, |cell| cell.at), why))?;
    let Some(learned) = &side.learned else {
        let mut rules = DirectionRules::default();
        rules = side.weight.iter().fold(rules, |rules, weight| rules.weight(weight.value));
        rules = side.neighbours.iter().fold(rules, |rules, rate| rules.neighbours(rate.value));
        return Ok(WorldDirectionMap::blank(raster, rules));
    };
    let path = world.path(learned)?;
    let file = input_file::read(&path, WorldDirectionMapFile::read, WorldDirectionMapFile::parse)?;
    file.map(raster).map_err(|other| {
        anyhow!("{}: {other}; it was learned in a world of another size, or with another cell", path.display())
    })
}

/// A raster under all maps, whose lines are those of the cells of a map at (0, 0), if `cell` is 1.
fn raster(maps: &[WorldPart], floors: Floors, cell: f32) -> Result<Raster, giveway::direction::InvalidRaster> {
    let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for [low, high] in maps.iter().map(WorldPart::bounds) {
        least = [0, 1].map(|axis| least[axis].min(low[axis]));
        most = [0, 1].map(|axis| most[axis].max(high[axis]));
    }
    let origin = least.map(|side| (side + 0.5).floor() - 0.5);
    // What lies on the edge is on the raster, too.
    let size = [0, 1].map(|axis| most[axis] - origin[axis] + 0.5 * cell);
    let raster = Raster::new(origin, size, cell)?;
    if !floors.are_several() {
        return Ok(raster);
    }
    let [lowest, height] = floors.levels();
    raster.levels(lowest, height, floors.count())
}
