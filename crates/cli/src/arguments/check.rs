//! The arguments of `giveway check`.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::values::{Connectivity, Levels, MapArguments, levels, radius, refuse, tolerance};

/// Check a plan or a trace of any program.
///
/// Names every violation of a plan on a line of its own: two agents on one cell at one tick, agents that exchange their
/// cells or cross on the diagonals of a square, steps that the map does not have, agents that begin or end elsewhere
/// than they should.
///
/// Of a trace, names agents whose bodies overlap at any time, also between ticks, and agents that are in walls or off
/// the map. With a navigation mesh, names agents that leave it anywhere, wholly or in part. An agent without a body is
/// a point: it must not be in a body or in a wall, but may meet other points. Heights are ignored, unless --levels says
/// which floors there are.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, after_long_help = AFTER_CHECK)]
#[command(group = ArgGroup::new("checked").args(["plan", "trace"]).required(true))]
pub(crate) struct CheckArguments {
    /// The map: a Moving AI .map file, a tile map (.tmx, .tmj) or a picture (.png); with --trace, also a graph (.json)
    /// or a Polyanya .mesh file
    ///
    /// Needed with --plan. Of a graph, or of a tile map that is not of squares, points must go along its moves, and may
    /// not meet.
    ///
    /// With --trace, a cell (x,y) is the square of side 1 around the position (x,y). Walls fill their squares, and all
    /// beyond the map is wall. Of a mesh, the ground is its polygons, and all beyond is wall. Without a map there are
    /// no walls.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["trace", "world"])]
    pub(crate) map: Option<PathBuf>,

    /// In place of a map: a world, a TOML file; its agents are checked with the bodies of their classes
    ///
    /// Agent i is the agent i of the world: first come agents with a start or a table, then agents that are drawn, each
    /// in the order of the file. The trace has as many agents. They begin and end moves on places of their class, and
    /// enter no wall and no solid map; where an area opens, walls are none from its first tick on. Of an area that
    /// closes, the closing is not checked.
    ///
    /// With --plan, the world has one map of square cells, and points on it. Starts and goals are the world's, but the
    /// plan says what the world draws.
    #[arg(long, value_name = "FILE", conflicts_with_all = IN_WORLDS)]
    pub(crate) world: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) of_map: MapArguments,

    /// The plan: a line per tick, in the format of mapf-visualizer
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,

    /// The trace: bodies and moves as JSON, as `giveway simulate --trace` writes them
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// With --trace: every agent is a disc of this radius, in world units [default: the bodies in the trace]
    #[arg(long, value_name = "R", value_parser = radius)]
    pub(crate) radius: Option<f32>,

    /// With --trace: how deep agents may be in each other and in walls, in world units [default: 0.001]
    #[arg(long, value_name = "T", value_parser = tolerance)]
    pub(crate) tolerance: Option<f32>,

    /// With --trace: floors, as the height of the lowest, the height of each and their number [default: heights are
    /// ignored]
    ///
    /// Agents on different floors do not meet. An agent on its way between floors is on all of them from the first to
    /// the last. Walls are on all floors.
    #[arg(long, value_name = "LOW,HEIGHT,N", value_parser = levels, allow_hyphen_values = true)]
    pub(crate) levels: Option<Levels>,

    /// With --plan: the scenario, whose first lines say where agents start and go
    ///
    /// Without it, the lines `starts=` and `goals=` of the plan do. If there is no line `goals=`, either, agents may
    /// end anywhere.
    #[arg(long, value_name = "FILE")]
    pub(crate) scen: Option<PathBuf>,

    /// With --plan: how many neighbours a cell has [default: 4]
    ///
    /// With 8, a diagonal step takes one tick, too, and cuts no corners: both cells at its sides must be free.
    #[arg(long, value_name = "4|8", hide_possible_values = true)]
    pub(crate) connectivity: Option<Connectivity>,
}

/// What is of one map, or what a world says itself.
const IN_WORLDS: [&str; 10] =
    ["map", "walls", "colors", "costs", "one_ways", "tile_sets", "radius", "levels", "scen", "connectivity"];

impl CheckArguments {
    /// Refuses arguments that the check would ignore.
    pub(crate) fn refuse_idle(&self) -> Result<()> {
        let (plan, trace) = (self.trace.is_none(), self.trace.is_some());
        refuse([
            (plan && self.tolerance.is_some(), "--tolerance does nothing with --plan, whose agents are on cells"),
            (plan && self.radius.is_some(), "--radius does nothing with --plan, whose agents are on cells"),
            (plan && self.levels.is_some(), "--levels does nothing with --plan, whose agents are on one floor"),
            (
                trace && self.scen.is_some(),
                "--scen does nothing with --trace: where agents begin and end is not checked",
            ),
            (
                trace && self.connectivity.is_some(),
                "--connectivity does nothing with --trace, whose agents may go anywhere",
            ),
        ])
    }
}

const AFTER_CHECK: &str = "\
Examples:
  giveway check --map random.map --plan plan.txt
  giveway check --map random.map --plan plan.txt --scen random.scen
  giveway check --map random.map --trace crowd.json
  giveway check --map arena.mesh --trace crowd.json --radius 0.5
  giveway check --trace vehicles.json --tolerance 0.01
  giveway check --trace house.json --levels -1,3,2
  giveway check --world depot.toml --trace depot.json

A FILE may be -, which is standard input, but only one of them. A file of that
name is ./-.

Exit codes:
  0  valid
  1  not valid: each violation is named
  2  unusable input; the error names the file, the line and what was expected
     there";
