//! Pictures as maps: a pixel is a cell.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use giveway_spaces::{Grid, SpaceError};
use png::{ColorType, Decoder, Transformations};

use crate::colors::Colors;
use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::kind::FileKind;
use crate::map::MapFile;

/// A picture, whose pixels are the cells of a map. Pixel (x, y) is cell (x, y); (0, 0) is at the top left.
///
/// The file is a PNG of any kind. Of an animation, the first frame counts. Of a colour with 16 bits for each part, the
/// upper 8 bits count. Transparent pixels are mixed with white. A picture has at most 2^24 pixels, so a small packed
/// file cannot take much memory.
///
/// ```no_run
/// use giveway_scenario::PictureFile;
///
/// let picture = PictureFile::read("town.png")?;
/// // Dark is wall.
/// let map = picture.map();
/// // Black is wall, blue is mud, everything else is plain ground.
/// let grid = picture.grid(|color| match color {
///     [0, 0, 0] => None,
///     [0, 0, 255] => Some(3),
///     _ => Some(1),
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureFile {
    file: PathBuf,
    width: u32,
    height: u32,
    /// Red, green and blue, row by row.
    colors: Vec<[u8; 3]>,
}

/// A picture of more pixels would take memory out of proportion to its file.
const MOST_PIXELS: u64 = 1 << 24;
/// A byte of a PNG cannot unpack to more bytes.
const MOST_UNPACKED: u64 = 1032;
/// A palette has at most this many colours.
const MOST_COLORS: usize = 256;
/// The decoder's own buffers.
const MOST_BYTES: usize = 64 << 20;

impl PictureFile {
    file_methods! {
        /// Parses a picture; `file` is its name in errors.
        ///
        /// # Errors
        /// `contents` is not a PNG, ends too early, or has more than 2^24 pixels.
        parse: FileKind::Picture, Self::parse_png
    }

    fn parse_png(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let wrong = |found: String| FileError::expected(file, "a PNG picture", found);
        let mut decoder = Decoder::new_with_limits(Cursor::new(contents), png::Limits { bytes: MOST_BYTES });
        decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let header = decoder.read_header_info().map_err(|error| wrong(error.to_string()))?;
        let (width, height) = (header.width, header.height);
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MOST_PIXELS {
            let expected = format!("a picture of at most {MOST_PIXELS} pixels");
            return Err(FileError::expected(file, expected, format_args!("{width} x {height}")));
        }
        let packed = (header.raw_row_length() as u64).saturating_mul(height.into());
        if packed > (contents.len() as u64).saturating_mul(MOST_UNPACKED) {
            return Err(wrong(format!("{} bytes for {width} x {height} pixels", contents.len())));
        }
        let mut reader = decoder.read_info().map_err(|error| wrong(error.to_string()))?;
        // The decoder takes for granted that a palette is well formed.
        if reader.info().color_type == ColorType::Indexed {
            let bytes = reader.info().palette.as_deref().map_or(0, <[u8]>::len);
            if bytes == 0 || bytes % 3 != 0 || bytes > MOST_COLORS * 3 {
                return Err(wrong(format!("a palette of {bytes} bytes")));
            }
        }
        let size = reader.output_buffer_size().ok_or_else(|| wrong("a size beyond memory".to_owned()))?;
        let mut bytes = vec![0; size];
        let frame = reader.next_frame(&mut bytes).map_err(|error| wrong(error.to_string()))?;
        bytes.truncate(frame.buffer_size());
        if (frame.width, frame.height) != (width, height) {
            return Err(wrong(format!("a first frame of {} x {}", frame.width, frame.height)));
        }
        let on_white = |color: [u8; 3], alpha: u8| {
            color.map(|part| {
                let sum = u32::from(part) * u32::from(alpha) + 255 * u32::from(255 - alpha);
                #[allow(clippy::cast_possible_truncation)] // at most 255
                let mixed = ((sum + 127) / 255) as u8;
                mixed
            })
        };
        let colors: Vec<[u8; 3]> = match frame.color_type {
            ColorType::Grayscale => bytes.iter().map(|gray| [*gray; 3]).collect(),
            ColorType::GrayscaleAlpha => {
                bytes.as_chunks().0.iter().map(|[gray, alpha]| on_white([*gray; 3], *alpha)).collect()
            }
            ColorType::Rgba => {
                bytes.as_chunks().0.iter().map(|[r, g, b, alpha]| on_white([*r, *g, *b], *alpha)).collect()
            }
            ColorType::Rgb | ColorType::Indexed => bytes.as_chunks().0.to_vec(),
        };
        if colors.len() as u64 != pixels {
            return Err(wrong(format!("{} of {pixels} pixels", colors.len())));
        }
        Ok(Self { file: file.to_owned(), width, height, colors })
    }

    /// The number of columns, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The red, green and blue of a pixel; `None`: it is not on the picture.
    pub fn color(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let index = u64::from(y) * u64::from(self.width) + u64::from(x);
        self.colors.get(usize::try_from(index).ok()?).copied().filter(|_| x < self.width)
    }

    /// The map whose walls are the dark pixels: those of less than half the brightness of white. The brightness of a
    /// colour is 0.299 red + 0.587 green + 0.114 blue.
    pub fn map(&self) -> MapFile {
        MapFile::of_cells(self.width, self.height, self.colors.iter().map(|color| !is_dark(*color)).collect())
    }

    /// The map whose walls are the pixels that are walls by `colors`. All other pixels are passable cells, whatever
    /// their weights.
    ///
    /// # Errors
    /// A pixel has a colour whose meaning `colors` does not give.
    pub fn map_of(&self, colors: &Colors) -> Result<MapFile, FileError> {
        let ground = self.ground(colors)?;
        Ok(MapFile::of_cells(self.width, self.height, ground.into_iter().map(|weight| weight.is_some()).collect()))
    }

    /// The weight of each cell, row by row, for [`Grid::with_terrain`]; 1 for walls.
    ///
    /// # Errors
    /// A pixel has a colour whose meaning `colors` does not give.
    pub fn costs(&self, colors: &Colors) -> Result<Vec<u32>, FileError> {
        Ok(self.ground(colors)?.into_iter().map(|weight| weight.unwrap_or(1)).collect())
    }

    fn ground(&self, colors: &Colors) -> Result<Vec<Option<u32>>, FileError> {
        let of = |(index, color): (usize, &[u8; 3])| {
            colors.of(*color).ok_or_else(|| {
                let (x, y) = (index % self.width as usize, index / self.width as usize);
                let [red, green, blue] = color;
                let expected = match colors.len() {
                    1 => "the 1 colour of the table".to_owned(),
                    count => format!("one of the {count} colours of the table"),
                };
                FileError::expected(
                    &self.file,
                    expected,
                    format_args!("#{red:02x}{green:02x}{blue:02x} at pixel ({x},{y})"),
                )
            })
        };
        self.colors.iter().enumerate().map(of).collect()
    }

    /// The grid of the pixels, four-connected. `terrain` is called with the red, green and blue of each pixel. It
    /// returns `None` for a wall, or else the weight of the cell: see [`Grid::with_terrain`]. The weight 1 is plain
    /// ground.
    ///
    /// # Errors
    /// The weight of a colour is 0, or larger than 1000.
    pub fn grid(&self, mut terrain: impl FnMut([u8; 3]) -> Option<u32>) -> Result<Grid, SpaceError> {
        let known: Vec<Option<u32>> = self.colors.iter().map(|color| terrain(*color)).collect();
        let at = |x: u32, y: u32| known.get(y as usize * self.width as usize + x as usize).copied().flatten();
        let grid = Grid::from_fn(self.width, self.height, |x, y| at(x, y).is_some())?;
        grid.with_terrain(|x, y| at(x, y).unwrap_or(1))
    }
}

/// Whether a colour has less than half the brightness of white.
fn is_dark([red, green, blue]: [u8; 3]) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) < 127_500
}
