//! Direction maps as JSON: which way units have learned to go, for a later crowd on the same map.

mod edges;
mod head;

use std::fmt;
use std::path::Path;

use giveway_core::{Embedding, NodeId};
use giveway_lanes::{DirectionMap, DirectionRules};
use serde::Deserialize;

use crate::file_error::{self, FileError};
use crate::json;
use crate::json_place::Selector;
use crate::kind::{DIRECTION_MAP_FORMAT, FileKind};
use crate::lines::decode;

pub use edges::EdgeDirectionMapFile;
pub use head::OtherSpace;

use head::Head;

const VERSION: u32 = 1;

/// A direction map without its space, and its JSON form.
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
/// | `rules` | how the map learns, and what it charges: the [`DirectionRules`] |
/// | `rate`, `neighbours` | the learning rates of the ends of a move and of the places around, from 0 to 1 |
/// | `ends` | which ends learn: `"both"`, `"entered"` or `"left"` |
/// | `weight` | the cost of a move against the directions at both ends, from 0 to 1,000,000 plain steps |
/// | `blank` | the cost of blanks: `"zero"` (half of the weight between two) or `"free"` |
/// | `space` | the [fingerprint](DirectionMap::fingerprint) of the map's space, as 16 hexadecimal digits |
/// | `nodes` | the number of nodes of that space |
/// | `directions` | the directions that are not blank, each with its node, in ascending order: `[node, x, y, z]`, a vector of length 1 at most |
///
/// Other keys are ignored on reading. Numbers come back bit for bit.
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
#[derive(Clone, PartialEq, Debug)]
pub struct DirectionMapFile {
    head: Head,
    /// In ascending order of the nodes.
    directions: Vec<(NodeId, [f32; 3])>,
}

impl DirectionMapFile {
    /// The present state of `map`.
    pub fn new(map: &DirectionMap) -> Self {
        let head = Head::new(*map.rules(), map.fingerprint(), map.node_bound());
        Self { head, directions: map.directions().collect() }
    }

    /// Parses a direction map; `file` is its name in errors.
    ///
    /// # Errors
    /// `contents` is not JSON, not a direction map of this version, or not valid: a rule is out of range, a direction is longer than 1, or the nodes
    /// are not in ascending order, or not below the stated number of nodes.
    pub fn parse(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        let (contents, file) = (contents.as_ref(), file.as_ref());
        FileKind::DirectionMap.explain(Self::parse_json(contents, file), contents, file)
    }

    fn parse_json(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let json = decode(contents, file)?;
        json::check_header(json, file, DIRECTION_MAP_FORMAT, VERSION)?;
        let Contents { rules, space, nodes, directions } = json::read(json, file)?;
        let head = Head::parse(rules, &space, nodes, file, json)?;
        let mut least = 0;
        let mut check = |(index, Directed(node, x, y, z))| {
            let vector = [x, y, z];
            check_direction(least..nodes, node, vector).map_err(|message| {
                let error = FileError::new(file, format!("direction {index}: {message}"));
                json::at(error, json, &[Selector::Key("directions"), Selector::Element(index)])
            })?;
            least = node.saturating_add(1);
            Ok((NodeId(node), vector))
        };
        let directions = directions.into_iter().enumerate().map(&mut check).collect::<Result<_, FileError>>()?;
        Ok(Self { head, directions })
    }

    /// The direction map in the file at `path`.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse), or the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse(file_error::read(path.as_ref())?, path)
    }

    /// Writes the direction map to the file at `path`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        file_error::write(path.as_ref(), self)
    }

    /// The direction map of `space`, which goes on learning. O(moves of the space).
    ///
    /// # Errors
    /// The direction map is for another space: with another number of nodes, other positions, or other moves. Costs do not matter.
    pub fn map<S: Embedding>(&self, space: &S) -> Result<DirectionMap, OtherSpace> {
        let map = DirectionMap::blank(space, self.head.rules);
        let other = self.head.check_space(map.node_bound(), map.fingerprint())?;
        for (node, vector) in &self.directions {
            map.set(*node, *vector).map_err(|_| other)?;
        }
        Ok(map)
    }

    /// How the map learns, and what it charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.head.rules
    }
}

/// The contents of a direction map's file: JSON, one direction per line.
impl fmt::Display for DirectionMapFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.directions.iter().map(|(node, [x, y, z])| (node.0, x, y, z));
        self.head.write(f, [DIRECTION_MAP_FORMAT, "directions"], VERSION, items)
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

#[derive(Deserialize)]
#[serde(expecting = "a direction as [node, x, y, z]")]
struct Directed(u32, f32, f32, f32);

/// The error is what was expected and what was found.
fn check_direction(nodes: std::ops::Range<u32>, node: u32, [x, y, z]: [f32; 3]) -> Result<(), String> {
    let std::ops::Range { start, end } = nodes;
    if node >= end {
        Err(format!("expected one of {end} nodes, found {node}"))
    } else if node < start {
        Err(format!("expected a node after {}, found {node}", start.saturating_sub(1)))
    } else if DirectionMap::is_direction([x, y, z]) {
        Ok(())
    } else {
        Err(format!("expected a vector no longer than 1, found ({x}, {y}, {z})"))
    }
}
