//! Direction maps of moves, for spaces without positions.

use std::path::Path;

use giveway_core::{NodeId, SpaceGraph};
use giveway_lanes::{DirectionRules, EdgeDirectionMap};
use serde::{Deserialize, Serialize};

use super::file::{DirectionsFile, Row, Unchecked};
use super::head::{Head, OtherSpace};
use crate::file_error::FileError;
use crate::json;
use crate::kind::{EDGE_DIRECTION_MAP_FORMAT, FileKind};

/// The JSON form of an [`EdgeDirectionMap`], a direction map with a number for each move. The file does not contain the
/// space.
///
/// ```json
/// {"format": "giveway-edge-direction-map", "version": 1,
///  "rules": {"rate": 0.4, "neighbours": 0.0, "ends": "both", "weight": 10.0, "blank": "zero"},
///  "space": "dce44ce47a799f07", "nodes": 2, "moves": [
///   [0, 0, 0.4],
///   [1, 0, -0.4]]}
/// ```
///
/// The keys are the keys of a [`DirectionMapFile`](super::DirectionMapFile), but with `moves` in place of `directions`.
/// An entry of `moves` is `[node, position, number]`: the node where the move begins, the position of the move among
/// the moves out of that node, and the number of the move, from -1 to 1. Moves with the number 0 are left out. Entries
/// are in ascending order.
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
pub type EdgeDirectionMapFile = DirectionsFile<Numbered>;

impl EdgeDirectionMapFile {
    /// A file with the present state of `map`.
    pub fn new(map: &EdgeDirectionMap) -> Self {
        let rows = map.values().map(|(node, position, value)| Numbered(node.0, position, value));
        Self { head: Head::of(map), rows: rows.collect() }
    }

    /// A direction map of `space`, with the state in the file. The map learns from further moves. Takes time linear in
    /// the moves of the space.
    ///
    /// # Errors
    /// The file is for another space: with another number of nodes, or with other moves. Costs do not matter.
    pub fn map<S: SpaceGraph>(&self, space: &S) -> Result<EdgeDirectionMap, OtherSpace> {
        let map = EdgeDirectionMap::blank(space, *self.rules());
        let other = self.head.check_space(&map)?;
        for Numbered(node, position, value) in &self.rows {
            map.set(NodeId(*node), *position, *value).map_err(|_| other)?;
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
    moves: Vec<Numbered>,
}

/// A row of an [`EdgeDirectionMapFile`]: a node, the position of a move among the moves out of the node, and the number
/// of the move.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize, Serialize)]
#[serde(expecting = "a move as [node, position, number]")]
pub struct Numbered(u32, u32, f32);

impl Row for Numbered {
    const KIND: FileKind = FileKind::EdgeDirectionMap;
    const FORMAT: &'static str = EDGE_DIRECTION_MAP_FORMAT;
    const ROWS: [&'static str; 2] = ["moves", "move"];

    fn contents(json: &str, file: &Path) -> Result<Unchecked<Self>, FileError> {
        let Contents { rules, space, nodes, moves } = json::read(json, file)?;
        Ok((rules, space, nodes, moves))
    }

    fn check(&self, nodes: u32, last: Option<&Self>) -> Result<(), String> {
        let Self(node, position, value) = self;
        match last {
            _ if *node >= nodes => Err(format!("expected one of {nodes} nodes, found {node}")),
            Some(last) if (*node, *position) <= (last.0, last.1) => {
                Err(format!("expected a move after the one before, found move {position} out of node {node}"))
            }
            _ if (-1.0..=1.0).contains(value) => Ok(()),
            _ => Err(format!("expected a number from -1 to 1, found {value}")),
        }
    }
}
