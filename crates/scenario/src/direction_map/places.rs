//! Direction maps of places.

use std::path::Path;

use giveway_core::{Embedding, NodeId};
use giveway_lanes::{DirectionMap, DirectionRules};
use serde::{Deserialize, Serialize};

use super::file::{DirectionsFile, Row, Unchecked};
use super::head::{Head, OtherSpace};
use crate::file_error::FileError;
use crate::json;
use crate::kind::{DIRECTION_MAP_FORMAT, FileKind};

/// The JSON form of a [`DirectionMap`]. The file does not contain the space.
///
/// ```json
/// {"format": "giveway-direction-map", "version": 1,
///  "rules": {"rate": 0.4, "neighbours": 0.0, "ends": "both", "weight": 10.0, "blank": "zero"},
///  "space": "d875ccb1b8745744", "nodes": 3, "directions": [
///   [0, 0.4, 0.0, 0.0],
///   [1, 0.64, 0.0, 0.0]]}
/// ```
///
/// | key | value |
/// |---|---|
/// | `format`, `version` | always `"giveway-direction-map"` and 1 |
/// | `rules` | the [`DirectionRules`], as an object with the next four keys |
/// | `rate`, `neighbours` | the learning rate of the ends of a move, and the learning rate of the places around its end, from 0 to 1 |
/// | `ends` | which ends learn: `"both"`, `"entered"` or `"left"` |
/// | `weight` | the cost of a move against the directions at both ends, from 0 to 1,000,000 plain steps |
/// | `blank` | the surcharge of blank places: `"zero"` (a move between two blank places costs half of the weight) or `"free"` (no surcharge) |
/// | `space` | the [fingerprint](DirectionMap::fingerprint) of the map's space, as 16 hexadecimal digits |
/// | `nodes` | the number of nodes of that space |
/// | `directions` | the directions that are not blank, each with its node, in ascending order: `[node, x, y, z]`, a vector of length 1 at most |
///
/// Other keys are ignored on reading. Numbers that are written and read again are equal, bit for bit.
///
/// ```
/// use giveway_core::{CostLayer, SpaceGraph};
/// use giveway_lanes::{DirectionMap, DirectionRules};
/// use giveway_scenario::DirectionMapFile;
/// use giveway_spaces::Grid;
///
/// let grid = Grid::open(3, 1)?;
/// let map = DirectionMap::blank(&grid, DirectionRules::paper());
/// for x in [0, 1] {
///     let east = grid.moves(grid.node(x, 0).unwrap()).find(|m| m.to == grid.node(x + 1, 0).unwrap()).unwrap();
///     map.moved(&grid, &east);
/// }
/// let contents = DirectionMapFile::new(&map).to_string();
///
/// let file = DirectionMapFile::parse(&contents, "learned.json")?;
/// assert_eq!(file.map(&grid)?, map);
/// let other = file.map(&Grid::open(4, 1)?).unwrap_err();
/// assert!(other.to_string().starts_with("learned in another space: of 3 nodes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type DirectionMapFile = DirectionsFile<Directed>;

impl DirectionMapFile {
    /// A file with the present state of `map`.
    pub fn new(map: &DirectionMap) -> Self {
        let rows = map.directions().map(|(node, [x, y, z])| Directed(node.0, x, y, z));
        Self { head: Head::of(map), rows: rows.collect() }
    }

    /// A direction map of `space`, with the state in the file. The map learns from further moves. Takes time linear in
    /// the moves of the space.
    ///
    /// # Errors
    /// The file is for another space: with another number of nodes, with other positions, or with other moves. Costs do
    /// not matter.
    pub fn map<S: Embedding>(&self, space: &S) -> Result<DirectionMap, OtherSpace> {
        let map = DirectionMap::blank(space, *self.rules());
        let other = self.head.check_space(&map)?;
        for Directed(node, x, y, z) in &self.rows {
            map.set(NodeId(*node), [*x, *y, *z]).map_err(|_| other)?;
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
    directions: Vec<Directed>,
}

/// A row of a [`DirectionMapFile`]: a node, and its vector as x, y and z.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize, Serialize)]
#[serde(expecting = "a direction as [node, x, y, z]")]
pub struct Directed(u32, f32, f32, f32);

impl Row for Directed {
    const KIND: FileKind = FileKind::DirectionMap;
    const FORMAT: &'static str = DIRECTION_MAP_FORMAT;
    const ROWS: [&'static str; 2] = ["directions", "direction"];

    fn contents(json: &str, file: &Path) -> Result<Unchecked<Self>, FileError> {
        let Contents { rules, space, nodes, directions } = json::read(json, file)?;
        Ok((rules, space, nodes, directions))
    }

    fn check(&self, nodes: u32, last: Option<&Self>) -> Result<(), String> {
        let Self(node, x, y, z) = self;
        match last {
            _ if *node >= nodes => Err(format!("expected one of {nodes} nodes, found {node}")),
            Some(last) if *node <= last.0 => Err(format!("expected a node after {}, found {node}", last.0)),
            _ if DirectionMap::is_direction([*x, *y, *z]) => Ok(()),
            _ => Err(format!("expected a vector no longer than 1, found ({x}, {y}, {z})")),
        }
    }
}
