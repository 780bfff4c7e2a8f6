//! Maps of any kind.

use std::path::Path;

use crate::file_error::{self, FileError};
use crate::kind::FileKind;
use crate::map::MapFile;
use crate::mesh::MeshFile;

/// A map of any kind that can be read: cells or a navigation mesh.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyMapFile {
    /// A Moving AI map.
    Cells(MapFile),
    /// A Polyanya mesh.
    Mesh(MeshFile),
}

impl AnyMapFile {
    /// Parses a map; `file` is its name in errors. The contents are read as a mesh if their first word is `mesh`, or if
    /// they are of no known kind and `file` ends with `.mesh`. Otherwise they are read as cells.
    ///
    /// # Errors
    /// For a mesh, as for [`MeshFile::parse`]; for cells, as for [`MapFile::parse`].
    pub fn parse(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        let (contents, file) = (contents.as_ref(), file.as_ref());
        let is_called_mesh = || file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mesh"));
        let is_mesh = FileKind::of(contents).map_or_else(is_called_mesh, |kind| kind == FileKind::Mesh);
        if is_mesh {
            MeshFile::parse(contents, file).map(Self::Mesh)
        } else {
            MapFile::parse(contents, file).map(Self::Cells)
        }
    }

    /// The map in the file at `path`.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse), or the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse(file_error::read(path.as_ref())?, path)
    }
}
