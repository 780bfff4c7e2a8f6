//! The arguments of `giveway draw`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};

use super::after_help::after_help;
use super::values::{Connectivity, MapArguments, PictureArguments, radius};

/// Draw a plan or a trace of any program, a direction map, or a map alone.
///
/// Plans and traces are not checked: agents that meet, leap or walk through walls are drawn as they do. `giveway check`
/// says what is wrong with a plan or a trace.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, after_long_help = after_help(AFTER_DRAW, EXIT_CODES))]
#[command(override_usage = "giveway draw [OPTIONS] <--map <FILE>|--world <FILE>> <--html <FILE>|--svg <FILE>>")]
#[command(group = ArgGroup::new("drawn").args(["plan", "trace", "direction_map"]))]
#[command(group = ArgGroup::new("picture").args(["html", "svg"]).required(true).multiple(true))]
pub(crate) struct DrawArguments {
    /// The map: a Moving AI .map file, a tile map (.tmx, .tmj), a picture (.png), a graph (.json), or a navigation
    /// mesh, a Polyanya .mesh file
    #[arg(long, value_name = "FILE", required_unless_present = "world", help_heading = "Input")]
    map: Option<PathBuf>,

    /// In place of a map: a world, a TOML file; its maps are drawn, floor beside floor
    #[arg(long, value_name = "FILE", conflicts_with_all = IN_WORLDS, help_heading = "Input")]
    pub(crate) world: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) of_map: MapArguments,

    /// The plan: a line per tick, in the format of mapf-visualizer
    ///
    /// Without a line `goals=`, the goals are where agents end.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) plan: Option<PathBuf>,

    /// The trace: bodies and moves as JSON, as `--trace` of solve and simulate writes them
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) trace: Option<PathBuf>,

    /// With --trace: draw every agent as a disc of this radius, in world units [default: the trace's bodies]
    ///
    /// A cell of a grid is 1 wide.
    #[arg(long, value_name = "R", value_parser = radius, help_heading = "Input")]
    pub(crate) radius: Option<f32>,

    /// The direction map, as `--learned` writes it: arrows where units go, as SVG
    #[arg(long, value_name = "FILE", conflicts_with = "html", help_heading = "Input")]
    pub(crate) direction_map: Option<PathBuf>,

    /// How many neighbours a cell has
    ///
    /// Direction maps must have been learned with this number. Other pictures do not depend on it.
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true, help_heading = "Input")]
    pub(crate) connectivity: Connectivity,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,
}

/// What is of one map.
const IN_WORLDS: [&str; 8] = ["map", "walls", "colors", "costs", "one_ways", "tile_sets", "plan", "direction_map"];

impl DrawArguments {
    /// The map, or the world.
    pub(crate) fn map(&self) -> &Path {
        self.map.as_deref().or(self.world.as_deref()).unwrap_or(Path::new(""))
    }

    /// The map, or the world, after its flag.
    pub(crate) fn input(&self) -> (&'static str, &Path) {
        (if self.world.is_some() { "--world" } else { "--map" }, self.map())
    }

    /// Refuses arguments that the picture would ignore, and files of which there are none for this map.
    pub(crate) fn refuse_idle(&self) -> Result<()> {
        if self.trace.is_none() && self.radius.is_some() {
            bail!("--radius does nothing without --trace");
        }
        if self.plan.is_none() && self.trace.is_none() && self.pictures.html.is_some() {
            bail!("--html plays a --plan or a --trace; --svg draws a map alone");
        }
        Ok(())
    }

    /// Refuses a plan or a direction map on a `kind` of map without square cells.
    pub(crate) fn refuse_of_cells<T>(&self, kind: &str) -> Result<T> {
        if self.plan.is_some() {
            bail!("--plan is a plan of cells, and {kind} has none: solve --trace writes what --trace draws on {kind}");
        }
        bail!("--direction-map is a map of cells, and {kind} has none: draw --trace or the map alone")
    }
}

const AFTER_DRAW: &str = "\
Examples:
  giveway draw --map random.map --plan plan.txt --html plan.html
  giveway draw --map random.map --plan plan.txt --svg plan.svg
  giveway draw --map random.map --trace trace.json --html run.html
  giveway draw --map random.map --direction-map learned.json --svg lanes.svg
  giveway draw --map random.map --svg map.svg
  giveway draw --world depot.toml --svg depot.svg";

const EXIT_CODES: &str = "  0  drawn";
