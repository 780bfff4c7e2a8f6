//! `giveway`: multi-agent pathfinding on the command line.

mod arguments;
mod cells;
mod check;
mod compare;
mod count;
mod demo;
mod draw;
mod generate;
mod input_file;
mod lateness;
mod learning;
mod memory;
mod mesh_world;
mod moved_goals;
mod node_map;
mod output_file;
mod outputs;
mod pictures;
mod places;
mod placing;
mod planning;
mod problem;
mod recording;
mod replay;
mod repro;
mod roaming;
mod saved_run;
mod simulate;
mod site;
mod solve;
mod solve_report;
mod table;
mod tick_times;
mod traces;
mod unarrived;
mod verdict;
mod violation_text;
mod watch;
mod world;
mod worlds;

use std::env;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use giveway::scenario::Escaped;

use arguments::{Arguments, Command};
use verdict::{UNUSABLE, Verdict};

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| refuse(error));
    let verdict = input_file::refuse_second(arguments.command.inputs()).and_then(|()| match arguments.command {
        Command::Demo(arguments) => demo::demo(&arguments),
        Command::Solve(arguments) => solve::solve(&arguments),
        Command::Simulate(arguments) => simulate::simulate(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Draw(arguments) => draw::draw(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Repro(arguments) => repro::repro(&arguments),
    });
    verdict.and_then(Verdict::deliver).unwrap_or_else(|error| {
        // If standard error is closed, this has no reader.
        let _ = writeln!(io::stderr(), "error: {}", Escaped(format_args!("{error:#}")));
        ExitCode::from(UNUSABLE)
    })
}

/// Prints what is wrong with the arguments, or the requested help.
fn refuse(error: clap::Error) -> ! {
    let given: Vec<_> = env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let spelt: Vec<_> = given.iter().map(|argument| Escaped(argument).to_string()).collect();
    if spelt == given {
        error.exit();
    }
    // The error, with its quotes escaped; escaping its text would also escape its own colours.
    Arguments::try_parse_from(spelt).err().unwrap_or(error).exit()
}
