//! Files of direction maps: of places, of moves, or of the cells of a raster.

use std::fmt;
use std::path::Path;

use giveway_lanes::DirectionRules;
use serde::Serialize;

use super::head::Head;
use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::json;
use crate::json_place::Selector;
use crate::kind::FileKind;
use crate::lines::decode;

const VERSION: u32 = 1;

/// The common type of files with directions: see [`DirectionMapFile`](crate::DirectionMapFile),
/// [`EdgeDirectionMapFile`](crate::EdgeDirectionMapFile) and [`WorldDirectionMapFile`](crate::WorldDirectionMapFile).
#[derive(Clone, PartialEq, Debug)]
pub struct DirectionsFile<R> {
    pub(super) head: Head,
    /// In ascending order.
    pub(super) rows: Vec<R>,
}

/// The contents of a file, not yet checked: the rules, the space, the number of its nodes, and the rows.
pub(super) type Unchecked<R> = (DirectionRules, String, u32, Vec<R>);

/// A row of a file with directions: a place, a move or a cell, with its direction.
pub trait Row: Copy + Serialize {
    /// The kind of the file.
    const KIND: FileKind;
    /// The `format` of the file.
    const FORMAT: &'static str;
    /// The JSON key of the list of rows, and a description of a row, for errors.
    const ROWS: [&'static str; 2];

    /// Reads the file.
    fn contents(json: &str, file: &Path) -> Result<Unchecked<Self>, FileError>;

    /// Checks this row; its space has `nodes` nodes, and `last` is the row before. The error says what was expected,
    /// and what was found.
    fn check(&self, nodes: u32, last: Option<&Self>) -> Result<(), String>;
}

impl<R: Row> DirectionsFile<R> {
    file_methods! {
        /// Parses a direction map; `file` is its name in errors.
        ///
        /// # Errors
        /// `contents` is not JSON, or is not a direction map of this kind and version; a rule or a direction is out of
        /// range; places or moves are not in ascending order; or a node is not below the number of nodes in the file.
        parse: R::KIND, Self::parse_json; write
    }

    fn parse_json(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let json = decode(contents, file)?;
        json::check_header(json, file, R::FORMAT, VERSION)?;
        let (rules, space, nodes, rows) = R::contents(json, file)?;
        let head = Head::parse(rules, &space, nodes, file, json)?;
        let [list, item] = R::ROWS;
        let mut last = None;
        for (index, row) in rows.iter().enumerate() {
            row.check(nodes, last.replace(row)).map_err(|message| {
                let error = FileError::new(file, format!("{item} {index}: {message}"));
                json::at(error, json, &[Selector::Key(list), Selector::Element(index)])
            })?;
        }
        Ok(Self { head, rows })
    }

    /// The rules by which the map learns and charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.head.rules
    }
}

/// The contents of the file: JSON, one direction per line.
impl<R: Row> fmt::Display for DirectionsFile<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head.write(f, [R::FORMAT, R::ROWS[0]], VERSION, &self.rows)
    }
}
