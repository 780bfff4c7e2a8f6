//! Which cells of a tile map are walls.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

use giveway_spaces::Direction;

use super::coverage::Coverage;
use super::layers::{Contents, Layer};
use super::objects::{Covered, MapObject};
use super::offset_cells::OffsetCells;
use super::properties::Properties;
use super::{TileLayout, TileMapFile};
use crate::file_error::FileError;
use crate::lines::quoted;
use crate::map::MapFile;

/// What the walls of a tile map are.
///
/// As text: `none`, `property=value`, or the name of a layer. [`FromStr`] does not know the layers of the map, so it
/// turns every text except `none` into [`Named`](Self::Named). A text with `=` names a layer if the map has a layer of
/// that name, and otherwise a property.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Walls {
    /// All tiles and objects on layers whose names contain `wall` or `collision`. The name of a group counts for all
    /// layers in the group. Capitals and small letters are equal.
    #[default]
    Default,
    /// There are no walls.
    None,
    /// A layer or a property.
    ///
    /// The text is the name or the path of a layer, or of a group around layers. All tiles and objects on these layers
    /// are walls.
    ///
    /// If no layer and no group has this name, the text may be `property=value`. Tiles and objects with a custom
    /// property of this value are walls, and so is everything on layers with this property. A tile also has the
    /// properties of the objects that the collision editor put on it. The class of a tile or an object counts as its
    /// properties `class` and `type`.
    Named(String),
}

impl FromStr for Walls {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text == "none" { Self::None } else { Self::Named(text.to_owned()) })
    }
}

/// What it may take to find the cells that objects meet.
const MOST_WORK: u64 = 1 << 24;
/// Each value takes a look at all cells.
const MOST_COSTS: usize = 64;
/// The names in an error.
const MOST_NAMES: usize = 40;

/// What of a layer counts.
#[derive(Clone, Copy)]
enum Part<'a> {
    All,
    /// What has this property.
    With(&'a str, &'a str),
}

impl TileMapFile {
    /// The cells of the map. The cells that `walls` names are not passable. All other cells are passable, even cells
    /// without a tile.
    ///
    /// An object makes a cell a wall if it meets the inside of the cell. A point, or an object without a size, makes
    /// the cell that contains it a wall. Texts are no walls. A layer that is shifted by an offset counts where it is
    /// drawn. The offset of a layer of tiles is rounded to whole cells.
    ///
    /// # Errors
    /// * The map has no such layer, and nothing on the map has such a property of this value. With [`Walls::Default`]:
    ///   no layer has such a name. The error lists what the map has.
    /// * A layer of tiles is shifted by more than half a tile, on a map that is isometric, staggered or hexagonal.
    /// * Objects have too many corners, or tiles are too small to place objects.
    pub fn map(&self, walls: &Walls) -> Result<MapFile, FileError> {
        let marked = self.marked(walls)?;
        Ok(MapFile::of_cells(self.width, self.height, marked.into_iter().map(|is_wall| !is_wall).collect()))
    }

    /// The cells that `walls` names, as (x, y), row by row. For spawns, goals, and anything else that a layer, a
    /// property or an object can mark.
    ///
    /// # Errors
    /// As for [`map`](Self::map).
    pub fn cells(&self, walls: &Walls) -> Result<Vec<[u32; 2]>, FileError> {
        let marked = self.marked(walls)?;
        let cells = (0..self.height).flat_map(|y| (0..self.width).map(move |x| [x, y]));
        Ok(cells.zip(marked).filter(|(_, is_marked)| *is_marked).map(|(cell, _)| cell).collect())
    }

    /// The weight of each cell, row by row, for [`Grid::with_terrain`](giveway_spaces::Grid::with_terrain). A tile or
    /// an object in the cell may have `property`, and so may the layer of such a tile or object. The weight is the
    /// largest of these values. A cell without such a value has the weight 1.
    ///
    /// # Errors
    /// Nothing on the map has the property; a value is no whole number from 1 to 1000; there are more than 64 values;
    /// or objects cannot be placed, as for [`map`](Self::map).
    pub fn costs(&self, property: &str) -> Result<Vec<u32>, FileError> {
        let values: BTreeSet<&str> = self.properties().filter_map(|list| list.get(property)).collect();
        if values.is_empty() {
            return Err(self.without(property));
        }
        if values.len() > MOST_COSTS {
            let expected = format!("at most {MOST_COSTS} values of {property}");
            return Err(FileError::expected(&self.file, expected, values.len()));
        }
        let mut costs = vec![1; self.width as usize * self.height as usize];
        for value in values {
            let cost =
                value.trim().parse::<f64>().ok().filter(|cost| (1.0..=1000.0).contains(cost) && cost.fract() == 0.0);
            let Some(cost) = cost else {
                let expected = format!("{property} as a whole number from 1 to 1000");
                return Err(FileError::expected(&self.file, expected, quoted(value)));
            };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked just now
            let cost = cost as u32;
            let marked = self.mark_parts(self.parts_with(property, value)?)?;
            costs
                .iter_mut()
                .zip(marked)
                .filter(|(_, is_marked)| *is_marked)
                .for_each(|(known, _)| *known = cost.max(*known));
        }
        Ok(costs)
    }

    /// The direction of each cell, row by row; `None`: the cell has no direction. A tile or an object in the cell may
    /// have `property`, and so may the layer of such a tile or object. If there are several values, the value counts
    /// that comes first in the order of bytes.
    ///
    /// A value is `north` or `up`, `east` or `right`, `south` or `down`, `west` or `left`, or two of these with a
    /// hyphen, such as `north-east`. Capitals and small letters are equal.
    ///
    /// A cell with a direction is meant as a one-way: no step against the direction should begin or end there. A step
    /// is against the direction if their scalar product is below 0, as the map is drawn.
    ///
    /// # Errors
    /// Nothing on the map has the property; a value is no direction; or objects cannot be placed, as for
    /// [`map`](Self::map).
    pub fn one_ways(&self, property: &str) -> Result<Vec<Option<Direction>>, FileError> {
        let values: BTreeSet<&str> = self.properties().filter_map(|list| list.get(property)).collect();
        if values.is_empty() {
            return Err(self.without(property));
        }
        let mut ways = vec![None; self.width as usize * self.height as usize];
        for value in values {
            let Some(direction) = direction(value) else {
                let expected = format!("{property} as north, east, south or west, or as north-east");
                return Err(FileError::expected(&self.file, expected, quoted(value)));
            };
            let marked = self.mark_parts(self.parts_with(property, value)?)?;
            let known = ways.iter_mut().zip(marked).filter(|(_, is_marked)| *is_marked);
            known.for_each(|(way, _)| *way = way.or(Some(direction)));
        }
        Ok(ways)
    }

    /// Whether each cell, row by row, has what `walls` names.
    fn marked(&self, walls: &Walls) -> Result<Vec<bool>, FileError> {
        let chosen: Vec<(usize, Part<'_>)> = match walls {
            Walls::None => Vec::new(),
            Walls::Default => self.layers_where(|layer| layer.is_named_like(["wall", "collision"])),
            Walls::Named(name) => {
                let of_name = self.layers_where(|layer| layer.is_called(name));
                match name.split_once('=') {
                    Some((property, value)) if of_name.is_empty() => self.parts_with(property, value)?,
                    _ => of_name,
                }
            }
        };
        if chosen.is_empty() && *walls != Walls::None {
            return Err(self.no_walls(walls));
        }
        self.mark_parts(chosen)
    }

    /// Whether each cell, row by row, has one of `parts`, each of a layer.
    fn mark_parts(&self, parts: Vec<(usize, Part<'_>)>) -> Result<Vec<bool>, FileError> {
        let mut marks = vec![false; self.width as usize * self.height as usize];
        let cells = self.offset_cells();
        let mut coverage = None;
        let mut work = 0;
        for (number, part) in parts {
            let layer = &self.layers[number];
            match &layer.contents {
                Contents::Tiles(_) => self.mark_tiles(number, part, &mut marks)?,
                Contents::Objects(objects) => {
                    let is_chosen = |object: &&MapObject| match part {
                        Part::All => true,
                        Part::With(property, value) => object.has(property, value),
                    };
                    for object in objects.iter().filter(is_chosen) {
                        let coverage = coverage.get_or_insert_with(|| match &cells {
                            Some(cells) => cells.coverage(),
                            None => Coverage::new(self.width as usize, self.height as usize),
                        });
                        work += self.cover(number, object, cells.as_ref(), coverage, MOST_WORK - work)?;
                    }
                }
            }
        }
        match (coverage, cells) {
            (Some(coverage), Some(cells)) => {
                cells.indices().zip(coverage.cells()).for_each(|(index, covered)| marks[index] |= covered);
            }
            (Some(coverage), None) => {
                marks.iter_mut().zip(coverage.cells()).for_each(|(mark, covered)| *mark |= covered);
            }
            _ => {}
        }
        Ok(marks)
    }

    /// The cells of a map that is not of squares in rows and columns; `None`: it is, or its tiles are too small.
    fn offset_cells(&self) -> Option<OffsetCells> {
        let (TileLayout::Staggered(stagger) | TileLayout::Hexagonal(stagger)) = self.layout() else { return None };
        OffsetCells::new(stagger, self.tile_size, self.side, [self.width, self.height], self.origin)
    }

    fn layers_where(&self, mut is_chosen: impl FnMut(&Layer) -> bool) -> Vec<(usize, Part<'_>)> {
        let numbered = self.layers.iter().enumerate().filter(|(_, layer)| is_chosen(layer));
        numbered.map(|(number, _)| (number, Part::All)).collect()
    }

    /// What has `property` with this value: something must.
    fn parts_with<'a>(&'a self, property: &'a str, value: &'a str) -> Result<Vec<(usize, Part<'a>)>, FileError> {
        let on_layer = |layer: &Layer| layer.properties.iter().any(|list| list.has(property, value));
        let part = |layer: &Layer| if on_layer(layer) { Part::All } else { Part::With(property, value) };
        let chosen: Vec<_> = self.layers.iter().enumerate().map(|(number, layer)| (number, part(layer))).collect();
        if self.properties().any(|list| list.has(property, value)) {
            return Ok(chosen);
        }
        let values: BTreeSet<&str> = self.properties().filter_map(|list| list.get(property)).collect();
        if values.is_empty() {
            return Err(self.without(property));
        }
        let expected = format!("a tile, an object or a layer with {property}={value}");
        Err(FileError::expected(&self.file, expected, format_args!("{property} only as {}", list(values))))
    }

    /// The properties of all tiles, layers and objects.
    fn properties(&self) -> impl Iterator<Item = &Properties> {
        let of_layers = self.layers.iter().flat_map(|layer| &layer.properties);
        let objects = self.layers.iter().flat_map(|layer| match &layer.contents {
            Contents::Objects(objects) => objects.as_slice(),
            Contents::Tiles(_) => &[],
        });
        self.sets.iter().chain(of_layers).chain(objects.flat_map(|object| &object.properties))
    }

    /// The error that nothing has `property`.
    fn without(&self, property: &str) -> FileError {
        let names: BTreeSet<&str> = self.properties().flat_map(|list| list.iter().map(|(name, _)| name)).collect();
        let found =
            if names.is_empty() { "no properties".to_owned() } else { format!("the properties {}", list(names)) };
        let expected = format!("a tile, an object or a layer with the property {property:?}");
        FileError::expected(&self.file, expected, format_args!("{found}; {}", self.told_layers()))
    }

    fn no_walls(&self, walls: &Walls) -> FileError {
        let expected = match walls {
            Walls::Named(name) => format!("the layer {name:?}, or property=value"),
            _ => "a layer with \"wall\" or \"collision\" in its name, or else the walls by --walls: the name of a layer, \
                  property=value, or none"
                .to_owned(),
        };
        FileError::expected(&self.file, expected, self.told_layers())
    }

    fn told_layers(&self) -> String {
        if self.layers.is_empty() {
            "no layers".to_owned()
        } else {
            format!("the layers {}", list(self.layers.iter().map(Layer::path)))
        }
    }

    /// An error about the layer with this number.
    fn error_on(&self, number: usize, expected: impl fmt::Display, found: impl fmt::Display) -> FileError {
        let (line, column) = self.places[number];
        FileError::expected(&self.file, expected, found).at_line(Some(line)).at_column(column)
    }

    fn mark_tiles(&self, number: usize, part: Part<'_>, marks: &mut [bool]) -> Result<(), FileError> {
        let layer = &self.layers[number];
        let Contents::Tiles(chunks) = &layer.contents else { return Ok(()) };
        let shift = self.shift(number)?;
        // A tile may have many objects with properties, and lie everywhere.
        let mut known: HashMap<u32, bool> = HashMap::new();
        for chunk in chunks {
            let rows = chunk.tiles.chunks(chunk.width.max(1) as usize);
            for (row, tiles) in (0_i64..).zip(rows) {
                let y = i64::from(chunk.least[1]) + row - i64::from(self.origin[1]) + shift[1];
                let Some(y) = u32::try_from(y).ok().filter(|y| *y < self.height) else { continue };
                let first = i64::from(chunk.least[0]) - i64::from(self.origin[0]) + shift[0];
                for (x, tile) in (first..).zip(tiles).filter(|(_, tile)| **tile != 0) {
                    let is_marked = match part {
                        Part::All => true,
                        Part::With(property, value) => *known.entry(*tile).or_insert_with(|| {
                            self.sets.properties(*tile).iter().any(|list| list.has(property, value))
                        }),
                    };
                    if let Some(x) = u32::try_from(x).ok().filter(|x| is_marked && *x < self.width) {
                        marks[y as usize * self.width as usize + x as usize] = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// By how many cells a layer of tiles is shifted.
    fn shift(&self, number: usize) -> Result<[i64; 2], FileError> {
        let layer = &self.layers[number];
        let [x, y] = [0, 1].map(|axis| layer.offset[axis] / self.tile_size[axis].max(1.0));
        if self.layout != TileLayout::Square || self.is_isometric {
            if x.abs() <= 0.5 && y.abs() <= 0.5 {
                return Ok([0, 0]);
            }
            let expected = "an offset of at most half a tile for the walls of a map that is not orthogonal";
            return Err(self.error_on(number, expected, format_args!("({}, {})", layer.offset[0], layer.offset[1])));
        }
        #[allow(clippy::cast_possible_truncation)] // saturates, and then leads off the map
        Ok([x, y].map(|cells| (cells.round() as i64).clamp(-(1 << 40), 1 << 40)))
    }

    /// Covers the cells that an object meets, for at most `most` units of work. Returns the work that it took. `cells`
    /// are those of a map that is not of squares in rows and columns.
    fn cover(
        &self,
        number: usize,
        object: &MapObject,
        cells: Option<&OffsetCells>,
        coverage: &mut Coverage,
        most: u64,
    ) -> Result<u64, FileError> {
        let layer = &self.layers[number];
        let count = object.corners() as u64;
        let too_much = || self.error_on(number, "objects with fewer corners, on fewer rows", "more than can be placed");
        if count > most {
            return Err(too_much());
        }
        let covered = object.covered(self.is_isometric);
        // Isometric objects have positions along the axes of the map, where a cell is as long as a tile is high.
        if self.layout != TileLayout::Square {
            let Some(cells) = cells else {
                return Err(self.error_on(number, "tiles of at least two pixels, to place objects", "smaller ones"));
            };
            let moved = |corners: &[[f64; 2]]| -> Vec<[f64; 2]> {
                corners.iter().map(|[x, y]| [x + layer.offset[0], y + layer.offset[1]]).collect()
            };
            return self.cover_offset(&covered, moved, cells, coverage, most).ok_or_else(too_much);
        }
        let [across, down] = if self.is_isometric { [self.tile_size[1]; 2] } else { self.tile_size };
        if across < 1.0 || down < 1.0 {
            return Err(self.error_on(number, "tiles of at least one pixel, to place objects", "smaller ones"));
        }
        let cell = |[x, y]: [f64; 2]| {
            let [left, top] = self.origin.map(f64::from);
            [(x + layer.offset[0]) / across - left, (y + layer.offset[1]) / down - top]
        };
        let corners: Vec<[f64; 2]> = match covered {
            Covered::Nothing => return Ok(1),
            Covered::Point(point) => {
                coverage.add_point(cell(point));
                return Ok(1);
            }
            Covered::Polygon(ref corners) | Covered::Line(ref corners) => corners.iter().copied().map(cell).collect(),
        };
        let work = corners.len() as u64 + coverage.work(&corners);
        if work > most {
            return Err(too_much());
        }
        if let Covered::Polygon(_) = covered {
            coverage.add_polygon(&corners);
        } else {
            corners.windows(2).for_each(|ends| coverage.add_line(ends[0], ends[1]));
        }
        Ok(work)
    }

    /// As [`cover`](Self::cover), on `cells`; `None`: it would take too much.
    fn cover_offset(
        &self,
        covered: &Covered,
        moved: impl Fn(&[[f64; 2]]) -> Vec<[f64; 2]>,
        cells: &OffsetCells,
        coverage: &mut Coverage,
        most: u64,
    ) -> Option<u64> {
        let corners = match covered {
            Covered::Nothing => return Some(1),
            Covered::Point(point) => {
                cells.add_point(moved(&[*point])[0], coverage);
                return Some(1);
            }
            Covered::Polygon(corners) | Covered::Line(corners) => moved(corners),
        };
        let work = cells.work(&corners);
        if work > most {
            return None;
        }
        if let Covered::Polygon(_) = covered {
            cells.add_polygon(&corners, coverage);
        } else {
            corners.windows(2).for_each(|ends| cells.add_line(ends[0], ends[1], coverage));
        }
        Some(work)
    }
}

/// The direction that `value` names.
fn direction(value: &str) -> Option<Direction> {
    let of_name = |name: &str| {
        Some(match name {
            "north" | "up" => Direction::North,
            "east" | "right" => Direction::East,
            "south" | "down" => Direction::South,
            "west" | "left" => Direction::West,
            _ => return None,
        })
    };
    let value = value.trim().to_lowercase();
    let Some((first, second)) = value.split_once('-') else { return of_name(&value) };
    let [(a, b), (c, d)] = [of_name(first)?.offset(), of_name(second)?.offset()];
    // Neither opposite nor equal.
    Direction::ALL.into_iter().find(|known| a * c + b * d == 0 && known.offset() == (a + c, b + d))
}

/// `names` in quotes, with commas; some of them if they are many.
fn list(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut names = names.into_iter();
    let some: Vec<String> = names.by_ref().take(MOST_NAMES).map(|name| format!("{:?}", name.as_ref())).collect();
    let more = names.count();
    some.join(", ") + &if more == 0 { String::new() } else { format!(" and {more} more") }
}
