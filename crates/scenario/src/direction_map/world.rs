//! Direction maps of a raster.

use std::path::Path;

use giveway_lanes::{DirectionMap, DirectionRules, Raster, WorldDirectionMap};
use serde::{Deserialize, Serialize};

use super::file::{DirectionsFile, Row, Unchecked};
use super::head::{Head, OtherSpace};
use crate::file_error::FileError;
use crate::json;
use crate::kind::{FileKind, WORLD_DIRECTION_MAP_FORMAT};

/// The JSON form of a [`WorldDirectionMap`], a direction map of a raster. The file does not contain the raster.
///
/// ```json
/// {"format": "giveway-world-direction-map", "version": 1,
///  "rules": {"rate": 0.4, "neighbours": 0.0, "ends": "both", "weight": 10.0, "blank": "zero"},
///  "space": "5d5f3eb6ce32cbf2", "nodes": 20, "cells": [
///   [7, 0.4, 0.0, 0.0],
///   [8, 0.4, 0.0, 0.0]]}
/// ```
///
/// The keys are the keys of a [`DirectionMapFile`](super::DirectionMapFile), but with `cells` in place of `directions`.
/// `space` is the [fingerprint](WorldDirectionMap::fingerprint) of the raster, and `nodes` the number of its cells. An
/// entry of `cells` is `[cell, x, y, z]`: the number of a cell, and its direction. Blank cells are left out. Entries are
/// in ascending order.
///
/// ```
/// use giveway_lanes::{DirectionRules, Raster, WorldDirectionMap};
/// use giveway_scenario::WorldDirectionMapFile;
///
/// let raster = Raster::new([-0.5, -0.5], [5.0, 4.0], 1.0)?;
/// let map = WorldDirectionMap::blank(raster, DirectionRules::paper());
/// map.learn([2.0, 1.0, 0.0], [3.0, 1.0, 0.0]);
/// let contents = WorldDirectionMapFile::new(&map).to_string();
///
/// let file = WorldDirectionMapFile::parse(&contents, "learned.json")?;
/// assert_eq!(file.map(raster)?, map);
/// let other = Raster::new([-0.5, -0.5], [5.0, 5.0], 1.0)?;
/// assert!(file.map(other).unwrap_err().to_string().starts_with("learned in another space: of 20 nodes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type WorldDirectionMapFile = DirectionsFile<OfCell>;

impl WorldDirectionMapFile {
    /// A file with the present state of `map`.
    pub fn new(map: &WorldDirectionMap) -> Self {
        let rows = map.cell_directions().map(|(cell, [x, y, z])| OfCell(cell, x, y, z));
        Self { head: Head::of(map), rows: rows.collect() }
    }

    /// A direction map of `raster`, with the state in the file. The map learns from further moves.
    ///
    /// # Errors
    /// The file is for another raster.
    pub fn map(&self, raster: Raster) -> Result<WorldDirectionMap, OtherSpace> {
        let map = WorldDirectionMap::blank(raster, *self.rules());
        let other = self.head.check_space(&map)?;
        for OfCell(cell, x, y, z) in &self.rows {
            map.set_cell(*cell, [*x, *y, *z]).map_err(|_| other)?;
        }
        Ok(map)
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Contents {
    rules: DirectionRules,
    space: String,
    nodes: u32,
    cells: Vec<OfCell>,
}

/// A row of a [`WorldDirectionMapFile`]: a cell, and its vector as x, y and z.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize, Serialize)]
#[serde(expecting = "a direction as [cell, x, y, z]")]
pub struct OfCell(u32, f32, f32, f32);

impl Row for OfCell {
    const KIND: FileKind = FileKind::WorldDirectionMap;
    const FORMAT: &'static str = WORLD_DIRECTION_MAP_FORMAT;
    const ROWS: [&'static str; 2] = ["cells", "cell"];

    fn contents(json: &str, file: &Path) -> Result<Unchecked<Self>, FileError> {
        let Contents { rules, space, nodes, cells } = json::read(json, file)?;
        Ok((rules, space, nodes, cells))
    }

    fn check(&self, cells: u32, last: Option<&Self>) -> Result<(), String> {
        let Self(cell, x, y, z) = self;
        match last {
            _ if *cell >= cells => Err(format!("expected one of {cells} cells, found {cell}")),
            Some(last) if *cell <= last.0 => Err(format!("expected a cell after {}, found {cell}", last.0)),
            _ if DirectionMap::is_direction([*x, *y, *z]) => Ok(()),
            _ => Err(format!("expected a vector no longer than 1, found ({x}, {y}, {z})")),
        }
    }
}
