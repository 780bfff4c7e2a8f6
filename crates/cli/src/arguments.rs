//! Arguments: what the command line accepts, and its help.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use giveway::Tick;
use giveway::spaces;

use crate::demo;

/// Cooperative pathfinding: units plan in space and time, and give way instead of bumping.
///
/// Reads the maps and scenarios of the Moving AI benchmarks, plans paths on which no two agents meet, and checks and
/// draws such plans, whoever made them. `giveway demo` shows it without any file.
///
/// Time is counted in ticks: an agent waits, or moves to a neighbouring cell, in one tick. A cell (x,y) is a column and a
/// row; (0,0) is at the top left.
#[derive(Parser, Debug)]
#[command(name = "giveway", version, arg_required_else_help = true, after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  See a crowd cross a river, in your browser:
    giveway demo
  Plan 50 agents, and check what came of it:
    giveway solve --map random.map --scen random.scen --agents 50 --out plan.txt
    giveway check --map random.map --scen random.scen --plan plan.txt
  Watch them:
    giveway draw --map random.map --plan plan.txt --html plan.html

Exit codes:
  0  solved, valid, or drawn
  1  not solved, or not valid
  2  bad input or usage; the error names the file, the line and what was
     expected there";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Demo(DemoArguments),
    Solve(SolveArguments),
    Check(CheckArguments),
    Draw(DrawArguments),
}

/// Show a crowd that gives way: a built-in map, no files needed.
///
/// Units stand on both banks of a river, and all of them want to be on the other. There are two bridges. HCA* plans their
/// paths, the check confirms that no two of them meet, and what they do is written as one HTML file that plays in any
/// browser: it needs no server and no network.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_DEMO)]
pub(crate) struct DemoArguments {
    /// Where to write the player; a file of this name is replaced
    #[arg(long, value_name = "FILE", default_value = "giveway-demo.html")]
    pub(crate) out: PathBuf,

    /// Write an animated picture, too, for pages that run no scripts
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// How many units, up to 99; all together, they end as two words
    #[arg(long, value_name = "N", default_value_t = demo::MOST_UNITS, value_parser = clap::value_parser!(u32).range(1..=i64::from(demo::MOST_UNITS)))]
    pub(crate) agents: u32,

    /// What decides where the units start, and who goes where
    ///
    /// Nothing else is left to chance: the same command gives the same file, everywhere.
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub(crate) seed: u64,
}

const AFTER_DEMO: &str = "\
Examples:
  giveway demo
  giveway demo --agents 20 --seed 7 --out twenty.html

Exit codes:
  0  solved
  1  not solved; the file is written all the same
  2  bad usage, or the file cannot be written";

/// Plan paths for the agents of a scenario.
///
/// The first N lines of the scenario are the agents. Each walks from its start to its goal and stays there; no two may be
/// on one cell at one tick, exchange their cells, or cross on the diagonals of a square. The plan is checked before
/// anyone sees it, by code that shares nothing with the planner.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_SOLVE)]
pub(crate) struct SolveArguments {
    /// The map, a Moving AI .map file
    #[arg(long, value_name = "FILE", help_heading = "Instance")]
    pub(crate) map: PathBuf,

    /// The scenario, a Moving AI .scen file
    #[arg(long, value_name = "FILE", help_heading = "Instance")]
    pub(crate) scen: PathBuf,

    /// How many agents: the first N lines of the scenario
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Instance")]
    pub(crate) agents: u32,

    /// How many neighbours a cell has
    ///
    /// With 8, a diagonal step takes one tick, too. It counts 1414 where a straight one counts 1000, and cuts no corners:
    /// both cells at its sides must be free.
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true, help_heading = "Instance")]
    pub(crate) connectivity: Connectivity,

    /// How to plan: hca, ca, whca or independent
    ///
    /// hca          HCA*: one agent after the other, around all before it,
    ///              guided by true distances
    /// ca           CA*: the same, guided by Manhattan distances, or octile
    ///              ones with 8 neighbours
    /// whca         WHCA*: a running crowd; everyone plans a window ahead,
    ///              again and again, and makes way when it has arrived
    /// independent  everyone as if alone: a baseline whose plans collide
    #[arg(long, value_name = "NAME", default_value = "hca", value_parser = strategy, help_heading = "Planning")]
    #[arg(verbatim_doc_comment)]
    pub(crate) strategy: Strategy,

    /// In which order agents plan [default: nearest; rotating with whca]
    ///
    /// The earlier an agent plans, the more it is in the way of the others.
    #[arg(long, value_name = "ORDER", help_heading = "Planning")]
    pub(crate) order: Option<Order>,

    /// How many ticks ahead everyone plans with whca [default: 16]
    ///
    /// Everyone plans again after half as many.
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Planning")]
    pub(crate) window: Option<u32>,

    /// How often to plan again when an agent finds no path [default: 100]
    ///
    /// The agent that found none goes first then; with `--order random`, all are shuffled.
    #[arg(long, value_name = "N", help_heading = "Planning")]
    pub(crate) restarts: Option<u32>,

    /// What decides the shuffles of `--order random`
    ///
    /// Nothing else is left to chance: the same command gives the same plan, everywhere.
    #[arg(long, value_name = "K", default_value_t = 0, help_heading = "Planning")]
    pub(crate) seed: u64,

    /// Stop planning after so many seconds; fractions are fine
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Planning")]
    pub(crate) time_limit: Option<Duration>,

    /// Everyone must have arrived by this tick
    ///
    /// Without it, whca gives up when for 500 ticks plus twice the longest way nobody has come nearer to its goal than it
    /// ever was.
    #[arg(long, value_name = "N", help_heading = "Planning")]
    pub(crate) max_ticks: Option<Tick>,

    /// Write the plan as text: a line per tick, in the format of mapf-visualizer
    ///
    /// A plan that is not solved is written as far as it goes; agents without a path stand at their starts. The file
    /// is replaced as a whole, or not at all.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Write every move of the plan as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,

    /// Print one JSON object instead of a summary
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

const AFTER_SOLVE: &str = "\
Examples:
  giveway solve --map random.map --scen random.scen --agents 50
  giveway solve --map random.map --scen random.scen --agents 50 --out plan.txt
  giveway solve --map random.map --scen random.scen --agents 50 --html view.html
  giveway solve --map city.map --scen city.scen --agents 400 --time-limit 10
  giveway solve --map city.map --scen city.scen --agents 400 --connectivity 8
  giveway solve --map maze.map --scen maze.scen --agents 40 --order random --json
  giveway solve --map city.map --scen city.scen --agents 200 --strategy whca

Keys of --json, in this order; what is not known is null:
  solved                    whether all agents arrive, without conflicts
  strategy                  its name
  agents                    how many there are
  sum_of_costs              in ticks; an agent's cost is the tick at which it
                            arrives for good; null if not solved
  sum_of_costs_lower_bound  what they would cost if each were alone on the map;
                            null if one of them cannot arrive
  makespan                  the tick at which the last agent arrives; null if
                            not solved
  makespan_lower_bound      the same if each were alone on the map; null if one
                            of them cannot arrive
  expansions                states, each a cell and a tick, that were expanded
  reverse_expansions        cells expanded in search of true distances
  planning_ms               milliseconds of everything after reading the files,
                            but for lower bounds and the check
  conflicts                 faults that the check finds: pairs of agents that
                            meet, and agents that end elsewhere than they should

Exit codes:
  0  solved
  1  not solved; the files that were asked for are written all the same
  2  bad input or usage; no file is written or changed";

/// Pictures of a plan.
#[derive(Args, Debug)]
pub(crate) struct PictureArguments {
    /// Write a player of the plan: one HTML file that shows it in any browser
    ///
    /// It needs no server and no network. Play, scrub, step, zoom; point at an agent to see its path.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,

    /// Write a picture of the plan: everyone's path over the map, as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
}

impl PictureArguments {
    /// Where to write each kind.
    pub(crate) fn files(&self) -> [&Option<PathBuf>; 2] {
        [&self.html, &self.svg]
    }
}

/// Check a plan, whoever made it.
///
/// Names every fault on a line of its own: two agents on one cell at one tick, agents that exchange their cells or cross
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
  1  not valid: each fault is named
  2  unusable input; the error names the file, the line and what was expected
     there";

/// Draw a plan, whoever made it.
///
/// Nothing is checked: agents that meet, leap or walk through walls are drawn as they do. `giveway check` says what is
/// wrong with a plan.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_DRAW)]
#[command(group = ArgGroup::new("picture").args(["html", "svg"]).required(true).multiple(true))]
pub(crate) struct DrawArguments {
    /// The map, a Moving AI .map file
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) map: PathBuf,

    /// The plan: a line per tick, in the format of mapf-visualizer
    ///
    /// Without a line `goals=`, the goals are where agents end.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) plan: PathBuf,

    /// How many neighbours a cell has; the picture is the same
    ///
    /// Here as in the other commands, so that they can be called alike.
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true, help_heading = "Input")]
    pub(crate) connectivity: Connectivity,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,
}

const AFTER_DRAW: &str = "\
Examples:
  giveway draw --map random.map --plan plan.txt --html plan.html
  giveway draw --map random.map --plan plan.txt --svg plan.svg

Exit codes:
  0  drawn
  2  bad input or usage; no file is written or changed";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Connectivity {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

impl From<Connectivity> for spaces::Connectivity {
    fn from(connectivity: Connectivity) -> Self {
        match connectivity {
            Connectivity::Four => Self::Four,
            Connectivity::Eight => Self::Eight,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strategy {
    Hca,
    Ca,
    Whca,
    Independent,
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hca => "hca",
            Self::Ca => "ca",
            Self::Whca => "whca",
            Self::Independent => "independent",
        })
    }
}

fn strategy(name: &str) -> Result<Strategy, &'static str> {
    match name {
        "hca" => Ok(Strategy::Hca),
        "ca" => Ok(Strategy::Ca),
        "whca" => Ok(Strategy::Whca),
        "independent" => Ok(Strategy::Independent),
        "lra" | "dm" => {
            Err("this strategy is not in this release, which has \"hca\", \"ca\", \"whca\" and \"independent\"")
        }
        _ => Err("expected \"hca\", \"ca\", \"whca\" or \"independent\""),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Order {
    /// As in the scenario
    AsGiven,
    /// Shortest way first
    #[default]
    Nearest,
    /// Longest way first
    Farthest,
    /// As in the scenario, but everyone comes first in turn; only with whca
    Rotating,
    /// As `--seed` decides
    Random,
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = text
        .parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0)
        .ok_or("expected a number of seconds above 0, as 10 or 0.5")?;
    // More than a duration can be is no limit at all.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
