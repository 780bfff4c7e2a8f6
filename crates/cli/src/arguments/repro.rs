//! The arguments of `giveway repro`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use giveway_experiments::{Experiment, Method, RunMetric, SetName, Settings};

use super::numbers::whole;
use super::values::weight;

/// Run the experiments on direction maps again, and show the paper's figures beside ours.
///
/// Jansen and Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008: agents go back and forth between
/// two places each, and learn from each other's moves in which direction to go. Every method runs every scenario file;
/// the table shows means over the files, their spread, and whether the paper's order of the methods is ours, too.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, after_long_help = AFTER_REPRO)]
pub(crate) struct ReproArguments {
    /// Which experiment
    pub(crate) experiment: Experiment,

    /// A folder with direction-maps/maps/ and direction-maps/scens/ [default: $GIVEWAY_DATA, or testdata in a clone of
    /// giveway around the current folder]
    #[arg(long, value_name = "DIR", conflicts_with = "map", help_heading = "Instances")]
    pub(crate) data: Option<PathBuf>,

    /// How many of the ten scenario files: the first ones
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole(1..=10_u8), conflicts_with = "map", help_heading = "Instances")]
    pub(crate) files: u8,

    /// Another map instead, a Moving AI .map file
    #[arg(long, value_name = "FILE", requires = "scen", help_heading = "Instances")]
    pub(crate) map: Option<PathBuf>,

    /// The scenarios on it; may be given several times
    #[arg(long, value_name = "FILE", requires = "map", num_args = 1.., action = ArgAction::Append, help_heading = "Instances")]
    pub(crate) scen: Vec<PathBuf>,

    /// With --scen, how many agents: the first N lines of each scenario [default: as many as the experiment has, 20 or
    /// 100, or all lines if there are fewer]
    ///
    /// Where it is crowded, agents that keep the paper's rules get stuck. A run ends in an error when it has taken 100
    /// times as long as one agent alone would take. The more agents there are, and the more --loops, the longer that
    /// takes.
    #[arg(long, value_name = "N", requires = "map", value_parser = whole(1..=u32::MAX), help_heading = "Instances")]
    pub(crate) agents: Option<u32>,

    /// Only with figure8 and hybrids: of which experiment the scenarios are [default: table1]
    #[arg(long, value_name = "NAME", conflicts_with = "map", help_heading = "Instances")]
    pub(crate) set: Option<SetName>,

    /// Which methods, as astar,dm,dm-8,dm-8/100,dm+n,dm@15,whca:4 [default: the methods of the experiment]
    ///
    /// `astar` plans alone and ignores the direction map; `dm` plans by it; `dm-8` in sectors of 8 x 8 cells, half of
    /// each route before the next, and `dm-8/100` all of it; `dm+n` lets the neighbours of a cell learn, too; `dm@15`
    /// has the weight 15; `whca:4` is a crowd with a window of 4 steps.
    ///
    /// `hybrid:4` is a crowd with a window of 4 steps under the costs of a map, of weight 2 unless `@WEIGHT` follows.
    /// `dm` has learned the map from the patrols of this scenario; with `-next`, from the patrols of the next scenario;
    /// with `-crowd`, a crowd has learned it; with `-none`, the map is blank at first. The crowd looks straight ahead
    /// before it searches, unless `+search` follows.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Settings")]
    pub(crate) methods: Vec<Method>,

    /// How often each agent goes there and back [default: as the experiment]
    #[arg(long, value_name = "N", value_parser = whole(1..=10_000_u32), help_heading = "Settings")]
    pub(crate) loops: Option<u32>,

    /// What a move against the map costs, in steps [default: 10]
    #[arg(long, value_name = "STEPS", value_parser = weight, help_heading = "Settings")]
    pub(crate) weight: Option<f32>,

    /// The learning rate, 0 to 1 [default: as the experiment]
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Settings")]
    pub(crate) rate: Option<f32>,

    /// The seed of the random steps next to a goal that is taken
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX), help_heading = "Settings")]
    pub(crate) seed: u64,

    /// How many runs at a time; the results do not depend on it [default: one per processor]
    #[arg(long, value_name = "N", value_parser = whole(NonZeroUsize::MIN..=NonZeroUsize::MAX), help_heading = "Settings")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Write a line for each run as CSV; with figure8, for each moment of each run
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) csv: Option<PathBuf>,

    /// Write a plot, as SVG: tables over the nodes expanded, figure5 over the weight, figure8 over time
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// What the plot shows [default: failed for tables, coherence for figures]
    #[arg(long, value_name = "WHAT", requires = "svg", help_heading = "Output")]
    pub(crate) plot: Option<RunMetric>,

    /// Write the direction map at the end of the first scenario, as arrows, as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) arrows: Option<PathBuf>,

    /// Whose direction map that is [default: the last of the methods]
    #[arg(long, value_name = "NAME", requires = "arrows", help_heading = "Output")]
    pub(crate) arrows_of: Option<Method>,

    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

impl ReproArguments {
    /// What they ask for otherwise than the experiment prescribes.
    pub(crate) fn settings(&self) -> Settings {
        let Self { set, loops, rate, weight, seed, .. } = *self;
        Settings { set, methods: self.methods.clone(), loops, rate, weight, seed }
    }
}

fn rate(text: &str) -> Result<f32, &'static str> {
    text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate)).ok_or("expected a number from 0 to 1")
}

const AFTER_REPRO: &str = "\
The scenario files are part of https://github.com/nathansttt/hog2. Put the maps
into DIR/direction-maps/maps and the scenarios into DIR/direction-maps/scens,
and set GIVEWAY_DATA to DIR. Two scenarios of table 1 come with a clone of
giveway: anywhere in it, `giveway repro table1 --files 2` finds them.

Examples:
  giveway repro table1 --files 2
  giveway repro table2 --methods astar,dm --files 3
  giveway repro figure5 --csv runs.csv --svg coherence.svg
  giveway repro figure5 --methods dm@0,dm@15 --files 1 --arrows map.svg
  giveway repro figure8 --set table2 --svg over-time.svg
  giveway repro table1 --map m.map --scen a.txt b.txt --loops 5

Columns of --csv, in this order; what is not known is empty:
  scenario, method, weight, rate, loops, agents, nodes, reverse_nodes, time,
  path, failed, random_steps, stood, coherence
Nodes, paths (in cells), failed moves, random steps and pauses are per loop and
agent; the time is the time of the whole run. With figure8:
  scenario, method, time, coherence

A FILE that is written may be -, which is standard output. The summary goes to
standard error then. A file of that name is ./-.

Exit codes:
  0  run, whatever came of it
  2  bad input or usage, or a file or standard output cannot be written;
     no file is written or changed";
