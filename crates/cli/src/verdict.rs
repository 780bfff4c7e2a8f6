//! Verdicts: what a command has to say, and whether the answer is yes.

use std::fmt::Display;
use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::escaped::Escaped;
use crate::output_file::{StagedFile, WrittenFiles};

/// The exit code of bad input and bad usage; clap's is the same.
pub(crate) const UNUSABLE: u8 = 2;

/// What a command that could do its work has to say.
pub(crate) struct Verdict {
    /// For standard output, unless a file goes there; then for standard error.
    pub(crate) text: Box<dyn Display>,
    /// Solved, or valid.
    pub(crate) good: bool,
    /// What it has to write.
    pub(crate) files: Vec<StagedFile>,
}

impl Verdict {
    /// Writes the files and says the rest: all of that, or no file is written.
    pub(crate) fn deliver(self) -> Result<ExitCode> {
        let written = WrittenFiles::commit(self.files)?;
        let said = match written.standard_output() {
            None => say(&Escaped(&self.text)),
            Some(contents) => {
                let sent = say(&contents);
                // Whoever closed standard error does not want to hear of it.
                sent.map(|()| drop(write!(io::stderr(), "{}", Escaped(&self.text))))
            }
        };
        match said.context("standard output cannot be written") {
            Ok(()) => Ok(if self.good { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
            Err(error) => Err(written.undo(error)),
        }
    }
}

/// Writes to standard output. A reader who has read enough, as `head` does, is no error.
fn say(text: &impl Display) -> io::Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
