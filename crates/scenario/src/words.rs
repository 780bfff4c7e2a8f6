//! Words with their lines, for formats to which one white space is like any other.

use std::fmt;

use crate::file_error::FileError;
use crate::lines::{Line, Lines, quoted};

/// The words of a file, whatever white space is between them.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    lines: Lines<'a>,
    /// The line of the next word, and what is left of it.
    line: Option<(Line<'a>, std::str::SplitWhitespace<'a>)>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(lines: Lines<'a>) -> Self {
        Self { lines, line: None }
    }

    /// The next word, or the error that `expected` was expected instead of the end of the file.
    pub(crate) fn require(&mut self, expected: impl fmt::Display) -> Result<Word<'a>, FileError> {
        self.next().ok_or_else(|| self.lines.ended_before(expected))
    }

    /// Accepts nothing up to the end of the file, which is expected `after` something.
    pub(crate) fn require_end(&mut self, after: impl fmt::Display) -> Result<(), FileError> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(word.expected(format_args!("the end of the file after {after}"))),
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            if let Some((line, words)) = &mut self.line
                && let Some(text) = words.next()
            {
                return Some(Word { line: *line, text });
            }
            let line = self.lines.next()?;
            self.line = Some((line, line.text.split_whitespace()));
        }
    }
}

/// A word and its line.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    line: Line<'a>,
    pub(crate) text: &'a str,
}

impl Word<'_> {
    /// The line of the word, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line.number
    }

    /// The error that `expected` was expected instead of this word.
    pub(crate) fn expected(&self, expected: impl fmt::Display) -> FileError {
        self.line.expected_at(self.text, expected, quoted(self.text))
    }

    /// The word as a whole number: decimal digits and nothing else.
    pub(crate) fn whole(&self, expected: impl fmt::Display) -> Result<u32, FileError> {
        self.line.number(self.text, expected)
    }

    /// The word as a finite number.
    pub(crate) fn finite(&self, expected: impl fmt::Display) -> Result<f32, FileError> {
        finite(self.text).ok_or_else(|| self.expected(expected))
    }
}

/// The finite number that `text` is, if it is one.
pub(crate) fn finite(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}
