//! Input files: `-` is standard input. A recording contains the inputs of its run, and a replay reads these in place of
//! files.

use std::cell::RefCell;
use std::collections::BTreeSet;
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
    /// From what was kept in a file of this kind, and not from files.
    Recorded(Vec<Contents>, &'static str),
}

/// The contents of the input of this name.
pub(crate) type Contents = (PathBuf, Vec<u8>);

thread_local! {
    static SOURCE: RefCell<Source> = const { RefCell::new(Source::Files) };
    static FILES_READ: RefCell<BTreeSet<PathBuf>> = const { RefCell::new(BTreeSet::new()) };
}

/// Keeps the contents of all inputs that are read from now on.
pub(crate) fn keep() {
    SOURCE.set(Source::Kept(Vec::new()));
}

/// The inputs that were read since [`keep`] was called, each once.
pub(crate) fn kept() -> Vec<Contents> {
    SOURCE.with_borrow(|source| if let Source::Kept(inputs) = source { inputs.clone() } else { Vec::new() })
}

/// From now on inputs come from `inputs`, which `what` contains, and no file is read.
pub(crate) fn read_from(inputs: Vec<Contents>, what: &'static str) {
    SOURCE.set(Source::Recorded(inputs, what));
}

/// Whether inputs come from a recording or a saved run, which may be of another folder or another computer.
pub(crate) fn are_recorded() -> bool {
    SOURCE.with_borrow(|source| matches!(source, Source::Recorded(..)))
}

/// The files that were read so far.
pub(crate) fn files_read() -> BTreeSet<PathBuf> {
    FILES_READ.with_borrow(Clone::clone)
}

/// What was recorded or kept of the input at `path`; `None`: the input is a file that is not kept yet.
fn known(path: &Path) -> Option<Result<Vec<u8>>> {
    let of = |inputs: &[Contents]| inputs.iter().find(|(name, _)| name == path).map(|(_, contents)| contents.clone());
    SOURCE.with_borrow(|source| match source {
        Source::Files => None,
        Source::Kept(inputs) => of(inputs).map(Ok),
        Source::Recorded(inputs, what) => {
            Some(of(inputs).with_context(|| format!("{}: expected this input in {what}", path.display())))
        }
    })
}

/// Notes that the input at `path` was read, and keeps its `contents`, if inputs are kept.
fn note(path: &Path, contents: &[u8]) {
    note_name(path);
    SOURCE.with_borrow_mut(|source| {
        if let Source::Kept(inputs) = source {
            inputs.push((path.to_owned(), contents.to_owned()));
        }
    });
}

fn note_name(path: &Path) {
    if !is_standard_input(path) {
        FILES_READ.with_borrow_mut(|files| files.insert(path.to_owned()));
    }
}

/// The contents of standard input, or of the file at `path`.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    if !is_standard_input(path) {
        return fs::read(path).with_context(|| format!("{}: cannot be read", path.display()));
    }
    let mut contents = Vec::new();
    io::stdin().lock().read_to_end(&mut contents).context("-: standard input cannot be read")?;
    Ok(contents)
}

/// The contents of the file at `path`, read by `read`; standard input, and what is kept, is read by `parse`.
pub(crate) fn read<'a, T>(
    path: &'a Path,
    read: impl FnOnce(&'a Path) -> Result<T, FileError>,
    parse: impl FnOnce(Vec<u8>, &'a Path) -> Result<T, FileError>,
) -> Result<T> {
    if let Some(contents) = known(path) {
        return Ok(parse(contents?, path)?);
    }
    let keeps = SOURCE.with_borrow(|source| matches!(source, Source::Kept(_)));
    if !keeps && !is_standard_input(path) {
        note_name(path);
        return Ok(read(path)?);
    }
    let contents = bytes(path)?;
    note(path, &contents);
    Ok(parse(contents, path)?)
}

/// The contents of a tile set or a template at `path`, which a tile map names.
pub(crate) fn open(path: &Path) -> io::Result<Vec<u8>> {
    if let Some(contents) = known(path) {
        return contents.map_err(io::Error::other);
    }
    let contents = TileMapFile::open(path)?;
    note(path, &contents);
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
