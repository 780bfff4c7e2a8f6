//! The arguments of `giveway demo`.

use std::path::PathBuf;

use clap::Args;

use super::numbers::whole;
use crate::demo::map::MOST_UNITS;

/// Show a crowd that gives way: a built-in map, no files needed.
///
/// Units stand on both banks of a river, and all of them want to be on the other. There are two bridges. HCA* plans
/// their paths, the check confirms that no two of them meet, and what they do is written as one HTML file that plays in
/// any browser: it needs no server and no network.
#[derive(Args, Debug)]
#[command(allow_negative_numbers = true, after_long_help = AFTER_DEMO)]
pub(crate) struct DemoArguments {
    /// Where to write the player; a file of this name is replaced
    #[arg(long, value_name = "FILE", default_value = "giveway-demo.html")]
    pub(crate) out: PathBuf,

    /// Write an animated picture, too, for pages that run no scripts
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// How many units, up to 99; all together, they end as two words
    #[arg(long, value_name = "N", default_value_t = MOST_UNITS, value_parser = whole(1..=MOST_UNITS))]
    pub(crate) agents: u32,

    /// The seed of where units start, and where they go
    ///
    /// Nothing else is left to chance: equal commands give equal files, everywhere.
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,
}

const AFTER_DEMO: &str = "\
Examples:
  giveway demo
  giveway demo --agents 20 --seed 7 --out twenty.html

A FILE that is written may be -, which is standard output. The summary goes to
standard error then. A file of that name is ./-.

Exit codes:
  0  solved
  1  not solved; the file is written nevertheless
  2  bad usage, or a file or standard output cannot be written; no file is
     written or changed";
