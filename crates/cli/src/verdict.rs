//! Verdicts: the output of a command, and whether its answer is yes.

use std::fmt::Display;
use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use giveway::scenario::Escaped;

use crate::output_file::{StagedFile, WrittenFiles};

/// The exit code for bad input and bad usage, equal to clap's.
pub(crate) const UNUSABLE: u8 = 2;

/// The output of a command that could do its work.
pub(crate) struct Verdict {
    /// For standard output, unless a file goes there; then for standard error.
    pub(crate) text: Box<dyn Display>,
    /// Whether the instance is solved, or the plan is valid.
    pub(crate) good: bool,
    /// The files to write.
    pub(crate) files: Vec<StagedFile>,
}

impl Verdict {
    /// Writes the files and prints the text. If anything fails, no file is written.
    pub(crate) fn deliver(self) -> Result<ExitCode> {
        let written = WrittenFiles::commit(self.files)?;
        let said = match written.standard_output() {
            None => say(&Escaped(&self.text)),
            Some(contents) => {
                let sent = say(&contents);
                // If standard error is closed, this has no reader.
                sent.map(|()| drop(write!(io::stderr(), "{}", Escaped(&self.text))))
            }
        };
        match said.context("standard output cannot be written") {
            Ok(()) => Ok(if self.good { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
            Err(error) => Err(written.undo(error)),
        }
    }
}

/// Writes to standard output. A reader that stops early, as `head` does, is no error.
fn say(text: &impl Display) -> io::Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
