//! JSON that says what it is, and where it is wrong.

use std::path::Path;

use serde::Deserialize;

use crate::file_error::FileError;
use crate::lines::quoted;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Header {
    format: String,
    version: u64,
}

/// Checks who is speaking, before anything else is asked for: another format or version is not a list of missing fields.
pub(crate) fn check_header(json: &str, file: &Path, format: &str, version: u32) -> Result<(), FileError> {
    let found: Header = read(json, file)?;
    if found.format != format {
        return Err(FileError::expected(file, format_args!("the format {format:?}"), quoted(&found.format)));
    }
    if found.version != u64::from(version) {
        return Err(FileError::expected(file, format_args!("version {version}"), found.version));
    }
    Ok(())
}

/// What `json` spells.
pub(crate) fn read<'a, T: Deserialize<'a>>(json: &'a str, file: &Path) -> Result<T, FileError> {
    serde_json::from_str(json).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // The place goes to the front, as everywhere.
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message);
        // Line 0 and column 0: not known, or before the first character.
        match (FileError::new(file, message), line, column) {
            (error, 0, _) => error,
            (error, _, 0) => error.at_line(Some(line)),
            (error, ..) => error.at_line(Some(line)).at_column(column),
        }
    })
}
