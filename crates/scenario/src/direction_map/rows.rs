//! The rows of a direction map's file: a line for each place or move that has a direction.

use std::fmt::Debug;
use std::path::Path;

use giveway_lanes::{DirectionRules, Key};
use serde::Serialize;

use crate::file_error::FileError;
use crate::kind::FileKind;

/// A key of direction maps, with the form of its rows.
pub trait Rows<const N: usize>: Key<N, Place: Ord + Debug> {
    /// A row as JSON.
    type Row: Serialize;

    /// The kind of the file.
    const KIND: FileKind;
    /// The `format` of the file.
    const FORMAT: &'static str;
    /// The key of the rows.
    const LIST: &'static str;
    /// What a row has.
    const ITEM: &'static str;

    /// The file's rules, space, number of nodes and rows.
    fn contents(json: &str, file: &Path) -> Result<(DirectionRules, String, u32, Vec<Self::Row>), FileError>;

    fn to_row(place: Self::Place, vector: [f32; N]) -> Self::Row;

    fn of_row(row: Self::Row) -> (Self::Place, [f32; N]);

    /// The node of a place or move.
    fn node(place: Self::Place) -> u32;

    /// What was expected and found where `place` comes after `last`, out of order.
    fn unordered(last: Self::Place, place: Self::Place) -> String;

    /// What was expected and found where `vector` is no direction.
    fn out_of_range(vector: [f32; N]) -> String;
}
