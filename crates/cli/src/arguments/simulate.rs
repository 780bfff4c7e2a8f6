//! The arguments of `giveway simulate`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use giveway::time::Tick;

use super::after_help::after_help;
use super::numbers::whole;
use super::problem::ProblemArguments;
use super::values::{
    CrowdArguments, InstanceArguments, LearningArguments, Order, PictureArguments, Strategy, crowd_strategy, percent,
    seconds,
};

/// Run a crowd, and count what it does.
///
/// The agents are the first N lines of a scenario, the rows of an agents file, or N that are drawn. By default they
/// plan a window ahead, again and again (WHCA*), and go on cooperating once they have arrived. The run is checked, by
/// code that shares nothing with the planner.
///
/// With --problem, robots play a problem of the League of Robot Runners.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, after_long_help = after_help(AFTER_SIMULATE, EXIT_CODES))]
#[command(override_usage = "giveway simulate [OPTIONS] <--map <FILE>|--world <FILE>|--problem <FILE>|--resume <FILE>>")]
#[command(mut_arg("map", |map| map.required(false).required_unless_present_any(["world", "problem", "resume"])))]
#[command(mut_arg("task", |task| task.conflicts_with("world")))]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    pub(crate) instance: InstanceArguments,

    #[command(flatten)]
    pub(crate) problem: ProblemArguments,

    /// Go on with a run that was saved by --save-at, in place of a map, a world or a problem
    ///
    /// The file contains the files that the run has read, and how agents plan. --ticks counts from the beginning of the
    /// first run. Files, times and conflicts are of the ticks from now on, and other counts are of the whole run.
    #[arg(long, value_name = "FILE", conflicts_with_all = SAVED, help_heading = "Instance")]
    pub(crate) resume: Option<PathBuf>,

    /// What the agents are to do
    ///
    /// With --nearest, an agent that is sent to a goal that it cannot reach goes to the nearest cell that it can reach.
    #[arg(long, value_name = "TASK", default_value = "lifelong", help_heading = "Running")]
    pub(crate) task: TaskName,

    /// How to plan: whca, lra or dm
    ///
    /// whca  WHCA*: each agent plans a window ahead, again and again, and makes
    ///       way when it has arrived
    /// lra   LRA*: each agent follows a route of its own, and looks for
    ///       another one when an agent is in the way
    /// dm    direction maps: each agent follows a route of its own around
    ///       the agents within 5 cells, and prefers to go where others go;
    ///       if it comes no nearer for 24 ticks, it plans as with whca,
    ///       and pays what the direction map charges there, too
    #[arg(long, value_name = "NAME", default_value = "whca", value_parser = crowd_strategy, help_heading = "Running")]
    #[arg(verbatim_doc_comment)]
    pub(crate) strategy: Strategy,

    /// How many ticks; with `--task once`, the largest number
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1..=Tick::MAX), help_heading = "Running")]
    pub(crate) ticks: Tick,

    /// The seed of agents that are drawn, of the goals of `--task lifelong`, of the shuffles of `--order random`, and
    /// of the noise of lra and dm
    ///
    /// Nothing else is left to chance: equal commands give equal runs, everywhere.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX), help_heading = "Running")]
    pub(crate) seed: u64,

    /// Of a hundred moves so many are late, by 1 to 10 ticks, as if physics or a motor decided when a move is done
    ///
    /// Which moves are late, and by how many ticks, depends on --seed alone. A move of a single tick is over before it
    /// can be late: then the agent stays where it has come to.
    #[arg(long, value_name = "PERCENT", value_parser = percent, conflicts_with = "problem", help_heading = "Running")]
    pub(crate) late: Option<f64>,

    /// In which order agents plan [default: rotating]
    #[arg(long, value_name = "ORDER", help_heading = "Planning")]
    pub(crate) order: Option<Order>,

    #[command(flatten)]
    pub(crate) crowd: CrowdArguments,

    #[command(flatten)]
    pub(crate) learning: LearningArguments,

    /// The largest number of states and cells that are expanded in a tick
    ///
    /// An agent that cannot plan within the budget follows its old plan or waits, and plans first at the next tick.
    #[arg(long, value_name = "N", value_parser = whole(2..=u64::MAX), help_heading = "Planning")]
    pub(crate) budget: Option<u64>,

    /// Stop after this number of seconds; fractions are fine
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Planning")]
    pub(crate) time_limit: Option<Duration>,

    /// With --problem: write the result, as the competition's validator and visualiser read it
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Write what happened in each tick as CSV
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) csv: Option<PathBuf>,

    /// Write every move as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    /// Write a hash of the state of the crowd after each tick: a line with the tick and the hash
    ///
    /// Hashes are equal on every computer, for one version of giveway.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) hashes: Option<PathBuf>,

    /// Write what is needed to play the run again by `giveway replay`: the files that it has read, all orders and the
    /// hashes
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) record: Option<PathBuf>,

    /// Write the run as it is after tick TICK, so that --resume goes on with it: the files that it has read, and all
    /// that agents know
    ///
    /// If the time limit comes first, the other files are written, and this one is not.
    #[arg(long, value_names = ["TICK", "FILE"], num_args = 2, help_heading = "Output")]
    pub(crate) save_at: Vec<OsString>,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,

    /// Print one JSON object instead of a summary
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// What a saved run says itself.
const SAVED: [&str; 34] = [
    "map",
    "world",
    "colors",
    "starts",
    "goals",
    "one_ways",
    "walls",
    "costs",
    "tile_sets",
    "scen",
    "agents",
    "connectivity",
    "agents_file",
    "radius",
    "speed",
    "nearest",
    "problem",
    "turning",
    "lanes",
    "window",
    "interval",
    "at_once",
    "wait_penalty",
    "direction_map",
    "weight",
    "frozen",
    "task",
    "strategy",
    "seed",
    "late",
    "order",
    "budget",
    "record",
    "out",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TaskName {
    /// To go to the goal and stay there
    Once,
    /// To go to the goal, back to the start, and so on
    Patrol,
    /// To go to a goal, and then to another one, drawn from the goals of all lines of the scenario, and so on
    Lifelong,
}

const AFTER_SIMULATE: &str = "\
Examples:
  giveway simulate --map random.map --scen random.scen --agents 100
  giveway simulate --map city.map --scen city.scen --agents 400 --task patrol
  giveway simulate --map random.map --scen random.scen --agents 50 --ticks 200 --html view.html
  giveway simulate --map yard.tmx --agents 40 --seed 1 --html view.html
  giveway simulate --map town.png --agents 40 --radius 0.4 --ticks 500
  giveway simulate --map random.map --scen random.scen --agents 100 --budget 2000 --csv ticks.csv
  giveway simulate --world depot.toml --ticks 2000 --html depot.html
  giveway simulate --map random.map --scen random.scen --agents 100 --save-at 499 run.save
  giveway simulate --resume run.save --ticks 2000
  giveway simulate --problem random_100.json --ticks 500 --out result.json

Keys of --json, in this order; what is not known is null:
  ticks, agent_ticks    how many passed; for all agents together
  arrivals, flow_time   orders fulfilled, and the ticks that took, together
  path_length, waits    moves; ticks in which an agent was under way to a goal
                        and did not move
  replans, revisits     plans after the first one for an order; how often
                        an agent was in a cell again in which it had been
                        since its order
  unreachable           orders that could not be fulfilled
  searches, failed, postponed
                        searches in space and time; how often one found no
                        plan; how often a turn came too late for the budget
  stopped, overridden, rolled_back
                        moves that the execution guard stopped; agents that
                        planned anew because another agent passes where they
                        would have rested; how often this was taken back
  expansions, reverse_expansions
                        states, each a cell and a tick, and with lra and dm
                        cells, for routes; cells, for distances
  work                  of all ticks, in the units of --budget
  worst_tick_expansions, worst_tick
                        the most of both in one tick, and which it was
  overlaps              always 0 here
  served                ticks of all agents, by which strategy had planned
                        what they did: windowed, local_repair, pushed,
                        step, jointly; standing without a plan
  out_of_memory         postponed turns whose distances would have taken more
                        memory than they may
  sum_of_costs          with --task once, if all agents are on their goals at
                        the end: the ticks at which each arrived for good
  sum_of_costs_lower_bound
                        sum_of_costs if each agent were alone on the map
  milliseconds, worst_milliseconds
                        of all ticks of the crowd alone, and of the one that
                        took longest
  tick_ms_median, tick_ms_p99, tick_ms_first
                        half of the ticks took at most so long, and 99 of 100;
                        of the first tick
  distance_bytes        memory of the distances, in the end
  bytes_per_agent       memory of the whole crowd in the end, divided by the
                        number of agents: their state, reservations, distances
  throughput            arrivals per tick
  conflicts             violations that the check finds; after --resume, in the
                        ticks since
  coherence             of the direction map in the end: from 0 to 1, how well
                        its directions go on into each other
  late_moves            with --late only: how many moves were late; after
                        --resume, of the ticks since
  moved_goals           with --nearest only: how many goals of the scenario
                        were moved

With --problem, the keys of --json are, in this order:
  errands, ticks, agents
                        how many errands were finished, in how many ticks, by
                        how many robots
  moves, failed, postponed, unreachable, expansions, reverse_expansions, work
                        steps forward and turns; the others as above
  conflicts             faults that the check finds in the actions
  tick_ms_median, tick_ms_p99, tick_ms_max, milliseconds
                        of a tick of the crowd alone: half of the ticks took at
                        most so long, 99 of 100, and all; of all ticks together
  tick_ms_first, distance_bytes, bytes_per_agent, throughput
                        as above; errands per tick";

const EXIT_CODES: &str = "  0  run to the end, without conflicts
  1  stopped by the time limit, or the check finds a conflict";
