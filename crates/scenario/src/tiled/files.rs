//! The files that a map names: tile sets and templates of objects. Pictures are never opened.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
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

/// What reads the file at a path.
pub(super) type Open<'o> = dyn FnMut(&Path) -> io::Result<Vec<u8>> + 'o;

/// The contents of the file at `path`, which may be a tile set or a template.
pub(super) fn open(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("no file"));
    }
    let mut contents = Vec::new();
    fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("more than {LARGEST} bytes")));
    }
    Ok(contents)
}

/// The files of a map. Each is read once.
pub(super) struct Files<'f> {
    /// All files must lie in it.
    folder: &'f Path,
    open: &'f mut Open<'f>,
    sets: BTreeMap<PathBuf, Arc<SetTiles>>,
    templates: BTreeMap<PathBuf, Arc<MapObject>>,
}

impl<'f> Files<'f> {
    pub(super) fn new(folder: &'f Path, open: &'f mut Open<'f>) -> Self {
        Self { folder, open, sets: BTreeMap::new(), templates: BTreeMap::new() }
    }

    /// The tile set in the file `name`, which `source` names at the offset `at`.
    pub(super) fn set(&mut self, name: &str, at: usize, source: &Source<'_>) -> Result<Arc<SetTiles>, FileError> {
        const WHAT: &str = "tile set";
        let file = file_of(WHAT, name, at, source, self.folder)?;
        if let Some(known) = self.sets.get(&file) {
            return Ok(Arc::clone(known));
        }
        let contents = self.contents(WHAT, &file, at, source)?;
        let read = |root: &Element<'_>, source: &Source<'_>| tile_set::tiles(root, source, self);
        let tiles = Arc::new(read_root("tileset", &file, &contents, read)?);
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
        let contents = self.contents(WHAT, &file, at, source)?;
        let object = Arc::new(read_root("template", &file, &contents, |root, source| {
            let object = root.child("object").ok_or_else(|| source.expected(root.at, "an object", "none"))?;
            MapObject::of_template(object, source)
        })?);
        self.templates.insert(file, Arc::clone(&object));
        Ok(object)
    }

    /// The contents of `file`, which the map in `source` names at the offset `at`.
    fn contents(&mut self, what: &str, file: &Path, at: usize, source: &Source<'_>) -> Result<Vec<u8>, FileError> {
        (self.open)(file).map_err(|error| source.expected(at, format_args!("the {what} {}", file.display()), error))
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

/// What `read` makes of the root of the `contents` of `file`, which should be called `root`.
fn read_root<T>(
    root: &'static str,
    file: &Path,
    contents: &[u8],
    read: impl FnOnce(&Element<'_>, &Source<'_>) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let text = decode(contents, file)?;
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
