//! The arguments of `giveway check`.

use std::path::PathBuf;

use clap::Args;

use super::values::Connectivity;

/// Check a plan, whoever made it.
///
/// Names every violation on a line of its own: two agents on one cell at one tick, agents that exchange their cells or cross
/// on the diagonals of a square, steps that the map does not have, agents that begin or end elsewhere than they should.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_CHECK)]
pub(crate) struct CheckArguments {
    /// The map, a Moving AI .map file
    #[arg(long, value_name = "FILE")]
    pub(crate) map: PathBuf,

    /// The plan: a line per tick, in the format of mapf-visualizer
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,

    /// The scenario, whose first lines say where agents start and go
    ///
    /// Without it, the lines `starts=` and `goals=` of the plan do. If there is no line `goals=`, either, agents may
    /// end anywhere.
    #[arg(long, value_name = "FILE")]
    pub(crate) scen: Option<PathBuf>,

    /// How many neighbours a cell has
    ///
    /// With 8, a diagonal step takes one tick, too, and cuts no corners: both cells at its sides must be free.
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true)]
    pub(crate) connectivity: Connectivity,
}

const AFTER_CHECK: &str = "\
Examples:
  giveway check --map random.map --plan plan.txt
  giveway check --map random.map --plan plan.txt --scen random.scen

Exit codes:
  0  valid
  1  not valid: each violation is named
  2  unusable input; the error names the file, the line and what was expected
     there";
