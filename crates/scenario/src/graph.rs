//! Graphs: node-link JSON, as NetworkX writes it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use giveway_spaces::{FnSpace, Positions, SpaceError};
use serde::{Deserialize, Serialize};

use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::json;
use crate::json_place::Selector;
use crate::kind::FileKind;
use crate::lines::{decode, quoted};

/// The name of a node in its file: a number or a text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number or a text as the id of a node")]
pub enum GraphNodeId {
    /// A whole number.
    Whole(i64),
    /// Another number.
    Number(f64),
    /// A text.
    Text(String),
}

/// As messages show it: texts without quotes.
impl fmt::Display for GraphNodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl GraphNodeId {
    /// Equal for equal ids. The number 1 and the text "1" are two ids.
    fn key(&self) -> (bool, Cow<'_, str>) {
        match self {
            Self::Text(text) => (true, Cow::Borrowed(text)),
            // 1 and 1.0 are one number, in Python, too.
            number => (false, Cow::Owned(number.to_string())),
        }
    }
}

/// A way of a graph that leads from one node to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GraphEdge {
    /// The index of the node where the way begins, and of the node where it ends.
    pub ends: [usize; 2],
    /// What the way costs, in plain steps of a grid.
    pub cost: f64,
    /// The time that an agent of speed 1 takes for the way, in steps. If the file gives no duration, the duration is
    /// the length of the way.
    pub duration: f64,
}

/// A graph with positions, in the node-link JSON that NetworkX writes: `networkx.node_link_data`.
///
/// ```json
/// {"directed": true, "multigraph": false, "graph": {},
///  "nodes": [{"id": "gate", "x": 0, "y": 0}, {"id": 7, "x": 3, "y": 4}],
///  "edges": [{"source": "gate", "target": 7, "length": 6.5}]}
/// ```
///
/// | key | value |
/// |---|---|
/// | `directed` | whether edges lead one way; optional if false. Edges of a graph that is not directed lead both ways |
/// | `nodes` | the nodes |
/// | `id` | the id of a node: a number or a text; no two nodes have one id |
/// | `x`, `y`, `z` | the position of a node, in world units; `z` is optional if it is 0 |
/// | `edges` or `links` | the edges; there may be several between two nodes |
/// | `source`, `target` | the ids of the nodes between which an edge leads |
/// | `length` | how long the edge is, in world units; optional if it is straight |
/// | `duration` | how long an agent of speed 1 takes for it, in steps; optional if that is the length |
/// | `cost` | what it costs, where a step on plain ground costs 1; optional if that is the duration |
///
/// Other keys are ignored. An edge from a node to itself leads nowhere, and is left out.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphFile {
    file: PathBuf,
    ids: Vec<GraphNodeId>,
    positions: Vec<[f32; 3]>,
    edges: Vec<GraphEdge>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Contents {
    #[serde(default)]
    directed: bool,
    nodes: Vec<Node>,
    edges: Option<Vec<Edge>>,
    links: Option<Vec<Edge>>,
}

#[derive(Deserialize)]
#[serde(expecting = "a node as an object")]
struct Node {
    id: GraphNodeId,
    x: f64,
    y: f64,
    #[serde(default)]
    z: f64,
}

#[derive(Deserialize)]
#[serde(expecting = "an edge as an object")]
struct Edge {
    source: GraphNodeId,
    target: GraphNodeId,
    length: Option<f64>,
    cost: Option<f64>,
    duration: Option<f64>,
}

/// Positions beyond this count as mistakes.
const FARTHEST: f64 = 1e9;
/// Costs beyond this saturate in searches.
const DEAREST: f64 = 1e6;

impl GraphFile {
    file_methods! {
        /// Parses a graph; `file` is its name in errors.
        ///
        /// # Errors
        /// `contents` is not node-link JSON; there is no node; two nodes have one id; the end of an edge is no node; a
        /// position is beyond 10^9; or a length, a duration or a cost is negative, or beyond 10^6.
        parse: FileKind::Graph, Self::parse_json
    }

    fn parse_json(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let json = decode(contents, file)?;
        let graph: Contents = json::read(json, file)?;
        let wrong = |expected: &str, found: &dyn fmt::Display, selectors: &[Selector]| {
            json::at(FileError::expected(file, expected, found), json, selectors)
        };
        let (list, edges) = match (graph.edges, graph.links) {
            (Some(edges), None) => ("edges", edges),
            (None, Some(links)) => ("links", links),
            (Some(_), Some(_)) => return Err(wrong("either edges or links", &"both", &[Selector::Key("links")])),
            (None, None) => return Err(wrong("edges or links", &"none", &[])),
        };
        if graph.nodes.is_empty() {
            return Err(wrong("at least one node", &"none", &[Selector::Key("nodes")]));
        }
        let mut numbers = HashMap::with_capacity(graph.nodes.len());
        let mut positions = Vec::with_capacity(graph.nodes.len());
        for (number, node) in graph.nodes.iter().enumerate() {
            let selectors = |key| [Selector::Key("nodes"), Selector::Element(number), Selector::Key(key)];
            if let Some(other) = numbers.insert(node.id.key(), number) {
                let found = format!("{}, the id of node {other} of the list", quoted(&node.id.to_string()));
                return Err(wrong("an id that no other node has", &found, &selectors("id")));
            }
            for (key, side) in [("x", node.x), ("y", node.y), ("z", node.z)] {
                if side.abs() > FARTHEST {
                    return Err(wrong("a coordinate of at most 1e9", &side, &selectors(key)));
                }
            }
            #[allow(clippy::cast_possible_truncation)] // rounded once
            positions.push([node.x, node.y, node.z].map(|side| side as f32));
        }
        let mut ways = Vec::with_capacity(edges.len());
        for (number, edge) in edges.iter().enumerate() {
            let selectors = |key| [Selector::Key(list), Selector::Element(number), Selector::Key(key)];
            let end = |key: &'static str, id: &GraphNodeId| {
                let found = || wrong("the id of a node", &quoted(&id.to_string()), &selectors(key));
                numbers.get(&id.key()).copied().ok_or_else(found)
            };
            let ends = [end("source", &edge.source)?, end("target", &edge.target)?];
            for (key, given) in [("length", edge.length), ("cost", edge.cost), ("duration", edge.duration)] {
                if let Some(given) = given.filter(|given| !(0.0..=DEAREST).contains(given)) {
                    return Err(wrong(&format!("a {key} from 0 to 1e6"), &given, &selectors(key)));
                }
            }
            let [from, to] = ends.map(|end| positions[end].map(f64::from));
            let straight = (0..3).map(|axis| (to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
            let duration = edge.duration.or(edge.length).unwrap_or(straight);
            let cost = edge.cost.unwrap_or(duration);
            if ends[0] == ends[1] {
                continue;
            }
            if duration.max(cost) > DEAREST {
                return Err(wrong("an edge of a length of at most 1e6", &straight, &selectors("source")));
            }
            ways.push(GraphEdge { ends, cost, duration });
            if !graph.directed {
                ways.push(GraphEdge { ends: [ends[1], ends[0]], cost, duration });
            }
        }
        drop(numbers);
        let ids = graph.nodes.into_iter().map(|node| node.id).collect();
        Ok(Self { file: file.to_owned(), ids, positions, edges: ways })
    }

    /// The graph of nodes with texts as ids and of straight edges, which are indices of nodes; `file` is its name.
    #[cfg(feature = "world")]
    pub(crate) fn of_nodes(
        file: &Path,
        nodes: impl IntoIterator<Item = (String, [f32; 2])>,
        ends: impl IntoIterator<Item = [usize; 2]>,
    ) -> Self {
        let (ids, positions): (Vec<GraphNodeId>, Vec<[f32; 3]>) =
            nodes.into_iter().map(|(id, [x, y])| (GraphNodeId::Text(id), [x, y, 0.0])).unzip();
        let straight = |[from, to]: [usize; 2]| {
            let [[x0, y0, _], [x1, y1, _]] = [from, to].map(|end| positions[end].map(f64::from));
            (x1 - x0).hypot(y1 - y0)
        };
        let edges = ends.into_iter().map(|ends| {
            let length = straight(ends);
            GraphEdge { ends, cost: length, duration: length }
        });
        let edges = edges.collect();
        Self { file: file.to_owned(), ids, positions, edges }
    }

    /// The ids of the nodes, in the order of the file.
    pub fn ids(&self) -> &[GraphNodeId] {
        &self.ids
    }

    /// The positions of the nodes, in the order of the file.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// The ways, each in one direction.
    pub fn edges(&self) -> &[GraphEdge] {
        &self.edges
    }

    /// The space of the graph. The node of index i has the id i. The length of a move is the duration of the edge, so
    /// an agent of speed 1 takes this duration. The cost of a move is 1000 times the cost of the edge, rounded down,
    /// and at least 1.
    ///
    /// # Errors
    /// There are more than 2^32 - 1 nodes or moves.
    pub fn space(&self) -> Result<FnSpace<u32, Positions>, SpaceError> {
        let mut out: Vec<Vec<&GraphEdge>> = vec![Vec::new(); self.ids.len()];
        for edge in &self.edges {
            out[edge.ends[0]].push(edge);
        }
        let nodes = u32::try_from(self.ids.len()).map_err(|_| SpaceError::TooManyNodes { bound: self.ids.len() })?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked by the reader
        let space = FnSpace::new(nodes, |node| {
            out[node as usize].iter().map(|edge| (edge.ends[1] as u32, ((edge.cost * 1000.0) as u32).max(1)))
        })?;
        #[allow(clippy::cast_possible_truncation)] // rounded once
        let space = space.with_lengths(|way| out[way.from.index()][way.action as usize].duration as f32)?;
        space.with_positions(|node| self.positions[node as usize])
    }
}
