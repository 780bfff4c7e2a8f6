//! Input files: `-` is standard input.

use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use giveway::scenario::FileError;

/// The name of standard input in arguments.
const STANDARD_INPUT: &str = "-";

/// Whether `path` names standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// The contents of the file at `path`, read by `read`; standard input is read by `parse`.
pub(crate) fn read<'a, T>(
    path: &'a Path,
    read: impl FnOnce(&'a Path) -> Result<T, FileError>,
    parse: impl FnOnce(Vec<u8>, &'a Path) -> Result<T, FileError>,
) -> Result<T> {
    if !is_standard_input(path) {
        return Ok(read(path)?);
    }
    let mut contents = Vec::new();
    io::stdin().lock().read_to_end(&mut contents).context("-: standard input cannot be read")?;
    Ok(parse(contents, path)?)
}

/// The `inputs` that are files, each with its purpose: no output may be one of them.
pub(crate) fn files<'a>(inputs: impl IntoIterator<Item = (&'a str, &'a Path)>) -> Vec<(&'a str, &'a Path)> {
    inputs.into_iter().filter(|(_, path)| !is_standard_input(path)).collect()
}

/// Refuses `inputs` of which several are standard input, before any of it is read.
pub(crate) fn refuse_second<'a>(inputs: impl IntoIterator<Item = (&'a str, &'a Path)>) -> Result<()> {
    let mut streams = inputs.into_iter().filter(|(_, path)| is_standard_input(path));
    if let (Some((first, _)), Some((second, _))) = (streams.next(), streams.next()) {
        bail!("-: {first} and {second} cannot both be standard input; a file of that name is ./-");
    }
    Ok(())
}
