//! Arguments: what the command line accepts, and its help.

mod after_help;
mod check;
mod compare;
mod demo;
mod draw;
mod generate;
mod numbers;
mod problem;
mod replay;
mod repro;
mod simulate;
mod solve;
mod values;

use std::path::Path;

use clap::{Parser, Subcommand};

pub(crate) use check::CheckArguments;
pub(crate) use compare::{CompareArguments, Contender, Plotted};
pub(crate) use demo::DemoArguments;
pub(crate) use draw::DrawArguments;
pub(crate) use generate::{Form, GenerateArguments, Size};
pub(crate) use problem::YesNo;
pub(crate) use replay::ReplayArguments;
pub(crate) use repro::ReproArguments;
pub(crate) use simulate::{SimulateArguments, TaskName};
pub(crate) use solve::SolveArguments;
use values::given;
pub(crate) use values::{
    Connectivity, CrowdArguments, InstanceArguments, LearningArguments, MapArguments, Order, PictureArguments, Strategy,
};

/// Cooperative pathfinding: units plan in space and time, and give way instead of bumping.
///
/// Reads the maps and scenarios of the Moving AI benchmarks, plans paths on which no two agents meet, runs crowds,
/// compares strategies, checks and draws plans of any program, and makes maps and scenarios. `giveway demo` shows a
/// crowd without any file.
///
/// Time is counted in ticks: an agent waits, or moves to a neighbouring cell, in one tick. A cell (x,y) is a column and
/// a row; (0,0) is at the top left.
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
  Run a crowd that gets one goal after another, and watch it:
    giveway simulate --map random.map --scen random.scen --agents 50 --html crowd.html
  Compare strategies:
    giveway compare --map random.map --scen random.scen --agents 20,50,100
  Draw a plan:
    giveway draw --map random.map --plan plan.txt --html plan.html
  Make a map and agents on it:
    giveway generate room --size 64x64 --agents 50 --map-out room.map --scen-out room.scen
  Record a run, and play it again, on another computer or after a change:
    giveway simulate --map random.map --scen random.scen --agents 50 --record run.rec
    giveway replay run.rec
  Run the experiments on direction maps again:
    giveway repro table1 --data testdata --files 2

Exit codes:
  0  solved, valid, drawn, run, compared, generated, or replayed
  1  not solved, not valid, or otherwise than recorded
  2  bad input or usage, or a file or standard output cannot be written; no file
     is written or changed, and the error names the file, the line and what was
     expected there";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Demo(DemoArguments),
    Solve(SolveArguments),
    Simulate(SimulateArguments),
    Compare(CompareArguments),
    Check(CheckArguments),
    Draw(DrawArguments),
    Generate(GenerateArguments),
    Replay(ReplayArguments),
    Repro(ReproArguments),
}

impl Command {
    /// The files that are read, each after its flag.
    pub(crate) fn inputs(&self) -> Vec<(&str, &Path)> {
        match self {
            Self::Demo(_) => Vec::new(),
            Self::Solve(SolveArguments { instance, learning, .. }) => {
                instance.files().chain(given("--direction-map", &learning.direction_map)).collect()
            }
            Self::Simulate(SimulateArguments { instance, problem, learning, resume, .. }) => {
                let others = [
                    given("--problem", &problem.problem),
                    given("--resume", resume),
                    given("--direction-map", &learning.direction_map),
                ];
                instance.files().chain(others.into_iter().flatten()).collect()
            }
            Self::Compare(arguments) => arguments.inputs().collect(),
            Self::Check(CheckArguments { map, world, plan, trace, scen, .. }) => {
                let instance = [given("--map", map), given("--world", world), given("--scen", scen)];
                let all = [instance.as_slice(), &[given("--plan", plan), given("--trace", trace)]].concat();
                all.into_iter().flatten().collect()
            }
            Self::Draw(arguments) => {
                let DrawArguments { plan, trace, direction_map, .. } = arguments;
                let drawn = [given("--plan", plan), given("--trace", trace), given("--direction-map", direction_map)];
                [arguments.input()].into_iter().chain(drawn.into_iter().flatten()).collect()
            }
            Self::Generate(arguments) => arguments.map().map(|map| ("--map", map)).into_iter().collect(),
            Self::Replay(ReplayArguments { recording }) => vec![("FILE", recording.as_path())],
            Self::Repro(ReproArguments { map, scen, .. }) => {
                let scens = scen.iter().map(|scen| ("--scen", scen.as_path()));
                given("--map", map).into_iter().chain(scens).collect()
            }
        }
    }
}
