//! The arguments of `giveway replay`.

use std::path::PathBuf;

use clap::Args;

/// Play a recording again, and stop where it goes otherwise.
///
/// A recording contains the files of the run, the settings, and all orders, with a hash of the state of the crowd after
/// each tick. If a hash differs, the tick and the agents that differ are named. The run itself is a run of this
/// program, so a recording that goes as recorded on one computer, and not on another, is a fault of giveway.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_REPLAY)]
pub(crate) struct ReplayArguments {
    /// The recording, as `giveway simulate --record` writes it
    #[arg(value_name = "FILE")]
    pub(crate) recording: PathBuf,
}

const AFTER_REPLAY: &str = "\
Examples:
  giveway simulate --map random.map --scen random.scen --agents 100 --record run.rec
  giveway replay run.rec

A FILE may be -, which is standard input. A file of that name is ./-.

Exit codes:
  0  every tick went as recorded
  1  a tick went otherwise: it is named, and the agents that differ
  2  unusable input; the error names the file, the line and what was expected
     there";
