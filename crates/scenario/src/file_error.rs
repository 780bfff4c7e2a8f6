//! The error of every file: the place, what was expected, and what was found.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::escaped::Escaped;
use crate::replacement::Replacement;

/// Why a file could not be read, written or understood.
///
/// Displayed like `maps/x.map:12: expected 32 cells, found 31`. Some errors have a column after the line. Control
/// characters are [escaped](Escaped).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    file: PathBuf,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    io: Option<io::ErrorKind>,
}

impl FileError {
    /// The file, as the caller named it.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The number of the wrong line, from 1. If the file ends too early, the number after the last line. `None`: no
    /// single line is wrong.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The column, from 1. In JSON files columns are counted in bytes, in all other files in characters. `None`: the
    /// error has no column.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// The message without file, line and column: what was expected, and what was found. Control characters are
    /// [escaped](Escaped).
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The kind of error of the operating system; `None` if the contents are wrong.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.io
    }

    pub(crate) fn new(file: &Path, message: impl fmt::Display) -> Self {
        let message = Escaped(message).to_string();
        Self { file: file.to_owned(), line: None, column: None, message, io: None }
    }

    pub(crate) fn expected(file: &Path, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self::new(file, format!("expected {expected}, found {found}"))
    }

    pub(crate) fn at_line(self, line: Option<usize>) -> Self {
        Self { line, ..self }
    }

    pub(crate) fn at_column(self, column: usize) -> Self {
        Self { column: Some(column), ..self }
    }

    fn io(file: &Path, action: &str, error: &io::Error) -> Self {
        Self { io: Some(error.kind()), ..Self::new(file, format!("{action}: {error}")) }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Escaped(self.file.display()))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for FileError {}

/// The bytes of the file at `path`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(|error| FileError::io(path, "cannot be read", &error))
}

/// Writes `contents` to the file at `path`, in place of what it held: as a whole, or not at all.
pub(crate) fn write(path: &Path, contents: &impl fmt::Display) -> Result<(), FileError> {
    let write = || {
        let mut file = Replacement::new(path)?;
        write!(file, "{contents}")?;
        file.commit()
    };
    write().map_err(|error| FileError::io(path, "cannot be written", &error))
}
