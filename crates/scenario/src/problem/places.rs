//! Lists of places: where robots start, and where they are to go.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::file_error::{self, FileError};
use crate::lines::Lines;

/// A list of places of a competition problem: the starts of robots, or tasks.
///
/// The file has the number of places, and then one place per line, as the number row * width + column. Blank lines,
/// lines that begin with `#`, and white space around numbers are ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacesFile {
    file: PathBuf,
    /// Each place, and its line from 1.
    places: Vec<(u32, usize)>,
    last_line: usize,
}

impl PlacesFile {
    /// Parses a list of places; `file` is its name in errors.
    ///
    /// # Errors
    /// A line is not a whole number, or the number of places differs from the number in the first line.
    pub fn parse(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        let file = file.as_ref();
        let mut lines = Lines::new(contents.as_ref(), file)?;
        let mut next = |expected: &dyn fmt::Display| loop {
            let line = lines.require(expected)?;
            let text = line.text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(line);
            }
        };
        let first = next(&"the number of places")?;
        let count: u32 = first.number(first.text.trim(), "the number of places")?;
        let mut last_line = first.number;
        // Memory grows with the lines: the first can promise any number of them.
        let mut places = Vec::new();
        for number in 1..=count {
            let expected = format!("place {number} of {count}, a whole number");
            let line = next(&expected)?;
            places.push((line.number(line.text.trim(), expected)?, line.number));
            last_line = line.number;
        }
        if let Some(line) = lines.find(|line| !line.is_blank() && !line.text.trim().starts_with('#')) {
            let expected = format!("the end of the file after {count} places");
            return Err(line.expected(expected, line.quoted()));
        }
        Ok(Self { file: file.to_owned(), places, last_line })
    }

    /// The list in the file at `path`.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse), or the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse(file_error::read(path.as_ref())?, path)
    }

    /// All places, each with the number of its line in the file, from 1.
    pub fn places(&self) -> &[(u32, usize)] {
        &self.places
    }

    /// The line of the last place; without places, of their number.
    pub(super) fn last_line(&self) -> usize {
        self.last_line
    }

    /// The error that `expected` was expected on `line` of this file instead of `found`.
    pub(super) fn error_at(&self, line: usize, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        FileError::expected(&self.file, expected, found).at_line(Some(line))
    }
}
