//! `giveway`: multi-agent pathfinding on the command line.

mod arguments;
mod check;
mod compare;
mod count;
mod demo;
mod draw;
mod fault_text;
mod learning;
mod moved_goals;
mod output_file;
mod pictures;
mod planning;
mod report;
mod repro;
mod simulate;
mod solve;
mod table;
mod verdict;
mod watch;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;

use arguments::{Arguments, Command};
use verdict::{UNUSABLE, Verdict};

fn main() -> ExitCode {
    let verdict = match Arguments::parse().command {
        Command::Demo(arguments) => demo::demo(&arguments),
        Command::Solve(arguments) => solve::solve(&arguments),
        Command::Simulate(arguments) => simulate::simulate(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Draw(arguments) => draw::draw(&arguments),
        Command::Repro(arguments) => repro::repro(&arguments),
    };
    let spoken = verdict.and_then(|verdict| {
        speak(&verdict).context("standard output cannot be written")?;
        Ok(verdict.exit_code())
    });
    spoken.unwrap_or_else(|error| {
        // Whoever closed standard error does not want to hear of it.
        let _ = writeln!(io::stderr(), "error: {error:#}");
        ExitCode::from(UNUSABLE)
    })
}

/// Writes the verdict to standard output. A reader who has read enough, as `head` does, is no error.
fn speak(verdict: &Verdict) -> io::Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write!(stdout, "{}", verdict.text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
