//! Verdicts: what a command has to say, and whether the answer is yes.

use std::fmt::Display;
use std::process::ExitCode;

/// The exit code of bad input and bad usage; clap's is the same.
pub(crate) const UNUSABLE: u8 = 2;

/// What a command that could do its work has to say.
pub(crate) struct Verdict {
    /// For standard output.
    pub(crate) text: Box<dyn Display>,
    /// Solved, or valid.
    pub(crate) good: bool,
}

impl Verdict {
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
