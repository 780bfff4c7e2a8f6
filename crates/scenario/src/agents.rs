//! Agents as CSV: starts and goals in world units.

use std::fmt;
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::kind::{COLUMNS, FileKind};
use crate::lines::{decode, quoted};
use crate::words::finite;

/// One row of an agents file: one agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentsEntry {
    /// The start of the agent, x and y in world units. Both are finite.
    pub start: [f32; 2],
    /// The goal of the agent, x and y in world units. Both are finite.
    pub goal: [f32; 2],
    /// The line of the row in the file, from 1.
    pub line: usize,
}

/// A list of agents anywhere in the plane, each with a start and a goal. An instance of N agents takes the first N of
/// the list.
///
/// The file is CSV with the header `start_x,start_y,goal_x,goal_y` and a row per agent, in world units. White space
/// around fields, and blank lines, are ignored. There may be no rows.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentsFile {
    file: PathBuf,
    entries: Vec<AgentsEntry>,
}

impl AgentsFile {
    file_methods! {
        /// Parses agents; `file` is their name in errors.
        ///
        /// # Errors
        /// The header is missing or wrong; a row does not have four fields; or a field is not a finite number.
        parse: FileKind::Agents, Self::parse_rows; write
    }

    fn parse_rows(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let header = COLUMNS.join(",");
        let text = decode(contents, file)?;
        let mut rows = Rows::new(text);
        let Some((found, line)) = rows.next(file)? else {
            let end = FileError::expected(file, format_args!("the header {header:?}"), "the end of the file");
            return Err(end.at_line(Some(text.lines().count() + 1)));
        };
        if found.iter().ne(COLUMNS) {
            let found = found.iter().collect::<Vec<_>>().join(",");
            let error = FileError::expected(file, format_args!("the header {header:?}"), quoted(&found));
            return Err(error.at_line(Some(line)));
        }
        let mut agents = Self { file: file.to_owned(), entries: Vec::new() };
        while let Some((row, line)) = rows.next(file)? {
            if row.len() != COLUMNS.len() {
                let fields = format!("4 fields ({})", COLUMNS.join(", "));
                return Err(agents.error_at(line, fields, row.len()));
            }
            let mut numbers = [0.0; COLUMNS.len()];
            for ((number, field), column) in numbers.iter_mut().zip(&row).zip(COLUMNS) {
                let wrong = || agents.error_at(line, format!("{column} as a finite number"), quoted(field));
                *number = finite(field).ok_or_else(wrong)?;
            }
            let [start_x, start_y, goal_x, goal_y] = numbers;
            agents.entries.push(AgentsEntry { start: [start_x, start_y], goal: [goal_x, goal_y], line });
        }
        Ok(agents)
    }

    /// A list of agents, each as start and goal. All numbers should be finite. `file` is the name of the file in
    /// errors. Errors cite the line on which [`write`](Self::write) puts the agent.
    pub fn new(file: impl Into<PathBuf>, agents: impl IntoIterator<Item = [[f32; 2]; 2]>) -> Self {
        let entries = agents.into_iter().zip(2..).map(|([start, goal], line)| AgentsEntry { start, goal, line });
        Self { file: file.into(), entries: entries.collect() }
    }

    /// The agents, in the order of the file.
    pub fn entries(&self) -> &[AgentsEntry] {
        &self.entries
    }

    /// The first `count` agents.
    ///
    /// # Errors
    /// There are fewer than `count` agents.
    pub fn first(&self, count: usize) -> Result<&[AgentsEntry], FileError> {
        let last = self.entries.last().map_or(1, |entry| entry.line);
        let found = self.entries.len();
        self.entries.get(..count).ok_or_else(|| self.error_at(last, format_args!("at least {count} agents"), found))
    }

    /// An error about this file: on `line`, `expected` was expected, and `found` was found. For starts and goals that
    /// do not suit a world.
    pub fn error_at(&self, line: usize, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        FileError::expected(&self.file, expected, found).at_line(Some(line))
    }
}

/// The contents of an agents file. Numbers come back bit for bit.
impl fmt::Display for AgentsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", COLUMNS.join(","))?;
        for AgentsEntry { start, goal, .. } in &self.entries {
            writeln!(f, "{},{},{},{}", start[0], start[1], goal[0], goal[1])?;
        }
        Ok(())
    }
}

/// The rows of CSV that are not blank.
struct Rows<'a> {
    text: &'a str,
    reader: csv::Reader<&'a [u8]>,
}

impl<'a> Rows<'a> {
    fn new(text: &'a str) -> Self {
        let reader =
            ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text.as_bytes());
        Self { text, reader }
    }

    /// The next row, and its line.
    fn next(&mut self, file: &Path) -> Result<Option<(StringRecord, usize)>, FileError> {
        let mut row = StringRecord::new();
        while self.reader.read_record(&mut row).map_err(|error| FileError::new(file, error))? {
            if row.iter().any(|field| !field.is_empty()) {
                let line = row.position().map(|position| self.line(position));
                return Ok(Some((row, line.unwrap_or(1))));
            }
        }
        Ok(None)
    }

    /// The line of a row. Its position is where the row before it ended: empty lines may follow.
    fn line(&self, position: &csv::Position) -> usize {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let rest = self.text.get(number(position.byte())..).unwrap_or_default();
        let empty = rest.bytes().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        number(position.line()) + empty.filter(|byte| *byte == b'\n').count()
    }
}
