//! Maps of any kind.

use std::io;
use std::path::Path;

use crate::file_error::{self, FileError};
use crate::graph::GraphFile;
use crate::kind::FileKind;
use crate::map::MapFile;
use crate::mesh::MeshFile;
#[cfg(feature = "png")]
use crate::picture::PictureFile;
#[cfg(feature = "tiled")]
use crate::tiled::TileMapFile;

/// A map of any kind that can be read.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum AnyMapFile {
    /// A Moving AI map.
    Cells(MapFile),
    /// A Polyanya mesh.
    Mesh(MeshFile),
    /// A graph.
    Graph(GraphFile),
    /// A picture.
    #[cfg(feature = "png")]
    Picture(PictureFile),
    /// A tile map.
    #[cfg(feature = "tiled")]
    Tiles(TileMapFile),
}

impl AnyMapFile {
    /// Parses a map; `file` is its name in errors. The contents decide what kind of map it is. If the contents are of
    /// no known kind, the extension of `file` decides. If the extension is not known either, the contents are read as a
    /// Moving AI map. External tile sets of a tile map are looked for beside `file`.
    ///
    /// # Errors
    /// As for the `parse` of the kind; or the feature for the kind is off.
    pub fn parse(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        #[cfg(feature = "tiled")]
        return Self::parse_with(contents, file, TileMapFile::open);
        #[cfg(not(feature = "tiled"))]
        Self::parse_with(contents, file, |_| Ok(Vec::new()))
    }

    /// [Parses](Self::parse) a map; `open` reads the external tile sets and templates of a tile map, from disk or from
    /// elsewhere.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse); or `open` fails.
    #[cfg_attr(not(feature = "tiled"), allow(unused_variables))]
    pub fn parse_with(
        contents: impl AsRef<[u8]>,
        file: impl AsRef<Path>,
        open: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, FileError> {
        let (contents, file) = (contents.as_ref(), file.as_ref());
        match FileKind::of(contents).or_else(|| Self::kind_by_name(file)) {
            Some(FileKind::Mesh) => MeshFile::parse(contents, file).map(Self::Mesh),
            Some(FileKind::Graph) => GraphFile::parse(contents, file).map(Self::Graph),
            #[cfg(feature = "png")]
            Some(FileKind::Picture) => PictureFile::parse(contents, file).map(Self::Picture),
            #[cfg(feature = "tiled")]
            Some(FileKind::TileMap) => TileMapFile::parse_beside(contents, file, open).map(Self::Tiles),
            _ => MapFile::parse(contents, file).map(Self::Cells),
        }
    }

    /// The map in the file at `path`.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse), or the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse(file_error::read(path.as_ref())?, path)
    }

    /// The map in the file at `path`, with `open` as for [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// As for [`parse_with`](Self::parse_with), or the file cannot be read.
    pub fn read_with(
        path: impl AsRef<Path>,
        open: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, FileError> {
        Self::parse_with(file_error::read(path.as_ref())?, path, open)
    }

    fn kind_by_name(file: &Path) -> Option<FileKind> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "mesh" => Some(FileKind::Mesh),
            "json" => Some(FileKind::Graph),
            "png" => Some(FileKind::Picture),
            "tmx" | "tmj" => Some(FileKind::TileMap),
            _ => None,
        }
    }
}
