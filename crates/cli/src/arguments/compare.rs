//! The arguments of `giveway compare`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ArgAction, Args, ValueEnum};
use giveway::time::Tick;

use super::after_help::after_help;
use super::numbers::whole;
use super::values::{Connectivity, CrowdArguments, LONGEST_WINDOW, Strategy, seconds, strategy, weight};

/// Compare strategies: each plans every scenario with every number of agents.
///
/// All plans are checked, by code that shares nothing with the planners. Means are over the scenarios that a strategy
/// solves with a number of agents: not the same scenarios for all strategies.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, override_usage = USAGE, after_long_help = after_help(AFTER_COMPARE, EXIT_CODES))]
pub(crate) struct CompareArguments {
    /// The map, a Moving AI .map file
    #[arg(long, value_name = "FILE", required_unless_present = "world", help_heading = "Instances")]
    map: Option<PathBuf>,

    /// In place of a map and scenarios: a world, a TOML file; its agents are the only instance
    ///
    /// In a world of several classes, or one that changes, strategies are whca, whca:TICKS and lra, for the classes for
    /// which the file names none.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["map", "scen", "agents", "connectivity", "weight"], help_heading = "Instances")]
    pub(crate) world: Option<PathBuf>,

    /// The scenarios, Moving AI .scen files; may be given several times
    #[arg(long, value_name = "FILE", required_unless_present = "world", num_args = 1.., action = ArgAction::Append, help_heading = "Instances")]
    pub(crate) scen: Vec<PathBuf>,

    /// How many agents, as 10,20,50: the first lines of each scenario
    #[arg(long, value_name = "N,...", required_unless_present = "world", value_delimiter = ',', value_parser = whole(1..=u32::MAX), help_heading = "Instances")]
    pub(crate) agents: Vec<u32>,

    /// How many neighbours a cell has
    #[arg(long, value_name = "4|8", default_value = "4", hide_possible_values = true, help_heading = "Instances")]
    pub(crate) connectivity: Connectivity,

    /// Which strategies: some of hca, ca, whca, whca:TICKS, lra, dm and independent [default: hca,whca; whca,lra in a
    /// world of several classes]
    ///
    /// whca:32 is whca with a window of 32 ticks. Other settings are the defaults of `giveway solve`, except
    /// --max-ticks.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = contender, help_heading = "Planning")]
    strategies: Vec<Contender>,

    /// The seed of the noise of lra and dm
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX), help_heading = "Planning")]
    pub(crate) seed: u64,

    /// With dm: what a move against its direction map costs, in steps [default: 2]
    #[arg(long, value_name = "STEPS", value_parser = weight, help_heading = "Planning")]
    pub(crate) weight: Option<f32>,

    /// Stop each run after this number of seconds; fractions are fine
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Planning")]
    pub(crate) time_limit: Duration,

    /// All agents must have arrived by this tick [default: 1000; in a world, 1000 steps]
    #[arg(long, value_name = "N", value_parser = whole(0..=Tick::MAX), help_heading = "Planning")]
    pub(crate) max_ticks: Option<Tick>,

    /// Write a line for each run as CSV
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) csv: Option<PathBuf>,

    /// Write a plot over the number of agents, as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// What the plot shows
    #[arg(long, value_name = "WHAT", default_value = "cost", requires = "svg", help_heading = "Output")]
    pub(crate) plot: Plotted,
}

const USAGE: &str = "\
giveway compare [OPTIONS] --map <FILE> --scen <FILE>... --agents <N,...>
       giveway compare [OPTIONS] --world <FILE>";

impl CompareArguments {
    /// The map, or the world.
    pub(crate) fn map(&self) -> &Path {
        self.map.as_deref().or(self.world.as_deref()).unwrap_or(Path::new(""))
    }

    /// The files that are read, each after its flag.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&str, &Path)> {
        let map = (if self.world.is_some() { "--world" } else { "--map" }, self.map());
        std::iter::once(map).chain(self.scen.iter().map(|scen| ("--scen", scen.as_path())))
    }

    /// The strategies, each once; for a crowd only, those of a crowd are the default.
    pub(crate) fn contenders(&self, of_crowds: bool) -> Vec<Contender> {
        let of = |strategy| Contender { strategy, window: None };
        let default = if of_crowds { [Strategy::Whca, Strategy::Lra] } else { [Strategy::Hca, Strategy::Whca] };
        let given = if self.strategies.is_empty() { default.map(of).to_vec() } else { self.strategies.clone() };
        let mut contenders: Vec<Contender> = Vec::new();
        for contender in given {
            if !contenders.contains(&contender) {
                contenders.push(contender);
            }
        }
        contenders
    }

    /// Refuses arguments that none of the strategies would use.
    pub(crate) fn refuse_idle(&self) -> Result<()> {
        let learns = self.strategies.iter().any(|contender| contender.strategy == Strategy::Dm);
        if self.weight.is_some() && !learns {
            bail!("--weight does nothing without dm among the --strategies: no other one learns a direction map");
        }
        Ok(())
    }
}

/// A strategy with the parameter that is part of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Contender {
    pub(crate) strategy: Strategy,
    pub(crate) window: Option<Tick>,
}

impl Contender {
    pub(crate) fn crowd(self) -> CrowdArguments {
        CrowdArguments { window: self.window, ..CrowdArguments::default() }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.window {
            None => self.strategy.fmt(f),
            Some(window) => write!(f, "{}:{window}", self.strategy),
        }
    }
}

fn contender(name: &str) -> Result<Contender, String> {
    match name.split_once(':') {
        None => Ok(Contender { strategy: strategy(name)?, window: None }),
        Some(("whca", window)) => match window.parse() {
            Ok(window) if (1..=LONGEST_WINDOW).contains(&window) => {
                Ok(Contender { strategy: Strategy::Whca, window: Some(window) })
            }
            _ => Err(format!("expected a window of 1 to {LONGEST_WINDOW} ticks after \"whca:\", found {window:?}")),
        },
        Some((other, _)) => Err(format!("only \"whca\" has a window, as whca:32; {other:?} has none")),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Plotted {
    /// Sum of costs over its lower bound
    Cost,
    /// The share of scenarios that are solved
    Solved,
    /// Milliseconds of planning
    Time,
    /// Expansions, of cells for distances, too
    Expansions,
}

const AFTER_COMPARE: &str = "\
Examples:
  giveway compare --map random.map --scen random-1.scen random-2.scen --agents 20,50,100
  giveway compare --map random.map --scen random-*.scen --agents 50 --strategies hca,whca,whca:32
  giveway compare --map city.map --scen city-*.scen --agents 50,100,200 --csv runs.csv --svg cost.svg

Columns of --csv, in this order; what is not known is empty:
  scenario, strategy, agents, solved, sum_of_costs,
  sum_of_costs_lower_bound, makespan, makespan_lower_bound, expansions,
  reverse_expansions, planning_ms, conflicts
They mean what the keys of `giveway solve --json` mean.";

const EXIT_CODES: &str = "  0  compared";
