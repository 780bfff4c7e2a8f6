//! Input files: `-` is standard input. A recording contains the inputs of its run, and a replay reads these in place of
//! files.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway::scenario::{FileError, TileMapFile};

/// The name of standard input in arguments.
const STANDARD_INPUT: &str = "-";

/// Whether `path` names standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// Where inputs come from.
enum Source {
    Files,
    /// From files, whose contents are kept.
    Kept(Vec<Contents>),
    /// From here, and not from files.
    Recorded(Vec<Contents>),
}

/// The contents of the input of this name.
pub(crate) type Contents = (PathBuf, Vec<u8>);

thread_local! {
    static SOURCE: RefCell<Source> = const { RefCell::new(Source::Files) };
}

/// Keeps the contents of all inputs that are read from now on.
pub(crate) fn keep() {
    SOURCE.set(Source::Kept(Vec::new()));
}

/// The inputs that were read since [`keep`] was called.
pub(crate) fn kept() -> Vec<Contents> {
    SOURCE.with_borrow(|source| if let Source::Kept(inputs) = source { inputs.clone() } else { Vec::new() })
}

/// From now on inputs come from `inputs`, and no file is read.
pub(crate) fn read_from(inputs: Vec<Contents>) {
    SOURCE.set(Source::Recorded(inputs));
}

/// What was recorded of the input at `path`; `None`: inputs are files.
fn recorded(path: &Path) -> Option<Result<Vec<u8>>> {
    SOURCE.with_borrow(|source| {
        let Source::Recorded(inputs) = source else { return None };
        let known = inputs.iter().find(|(name, _)| name == path).map(|(_, contents)| contents.clone());
        Some(known.with_context(|| format!("{}: expected this input in the recording", path.display())))
    })
}

/// Keeps `contents`, if inputs are kept.
fn note(path: &Path, contents: impl FnOnce() -> Option<Vec<u8>>) {
    SOURCE.with_borrow_mut(|source| {
        if let Source::Kept(inputs) = source {
            inputs.extend(contents().map(|contents| (path.to_owned(), contents)));
        }
    });
}

/// The contents of the file at `path`, read by `read`; standard input is read by `parse`.
pub(crate) fn read<'a, T>(
    path: &'a Path,
    read: impl FnOnce(&'a Path) -> Result<T, FileError>,
    parse: impl FnOnce(Vec<u8>, &'a Path) -> Result<T, FileError>,
) -> Result<T> {
    if let Some(contents) = recorded(path) {
        return Ok(parse(contents?, path)?);
    }
    if !is_standard_input(path) {
        let value = read(path)?;
        note(path, || fs::read(path).ok());
        return Ok(value);
    }
    let mut contents = Vec::new();
    io::stdin().lock().read_to_end(&mut contents).context("-: standard input cannot be read")?;
    note(path, || Some(contents.clone()));
    Ok(parse(contents, path)?)
}

/// The contents of a tile set or a template at `path`, which a tile map names.
pub(crate) fn open(path: &Path) -> io::Result<Vec<u8>> {
    if let Some(contents) = recorded(path) {
        return contents.map_err(io::Error::other);
    }
    let contents = TileMapFile::open(path)?;
    note(path, || Some(contents.clone()));
    Ok(contents)
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
