//! Direction maps of moves, for spaces without positions.

use std::fmt;
use std::path::Path;

use giveway_core::{NodeId, SpaceGraph};
use giveway_lanes::{DirectionRules, EdgeDirectionMap};
use serde::Deserialize;

use super::head::{Head, OtherSpace};
use crate::file_error::{self, FileError};
use crate::json;
use crate::json_place::Selector;
use crate::kind::{EDGE_DIRECTION_MAP_FORMAT, FileKind};
use crate::lines::decode;

const VERSION: u32 = 1;

/// A direction map that holds numbers of moves instead of directions of places, without its space, and its JSON form.
///
/// ```json
/// {"format": "giveway-edge-direction-map", "version": 1,
///  "rules": {"rate": 0.4, "neighbours": 0.0, "ends": "both", "weight": 10.0, "blank": "zero"},
///  "space": "dce44ce47a799f07", "nodes": 2, "moves": [
///   [0, 0, 0.4],
///   [1, 0, -0.4]]}
/// ```
///
/// The keys are those of a [`DirectionMapFile`](super::DirectionMapFile), except for `moves`: the numbers that are not 0, from -1 to 1, in ascending
/// order of moves. Each comes with the node where the move begins, and the move's position among the moves out of that node.
///
/// ```
/// use giveway_core::{CostLayer, NodeId, SpaceGraph};
/// use giveway_lanes::{DirectionRules, EdgeDirectionMap};
/// use giveway_scenario::EdgeDirectionMapFile;
/// use giveway_spaces::FnSpace;
///
/// let road = FnSpace::new(2, |node| [(1 - node, 1000)])?;
/// let map = EdgeDirectionMap::blank(&road, DirectionRules::paper());
/// map.moved(&road, &road.moves(NodeId(0)).next().unwrap());
/// let contents = EdgeDirectionMapFile::new(&map).to_string();
///
/// let file = EdgeDirectionMapFile::parse(&contents, "learned.json")?;
/// assert_eq!(file.map(&road)?, map);
/// let other = FnSpace::new(2, |node| (node == 0).then_some((1, 1000)))?;
/// assert!(file.map(&other).unwrap_err().to_string().starts_with("learned in another space: of 2 nodes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeDirectionMapFile {
    head: Head,
    /// In ascending order.
    moves: Vec<(NodeId, u32, f32)>,
}

impl EdgeDirectionMapFile {
    /// The present state of `map`.
    pub fn new(map: &EdgeDirectionMap) -> Self {
        let head = Head::new(*map.rules(), map.fingerprint(), map.node_bound());
        Self { head, moves: map.values().collect() }
    }

    /// Parses a direction map; `file` is its name in errors.
    ///
    /// # Errors
    /// `contents` is not JSON, not such a map of this version, or not valid: a rule or a number is out of range, or the moves are not in ascending
    /// order, or not out of the stated number of nodes.
    pub fn parse(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        let (contents, file) = (contents.as_ref(), file.as_ref());
        FileKind::EdgeDirectionMap.explain(Self::parse_json(contents, file), contents, file)
    }

    fn parse_json(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let json = decode(contents, file)?;
        json::check_header(json, file, EDGE_DIRECTION_MAP_FORMAT, VERSION)?;
        let Contents { rules, space, nodes, moves } = json::read(json, file)?;
        let head = Head::parse(rules, &space, nodes, file, json)?;
        let mut last = None;
        let mut check = |(index, Numbered(node, position, value))| {
            let refused = if node >= nodes {
                Some(format!("expected one of {nodes} nodes, found {node}"))
            } else if last.is_some_and(|last| (node, position) <= last) {
                Some(format!("expected a move after the one before, found move {position} out of node {node}"))
            } else if !(-1.0..=1.0).contains(&value) {
                Some(format!("expected a number from -1 to 1, found {value}"))
            } else {
                None
            };
            last = Some((node, position));
            match refused {
                Some(message) => {
                    let error = FileError::new(file, format!("move {index}: {message}"));
                    Err(json::at(error, json, &[Selector::Key("moves"), Selector::Element(index)]))
                }
                None => Ok((NodeId(node), position, value)),
            }
        };
        let moves = moves.into_iter().enumerate().map(&mut check).collect::<Result<_, FileError>>()?;
        Ok(Self { head, moves })
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
    /// The direction map is for another space: with another number of nodes, or other moves. Costs do not matter.
    pub fn map<S: SpaceGraph>(&self, space: &S) -> Result<EdgeDirectionMap, OtherSpace> {
        let map = EdgeDirectionMap::blank(space, self.head.rules);
        let other = self.head.check_space(map.node_bound(), map.fingerprint())?;
        for (node, position, value) in &self.moves {
            map.set(*node, *position, *value).map_err(|_| other)?;
        }
        Ok(map)
    }

    /// How the map learns, and what it charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.head.rules
    }
}

/// The contents of the file: JSON, one move per line.
impl fmt::Display for EdgeDirectionMapFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.moves.iter().map(|(node, position, value)| (node.0, position, value));
        self.head.write(f, [EDGE_DIRECTION_MAP_FORMAT, "moves"], VERSION, items)
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Contents {
    rules: DirectionRules,
    space: String,
    nodes: u32,
    moves: Vec<Numbered>,
}

#[derive(Deserialize)]
#[serde(expecting = "a move as [node, position, number]")]
struct Numbered(u32, u32, f32);
