//! The files that a map names: tile sets and templates of objects. Pictures are never opened.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::element::{Element, Source};
use super::objects::MapObject;
use super::tile_set::{self, SetTiles};
use super::{json, xml};
use crate::file_error::FileError;
use crate::folder;
use crate::lines::{decode, quoted};

/// Larger files are no tile sets and no templates.
const LARGEST: u64 = 64 << 20;

/// The files of a map. Each is read once.
pub(super) struct Files<'f> {
    /// All files must lie in it.
    folder: &'f Path,
    sets: BTreeMap<PathBuf, Arc<SetTiles>>,
    templates: BTreeMap<PathBuf, Arc<MapObject>>,
}

impl<'f> Files<'f> {
    pub(super) fn new(folder: &'f Path) -> Self {
        Self { folder, sets: BTreeMap::new(), templates: BTreeMap::new() }
    }

    /// The tile set in the file `name`, which `source` names at the offset `at`.
    pub(super) fn set(&mut self, name: &str, at: usize, source: &Source<'_>) -> Result<Arc<SetTiles>, FileError> {
        const WHAT: &str = "tile set";
        let file = file_of(WHAT, name, at, source, self.folder)?;
        if let Some(known) = self.sets.get(&file) {
            return Ok(Arc::clone(known));
        }
        let read = |root: &Element<'_>, source: &Source<'_>| tile_set::tiles(root, source, self);
        let tiles = Arc::new(read_root(WHAT, "tileset", &file, at, source, read)?);
        self.sets.insert(file, Arc::clone(&tiles));
        Ok(tiles)
    }

    /// The object in the template `name`, which `source` names at the offset `at`.
    pub(super) fn template(&mut self, name: &str, at: usize, source: &Source<'_>) -> Result<Arc<MapObject>, FileError> {
        const WHAT: &str = "template";
        let file = file_of(WHAT, name, at, source, self.folder)?;
        if let Some(known) = self.templates.get(&file) {
            return Ok(Arc::clone(known));
        }
        let object = Arc::new(read_root(WHAT, "template", &file, at, source, |root, source| {
            let object = root.child("object").ok_or_else(|| source.expected(root.at, "an object", "none"))?;
            MapObject::of_template(object, source)
        })?);
        self.templates.insert(file, Arc::clone(&object));
        Ok(object)
    }
}

/// The file `name`, which must lie in `folder`: a map from elsewhere must not make a program read anything else.
fn file_of(what: &str, name: &str, at: usize, source: &Source<'_>, folder: &Path) -> Result<PathBuf, FileError> {
    let from = source.file.parent().unwrap_or(Path::new(""));
    folder::within(folder, from, Path::new(name)).ok_or_else(|| {
        let expected = format!("a {what} in the folder {:?}", folder::named(folder));
        source.expected(at, expected, quoted(name))
    })
}

/// What `read` makes of the root of `file`, which should be called `root`. The map in `source` names the file at the
/// offset `at`.
fn read_root<T>(
    what: &str,
    root: &'static str,
    file: &Path,
    at: usize,
    source: &Source<'_>,
    read: impl FnOnce(&Element<'_>, &Source<'_>) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let unread = |why: String| source.expected(at, format_args!("the {what} {}", file.display()), why);
    let facts = fs::metadata(file).map_err(|error| unread(error.to_string()))?;
    if !facts.is_file() {
        return Err(unread("no file".to_owned()));
    }
    let mut contents = Vec::new();
    let opened = fs::File::open(file).and_then(|opened| opened.take(LARGEST + 1).read_to_end(&mut contents));
    opened.map_err(|error| unread(error.to_string()))?;
    if contents.len() as u64 > LARGEST {
        return Err(unread(format!("more than {LARGEST} bytes")));
    }
    let text = decode(&contents, file)?;
    let source = Source { file, text };
    if text.trim_start().starts_with('{') {
        return read(&json::root(&source, root)?, &source);
    }
    let document = xml::document(&source)?;
    let found = xml::root(&document, &source)?;
    if found.name != root {
        return Err(source.expected(found.at, format_args!("<{root}>"), format_args!("<{}>", found.name)));
    }
    read(&found, &source)
}
