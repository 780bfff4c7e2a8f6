//! The arguments of `giveway generate`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use giveway::scenario::{Density, MapKind, WorldKind};

use super::numbers::whole;

/// Make a map and agents on it, or agents on a map that is there.
///
/// Every agent can reach its goal. No two agents share a start or a goal. All other commands read these files. Equal
/// commands make equal files, everywhere.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, override_usage = USAGE, after_long_help = AFTER_GENERATE)]
pub(crate) struct GenerateArguments {
    /// The kind of map; scen: only a scenario, on the map of --map; or the kind of world
    #[arg(value_name = "KIND")]
    kind: KindArgument,

    /// How many columns and rows, as 64x48; at most 100000000 cells in all
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Map")]
    size: Option<Size>,

    /// How much of the map is wall, from 0 to below 1; the meaning depends on the kind
    ///
    /// random  the share of walls [default: 0.2]
    /// room    the share of doors left out, among the doors that are not
    ///         needed to join all rooms [default: 0.5]
    /// maze    the share of inner walls that stay; the others are broken
    ///         through, which makes loops [default: 0.875]
    /// caves   the share of walls before they are smoothed [default: 0.45]
    ///
    /// The kinds open and warehouse have no density.
    #[arg(long, value_name = "D", value_parser = density, help_heading = "Map", verbatim_doc_comment)]
    density: Option<Density>,

    /// With scen: the map, a Moving AI .map file
    #[arg(long, value_name = "FILE", help_heading = "Map")]
    map: Option<PathBuf>,

    /// How many agents: at most one for each free cell
    ///
    /// Start and goal of an agent are in one connected part of the map. The largest part is filled first, then the next
    /// one. Start and goal differ, unless that part is a single cell.
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), help_heading = "Agents")]
    pub(crate) agents: u32,

    /// The seed of the map, and of starts and goals
    ///
    /// On the generated map, scen with an equal seed and number of agents makes the scenario again.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX), help_heading = "Agents")]
    pub(crate) seed: u64,

    /// Where to write the map; a file of this name is replaced
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    map_out: Option<PathBuf>,

    /// Where to write the scenario; a file of this name is replaced
    ///
    /// The scenario names the map's file. Its buckets and its optimal lengths are 0: no length is computed.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    scen_out: Option<PathBuf>,

    /// Of a world: where to write it, with its agents; a file of this name is replaced
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    world_out: Option<PathBuf>,
}

const USAGE: &str = "\
giveway generate <KIND> --size <WxH> [--density <D>] --agents <N> [--seed <K>] --map-out <FILE> --scen-out <FILE>
       giveway generate scen --map <FILE> --agents <N> [--seed <K>] --scen-out <FILE>
       giveway generate <WORLD> --size <WxH> --agents <N> [--seed <K>] --world-out <FILE>";

const AFTER_GENERATE: &str = "\
Examples:
  giveway generate random --size 32x32 --agents 50 --map-out r.map --scen-out r.scen
  giveway generate caves --size 600x600 --agents 1000 --map-out c.map --scen-out c.scen
  giveway generate maze --size 61x61 --density 0.95 --agents 20 --map-out m.map --scen-out m.scen
  giveway generate scen --map c.map --agents 200 --seed 8 --scen-out more.scen
  giveway generate mixed-world --size 40x24 --agents 60 --seed 3 --world-out w.toml

A FILE that is read may be -, which is standard input, but only one of them.
A FILE that is written may be -, which is standard output. The summary goes to
standard error then.

Exit codes:
  0  generated
  2  bad input or usage, or a file or standard output cannot be written; no file
     is written or changed";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum KindArgument {
    /// No walls
    Open,
    /// Walls at random
    Random,
    /// Rooms of 8 x 8 cells, a wall counted, joined by doors one cell wide
    Room,
    /// Corridors one cell wide, with some loops; best with odd sides
    Maze,
    /// Shelves of 10 x 2 cells, aisles one cell wide, open floor at the sides
    Warehouse,
    /// Caves: random walls, smoothed
    Caves,
    /// A scenario on a map that is there
    Scen,
    /// A world of cells: walkers and carts among blocks
    GridWorld,
    /// A world of streets: vans in lanes
    GraphWorld,
    /// A world on a navigation mesh: walkers of two sizes among blocks
    MeshWorld,
    /// Cells, a mesh beside them, and a street around both
    MixedWorld,
}

/// Columns and rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// What to make.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    /// A map, and a scenario on it.
    Map {
        kind: MapKind,
        size: Size,
        density: Option<Density>,
        map_out: &'a Path,
        scen_out: &'a Path,
    },
    /// A scenario on the map in this file.
    Scenario {
        map: &'a Path,
        scen_out: &'a Path,
    },
    World {
        kind: WorldKind,
        size: Size,
        world_out: &'a Path,
    },
}

impl GenerateArguments {
    /// The map that is read, if any.
    pub(crate) fn map(&self) -> Option<&Path> {
        self.map.as_deref()
    }

    /// What is asked for. Fails if something is missing, or would not be used.
    pub(crate) fn form(&self) -> Result<Form<'_>> {
        let Self { size, density, map, map_out, scen_out, world_out, .. } = self;
        let of_world = match self.kind {
            KindArgument::GridWorld => Some(WorldKind::Grid),
            KindArgument::GraphWorld => Some(WorldKind::Graph),
            KindArgument::MeshWorld => Some(WorldKind::Mesh),
            KindArgument::MixedWorld => Some(WorldKind::Mixed),
            _ => None,
        };
        if let Some(kind) = of_world {
            let given = [
                ("--density", density.is_some()),
                ("--map", map.is_some()),
                ("--map-out", map_out.is_some()),
                ("--scen-out", scen_out.is_some()),
            ];
            if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
                bail!("{flag} does nothing with a world, which is one file: expected --world-out");
            }
            let size = size.context("expected --size WxH with a world")?;
            let world_out = world_out.as_deref().context("expected --world-out FILE with a world")?;
            return Ok(Form::World { kind, size, world_out });
        }
        if world_out.is_some() {
            bail!("--world-out is for worlds, as mixed-world");
        }
        let scen_out = || scen_out.as_deref().context("expected --scen-out <FILE>");
        let kind = match self.kind {
            KindArgument::Open => MapKind::Open,
            KindArgument::Random => MapKind::Random,
            KindArgument::Room => MapKind::Room,
            KindArgument::Maze => MapKind::Maze,
            KindArgument::Warehouse => MapKind::Warehouse,
            KindArgument::Caves => MapKind::Caves,
            KindArgument::Scen => {
                let given =
                    [("--size", size.is_some()), ("--density", density.is_some()), ("--map-out", map_out.is_some())];
                if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
                    bail!("{flag} does nothing with scen, where the map is there already");
                }
                let map = map.as_deref().context("expected --map FILE with scen")?;
                return Ok(Form::Scenario { map, scen_out: scen_out()? });
            }
            _ => bail!("a kind of world"),
        };
        if map.is_some() {
            bail!(
                "--map does nothing with {kind}, where the map is made: expected --map-out, or scen instead of {kind}"
            );
        }
        Ok(Form::Map {
            kind,
            size: size.with_context(|| format!("expected --size WxH with {kind}"))?,
            density: *density,
            map_out: map_out.as_deref().with_context(|| format!("expected --map-out FILE with {kind}"))?,
            scen_out: scen_out()?,
        })
    }
}

fn size(text: &str) -> Result<Size, &'static str> {
    let side = |digits: &str| {
        let digits = Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        digits?.parse().ok().filter(|side: &u32| *side > 0)
    };
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    let (width, height) =
        sides.ok_or("expected columns and rows, as 64x48, each a whole number from 1 to 4294967295")?;
    Ok(Size { width, height })
}

fn density(text: &str) -> Result<Density, &'static str> {
    text.parse().ok().and_then(Density::new).ok_or("expected a share from 0 to below 1, as 0.2")
}
