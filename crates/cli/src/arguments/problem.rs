//! The arguments of `giveway simulate` for problems of the League of Robot Runners.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::SimulateArguments;
use super::values::refuse;

/// A competition problem in place of a map and agents.
#[derive(Args, Debug)]
pub(crate) struct ProblemArguments {
    /// Play a problem of the League of Robot Runners, a JSON file that names a map, agents and tasks
    ///
    /// Each robot gets one errand after the other. An errand is finished when the robot is on its place at the end of a
    /// step, whichever way it faces; then it gets the next one. Several robots may have errands at one place.
    #[arg(long, value_name = "FILE", conflicts_with_all = IN_PLACE_OF, help_heading = "Instance")]
    pub(crate) problem: Option<PathBuf>,

    /// With --problem: whether robots face a way and turn on the spot [default: yes]
    ///
    /// With yes, a robot goes forward, or turns by 90 degrees, in a step. With no, it goes in all four directions.
    #[arg(long, value_name = "yes|no", hide_possible_values = true, help_heading = "Instance")]
    pub(crate) turning: Option<YesNo>,

    /// With --problem: whether robots keep to lanes that alternate from row to row and from column to column [default:
    /// as memory and budget allow]
    ///
    /// Moves against a lane count more, and most in aisles one cell wide; nothing is forbidden. By default there are
    /// lanes, unless distances at these prices would take more than half of the memory for distances, or --budget is
    /// below 30 for each robot; below 10 on a dense map, or without turning.
    #[arg(long, value_name = "yes|no", hide_possible_values = true, help_heading = "Instance")]
    pub(crate) lanes: Option<YesNo>,
}

impl ProblemArguments {
    /// Whether robots face a way.
    pub(crate) fn is_turning(&self) -> bool {
        self.turning != Some(YesNo::No)
    }

    /// Refuses what does nothing without a problem; `out`: whether its result is to be written.
    pub(crate) fn refuse_idle(&self, out: bool) -> Result<()> {
        refuse([
            (self.turning.is_some(), "--turning does nothing without --problem"),
            (self.lanes.is_some(), "--lanes does nothing without --problem"),
            (out, "--out does nothing without --problem: --trace writes every move"),
        ])
    }
}

impl SimulateArguments {
    /// Refuses what does nothing with a problem, as far as it may be given when a run goes on, which may be of
    /// anything.
    pub(crate) fn refuse_beside_problem(&self) -> Result<()> {
        refuse([
            (self.csv.is_some(), "--csv does nothing with --problem"),
            (self.learning.learned.is_some(), "--learned does nothing with --problem"),
        ])
    }
}

/// What a problem says itself, or does not have.
const IN_PLACE_OF: [&str; 22] = [
    "map",
    "world",
    "starts",
    "goals",
    "one_ways",
    "walls",
    "colors",
    "costs",
    "tile_sets",
    "scen",
    "agents",
    "connectivity",
    "agents_file",
    "radius",
    "speed",
    "nearest",
    "task",
    "csv",
    "direction_map",
    "learned",
    "weight",
    "frozen",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}
