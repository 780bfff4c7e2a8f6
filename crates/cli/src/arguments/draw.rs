//! The arguments of `giveway draw`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::values::{Connectivity, PictureArguments};

/// Draw a plan, whoever made it, or a direction map.
///
/// Plans are not checked: agents that meet, leap or walk through walls are drawn as they do. `giveway check` says what is
/// wrong with a plan.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_DRAW)]
#[command(group = ArgGroup::new("drawn").args(["plan", "direction_map"]).required(true))]
#[command(group = ArgGroup::new("picture").args(["html", "svg"]).required(true).multiple(true))]
pub(crate) struct DrawArguments {
    /// The map, a Moving AI .map file
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) map: PathBuf,

    /// The plan: a line per tick, in the format of mapf-visualizer
    ///
    /// Without a line `goals=`, the goals are where agents end.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) plan: Option<PathBuf>,

    /// The direction map, as `--learned` writes it: arrows where units go, as SVG
    #[arg(long, value_name = "FILE", conflicts_with = "html", help_heading = "Input")]
    pub(crate) direction_map: Option<PathBuf>,

    /// How many neighbours a cell has
    ///
    /// Direction maps must have been learned with as many. The picture of a plan is the same.
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true, help_heading = "Input")]
    pub(crate) connectivity: Connectivity,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,
}

const AFTER_DRAW: &str = "\
Examples:
  giveway draw --map random.map --plan plan.txt --html plan.html
  giveway draw --map random.map --plan plan.txt --svg plan.svg
  giveway draw --map random.map --direction-map learned.json --svg lanes.svg

A FILE that is written may be -, which is standard output. The summary goes to
standard error then. A file of that name is ./-.

Exit codes:
  0  drawn
  2  bad input or usage, or a file or standard output cannot be written;
     no file is written or changed";
