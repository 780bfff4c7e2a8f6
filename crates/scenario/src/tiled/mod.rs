//! Tile maps of the Tiled editor: `.tmx` and `.tmj`.

mod coverage;
mod element;
mod files;
mod json;
mod layers;
mod objects;
mod offset_cells;
mod properties;
mod tile_data;
mod tile_set;
mod walls;
mod xml;

use std::io;
use std::path::{Path, PathBuf};

use giveway_spaces::Stagger;

use crate::file_error::{self, FileError};
use crate::kind::FileKind;
use crate::lines::{decode, quoted};
use element::{Element, Source};
use files::{Files, Open};
use layers::{Contents, Layer, MOST_CELLS, layers};
use tile_set::TileSets;
pub use walls::Walls;

/// How the cells of a tile map lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileLayout {
    /// Squares in rows and columns. Isometric maps are such squares, drawn from another side.
    Square,
    /// Squares that stand on a corner, in rows or columns of which every other one is shifted by half a cell.
    Staggered(Stagger),
    /// Hexagons.
    Hexagonal(Stagger),
}

/// A map of the [Tiled](https://doc.mapeditor.org/en/stable/reference/tmx-map-format/) editor, in XML (`.tmx`) or in
/// JSON (`.tmj`): layers of tiles and of objects, on cells that are squares or hexagons. (0, 0) is at the top left.
///
/// Tiles may be written as elements, as CSV, or as base64. Base64 may be packed by gzip, zlib or zstd. Layers may be in
/// groups. The map may be infinite: then the cells are the rectangle around all chunks, and the cell at its top left
/// becomes (0, 0); see [`origin`](Self::origin). Tile sets and templates in files of their own (`.tsx`, `.tsj`, `.tx`,
/// `.tj`) are read; pictures are never opened.
///
/// A map has at most 2^24 cells, at most 10,000 layers, and at most 2^25 tiles in all layers together. These bounds
/// limit the memory that a small file with packed layers can take. Names of layers have at most 200 characters.
///
/// ```
/// use giveway_scenario::{TileMapFile, Walls};
///
/// let map = TileMapFile::parse(
///     "<map orientation=\"orthogonal\" width=\"3\" height=\"2\" tilewidth=\"16\" tileheight=\"16\">
///        <layer name=\"grass\" width=\"3\" height=\"2\"><data encoding=\"csv\">1,1,1, 1,1,1</data></layer>
///        <layer name=\"walls\" width=\"3\" height=\"2\"><data encoding=\"csv\">0,7,0, 0,0,0</data></layer>
///      </map>",
///     "small.tmx",
/// )?;
/// assert_eq!(map.layers().collect::<Vec<_>>(), ["grass", "walls"]);
/// // By default, layers with `wall` or `collision` in their names are walls.
/// assert_eq!(map.map(&Walls::Default)?.to_string(), "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n");
/// # Ok::<(), giveway_scenario::FileError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct TileMapFile {
    file: PathBuf,
    layout: TileLayout,
    is_isometric: bool,
    origin: [i32; 2],
    width: u32,
    height: u32,
    /// In pixels.
    tile_size: [f64; 2],
    /// Of hexagons: the length of the sides across rows or columns, in pixels.
    side: f64,
    layers: Vec<Layer>,
    sets: TileSets,
    /// The line and the column of each layer.
    places: Vec<(usize, usize)>,
}

impl TileMapFile {
    /// Parses a map; `file` is its name in errors. Tile sets and templates in files of their own are looked
    /// for beside `file`; they must lie in its folder or in folders in it.
    ///
    /// # Errors
    /// * `contents` is not a tile map.
    /// * The file of a tile set or of a template is missing, is of another kind, or lies elsewhere.
    /// * The number of tiles of a layer is not the number of cells, or the encoding of the tiles is not known.
    /// * The map has too many cells, tiles or layers.
    pub fn parse(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse_beside(contents, file, files::open)
    }

    /// [Parses](Self::parse) a map whose tile sets and templates `open` reads.
    pub(crate) fn parse_beside(
        contents: impl AsRef<[u8]>,
        file: impl AsRef<Path>,
        open: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, FileError> {
        let folder = file.as_ref().parent().unwrap_or(Path::new("")).to_owned();
        Self::parse_with(contents, file, folder, open)
    }

    /// [Parses](Self::parse) a map whose tile sets and templates may lie anywhere in `folder`.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub fn parse_in(
        contents: impl AsRef<[u8]>,
        file: impl AsRef<Path>,
        folder: impl AsRef<Path>,
    ) -> Result<Self, FileError> {
        Self::parse_with(contents, file, folder, files::open)
    }

    /// [Parses](Self::parse_in) a map whose tile sets and templates `open` reads, from disk or from elsewhere.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse); or `open` fails.
    pub fn parse_with(
        contents: impl AsRef<[u8]>,
        file: impl AsRef<Path>,
        folder: impl AsRef<Path>,
        mut open: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, FileError> {
        let (contents, file) = (contents.as_ref(), file.as_ref());
        FileKind::TileMap.explain(Self::parse_text(contents, file, folder.as_ref(), &mut open), contents, file)
    }

    /// The contents of the tile set or template at `path`, as [`parse_in`](Self::parse_in) reads them.
    ///
    /// # Errors
    /// There is no such file, it cannot be read, or it has more than 64 MiB.
    pub fn open(path: &Path) -> io::Result<Vec<u8>> {
        files::open(path)
    }

    /// Reads and [parses](Self::parse) the file at `path`.
    ///
    /// # Errors
    /// As for `parse`, or the file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse(file_error::read(path.as_ref())?, path)
    }

    /// Reads and [parses](Self::parse_in) the file at `path`, whose tile sets and templates may lie anywhere in
    /// `folder`.
    ///
    /// # Errors
    /// As for `parse`, or the file cannot be read.
    pub fn read_in(path: impl AsRef<Path>, folder: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse_in(file_error::read(path.as_ref())?, path, folder)
    }

    /// Reads the file at `path`, as [`read_in`](Self::read_in) does. `open` reads the tile sets and templates, as for
    /// [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// As for [`parse_with`](Self::parse_with), or the file cannot be read.
    pub fn read_with(
        path: impl AsRef<Path>,
        folder: impl AsRef<Path>,
        open: impl FnMut(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, FileError> {
        Self::parse_with(file_error::read(path.as_ref())?, path, folder, open)
    }

    fn parse_text<'f>(
        contents: &[u8],
        file: &Path,
        folder: &'f Path,
        open: &'f mut Open<'f>,
    ) -> Result<Self, FileError> {
        let text = decode(contents, file)?;
        let source = Source { file, text };
        if text.trim_start().starts_with('{') {
            let root = json::root(&source, "map")?;
            if root.value("type").is_some_and(|kind| kind != "map") {
                let at = root.field("type").map_or(root.at, |field| field.at);
                let found = quoted(root.value("type").unwrap_or_default());
                return Err(source.expected(at, "the type \"map\"", found));
            }
            return Self::of_root(&root, &source, folder, open);
        }
        let document = xml::document(&source)?;
        let root = xml::root(&document, &source)?;
        if root.name != "map" {
            return Err(source.expected(root.at, "<map>", format_args!("<{}>", root.name)));
        }
        Self::of_root(&root, &source, folder, open)
    }

    fn of_root<'f>(
        map: &Element<'_>,
        source: &Source<'_>,
        folder: &'f Path,
        open: &'f mut Open<'f>,
    ) -> Result<Self, FileError> {
        let (layout, is_isometric) = layout(map, source)?;
        let size = if map.is_set("infinite") {
            None
        } else {
            let size = [map.require_whole(source, "width")?, map.require_whole(source, "height")?];
            check_size(size.map(u64::from), map, source)?;
            Some(size)
        };
        let tile_size = [map.finite(source, "tilewidth")?, map.finite(source, "tileheight")?];
        let side = match layout {
            TileLayout::Hexagonal(stagger) => side(map, source, tile_size[usize::from(stagger.is_of_rows())])?,
            _ => 0.0,
        };
        let mut files = Files::new(folder, open);
        let sets = TileSets::read(map, source, &mut files)?;
        let layers = layers(map, size, source, &mut files)?;
        let (origin, [width, height]) = match size {
            Some(size) => ([0, 0], size),
            None => around(&layers, map, source)?,
        };
        let places = layers.iter().map(|layer| source.line_and_column(layer.at)).collect();
        let file = source.file.to_owned();
        Ok(Self { file, layout, is_isometric, origin, width, height, tile_size, side, layers, sets, places })
    }

    /// How the cells lie.
    pub fn layout(&self) -> TileLayout {
        match self.layout {
            TileLayout::Staggered(stagger) => TileLayout::Staggered(self.shifted(stagger)),
            TileLayout::Hexagonal(stagger) => TileLayout::Hexagonal(self.shifted(stagger)),
            TileLayout::Square => TileLayout::Square,
        }
    }

    /// `stagger`, counted from the least cell.
    fn shifted(&self, stagger: Stagger) -> Stagger {
        if self.origin[usize::from(stagger.is_of_rows())].rem_euclid(2) == 1 { stagger.swapped() } else { stagger }
    }

    /// The cell of the file that is cell (0, 0) here. If the map is not infinite, both are (0, 0).
    pub fn origin(&self) -> [i32; 2] {
        self.origin
    }

    /// The number of columns, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The names of the layers of tiles and of objects, in the order of the file. The name of a layer in groups is a
    /// path: the names of the groups and of the layer, with slashes.
    pub fn layers(&self) -> impl Iterator<Item = String> {
        self.layers.iter().map(Layer::path)
    }
}

/// The layout of `map`, and whether it is drawn isometrically.
fn layout(map: &Element<'_>, source: &Source<'_>) -> Result<(TileLayout, bool), FileError> {
    const ORIENTATION: &str = "the orientation orthogonal, isometric, staggered or hexagonal";
    let stagger = || -> Result<Stagger, FileError> {
        let given = |name: &str, values: [&str; 2], default: bool| match map.field(name) {
            None => Ok(default),
            Some(field) if values.contains(&&*field.value) => Ok(field.value == values[0]),
            Some(field) => {
                let expected = format!("the {name} {} or {}", values[0], values[1]);
                Err(source.expected(field.at, expected, quoted(&field.value)))
            }
        };
        let (of_rows, is_odd) =
            (given("staggeraxis", ["y", "x"], true)?, given("staggerindex", ["odd", "even"], true)?);
        Ok(match (of_rows, is_odd) {
            (true, true) => Stagger::OddRows,
            (true, false) => Stagger::EvenRows,
            (false, true) => Stagger::OddColumns,
            (false, false) => Stagger::EvenColumns,
        })
    };
    match map.field("orientation") {
        None => Err(map.without(source, "orientation")),
        Some(field) => match &*field.value {
            "orthogonal" => Ok((TileLayout::Square, false)),
            "isometric" => Ok((TileLayout::Square, true)),
            "staggered" => Ok((TileLayout::Staggered(stagger()?), false)),
            "hexagonal" => Ok((TileLayout::Hexagonal(stagger()?), false)),
            other => Err(source.expected(field.at, ORIENTATION, quoted(other))),
        },
    }
}

/// The length of the sides of hexagons that are not cut off a tile, which is `most` long there.
fn side(map: &Element<'_>, source: &Source<'_>, most: f64) -> Result<f64, FileError> {
    let side = map.finite(source, "hexsidelength")?;
    if let Some(field) = map.field("hexsidelength").filter(|_| !(0.0..=most).contains(&side)) {
        let expected = format!("a hexsidelength from 0 to {most}, the size of a tile");
        return Err(source.expected(field.at, expected, quoted(&field.value)));
    }
    Ok(side)
}

/// The least cell and the size of the rectangle around all chunks of `layers`.
fn around(layers: &[Layer], map: &Element<'_>, source: &Source<'_>) -> Result<([i32; 2], [u32; 2]), FileError> {
    let chunks = || {
        let tiles = layers.iter().filter_map(|layer| match &layer.contents {
            Contents::Tiles(chunks) => Some(chunks),
            Contents::Objects(_) => None,
        });
        tiles.flatten().filter(|chunk| chunk.width > 0 && chunk.height > 0)
    };
    let Some(first) = chunks().next() else {
        return Err(source.expected(map.at, "an infinite map with a chunk of tiles", "none"));
    };
    let (mut least, mut most) = (first.least, [i64::MIN; 2]);
    for chunk in chunks() {
        for (axis, side) in [chunk.width, chunk.height].into_iter().enumerate() {
            least[axis] = least[axis].min(chunk.least[axis]);
            most[axis] = most[axis].max(i64::from(chunk.least[axis]) + i64::from(side));
        }
    }
    let size = [0, 1].map(|axis| most[axis].abs_diff(i64::from(least[axis])));
    check_size(size, map, source)?;
    #[allow(clippy::cast_possible_truncation)] // checked just now
    Ok((least, size.map(|side| side as u32)))
}

/// Refuses maps without cells, and those with too many.
fn check_size(size: [u64; 2], map: &Element<'_>, source: &Source<'_>) -> Result<(), FileError> {
    let [width, height] = size;
    let cells = u128::from(width) * u128::from(height);
    if (1..=u128::from(MOST_CELLS)).contains(&cells) {
        return Ok(());
    }
    let at = map.field("width").map_or(map.at, |field| field.at);
    Err(source.expected(at, format_args!("a map of 1 to {MOST_CELLS} cells"), format_args!("{width} x {height}")))
}
