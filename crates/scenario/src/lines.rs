//! Lines with their numbers, so that every error can name its place.

use std::fmt;
use std::path::Path;

use crate::file_error::FileError;

/// The lines of a text file, which end with `\n` or `\r\n`; the last one may have no end.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    file: &'a Path,
    lines: std::str::Lines<'a>,
    /// The number of lines returned so far.
    given: usize,
}

impl<'a> Lines<'a> {
    /// The lines of `contents`. A byte order mark is no part of them.
    ///
    /// # Errors
    /// The contents are not UTF-8.
    pub(crate) fn new(contents: &'a [u8], file: &'a Path) -> Result<Self, FileError> {
        let text = decode(contents, file)?;
        Ok(Self { file, lines: text.lines(), given: 0 })
    }

    /// The next line, or the error that `expected` was expected instead of the end of the file.
    pub(crate) fn require(&mut self, expected: impl fmt::Display) -> Result<Line<'a>, FileError> {
        self.next().ok_or_else(|| self.ended_before(expected))
    }

    /// The error that the file ends where `expected` was expected.
    pub(crate) fn ended_before(&self, expected: impl fmt::Display) -> FileError {
        FileError::expected(self.file, expected, "the end of the file").at_line(Some(self.given + 1))
    }

    /// Accepts nothing but blank lines up to the end of the file, which is expected `after` something.
    pub(crate) fn require_end(&mut self, after: impl fmt::Display) -> Result<(), FileError> {
        match self.find(|line| !line.is_blank()) {
            None => Ok(()),
            Some(line) => Err(line.expected(format_args!("the end of the file after {after}"), line.quoted())),
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let text = self.lines.next()?;
        self.given += 1;
        Some(Line {
            file: self.file,
            number: self.given,
            // The file may be cut off between the two characters of its last line end.
            text: text.strip_suffix('\r').unwrap_or(text),
        })
    }
}

/// One line of a file.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    file: &'a Path,
    /// From 1.
    pub(crate) number: usize,
    /// The text, without the line end.
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The line's text for an error message.
    pub(crate) fn quoted(&self) -> Quoted<'a> {
        quoted(self.text)
    }

    /// The error that `expected` was expected instead of what this line has.
    pub(crate) fn expected(&self, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        FileError::expected(self.file, expected, found).at_line(Some(self.number))
    }

    /// The error that `expected` was expected instead of `part`, a slice of the line's text.
    pub(crate) fn expected_at(&self, part: &str, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..offset).unwrap_or(self.text);
        self.expected(expected, found).at_column(before.chars().count() + 1)
    }

    /// Parses `part`, a slice of the line's text, as a number: decimal digits and nothing else.
    pub(crate) fn number<N: std::str::FromStr>(&self, part: &str, expected: impl fmt::Display) -> Result<N, FileError> {
        Some(part)
            .filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|part| part.parse().ok())
            .ok_or_else(|| self.expected_at(part, expected, quoted(part)))
    }
}

/// The text of `contents`, without a byte order mark.
pub(crate) fn decode<'a>(contents: &'a [u8], file: &Path) -> Result<&'a str, FileError> {
    let text = std::str::from_utf8(contents).map_err(|error| {
        let (valid, rest) = contents.split_at_checked(error.valid_up_to()).unwrap_or_default();
        let valid = String::from_utf8_lossy(valid);
        let line = valid.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = valid.chars().rev().take_while(|c| *c != '\n').count() + 1;
        let byte = rest.first().copied().unwrap_or_default();
        FileError::expected(file, "UTF-8 text", format_args!("the byte 0x{byte:02X}"))
            .at_line(Some(line))
            .at_column(column)
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Foreign text as an error message shows it: in quotes, on one line, shortened.
pub(crate) fn quoted(text: &str) -> Quoted<'_> {
    Quoted(text)
}

pub(crate) struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 40;
        let Some((cut, _)) = self.0.char_indices().nth(MOST) else {
            return match self.0 {
                "" => f.write_str("nothing"),
                text => write!(f, "{text:?}"),
            };
        };
        write!(f, "{:?}..", self.0.get(..cut).unwrap_or_default())
    }
}
