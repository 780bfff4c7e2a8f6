//! What a tile map in XML and one in JSON have in common: elements with fields, text and children, each with its place.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::file_error::FileError;
use crate::lines::quoted;

/// Deeper files are refused, so that readers may recurse.
pub(super) const DEEPEST: usize = 64;

/// The text of a file. Places are offsets into the text, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// The error that `expected` was expected at the offset `at`, and `found` was found.
    pub(super) fn expected(&self, at: usize, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        self.place(FileError::expected(self.file, expected, found), at)
    }

    /// An error at the offset `at`.
    pub(super) fn error(&self, at: usize, message: impl fmt::Display) -> FileError {
        self.place(FileError::new(self.file, message), at)
    }

    fn place(&self, error: FileError, at: usize) -> FileError {
        let (line, column) = self.line_and_column(at);
        error.at_line(Some(line)).at_column(column)
    }

    /// The line and the column of the offset `at`, from 1.
    pub(super) fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let in_line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        // In JSON columns are bytes, as serde counts them.
        let is_json = self.text.trim_start().starts_with('{');
        let column = if is_json { in_line.len() } else { in_line.chars().count() };
        (line, column + 1)
    }

    /// The offset of `part`, if it is a part of the text.
    pub(super) fn offset(&self, part: &str) -> Option<usize> {
        let offset = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        (offset + part.len() <= self.text.len()).then_some(offset)
    }
}

/// An element of XML, or an object of JSON.
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    pub(super) at: usize,
    pub(super) fields: Vec<Field<'a>>,
    /// The text inside, and its place.
    pub(super) text: Option<(Cow<'a, str>, usize)>,
    pub(super) children: Vec<Element<'a>>,
    /// The global ids of children that are tiles of a layer, which are many.
    pub(super) tiles: Vec<u32>,
}

/// An attribute of XML, or a scalar of JSON.
pub(super) struct Field<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) value: Cow<'a, str>,
    pub(super) at: usize,
}

impl<'a> Element<'a> {
    pub(super) fn new(name: &'a str, at: usize) -> Self {
        Self { name, at, fields: Vec::new(), text: None, children: Vec::new(), tiles: Vec::new() }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.field(name).map(|field| &*field.value)
    }

    /// Whether the field is given and true.
    pub(super) fn is_set(&self, name: &str) -> bool {
        matches!(self.value(name), Some("1" | "true"))
    }

    pub(super) fn named<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element<'a>> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub(super) fn child(&self, name: &str) -> Option<&Element<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The field `name` as `expected`; `None`: it is not given.
    pub(super) fn parse<T: FromStr>(
        &self,
        source: &Source<'_>,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, FileError> {
        let Some(field) = self.field(name) else { return Ok(None) };
        let wrong = |_| {
            source.expected(field.at, format_args!("the {name} of <{}> as {expected}", self.name), quoted(&field.value))
        };
        field.value.trim().parse().map(Some).map_err(wrong)
    }

    /// The field `name` as a whole number.
    pub(super) fn whole(&self, source: &Source<'_>, name: &str) -> Result<Option<u32>, FileError> {
        self.parse(source, name, "a whole number up to 4294967295")
    }

    /// The field `name` as a whole number, which must be given.
    pub(super) fn require_whole(&self, source: &Source<'_>, name: &str) -> Result<u32, FileError> {
        self.whole(source, name)?.ok_or_else(|| self.without(source, name))
    }

    /// The field `name` as a finite number; 0 if it is not given.
    pub(super) fn finite(&self, source: &Source<'_>, name: &str) -> Result<f64, FileError> {
        let number: Option<Finite> = self.parse(source, name, "a finite number")?;
        Ok(number.map_or(0.0, |Finite(number)| number))
    }

    /// The error that the field `name` is missing.
    pub(super) fn without(&self, source: &Source<'_>, name: &str) -> FileError {
        source.expected(self.at, format_args!("<{}> with {name}", self.name), "none")
    }
}

struct Finite(f64);

impl FromStr for Finite {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self).ok_or(())
    }
}
