//! JSON with a header, and with places in its errors.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::file_error::FileError;
use crate::json_place::{Selector, line_and_column};
use crate::lines::quoted;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Header {
    format: String,
    version: u64,
}

/// Checks format and version first: a file of another format should not be reported as a list of missing fields.
pub(crate) fn check_header(json: &str, file: &Path, format: &str, version: u32) -> Result<(), FileError> {
    // Serde would accept an array of the fields in their order.
    if json.trim_start().starts_with('[') {
        return Err(at(FileError::expected(file, "an object", "an array"), json, &[]));
    }
    let found: Header = read(json, file)?;
    if found.format != format {
        let error = FileError::expected(file, format_args!("the format {format:?}"), quoted(&found.format));
        return Err(at(error, json, &[Selector::Key("format")]));
    }
    if found.version != u64::from(version) {
        let error = FileError::expected(file, format_args!("version {version}"), found.version);
        return Err(at(error, json, &[Selector::Key("version")]));
    }
    Ok(())
}

/// Adds to `error` the place of the value to which `selectors` lead in `json`.
pub(crate) fn at(error: FileError, json: &str, selectors: &[Selector]) -> FileError {
    let (line, column) = line_and_column(json, selectors);
    error.at_line(Some(line)).at_column(column)
}

/// Parses `json`.
pub(crate) fn read<'a, T: Deserialize<'a>>(json: &'a str, file: &Path) -> Result<T, FileError> {
    serde_json::from_str(json).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // The place goes to the front, as in all errors.
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message);
        // Line 0 and column 0: the place is not known, or before the first character.
        match (FileError::new(file, message), line, column) {
            (error, 0, _) => error,
            (error, _, 0) => error.at_line(Some(line)),
            (error, ..) => error.at_line(Some(line)).at_column(column),
        }
    })
}

/// Writes `items` as the last list of an object, one per line, and closes the list and the object.
pub(crate) fn write_items<T: Serialize>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index == 0 { "\n" } else { ",\n" })?;
        f.write_str(&serde_json::to_string(item).map_err(|_| fmt::Error)?)?;
    }
    f.write_str("\n]}\n")
}
