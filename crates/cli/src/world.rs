//! Maps of all kinds, as the commands use them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway::NodeId;
use giveway::footprint::ConflictRule;
use giveway::scenario::{AnyMapFile, Colors, MapFile, MeshFile, PictureFile, TileLayout, TileMapFile, Walls};
use giveway::spaces::{Direction, Grid};

use crate::arguments::{Connectivity, InstanceArguments, LearningArguments, MapArguments, Strategy};
use crate::cells::Cells;
use crate::input_file;
use crate::mesh_world::MeshWorld;
use crate::node_map::{NodeMap, NodeSpace};
use crate::planning::to_grid;
use crate::roaming::Roaming;
use crate::site::Site;

/// The map of a world.
#[allow(clippy::large_enum_variant)] // there is one
pub(crate) enum World {
    /// Square cells, of a map, a picture or a tile map.
    Cells(CellMap),
    Mesh(MeshFile),
    Nodes(NodeMap),
}

/// A map of square cells.
pub(crate) struct CellMap {
    pub(crate) map: MapFile,
    /// The weight of each cell, row by row; `None`: all are plain ground.
    pub(crate) costs: Option<Vec<u32>>,
    /// The direction of each cell, row by row; `None`: there are no one-ways.
    pub(crate) one_ways: Option<Vec<Option<Direction>>>,
    /// The cell of the file that became (0, 0), if the map is infinite.
    pub(crate) origin: Option<[i32; 2]>,
    /// The cells where drawn agents may start, and may go; `None`: anywhere.
    pub(crate) marks: [Option<Vec<[u32; 2]>>; 2],
}

impl CellMap {
    /// The map whose pixels are what `colors` say; by default dark ones are walls.
    fn of_picture(picture: &PictureFile, colors: Option<&Colors>) -> Result<Self> {
        let Some(colors) = colors else { return Ok(Self::plain(picture.map())) };
        let costs = picture.costs(colors)?;
        let is_plain = costs.iter().all(|cost| *cost == 1);
        Ok(Self { costs: (!is_plain).then_some(costs), ..Self::plain(picture.map_of(colors)?) })
    }

    pub(crate) fn plain(map: MapFile) -> Self {
        Self { map, costs: None, one_ways: None, origin: None, marks: [None, None] }
    }

    /// The grid of the map, which was read from `path`.
    pub(crate) fn grid(&self, path: &Path, connectivity: Connectivity) -> Result<Grid> {
        let grid = to_grid(&self.map, path, connectivity)?;
        let Some(costs) = &self.costs else { return Ok(grid) };
        Ok(grid.with_terrain(|x, y| cost(costs, &self.map, [x, y]))?)
    }

    /// The direction of a cell.
    pub(crate) fn one_way(&self, [x, y]: [u32; 2]) -> Option<Direction> {
        *self.one_ways.as_ref()?.get(y as usize * self.map.width() as usize + x as usize)?
    }

    /// The marks, as nodes of `grid`.
    pub(crate) fn marked(&self, grid: &Grid) -> [Option<Vec<NodeId>>; 2] {
        let nodes = |marked: &Vec<[u32; 2]>| marked.iter().filter_map(|[x, y]| grid.node(*x, *y)).collect();
        self.marks.each_ref().map(|marked| marked.as_ref().map(nodes))
    }
}

/// The root of the disk on which `path` is.
fn root_of(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_default();
    absolute.ancestors().last().unwrap_or(Path::new("")).to_owned()
}

/// The weight of a cell of `map`.
pub(crate) fn cost(costs: &[u32], map: &MapFile, [x, y]: [u32; 2]) -> u32 {
    costs.get(y as usize * map.width() as usize + x as usize).copied().unwrap_or(1)
}

impl World {
    /// The map in the file at `path`.
    pub(crate) fn read(path: &Path, arguments: &MapArguments) -> Result<Self> {
        Self::read_marked(path, arguments, [None, None])
    }

    /// The map in the file at `path`, with the marks of starts and goals.
    fn read_marked(path: &Path, arguments: &MapArguments, marks: [Option<&str>; 2]) -> Result<Self> {
        let tile_sets = arguments.tile_sets.clone();
        // Names in a recording are of the folder where it was made, which was checked there: no file is read.
        let tile_sets = tile_sets.map(|folder| if input_file::are_recorded() { root_of(path) } else { folder });
        let file = match &tile_sets {
            None => input_file::read(
                path,
                |path| AnyMapFile::read_with(path, input_file::open),
                |contents, path| AnyMapFile::parse_with(contents, path, input_file::open),
            )?,
            Some(folder) => AnyMapFile::Tiles(input_file::read(
                path,
                |path| TileMapFile::read_with(path, folder, input_file::open),
                |contents, path| TileMapFile::parse_with(contents, path, folder, input_file::open),
            )?),
        };
        if let (Some(_), false) = (&arguments.colors, matches!(file, AnyMapFile::Picture(_))) {
            bail!("--colors are for pictures (.png), and {} is none", path.display());
        }
        let kind = match &file {
            AnyMapFile::Tiles(tiles) => return Self::of_tiles(tiles, path, arguments, marks),
            AnyMapFile::Mesh(_) => "a navigation mesh",
            AnyMapFile::Graph(_) => "a graph",
            AnyMapFile::Picture(_) => "a picture, whose dark pixels are walls",
            _ => "a map of cells",
        };
        let of_tiles = [
            ("--walls", arguments.walls.is_some()),
            ("--costs", arguments.costs.is_some()),
            ("--one-ways", arguments.one_ways.is_some()),
            ("--starts", marks[0].is_some()),
            ("--goals", marks[1].is_some()),
        ];
        if let Some((flag, _)) = of_tiles.into_iter().find(|(_, given)| *given) {
            bail!("{flag} is for tile maps, and {} is {kind}", path.display());
        }
        Ok(match file {
            AnyMapFile::Cells(map) => Self::Cells(CellMap::plain(map)),
            AnyMapFile::Picture(picture) => Self::Cells(CellMap::of_picture(&picture, arguments.colors.as_ref())?),
            AnyMapFile::Mesh(mesh) => Self::Mesh(mesh),
            AnyMapFile::Graph(graph) => {
                Self::Nodes(NodeMap::of_graph(&graph).with_context(|| path.display().to_string())?)
            }
            _ => bail!("{}: a map of a kind that this command does not know", path.display()),
        })
    }

    fn of_tiles(tiles: &TileMapFile, path: &Path, arguments: &MapArguments, marks: [Option<&str>; 2]) -> Result<Self> {
        let named = |name: &str| match name.parse::<Walls>() {
            Ok(walls) => walls,
        };
        let walls = arguments.walls.as_deref().map_or(Walls::Default, named);
        let map = tiles.map(&walls)?;
        let costs = arguments.costs.as_deref().map(|property| tiles.costs(property)).transpose()?;
        let origin = Some(tiles.origin()).filter(|origin| *origin != [0, 0]);
        let one_ways = arguments.one_ways.as_deref().map(|property| tiles.one_ways(property)).transpose()?;
        let [starts, goals] = marks.map(|mark| mark.map(|name| tiles.cells(&named(name))).transpose());
        let cells = CellMap { map, costs, one_ways, origin, marks: [starts?, goals?] };
        let of_nodes = |nodes: Result<NodeMap>| Ok(Self::Nodes(nodes.with_context(|| path.display().to_string())?));
        match tiles.layout() {
            TileLayout::Square => Ok(Self::Cells(cells)),
            TileLayout::Hexagonal(stagger) => of_nodes(NodeMap::of_hexes(&cells, stagger)),
            TileLayout::Staggered(stagger) => of_nodes(NodeMap::of_staggered(&cells, stagger)),
        }
    }

    /// The square cells of the map; an error if it has none.
    pub(crate) fn into_cells(self, path: &Path, what: &str) -> Result<CellMap> {
        let found = match self {
            Self::Cells(cells) => return Ok(cells),
            Self::Mesh(_) => "a Polyanya mesh",
            Self::Nodes(nodes) => nodes.kind,
        };
        bail!("{}: expected a map of square cells {what}, found {found}", path.display())
    }
}

/// A command that runs agents on any site.
pub(crate) trait OnSite {
    type Output;

    fn run(self, site: &impl Site) -> Result<Self::Output>;
}

/// What a command says about the agents of a site.
pub(crate) struct SiteArguments<'a> {
    pub(crate) instance: &'a InstanceArguments,
    pub(crate) learning: &'a LearningArguments,
    pub(crate) strategy: Strategy,
    /// Whether agents go to their goals once and stay there.
    pub(crate) once: bool,
    /// Of agents that are drawn.
    pub(crate) seed: u64,
}

impl SiteArguments<'_> {
    /// Refuses what can be learned on square cells only.
    pub(crate) fn refuse_learning(&self, kind: &str) -> Result<()> {
        if self.strategy == Strategy::Dm || self.learning.direction_map.is_some() {
            bail!("direction maps are learned on cells, and {kind} has none: choose another --strategy");
        }
        Ok(())
    }

    /// Runs `command` on the site that the arguments name.
    pub(crate) fn run<C: OnSite>(&self, command: C) -> Result<C::Output> {
        let Self { instance, .. } = *self;
        match World::read_marked(instance.map(), &instance.of_map, instance.marks())? {
            World::Cells(cells) if cells.one_ways.is_some() => {
                if instance.nearest {
                    bail!("--nearest does nothing with --one-ways: agents go to the nearest free cell, anyway");
                }
                let connectivity = instance.connectivity.unwrap_or(Connectivity::Four);
                self.run_on_nodes(NodeMap::of_one_ways(&cells, instance.map(), connectivity)?, command)
            }
            World::Cells(cells) => match (instance.radius, instance.speed) {
                (Some(radius), _) => command.run(&Roaming::discs_on_cells(&cells, radius, self)?),
                (None, Some(_)) => {
                    bail!("--speed is for discs on cells, where points go a cell in a step: give --radius")
                }
                (None, None) => command.run(&Cells::new(&cells, self)?),
            },
            World::Mesh(mesh) => command.run(&MeshWorld::new(mesh, self)?),
            World::Nodes(nodes) => {
                instance.refuse_of_cells(nodes.kind)?;
                self.run_on_nodes(nodes, command)
            }
        }
    }

    fn run_on_nodes<C: OnSite>(&self, nodes: NodeMap, command: C) -> Result<C::Output> {
        let instance = self.instance;
        let NodeMap { space, facts, kind } = nodes;
        self.refuse_learning(kind)?;
        let speed = instance.speed.unwrap_or(1.0);
        if facts.rule == ConflictRule::Swap && instance.radius.is_none() && instance.speed.is_some() {
            bail!("--speed is for discs on {kind}, where points go a cell in a step: give --radius");
        }
        match (space, instance.radius) {
            (NodeSpace::Hexes(hexes), None) => command.run(&Roaming::points(hexes, kind, &facts, self)?),
            (NodeSpace::Hexes(hexes), Some(radius)) => command.run(&Roaming::discs(hexes, kind, &facts, radius, self)?),
            (NodeSpace::Graph(graph), None) => {
                let graph = graph.with_lengths(|way| way.length / speed)?;
                command.run(&Roaming::points(graph, kind, &facts, self)?)
            }
            (NodeSpace::Graph(graph), Some(radius)) => command.run(&Roaming::discs(graph, kind, &facts, radius, self)?),
        }
    }
}
