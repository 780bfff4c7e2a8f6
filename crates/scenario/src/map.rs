//! Maps: the `.map` format of the Moving AI benchmarks.

use std::fmt;
use std::path::Path;

use giveway_spaces::{Grid, SpaceError};

use crate::file_error::{self, FileError};
use crate::file_methods::file_methods;
use crate::kind::FileKind;
use crate::lines::{Line, Lines, quoted};

/// A map of the Moving AI benchmarks: each cell is passable or not. (0, 0) is at the top left.
///
/// The file is `type octile`, `height H` and `width W` in either order, `map`, and H rows of W characters. The
/// characters `.`, `G` and `S`, and `E` in maps of the League of Robot Runners, are passable cells. `@`, `O`, `T` and
/// `W` are cells that are not passable. No other character may occur. Blank lines may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapFile {
    width: u32,
    height: u32,
    passable: Vec<bool>,
}

impl MapFile {
    file_methods! {
        /// Parses a map; `file` is its name in errors.
        ///
        /// # Errors
        /// `contents` is not a map, or the rows do not have the size in the header.
        parse: FileKind::Map, Self::parse_whole; write
    }

    fn parse_whole(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let mut lines = Lines::new(contents, file)?;
        let map = Self::parse_lines(&mut lines)?;
        lines.require_end(format_args!("{} rows", map.height))?;
        Ok(map)
    }

    /// The map with which the file at `path` begins, whatever follows its last row.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_beginning(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::parse_beginning(file_error::read(path.as_ref())?, path)
    }

    /// The map with which `contents` begin, whatever follows its last row; `file` is its name in errors.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub fn parse_beginning(contents: impl AsRef<[u8]>, file: impl AsRef<Path>) -> Result<Self, FileError> {
        let (contents, file) = (contents.as_ref(), file.as_ref());
        let beginning = Lines::new(contents, file).and_then(|mut lines| Self::parse_lines(&mut lines));
        FileKind::Map.explain(beginning, contents, file)
    }

    fn parse_lines(lines: &mut Lines<'_>) -> Result<Self, FileError> {
        let (width, height) = header(lines)?;
        // Memory grows with the rows: a header can promise any number of them.
        let mut passable = Vec::new();
        for row in 1..=height {
            let line = lines.require(format_args!("row {row} of {height}"))?;
            let before = passable.len();
            for (at, cell) in line.text.char_indices() {
                passable.push(match cell {
                    '.' | 'G' | 'S' | 'E' => true,
                    '@' | 'O' | 'T' | 'W' => false,
                    _ => {
                        let part = line.text.get(at..).unwrap_or_default();
                        return Err(line.expected_at(part, "one of .GSE@OTW", format_args!("{cell:?}")));
                    }
                });
            }
            let cells = passable.len() - before;
            if u32::try_from(cells) != Ok(width) {
                return Err(line.expected(format_args!("{width} cells"), cells));
            }
        }
        Ok(Self { width, height, passable })
    }

    /// The map of the free cells of `grid`. Terrain is not kept.
    pub fn from_grid(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        Self {
            width,
            height,
            passable: (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .map(|(x, y)| grid.is_passable(x, y))
                .collect(),
        }
    }

    /// The map of `width` times `height` cells; `passable` says for each cell, row by row, whether it can be entered.
    pub(crate) fn of_cells(width: u32, height: u32, passable: Vec<bool>) -> Self {
        Self { width, height, passable }
    }

    /// Whether each cell can be entered, row by row.
    pub(crate) fn cells(&self) -> &[bool] {
        &self.passable
    }

    /// The number of columns, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Whether (x, y) is on the map and passable.
    pub fn is_passable(&self, x: u32, y: u32) -> bool {
        let index = u64::from(y) * u64::from(self.width) + u64::from(x);
        let cell = usize::try_from(index).ok().and_then(|index| self.passable.get(index));
        x < self.width && cell.copied().unwrap_or(false)
    }

    /// The grid of the map's cells, four-connected.
    ///
    /// # Errors
    /// The map has more than 2^30 - 1 cells.
    pub fn grid(&self) -> Result<Grid, SpaceError> {
        Grid::from_fn(self.width, self.height, |x, y| self.is_passable(x, y))
    }
}

/// The contents of a `.map` file: `.` for passable cells, `@` for others.
impl fmt::Display for MapFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "type octile\nheight {}\nwidth {}\nmap", self.height, self.width)?;
        let width = usize::try_from(self.width).unwrap_or(usize::MAX).max(1);
        for row in self.passable.chunks(width) {
            let row: String = row.iter().map(|passable| if *passable { '.' } else { '@' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

/// Reads the header, including the line `map`, and returns (width, height).
fn header(lines: &mut Lines<'_>) -> Result<(u32, u32), FileError> {
    let first = lines.require("\"type octile\"")?;
    if words(first.text) != [Some("type"), Some("octile"), None] {
        return Err(first.expected("\"type octile\"", first.quoted()));
    }
    let (mut width, mut height) = (None, None);
    loop {
        const KEYS: &str = "\"height\", \"width\" or \"map\"";
        let line = lines.require(KEYS)?;
        match words(line.text) {
            [Some("map"), None, _] => {
                let missing = |key: &str| line.expected(format_args!("{key:?} before \"map\""), "\"map\"");
                return Ok((width.ok_or_else(|| missing("width"))?, height.ok_or_else(|| missing("height"))?));
            }
            [Some("width"), Some(number), None] => side(&line, number, &mut width)?,
            [Some("height"), Some(number), None] => side(&line, number, &mut height)?,
            _ => return Err(line.expected(KEYS, line.quoted())),
        }
    }
}

/// The first words of `text`; no line of the header has more than two.
fn words(text: &str) -> [Option<&str>; 3] {
    let mut words = text.split_whitespace();
    std::array::from_fn(|_| words.next())
}

fn side(line: &Line<'_>, number: &str, side: &mut Option<u32>) -> Result<(), FileError> {
    if side.is_some() {
        return Err(line.expected("each of \"height\" and \"width\" once", line.quoted()));
    }
    const SIDE: &str = "a whole number from 1 to 4294967295";
    let cells = line.number(number, SIDE)?;
    if cells == 0 {
        return Err(line.expected_at(number, SIDE, quoted(number)));
    }
    *side = Some(cells);
    Ok(())
}
