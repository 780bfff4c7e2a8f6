//! The arguments of `giveway solve`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use giveway::time::Tick;

use super::after_help::after_help;
use super::numbers::whole;
use super::values::{
    CrowdArguments, InstanceArguments, LearningArguments, Order, PictureArguments, Strategy, seconds, strategy,
};

/// Plan paths for agents on a map.
///
/// The agents are the first N lines of a scenario, the rows of an agents file, or N that are drawn. Each walks from its
/// start to its goal and stays there. No two points may be on one cell at one tick, exchange their cells, or cross on
/// the diagonals of a square; no two discs may overlap. The plan is checked before
/// it is written, by code that shares nothing with the planner.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, after_long_help = after_help(AFTER_SOLVE, EXIT_CODES))]
#[command(override_usage = "giveway solve [OPTIONS] <--map <FILE>|--world <FILE>>")]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    pub(crate) instance: InstanceArguments,

    /// How to plan: hca, ca, whca, lra, dm or independent [default: hca; whca in a world of several classes]
    ///
    /// hca          HCA*: one agent after the other, around all before it,
    ///              guided by true distances
    /// ca           CA*: as hca, but guided by Manhattan distances, or octile
    ///              ones with 8 neighbours
    /// whca         WHCA*: a running crowd; each agent plans a window ahead,
    ///              again and again, and makes way when it has arrived
    /// lra          LRA*: a running crowd; each agent follows a route of its own,
    ///              and looks for another one when an agent is in the way
    /// dm           direction maps: each agent follows a route of its own around
    ///              the agents within 5 cells, and prefers to go where others go;
    ///              if it comes no nearer for 24 ticks, it plans as with whca,
    ///              and pays what the direction map charges there, too
    /// independent  each agent as if alone: a baseline whose plans collide
    #[arg(long, value_name = "NAME", value_parser = strategy, help_heading = "Planning")]
    #[arg(verbatim_doc_comment)]
    strategy: Option<Strategy>,

    /// In which order agents plan [default: nearest, else farthest; rotating with whca, lra and dm]
    ///
    /// The earlier an agent plans, the more it is in the way of the others. By default, hca and ca plan nearest first.
    /// If this fails 32 times or takes long, they plan farthest first, and so on in turns. If an order is given, they
    /// use no other.
    #[arg(long, value_name = "ORDER", help_heading = "Planning")]
    pub(crate) order: Option<Order>,

    /// How often to plan again when an agent finds no path [default: 200]
    ///
    /// The agent without a path then plans first; with `--order random`, all agents are shuffled.
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX), help_heading = "Planning")]
    pub(crate) restarts: Option<u32>,

    /// The seed of agents that are drawn, of the shuffles of `--order random`, and of the noise of lra and dm
    ///
    /// Nothing else is left to chance: equal commands give equal plans, everywhere.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX), help_heading = "Planning")]
    pub(crate) seed: u64,

    /// Stop planning after this number of seconds; fractions are fine
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Planning")]
    pub(crate) time_limit: Option<Duration>,

    /// All agents must have arrived by this tick
    ///
    /// Without this limit, whca, lra and dm give up when for 500 ticks plus twice the longest way no agent has come
    /// nearer to its goal than it ever was.
    #[arg(long, value_name = "N", value_parser = whole(0..=Tick::MAX), help_heading = "Planning")]
    pub(crate) max_ticks: Option<Tick>,

    #[command(flatten)]
    pub(crate) crowd: CrowdArguments,

    #[command(flatten)]
    pub(crate) learning: LearningArguments,

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

impl SolveArguments {
    /// How to plan one class of agents.
    pub(crate) fn strategy(&self) -> Strategy {
        self.strategy.unwrap_or_default()
    }

    /// How to plan several classes of agents, by a crowd.
    pub(crate) fn crowd_strategy(&self) -> Result<Strategy> {
        let strategy = self.strategy.unwrap_or(Strategy::Whca);
        if !strategy.is_crowd() {
            bail!(
                "--strategy {strategy} plans one class of agents, without a strategy in the file, in a world that does not change: choose whca or lra"
            );
        }
        Ok(strategy)
    }
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
  giveway solve --map yard.tmx --walls rocks --agents 20 --seed 3 --html view.html
  giveway solve --map roads.json --agents-file trips.csv --trace trace.json
  giveway solve --world depot.toml --html view.html

Keys of --json, in this order; what is not known is null:
  solved                    whether all agents arrive, without conflicts
  strategy                  its name
  agents                    how many there are
  sum_of_costs              in ticks; an agent's cost is the tick at which it
                            arrives for good; null if not solved
  sum_of_costs_lower_bound  the sum if each agent were alone on the map; null if
                            one of them cannot arrive
  makespan                  the tick at which the last agent arrives; null if
                            not solved
  makespan_lower_bound      the makespan if each agent were alone on the map;
                            null if one of them cannot arrive
  expansions                states, each a cell and a tick, that were expanded,
                            and with lra and dm cells, for routes
  reverse_expansions        cells expanded in search of true distances
  planning_ms               milliseconds of everything after reading the files,
                            but for lower bounds and the check
  conflicts                 violations that the check finds: pairs of agents that
                            meet, and agents that end elsewhere than they
                            should; agents without a path stand at their
                            starts, where others may pass through them
  served                    with whca, lra and dm, ticks of all agents, by which
                            strategy had planned what they did: windowed,
                            local_repair, pushed, step, jointly; standing
                            without a plan
  moved_goals               with --nearest only: how many goals were moved";

const EXIT_CODES: &str = "  0  solved
  1  not solved; the requested files are written nevertheless";
