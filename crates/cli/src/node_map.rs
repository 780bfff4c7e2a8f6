//! Maps without square cells: graphs, hexagons, squares that stand on a corner.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use giveway::footprint::ConflictRule;
use giveway::render::Backdrop;
use giveway::scenario::{GraphFile, GraphNodeId, MapFile, TraceFile};
use giveway::spaces::{Direction, Embedding, FnSpace, HexGrid, Positions, Stagger};
use giveway::{NodeId, SpaceGraph};

use crate::arguments::Connectivity;
use crate::pictures;
use crate::places::Places;
use crate::world::{CellMap, cost};

/// A graph whose nodes have positions.
pub(crate) type Graph = FnSpace<u32, Positions>;

/// A map of nodes.
pub(crate) struct NodeMap {
    pub(crate) space: NodeSpace,
    pub(crate) facts: NodeFacts,
    /// What it is, for messages.
    pub(crate) kind: &'static str,
}

#[allow(clippy::large_enum_variant)] // there is one
pub(crate) enum NodeSpace {
    Hexes(HexGrid),
    Graph(Graph),
}

/// What is known about a map beside its space.
#[derive(Clone)]
pub(crate) struct NodeFacts {
    pub(crate) places: Places,
    /// The convex shapes that are walls; empty if the space has no ground.
    pub(crate) walls: Vec<Vec<[f32; 2]>>,
    pub(crate) backdrop: Backdrop,
    pub(crate) labels: Labels,
    /// The nodes where drawn agents may start, and may go; `None`: anywhere.
    pub(crate) marks: [Option<Vec<NodeId>>; 2],
    /// The rule for points. Under the swap rule all moves take a step.
    pub(crate) rule: ConflictRule,
}

/// What traces say about the file of the map.
#[derive(Clone, Default)]
pub(crate) struct Labels {
    /// The cell of the file that became (0, 0).
    pub(crate) origin: Option<[i32; 2]>,
    /// The ids of the nodes.
    pub(crate) ids: Option<Arc<Vec<GraphNodeId>>>,
}

impl Labels {
    /// `trace`, with the labels.
    pub(crate) fn of(self, trace: TraceFile) -> TraceFile {
        let trace = self.origin.into_iter().fold(trace, TraceFile::with_origin);
        self.ids.into_iter().fold(trace, |trace, ids| trace.with_node_ids(ids.to_vec()))
    }
}

impl NodeMap {
    pub(crate) fn of_graph(file: &GraphFile) -> Result<Self> {
        let space = file.space()?;
        let ids = Arc::new(file.ids().to_vec());
        let facts = NodeFacts {
            places: Places::Named(Arc::clone(&ids)),
            walls: Vec::new(),
            backdrop: Backdrop::graph(&space),
            labels: Labels { origin: None, ids: Some(ids) },
            marks: [None, None],
            rule: ConflictRule::Following,
        };
        Ok(Self { space: NodeSpace::Graph(space), facts, kind: "a graph" })
    }

    pub(crate) fn of_hexes(cell_map: &CellMap, stagger: Stagger) -> Result<Self> {
        let CellMap { map, costs, origin, marks, .. } = cell_map;
        let space = HexGrid::staggered(map.width(), map.height(), stagger, |x, y| map.is_passable(x, y))?;
        // Nodes are in the order of axial coordinates.
        let by_hex: BTreeMap<(i32, i32), [u32; 2]> = cells(map)
            .map(|cell| {
                let [q, r] = stagger.axial(cell);
                ((r, q), cell)
            })
            .collect();
        let cells: Vec<[u32; 2]> = by_hex.values().copied().collect();
        let space = match costs {
            Some(costs) => {
                space.with_terrain(|hex| by_hex.get(&(hex.y, hex.x)).map_or(1, |cell| cost(costs, map, *cell)))?
            }
            None => space,
        };
        let by_node: Option<Vec<Option<Direction>>> =
            cell_map.one_ways.is_some().then(|| cells.iter().map(|cell| cell_map.one_way(*cell)).collect());
        let facts = NodeFacts {
            marks: marks.clone().map(|marked| marked.map(|marked| nodes_of(&cells, &marked))),
            places: Places::Listed(Arc::new(cells)),
            walls: space
                .nodes()
                .filter(|node| !space.contains(*node))
                .map(|node| space.corners(node).to_vec())
                .collect(),
            backdrop: Backdrop::tiles(&space, |node| space.corners(node)),
            labels: Labels { origin: *origin, ids: None },
            rule: ConflictRule::Swap,
        };
        let space = match by_node {
            None => NodeSpace::Hexes(space),
            Some(ways) => NodeSpace::Graph(one_way(&space, |node| ways[node.index()])?),
        };
        Ok(Self { space, facts, kind: "a map of hexagons" })
    }

    /// Square cells some of which are one-ways: no step against their direction begins or ends there.
    pub(crate) fn of_one_ways(cell_map: &CellMap, path: &Path, connectivity: Connectivity) -> Result<Self> {
        let grid = cell_map.grid(path, connectivity)?;
        let way = |node: NodeId| cell_map.one_ways.as_ref().and_then(|ways| *ways.get(node.index())?);
        let space = one_way(&grid, way)?;
        let closed: Vec<NodeId> = grid.nodes().filter(|node| !grid.contains(*node)).collect();
        let square = |node: &NodeId| {
            let [x, y, _] = grid.position(*node);
            vec![[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]]
        };
        let walls = closed.iter().map(square).collect();
        let facts = NodeFacts {
            walls,
            backdrop: pictures::backdrop(&grid),
            labels: Labels { origin: cell_map.origin, ids: None },
            rule: ConflictRule::Swap,
            marks: cell_map.marked(&grid),
            places: Places::Cells(grid),
        };
        Ok(Self { space: NodeSpace::Graph(space), facts, kind: "a map with one-ways" })
    }

    /// Squares that stand on a corner: neighbours, 1 apart, share a side.
    pub(crate) fn of_staggered(cell_map: &CellMap, stagger: Stagger) -> Result<Self> {
        let CellMap { map, costs, origin, marks, .. } = cell_map;
        let cells: Vec<[u32; 2]> = cells(map).collect();
        let node = |[x, y]: [i64; 2]| {
            let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
            (x < map.width() && y < map.height()).then(|| y * map.width() + x)
        };
        let of_rows = stagger.is_of_rows();
        let odd = i64::from(stagger.halves(1));
        let beside = |index: u32| {
            let [x, y] = cells[index as usize].map(i64::from);
            // The lines beside this one are shifted against it by half a cell to one side.
            let (along, line) = if of_rows { (x, y) } else { (y, x) };
            let other = if line % 2 == 0 { along - odd } else { along + odd };
            let near = [along.min(other), along.max(other)];
            let places = [line - 1, line + 1].into_iter().flat_map(move |line| near.map(|along| (along, line)));
            places.filter_map(move |(along, line)| node(if of_rows { [along, line] } else { [line, along] }))
        };
        let position = |index: u32| {
            let [x, y] = cells[index as usize];
            let line = if of_rows { y } else { x };
            #[allow(clippy::cast_precision_loss)] // a map has less than 2^24 cells
            let ([x, y], half) = ([x as f32, y as f32], stagger.halves(line) as f32 / 2.0);
            let [x, y] = if of_rows { [x + half, y / 2.0] } else { [x / 2.0, y + half] };
            [x, y].map(|side| side * std::f32::consts::SQRT_2)
        };
        let count = u32::try_from(cells.len())?;
        let price = |to: u32| 1000 * costs.as_ref().map_or(1, |costs| cost(costs, map, cells[to as usize]));
        let is_against = |[from, to]: [u32; 2]| {
            let [a, b] = [from, to].map(position);
            [from, to].iter().any(|node| is_against(cell_map.one_way(cells[*node as usize]), [a, b]))
        };
        let ways = |index: u32| beside(index).filter(move |to| !is_against([index, *to]));
        let mut space = FnSpace::new(count, |index| ways(index).map(|to| (to, price(to))))?
            .with_lengths(|_| 1.0)?
            .with_positions(|index| {
                let [x, y] = position(index);
                [x, y, 0.0]
            })?;
        let corners = |index: u32| {
            let ([x, y], half) = (position(index), std::f32::consts::FRAC_1_SQRT_2);
            vec![[x - half, y], [x, y - half], [x + half, y], [x, y + half]]
        };
        let closed: Vec<u32> = (0..count).filter(|index| !is_free(map, cells[*index as usize])).collect();
        for index in &closed {
            space.set_open(NodeId(*index), false);
        }
        let facts = NodeFacts {
            walls: closed.into_iter().map(corners).collect(),
            backdrop: Backdrop::tiles(&space, |node| corners(node.0)),
            labels: Labels { origin: *origin, ids: None },
            rule: ConflictRule::Swap,
            marks: marks.clone().map(|marked| marked.map(|marked| nodes_of(&cells, &marked))),
            places: Places::Listed(Arc::new(cells.clone())),
        };
        Ok(Self { space: NodeSpace::Graph(space), facts, kind: "a staggered map" })
    }
}

/// `space` without steps that begin or end against the direction of a node.
fn one_way<S: Embedding + SpaceGraph<Cost = u32>>(
    space: &S,
    way: impl Fn(NodeId) -> Option<Direction>,
) -> Result<Graph> {
    let flat = |node: NodeId| {
        let [x, y, _] = space.position(node);
        [x, y]
    };
    let count = u32::try_from(space.node_bound())?;
    let made = FnSpace::new(count, |index| {
        let open = space.moves(NodeId(index)).filter(|m| {
            let ends = [flat(m.from), flat(m.to)];
            ![m.from, m.to].iter().any(|node| is_against(way(*node), ends))
        });
        open.map(|m| (m.to.0, m.cost)).collect::<Vec<_>>()
    })?;
    let mut made = made.with_positions(|index| space.position(NodeId(index)))?;
    for node in space.nodes().filter(|node| !space.contains(*node)) {
        made.set_open(node, false);
    }
    Ok(made)
}

/// Whether a step between two places goes against the direction of one of them.
fn is_against(way: Option<Direction>, [from, to]: [[f32; 2]; 2]) -> bool {
    way.is_some_and(|way| {
        let (x, y) = way.offset();
        #[allow(clippy::cast_precision_loss)] // -1, 0 or 1
        let along = (to[0] - from[0]) * x as f32 + (to[1] - from[1]) * y as f32;
        // Steps across the direction are rounded.
        along < -0.01
    })
}

/// The nodes of `marked`, given the cells of all nodes.
fn nodes_of(cells: &[[u32; 2]], marked: &[[u32; 2]]) -> Vec<NodeId> {
    let marked: BTreeSet<&[u32; 2]> = marked.iter().collect();
    (0..).map(NodeId).zip(cells).filter(|(_, cell)| marked.contains(cell)).map(|(node, _)| node).collect()
}

/// The cells of `map`, row by row.
fn cells(map: &MapFile) -> impl Iterator<Item = [u32; 2]> {
    let width = map.width();
    (0..map.height()).flat_map(move |y| (0..width).map(move |x| [x, y]))
}

fn is_free(map: &MapFile, [x, y]: [u32; 2]) -> bool {
    map.is_passable(x, y)
}
