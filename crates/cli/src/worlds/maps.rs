//! The maps of a world: each lies on a floor, at an offset.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use giveway::scenario::{At, MeshFile, WorldFile, WorldMap, WorldPlace, WorldRoads};
use giveway::spaces::{Embedding as _, FnSpace, Grid, NavMesh, Positions, RoadRules, Roads};
use giveway::{NodeId, SpaceGraph as _};

use super::union::Union;
use crate::arguments::{Connectivity, MapArguments};
use crate::node_map::{NodeMap, NodeSpace};
use crate::world::{CellMap, World, cost};

/// A map of a world.
pub(crate) struct WorldPart {
    pub(super) name: Option<String>,
    /// Of the origin of the map, in world units.
    pub(super) offset: [f32; 2],
    pub(super) floor: i32,
    pub(super) height: f32,
    /// Whether its walls are walls for classes on other maps of the floor.
    pub(super) solid: bool,
    pub(super) terrain: Terrain,
}

/// What a map is made of.
#[allow(clippy::large_enum_variant)] // there are few
pub(super) enum Terrain {
    Cells {
        /// The grid of the map, at the height of its floor.
        grid: Grid,
        /// The grid with cells that are no ground to its left and above it, so that the cell (x, y) lies at (x, y) in
        /// the world; `None`: its offset is not whole, or negative.
        in_place: Option<Grid>,
    },
    Nodes(NodeMap),
    /// Roads, in place; the graph that they are made of, and how.
    Roads {
        of: Arc<Roads>,
        nodes: NodeMap,
        rules: WorldRoads,
    },
    Mesh(NavMesh),
}

/// A grid has at most so many cells with those before its offset.
const MOST_CELLS: u64 = 1 << 24;

impl WorldPart {
    /// The map that `map` describes.
    pub(super) fn read(world: &WorldFile, map: &At<WorldMap>) -> Result<Self> {
        let document = world.document();
        let height = map.floor as f32 * document.floor_height.value;
        let offset = map.offset.as_ref().map_or([0.0; 2], |offset| offset.value);
        let why = |error: anyhow::Error| world.error_why(map.at, format!("{error:#}"));
        let path = match &map.file {
            Some(file) => world.path(file)?,
            None => PathBuf::from("cells"),
        };
        let (cells, graph, mesh) = (world.cells(map)?, world.graph(map)?, world.mesh(map)?);
        let read = match (&map.file, cells, graph, mesh) {
            (_, Some(cells), ..) => World::Cells(CellMap::plain(cells)),
            (_, _, Some(graph), _) => World::Nodes(NodeMap::of_graph(&graph).map_err(why)?),
            (.., Some(mesh)) => World::Mesh(MeshFile::new(mesh)),
            (Some(file), ..) => {
                let arguments = MapArguments {
                    walls: map.walls.clone(),
                    costs: map.costs.clone(),
                    one_ways: map.one_ways.clone(),
                    colors: world.colors(map)?,
                    // Beside the map, or elsewhere in the folder of the world.
                    tile_sets: is_tile_map(&path).then(|| world.folder().to_owned()),
                };
                World::read(&path, &arguments).map_err(|error| world.error_why(file.at, format!("{error:#}")))?
            }
            _ => return Err(world.error_at(map.at, "a map", "none").into()),
        };
        let connectivity = match map.neighbours.as_ref().map(|count| count.value) {
            Some(8) => Connectivity::Eight,
            _ => Connectivity::Four,
        };
        let terrain = match read {
            World::Cells(cells) if cells.one_ways.is_some() => {
                Terrain::Nodes(NodeMap::of_one_ways(&cells, &path, connectivity).map_err(why)?)
            }
            World::Cells(cells) => {
                let grid = cells.grid(&path, connectivity).and_then(|grid| Ok(grid.at_height(height)?)).map_err(why)?;
                let in_place = in_place(&cells, &grid, offset).map_err(why)?;
                Terrain::Cells { grid, in_place }
            }
            World::Mesh(mesh) => Terrain::Mesh(mesh.into_mesh()),
            World::Nodes(nodes) => match &map.roads {
                None => Terrain::Nodes(nodes),
                Some(rules) => {
                    let of = roads(&nodes, **rules, [offset[0], offset[1], height])
                        .map_err(|error| world.error_why(rules.at, format!("{error:#}")))?;
                    Terrain::Roads { of: Arc::new(of), nodes, rules: **rules }
                }
            },
        };
        if let (Some(roads), false) = (&map.roads, matches!(terrain, Terrain::Roads { .. })) {
            return Err(world.error_at(roads.at, "roads of a graph", "another kind of map").into());
        }
        if let (Some(neighbours), false) = (&map.neighbours, matches!(terrain, Terrain::Cells { .. })) {
            let has_ways = matches!(&terrain, Terrain::Nodes(nodes) if nodes.kind == "a map with one-ways");
            if !has_ways {
                return Err(world.error_at(neighbours.at, "neighbours of square cells", "another kind of map").into());
            }
        }
        let name = map.name.as_ref().map(|name| name.value.clone());
        Ok(Self { name, offset, floor: map.floor, height, solid: map.solid, terrain })
    }

    /// What the map is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match &self.terrain {
            Terrain::Cells { .. } => "a map of cells",
            Terrain::Nodes(nodes) => nodes.kind,
            Terrain::Roads { .. } => "roads",
            Terrain::Mesh(_) => "a navigation mesh",
        }
    }

    /// How far positions on the map are from those in the world.
    pub(super) fn shift(&self) -> [f32; 3] {
        [self.offset[0], self.offset[1], self.height]
    }

    /// The least and the greatest x and y of the map, in the world.
    pub(super) fn bounds(&self) -> [[f32; 2]; 2] {
        let around = |places: &mut dyn Iterator<Item = [f32; 3]>, margin: f32| {
            let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
            for [x, y, _] in places {
                least = [least[0].min(x - margin), least[1].min(y - margin)];
                most = [most[0].max(x + margin), most[1].max(y + margin)];
            }
            [least, most]
        };
        let moved = |[least, most]: [[f32; 2]; 2]| [least, most].map(|[x, y]| [x + self.offset[0], y + self.offset[1]]);
        match &self.terrain {
            Terrain::Cells { grid, .. } => {
                #[allow(clippy::cast_precision_loss)] // less than 2^24 cells
                let [width, height] = [grid.width() as f32, grid.height() as f32];
                moved([[-0.5, -0.5], [width - 0.5, height - 0.5]])
            }
            Terrain::Nodes(nodes) => moved(match &nodes.space {
                NodeSpace::Hexes(hexes) => around(&mut hexes.nodes().map(|node| hexes.position(node)), 0.6),
                NodeSpace::Graph(graph) => around(&mut graph.nodes().map(|node| graph.position(node)), 0.5),
            }),
            Terrain::Roads { of, rules, .. } => around(&mut of.nodes().map(|node| of.position(node)), rules.lane),
            Terrain::Mesh(mesh) => moved(mesh.bounds()),
        }
    }

    /// Whether a place of the map is at most `within` from `place`, in the world. Roads have none for links, and a mesh
    /// must have the place itself.
    pub(super) fn has_place(&self, place: &WorldPlace, within: f32) -> bool {
        let at = [0, 1].map(|axis| place.position[axis] - self.offset[axis]);
        let is_near = |[x, y, _]: [f32; 3]| (x - at[0]).hypot(y - at[1]) <= within;
        place.floor == self.floor
            && match &self.terrain {
                Terrain::Cells { grid, .. } => {
                    grid.nodes().any(|node| grid.contains(node) && is_near(grid.position(node)))
                }
                Terrain::Nodes(nodes) => match &nodes.space {
                    NodeSpace::Hexes(hexes) => hexes.nodes().any(|node| is_near(hexes.position(node))),
                    NodeSpace::Graph(graph) => graph.nodes().any(|node| is_near(graph.position(node))),
                },
                Terrain::Roads { .. } => false,
                Terrain::Mesh(mesh) => mesh.contains(at),
            }
    }

    /// Adds the places and moves of the map to `union`. A mesh has none of its own.
    pub(super) fn add_to(&self, union: &mut Union) -> Result<()> {
        match &self.terrain {
            Terrain::Cells { grid, .. } => union.add(grid, [self.offset[0], self.offset[1], 0.0]),
            Terrain::Nodes(nodes) => match &nodes.space {
                NodeSpace::Hexes(hexes) => union.add(hexes, self.shift()),
                NodeSpace::Graph(graph) => union.add(graph, self.shift()),
            },
            Terrain::Roads { .. } | Terrain::Mesh(_) => Ok(()),
        }
    }

    /// The number of its cells, nodes or corners.
    pub(super) fn size(&self) -> u64 {
        match &self.terrain {
            Terrain::Cells { grid, in_place } => {
                grid.node_bound() as u64 + in_place.as_ref().map_or(0, |grid| grid.node_bound() as u64)
            }
            Terrain::Nodes(nodes) => match &nodes.space {
                NodeSpace::Hexes(hexes) => hexes.node_bound() as u64,
                NodeSpace::Graph(graph) => graph.node_bound() as u64,
            },
            Terrain::Roads { of, .. } => of.node_bound() as u64,
            Terrain::Mesh(mesh) => mesh.vertices().len() as u64,
        }
    }

    /// The walls of a map of cells or of closed nodes, as convex shapes in the world; without those in whose middle
    /// `is_spared`.
    pub(super) fn walls(&self, is_spared: impl Fn([f32; 2]) -> bool) -> Vec<Vec<[f32; 2]>> {
        let moved = |[x, y]: [f32; 2]| [x + self.offset[0], y + self.offset[1]];
        let shapes = match &self.terrain {
            Terrain::Cells { grid, .. } => {
                #[allow(clippy::cast_precision_loss)] // less than 2^24 cells
                runs(grid, |x, y| !grid.is_passable(x, y) && !is_spared(moved([x as f32, y as f32])))
            }
            Terrain::Nodes(nodes) => {
                let walls = nodes.facts.walls.iter();
                walls.filter(|shape| !is_spared(moved(middle(shape)))).cloned().collect()
            }
            _ => Vec::new(),
        };
        shapes.into_iter().map(|shape| shape.into_iter().map(moved).collect()).collect()
    }
}

fn is_tile_map(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["tmx", "tmj"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The grid with cells before it, so that it lies at `offset`.
fn in_place(cells: &CellMap, grid: &Grid, offset: [f32; 2]) -> Result<Option<Grid>> {
    if offset == [0.0; 2] {
        return Ok(Some(grid.clone()));
    }
    if offset.iter().any(|side| side.fract() != 0.0 || *side < 0.0) {
        return Ok(None);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole, and at most 10^5
    let [left, top] = offset.map(|side| side as u32);
    let (width, height) = (grid.width() + left, grid.height() + top);
    if u64::from(width) * u64::from(height) > MOST_CELLS {
        return Ok(None);
    }
    let on_map = |x: u32, y: u32| Some((x.checked_sub(left)?, y.checked_sub(top)?));
    let free = |x, y| on_map(x, y).is_some_and(|(x, y)| grid.is_passable(x, y));
    let mut moved =
        Grid::from_fn(width, height, free)?.with_connectivity(grid.connectivity()).at_height(grid.altitude())?;
    if let Some(costs) = &cells.costs {
        moved = moved.with_terrain(|x, y| on_map(x, y).map_or(1, |(x, y)| cost(costs, &cells.map, [x, y])))?;
    }
    Ok(Some(moved))
}

/// The walls of a grid: runs in rows, and runs in columns across them, so that no border between two walls is free.
fn runs(grid: &Grid, is_wall: impl Fn(u32, u32) -> bool) -> Vec<Vec<[f32; 2]>> {
    let mut shapes = Vec::new();
    let (width, height) = (grid.width(), grid.height());
    for (lines, length, is_row) in [(height, width, true), (width, height, false)] {
        for line in 0..lines {
            let is_wall = |at: u32| if is_row { is_wall(at, line) } else { is_wall(line, at) };
            let mut at = 0;
            while at < length {
                let begin = at;
                while at < length && is_wall(at) {
                    at += 1;
                }
                // A cell alone is in the runs of rows.
                if at - begin > u32::from(!is_row) {
                    #[allow(clippy::cast_precision_loss)] // less than 2^24 cells
                    let [low, high, line] = [begin as f32 - 0.5, at as f32 - 0.5, line as f32];
                    let (along, across) = ([low, high], [line - 0.5, line + 0.5]);
                    let [[left, right], [top, bottom]] = if is_row { [along, across] } else { [across, along] };
                    shapes.push(vec![[left, top], [right, top], [right, bottom], [left, bottom]]);
                }
                at = at.max(begin + 1);
            }
        }
    }
    shapes
}

/// A point in a convex shape.
fn middle(shape: &[[f32; 2]]) -> [f32; 2] {
    #[allow(clippy::cast_precision_loss)] // few corners
    let count = shape.len().max(1) as f32;
    [0, 1].map(|axis| shape.iter().map(|corner| corner[axis]).sum::<f32>() / count)
}

/// The roads of a graph, moved by `shift`.
pub(super) fn roads(nodes: &NodeMap, rules: WorldRoads, shift: [f32; 3]) -> Result<Roads> {
    let NodeSpace::Graph(graph) = &nodes.space else {
        anyhow::bail!("roads are made of a graph, and this is {}", nodes.kind)
    };
    if nodes.facts.labels.ids.is_none() {
        anyhow::bail!("roads are made of a graph, and this is {}", nodes.kind);
    }
    let count = u32::try_from(graph.node_bound()).context("too many nodes")?;
    let moved: FnSpace<u32, Positions> =
        FnSpace::new(count, |node| graph.moves(NodeId(node)).map(|m| (m.to.0, m.cost)).collect::<Vec<_>>())?
            .with_positions(|node| {
                let [x, y, z] = graph.position(NodeId(node));
                [x + shift[0], y + shift[1], z + shift[2]]
            })?;
    let mut of = RoadRules::new(rules.spacing, rules.lane, rules.setback);
    if rules.keeping_left {
        of = of.keeping_left();
    }
    if rules.turning_round {
        of = of.turning_round();
    }
    Ok(Roads::new(&moved, of)?)
}
